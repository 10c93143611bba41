"""Cuts the source line of a problem for a terminal, and says where its caret goes."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len

_TAB = "    "


class SourceLine(NamedTuple):
    """A line above its caret.

    Attributes:
        text: The line; of a long one the piece around the mistake.
        before: The columns of a terminal before the mistake.
        marked: The columns of the mistake, at least one.
    """

    text: str
    before: int
    marked: int


def source_line(source: str, column: int, width: int, room: int) -> SourceLine:
    """Fit a source line into ``room`` columns.

    Args:
        source: The line.
        column: The character at which the mistake begins, from 1.
        width: The characters of the mistake.
        room: The columns that there are.
    """
    line = source.replace("\t", _TAB)
    start = len(source[: column - 1].replace("\t", _TAB))
    end = start + len(source[column - 1 :][:width].replace("\t", _TAB))
    first = max(0, start - room // 3) if cell_len(line) > room else 0
    text = _cut(f"…{line[first + 1 :]}" if first else line, room)
    return SourceLine(text, cell_len(text[: start - first]), max(1, cell_len(text[start - first : end - first])))


def _cut(text: str, room: int) -> str:
    if cell_len(text) <= room:
        return text
    text = text[: room - 1]
    while cell_len(text) >= room:
        text = text[:-1]
    return f"{text}…"
