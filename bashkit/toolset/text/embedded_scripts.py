"""The scripts inside a toolset file: the positions of their lines, their syntax errors, and commands that are not there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.syntax.reading import read_script
from bashkit.toolset.text.document import Mark
from bashkit.toolset.text.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.errors import Problem
    from bashkit.toolset.text.document import Document, Path

_STYLE = re.compile(r"(?:[&!]\S*\s+)*([|>\"'*]?)")  # the start of a scalar, after its anchor and tag


def check_script(document: Document, path: Path, text: str) -> None:
    """Note the syntax error of a script, if it has one, at its position in the file."""
    error = read_script(text).error
    if error is not None:
        mark, exact = mark_in(document, path, text, error.line, error.column)
        where = "the script" if exact else f"line {error.line} of the script"
        document.report(f"{where}: {error.message}", mark, path=path)


def unknown_commands(document: Document, path: Path, text: str, known: frozenset[str]) -> Iterator[Problem]:
    """Warn about commands of a script that neither ``known`` nor the script itself defines."""
    read = read_script(text)
    for command in read.commands:
        name = command.name
        if name and "/" not in name and name not in known and name not in read.functions:
            mark, _ = mark_in(document, path, text, command.line, command.column)
            hint = suggestion(name, sorted(known))
            message = f"there is no command {name!r}"
            yield document.warning(path, "unknown-command", message, hint=hint, mark=mark._replace(width=len(name)))


def mark_in(document: Document, path: Path, text: str, line: int, column: int) -> tuple[Mark, bool]:
    """The position in the file of a script's line and column, and whether it is exact: in folded text, lines are not known."""
    mark = document.mark(path)
    lines = text.split("\n")
    if line > len(lines) or (line == len(lines) and line > 1 and not lines[-1]):  # the text ended early
        line = max(1, len(lines) - (not lines[-1]))
        column = max(1, len(lines[line - 1]))
    wanted = lines[line - 1]
    source = document.line(mark.line)
    match = _STYLE.match(source, mark.column - 1)
    style = match[1] if match else ""
    if style == "|":
        found = document.line(mark.line + line)
        if found.endswith(wanted):
            return Mark(mark.line + line, len(found) - len(wanted) + column), True
    elif style in {"", '"', "'"} and match is not None and len(lines) == 1 and source.startswith(wanted, match.end()):
        return Mark(mark.line, match.end() + column), True
    return mark, len(lines) == 1
