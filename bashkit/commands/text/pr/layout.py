"""The options of pr, and what is read from them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bashkit.commands._notation.counts import MOST, clamped
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, Option, UsageError, flag, value
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.limits import Budget

HEADER, TRAILER = 5, 5  # lines above and below the text of a page
TAB = 8
_LAST_PAGE = 1 << 30
_COUNT = re.compile(r"\s*\+?([0-9]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Layout:
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

    @property
    def is_aligned(self) -> bool:
        """Whether there are columns of one width."""
        return self.cut and (self.columns > 1 or self.merge)


def body_of(layout: Layout) -> int:
    """The lines of text on a page."""
    body = layout.lines if layout.plain else layout.lines - HEADER - TRAILER
    return max(1, body // 2 if layout.double else body)


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


def ask(budget: Budget, layout: Layout) -> None:
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


def layout_of(arguments: Arguments) -> Layout:
    """Read the options.

    Raises:
        UsageError: Some exclude each other.
    """
    pages = _page_range(arguments.get("pages") or "1") or (1, _LAST_PAGE)
    columns = _number(arguments.get("columns") or "1", "columns")
    if "m" in arguments and "columns" in arguments:
        raise UsageError("cannot specify number of columns when printing in parallel", hint=False)
    if "m" in arguments and "a" in arguments:
        raise UsageError("cannot specify both printing across and printing in parallel", hint=False)
    lines = _number(arguments.get("l") or "66", "l")
    plain = "t" in arguments or "T" in arguments or lines <= HEADER + TRAILER
    separator = None
    if "S" in arguments or "s" in arguments:
        usual = "" if "w" in arguments or "W" in arguments else "\t"
        separator = (arguments.get("S") or "") if "S" in arguments else (arguments.all("s") or [usual])[-1][:1]
    return Layout(
        columns=columns,
        across="a" in arguments,
        merge="m" in arguments and len(arguments.operands) > 1,
        lines=lines,
        plain=plain,
        bare="T" in arguments and lines > HEADER + TRAILER,
        form_feed="F" in arguments,
        width=_number(arguments.get("W") or "72", "W") if "W" in arguments else _number(arguments.get("w") or "72", "w"),
        separator=separator,
        cut="J" not in arguments and ("W" in arguments or arguments.last("s", "S") != "s" or "w" in arguments),
        cuts_all="W" in arguments,
        number=_mark(arguments, "n", 5),
        first=_number(arguments.get("N") or "1", "N"),
        first_page=pages[0],
        last_page=pages[1],
        double="d" in arguments,
        margin=_number(arguments.get("o") or "0", "o"),
        expand=_mark(arguments, "e", TAB),
        pack=_mark(arguments, "i", TAB),
        fill="J" in arguments,
        visible="octal" if "v" in arguments else "caret" if "c" in arguments else "",
    )


OPTIONS = (
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
    value("-i", "--output-tabs", metavar="CHAR[WIDTH]", optional=True, help="replace spaces with CHARs (TABs) to tab WIDTH (8)"),
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
    _numeral("-N", "--first-line-number", metavar="NUMBER", help="start counting with NUMBER at 1st line of first page printed"),
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
)
