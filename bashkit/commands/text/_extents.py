"""The options of ``head`` and ``tail`` that say how much to print."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import size
from bashkit.commands._notation.counts import MOST, MOST_UNSIGNED
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import UsageError, flag, value

if TYPE_CHECKING:
    from bashkit.commands._filesystem.lines import Inputs
    from bashkit.fs import Stream
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_OBSOLETE = re.compile(r"-([0-9]+)([bkmlcqvz]*)")


def _parse(text: str, what: str) -> tuple[str, int]:
    """The sign and the number of an argument; ``what`` it counts is for the message.

    Raises:
        UsageError: It is not a number.
    """
    sign = text[:1] if text[:1] in ("-", "+") and text else ""
    problem = f"invalid number of {what}: {mention(text.removeprefix('-'))}"
    try:
        count = size(text.removeprefix("-"))
    except ValueError:
        raise UsageError(problem, hint=False) from None
    if count > MOST_UNSIGNED:
        raise UsageError(f"{problem}: Value too large for defined data type", hint=False)
    return sign, min(count, MOST - 1)


OPTIONS = (
    value(
        "-c",
        "--bytes",
        metavar="NUM",
        help="take NUM bytes; multiplier suffixes b, kB, K, MB, M, … are understood",
        check=lambda text: _parse(text, "bytes"),
    ),
    value(
        "-n",
        "--lines",
        metavar="NUM",
        help="take NUM lines (10 when left out)",
        check=lambda text: _parse(text, "lines"),
    ),
    flag("-q", "--quiet", "--silent", help="never print headers giving file names"),
    flag("-v", "--verbose", help="always print headers giving file names"),
    flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
)


@dataclass(frozen=True, slots=True)
class Extent:
    """The requested amount.

    Attributes:
        count: The number.
        by_bytes: Bytes instead of lines.
        sign: The sign before the number: ``-``, ``+`` or empty.
        delimiter: The line terminator.
    """

    count: int
    by_bytes: bool
    sign: str
    delimiter: bytes


def extent(arguments: Arguments) -> Extent:
    """The amount that the last ``-n`` or ``-c`` says."""
    key = arguments.last("c", "n")
    sign, count = _parse(arguments.get(key or "n", "10") or "", "bytes" if key == "c" else "lines")
    return Extent(count, key == "c", sign, b"\0" if "z" in arguments else b"\n")


def rewrite(words: list[str]) -> list[str]:
    """Turn the obsolete ``-5`` and ``-5c`` of head into ``-n`` and ``-c``.

    Raises:
        UsageError: Another letter follows.
    """
    found = _OBSOLETE.match(words[0]) if words else None
    if found is None:
        return words
    if found.end() < len(words[0]):
        raise UsageError(f"invalid trailing option -- {words[0][found.end()]}")
    count, letters = found.groups()
    units, others = re.sub("[qvz]", "", letters), re.sub("[bkmlc]", "", letters)
    multiplier = "" if not units or units[0] not in "bkm" else units[0].upper() if units[0] != "b" else "b"
    letter = "-c" if units and ("c" in units or units[0] in "bkm") and "l" not in units else "-n"
    return [*([f"-{others}"] if others else []), letter, f"{count}{multiplier}", *words[1:]]


class Titles:
    """The lines that announce the files.

    Args:
        process: The running utility.
        arguments: Its ``-q``, ``-v`` and operands decide whether files are announced.
    """

    def __init__(self, process: Process, arguments: Arguments) -> None:
        last = arguments.last("q", "v")
        self._wanted = last == "v" or (last is None and len(arguments.operands) > 1)
        self._output = process.stdout
        self._separator = ""

    def show(self, name: str) -> None:
        """Announce a file, if files are announced."""
        if self._wanted:
            shown = "standard input" if name == "-" else name
            self._output.write(f"{self._separator}==> {shown} <==\n".encode("utf-8", "surrogateescape"))
            self._separator = "\n"


def open_titled(process: Process, inputs: Inputs, titles: Titles, name: str) -> Stream | None:
    """Open and announce an input file, or report why not; a directory can be opened, but not read."""
    try:
        stream = process.open(name)
    except OSError as error:
        if error.errno == errno.EISDIR:
            titles.show(name)
        inputs.report(name, error)
        return None
    titles.show(name)
    return stream
