"""Writes numbers into fields as printf(3) does (C11 7.21.6.1)."""

from __future__ import annotations

import re
from decimal import localcontext
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.decimals import context_of
from bashkit.interp.arithmetic.hexadecimal import hexadecimal, hexadecimal_double

if TYPE_CHECKING:
    from decimal import Decimal

_WORD = 0xFFFFFFFFFFFFFFFF
_CONTEXT = context_of(28)  # its digits do not count: a format is exact, and rounds as the context says


def integer_field(number: int, kind: str, flags: str, width: int, precision: int | None) -> str:
    """Write an integer for one of the conversions ``d i o u x X``."""
    signed = kind in "di"
    if not signed and number < 0:
        number &= _WORD
    digits = {"o": "o", "x": "x", "X": "X"}.get(kind, "d")
    body = format(abs(number), digits)
    if precision is not None:
        body = body.zfill(precision) if precision or number else ""
    prefix = ""
    if "#" in flags and kind == "o" and not body.startswith("0"):
        prefix = "0"
    elif "#" in flags and number:
        prefix = {"x": "0x", "X": "0X"}.get(kind, "")
    sign = "-" if number < 0 else "+" if "+" in flags and signed else " " if " " in flags and signed else ""
    head = sign + prefix
    if "0" in flags and "-" not in flags and precision is None:
        body = body.zfill(width - len(head))
    return pad(head + body, flags, width)


def floating_field(value: Decimal, kind: str, flags: str, width: int, precision: int | None, *, double: bool = False) -> str:
    """Write a number for one of the conversions ``e E f F g G a A``.

    Args:
        value: The number.
        kind: The conversion.
        flags: Of ``-+ #0``.
        width: Of the field.
        precision: None where none is given.
        double: It is a C double, not a long double: ``%a`` shows the difference.
    """
    if kind in "aA":
        text = (hexadecimal_double if double else hexadecimal)(value, precision)
        text = text.upper() if kind == "A" else text
    elif not value.is_finite():
        text = ("nan" if value.is_nan() else "inf").upper() if kind.isupper() else ("nan" if value.is_nan() else "inf")
        text = "-" + text if value.is_signed() else text
    else:
        with localcontext(_CONTEXT):
            text = _decimal_text(value, 6 if precision is None else precision, kind, "#" if "#" in flags else "")
    if text[0] != "-" and "+" in flags:
        text = "+" + text
    elif text[0] != "-" and " " in flags:
        text = " " + text
    if "0" in flags and "-" not in flags and value.is_finite():
        head = len(text[0].strip("0123456789.")) + 2 * (kind in "aA")  # the sign and 0x
        text = text[:head] + text[head:].zfill(width - head)
    return pad(text, flags, width)


def pad(text: str, flags: str, width: int) -> str:
    """Fill a text up to a width."""
    if len(text) >= width:
        return text
    return text.ljust(width) if "-" in flags else text.rjust(width)


def _decimal_text(value: Decimal, precision: int, kind: str, alternative: str) -> str:
    lower = kind.lower()
    if lower == "g" and value:
        text = _general(value, precision or 1, trimmed=not alternative)
    elif lower == "g":
        text = format(float(value), f"{alternative}.{precision or 1}g")
    else:
        text = format(value, f".{precision}{lower}") if value else format(float(value), f".{precision}{lower}")
    if lower in "eg":
        text = re.sub(r"e([+-])(\d)$", r"e\g<1>0\2", text)
    if alternative and lower != "g" and precision == 0:
        text = text.replace("e", ".e") if lower == "e" else text + "."
    return text.upper() if kind.isupper() else text


def _general(value: Decimal, digits: int, *, trimmed: bool) -> str:
    """``%g``: so many significant digits, without an exponent where that is shorter.

    Args:
        value: The number, not 0.
        digits: How many.
        trimmed: Drop zeros at the end of the fraction.
    """
    text = format(value, f".{digits - 1}e")
    exponent = int(text.partition("e")[2])
    if -5 < exponent < digits:
        text = format(value, f".{digits - 1 - exponent}f")
    if not trimmed:
        return text if "." in text else text.replace("e", ".e") if "e" in text else text + "."
    mantissa, mark, rest = text.partition("e")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + mark + rest
