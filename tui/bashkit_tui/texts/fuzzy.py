"""Fuzzy matching: a score for a name, and the letters of it that a query matches.

Unlike ``textual.fuzzy`` it never tries every combination, so a thousand long names cost a few milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

_WHOLE, _START, _INSIDE, _WORDS, _LETTERS = 5.0, 4.0, 3.0, 2.0, 1.0
_AT_ONCE = 0.5  # added where the candidate begins with the word


@dataclass(frozen=True, slots=True)
class Match:
    """How a candidate fits.

    Attributes:
        score: More is better.
        letters: The matched letters of the candidate, zero-based, ascending.
    """

    score: float
    letters: tuple[int, ...] = ()


def match(query: str, candidate: str) -> Match | None:
    """How ``candidate`` fits every word of ``query``; None when a word does not fit. Case does not count.

    A word fits as a part of the candidate, as the beginnings of its words (``gu`` for ``get_user``), or letter by letter in
    order; each scores less than the one before. A short candidate scores more than a long one.
    """
    text = _folded(candidate)
    score, letters = 0.0, set[int]()
    for word in _folded(query).split():
        found = _word(word, text)
        if found is None:
            return None
        score += found.score
        letters.update(found.letters)
    return Match(score + 1 / (1 + len(text)), tuple(sorted(letters)))


def _folded(text: str) -> str:
    """Lower case, letter for letter; ``casefold`` would turn some letters into two and shift the places."""
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def _word(word: str, text: str) -> Match | None:
    place = _best_place(word, text)
    if place >= 0:
        score = _WHOLE if word == text else _START if _begins(text, place) else _INSIDE
        return Match(score + (_AT_ONCE if place == 0 else 0), tuple(range(place, place + len(word))))
    starts = _in_order(word, text, [index for index in range(len(text)) if _begins(text, index)])
    if starts is not None:
        return Match(_WORDS, starts)
    letters = _in_order(word, text, range(len(text)))
    if letters is None:
        return None
    gaps = sum(1 for before, after in pairwise(letters) if after != before + 1)
    return Match(_LETTERS / (1 + gaps), letters)


def _best_place(word: str, text: str) -> int:
    """The place of a word in the text, preferably at the beginning of a word; -1 if it is not there."""
    first = place = text.find(word)
    while place != -1:
        if _begins(text, place):
            return place
        place = text.find(word, place + 1)
    return first


def _begins(text: str, index: int) -> bool:
    """Whether a word begins there."""
    return text[index].isalnum() and (index == 0 or not text[index - 1].isalnum())


def _in_order(word: str, text: str, places: list[int] | range) -> tuple[int, ...] | None:
    """The first places that hold the letters of a word in order; None if there are not all of them."""
    found: list[int] = []
    wanted = iter(word)
    letter = next(wanted)
    for place in places:
        if text[place] == letter:
            found.append(place)
            following = next(wanted, None)
            if following is None:
                return tuple(found)
            letter = following
    return None
