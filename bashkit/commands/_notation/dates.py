"""Parses date strings as people and scripts write them (GNU coreutils manual, Date input formats)."""

from __future__ import annotations

import re
from calendar import timegm
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.strftime import CYCLE, Moment
from bashkit.syntax.digits import SPACE

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

_MONTHS = {
    name: number
    for number, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)
}
_MONTH_NAMES = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTHS.update({name: number for number, name in enumerate(_MONTH_NAMES, 1)}, sept=9)
_DAY_NAMES = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_DAYS = {name: number for number, name in enumerate(_DAY_NAMES)}
_DAYS.update({name[:3]: number for number, name in enumerate(_DAY_NAMES)}, tues=2, wednes=3, thur=4, thurs=4)
_UNITS: dict[str, tuple[str, int]] = {
    "year": ("years", 1),
    "month": ("months", 1),
    "fortnight": ("days", 14),
    "week": ("days", 7),
    "day": ("days", 1),
    "hour": ("seconds", 3600),
    "minute": ("seconds", 60),
    "min": ("seconds", 60),
    "second": ("seconds", 1),
    "sec": ("seconds", 1),
}
_RELATIVE_WORDS = {"tomorrow": 1, "yesterday": -1, "today": 0, "now": 0}
_ORDINALS = {
    name: number
    for number, name in enumerate(
        (
            "last",
            "this",
            "first",
            "",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ),
        -1,
    )
} | {"next": 1}
_ZONES = {
    "utc": 0, "gmt": 0, "ut": 0, "z": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "met": 1, "cest": 2, "mest": 2, "eet": 2,
    "eest": 3, "msk": 3, "ist": 5.5, "sgt": 8, "jst": 9, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6,
    "pst": -8, "pdt": -7, "akst": -9, "akdt": -8, "hst": -10, "nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3, "nzst": 12,
    "nzdt": 13, "brt": -3, "gst": 10, "sst": -12, "wat": 1, "eat": 3, "clt": -4, "art": -3, "msd": 4, "sast": 2,
}  # fmt: skip
_UNIVERSAL = frozenset({"utc", "gmt", "ut"})
_SUMMER = frozenset({"west", "bst", "cest", "mest", "eest", "msd", "nzdt", "edt", "cdt", "mdt", "pdt", "akdt", "ndt", "adt"})
# Military letters: A to M except J are east, N to Y west.
_ZONES.update({letter: number for number, letter in enumerate("abcdefghiklm", 1)})
_ZONES.update({letter: -number for number, letter in enumerate("nopqrstuvwxy", 1)})

_DAYS_OF_CYCLE = CYCLE // 86400
_STEP, _FAR = 601_200, 268_000_000  # seconds from one look for the other season to the next, and where it is given up
_QUARTER = 90 * 86400
_LONGEST = 1000  # characters of a date
_SHIFT = r"([+-])\s*(\d{1,2})(?:(?:\s*:\s*(?=\d))?(\d\d|(?<=[:\s])\d))?"  # "+5", "+0530", "+ 5 : 30"
_TIME = re.compile(
    r"(\d+)\s*:\s*(\d+)(?:\s*:\s*(\d+)(?:[.,](\d+))?)?\s*([ap]m(?![a-z])|a\.m\.|p\.m\.)?"
    rf"(?:\s*{_SHIFT}(?![\d:]))?",
    re.ASCII | re.IGNORECASE,
)
_HOUR = re.compile(r"(\d{1,2})\s*([ap]m(?![a-z])|a\.m\.|p\.m\.)", re.ASCII | re.IGNORECASE)
_ISO = re.compile(r"(\d{4,})\s*-\s*(\d{1,2})\s*-\s*(\d{1,2})(?!\d)", re.ASCII)
_SHORT_ISO = re.compile(r"(\d{1,3})\s*-\s*(\d{1,2})\s*-\s*(\d{1,2})(?!\d)", re.ASCII)
_ISO_TIME = re.compile(r"\s*T(?![a-z])\s*", re.ASCII | re.IGNORECASE)
_SLASHED = re.compile(r"(\d+)\s*/\s*(\d+)(?:\s*/\s*(\d+))?", re.ASCII)
_DAY_MONTH = re.compile(r"(\d+)[- ]*([a-z]{3,9})\.?(?:[- ]*(\+ *)?(\d+))?", re.ASCII | re.IGNORECASE)
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.? *(\d{1,2})(?![\d:])(?:(?:\s*,\s+|\s+,\s*)()(\d+)(?![:\d]))?", re.ASCII | re.IGNORECASE)
_DASHED = re.compile(r"([a-z]{3,9})\.?\s*-\s*(\d+)\s*(?:-|(\+))\s*(\d+)(?![-:\d])", re.ASCII | re.IGNORECASE)
_NO_UNIT = r"(?!\s*(?:sec|min|hour|day|week|fortnight|month|year))"
_ZONE_OFFSET = re.compile(rf"\s*{_SHIFT}(?!\d){_NO_UNIT}", re.ASCII | re.IGNORECASE)
_HOUR_OFFSET = re.compile(rf"(\d{{1,2}})\s*{_SHIFT}(?![\d:])", re.ASCII)
_LONE_HOUR_OFFSET = re.compile(_HOUR_OFFSET.pattern + _NO_UNIT, re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"([+-]?)\s*(\d+)", re.ASCII)
_IDLE_SIGN = re.compile(r"[+-](?!\s*\d)", re.ASCII)  # a sign without a number says nothing: "+month", "5-jan"
_DST = re.compile(r"\s*dst(?![a-z])", re.ASCII | re.IGNORECASE)
_COMMA = re.compile(r"\s*,", re.ASCII)
_WORD = re.compile(r"[a-z]+\.?", re.IGNORECASE)
_EPOCH = re.compile(r"@\s*([+-]?\d+)(?:[.,](\d+))?\Z", re.ASCII)
_SECONDS = re.compile(r"([+-]?)\s*(\d+)[.,](\d+)\s*sec(?:ond)?s?(?![a-z])(\s*ago(?![a-z]))?", re.ASCII | re.IGNORECASE)
_ZONE_PREFIX = re.compile(r'\s*TZ="([^"]*)"', re.ASCII)


@dataclass(slots=True)
class _Reading:
    """The parts of a date string read so far."""

    date: tuple[int, int, int] | None = None
    year_missing: bool = False
    time: tuple[int, int, int, int] | None = None
    offset: float | None = None
    weekday: tuple[int, int] | None = None
    epoch: tuple[int, int] | None = None
    nanoseconds: int = 0  # of what is added
    relative: dict[str, int] = field(default_factory=dict)
    local_now: datetime | None = None
    seasons: dict[str, bool] = field(default_factory=dict)  # the names of the local zone, and whether each is of summer
    summer: bool | None = None  # the season of the local zone that is named

    def add(self, unit: str, count: int) -> None:
        """Move by ``count`` times a unit."""
        name, factor = _UNITS[unit]
        self.relative[name] = self.relative.get(name, 0) + count * factor

    def set_date(self, year: int, month: int, day: int) -> None:
        """Set the date, which may be given only once."""
        if self.date is not None or not 1 <= month <= 12 or not 1 <= day <= 31:
            raise ValueError
        self.date = (year, month, day)

    def set_time(self, hour: int, minute: int, second: int, nanoseconds: int = 0) -> None:
        """Set the time of day, which may be given only once."""
        if self.time is not None or hour > 24 or minute > 59 or second > 59:
            raise ValueError
        self.time = (hour, minute, second, nanoseconds)


def parse_date(text: str, *, now: float, zone: tzinfo, find_zone: Callable[[str], tzinfo] | None = None) -> Moment:
    """Parse ``text`` as a moment.

    Args:
        text: ``2024-01-15 10:00 UTC``, ``@0``, ``next monday``, ``2 weeks ago`` …
        now: Seconds since the epoch, for relative and omitted parts.
        zone: The zone of times that do not name one.
        find_zone: Looks up the zone of a leading ``TZ="NAME"``.

    Raises:
        ValueError: It is malformed, longer than any that means something, or its year is too far away.
    """
    if len(text) > _LONGEST:
        raise ValueError(text)
    shown_in = zone
    prefix = _ZONE_PREFIX.match(text)
    if prefix is not None and find_zone is not None:
        zone = find_zone(prefix[1])
        text = text[prefix.end() :]
    text = _IDLE_SIGN.sub(" ", _without_comments(text)).strip(SPACE)
    current = Moment.of(now, zone)
    reading = _Reading(local_now=current.local, seasons=_seasons(now, zone))
    if not text:
        reading.set_time(0, 0, 0)
    position = 0
    while position < len(text):
        if text[position] in SPACE:
            position += 1
            continue
        position = _item(text, position, reading)
    try:
        return Moment(*_resolve(reading, current, zone), shown_in)
    except OverflowError:
        raise ValueError(text) from None


def _without_comments(text: str) -> str:
    """The text with a space for each comment in parentheses, which may hold others and need no end."""
    kept, depth = "", 0
    for piece in re.split(r"([()])", text):
        if piece == "(":
            depth += 1
        elif piece == ")" and depth:
            depth -= 1
            kept += "" if depth else " "
        elif not depth:
            kept += piece
    return kept


def _seasons(now: float, zone: tzinfo) -> dict[str, bool]:
    """The names that a zone has in the year from now on, and whether each is one of summer time."""
    found: dict[str, bool] = {}
    for quarter in range(4):
        local = Moment.of(now + quarter * _QUARTER, zone).local
        found.setdefault((local.tzname() or "").lower(), bool(local.dst()))
    return found


def _item(text: str, start: int, reading: _Reading) -> int:
    """Parse one item and return its end."""
    for read in (_epoch, _date, _time, _month_and_day, _seconds, _relative, _word, _plain_number):
        end = read(text, start, reading)
        if end is not None:
            return end
    raise ValueError(text)


def _epoch(text: str, start: int, reading: _Reading) -> int | None:
    match = _EPOCH.match(text, start)
    if match is None:
        return None
    seconds = clamped(match[1])
    nanoseconds = _fraction(match[2])
    if match[1].startswith("-") and nanoseconds:
        seconds, nanoseconds = seconds - 1, 1_000_000_000 - nanoseconds
    reading.epoch = (seconds, nanoseconds)
    return match.end()


def _fraction(digits: str | None) -> int:
    return int((digits or "").ljust(9, "0")[:9])


def _date(text: str, start: int, reading: _Reading) -> int | None:
    match = _ISO.match(text, start) or _SHORT_ISO.match(text, start)
    if match is not None:
        reading.set_date(_full_year(match[1]), int(match[2]), int(match[3]))
        end = match.end()
        time = _ISO_TIME.match(text, end)
        if time is None:
            return end
        clock = _TIME.match(text, time.end())
        if clock is not None and clock[5] is None:
            return time.end()
        hour = _HOUR_OFFSET.match(text, time.end())
        if hour is None:
            raise ValueError(text)
        return _hour_with_offset(hour, reading)
    match = _SLASHED.match(text, start)
    if match is None:
        return None
    first, second, third = match.groups()
    if third is None:
        reading.year_missing = True
        reading.set_date(_now(reading).year, int(first), int(second))
    elif len(first) >= 4:
        reading.set_date(int(first), int(second), int(third))
    else:
        reading.set_date(_full_year(third), int(first), int(second))
    return match.end()


def _full_year(digits: str) -> int:
    year = clamped(digits)
    if len(digits) == 2:
        year += 1900 if year >= 69 else 2000
    return year


def _now(reading: _Reading) -> datetime:
    assert reading.local_now is not None
    return reading.local_now


def _time(text: str, start: int, reading: _Reading) -> int | None:
    match = _TIME.match(text, start)
    if match is not None:
        hour, minute, second, fraction, half, sign, hours, minutes = match.groups()
        reading.set_time(_hour(int(hour), half), int(minute), int(second or 0), _fraction(fraction))
        if half:
            return match.end(5)
        if sign:
            _set_offset(reading, sign, hours, minutes)
        return match.end()
    match = _HOUR.match(text, start)
    if match is None:
        return None
    reading.set_time(_hour(int(match[1]), match[2]), 0, 0)
    return match.end()


def _hour(hour: int, half: str | None) -> int:
    if half is None:
        if hour > 23:
            raise ValueError
        return hour
    if not 1 <= hour <= 12:
        raise ValueError
    return hour % 12 + (12 if half[0] in "pP" else 0)


def _hour_with_offset(match: re.Match[str], reading: _Reading) -> int:
    reading.set_time(_hour(int(match[1]), None), 0, 0)
    _set_offset(reading, match[2], match[3], match[4])
    return match.end()


def _set_offset(reading: _Reading, sign: str, hours: str, minutes: str | None) -> None:
    if minutes is None and len(hours) > 2:
        hours, minutes = hours[:-2], hours[-2:]
    offset = int(hours) * 3600 + int(minutes or 0) * 60
    if reading.offset is not None or offset > 24 * 3600:
        raise ValueError
    reading.offset = -offset if sign == "-" else offset


def _month_and_day(text: str, start: int, reading: _Reading) -> int | None:
    match = _DAY_MONTH.match(text, start)
    if match is not None and match[2].lower() in _MONTHS:
        day, month, plus, year = match.groups()
    else:
        match = _DASHED.match(text, start) or _MONTH_DAY.match(text, start)
        if match is None or match[1].lower() not in _MONTHS:
            return None
        month, day, plus, year = match.groups()
    year = year.zfill(4) if year and plus else year  # no year of this century or the last
    reading.year_missing = year is None
    reading.set_date(_full_year(year) if year else _now(reading).year, _MONTHS[month.lower()], int(day))
    return match.end()


def _seconds(text: str, start: int, reading: _Reading) -> int | None:
    """Parse ``1.5 seconds``, the only count that may have a fraction."""
    match = _SECONDS.match(text, start)
    if match is None:
        return None
    sign = -1 if (match[1] == "-") != bool(match[4]) else 1
    reading.add("second", sign * clamped(match[2]))
    reading.nanoseconds += sign * _fraction(match[3])
    return match.end()


def _relative(text: str, start: int, reading: _Reading) -> int | None:
    """Parse ``+3 days``, ``2 weeks ago``, ``next month``, ``month``: a count and a unit."""
    count, end = 1, start
    number = _NUMBER.match(text, start)
    if number is not None:
        count, end = clamped(number[1] + number[2]), number.end()
    else:
        word = _WORD.match(text, start)
        if word is not None and word[0].lower() in _ORDINALS:
            count, end = _ORDINALS[word[0].lower()], word.end()
    while text[end : end + 1].isspace():
        end += 1
    unit = _WORD.match(text, end)
    if unit is None:
        return None
    name = unit[0].lower().rstrip(".")
    if name in _DAYS:
        if number is not None and number[1]:
            return None
        if reading.weekday is not None:
            raise ValueError(text)
        reading.weekday = (_DAYS[name], count if end != start else 0)
        comma = _COMMA.match(text, unit.end()) if end == start else None
        return (comma or unit).end()
    if name not in _UNITS:
        name = name.removesuffix("s")
    if name not in _UNITS:
        return None
    end = unit.end()
    ago = re.compile(r"\s*(ago|hence)(?![a-z])", re.ASCII | re.IGNORECASE).match(text, end)
    reading.add(name, -count if ago and ago[1].lower() == "ago" else count)
    return ago.end() if ago else end


def _word(text: str, start: int, reading: _Reading) -> int | None:
    match = _WORD.match(text, start)
    if match is None:
        return None
    word = match[0].lower().rstrip(".")
    if word in _RELATIVE_WORDS:
        reading.add("day", _RELATIVE_WORDS[word])
    elif word in reading.seasons and word not in _UNIVERSAL:
        if reading.offset is not None or reading.summer is not None:
            raise ValueError
        reading.summer = reading.seasons[word]
    elif word == "dst" and reading.summer is False:
        reading.summer = True
    elif word in _ZONES:
        if reading.offset is not None or reading.summer is not None:
            raise ValueError
        standard = word not in _SUMMER and word != "t"
        added = _ZONE_OFFSET.match(text, match.end()) if standard else None
        if added is not None:
            _set_offset(reading, added[1], added[2], added[3])
        summer = _DST.match(text, match.end()) if standard else None
        reading.offset = (reading.offset or 0) + _ZONES[word] * 3600 + (3600 if summer else 0)
        return (added or summer or match).end()
    else:
        raise ValueError(text)
    return match.end()


def _plain_number(text: str, start: int, reading: _Reading) -> int | None:
    """Parse ``20240115``, a year after a date without one, ``1530`` or an hour."""
    hour = _LONE_HOUR_OFFSET.match(text, start)
    if hour is not None:
        return _hour_with_offset(hour, reading)
    match = re.compile(r"\d+(?![\d:/])", re.ASCII).match(text, start)
    if match is None:
        return None
    digits = match[0]
    late = reading.time is not None or len(digits) > 2
    if reading.date is not None and reading.year_missing and not reading.relative and late:
        reading.date = (_full_year(digits), *reading.date[1:])
        reading.year_missing = False
    elif len(digits) > 4:
        reading.set_date(_full_year(digits[:-4]), int(digits[-4:-2]), int(digits[-2:]))
    elif len(digits) <= 2:
        reading.set_time(_hour(int(digits), None), 0, 0)
    else:
        reading.set_time(_hour(int(digits[:-2]), None), int(digits[-2:]), 0)
    return match.end()


def _resolve(reading: _Reading, current: Moment, zone: tzinfo) -> tuple[int, int]:
    """Combine everything parsed into seconds since the epoch and nanoseconds."""
    relative = reading.relative
    if reading.epoch is not None:
        named = reading.offset is not None or reading.summer is not None
        if reading.date or reading.time or reading.weekday or relative or named:
            raise ValueError
        return reading.epoch
    local = current.local  # also where the string names a zone: that is the zone of what it says, not of today
    year, month, day = reading.date or (local.year, local.month, local.day)
    year, cycles = _in_calendar(year)
    datetime(year, month, day)  # noqa: DTZ001 - only to refuse the 30th of February
    if reading.time is not None:
        hour, minute, second, nanoseconds = reading.time
    elif (
        reading.date is not None
        or reading.weekday is not None
        or ((reading.offset is not None or reading.summer is not None) and not relative)
    ):
        hour = minute = second = nanoseconds = 0
    else:
        hour, minute, second, nanoseconds = local.hour, local.minute, local.second, current.nanoseconds
    if reading.weekday is not None and reading.date is None:
        today = datetime(year, month, day)  # noqa: DTZ001 - a calendar day
        found = today + timedelta(days=_days_until(reading.weekday, today.isoweekday() % 7))
        year, month, day = found.year, found.month, found.day
    if reading.offset is None:
        _local_seconds(
            timegm((year, month, 1, hour, minute, second)) + (day - 1) * 86400, zone, summer=reading.summer, must_exist=True
        )
    month += relative.get("months", 0)
    year += relative.get("years", 0) + (month - 1) // 12
    month = (month - 1) % 12 + 1
    year, more = _in_calendar(year)
    day += relative.get("days", 0)
    if day > _DAYS_OF_CYCLE or day < -_DAYS_OF_CYCLE:
        more, day = more + day // _DAYS_OF_CYCLE, day % _DAYS_OF_CYCLE
    naive = timegm((year, month, 1, hour, minute, second)) + (day - 1) * 86400
    if reading.offset is not None:
        seconds = naive - round(reading.offset)
    elif reading.date is None and reading.weekday is None and reading.time is None and reading.summer is None:
        seconds = _in_season(naive, zone, summer=bool(local.dst()))
    else:
        seconds = _local_seconds(naive, zone, summer=reading.summer)
    carried, nanoseconds = divmod(nanoseconds + reading.nanoseconds, 1_000_000_000)
    return seconds + relative.get("seconds", 0) + carried + (cycles + more) * CYCLE, nanoseconds


def _in_calendar(year: int) -> tuple[int, int]:
    """A year with the same days that is far from the ends of Python's calendar, and how many cycles the given one is later."""
    return (year, 0) if 402 < year < 9598 else (2000 + year % 400, (year - 2000) // 400)


def _local_seconds(naive: int, zone: tzinfo, *, summer: bool | None = None, must_exist: bool = False) -> int:
    """The seconds since the epoch of a local time.

    Args:
        naive: The time, given as if its zone were UTC.
        zone: The zone.
        summer: Whether the clock is set to summer time; None for what it is then.
        must_exist: The clock shows that time, and in that season.

    Raises:
        ValueError: The time must exist, but the clock skips it.
    """
    if summer is None:
        local = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=naive)).replace(tzinfo=zone)
        early, late = (moment.utcoffset() or timedelta() for moment in (local, local.replace(fold=1)))
        # Of two moments that the clock shows, mktime(3) finds the one nearer to where it begins: at the same clock time in UTC.
        offset = late if timedelta() <= late < early else early
        seconds = naive - round(offset.total_seconds())
    else:
        seconds = _in_season(naive, zone, summer=summer)
    if must_exist:
        shown = Moment(seconds, 0, zone)
        if shown.timestamp + shown.offset != naive:
            raise ValueError(naive)
    return seconds


def _in_season(naive: int, zone: tzinfo, *, summer: bool) -> int:
    """The seconds since the epoch of a local time, shown by a clock that is set to summer time or is not, as mktime(3) takes it.

    What is only moved from now stays on the clock of now: ``4 months ago`` in winter is an hour later by the clock in summer.
    """
    for distance in chain([0], range(_STEP, _FAR, _STEP)):
        for shift in (-distance, distance):
            near = (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=naive + shift)).replace(tzinfo=zone)
            for moment in (near, near.replace(fold=1)):
                if bool(moment.dst()) == summer:
                    return naive - round((moment.utcoffset() or timedelta()).total_seconds())
    return _local_seconds(naive, zone)


def _days_until(weekday: tuple[int, int], today: int) -> int:
    number, ordinal = weekday
    skipped = ordinal - (1 if ordinal > 0 and number != today else 0)
    return (number - today) % 7 + 7 * skipped
