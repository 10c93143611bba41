"""Decimal numbers of any length with the scales of bc (POSIX XCU bc, Operations): whole integers, cut and never rounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bashkit.commands._notation.counts import MOST
from bashkit.commands.numbers.bc.division import divided, root
from bashkit.limits import ask
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.limits import Budget

_CHUNK = 4000  # digits that Python converts without a limit
_WEIGHT = 64  # bytes charged per digit, because arithmetic on long numbers cannot be interrupted
_BITS_PER_DIGIT = 3.33
_LONG_BITS = 1 << 16  # of a power that takes a noticeable time
_DIGITS = "0123456789ABCDEF"
_READ = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # digits of numbers that are read


class Num(NamedTuple):
    """A number: ``digits`` divided by ten to the power of ``scale``."""

    digits: int
    scale: int = 0


ZERO, ONE = Num(0), Num(1)


def from_text(text: str) -> int:
    """Convert decimal digits to an integer of any length."""
    if len(text) <= _CHUNK:
        return int(text or "0")
    half = len(text) // 2
    ask(half >> 4)
    return from_text(text[:-half]) * raised(10, half) + from_text(text[-half:])


def to_text(value: int) -> str:
    """Convert an integer that is not negative to decimal digits."""
    size = int(value.bit_length() / _BITS_PER_DIGIT) + 1
    if size <= _CHUNK:
        return str(value)
    half = size // 2
    high, low = divided(value, raised(10, half))
    return to_text(high) + to_text(low).rjust(half, "0")


def cut(value: int, places: int) -> int:
    """Remove the last decimal places of ``value``, towards zero."""
    if not places:
        return value
    unit = raised(10, abs(places))
    return value * unit if places < 0 else quotient(value, unit)


def raised(base: int, exponent: int) -> int:
    """``base ** exponent``; where that is long, the clock is looked at in between."""
    if base.bit_length() * exponent <= _LONG_BITS:
        power: int = base**exponent
        return power
    half = raised(base, exponent >> 1)
    ask(half.bit_length() >> 7)
    return half * half * base if exponent & 1 else half * half


def rescale(number: Num, scale: int) -> Num:
    """Change the number of decimals; further ones are cut off."""
    return number if number.scale == scale else Num(cut(number.digits, number.scale - scale), scale)


def quotient(left: int, right: int) -> int:
    """``left / right``, towards zero."""
    if left >= 0 and right > 0:
        return divided(left, right)[0]
    found = divided(abs(left), abs(right))[0]
    return found if (left < 0) == (right < 0) else -found


class Arithmetic:
    """The operations, each with the scale of its result.

    Args:
        budget: Charged before long numbers are made.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def room(self, digits: float) -> None:
        """Charge the budget for a number with so many digits."""
        if digits > _CHUNK:
            self._budget.string(int(min(digits, 1e15)) * _WEIGHT)
            self._budget.tick(int(digits) >> 4)

    def _size(self, number: Num) -> float:
        return number.digits.bit_length() / _BITS_PER_DIGIT + number.scale

    def add(self, left: Num, right: Num) -> Num:
        """``left + right``, with the larger scale."""
        if left.scale == right.scale:
            return Num(left.digits + right.digits, left.scale)
        scale = max(left.scale, right.scale)
        return Num(rescale(left, scale).digits + rescale(right, scale).digits, scale)

    def subtract(self, left: Num, right: Num) -> Num:
        """``left - right``."""
        return self.add(left, Num(-right.digits, right.scale))

    def multiply(self, left: Num, right: Num, scale: int) -> Num:
        """``left * right``, with at most the decimals of both, and at least those of the longer one and ``scale``."""
        self.room(self._size(left) + self._size(right))
        exact = Num(left.digits * right.digits, left.scale + right.scale)
        return rescale(exact, min(exact.scale, max(scale, left.scale, right.scale)))

    def divide(self, left: Num, right: Num, scale: int) -> Num:
        """``left / right`` with ``scale`` decimals.

        Raises:
            ZeroDivisionError: ``right`` is 0.
        """
        self.room(self._size(left) + scale + right.scale)
        if not right.digits:
            raise ZeroDivisionError
        shift = scale + right.scale - left.scale
        if shift >= 0:
            return Num(quotient(cut(left.digits, -shift), right.digits), scale)
        return Num(quotient(left.digits, cut(right.digits, shift)), scale)

    def modulo(self, left: Num, right: Num, scale: int) -> Num:
        """``left % right``: the remainder of a division with ``scale`` decimals."""
        found = self.divide(left, right, scale)
        product = Num(found.digits * right.digits, found.scale + right.scale)
        return rescale(self.subtract(left, product), max(left.scale, product.scale))

    def power(self, base: Num, exponent: int, scale: int) -> Num:
        """``base ^ exponent``.

        Raises:
            OverflowError: The exponent is too large.
        """
        size = abs(exponent)
        if size >= MOST:
            raise OverflowError
        self.room(self._size(base) * size if base.digits not in (-1, 0, 1) or base.scale else 1)
        self.room(base.scale * size)
        if exponent < 0:
            return self.divide(ONE, Num(raised(base.digits, size), base.scale * size), scale)
        exact = Num(raised(base.digits, size), base.scale * size)
        return rescale(exact, min(exact.scale, max(scale, base.scale)))

    def root(self, number: Num, scale: int) -> Num:
        """The square root, with the larger of ``scale`` and the number's own scale; those of 0 and 1 are whole.

        Raises:
            ValueError: It is negative.
        """
        if number.digits < 0:
            raise ValueError
        for whole in (ZERO, ONE):
            if compare(number, whole) == 0:
                return whole
        places = max(scale, number.scale)
        self.room(self._size(number) + 2 * places)
        return Num(root(rescale(number, 2 * places).digits), places)


def compare(left: Num, right: Num) -> int:
    """Compare two numbers: -1, 0 or 1."""
    first, second = left.digits, right.digits
    if left.scale != right.scale:
        scale = max(left.scale, right.scale)
        first, second = rescale(left, scale).digits, rescale(right, scale).digits
    return (first > second) - (first < second)


def length(number: Num) -> int:
    """The number of significant digits."""
    return max(len(to_text(abs(number.digits))), number.scale) if number.digits else max(number.scale, 1)


def parse_number(text: str, base: int) -> Num:
    """Parse a constant; digits beyond the base count as its highest digit if there are several (GNU bc manual, Numbers)."""
    whole, _, fraction = text.partition(".")
    if base == 10 and is_digits(whole + fraction):
        return Num(from_text(whole + fraction), len(fraction))
    if len(whole) == 1 and not fraction:
        return Num(_READ.index(whole))
    lower = str.maketrans(dict.fromkeys(_READ[base:], _READ[base - 1]))
    value, numerator = (_from_base(part.translate(lower), base) for part in (whole, fraction))
    scale = len(fraction)
    unit = raised(10, scale)
    return Num(value * unit + quotient(numerator * unit, raised(base, scale)), scale)


def _from_base(text: str, base: int) -> int:
    """Convert digits of a base to an integer, by halves to avoid quadratic time for long numbers."""
    if len(text) <= _CHUNK:
        return int(text or "0", base)
    half = len(text) // 2
    ask(half >> 4)
    return _from_base(text[:-half], base) * raised(base, half) + _from_base(text[-half:], base)


def show(number: Num, base: int) -> str:
    """Write a number in an output base as bc does."""
    if not number.digits:
        return "0"
    sign = "-" if number.digits < 0 else ""
    digits, scale = abs(number.digits), number.scale
    if base == 10:
        text = to_text(digits).rjust(scale + 1, "0")
        whole, fraction = text[: len(text) - scale], text[len(text) - scale :]
        return sign + (whole if whole != "0" or not scale else "") + ("." + fraction if scale else "")
    unit = raised(10, scale)
    whole_value, rest = divided(digits, unit)
    shown = _in_base(whole_value, base) if whole_value or not scale else ""
    places: list[int] = []
    weight = 1
    step = 1 + (unit.bit_length() >> 12)
    while weight < unit:
        ask(step)
        digit, rest = divmod(rest * base, unit)
        places.append(digit)
        weight *= base
    return sign + shown + ("." + _digits(places, base).removeprefix(" ") if places else "")


def _in_base(value: int, base: int) -> str:
    """The digits of an integer in a base, by halves to avoid quadratic time for long numbers."""
    places: list[int] = []
    if value < base**64:
        while value:
            value, digit = divmod(value, base)
            places.append(digit)
        return _digits(places[::-1] or [0], base)
    count = 64
    while raised(base, count * 2) <= value:
        count *= 2
    high, low = divided(value, raised(base, count))
    width = 1 if base <= len(_DIGITS) else len(str(base - 1)) + 1
    tail = _in_base(low, base) if low else ""
    missing = count - len(tail) // width
    return _in_base(high, base) + _digits([0] * missing, base) + tail


def _digits(places: list[int], base: int) -> str:
    """Write the digits of a base; above 16, each is a decimal number after a blank."""
    if base <= len(_DIGITS):
        return "".join(_DIGITS[digit] for digit in places)
    width = len(str(base - 1))
    return "".join(f" {digit:0{width}}" for digit in places)
