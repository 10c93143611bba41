"""Prints the pages of pr."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING

from bashkit.commands._notation.encoding import width
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.text.pr.layout import TAB, TRAILER, Layout, body_of
from bashkit.commands.text.pr.lines import Line, columns_of, cut
from bashkit.interp.utility.command import Arguments, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.text.pr.pages import Page
    from bashkit.interp.utility.process import Process


class Printer:
    """Prints the pages of one file, or of all merged ones."""

    def __init__(self, process: Process, arguments: Arguments, layout: Layout, columns: int) -> None:
        self._process = process
        self._layout = layout
        self._title = arguments.get("h")
        self._date = arguments.get("D", "%Y-%m-%d %H:%M") or ""
        self._columns = columns
        gap = len(layout.separator) if layout.separator is not None else 1
        numbers = 0
        if layout.number and layout.merge:
            mark, digits = layout.number
            numbers = digits + (TAB - digits % TAB if mark == "\t" else 1)
        self._numbers = numbers
        cell = (layout.width - numbers - gap * (columns - 1)) // columns if columns > 1 else layout.width
        if cell < 1 and layout.cut:
            raise UsageError("page width too narrow", hint=False)
        process.budget.words(columns)
        self._cell = max(1, cell)
        self._line = layout.first
        self._starts: list[int] = []  # for each column of the page, the cells in the columns before it

    def run(self, name: str, modified: float, pages: Iterator[Page]) -> None:
        """Print the pages."""
        layout, process = self._layout, self._process
        number, page = 0, None
        for number, page in enumerate(pages, 1):
            rows = page.rows
            page_lines = sum(len(row) for row in rows) if not layout.merge else len(rows)
            if not layout.first_page <= number <= layout.last_page:
                if layout.first == 1:
                    self._line += page_lines
                continue
            filled = layout.width if layout.columns > 1 or layout.merge else 0
            numbers = layout.number[1] if layout.number is not None else 0
            process.budget.string(len(rows) * (layout.margin + filled) + page_lines * numbers)
            process.write("" if layout.plain else self._header(name, modified, number))
            self._starts = [] if layout.across or layout.merge else _starts(rows)
            for index, row in enumerate(rows):
                process.budget.tick(len(row))
                is_double = layout.double and not (page.is_open and index == len(rows) - 1)
                process.write(self._row(row, index) + "\n" * (2 if is_double else 1))
            if not layout.merge:
                self._line += page_lines
            process.write(self._end(page))
        if 0 < number < layout.first_page - (page is not None and page.is_fed and not layout.bare):
            process.warn(f"starting page number {layout.first_page} exceeds page count {number}")

    def _end(self, page: Page) -> str:
        """What is printed behind the rows of a page."""
        layout = self._layout
        if layout.plain:
            return "\f" if page.is_fed and not layout.bare else ""
        rows, body = len(page.rows), body_of(layout)
        used, room = (max(0, rows * 2 - page.is_open), body * 2) if layout.double else (rows, body)
        if layout.form_feed:  # observed with pr 9.1: an empty page has a line, as has one with room for double space
            return "\n" * ((not rows) + (layout.double and used < room)) + "\f"
        return "\n" * (room - used + TRAILER)

    def _header(self, name: str, modified: float, number: int) -> str:
        layout = self._layout
        moment = Moment.of(modified, self._process.system.timezone(self._process.env.get("TZ", "")))
        date = strftime(self._date, moment, self._process.budget)
        title = name if self._title is None else self._title
        page = f"Page {number}"
        room = layout.width - width(date) - width(title) - len(page)
        left = max(1, room // 2)
        margin = " " * layout.margin
        first = self._begun()
        first.separate("")
        return f"{first.text()}\n\n{margin}{date}{' ' * left}{title}{' ' * max(1, room - left)}{page}\n\n\n"

    def _begun(self) -> Line:
        """A line with its margin."""
        several = self._columns > 1 or self._layout.merge
        return Line(self._layout.margin, self._layout.pack or (("\t", TAB) if several else None))

    def _row(self, cells: list[str | None], index: int) -> str:
        layout = self._layout
        several, line = self._columns > 1 or layout.merge, self._begun()
        if several:
            line.separate("")
        gap = len(layout.separator) if layout.separator is not None else 1
        for column, cell in enumerate(cells):
            shown, marked = cell or "", self._number(index, column)
            if layout.cut and (several or layout.cuts_all):
                shown = cut(shown, self._cell if layout.merge else max(1, self._cell - columns_of(marked)))
            line.add(marked + shown)
            if column + 1 >= len(cells):
                continue
            if layout.fill or not layout.cut:
                line.separate("\t" if layout.separator is None else layout.separator)
            else:
                goal = layout.margin + self._numbers + (column + 1) * (self._cell + gap)
                if layout.separator in {None, " "}:
                    line.move(goal)
                else:
                    line.move(goal - gap)
                    line.separate(layout.separator or "")
        self._process.budget.string(line.length)
        return line.text()

    def _number(self, index: int, column: int) -> str:
        """The line number in front of a cell, with what separates it."""
        layout = self._layout
        if layout.number is None or (layout.merge and column):
            return ""
        mark, digits = layout.number
        if layout.merge:
            number = self._line
            self._line += 1
        elif layout.across:
            number = self._line + index * self._columns + column
        else:
            number = self._line + self._starts[column] + index
        if mark == "\t" and (self._columns > 1 or layout.merge):
            mark = " " * (TAB - digits % TAB)
        return f"{str(number)[-digits:]:>{digits}}{mark}"


def _starts(rows: list[list[str | None]]) -> list[int]:
    """For each column of a page that is filled downwards, the cells in the columns before it: no row is longer than the first."""
    heights = [0] * (len(rows[0]) if rows else 0)
    for length, count in Counter(map(len, rows)).items():
        for column in range(length):
            heights[column] += count
    return list(accumulate(heights, initial=0))
