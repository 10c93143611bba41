"""Writes sizes for people, such as ``1.5K``, and parses block sizes (GNU coreutils manual, Block size)."""

from __future__ import annotations

import re

from bashkit.commands._notation.counts import clamped

_LETTERS = "KMGTPEZY"
_BLOCK_SIZE = re.compile(r"(\d*)([kKMGTPEZYb]?)(iB|B)?")


def human(size: int, base: int = 1024) -> str:
    """Write a size with at most three digits and a letter, rounded up as ``ls -h`` and ``du -h`` do.

    Args:
        size: Bytes.
        base: 1024, or 1000 for ``--si``.
    """
    if size < base:
        return str(size)
    power = 1
    while power < len(_LETTERS) and size >= base ** (power + 1):
        power += 1
    unit = base**power
    tenths = -(-size * 10 // unit)
    if tenths >= 100:
        whole = -(-size // unit)
        if whole >= base and power < len(_LETTERS):
            return f"1.0{_letter(power, base)}"
        return f"{whole}{_letter(power - 1, base)}"
    return f"{tenths // 10}.{tenths % 10}{_letter(power - 1, base)}"


def _letter(index: int, base: int) -> str:
    return "k" if index == 0 and base == 1000 else _LETTERS[index]


def parse_size(text: str, *, letters: str = "kKMGTPEZY") -> int:
    """Parse a size with a suffix: ``K`` is 1024, ``kB`` 1000, ``b`` 512 where allowed.

    Args:
        text: ``10``, ``4K``, ``1MiB``, ``2kB``; a bare suffix means 1.
        letters: The allowed suffixes.

    Raises:
        ValueError: It is not a size.
    """
    match = _BLOCK_SIZE.fullmatch(text)
    if match is None or not text or (match[2] and match[2] not in letters) or (match[3] and not match[2]):
        raise ValueError(text)
    number = clamped(match[1]) if match[1] else 1
    if match[2] == "b":
        return number * 512
    if not match[2]:
        return number
    base = 1000 if match[3] == "B" else 1024
    return int(number * base ** (_LETTERS.index(match[2].upper()) + 1))
