"""Converts between bytes and text for the utilities, and measures text on a terminal."""

from __future__ import annotations

import unicodedata


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
        0 if unicodedata.combining(char) or not char.isprintable() else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
