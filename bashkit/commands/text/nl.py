"""nl: number lines (POSIX XCU nl, GNU coreutils manual)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._filesystem.lines import Inputs, lines
from bashkit.commands._notation.counts import MOST
from bashkit.commands._notation.encoding import decode
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, Option, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_SECTIONS = {3: "h", 2: "b", 1: "f"}
_WIDEST = 1 << 24  # a wider margin fails at the first line
_INTEGER = re.compile(r"\s*([+-]?)0*([0-9]+)", re.ASCII)
_DIGITS = 20  # of a number; a longer one is beyond a machine word
_FORMATS = {"ln": "<", "rn": ">", "rz": "0"}


_NUMBERS = {  # what each counts, the least and the most
    "v": ("starting line number", -MOST - 1, MOST),
    "i": ("line number increment", -MOST - 1, MOST),
    "l": ("line number of blank lines", 1, MOST),
    "w": ("line number field width", 1, (1 << 31) - 1),
}


def _number(text: str, key: str) -> int:
    what, least, most = _NUMBERS[key]
    found = _INTEGER.fullmatch(text)
    if found is None:
        raise UsageError(f"invalid {what}: {mention(text)}", hint=False)
    number = int(found[1] + found[2][:_DIGITS])
    if len(found[2]) > _DIGITS or not -MOST - 1 <= number <= most:
        raise UsageError(f"invalid {what}: {mention(text)}: Value too large for defined data type", hint=False)
    if number < least:
        raise UsageError(f"invalid {what}: {mention(text)}: Numerical result out of range", hint=False)
    return number


def _known_style(what: str) -> Callable[[str], None]:
    """A check of the style of a section."""

    def check(text: str) -> None:
        if text not in {"a", "t", "n"} and not text.startswith("p"):
            raise UsageError(f"invalid {what} numbering style: {mention(text)}")

    return check


def _check_format(text: str) -> None:
    if text not in _FORMATS:
        raise UsageError(f"invalid line numbering format: {mention(text)}")


def _style(process: Process, text: str) -> Callable[[str], bool]:
    """Make a function that tells whether a line of a section gets a number.

    Raises:
        UsageError: The style has a wrong pattern.
    """
    if text == "a":
        return lambda _: True
    if text == "t":
        return lambda line: line != ""
    if text == "n":
        return lambda _: False
    try:
        return regex.compile(text[1:], "basic", budget=process.budget).test
    except regex.RegexError as error:
        raise UsageError(error.message, hint=False) from None


def _numeral(key: str, name: str, help: str) -> Option:  # noqa: A002 - the word of ``value``
    return value(f"-{key}", name, metavar="NUMBER", help=help, check=lambda text: _number(text, key))


class _Numbering:
    """The state that is kept from file to file.

    Attributes:
        margin: The width of the text before a line.
    """

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._styles = {
            "h": _style(process, arguments.get("h", "n") or ""),
            "b": _style(process, arguments.get("b", "t") or ""),
            "f": _style(process, arguments.get("f", "n") or ""),
        }
        self._start = _number(arguments.get("v") or "1", "v")
        self._step = _number(arguments.get("i") or "1", "i")
        self._join = _number(arguments.get("l") or "1", "l")
        self._width = _number(arguments.get("w") or "6", "w")
        layout = arguments.get("n", "rn") or ""
        self._format = f"{_FORMATS[layout]}{self._width}" if layout != "rz" else f"0{self._width}"
        separator = arguments.get("s", "\t") or ""
        self._separator = separator
        self.margin = self._width + len(separator)
        self._blank = " " * min(self.margin, 1 << 30) if self.margin < _WIDEST else ""
        delimiter = arguments.get("d", "\\:") or ""
        self._delimiter = delimiter + ":" if len(delimiter.encode("utf-8", "surrogateescape")) == 1 else delimiter
        self._continue = "p" in arguments
        self._section = "b"
        self._number = self._start
        self._blanks = 0

    def write(self, line: str) -> str:
        """The output for one line."""
        count = len(line) // len(self._delimiter) if self._delimiter else 0
        if count in _SECTIONS and line == self._delimiter * count:
            self._section = _SECTIONS[count]
            if not self._continue:
                self._number = self._start
            return "\n"
        wanted = self._styles[self._section](line)
        if wanted and not line and self._join > 1:
            self._blanks += 1
            wanted = self._blanks == self._join
            self._blanks = 0 if wanted else self._blanks
        elif line:
            self._blanks = 0
        if not wanted:
            return f"{self._blank}{line}\n"
        if not -MOST - 1 <= self._number <= MOST:
            raise UsageError("line number overflow", hint=False)
        shown = f"{self._number:{self._format}}{self._separator}{line}\n"
        self._number += self._step
        return shown


@command(
    "nl",
    usage="[OPTION]... [FILE]...",
    summary="Write each FILE to standard output, with line numbers added.",
    options=(
        value("-b", "--body-numbering", metavar="STYLE", help="use STYLE for numbering body lines", check=_known_style("body")),
        value("-d", "--section-delimiter", metavar="CC", help="use CC for logical page delimiters"),
        value(
            "-f", "--footer-numbering", metavar="STYLE", help="use STYLE for numbering footer lines", check=_known_style("footer")
        ),
        value(
            "-h", "--header-numbering", metavar="STYLE", help="use STYLE for numbering header lines", check=_known_style("header")
        ),
        _numeral("i", "--line-increment", "line number increment at each line"),
        _numeral("l", "--join-blank-lines", "group of NUMBER empty lines counted as one"),
        value(
            "-n",
            "--number-format",
            metavar="FORMAT",
            help="insert line numbers according to FORMAT: ln, rn, rz",
            check=_check_format,
        ),
        flag("-p", "--no-renumber", help="do not reset line numbers for each section"),
        value("-s", "--number-separator", metavar="STRING", help="add STRING after (possible) line number"),
        _numeral("v", "--starting-line-number", "first line number for each section"),
        _numeral("w", "--number-width", "use NUMBER columns for line numbers"),
    ),
    notes="STYLE is a (all lines), t (nonempty lines), n (no lines) or pBRE (lines that match BRE).",
)
def main(process: Process, arguments: Arguments) -> int:
    """Number the lines of all files together."""
    numbering = _Numbering(process, arguments)
    inputs = Inputs(process, arguments.operands)
    for _, stream in inputs:
        for block in lines(stream.blocks(), process.budget):
            process.budget.string(numbering.margin * len(block))
            shown: list[str] = []
            try:
                shown.extend(map(numbering.write, map(decode, block)))
            finally:  # what was numbered before an overflow
                process.write("".join(shown))
    return int(inputs.failed)
