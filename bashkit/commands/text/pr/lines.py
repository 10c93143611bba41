"""Lines of output: columns, blanks and tabs."""

from __future__ import annotations

import re

from bashkit.commands.text.pr.layout import TAB
from bashkit.limits import paced, paced_if_many

_NOT_PRINTED = re.compile(r"[^ -~]+")
_GAP = re.compile(r" {2,}")  # one blank never becomes a tab


class Line:
    """A line of output, in which runs of blanks become tabs.

    Args:
        margin: The blanks before everything, which become tabs with those of the first cell.
        tabs: The character and width of tabs; None where blanks stay.

    Attributes:
        length: Its characters.
    """

    def __init__(self, margin: int, tabs: tuple[str, int] | None) -> None:
        self._pieces: list[str] = []
        self.length = 0
        self._tabs = tabs
        self._position = 0
        self._pending = margin  # blanks that are written when something follows

    def add(self, text: str) -> None:
        """Write a cell."""
        if self._tabs is None:
            self._write_blanks()
            self._write(text)
            return
        begun = text.lstrip(" ")
        self._pending += len(text) - len(begun)
        inner = begun.rstrip(" ")
        if not inner:
            return
        position = 0
        for gap in paced(_GAP.finditer(inner)) if "  " in inner else ():
            self._write_blanks()
            self._write(inner[position : gap.start()])
            position, self._pending = gap.end(), len(gap[0])
        self._write_blanks()
        self._write(inner[position:])
        self._pending = len(begun) - len(inner)

    def move(self, goal: int) -> None:
        """Go to a column."""
        self._pending = max(0, goal - self._position)
        self._write_blanks()

    def separate(self, text: str) -> None:
        """Write a separator as it is."""
        self._write_blanks()
        self._write(text)

    def text(self) -> str:
        """All of it."""
        return "".join(self._pieces)

    def _write(self, text: str) -> None:
        self._put(text)
        self._position = _advanced(self._position, text)

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self.length += len(text)

    def _write_blanks(self) -> None:
        if not self._pending:
            return
        char, size = self._tabs or ("", 0)
        goal, self._pending = self._position + self._pending, 0
        while size and goal - self._position > 1 and (stop := self._position + size - self._position % size) <= goal:
            self._put(char)
            self._position = stop
        self._put(" " * (goal - self._position))
        self._position = goal


def _advanced(position: int, text: str) -> int:
    """The column after printing ``text``."""
    if text.isascii() and text.isprintable():
        return position + len(text)
    for piece in paced_if_many(re.split(r"(\t)", text)):
        position = position + TAB - position % TAB if piece == "\t" else position + columns_of(piece)
    return position


def columns_of(text: str) -> int:
    """The columns that a text without tabs takes: control characters and bytes beyond ASCII take none."""
    return len(_NOT_PRINTED.sub("", text))


def cut(text: str, room: int) -> str:
    """What of a text takes no more than ``room`` columns."""
    if text.isascii() and text.isprintable():
        return text[:room]
    position = 0
    for index, char in enumerate(paced_if_many(text)):
        position = _advanced(position, char)
        if position > room:
            return text[:index]
    return text
