"""The values of awk: numbers, strings, strings that look like numbers, and nothing yet (POSIX XCU awk, Expressions).

A number is a ``float``, a string a ``str``. A numeric string (a field, a line of ``getline``, …) is a StrNum when it looks like
a number and a plain ``str`` when it does not. What was never assigned is UNINIT, which arithmetic takes for 0.
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
_CACHED = 50_000  # entries of a table
_LONGEST_CACHED = 32  # characters of a string in a table


class Uninitialized(float):
    """The value of a variable that nothing was assigned to."""

    __slots__ = ()


UNINIT = Uninitialized(0.0)


class StrNum(str):
    """A string from outside that looks like a number.

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


class Array(dict[str, "Value"]):
    """An associative array; asking for an element makes it."""

    __slots__ = ()

    def __missing__(self, key: str) -> float:
        self[key] = UNINIT
        return UNINIT

    def __hash__(self) -> int:  # type: ignore[override]  # an array is itself, whatever it holds
        return id(self)


Value = float | str | Array


def looks_numeric(text: str) -> float | None:
    """The number that the whole of ``text`` spells, blanks around it aside; None when it spells none."""
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
    """A text from outside as a value."""
    value = looks_numeric(text)
    if value is None:
        return text
    made = StrNum(text)
    made.number = value
    return made


def number_of_text(text: str) -> float:
    """The number a string begins with, 0 without one (POSIX XCU awk: atof(3))."""
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
    """Any value as a number."""
    kind = value.__class__
    if kind is float:
        return value  # type: ignore[return-value]  # its class was just asked
    if kind is str or kind is Strong:
        return number_of_text(value)  # type: ignore[arg-type]  # as above
    if isinstance(value, StrNum):
        return value.number
    if value is UNINIT:
        return 0.0
    if isinstance(value, dict):
        raise array_as_scalar()
    return float(value)


def array_as_scalar(name: str = "") -> AwkError:
    """The complaint about an array where a value is needed."""
    return AwkError(f"attempt to use array `{name}' in a scalar context" if name else "attempt to use array in a scalar context")


def truth(text: str) -> bool:
    """Whether a text from outside is true: a number that is not 0, or a string that is not empty."""
    value = looks_numeric(text)
    return bool(text) if value is None else value != 0.0


def special_float(value: float) -> str:
    """Infinity and not-a-number as gawk writes them."""
    sign = "-" if math.copysign(1.0, value) < 0 else "+"
    return sign + ("inf" if value in (math.inf, -math.inf) else "nan")


class NumberTexts(dict[float, str]):
    """The texts of numbers, made by CONVFMT or OFMT when they are no integers.

    Args:
        convert: Formats a number that is none.
    """

    __slots__ = ("convert",)

    def __init__(self, convert: Callable[[float], str] | None = None) -> None:
        super().__init__()
        self.convert = convert

    def set_format(self, convert: Callable[[float], str] | None) -> None:
        """Change the format; None is ``%.6g``."""
        self.convert = convert
        self.clear()

    def __missing__(self, value: float) -> str:
        if not value:  # 0 stays out: it would be found for UNINIT too
            return "" if value is UNINIT else "0"
        try:
            whole = int(value)
        except (OverflowError, ValueError):
            return special_float(value)
        text = str(whole) if whole == value else f"{value:.6g}" if self.convert is None else self.convert(value)
        if len(self) < _CACHED:
            self[value] = text
        return text


class Numbers(dict[str, float]):
    """The numbers that strings begin with, kept: the same ones come again and again."""

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
    """The numbers that strings from outside look like, kept; None where they look like none."""

    __slots__ = ()

    def __missing__(self, text: str) -> float | None:
        value = looks_numeric(text)
        if len(self) < _CACHED and len(text) < _LONGEST_CACHED:
            self[text] = value
        return value


class Outside(dict[str, str]):
    """Strings from outside as values, kept."""

    __slots__ = ()

    def __missing__(self, text: str) -> str:
        value = strnum(text)
        if len(self) < _CACHED and len(text) < _LONGEST_CACHED:
            self[text] = value
        return value


def power(base: float, exponent: float) -> float:
    """``base ^ exponent``."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        odd = base < 0 and exponent % 2 == 1
        return -math.inf if odd else math.inf
    except ValueError:
        return math.inf if base == 0 else math.copysign(math.nan, -1.0)


def modulo(left: float, right: float) -> float:
    """``left % right`` as fmod(3)."""
    if right == 0.0:
        raise AwkError("division by zero attempted in `%'", kind="error", status=1)
    try:
        return math.fmod(left, right)
    except ValueError:
        return math.copysign(math.nan, -1.0)
