"""What an author may have meant by a word that is not known."""

from __future__ import annotations

from difflib import get_close_matches

_LIKELY = 0.6  # likeness of a suggestion


def suggestion(word: str, known: list[str]) -> str:
    """``did you mean …?``, or "" when nothing is close."""
    same = [other for other in known if other.casefold() == word.casefold()]
    close = same or get_close_matches(word, known, 1, _LIKELY)
    return f"did you mean {close[0]}?" if close else ""
