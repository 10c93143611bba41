"""Tab stops of ``expand`` and ``unexpand`` (POSIX XCU expand, GNU coreutils manual)."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments

_LARGEST = 1 << 40


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
    every, start = 0, 0
    for text in arguments.all("t"):
        last = ""  # the mark that was met
        for part in re.split(r"[ ,\t]+", text):
            if not part:
                continue
            mark = part[0] if part[0] in "/+" else ""
            if last and mark not in {"", last}:
                raise UsageError(f"'{last}' specifier is mutually exclusive with '{mark}'", hint=False)
            if last:
                raise UsageError(f"'{last}' specifier only allowed with the last value", hint=False)
            digits = part[len(mark) :] or ("0" if mark else "")
            if not (digits.isascii() and digits.isdecimal()):
                bad = re.sub(r"^[0-9]*", "", digits) or part
                raise UsageError(f"tab size contains invalid character(s): {mention(bad)}", hint=False)
            number = int(digits[:18])
            if number > _LARGEST:
                raise UsageError(f"tab stop is too large {mention(digits)}", hint=False)
            if mark:
                last = mark
                every, start = number, stops[-1] if mark == "+" and stops else 0
                continue
            if not number:
                raise UsageError("tab size cannot be 0", hint=False)
            if stops and number <= stops[-1]:
                raise UsageError("tab sizes must be ascending", hint=False)
            stops.append(number)
    if len(stops) == 1 and not every:
        return TabStops((), stops[0])
    if not stops and not every:
        return TabStops((), 8)
    return TabStops(tuple(stops), every, start)


def rewrite(words: list[str]) -> list[str]:
    """Turn the obsolete ``-4,8`` into ``-t 4,8``."""
    return [f"-t{word[1:]}" if re.fullmatch(r"-[0-9][0-9,]*", word) else word for word in words]
