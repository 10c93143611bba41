"""The extended operators of shell patterns, matched on sets of positions.

A set of positions in the text is one integer, bit ``i`` for position ``i``; an element maps the set of places where it may
begin to the set of places where it may end. So nothing is tried twice, however the operators nest.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.regex.cache import compiled_by_re
from bashkit.regex.charset import CharSet
from bashkit.regex.globpattern import AnyChar, Extended, Star, reverse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.limits import Budget
    from bashkit.regex.charset import Alphabet
    from bashkit.regex.globpattern import Element


class ExtendedGlob:
    """A pattern with at least one of ``?( *( +( @( !(``."""

    def __init__(self, elements: tuple[Element, ...], *, ignore_case: bool) -> None:
        self._forward = elements
        self._backward = reverse(elements)
        self._ignore_case = ignore_case

    def matches(self, text: str, budget: Budget | None = None) -> bool:
        """Whether the whole text matches."""
        return bool(self._ends(text, budget) >> len(text) & 1)

    def prefix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:
        """Length of the shortest or longest prefix that matches, or None."""
        return _pick(self._ends(text, budget), longest=longest)

    def suffix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:
        """Length of the shortest or longest suffix that matches, or None."""
        reading = _Reading(text[::-1], self._ignore_case, budget)
        return _pick(reading.sequence(self._backward, 1), longest=longest)

    def finditer(self, text: str, budget: Budget | None = None) -> Iterator[tuple[int, int]]:
        """Start and end of the matches: leftmost, longest, not overlapping."""
        size = len(text)
        reading = _Reading(text, self._ignore_case, budget)
        mirrored = _Reading(text[::-1], self._ignore_case, budget).sequence(self._backward, (2 << size) - 1)
        # Position p of the mirrored text is position size - p of the text.
        starts = int(format(mirrored, f"0{size + 1}b")[::-1], 2)
        start = 0
        while starts >> start:
            remaining = starts >> start
            start += (remaining & -remaining).bit_length() - 1
            if start >= size > 0:
                return
            end = _pick(reading.sequence(self._forward, 1 << start), longest=True)
            if end is not None:
                yield start, end
            start = start + 1 if end is None or end == start else end
            if start > size or not size:
                return

    def _ends(self, text: str, budget: Budget | None) -> int:
        """Where the prefixes end that match: bit n for the one of n characters."""
        return _Reading(text, self._ignore_case, budget).sequence(self._forward, 1)


def _pick(ends: int, *, longest: bool) -> int | None:
    if not ends:
        return None
    return (ends if longest else ends & -ends).bit_length() - 1


class _Reading:
    """One text being matched."""

    __slots__ = ("_budget", "_cost", "_ignore_case", "_masks", "_text", "_within")

    def __init__(self, text: str, ignore_case: bool, budget: Budget | None) -> None:
        self._text = text
        self._ignore_case = ignore_case
        self._budget = budget
        self._within = (2 << len(text)) - 1
        self._masks: dict[Element, int] = {}
        self._cost = 1 + (len(text) >> 15)  # microseconds that one operation on a set takes

    def sequence(self, elements: tuple[Element, ...], places: int) -> int:
        """Where the elements end that begin at one of ``places``."""
        for element in elements:
            if not places:
                return 0
            if isinstance(element, Star):
                places = self._within & -(places & -places)
            elif isinstance(element, Extended):
                places = self._extended(element, places)
            else:
                places = (places & self._mask(element)) << 1
        return places

    def _mask(self, element: str | AnyChar | CharSet) -> int:
        """The positions whose character the element matches."""
        mask = self._masks.get(element)
        if mask is None:
            mask = self._masks[element] = self._scan(element)
        if self._budget is not None:
            self._budget.tick(self._cost)
        return mask

    def _scan(self, element: str | AnyChar | CharSet) -> int:
        text = self._text
        if isinstance(element, AnyChar):
            return self._within >> 1
        alphabet: Alphabet = "ascii" if text.isascii() else "unicode"
        if isinstance(element, str):
            pattern = re.escape(element)
        else:
            pattern = element.caseless_regex(alphabet) if self._ignore_case else element.regex(alphabet)
        accepts = compiled_by_re(pattern, re.IGNORECASE if self._ignore_case else 0).fullmatch
        table = {ord(char): "1" if accepts(char) else "0" for char in set(text)}
        return int(text.translate(table)[::-1] or "0", 2)

    def _any(self, alternatives: tuple[tuple[Element, ...], ...], places: int) -> int:
        ends = 0
        for alternative in alternatives:
            ends |= self.sequence(alternative, places)
        return ends

    def _extended(self, element: Extended, places: int) -> int:
        operator, alternatives = element.operator, element.alternatives
        if operator == "@":
            return self._any(alternatives, places)
        if operator == "?":
            return places | self._any(alternatives, places)
        if operator == "*":
            return self._closure(alternatives, places)
        if operator == "+":
            return self._closure(alternatives, self._any(alternatives, places))
        return self._negation(alternatives, places)

    def _closure(self, alternatives: tuple[tuple[Element, ...], ...], places: int) -> int:
        if all(len(inner) == 1 and isinstance(inner[0], (str, AnyChar, CharSet)) for inner in alternatives):
            mask = 0
            for (single,) in alternatives:
                mask |= self._mask(single)  # type: ignore[arg-type]  # checked in the line above
            # A carry runs through a block of set bits: the addition moves every place to the end of its block at once.
            return ((((places & mask) + mask) ^ mask) | places) & self._within
        reached = fresh = places
        while fresh:
            fresh = self._any(alternatives, fresh) & ~reached
            reached |= fresh
            if self._budget is not None:
                self._budget.tick(self._cost)
        return reached

    def _negation(self, alternatives: tuple[tuple[Element, ...], ...], places: int) -> int:
        """Every end but those of the alternatives, for each place on its own."""
        reached = 0
        while places:
            place = places & -places
            missing = self._within & -place & ~reached
            if not missing:
                break
            reached |= missing & ~self._any(alternatives, place)
            places ^= place
            if self._budget is not None:
                self._budget.tick(self._cost)
        return reached
