"""The functions of ``bc -l``: sine, cosine, arc tangent, logarithm, exponential and Bessel (POSIX XCU bc).

They compute with integers of more decimals than requested and cut the result. Sine and cosine are as exact as those of GNU bc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.numbers.bc.division import floored, root
from bashkit.commands.numbers.bc.numbers import Arithmetic, Num, cut, raised, rescale

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.limits import Budget

_WEIGHT = 256  # bytes charged per digit: two numbers are multiplied in one step
_GUARD = 12  # extra decimals of the computation


class Functions:
    """The functions at a given scale.

    Args:
        scale: Decimals of the results.
        budget: Charged for the terms of the series.
    """

    def __init__(self, scale: int, budget: Budget) -> None:
        self._scale = scale
        self._budget = budget
        self._arithmetic = Arithmetic(budget)
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

    def _quarter(self, scale: int) -> Num:
        """A quarter of pi, cut to ``scale`` decimals."""
        self._deeper(max(scale + _GUARD - self._digits, 0))
        return Num(cut(self._pi() // 4, self._digits - scale), scale)

    def _sine(self, number: Num, scale: int) -> Num:
        """The sine as GNU bc has it: with few decimals of its own, which show in the last one or two of the result."""
        own, arithmetic = scale * 11 // 10 + 2, self._arithmetic
        quarter = self._quarter(own)
        sign, x = (-1, Num(-number.digits, number.scale)) if number.digits < 0 else (1, number)
        halves = (arithmetic.divide(x, quarter, 0).digits + 2) // 4
        if halves:
            x = arithmetic.subtract(x, Num(4 * halves * quarter.digits, own))
        square = arithmetic.multiply(x, Num(-x.digits, x.scale), own)
        total, term, count = x, x, 1
        while term.digits:
            count += 2
            term = arithmetic.multiply(term, arithmetic.divide(square, Num(count * (count - 1)), own), own)
            total = arithmetic.add(total, term)
            self._budget.tick(1 + (max(own, x.scale) >> 5))
        return rescale(Num(-sign * total.digits if halves % 2 else sign * total.digits, total.scale), scale)

    def sine(self, number: Num) -> Num:
        """``s(x)``."""
        return self._sine(number, self._scale)

    def cosine(self, number: Num) -> Num:
        """``c(x)``: the sine of an angle that is a quarter of a turn larger, with a fifth more decimals."""
        scale = self._scale * 12 // 10
        right = Num(2 * self._quarter(scale).digits, scale)
        return rescale(self._sine(self._arithmetic.add(number, right), scale), self._scale)

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
