"""Reads the numbers on command lines: of any length, and never more than a machine word holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.syntax.digits import SPACE, is_digits

if TYPE_CHECKING:
    from bashkit.limits import Budget

MOST = (1 << 63) - 1  # of a 64-bit word; what counts beyond it
MOST_UNSIGNED = (1 << 64) - 1  # of one without a sign
_SAFE = 18  # digits of numbers that are certainly below it
_TELLING = 21  # digits of a number that is certainly beyond 64 bits


def clamped(digits: str) -> int:
    """The number that decimal digits spell, maybe behind white space and a sign.

    One beyond 64 bits becomes the largest, or the smallest. Python's ``int`` takes time that grows with the square of the digits,
    and refuses more than some thousands of them.

    Raises:
        ValueError: They are no digits.
    """
    number = digits.lstrip(SPACE)
    unsigned = number[1:] if number[:1] in {"+", "-"} else number
    if not is_digits(unsigned):
        raise ValueError(digits)
    if len(number) <= _SAFE:
        return int(number)
    significant = unsigned.lstrip("0") or "0"
    size = MOST if len(significant) > _SAFE + 1 else min(int(significant), MOST)
    return -size if number[0] == "-" else size


def is_count(text: str) -> bool:
    """Whether a text is a number without a sign as strtoumax(3) reads it: white space and a plus sign may stand before it."""
    return is_digits(text.lstrip(SPACE).removeprefix("+"))


def unclamped(text: str) -> int:
    """The number that a text without a sign spells; of one beyond 64 bits no more digits are read than tell so.

    Raises:
        ValueError: It spells none.
    """
    if not is_count(text):
        raise ValueError(text)
    return int(text.lstrip(SPACE).removeprefix("+").lstrip("0")[:_TELLING] or "0")


def width(digits: str, budget: Budget) -> int:
    """A width or precision to which text is filled up: asks the budget for a string of that length.

    Raises:
        LimitExceededError: Such a string would be too long.
    """
    number = clamped(digits)
    budget.string(abs(number))
    return number
