"""The values of awk: numbers, strings, strings that look like numbers, and uninitialized (POSIX XCU awk, Expressions).

A number is a ``float``, a string a ``str``. A numeric string (a field, a line of ``getline``, …) is a StrNum when it looks like
a number and a plain ``str`` when it does not. A variable that was never assigned is UNINIT, which arithmetic treats as 0.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.syntax.tree import AwkError

if TYPE_CHECKING:
    from collections.abc import Callable

_PREFIX = re.compile(r"[ \t\n\r\f\v]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)")
_WHOLE = re.compile(_PREFIX.pattern + r"[ \t\n\r\f\v]*")
_MAGIC = {
    "+inf": math.inf,
    "-inf": -math.inf,
    "+nan": math.nan,
    "-nan": math.copysign(math.nan, -1.0),
}
_FIRST, _LAST = frozenset("0123456789. \t\n\r\f\v+-"), frozenset("0123456789. \t\n\r\f\vfFnN")  # of what looks like a number
_MOST_SQUARED = 1 << 31  # exponents from here on go to pow(3)
_CACHED = 50_000  # maximum entries of a table
_LONGEST_CACHED = 32  # maximum characters of a string in a table


class Uninitialized(float):
    """The value of an unassigned variable."""

    __slots__ = ()


UNINIT = Uninitialized(0.0)


class StrNum(str):
    """An input string that looks like a number.

    Attributes:
        number: That number.
    """

    __slots__ = ("number",)

    number: float

    def __bool__(self) -> bool:
        return self.number != 0.0


class Strong(str):
    """gawk's ``@/regex/`` as a value."""

    __slots__ = ()


class Text(str):
    """A string that was assigned to ``$0`` or a field, and stays one although it looks like a number."""

    __slots__ = ()


class Array(dict[str, "Value"]):
    """An associative array; reading an element creates it."""

    __slots__ = ()

    def __missing__(self, key: str) -> float:
        self[key] = UNINIT
        return UNINIT

    def __hash__(self) -> int:  # type: ignore[override]  # an array is itself, whatever it holds
        return id(self)


Value = float | str | Array


def looks_numeric(text: str) -> float | None:
    """The number that ``text`` spells, ignoring blanks around it; None if it does not spell one."""
    try:
        value = float(text)
    except ValueError:
        return _MAGIC.get(text.lower()) if len(text) == 4 else None
    if value - value == 0.0 and "_" not in text and text.isascii():
        return value
    found = _WHOLE.fullmatch(text)
    if found is not None:
        return float(found[1])
    return _MAGIC.get(text.lower()) if len(text) == 4 else None


def strnum(text: str) -> str:
    """Convert an input text to a value."""
    value = looks_numeric(text)
    if value is None:
        return text
    made = StrNum(text)
    made.number = value
    return made


def field_value(value: Value) -> Value:
    """The value of a field: of input, or assigned."""
    if type(value) is str:
        return strnum(value)
    return str(value) if value.__class__ is Text else value


def assigned(text: str) -> str:
    """What ``$0`` or a field holds that a string is assigned to."""
    return Text(text) if text[-1:] in _LAST and text[:1] in _FIRST and looks_numeric(text) is not None else text


def number_of_text(text: str) -> float:
    """The number at the start of a string; 0 without one (POSIX XCU awk: atof(3))."""
    try:
        value = float(text)
    except ValueError:
        if not text:
            return 0.0
    else:
        if value - value == 0.0 and "_" not in text and text.isascii():
            return value
    found = _PREFIX.match(text)
    if found is not None:
        return float(found[1])
    return _MAGIC.get(text.lower(), 0.0) if len(text) == 4 else 0.0


def number(value: Value) -> float:
    """Convert any value to a number."""
    kind = value.__class__
    if kind is float:
        return value  # type: ignore[return-value]  # its class was just asked
    if kind is str or kind is Strong or kind is Text:
        return number_of_text(value)  # type: ignore[arg-type]  # as above
    if isinstance(value, StrNum):
        return value.number
    if value is UNINIT:
        return 0.0
    if isinstance(value, dict):
        raise array_as_scalar()
    return float(value)


def array_as_scalar(name: str = "") -> AwkError:
    """The error message for an array used as a scalar."""
    return AwkError(f"attempt to use array `{name}' in a scalar context" if name else "attempt to use array in a scalar context")


def truth(text: str) -> bool:
    """Whether an input text is true: a number other than 0, or a string that is not empty."""
    value = looks_numeric(text)
    return bool(text) if value is None else value != 0.0


def special_float(value: float) -> str:
    """Write infinity and not-a-number as gawk does."""
    sign = "-" if math.copysign(1.0, value) < 0 else "+"
    return sign + ("inf" if value in (math.inf, -math.inf) else "nan")


class NumberTexts(dict[float, str]):
    """Caches the texts of numbers, made by CONVFMT or OFMT unless they are integers.

    Attributes:
        convert: Formats a number that is not an integer; None is ``%.6g``.
    """

    __slots__ = ("convert",)

    def __init__(self) -> None:
        super().__init__()
        self.convert: Callable[[float], str] | None = None

    def set_format(self, convert: Callable[[float], str] | None) -> None:
        """Change the format; None is ``%.6g``."""
        self.convert = convert
        self.clear()

    def __missing__(self, value: float) -> str:
        if not value:  # 0 is not cached, because it would be found for UNINIT too
            return "" if value is UNINIT else "0"
        try:
            whole = int(value)
        except (OverflowError, ValueError):
            return special_float(value)
        text = str(whole) if whole == value else f"{value:.6g}" if self.convert is None else self.convert(value)
        if len(self) < _CACHED and len(text) < _LONGEST_CACHED:
            self[value] = text
        return text


class Numbers(dict[str, float]):
    """Caches the numbers at the start of strings, because the same strings recur."""

    __slots__ = ()

    def __missing__(self, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = number_of_text(text)
        else:
            if value - value != 0.0 or "_" in text or not text.isascii():
                value = number_of_text(text)
        if len(self) < _CACHED and len(text) < _LONGEST_CACHED:
            self[text] = value
        return value


class Looks(dict[str, "float | None"]):
    """Caches the numbers that input strings look like; None for other strings."""

    __slots__ = ()

    def __missing__(self, text: str) -> float | None:
        value = looks_numeric(text)
        if len(self) < _CACHED and len(text) < _LONGEST_CACHED:
            self[text] = value
        return value


class Outside(dict[str, str]):
    """Caches input strings as values."""

    __slots__ = ()

    def __missing__(self, text: str) -> str:
        value = strnum(text)
        if len(self) < _CACHED and len(text) < _LONGEST_CACHED:
            self[text] = value
        return value


def _squared(base: float, exponent: int) -> float:
    made = 1.0
    while exponent > 1:
        if exponent & 1:
            made *= base
        base *= base
        exponent >>= 1
    return made * base if exponent else made


def power(base: float, exponent: float) -> float:
    """``base ^ exponent``: for a whole exponent by squaring, with the rounding of its steps, as in gawk."""
    if exponent == 2.0:
        return base * base
    if exponent == exponent // 1 and abs(exponent) < _MOST_SQUARED:
        made = _squared(base, abs(int(exponent)))
        return made if exponent >= 0 else 1.0 / made if made else math.inf
    try:
        return math.pow(base, exponent)
    except OverflowError:
        odd = base < 0 and exponent % 2 == 1
        return -math.inf if odd else math.inf
    except ValueError:
        return math.inf if base == 0 else math.copysign(math.nan, -1.0)


def modulo(left: float, right: float) -> float:
    """``left % right``, as fmod(3)."""
    if right == 0.0:
        raise AwkError("division by zero attempted in `%'", kind="error", status=1)
    try:
        return math.fmod(left, right)
    except ValueError:
        return math.copysign(math.nan, -1.0)
