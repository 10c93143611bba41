"""The order of names with numbers in them: ``sort -V``, ``ls -v`` (GNU coreutils manual, Version sort ordering)."""

from __future__ import annotations

import re

from bashkit.limits import paced, turn

_PART = re.compile(rb"([^0-9]*)([0-9]*)")
_SUFFIX = re.compile(rb"[A-Za-z~][A-Za-z0-9~]*+")  # between two dots, or behind the last
_LONG = 4096  # bytes of a name that has many parts


def _rank(byte: int) -> tuple[int, int]:
    """Where a character that is no digit comes: ``~``, then the end of the text, then letters, then all others."""
    char = chr(byte)
    return (0, 0) if char == "~" else (2, byte) if byte < 128 and char.isalpha() else (3, byte)


_END, _LAST = b"\2", b"\0"  # of the text before a number, and of a key whose suffix counts only if the rest is equal
_RANKED = sorted((byte for byte in range(256) if not chr(byte).isdecimal() or byte > 127), key=_rank)
_CODES = bytes(1 if byte == 126 else 2 + _RANKED.index(byte) if byte in _RANKED else 0 for byte in range(256))


def _parts(key: bytes) -> bytes:
    """Bytes that compare as the texts and the numbers of a key do: a number comes after its length."""
    parts = bytearray()
    found = _PART.findall(key) if len(key) < _LONG else (part.groups() for part in paced(_PART.finditer(key)))
    for text, digits in found:
        if text or digits:
            significant = digits.lstrip(b"0")
            length = len(significant)
            parts += text.translate(_CODES) + _END + (bytes((length,)) if length < 255 else b"\xff" + length.to_bytes(8, "big"))
            parts += significant
    return bytes(parts + _END + b"\0")


def version_key(key: bytes) -> bytes:
    """Bytes that compare as two names do: digits by value, a file suffix only if the rest is equal."""
    special = {b"": 0, b".": 1, b"..": 2}.get(key)
    if special is not None:
        return bytes((special,))
    place = len(key)
    while (dot := key.rfind(b".", 0, place)) >= 0 and _SUFFIX.fullmatch(key, dot + 1, place):
        place = dot
        turn()
    first = b"\3" if key.startswith(b".") else b"\4"
    if place == len(key):
        return first + _parts(key) + _LAST
    return first + _parts(key[:place]) + _LAST + _parts(key)
