"""Writes floating-point numbers in hexadecimal notation (C11 7.21.6.1, ``%a``)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal


def hexadecimal(value: Decimal, precision: int | None) -> str:
    """``%a`` of a C long double: a 64-bit mantissa whose first digit is 8 or more.

    Args:
        value: The number.
        precision: How many digits follow the point; None for as many as are needed.
    """
    sign = "-" if value.is_signed() else ""
    if not value.is_finite():
        return sign + ("nan" if value.is_nan() else "inf")
    number = abs(Fraction(value))
    if not number:
        return f"{sign}0x0{'.' + '0' * precision if precision else ''}p+0"
    exponent = number.numerator.bit_length() - number.denominator.bit_length() - 64
    mantissa = round(number / Fraction(2) ** exponent)
    while mantissa >= 1 << 64:
        exponent += 1
        mantissa = round(number / Fraction(2) ** exponent)
    while mantissa < 1 << 63:
        exponent -= 1
        mantissa = round(number / Fraction(2) ** exponent)
    if precision is not None and precision < 15:
        drop = 4 * (15 - precision)
        mantissa = round(Fraction(mantissa, 1 << drop)) << drop
        if mantissa >= 1 << 64:
            mantissa, exponent = mantissa >> 4, exponent + 4
    digits = f"{mantissa:016x}"
    fraction = digits[1:].rstrip("0") if precision is None else digits[1:].ljust(precision, "0")[:precision]
    return f"{sign}0x{digits[0]}{'.' + fraction if fraction else ''}p{exponent + 60:+d}"


def hexadecimal_double(value: Decimal, precision: int | None) -> str:
    """``%a`` of a C double: the first digit is 1, or 0 where the number is too small for that.

    Args:
        value: The number.
        precision: As for ``hexadecimal``.
    """
    sign = "-" if value.is_signed() else ""
    if not value.is_finite():
        return sign + ("nan" if value.is_nan() else "inf")
    head, _, exponent = abs(float(value)).hex().partition("p")
    first, _, fraction = head[2:].partition(".")
    if precision is None:
        fraction = fraction.rstrip("0")
    else:
        mantissa = int(first + fraction.ljust(13, "0"), 16)
        if precision < 13:
            mantissa = round(Fraction(mantissa, 1 << 4 * (13 - precision)))
        digits = f"{mantissa:x}".rjust(min(precision, 13) + 1, "0")
        cut = len(digits) - min(precision, 13)
        first, fraction = digits[:cut], digits[cut:].ljust(precision, "0")
    return f"{sign}0x{first}{'.' + fraction if fraction else ''}p{exponent}"
