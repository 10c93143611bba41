"""Replaces backslash escapes in the format operands of several utilities (POSIX XBD 5, File Format Notation)."""

from __future__ import annotations

import re

_SIMPLE = {"\\": "\\", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", '"': '"'}
_ESCAPE = re.compile(r"\\(?:([0-7]{1,4})|x([0-9a-fA-F]{1,2})|(.))", re.DOTALL)


def unescape(text: str, *, octal_digits: int = 3) -> str:
    r"""Replace the escapes in ``text``; an unknown escape stays unchanged.

    Args:
        text: A text with ``\
``, ``\\101``, ``\\x41`` …
        octal_digits: The maximum digits of an octal escape.
    """

    def replace(match: re.Match[str]) -> str:
        octal, hexadecimal, letter = match.groups()
        if octal:
            return _character(int(octal[:octal_digits], 8)) + octal[octal_digits:]
        if hexadecimal:
            return _character(int(hexadecimal, 16))
        return _SIMPLE.get(letter, "\\" + letter)

    return _ESCAPE.sub(replace, text)


def _character(code: int) -> str:
    return bytes([code & 255]).decode("utf-8", "surrogateescape")
