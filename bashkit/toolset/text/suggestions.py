"""Suggests the known word that an author may have meant by an unknown one."""

from __future__ import annotations

from difflib import get_close_matches

_LIKELY = 0.6  # minimum similarity of a suggestion
_SHOWN = 10  # known words that are listed


def suggestion(word: str, known: list[str]) -> str:
    """Return ``did you mean …?``, or "" if no known word is similar."""
    same = [other for other in known if other.casefold() == word.casefold()]
    close = same or get_close_matches(word, known, 1, _LIKELY)
    return f"did you mean {close[0]}?" if close else ""


def instead(word: str, known: list[str]) -> str:
    """Return what may be taken instead of an unknown word: ``did you mean …?``, or the known words, the first of many."""
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    there = "there is only" if len(known) == 1 else "there are"
    return suggestion(word, known) or f"{there} {', '.join(known[:_SHOWN]) or 'none'}{more}"
