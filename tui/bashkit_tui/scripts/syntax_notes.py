"""The syntax errors of an unfinished script, in the words of bash or Python."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax import Parser

MOST_CHECKED = 100_000  # characters of a script that is checked while it is typed


@dataclass(frozen=True, slots=True)
class SyntaxNote:
    """A syntax error, or a note that the script is incomplete.

    Attributes:
        message: In the language's own words.
        line, column: One-based.
        incomplete: Whether more text could make the script valid.
    """

    message: str
    line: int
    column: int
    incomplete: bool


def python_note(code: str) -> SyntaxNote | None:
    """The syntax error of Python code; None for valid code."""
    try:
        ast.parse(code)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        return SyntaxNote(error.msg, line, column, incomplete="was never closed" in error.msg or line > code.count("\n"))
    except (ValueError, RecursionError, MemoryError) as error:
        return SyntaxNote(str(error) or "nested too deeply", 1, 1, incomplete=False)
    return None


def syntax_note(script: str) -> SyntaxNote | None:
    """The first syntax error of a script; None for a valid script."""
    parser = Parser(script, extglob="extglob" in script)  # a ``shopt -s extglob`` in it runs before the patterns
    try:
        parser.parse()
    except ScriptSyntaxError as error:
        return SyntaxNote(error.message, error.line, error.column, error.incomplete)
    if parser.needs_more():
        lines = script.split("\n")
        return SyntaxNote("here-document is not ended", len(lines), len(lines[-1]) + 1, incomplete=True)
    return None
