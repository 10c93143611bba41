"""What bash would say about a script as far as it is typed."""

from __future__ import annotations

from dataclasses import dataclass

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax import Parser

_LONGEST = 100_000  # characters of a script that is checked while it is typed


@dataclass(frozen=True, slots=True)
class SyntaxNote:
    """A mistake, or that something is still missing.

    Attributes:
        message: In bash's words.
        line, column: One-based.
        incomplete: More text could make it right.
    """

    message: str
    line: int
    column: int
    incomplete: bool


def syntax_note(script: str) -> SyntaxNote | None:
    """What is wrong with the syntax of a script; None when nothing is, or when it is too long to tell at every key."""
    if len(script) > _LONGEST:
        return None
    parser = Parser(script, extglob="extglob" in script)  # ``shopt -s extglob`` would have been run by the time it matters
    try:
        parser.parse()
    except ScriptSyntaxError as error:
        return SyntaxNote(error.message, error.line, error.column, error.incomplete)
    if parser.needs_more():
        lines = script.split("\n")
        return SyntaxNote("here-document is not ended", len(lines), len(lines[-1]) + 1, incomplete=True)
    return None
