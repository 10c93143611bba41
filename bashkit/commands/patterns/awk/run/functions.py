"""The arithmetic, bit, time and array functions of awk (POSIX XCU awk, Arithmetic Functions; gawk manual for the others)."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta, timezone
from functools import cmp_to_key
from random import Random
from typing import TYPE_CHECKING

from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.patterns.awk.run.order import natural
from bashkit.commands.patterns.awk.run.values import (
    UNINIT,
    Array,
    StrNum,
    Strong,
    Value,
    number,
    number_of_text,
)
from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.interp.runtime.sorting import ordered
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.patterns.awk.run.runtime import Runtime

_GREENWICH = timezone(timedelta(), "GMT")
_NAN = math.copysign(math.nan, -1.0)
_HEX = re.compile(r"[ \t\n]*([-+]?)0[xX]([0-9a-fA-F]+)")
_OCTAL = re.compile(r"[ \t\n]*([-+]?)0([0-7]+)(?![0-9.eE])")
_BY_VALUE, _BY_SUBSCRIPT = "@val_type_asc", "@ind_str_asc"  # how arrays are sorted where nothing is said
_COREUTILS = re.compile(r"%%|%(?=[-_0^#+]*\d*[Nq])", re.ASCII)  # what only date knows stays as it is
_WORD = (1 << 64) - 1
_EXACT_BITS = 53  # of a double


class Library:
    """The functions that need the running program.

    Args:
        runtime: The program.

    Attributes:
        functions: The program's functions by name; set by the program.
    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._random: Random | None = None  # few programs need one, and to seed it takes long
        self._seed = 1.0
        self.functions: dict[str, Callable[..., Value]] = {}

    # -- arithmetic -------------------------------------------------------------------------------------------------------

    def _complain(self, name: str, value: float) -> float:
        self._runtime.warn(f"{name}: received negative argument {self._runtime.printed[value]}")
        return _NAN

    def log(self, value: float) -> float:
        """log()."""
        if value > 0:
            return math.log(value)
        if value == 0:
            return -math.inf
        return self._complain("log", value) if not math.isnan(value) else value

    def sqrt(self, value: float) -> float:
        """sqrt()."""
        if value >= 0:
            return math.sqrt(value)
        return self._complain("sqrt", value) if not math.isnan(value) else value

    def exp(self, value: float) -> float:
        """exp()."""
        try:
            return math.exp(value)
        except OverflowError:
            self._runtime.warn(f"exp: argument {self._runtime.printed[value]} is out of range")
            return math.inf

    def rand(self) -> float:
        """rand(): a number below 1, with the same sequence in every run until srand()."""
        if self._random is None:
            self._random = Random(0)
        return self._random.random()

    def srand(self, seed: Value | None = None) -> float:
        """srand(): set the seed; return the previous one."""
        before = self._seed
        self._seed = float(int(self._runtime.process.system.now())) if seed is None else number(seed)
        self._random = Random(self._seed)
        return before

    # -- time -------------------------------------------------------------------------------------------------------------

    def systime(self) -> float:
        """systime()."""
        return float(int(self._runtime.process.system.now()))

    def strftime(self, pattern: str | None = None, when: float | None = None, utc: bool = False) -> str:
        """strftime()."""
        process = self._runtime.process
        if pattern is None:
            pattern = self._runtime.to_text(self._runtime.procinfo["strftime"])
        zone = _GREENWICH if utc else process.system.timezone(process.env.get("TZ", ""))
        try:
            moment = Moment(int(process.system.now() if when is None else when), 0, zone)
            text = strftime(_COREUTILS.sub("%%", pattern), moment, process.budget)
        except (ValueError, OverflowError):
            return ""
        return self._runtime.grown(text)

    def mktime(self, text: str, utc: bool = False) -> float:
        """mktime(): the time stamp of ``YYYY MM DD HH MM SS [DST]``; -1 for a malformed one."""
        process = self._runtime.process
        given = [number_of_text(word) for word in text.split()[:7]]
        if len(given) < 6 or not all(abs(part) <= 1e6 for part in given):
            return -1.0
        parts = list(map(int, given))
        zone = UTC if utc else process.system.timezone(process.env.get("TZ", ""))
        year, month, day, hour, minute, second = parts[:6]
        try:
            first = datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1, tzinfo=zone)
            moment = first + timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)
            return float(math.floor(moment.timestamp()))
        except (ValueError, OverflowError):
            return -1.0

    # -- arrays -----------------------------------------------------------------------------------------------------------

    def keys(self, array: Array) -> list[str]:
        """The subscripts for ``for (… in array)``, in the order of ``PROCINFO["sorted_in"]``."""
        how = self._runtime.procinfo.get("sorted_in")
        self._runtime.budget.tick(len(array) >> 6)
        if how is None or not array:
            return natural(array)
        return self._ordered(array, self._runtime.to_text(how) or "@unsorted", functions=self.functions)

    def _ordered(self, array: Array, how: str, *, functions: dict[str, Callable[..., Value]]) -> list[str]:
        self._runtime.budget.tick(len(array))
        if how in functions:
            compare = functions[how]

            def order(left: str, right: str) -> int:
                result = number(compare(left, array[left], right, array[right]))
                return (result > 0) - (result < 0)

            return list(ordered(list(array), self._runtime.budget, key=cmp_to_key(order)))
        keys: dict[str, Callable[[str], object]] = {
            "ind_str": (lambda key: (key.lower(), key)) if self._runtime.ignore_case else str,
            "ind_num": lambda key: (number_of_text(key), key),
            "val_str": lambda key: (_rank(array[key]) == 2, _text(self._runtime, array[key]), key),
            "val_num": lambda key: (_rank(array[key]) == 2, _amount(array[key]), _text(self._runtime, array[key]), key),
            "val_type": lambda key: (*_typed(self._runtime, array[key]), key),
        }
        kind, _, direction = how.removeprefix("@").rpartition("_")
        if how == "@unsorted":
            return natural(array)
        if not how.startswith("@") or kind not in keys or direction not in ("asc", "desc"):
            raise AwkError(f"sort comparison function `{how}' is not defined")
        key = keys[kind]
        sorted_by = dict(zip(array, map(key, paced_if_many(list(array))), strict=True))
        return list(ordered(list(array), self._runtime.budget, key=sorted_by.__getitem__, reverse=direction == "desc"))

    def asort(self, array: Array, into: Array | None = None, how: str = "") -> int:
        """asort(): the values, sorted and numbered from 1."""
        keys = self._ordered(array, how or _BY_VALUE, functions=self.functions)
        values = [array[key] for key in paced_if_many(keys)]
        return _number_from_one(array if into is None else into, values)

    def asorti(self, array: Array, into: Array | None = None, how: str = "") -> int:
        """asorti(): the subscripts, sorted and numbered from 1."""
        keys: list[Value] = list(self._ordered(array, how or _BY_SUBSCRIPT, functions=self.functions))
        return _number_from_one(array if into is None else into, keys)


def _number_from_one(into: Array, values: list[Value]) -> int:
    into.clear()
    into.update((str(index), value) for index, value in enumerate(paced_if_many(values), 1))
    return len(values)


def _rank(value: Value) -> int:
    """The order of types: numbers, strings, arrays."""
    return 2 if isinstance(value, dict) else 1 if value.__class__ is str else 0


def _text(runtime: Runtime, value: Value) -> tuple[str, ...]:
    """What a value is sorted by as a string."""
    text = "" if isinstance(value, dict) else runtime.to_text(value)
    return (text.lower(), text) if runtime.ignore_case else (text,)


def _amount(value: Value) -> float:
    return 0.0 if isinstance(value, dict) else number(value)


def _typed(runtime: Runtime, value: Value) -> tuple[int, float, tuple[str, ...]]:
    rank = _rank(value)
    return rank, _amount(value) if rank == 0 else 0.0, _text(runtime, value) if rank == 1 else ()


def truncate(value: float) -> float:
    """int(): round towards zero."""
    return float(int(value)) if value - value == 0.0 else value


def sine(value: float) -> float:
    """sin()."""
    return math.sin(value) if value - value == 0.0 else _NAN


def cosine(value: float) -> float:
    """cos()."""
    return math.cos(value) if value - value == 0.0 else _NAN


def strtonum(value: Value) -> float:
    """strtonum(): decimal, ``0x`` hexadecimal or ``0`` octal."""
    if not isinstance(value, str):
        return number(value)
    for pattern, base in ((_HEX, 16), (_OCTAL, 8)):
        found = pattern.match(value)
        if found is not None:
            amount = float(int(found[2][:200], base))
            return -amount if found[1] == "-" else amount
    return number(value)


def _bits(name: str, position: int, value: float) -> int:
    if value < 0 or value - value != 0.0:
        raise AwkError(f"{name}: argument {position} negative value {value:g} is not allowed")
    return int(min(value, 2.0**64))


def bitwise(name: str, values: list[float]) -> float:
    """and(), or(), xor(), lshift(), rshift() and compl()."""
    if name != "compl" and len(values) < 2:
        raise AwkError(f"{name}: called with less than two arguments")
    numbers = [_bits(name, position, value) for position, value in enumerate(values, 1)]
    result = numbers[0]
    if name == "compl":
        flipped = _WORD & ~result
        trailing = (flipped & -flipped).bit_length() - 1
        return float(flipped & (1 << _EXACT_BITS + trailing) - 1) if flipped else 0.0
    for other in numbers[1:]:
        if name == "and":
            result &= other
        elif name == "or":
            result |= other
        elif name == "xor":
            result ^= other
        elif name == "lshift":
            result = (result << other % 64) & _WORD
        else:
            result >>= other % 64
    return float(result)


def type_of(value: Value) -> str:
    """typeof() of a value."""
    if isinstance(value, dict):
        return "array"
    if value is UNINIT:
        return "untyped"
    if isinstance(value, StrNum):
        return "strnum"
    if isinstance(value, Strong):
        return "regexp"
    return "string" if isinstance(value, str) else "number"
