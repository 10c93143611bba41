"""Converts between bytes and text for the utilities, and measures text on a terminal."""

from __future__ import annotations

import unicodedata

from bashkit.limits import paced_if_many

# Of Python's codecs, those that a script may name: others are no character sets, take quadratic time, or run the host's code.
_CHARACTER_SETS = frozenset(
    (
        "ascii us-ascii big5 euc-jp euc-kr gb2312 gb18030 gbk iso-2022-jp koi8-r koi8-u latin-1 latin1 shift-jis utf-8 utf8 "
        "utf-16 utf-16be utf-16le utf-32 utf-32be utf-32le"
    ).split()
    + [f"iso-8859-{number}" for number in range(1, 17) if number != 12]
    + [f"windows-125{number}" for number in range(9)]
)


def is_character_set(name: str) -> bool:
    """Whether a name stands for a character set that Python can encode and decode."""
    return name.lower().replace("_", "-") in _CHARACTER_SETS


def decode(data: bytes) -> str:
    """Decode bytes as text; bytes that are not UTF-8 survive the conversion back."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Encode text as bytes."""
    return text.encode("utf-8", "surrogateescape")


def width(text: str) -> int:
    """The number of columns of ``text``; control characters take none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) or not _takes_room(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in paced_if_many(text)
    )


def _takes_room(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"  # for Python, no space but ASCII's is printable
