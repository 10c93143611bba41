"""Arranges the lines of files as pages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from bashkit.commands.text.pr.layout import TAB, Layout, body_of
from bashkit.commands.text.pr.lines import columns_of
from bashkit.interp.runtime.pieces import joined, split
from bashkit.limits import paced, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Iterator

_FORM_FEED = re.compile(r"\f\n?")


@dataclass(frozen=True, slots=True)
class Part:
    """The lines of a file up to a form feed, or up to its end.

    Attributes:
        lines: Prepared for printing.
        is_open: The last one has no newline.
        is_last: No form feed follows.
    """

    lines: list[str]
    is_open: bool
    is_last: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Rows of cells.

    Attributes:
        rows: For each line, the cells that it has.
        is_fed: A form feed in the file ended the page.
        is_open: The end was seen while the last row was printed, which has no blank line behind it then.
    """

    rows: list[list[str | None]]
    is_fed: bool
    is_open: bool


def parts_of(text: str, layout: Layout) -> Iterator[Part]:
    """The parts of a file; the last is empty behind a form feed at the end."""
    if not text:
        return
    position = 0
    for found in paced(_FORM_FEED.finditer(text)):
        yield _part(text[position : found.start()], layout, is_last=False)
        position = found.end()
    yield _part(text[position:], layout, is_last=True)


def _part(text: str, layout: Layout, *, is_last: bool) -> Part:
    lines = [_prepared(line, layout) for line in paced(split(text.removesuffix("\n"), "\n"))] if text else []
    return Part(lines, not text.endswith("\n"), is_last)


def tabs_of(layout: Layout) -> tuple[str, int] | None:
    """The character and width of the tabs that are expanded; None where none are."""
    return layout.expand or (("\t", TAB) if layout.columns > 1 or layout.merge else None)


def _prepared(line: str, layout: Layout) -> str:
    """A line with tabs expanded and unprintable characters made visible."""
    needed = tabs_of(layout)
    if needed is not None and needed[0] in line:
        char, size = needed
        # A line number moves the tab stops of columns that are aligned.
        before = (
            layout.number[1] + 1 if layout.is_aligned and not layout.merge and layout.number and layout.number[0] != "\t" else 0
        )
        line = joined(_expanded(line.replace("\t", char), char, size, before))
    if layout.visible:
        octets = line.encode("utf-8", "surrogateescape")
        line = joined(_visible(byte, layout.visible) for byte in paced_if_many(octets))
    return line


def _expanded(line: str, char: str, size: int, column: int) -> Iterator[str]:
    """The pieces of a line between tabs, and the blanks that those become."""
    gap = 0
    for piece in split(line, char):
        yield " " * gap
        yield piece
        column += columns_of(piece)
        gap = size - column % size
        column += gap


def _visible(byte: int, how: str) -> str:
    if 32 <= byte < 127 or byte in {9, 10}:
        return chr(byte)
    return f"^{chr(byte ^ 64)}" if byte < 128 and how == "caret" else f"\\{byte:03o}"


@dataclass(slots=True)
class Column:
    """A file that is printed beside others: what was read of it.

    Attributes:
        parts: The file; none if it is empty.
        part, line: The place of the next line.
        waits: For the next page, as a form feed was read.
        is_over: The end was read.
    """

    parts: list[Part]
    part: int = 0
    line: int = 0
    waits: bool = False
    is_over: bool = False

    def __post_init__(self) -> None:
        self.is_over = not self.parts

    def next(self) -> str | None:
        """The next line of the page, or None."""
        if self.waits or self.is_over:
            return None
        part = self.parts[self.part]
        line = part.lines[self.line] if self.line < len(part.lines) else None
        self.line += 1
        if line is None or (part.is_open and self.line == len(part.lines)):
            self.waits, self.is_over = not part.is_last, part.is_last
        return line

    def turn(self) -> bool:
        """Begin a page, which may be for the form feed behind the last one; whether that was printed."""
        part = self.parts[self.part] if self.part < len(self.parts) else None
        waited, self.waits = self.waits, False
        if waited or (part is not None and self.line == len(part.lines) and not part.is_last):
            self.part, self.line = self.part + 1, 0
            self.is_over = not self.parts[self.part].lines and self.parts[self.part].is_last
        return waited

    @property
    def is_ready(self) -> bool:
        """Whether more may come on the page."""
        return not (self.waits or self.is_over)


def pages_side_by_side(columns: list[Column], layout: Layout) -> Iterator[Page]:
    """Arrange the lines of several files as pages, with a column for each."""
    body = body_of(layout)
    while True:
        rows: list[list[str | None]] = []
        is_open = False
        while len(rows) < body and any(column.is_ready for column in columns):
            row: list[str | None] = []
            for column in columns:
                row.append(column.next())
                if not any(other.is_ready for other in columns):
                    break  # nothing stands in the columns behind it
            if all(cell is None for cell in row):
                break
            rows.append(row)
            is_open = not any(column.is_ready for column in columns)
        turned = [column.turn() for column in columns]
        is_fed = any(turned)
        if not rows and not is_fed:
            return
        yield Page(rows, is_fed, is_open)


def pages_of(parts: list[Part], layout: Layout) -> Iterator[Page]:
    """Arrange the lines of a file as pages."""
    size = body_of(layout) * layout.columns
    for part in parts:
        if not part.lines and part.is_last:
            return
        for start in range(0, len(part.lines) or 1, size):
            lines = part.lines[start : start + size]
            ends = start + size >= len(part.lines)
            is_seen = ends and (part.is_open or len(lines) < size)  # a page is full before what follows is read
            is_open = is_seen and (part.is_open or (len(lines) % layout.columns > 0 if layout.across else layout.columns > 1))
            yield Page(_rows(lines, layout), is_seen and not part.is_last, is_open)


def _rows(lines: list[str], layout: Layout) -> list[list[str | None]]:
    """Arrange the lines of a page."""
    columns, body = layout.columns, body_of(layout)
    if layout.across:
        return [list(lines[index : index + columns]) for index in paced_if_many(range(0, len(lines), columns))]
    # The columns of the last page are balanced, with longer first columns.
    short, longer = divmod(len(lines), columns)
    heights = [short + (column < longer) for column in range(columns)]
    if len(lines) == body * columns:
        heights = [body] * columns
    starts = list(accumulate(heights, initial=0))
    return [
        [lines[starts[column] + row] for column in range(columns) if row < heights[column]]
        for row in paced_if_many(range(max(heights, default=0)))
    ]
