"""The functions of ``bc -l``: sine, cosine, arc tangent, logarithm, exponential and Bessel (POSIX XCU bc).

They compute with integers of more decimals than requested and cut the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.numbers.bc.division import floored, root
from bashkit.commands.numbers.bc.numbers import Num, cut, length, raised, rescale

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.limits import Budget

_WEIGHT = 256  # bytes charged per digit: two numbers are multiplied in one step
_GUARD = 12  # extra decimals of the computation
_LONGEST_TURN = 4000  # digits of an angle that are reduced exactly


class Functions:
    """The functions at a given scale.

    Args:
        scale: Decimals of the results.
        budget: Charged for the terms of the series.
    """

    def __init__(self, scale: int, budget: Budget) -> None:
        self._scale = scale
        self._budget = budget
        self._digits = 0
        self._deeper(scale + _GUARD)

    def _series(self, term: int, step: Callable[[int, int], int]) -> int:
        """The sum of terms until they vanish."""
        total, count = 0, 0
        while term:
            total += term
            count += 1
            self._budget.tick(1 + (self._digits >> 5))
            term = step(term, count)
        return total

    def _fixed(self, number: Num) -> int:
        return rescale(number, self._digits).digits

    def _result(self, value: int) -> Num:
        return Num(cut(value, _GUARD), self._scale)

    def _deeper(self, digits: int) -> None:
        """Functions with more decimals."""
        self._digits += digits
        self._budget.string(self._digits * _WEIGHT)
        self._unit = raised(10, self._digits)

    def exponential(self, number: Num) -> Num:
        """``e(x)``."""
        whole = cut(abs(number.digits), number.scale)
        extra = min(whole, 1 << 40) * 10 // 23 + 2
        self._deeper(extra)
        x, unit = self._fixed(number), self._unit
        inverted, x = x < 0, abs(x)
        halvings = max(x.bit_length() - unit.bit_length(), 0) + 8
        small = x >> halvings
        value = self._series(unit, lambda term, count: floored(term * small, unit) // count)
        for _ in range(halvings):
            value = floored(value * value, unit)
        if inverted:
            value = floored(unit * unit, value)
        return Num(cut(value, self._digits - self._scale), self._scale)

    def logarithm(self, number: Num) -> Num:
        """``l(x)``; without a logarithm, the most negative number of the scale."""
        if number.digits <= 0:
            unit = raised(10, self._scale)
            return Num((1 - unit) * unit, self._scale)
        self._deeper(number.scale + 4)
        unit = self._unit
        x = self._fixed(number)
        twos = x.bit_length() - unit.bit_length()
        x = x >> twos if twos >= 0 else x << -twos
        value = self._area(x) + twos * self._area(2 * unit)
        return Num(cut(value, self._digits - self._scale), self._scale)

    def _area(self, x: int) -> int:
        """The logarithm of ``x`` near 1, as twice the inverse hyperbolic tangent."""
        unit = self._unit
        ratio = floored((x - unit) * unit, x + unit)
        square = floored(ratio * ratio, unit)
        total, power, odd = 0, ratio, 1
        while power not in (0, -1):
            total += power // odd
            power = floored(power * square, unit)
            odd += 2
            self._budget.tick(1 + (self._digits >> 5))
        return 2 * total

    def _pi(self) -> int:
        """Pi by Machin's formula."""
        return 4 * (4 * self._inverse(5) - self._inverse(239))

    def _inverse(self, whole: int) -> int:
        """The arc tangent of ``1 / whole``."""
        total, power, odd, sign = 0, self._unit // whole, 1, 1
        while power:
            total += sign * (power // odd)
            power //= whole * whole
            self._budget.tick(1 + (self._digits >> 8))
            odd, sign = odd + 2, -sign
        return total

    def _wave(self, x: int, first: int) -> int:
        """The series of the sine (``first`` 1) or cosine (0)."""
        square = floored(x * x, self._unit)
        term = x if first else self._unit
        total, count = 0, first
        while term:
            total += term
            term = -cut(term * square, self._digits) if term > 0 else cut(-term * square, self._digits)
            count += 2
            term = term // (count * (count - 1)) if term > 0 else -(-term // (count * (count - 1)))
            self._budget.tick(1 + (self._digits >> 5))
        return total

    def _reduced(self, number: Num) -> int:
        """Reduce an angle to the range from minus to plus pi."""
        self._deeper(min(length(Num(cut(abs(number.digits), number.scale))), _LONGEST_TURN) + 2)
        turn = 2 * self._pi()
        x = self._fixed(number)
        return x - turn * floored(x + turn // 2, turn)

    def sine(self, number: Num) -> Num:
        """``s(x)``."""
        x = self._reduced(number)
        return Num(cut(self._wave(x, 1), self._digits - self._scale), self._scale)

    def cosine(self, number: Num) -> Num:
        """``c(x)``."""
        x = self._reduced(number)
        return Num(cut(self._wave(x, 0), self._digits - self._scale), self._scale)

    def arctangent(self, number: Num) -> Num:
        """``a(x)``."""
        unit = self._unit
        x = self._fixed(number)
        sign, x = (-1, -x) if x < 0 else (1, x)
        inverted = x > unit
        if inverted:
            x = floored(unit * unit, x)
        fold = 0
        while x * 10 > unit:  # halve the angle until the series is short
            hypotenuse = root(unit * unit + x * x)
            self._budget.tick(1 + (self._digits >> 5))
            x = floored(x * unit, unit + hypotenuse)
            fold += 1
        square = floored(x * x, unit)
        total, power, odd, alternate = 0, x, 1, 1
        while power:
            total += alternate * (power // odd)
            power = floored(power * square, unit)
            odd, alternate = odd + 2, -alternate
            self._budget.tick(1 + (self._digits >> 5))
        total <<= fold
        if inverted:
            total = self._pi() // 2 - total
        return self._result(sign * total)

    def bessel(self, order: int, number: Num) -> Num:
        """``j(n, x)``."""
        sign = -1 if order < 0 and order % 2 else 1
        order = abs(order)
        whole = cut(abs(number.digits), number.scale)
        self._deeper(min(whole, 1 << 40) + min(order, 1 << 40) // 4 + 4)
        half = self._fixed(number) // 2
        term = self._unit
        for count in range(1, order + 1):
            self._budget.tick(1 + (self._digits >> 5))
            term = floored(term * half, self._unit) // count
        square = floored(half * half, self._unit)
        total, count = 0, 0
        while term not in (0, -1):
            total += term
            count += 1
            term = -floored(term * square, self._unit) // (count * (count + order))
            self._budget.tick(1 + (self._digits >> 5))
        return Num(cut(sign * total, self._digits - self._scale), self._scale)
