"""Text as the utilities take it from bytes, and the width of characters on a terminal."""

from __future__ import annotations

import unicodedata


def decode(data: bytes) -> str:
    """Bytes as text; what is no UTF-8 survives the way back."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """Text as bytes."""
    return text.encode("utf-8", "surrogateescape")


def width(text: str) -> int:
    """The columns that ``text`` takes, control characters none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) or not char.isprintable() else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
