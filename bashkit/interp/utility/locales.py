"""What the locale of a utility changes: what a character is, and how messages quote (POSIX XBD, LC_CTYPE)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_QUOTED = re.compile("\u2018([^\u2019]*)\u2019")


def counts_bytes(environment: Mapping[str, str]) -> bool:
    """Whether the environment asks for the C locale, in which each byte is a character."""
    name = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG")
    return name in {"C", "POSIX"}


def in_locale(message: str, environment: Mapping[str, str]) -> str:
    """A message with the quotes of the locale: those of UTF-8, or apostrophes, between which only ASCII stands as it is."""
    if "\u2018" not in message or not counts_bytes(environment):
        return message
    return _QUOTED.sub(lambda found: f"'{_escaped(found[1])}'", message)


def _escaped(text: str) -> str:
    text = text.replace("'", "\\'")
    if text.isascii():
        return text
    return "".join(chr(byte) if byte < 128 else f"\\{byte:03o}" for byte in text.encode("utf-8", "surrogateescape"))
