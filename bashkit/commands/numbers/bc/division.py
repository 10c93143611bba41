"""Division and square roots of long integers by halves: in less than quadratic time, and with looks at the clock in between."""

from __future__ import annotations

from math import isqrt

from bashkit.limits import ask

_SHORT = 1 << 13  # bits of a number that Python divides by as fast


def divided(left: int, right: int) -> tuple[int, int]:
    """``divmod`` of two integers that are not negative (Burnikel and Ziegler, Fast Recursive Division, 1998)."""
    size = right.bit_length()
    if size <= _SHORT or left.bit_length() - size <= _SHORT:
        if left.bit_length() > _SHORT:
            ask(left.bit_length() >> 10)
        return divmod(left, right)
    found = rest = 0
    mask = (1 << size) - 1
    for place in range((left.bit_length() - 1) // size * size, -1, -size):
        part, rest = _two_by_one(rest << size | left >> place & mask, right, size)
        found = found << size | part
    return found, rest


def floored(left: int, right: int) -> int:
    """``left // right``, where ``right`` is positive."""
    if right.bit_length() <= _SHORT:
        return left // right
    if left >= 0:
        return divided(left, right)[0]
    found, rest = divided(-left, right)
    return -found - (rest > 0)


def _two_by_one(left: int, right: int, size: int) -> tuple[int, int]:
    """Divide by a number of so many bits, where the quotient has no more of them."""
    if left.bit_length() - size <= _SHORT:
        ask(size >> 10)
        return divmod(left, right)
    odd = size & 1
    left, right, size = left << odd, right << odd, size + odd
    half = size >> 1
    mask = (1 << half) - 1
    high, rest = _three_by_two(left >> size, left >> half & mask, right, half)
    low, rest = _three_by_two(rest, left & mask, right, half)
    return high << half | low, rest >> odd


def _three_by_two(left: int, last: int, right: int, half: int) -> tuple[int, int]:
    """Divide ``left`` followed by the ``half`` bits of ``last`` by a number of twice as many bits."""
    high, low = right >> half, right & (1 << half) - 1
    if left >> half == high:
        found, rest = (1 << half) - 1, left - (high << half) + high
    else:
        found, rest = _two_by_one(left, high, half)
    ask(half >> 8)
    rest = (rest << half | last) - found * low
    while rest < 0:
        found -= 1
        rest += right
    return found, rest


def root(number: int) -> int:
    """The square root of an integer that is not negative, cut off (Zimmermann, Karatsuba Square Root, 1999)."""
    if number.bit_length() <= _SHORT:
        return isqrt(number)
    shift = -number.bit_length() % 4 & ~1  # so that the first quarter of the bits is not less than a quarter of what it can be
    return _root(number << shift)[0] >> (shift >> 1)


def _root(number: int) -> tuple[int, int]:
    """The square root and what remains."""
    if number.bit_length() <= _SHORT:
        found = isqrt(number)
        return found, number - found * found
    quarter = number.bit_length() - 1 >> 2
    mask = (1 << quarter) - 1
    high, rest = _root(number >> 2 * quarter)
    part, rest = divided(rest << quarter | number >> quarter & mask, 2 * high)
    found = (high << quarter) + part
    rest = (rest << quarter) + (number & mask) - part * part
    if rest < 0:
        rest += 2 * found - 1
        found -= 1
    return found, rest
