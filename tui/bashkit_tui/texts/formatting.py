"""Numbers, sizes, durations, paths and untrusted text as the inspector writes them."""

from __future__ import annotations

import re
from pathlib import Path

CHARACTERS_PER_TOKEN = 4  # a rule of thumb for English text and code; tokenizers differ
_CONTROLS = {code: 0x2400 + code for code in range(32) if code not in {9, 10}} | {0x7F: 0x2421}
_CONTROLS |= dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
_CONTROLS |= dict.fromkeys(
    [0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF, *range(0x202A, 0x202F), *range(0x2060, 0x2070)], 0xFFFD
)
_CONTROLS |= dict.fromkeys(range(0xE0000, 0xE0080), 0xFFFD)  # tag characters: a model reads them, and a terminal hides them
_SURROGATES = re.compile("[\ud800-\udfff]")


def measure(text: str, allowed: int | None = None, tokens: int | None = None) -> str:
    """The length of a text in characters, and in tokens.

    Args:
        text: The text.
        allowed: The most characters it may have, or None.
        tokens: Its tokens, if they have been counted; else they are estimated.
    """
    limit = f" of {grouped(allowed)}" if allowed is not None else ""
    cost = f"about {grouped(-(-len(text) // CHARACTERS_PER_TOKEN))}" if tokens is None else grouped(tokens)
    return f"{grouped(len(text))}{limit} characters, {cost} tokens"


def signed(number: int) -> str:
    """A difference with its sign: ``+12``, ``-1 200``; the minus is as wide as the plus."""
    return ("\u2212" if number < 0 else "+") + grouped(abs(number))


def grouped(number: int) -> str:
    """A number with a thin space between groups of three digits: ``50 000``."""
    return f"{number:,}".replace(",", "\u202f")  # ISO 80000-1


def shown_path(path: Path | str) -> str:
    """A path, relative if it is below the working directory."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd().resolve()))
    except (ValueError, OSError):
        return str(path)


def printable(text: str) -> str:
    """Untrusted text for a terminal: control characters and invisible ones become symbols.

    Every character stays one character, so that columns keep their meaning.
    """
    return _SURROGATES.sub("\ufffd", text).translate(_CONTROLS)


def duration_text(seconds: float | None) -> str:
    """``12 ms`` below a second, ``1.23 s`` from there on, ``…`` for None."""
    if seconds is None:
        return "…"
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def count(number: int, word: str) -> str:
    """``1 tool``, ``2 tools``, ``50 000 tools``."""
    return f"{grouped(number)} {word}" if number == 1 else f"{grouped(number)} {word}s"


def size_text(size: int) -> str:
    """``12 B``, ``3.4 kB``, ``98.3 MB``: bytes or characters in powers of ten."""
    if size < 1000:
        return f"{size} B"
    for unit in ("kB", "MB"):
        size_in = size / 1000 if unit == "kB" else size / 1_000_000
        if size_in < 999.95:
            return f"{size_in:.1f} {unit}"
    return f"{size / 1_000_000_000:.1f} GB"
