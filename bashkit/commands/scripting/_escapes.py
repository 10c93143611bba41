"""Backslash escapes of the programs ``echo`` and ``printf``, which know others than the builtins of the shell."""

from __future__ import annotations

import re

from bashkit.limits import paced
from bashkit.syntax.escapes import byte, encode, recode

_SIMPLE = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,4})|x(?P<hex>[0-9A-Fa-f]{1,2})|(?P<code>u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})|(?P<letter>.))", re.DOTALL
)
_NAMED_BELOW = frozenset([0x24, 0x40, 0x60])  # characters below U+00A0 that have a universal character name (C11 6.4.3)


class EscapeError(Exception):
    """An escape that lacks its digits, or names no character; ``so_far`` is what was before it."""

    def __init__(self, message: str, so_far: str) -> None:
        super().__init__(message)
        self.so_far = so_far


def expand_echo(text: str) -> tuple[str, bool]:
    """``echo -e``: the text, and whether ``\\c`` ends it."""
    return _expand(text, zero=True, printf=False, octets=False)


def expand_printf(text: str, *, zero: bool = False, octets: bool = False) -> tuple[str, bool]:
    """A format, or with ``zero`` an argument of ``%b``, where an octal escape may have a zero before its three digits.

    Args:
        text: The format or the argument.
        zero: See above.
        octets: As in the C locale, which lacks characters beyond ASCII.

    Raises:
        EscapeError: As its name says.
    """
    return _expand(text, zero=zero, printf=True, octets=octets)


def _expand(text: str, *, zero: bool, printf: bool, octets: bool) -> tuple[str, bool]:
    if "\\" not in text:
        return text, False
    pieces: list[str] = []
    position = 0
    for match in paced(_ESCAPE.finditer(text)):
        pieces.append(text[position : match.start()])
        position = match.end()
        octal, hexadecimal, code, letter = match.groups()
        if octal:
            digits = octal if zero and octal[0] == "0" else octal[:3]
            pieces.append(byte(int(digits, 8) & 0xFF) + octal[len(digits) :])
        elif hexadecimal:
            pieces.append(byte(int(hexadecimal, 16)))
        elif letter == "c":
            return recode("".join(pieces)), True
        elif letter in _SIMPLE:
            pieces.append(_SIMPLE[letter])
        elif not printf:
            pieces.append(match[0])
        elif code:
            pieces.append(_character(code, pieces, octets=octets))
        elif letter in {"x", "u", "U"}:
            raise EscapeError("missing hexadecimal number in escape", recode("".join(pieces)))
        else:
            pieces.append(letter if letter == '"' else match[0])
    return recode("".join(pieces) + text[position:]), False


def _character(code: str, before: list[str], *, octets: bool) -> str:
    """The character of that code, or its name where there is none; what is beyond Unicode is no escape."""
    number = int(code[1:], 16)
    if (number < 0xA0 and number not in _NAMED_BELOW) or 0xD800 <= number < 0xE000:
        raise EscapeError(f"invalid universal character name \\{code}", recode("".join(before)))
    if number >= 0x110000:
        return f"\\{code}"
    if octets and number >= 0x80:
        return f"\\u{number:04X}" if number < 0x10000 else f"\\U{number:08X}"
    return encode(number)
