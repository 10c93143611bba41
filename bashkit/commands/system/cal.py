"""cal: display a calendar (cal(1))."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands._notation.strftime import MONTHS, Moment
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_USAGE = 64
_LATEST = 9999
_PER_ROW = 100  # microseconds
_WEEKS = 6
_CHANGE = (1752, 9)  # eleven days were omitted from this month in Britain
_JULIAN_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAYS = ("Su", "Mo", "Tu", "We", "Th", "Fr", "Sa")


@command(
    "cal",
    usage="[OPTION]... [[MONTH] YEAR]",
    summary="Display a calendar; the present month by default.",
    options=(
        flag("-1", help="one month (default)"),
        flag("-3", help="the previous, current and next month"),
        value("-A", metavar="NUMBER", help="NUMBER months after"),
        value("-B", metavar="NUMBER", help="NUMBER months before"),
        flag("-h", help="turn off highlighting of today (there is none)"),
        flag("-j", help="days counted from January 1"),
        value("-m", metavar="MONTH", help="the month, by number or name"),
        flag("-M", help="weeks start on Monday"),
        flag("-S", help="weeks start on Sunday (default)"),
        flag("-y", help="the whole year"),
    ),
    usage_status=_USAGE,
    model="ncal 12.1.8",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the months."""
    now = Moment.of(process.system.now(), process.system.timezone(process.env.get("TZ", ""))).local
    operands = list(arguments.operands)
    if len(operands) > 2:
        raise UsageError("too many operands", hint=False)
    whole = "y" in arguments or (len(operands) == 1 and "m" not in arguments)
    year = _year(operands[-1]) if operands else now.year
    month_text = arguments.get("m") or (operands[0] if len(operands) == 2 else None)
    month = _month(month_text) if month_text else now.month
    before = _count(arguments, "B") or ("3" in arguments)
    after = _count(arguments, "A") or ("3" in arguments)
    page = _Page(process.budget, julian="j" in arguments, monday=arguments.last("M", "S") == "M")
    if whole and not month_text:
        process.write(page.rows(range(12 * year, 12 * year + 12)))
        return 0
    index = year * 12 + month - 1
    months = range(max(12, index - before), min(index + after + 1, 12 * (_LATEST + 1)))
    process.write(page.rows(months))
    return 0


def _year(text: str) -> int:
    if not is_digits(text):
        raise UsageError(f"not a valid year {text}", hint=False)
    if not 1 <= clamped(text) <= _LATEST:
        raise UsageError(f"year `{text}' not in range 1..{_LATEST}", hint=False)
    return clamped(text)


def _month(text: str) -> int:
    if is_count(text) and 1 <= clamped(text) <= 12:
        return clamped(text)
    found = [number for number, name in enumerate(MONTHS, 1) if len(text) > 2 and name.lower().startswith(text.lower())]
    if not found:
        raise UsageError(f"{text} is neither a month number (1..12) nor a name", hint=False)
    return found[0]


def _count(arguments: Arguments, key: str) -> int:
    text = arguments.get(key, "0") or ""
    if not is_digits(text):
        raise UsageError(f"Argument to -{key} must be positive", hint=False)
    return min(clamped(text), 12 * _LATEST)


def _days(year: int, month: int) -> tuple[int, list[int]]:
    """The weekday of the first day (Sunday is 0) and the days of the month, Julian before September 1752."""
    if (year, month) > _CHANGE:
        return (date(year, month, 1).isoweekday() % 7, list(range(1, calendar.monthrange(year, month)[1] + 1)))
    leap = month == 2 and year % 4 == 0
    days = list(range(1, _JULIAN_DAYS[month - 1] + leap + 1))
    passed = (year - 1) * 365 + (year - 1) // 4 + _day_of_year(year, month)
    if (year, month) == _CHANGE:
        days = [1, 2, *range(14, 31)]
    return (passed + 5) % 7, days


def _day_of_year(year: int, month: int) -> int:
    """The day of the year of the first day of a month."""
    if (year, month) > _CHANGE and year != _CHANGE[0]:
        return (date(year, month, 1) - date(year, 1, 1) + timedelta(days=1)).days
    number = sum(_JULIAN_DAYS[: month - 1]) + (month > 2 and year % 4 == 0) + 1
    return number - 11 if (year, month) > _CHANGE else number


class _Page:
    """Lays out months."""

    def __init__(self, budget: Budget, *, julian: bool, monday: bool) -> None:
        self._budget = budget
        self._cell = 3 if julian else 2
        self._julian = julian
        self._shift = int(monday)
        self._across = 2 if julian else 3
        self._inner = 7 * (self._cell + 1) - 1

    def rows(self, months: range) -> str:
        """Lay out months, counted from the year 0, side by side, as many as fit.

        Where they stand in the columns that a whole year has, each year stands above its first row.
        """
        above = months[0] % self._across == 0 and len(months) >= self._across
        rows, shown = [], 0
        for start in range(0, len(months), self._across):
            self._budget.tick(_PER_ROW)
            row = months[start : start + self._across]
            blocks = [self._month(number // 12, number % 12 + 1, years=not above) for number in row]
            year = row[0] // 12
            title = self._title(year) if above and year != shown else ""
            shown = year
            rows.append(title + "".join("".join(lines) + "\n" for lines in zip(*blocks, strict=True)))
        return "\n".join(rows)

    def _title(self, year: int) -> str:
        return str(year).rjust((self._across * self._inner + len(str(year))) // 2) + "\n"

    def _month(self, year: int, month: int, *, years: bool) -> list[str]:
        title = MONTHS[month - 1] + (f" {year}" if years else "")
        weekday, days = _days(year, month)
        first = _day_of_year(year, month)
        numbers = [str(first + index if self._julian else day) for index, day in enumerate(days)]
        cells = [""] * ((weekday - self._shift) % 7) + numbers
        names = [*_DAYS[self._shift :], *_DAYS[: self._shift]]
        left = (self._inner - len(title)) // 2
        lines = [f"{' ' * left}{title}".ljust(self._inner) + "  ", "".join(f"{name:>{self._cell}} " for name in names) + " "]
        for week in range(_WEEKS):
            row = cells[week * 7 : week * 7 + 7]
            lines.append("".join(f"{cell:>{self._cell}} " for cell in row + [""] * (7 - len(row))) + " ")
        return lines
