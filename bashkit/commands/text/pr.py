"""pr: paginate or columnate files for printing (POSIX XCU pr; GNU coreutils manual, pr)."""

from __future__ import annotations

import errno
import re
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Literal

from bashkit.commands._filesystem.lines import LINE, slurp
from bashkit.commands._notation.counts import MOST, clamped
from bashkit.commands._notation.encoding import width
from bashkit.commands._notation.quoting import mention, quote_if_needed
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.interp.runtime.pieces import joined, split
from bashkit.interp.utility.command import Arguments, Option, UsageError, command, flag, value
from bashkit.limits import paced, paced_if_many
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_HEADER, _TRAILER = 5, 5
_LAST_PAGE = 1 << 30
_COUNT = re.compile(r"\s*\+?([0-9]+)", re.ASCII)
_NOT_PRINTED = re.compile(r"[^ -~]+")
_TAB = 8
_RUN = re.compile(r" +|[^ ]+")
_FORM_FEED = re.compile(r"\n?\f\n?")


@dataclass(frozen=True, slots=True)
class _Layout:
    """The parsed options.

    Attributes:
        columns: The number of columns.
        across: Fill rows first.
        merge: A column for each file.
        lines: Lines of a page.
        plain: No header, no trailer, and pages run on (``-t``); ``bare`` also ignores form feeds (``-T``).
        form_feed: A form feed ends a page.
        width: Of a page.
        separator: The text between columns; None for blanks up to the next one.
        cut: Lines are cut to the width of their column; ``cuts_all``, also where there is only one.
        number: The separator and digits of line numbers, or None.
        first: The first line number.
        first_page, last_page: The range of printed pages.
        double: Leave a blank line after each line.
        margin: Spaces in front of each line.
        expand: Width of the tabs that become spaces, or 0; with the character.
        pack: The character and width of the tabs that spaces become, or None.
        fill: Print columns in full, joined (``-J``).
        visible: ``octal`` for ``-v``, ``caret`` for ``-c``, or empty.
    """

    columns: int
    across: bool
    merge: bool
    lines: int
    plain: bool
    bare: bool
    form_feed: bool
    width: int
    separator: str | None
    cut: bool
    cuts_all: bool
    number: tuple[str, int] | None
    first: int
    first_page: int
    last_page: int
    double: bool
    margin: int
    expand: tuple[str, int] | None
    pack: tuple[str, int] | None
    fill: bool
    visible: str


_NUMBERS = {
    "l": "'-l PAGE_LENGTH' invalid number of lines",
    "w": "'-w PAGE_WIDTH' invalid number of characters",
    "W": "'-W PAGE_WIDTH' invalid number of characters",
    "o": "'-o MARGIN' invalid line offset",
    "N": "'-N NUMBER' invalid starting line number",
    "columns": "invalid number of columns",
}
_LARGEST = (1 << 31) - 1
_LEAST = {"o": 0, "N": -_LARGEST - 1}
_INTEGER = re.compile(r"\s*[-+]?[0-9]+", re.ASCII).fullmatch


def _number(text: str, key: str) -> int:
    number = clamped(text) if _INTEGER(text) else None
    if number is None or not (_LEAST.get(key, 1) <= number <= _LARGEST):
        problem = (
            ""
            if number is None
            else f": {'Value too large for defined data type' if abs(number) > _LARGEST else 'Numerical result out of range'}"
        )
        raise UsageError(f"{_NUMBERS[key]}: {mention(text)}{problem}", hint=False)
    return number


def _numeral(*names: str, metavar: str, help: str, numeral: Literal["", "digits"] = "") -> Option:  # noqa: A002 - as ``value``
    key = names[0].lstrip("-")
    return value(*names, metavar=metavar, help=help, numeral=numeral, check=lambda text: _number(text, key))


def _ask(budget: Budget, layout: _Layout) -> None:
    """Ask the budget for what the numbers of the options make: lines of a page, a line, blanks of a tab."""
    page = 0 if layout.plain else layout.lines
    marks = [mark[1] for mark in (layout.number, layout.expand, layout.pack) if mark is not None]
    for size in (
        page,
        layout.margin,
        0 if layout.plain and layout.columns == 1 and not layout.merge else layout.width,
        *marks,
    ):
        budget.string(size)


def _mark(arguments: Arguments, key: str, count: int) -> tuple[str, int] | None:
    """The optional ``[CHAR[WIDTH]]`` of ``-n``, ``-e`` and ``-i``."""
    text = arguments.get(key)
    if not text:
        return ("\t", count) if key in arguments else None
    char, digits = ("\t", text) if is_digits(text[0]) else _first_octet(text)
    number = clamped(digits or str(count)) if _INTEGER(digits or "1") else 0
    if not 0 < number <= _LARGEST:
        large = ": Value too large for defined data type" if number > 0 else ""
        raise UsageError(f"'-{key}' extra characters or invalid number in the argument: {mention(digits)}{large}")
    return char, number


def _first_octet(text: str) -> tuple[str, str]:
    """The first byte of a text, and the others."""
    octets = text.encode("utf-8", "surrogateescape")
    return octets[:1].decode("utf-8", "surrogateescape"), octets[1:].decode("utf-8", "surrogateescape")


def _page(text: str, start: int, what: str) -> tuple[int, str]:
    """The number that begins at ``start`` in a range of pages, and what follows it."""
    found = _COUNT.match(text, start)
    if found is None:
        raise UsageError(f"invalid {what} argument '{text}'", hint=False)
    if clamped(found[1]) >= MOST:
        raise UsageError(f"{what} argument '{text}' too large", hint=False)
    return clamped(found[1]), text[found.end() :]


def _page_range(text: str, what: str = "--pages") -> tuple[int, int] | None:
    """The first and the last page of ``FIRST[:LAST]``; None if it is no range.

    Raises:
        UsageError: There is no number where one belongs.
    """
    first, rest = _page(text, 0, what)
    last = _LAST_PAGE
    if first and rest.startswith(":"):
        last, rest = _page(text, len(text) - len(rest) + 1, what)
        if rest:
            raise UsageError(f"invalid suffix in {what} argument '{text}'", hint=False)
    return (first, last) if first and not rest and last >= first else None


def _check_pages(text: str) -> None:
    if _page_range(text) is None:
        raise UsageError(f"invalid page range {mention(text)}", hint=False)


def _layout(arguments: Arguments) -> _Layout:
    pages = _page_range(arguments.get("pages") or "1") or (1, _LAST_PAGE)
    columns = _number(arguments.get("columns") or "1", "columns")
    if "m" in arguments and columns > 1:
        raise UsageError("cannot specify number of columns when printing in parallel", hint=False)
    if "m" in arguments and "a" in arguments:
        raise UsageError("cannot specify both printing across and printing in parallel", hint=False)
    lines = _number(arguments.get("l") or "66", "l")
    plain = "t" in arguments or "T" in arguments or lines <= _HEADER + _TRAILER
    separator = None
    if "S" in arguments or "s" in arguments:
        separator = (arguments.get("S") or "") if "S" in arguments else (arguments.all("s") or ["\t"])[-1][:1]
    return _Layout(
        columns=columns,
        across="a" in arguments,
        merge="m" in arguments and len(arguments.operands) > 1,
        lines=lines,
        plain=plain,
        bare="T" in arguments,
        form_feed="F" in arguments,
        width=_number(arguments.get("W") or "72", "W") if "W" in arguments else _number(arguments.get("w") or "72", "w"),
        separator=separator,
        cut="J" not in arguments and ("W" in arguments or "s" not in arguments or "w" in arguments),
        cuts_all="W" in arguments,
        number=_mark(arguments, "n", 5),
        first=_number(arguments.get("N") or "1", "N"),
        first_page=pages[0],
        last_page=pages[1],
        double="d" in arguments,
        margin=_number(arguments.get("o") or "0", "o"),
        expand=_mark(arguments, "e", _TAB),
        pack=_mark(arguments, "i", _TAB),
        fill="J" in arguments,
        visible="octal" if "v" in arguments else "caret" if "c" in arguments else "",
    )


@command(
    "pr",
    usage="[OPTION]... [FILE]...",
    summary="Paginate or columnate FILE(s) for printing.",
    options=(
        value(
            "--pages",
            metavar="FIRST[:LAST]",
            help="begin (stop) printing with page FIRST (LAST); also +FIRST[:LAST]",
            check=_check_pages,
            plus=lambda text: _page_range(text, "+"),
        ),
        _numeral("--columns", metavar="COLUMN", help="output COLUMN columns and print columns down", numeral="digits"),
        flag("-a", "--across", help="print columns across rather than down"),
        flag("-b", help="(ignored, as GNU pr does: columns are always balanced)"),
        flag("-c", "--show-control-chars", help="use hat notation (^G) and octal backslash notation"),
        flag("-d", "--double-space", help="double space the output"),
        value("-D", "--date-format", metavar="FORMAT", help="use FORMAT for the header date"),
        value("-e", "--expand-tabs", metavar="CHAR[WIDTH]", optional=True, help="expand input CHARs (TABs) to tab WIDTH (8)"),
        flag("-F", "-f", "--form-feed", help="use form feeds instead of newlines to separate pages"),
        value("-h", "--header", metavar="HEADER", help="use a centered HEADER instead of filename in page header"),
        value(
            "-i", "--output-tabs", metavar="CHAR[WIDTH]", optional=True, help="replace spaces with CHARs (TABs) to tab WIDTH (8)"
        ),
        flag("-J", "--join-lines", help="merge full lines, turns off -W line truncation, no column alignment"),
        _numeral("-l", "--length", metavar="PAGE_LENGTH", help="set the page length to PAGE_LENGTH (66) lines"),
        flag("-m", "--merge", help="print all files in parallel, one in each column"),
        value(
            "-n",
            "--number-lines",
            metavar="SEP[DIGITS]",
            optional=True,
            help="number lines, use DIGITS (5) digits, then SEP (TAB)",
        ),
        _numeral(
            "-N", "--first-line-number", metavar="NUMBER", help="start counting with NUMBER at 1st line of first page printed"
        ),
        _numeral("-o", "--indent", metavar="MARGIN", help="offset each line with MARGIN (zero) spaces"),
        flag("-r", "--no-file-warnings", help="omit warning when a file cannot be opened"),
        value("-s", "--separator", metavar="CHAR", optional=True, help="separate columns by a single character"),
        value("-S", "--sep-string", metavar="STRING", optional=True, help="separate columns by STRING"),
        flag("-t", "--omit-header", help="omit page headers and trailers"),
        flag("-T", "--omit-pagination", help="omit page headers and trailers, eliminate any pagination by form feeds"),
        flag("-v", "--show-nonprinting", help="use octal backslash notation"),
        _numeral(
            "-w", "--width", metavar="PAGE_WIDTH", help="set page width to PAGE_WIDTH (72) for multiple text-column output only"
        ),
        _numeral("-W", "--page-width", metavar="PAGE_WIDTH", help="set page width to PAGE_WIDTH (72) always, truncate lines"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the files; 1 when one cannot be read."""
    layout = _layout(arguments)
    _ask(process.budget, layout)
    status = 0
    files: list[tuple[str, list[list[str]], float]] = []
    for name in arguments.operands or ["-"]:
        try:
            text = slurp(process, process.open(name)).decode("utf-8", "surrogateescape")
            lies_there = name != "-" and process.descriptor(name) is None and "m" not in arguments
            modified = process.fs.stat(process.path(name)).mtime if lies_there else process.system.now()
        except OSError as error:
            if "r" not in arguments or error.errno == errno.EISDIR:
                process.warn(f"{quote_if_needed('standard input' if name == '-' else name)}: {error.strerror}")
            status = 1
            if error.errno == errno.EISDIR:
                break  # it can be opened, and the first read ends the program
            continue
        process.budget.words(text.count("\n") + text.count("\f"))
        process.budget.tick(text.count("\n"))
        process.hold(len(text) + LINE * (1 + text.count("\n") + text.count("\f")))
        char, width = _tabs(layout) or ("\t", 0)
        process.budget.room(text.count(char) * width)
        parts = [[_prepared(line, layout) for line in paced(part)] for part in _parts(text)]
        files.append(("" if name == "-" or "m" in arguments else name, parts, modified))
    if layout.merge and files:
        merged = [list(chain.from_iterable(parts)) for _, parts, _ in files]
        rows = max(map(len, merged))
        cells = [[lines[row] if row < len(lines) else None for lines in merged] for row in paced_if_many(range(rows))]
        _Printer(process, arguments, layout, len(files)).run("", process.system.now(), _pages_of_rows(cells, layout))
        return status
    for name, parts, modified in files:
        if layout.bare:
            parts = [list(chain.from_iterable(parts))]
        _Printer(process, arguments, layout, layout.columns).run(name, modified, _pages(parts, layout))
    return status


def _parts(text: str) -> list[list[str]]:
    """The lines of a file up to each form feed, which ends a line, too; the last part is empty behind a form feed."""
    if not text:
        return []
    parts = _FORM_FEED.split(text) if "\f" in text else [text]
    return [*(list(split(part, "\n")) if part else [] for part in parts[:-1]), _lines(parts[-1])]


def _lines(text: str) -> list[str]:
    return list(split(text.removesuffix("\n"), "\n")) if text else []


def _tabs(layout: _Layout) -> tuple[str, int] | None:
    """The character and width of the tabs that are expanded; None where none are."""
    return layout.expand or (("\t", _TAB) if layout.columns > 1 or layout.merge else None)


def _prepared(line: str, layout: _Layout) -> str:
    """A line with tabs expanded and unprintable characters made visible."""
    needed = _tabs(layout)
    if needed is not None and needed[0] in line:
        char, size = needed
        # A line number moves the tab stops of columns that are aligned.
        before = layout.number[1] + 1 if layout.number and layout.cut and layout.number[0] != "\t" else 0
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
        column += _columns(piece)
        gap = size - column % size
        column += gap


def _visible(byte: int, how: str) -> str:
    if 32 <= byte < 127 or byte in {9, 10}:
        return chr(byte)
    return f"^{chr(byte ^ 64)}" if byte < 128 and how == "caret" else f"\\{byte:03o}"


def _body(layout: _Layout) -> int:
    """The lines of text on a page."""
    body = layout.lines if layout.plain else layout.lines - _HEADER - _TRAILER
    return max(1, body // 2 if layout.double else body)


def _pages_of_rows(rows: list[list[str | None]], layout: _Layout) -> Iterator[tuple[str, list[list[str | None]]]]:
    body = _body(layout)
    for start in range(0, len(rows), body):
        yield "", rows[start : start + body]


def _pages(parts: list[list[str]], layout: _Layout) -> Iterator[tuple[str, list[list[str | None]]]]:
    """Arrange the lines of a file as pages of rows of cells, each with what stands before it."""
    for number, lines in enumerate(parts):
        before = "\f" if number and layout.plain else ""
        if not lines and number == len(parts) - 1 and not layout.plain:
            return
        for page in _pages_of(lines, layout) if lines else iter([[]]):
            yield before, page
            before = ""


def _pages_of(lines: list[str], layout: _Layout) -> Iterator[list[list[str | None]]]:
    """Arrange lines as pages."""
    columns, body = layout.columns, _body(layout)
    for start in range(0, len(lines), body * columns):
        page = lines[start : start + body * columns]
        if layout.across:
            yield [list(page[index : index + columns]) for index in paced_if_many(range(0, len(page), columns))]
            continue
        # The columns of the last page are balanced, with longer first columns.
        short, longer = divmod(len(page), columns)
        heights = [short + (column < longer) for column in range(columns)]
        if len(page) == body * columns:
            heights = [body] * columns
        starts = list(accumulate(heights, initial=0))
        yield [
            [page[starts[column] + row] for column in range(columns) if row < heights[column]]
            for row in paced_if_many(range(max(heights, default=0)))
        ]


class _Printer:
    """Prints the pages of one file, or of all merged ones."""

    def __init__(self, process: Process, arguments: Arguments, layout: _Layout, columns: int) -> None:
        self._process = process
        self._layout = layout
        self._title = arguments.get("h")
        self._date = arguments.get("D", "%Y-%m-%d %H:%M") or ""
        self._columns = columns
        gap = len(layout.separator) if layout.separator is not None else 1
        numbers = 0
        if layout.number and layout.merge:
            mark, digits = layout.number
            numbers = digits + (_TAB - digits % _TAB if mark == "\t" else 1)
        self._numbers = numbers
        cell = (layout.width - numbers - gap * (columns - 1)) // columns if columns > 1 else layout.width
        if cell < 1 and layout.cut:
            raise UsageError("page width too narrow", hint=False)
        process.budget.words(columns)
        self._cell = max(1, cell)
        self._line = layout.first
        self._starts: list[int] = []  # for each column of the page, the cells in the columns before it

    def run(self, name: str, modified: float, pages: Iterator[tuple[str, list[list[str | None]]]]) -> None:
        """Print the pages."""
        layout, process = self._layout, self._process
        body = _body(layout) * (2 if layout.double else 1)
        number = 0
        for number, (before, rows) in enumerate(pages, 1):
            page_lines = sum(len(row) for row in rows) if not layout.merge else len(rows)
            if not layout.first_page <= number <= layout.last_page:
                if layout.first == 1:
                    self._line += page_lines
                continue
            filled = layout.width if layout.columns > 1 or layout.merge else 0
            numbers = layout.number[1] if layout.number is not None else 0
            process.budget.string(len(rows) * (layout.margin + filled) + page_lines * numbers)
            process.write(before if layout.plain else self._header(name, modified, number))
            self._starts = [] if layout.across or layout.merge else _starts(rows)
            for index, row in enumerate(rows):
                process.budget.tick(len(row))
                process.write(self._row(row, index) + "\n" * (2 if layout.double else 1))
            if not layout.merge:
                self._line += page_lines
            if not layout.plain:
                used = len(rows) * (2 if layout.double else 1)
                feed = "\f" if rows else "\n\f"  # observed with pr 9.1: an empty page has a line
                process.write(feed if layout.form_feed else "\n" * (body - used + _TRAILER))
        if 0 < number < layout.first_page:
            process.warn(f"starting page number {layout.first_page} exceeds page count {number}")

    def _header(self, name: str, modified: float, number: int) -> str:
        layout = self._layout
        moment = Moment.of(modified, self._process.system.timezone(self._process.env.get("TZ", "")))
        date = strftime(self._date, moment, self._process.budget)
        title = name if self._title is None else self._title
        page = f"Page {number}"
        room = layout.width - width(date) - width(title) - len(page)
        left = max(1, room // 2)
        margin = " " * layout.margin
        return f"{margin}\n\n{margin}{date}{' ' * left}{title}{' ' * max(1, room - left)}{page}\n\n\n"

    def _row(self, cells: list[str | None], index: int) -> str:
        layout = self._layout
        several = self._columns > 1 or layout.merge
        line = _Line(layout.margin, layout.pack or (("\t", _TAB) if several else None))
        gap = len(layout.separator) if layout.separator is not None else 1
        for column, cell in enumerate(cells):
            shown = self._numbered(cell or "", index, column)
            if layout.cut and (several or layout.cuts_all):
                shown = _cut(shown, self._cell)
            line.add(shown)
            if column + 1 >= (self._columns if layout.merge else len(cells)):
                continue
            if layout.fill or not layout.cut:
                line.separate("\t" if layout.separator is None else layout.separator)
            else:
                goal = layout.margin + self._numbers + (column + 1) * (self._cell + gap)
                line.move(goal - gap if layout.separator is not None else goal)
                line.separate(layout.separator or "")
        self._process.budget.string(line.length)
        return line.text()

    def _numbered(self, cell: str, index: int, column: int) -> str:
        layout = self._layout
        if layout.number is None or (layout.merge and column):
            return cell
        mark, digits = layout.number
        if layout.merge:
            number = self._line
            self._line += 1
        elif layout.across:
            number = self._line + index * self._columns + column
        else:
            number = self._line + self._starts[column] + index
        if mark == "\t" and (self._columns > 1 or layout.merge):
            mark = " " * (_TAB - digits % _TAB)
        return f"{str(number)[-digits:]:>{digits}}{mark}{cell}"


def _starts(rows: list[list[str | None]]) -> list[int]:
    """For each column of a page that is filled downwards, the cells in the columns before it: no row is longer than the first."""
    heights = [0] * (len(rows[0]) if rows else 0)
    for length, count in Counter(map(len, rows)).items():
        for column in range(length):
            heights[column] += count
    return list(accumulate(heights, initial=0))


class _Line:
    """A line of output, in which runs of blanks become tabs.

    Args:
        margin: The blanks before everything.
        tabs: The character and width of tabs; None where blanks stay.

    Attributes:
        length: Its characters.
    """

    def __init__(self, margin: int, tabs: tuple[str, int] | None) -> None:
        self._pieces = [" " * margin]
        self.length = margin
        self._tabs = tabs
        self._position = margin
        self._pending = 0  # blanks that are written when something follows

    def add(self, text: str) -> None:
        """Write a cell."""
        if self._tabs is None:
            self._write(text)
            return
        for match in paced(_RUN.finditer(text)):
            piece = match[0]
            if piece[0] == " ":
                self._pending += len(piece)
            else:
                self._write_blanks()
                self._write(piece)

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
        char, size = self._tabs or ("\t", _TAB)
        goal, self._pending = self._position + self._pending, 0
        while goal - self._position > 1 and (stop := self._position + size - self._position % size) <= goal:
            self._put(char)
            self._position = stop
        self._put(" " * (goal - self._position))
        self._position = goal


def _advanced(position: int, text: str) -> int:
    """The column after printing ``text``."""
    if text.isascii() and text.isprintable():
        return position + len(text)
    for piece in paced_if_many(re.split(r"(\t)", text)):
        position = position + _TAB - position % _TAB if piece == "\t" else position + _columns(piece)
    return position


def _columns(text: str) -> int:
    """The columns that a text without tabs takes: control characters and bytes beyond ASCII take none."""
    return len(_NOT_PRINTED.sub("", text))


def _cut(text: str, room: int) -> str:
    if text.isascii() and text.isprintable():
        return text[:room]
    position = 0
    for index, char in enumerate(paced_if_many(text)):
        position = _advanced(position, char)
        if position > room:
            return text[:index]
    return text
