"""Escape sequences in regular expressions and replacements of sed (GNU sed manual, Escapes)."""

from __future__ import annotations

import re

from bashkit.commands._notation.locale import joined
from bashkit.commands.patterns.sed.script import Case

_SIMPLE = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_NUMERIC = {"d": (10, 3), "o": (8, 3), "x": (16, 2)}
_BRACKETS = re.compile(r"((?<!\\)\[\^?\]?(?:\[:[a-z]*:\]|[^]])*\])")


def control(text: str, index: int) -> tuple[str, int] | None:
    """The character of the escape whose letter is at ``index``, and the index after it; None for an unknown escape."""
    letter = text[index]
    if letter in _SIMPLE:
        return _SIMPLE[letter], index + 1
    if letter == "c" and index + 1 < len(text):
        doubled = text.startswith("\\\\", index + 1)
        return chr(ord(text[index + 1].upper()) ^ 0x40), index + 2 + doubled
    if letter in _NUMERIC:
        base, most = _NUMERIC[letter]
        end = index + 1
        while end < len(text) and end <= index + most and _is_digit(text[end], base):
            end += 1
        if end > index + 1:
            return bytes([int(text[index + 1 : end], base) & 255]).decode("utf-8", "surrogateescape"), end
    return None


def _is_digit(char: str, base: int) -> bool:
    return char in "0123456789abcdefABCDEF"[: base if base < 16 else 22]


def convert(pattern: str, *, posix: bool = False, octets: bool = False) -> str:
    r"""Replace the escapes of a regular expression that its dialect does not support; ``\b`` stays a word boundary.

    Args:
        pattern: The expression.
        posix: Whether a backslash inside brackets is literal.
        octets: Each byte is a character.
    """
    if posix and "[" in pattern:
        return "".join(part if part.startswith("[") else convert(part, octets=octets) for part in _BRACKETS.split(pattern))
    pieces: list[str] = []
    index = 0
    while index < len(pattern):
        char = pattern[index]
        index += 1
        if char == "\\" and index < len(pattern):
            found = control(pattern, index)
            if found is None:
                char += pattern[index]
                index += 1
            else:
                char, index = found
        pieces.append(char)
    text = "".join(pieces)
    return text if octets else joined(text)


def split_replacement(text: str, *, posix: bool = False) -> tuple[str | int | Case, ...]:
    """Split a replacement into text, numbers of groups and changes of case (which POSIX does not have)."""
    parts: list[str | int | Case] = []
    plain: list[str] = []

    def flush() -> None:
        if plain:
            parts.append("".join(plain))
            plain.clear()

    index = 0
    while index < len(text):
        char = text[index]
        index += 1
        if char == "&":
            flush()
            parts.append(0)
        elif char != "\\" or index >= len(text):
            plain.append(char)
        elif text[index] in "0123456789":
            flush()
            parts.append(int(text[index]))
            index += 1
        elif text[index] in "LUluE" and not posix:
            flush()
            parts.append(Case(text[index]))
            index += 1
        else:
            found = control(text, index)
            if found is not None:
                char, index = found
                plain.append(char)
            else:
                plain.append(text[index])
                index += 1
    flush()
    return tuple(parts)
