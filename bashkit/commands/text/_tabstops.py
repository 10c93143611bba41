"""Tab stops of ``expand`` and ``unexpand`` (POSIX XCU expand, GNU coreutils manual)."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments

LARGEST = 1 << 40


@dataclass(frozen=True, slots=True)
class TabStops:
    """The positions of tab stops.

    Attributes:
        stops: Columns in ascending order; after the last one ``every`` applies.
        every: The distance of the stops after the last one, 0 for single spaces.
        start: The column from which ``every`` counts.
    """

    stops: tuple[int, ...]
    every: int
    start: int = 0

    def next(self, column: int) -> int | None:
        """The first stop after ``column``, or None if there is none."""
        index = bisect_right(self.stops, column)
        if index < len(self.stops):
            return self.stops[index]
        if not self.every:
            return None
        return column + self.every - (column - self.start) % self.every


def read(arguments: Arguments) -> TabStops:
    """Parse the tab stops of ``-t``; every eight columns without it.

    Raises:
        UsageError: The list is malformed.
    """
    stops: list[int] = []
    extension: dict[str, int] = {}  # the distance behind ``/`` or ``+``
    for text in arguments.all("t"):
        _parse(text, stops, extension)
    for before, number in pairwise([0, *stops]):
        if not number:
            raise UsageError("tab size cannot be 0", hint=False)
        if number <= before:
            raise UsageError("tab sizes must be ascending", hint=False)
    if len(extension) > 1:
        raise UsageError("'/' specifier is mutually exclusive with '+'", hint=False)
    if len(stops) == 1 and not extension:
        return TabStops((), stops[0])
    if not stops and not extension:
        return TabStops((), 8)
    start = stops[-1] if "+" in extension and stops else 0
    return TabStops(tuple(stops), next(iter(extension.values()), 0), start)


def _parse(text: str, stops: list[int], extension: dict[str, int]) -> None:
    """Read one list; a mark holds for all numbers behind it."""
    mark = ""
    for found in re.finditer(r"([/+]*)([0-9]*)([^ ,\t]*)", text):
        marks, digits, rest = found.groups()
        mark = marks[-1:] or mark
        if rest and digits and rest[0] in "/+":
            raise UsageError(f"'{rest[0]}' specifier not at start of number: {mention(rest)}", hint=False)
        if rest:
            raise UsageError(f"tab size contains invalid character(s): {mention(text[found.start(3) :])}", hint=False)
        if not digits:
            continue
        number = int(digits[:18])
        if number > LARGEST:
            raise UsageError(f"tab stop is too large {mention(digits)}", hint=False)
        if not mark:
            stops.append(number)
        elif mark in extension:
            raise UsageError(f"'{mark}' specifier only allowed with the last value", hint=False)
        elif number:
            extension[mark] = number
