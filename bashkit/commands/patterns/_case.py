"""Converts case letter by letter, as towupper(3) does: a letter without a single counterpart stays."""

from __future__ import annotations


def upper(text: str) -> str:
    """The text in upper case."""
    found = text.upper()
    return found if len(found) == len(text) else "".join(other if len(other := char.upper()) == 1 else char for char in text)


def lower(text: str) -> str:
    """The text in lower case."""
    found = text.lower()
    return found if len(found) == len(text) else "".join(other if len(other := char.lower()) == 1 else char for char in text)
