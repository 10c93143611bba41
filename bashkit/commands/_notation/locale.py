"""What a character is for a utility: one of UTF-8, or a byte in the C locale (POSIX XBD, LC_CTYPE)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.locales import counts_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

UTF_8, OCTETS = "utf-8", "ascii"  # encodings, with surrogateescape: of octets each that is not ASCII is a character of its own


def encoding(environment: Mapping[str, str]) -> str:
    """How text is decoded: OCTETS where the environment asks for the C locale."""
    return OCTETS if counts_bytes(environment) else UTF_8


def joined(text: str) -> str:
    """Text whose octets are characters again where they make up some."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


def as_octets(text: str) -> str:
    """Text with one character for each octet that is not ASCII."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape")
