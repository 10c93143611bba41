"""Reads numbers from texts as the C library does (C11 7.22.1.3, 7.22.1.4); white space and digits are those of ASCII."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from bashkit.interp.arithmetic.decimals import context_of

_INTEGER = re.compile(r"[ \t-\r]*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_FLOAT = re.compile(
    r"[ \t-\r]*(?P<sign>[-+]?)(?:"
    r"0[xX](?=\.?[0-9a-f])(?P<hex>[0-9a-f]*)\.?(?P<hexpart>[0-9a-f]*)(?:p(?P<power>[-+]?[0-9]+))?"
    r"|(?P<word>inf)(?:inity)?|(?P<none>nan)(?:\([0-9a-z_]*\))?"
    r"|(?=\.?[0-9])(?P<whole>[0-9]*)\.?(?P<part>[0-9]*)(?:e(?P<exponent>[-+]?[0-9]+))?)",
    re.IGNORECASE | re.ASCII,
)
_MAX_EXPONENT = 4932  # of a C long double, of ten
_BINARY_EXPONENTS = range(-16382, 16384)  # of two
_CONTEXT = context_of(400)  # digits that a fraction is held with
_MANTISSA = 64  # bits of a C long double
_BEYOND = 999_999  # an exponent that none has
_KEPT = 2000  # digits of a fraction that are read, so that a long one costs little
_FIRST = 40  # digits of a number that are read: more than a machine word or a mantissa has


def strtoimax(text: str) -> tuple[int, int]:
    """Read the integer that a text begins with, decimal, or octal or hexadecimal by its prefix.

    Returns:
        The integer, which may be larger than a machine word, and where it ends in the text: 0 without one.
    """
    match = _INTEGER.match(text)
    if match is None:
        return 0, 0
    sign, digits = match.groups()
    if digits[:2] in {"0x", "0X"}:
        number = int(digits, 16)
    elif digits[0] == "0":
        number = int(digits, 8)
    else:
        number = int(digits[:_FIRST])  # the caller decides what is too large
    return (-number if sign == "-" else number), match.end()


def strtold(text: str) -> tuple[Decimal, int, bool]:
    """Read the floating-point number that a text begins with.

    Returns:
        The number that a C long double holds, where it ends in the text (0 without one), and whether it is in the range of one;
        if it is not, the number is infinite, or 0.
    """
    match = _FLOAT.match(text)
    if match is None:
        return Decimal(0), 0, True
    if match["word"] or match["none"]:
        value, fits = Decimal(match["word"] or match["none"]), True
    elif match["hex"] is not None:
        value, fits = _hexadecimal(match["hex"], match["hexpart"], match["power"] or "0")
    else:
        value, fits = _decimal(match["whole"], match["part"], match["exponent"] or "0")
    return value.copy_negate() if match["sign"] == "-" else value, match.end(), fits


def _exponent(digits: str) -> int:
    """A number that is added to an exponent."""
    negative = digits[0] == "-"
    significant = digits.lstrip("-+0") or "0"
    number = _BEYOND if len(significant) > len(str(_BEYOND)) else min(int(significant), _BEYOND)
    return -number if negative else number


def _decimal(whole: str, part: str, exponent: str) -> tuple[Decimal, bool]:
    digits = (whole + part).lstrip("0") if len(whole) + len(part) > _KEPT else whole + part
    value = Decimal(f"{digits[:_KEPT] or '0'}e{_exponent(exponent) + max(len(digits) - _KEPT, 0) - len(part)}")
    if not value:
        return Decimal(0), True
    if abs(value.adjusted()) > _MAX_EXPONENT:
        return Decimal(0 if value.adjusted() < 0 else "inf"), False
    numerator, denominator = value.as_integer_ratio()
    if numerator.bit_length() <= _MANTISSA and not denominator & (denominator - 1):
        return value, True
    return long_double(numerator, denominator), True


def _hexadecimal(whole: str, part: str, power: str) -> tuple[Decimal, bool]:
    digits = (whole + part).lstrip("0")
    number = int(digits[:_FIRST] or "0", 16)
    exponent = _exponent(power) + 4 * (max(len(digits) - _FIRST, 0) - len(part))
    if not number:
        return Decimal(0), True
    leading = exponent + number.bit_length() - 1
    if leading not in _BINARY_EXPONENTS:
        return Decimal(0 if leading < 0 else "inf"), False
    return long_double(*(number * Fraction(2) ** exponent).as_integer_ratio()), True


def long_double(numerator: int, denominator: int) -> Decimal:
    """The number that a C long double holds, exactly: it has a mantissa of 64 bits."""
    whole = numerator.bit_length() - denominator.bit_length()  # the power of two, or the one above it
    whole -= (numerator < denominator << whole) if whole >= 0 else (numerator << -whole < denominator)
    exponent = whole - _MANTISSA + 1
    mantissa = round(Fraction(numerator) / Fraction(2) ** exponent / denominator)
    if exponent >= 0:
        return Decimal(mantissa << exponent)
    return _CONTEXT.multiply(Decimal(mantissa), _CONTEXT.power(2, exponent))
