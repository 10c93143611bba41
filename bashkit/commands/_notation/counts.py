"""Reads the numbers on command lines: of any length, and never more than a machine word holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.limits import Budget

MOST = (1 << 63) - 1  # of a 64-bit word; what counts beyond it
_SAFE = 18  # digits of numbers that are certainly below it


def clamped(digits: str) -> int:
    """The number that decimal digits spell, with or without a sign; one beyond 64 bits becomes the largest, or the smallest.

    Python's ``int`` takes time that grows with the square of the digits, and refuses more than some thousands of them.

    Raises:
        ValueError: They are no digits.
    """
    if len(digits) <= _SAFE:
        return int(digits)
    sign = -1 if digits.startswith("-") else 1
    significant = digits.strip().lstrip("+-").lstrip("0")
    if not (significant or "0").isdecimal():
        raise ValueError(digits)
    return sign * (MOST if len(significant) > _SAFE + 1 else min(int(significant or "0"), MOST))


def width(digits: str, budget: Budget) -> int:
    """A width or precision to which text is filled up: asks the budget for a string of that length.

    Raises:
        LimitExceededError: Such a string would be too long.
    """
    number = clamped(digits)
    budget.string(abs(number))
    return number
