"""Writes time stamps by the directives of strftime(3), with GNU's flags and widths (GNU coreutils manual, date)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.decimals import context_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from bashkit.limits import Budget

_DIRECTIVE = re.compile(r"%%|%([-_0^#+]*)(\d*)([EO]?)(:{0,3}z|[a-zA-Z+])", re.ASCII)
_UNMODIFIED = {"E": "aAbBhdeDFHIkljMmNSUVgGWw", "O": "aAcDFxXYq"}  # where a modifier makes no directive
_STEPS = 5  # microseconds of one directive
CYCLE = 146_097 * 86_400  # seconds of the 400 years after which the calendar is the same again
_FIRST, _LAST = -62_135_510_400, 253_402_214_400  # the years 1 to 9999 but for their first and last day, for the zones' sake
_OF_2000 = 946_684_800
_CONTEXT = context_of(28)  # digits, more than a float has before and behind its point
_YEARS = (1 << 31) - 1  # a year is a C int, and counts from 1900
_MOST_CYCLES = _YEARS // 400 + 10
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = (  # calendar.month_name is in the language of the host
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "r": "%I:%M:%S %p",
    "R": "%H:%M",
    "T": "%H:%M:%S",
    "x": "%m/%d/%y",
    "X": "%H:%M:%S",
}


def _fraction(seconds: float) -> int:
    """The nanoseconds of a time stamp whose shortest decimal notation counts."""
    fraction = _CONTEXT.remainder(Decimal(repr(seconds)), Decimal(1))
    return int(_CONTEXT.multiply(fraction, Decimal(1_000_000_000))) % 1_000_000_000


class Moment:
    """A point in time in a time zone.

    Args:
        timestamp: Whole seconds since the epoch.
        nanoseconds: The nanoseconds of that second.
        zone: The time zone.

    Attributes:
        local: The local time; beyond the years 1 to 9999 that of a year with the same calendar, as many ``cycles`` of 400 years
            before.

    Raises:
        ValueError: The year is none that a C int holds.
    """

    def __init__(self, timestamp: int, nanoseconds: int, zone: tzinfo) -> None:
        self.timestamp = timestamp
        self.nanoseconds = nanoseconds
        self.cycles = 0 if _FIRST <= timestamp < _LAST else (timestamp - _OF_2000) // CYCLE
        if abs(self.cycles) > _MOST_CYCLES:
            raise ValueError(timestamp)
        self.local = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=timestamp - self.cycles * CYCLE)).astimezone(zone)
        if not -_YEARS <= self.year - 1900 <= _YEARS:
            raise ValueError(timestamp)

    @classmethod
    def of(cls, seconds: float, zone: tzinfo) -> Moment:
        """Make the moment of a time stamp with a fraction; its shortest decimal notation counts, so .678 is 678 milliseconds.

        Raises:
            ValueError: The year is too far away, or it is no finite number.
        """
        if not isfinite(seconds):
            raise ValueError(seconds)
        nanoseconds = 0 if seconds == seconds // 1 else _fraction(seconds)
        return cls(int(seconds // 1), nanoseconds, zone)

    @property
    def year(self) -> int:
        """The year."""
        return self.local.year + 400 * self.cycles

    @property
    def week_year(self) -> int:
        """The year that the week belongs to (ISO 8601)."""
        return self.local.isocalendar()[0] + 400 * self.cycles

    @cached_property
    def weekday(self) -> int:
        """Days since Sunday."""
        return self.local.isoweekday() % 7

    @cached_property
    def day_of_year(self) -> int:
        """The day of the year, from 1."""
        return self.local.timetuple().tm_yday

    @cached_property
    def offset(self) -> int:
        """Seconds east of Greenwich."""
        return round((self.local.utcoffset() or timedelta()).total_seconds())


@dataclass(frozen=True, slots=True)
class _Number:
    """A numeric field: its value, its natural width and its padding."""

    value: int
    width: int
    pad: str = "0"


_NUMBERS: dict[str, Callable[[Moment], _Number]] = {
    "C": lambda m: _Number(m.year // 100, 2),
    "d": lambda m: _Number(m.local.day, 2),
    "e": lambda m: _Number(m.local.day, 2, " "),
    "g": lambda m: _Number(m.week_year % 100, 2),
    "G": lambda m: _Number(m.week_year, 4),
    "H": lambda m: _Number(m.local.hour, 2),
    "I": lambda m: _Number((m.local.hour + 11) % 12 + 1, 2),
    "j": lambda m: _Number(m.day_of_year, 3),
    "k": lambda m: _Number(m.local.hour, 2, " "),
    "l": lambda m: _Number((m.local.hour + 11) % 12 + 1, 2, " "),
    "m": lambda m: _Number(m.local.month, 2),
    "M": lambda m: _Number(m.local.minute, 2),
    "q": lambda m: _Number((m.local.month + 2) // 3, 1),
    "s": lambda m: _Number(m.timestamp, 1),
    "S": lambda m: _Number(m.local.second, 2),
    "u": lambda m: _Number(m.weekday or 7, 1),
    "U": lambda m: _Number((m.day_of_year + 6 - m.weekday) // 7, 2),
    "V": lambda m: _Number(m.local.isocalendar()[1], 2),
    "w": lambda m: _Number(m.weekday, 1),
    "W": lambda m: _Number((m.day_of_year + 6 - (m.weekday - 1) % 7) // 7, 2),
    "y": lambda m: _Number(m.year % 100, 2),
    "Y": lambda m: _Number(m.year, 4),
}

_TEXTS: dict[str, Callable[[Moment], str]] = {
    "n": lambda _: "\n",
    "t": lambda _: "\t",
    "a": lambda m: _DAYS[m.weekday][:3],
    "A": lambda m: _DAYS[m.weekday],
    "b": lambda m: MONTHS[m.local.month - 1][:3],
    "B": lambda m: MONTHS[m.local.month - 1],
    "h": lambda m: MONTHS[m.local.month - 1][:3],
    "p": lambda m: "AM" if m.local.hour < 12 else "PM",
    "P": lambda m: "am" if m.local.hour < 12 else "pm",
    "Z": lambda m: m.local.tzname() or "",
}


def strftime(pattern: str, moment: Moment, budget: Budget | None = None) -> str:
    """Replace the directives of ``pattern``; other text is unchanged.

    Args:
        pattern: The format.
        moment: What it writes.
        budget: Pays for a format that is not the program's own.

    Raises:
        LimitExceededError: The result is longer than ``max_string_bytes``, or the time is up.
    """
    size = 0

    def replace(match: re.Match[str]) -> str:
        nonlocal size
        flags, width, modifier, letter = match.groups()
        text = match[0]
        if text == "%%":
            text = "%"
        elif letter not in _UNMODIFIED.get(modifier, ""):
            text = _directive(moment, flags, int(width[:4]) if width else None, letter, text)
        if budget is not None:
            size += len(text)
            budget.string(size)
            budget.tick(_STEPS)
        return text

    return _DIRECTIVE.sub(replace, pattern)


def _directive(moment: Moment, flags: str, width: int | None, letter: str, whole: str) -> str:
    pad = next((flag for flag in reversed(flags) if flag in "-_0+"), "")
    numeric = _NUMBERS.get(letter)
    if numeric is not None:
        number = numeric(moment)
        if pad == "+" and letter in "CGYgy" and number.value >= 0 and max(width or 0, len(str(number.value))) > number.width:
            return "+" + _padded(str(number.value), False, (width or 0) - 1, pad, number.pad)
        return _padded(str(abs(number.value)), number.value < 0, number.width if width is None else width, pad, number.pad)
    if letter == "N":
        return _nanoseconds(moment.nanoseconds, width, pad)
    if letter.endswith("z"):
        return _zone(moment.offset, len(letter) - 1, pad, width)
    if letter == "F":
        year = _directive(moment, pad or "+" * (width is None), None if width is None else max(width - 6, 4), "Y", whole)
        return year + strftime("-%m-%d", moment)
    if letter in _COMPOSED:
        text = strftime(_COMPOSED[letter], moment)
    elif letter in _TEXTS:
        text = _TEXTS[letter](moment)
    else:
        return whole
    if "^" in flags and letter != "P":
        text = text.upper()
    if "#" in flags and letter not in _COMPOSED:
        text = text.lower() if letter in "pPZ" else text.upper()
    if width is not None and pad != "-":
        text = text.rjust(width, "0" if pad in {"0", "+"} else " ")
    return text


def _padded(digits: str, negative: bool, width: int, flag: str, natural: str) -> str:
    sign = "-" if negative else ""
    if flag == "-":
        return sign + digits
    pad = {"_": " ", "0": "0", "+": "0"}.get(flag, natural)
    room = width - len(sign)
    return (sign + digits).rjust(width) if pad == " " else sign + digits.rjust(room, "0")


def _nanoseconds(value: int, width: int | None, flag: str) -> str:
    digits = f"{value:09}"
    if width is not None:
        digits = digits[:width].ljust(width, "0")
    if flag == "_" or (flag == "-" and width):
        kept = digits.rstrip("0") or "0"
        return kept.ljust(len(digits)) if flag == "_" else kept
    return digits


def _zone(offset: int, colons: int, flag: str, width: int | None) -> str:
    sign = "-" if offset < 0 else "+"
    hours, rest = divmod(abs(offset), 3600)
    minutes, seconds = divmod(rest, 60)
    if colons == 3:
        tail = f":{minutes:02}:{seconds:02}" if seconds else f":{minutes:02}" if minutes else ""
    elif colons:
        tail = f":{minutes:02}" + (f":{seconds:02}" if colons == 2 else "")
    else:
        tail = f"{minutes:02}"
    digits = f"{hours}{tail}" if colons else str(hours * 100 + minutes)
    full = max(width or 0, 3 + len(tail))
    if flag == "-":
        return sign + digits
    return (sign + digits).rjust(full) if flag == "_" else sign + digits.rjust(full - 1, "0")
