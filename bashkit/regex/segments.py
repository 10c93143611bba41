"""Shell patterns of long segments on long texts: matched piece by piece, and the budget is asked between two pieces.

The regular expressions of ``glob`` look for a segment of m characters in a text of n in up to n times m steps. That is too long
without a look at the clock where both are large.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bashkit.limits import ask
from bashkit.regex.charset import CharSet
from bashkit.regex.globpattern import Star

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bashkit.limits import Budget
    from bashkit.regex.charset import Alphabet
    from bashkit.regex.globpattern import Element

_PIECE = 1 << 20  # steps of a search between two looks at the budget
_PART = 256  # elements of a segment that are compiled together
_COMPILING = 5000  # microseconds to compile them


class Segment:
    """What stands between two stars: so many characters, each a literal, a set or any.

    Args:
        elements: They.
        ignore_case: Letters match in both cases.
    """

    __slots__ = ("_flags", "_literal", "_patterns", "_sources", "size")

    def __init__(self, elements: Sequence[Element], *, ignore_case: bool) -> None:
        self.size = len(elements)
        self._flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
        self._sources = elements
        self._patterns: dict[bool, list[re.Pattern[str]]] = {}
        literal = not ignore_case and all(isinstance(element, str) for element in elements)
        self._literal = "".join(map(str, elements)) if literal else None

    def at(self, text: str, place: int) -> bool:
        """Whether the text has it at a place."""
        if self._literal is not None:
            return text.startswith(self._literal, place)
        places = range(place, place + max(1, self.size), _PART)
        return place >= 0 and all(map(lambda pattern, at: pattern.match(text, at), self._compiled(text), places))

    def first(self, text: str, start: int, end: int, budget: Budget | None) -> int:
        """The first place between two where the text has it, or -1."""
        if self._literal is not None:
            return text.find(self._literal, start, end)
        step = self._step()
        while start + self.size <= end:
            found = self._search(text, start, min(end, start + step + self.size - 1), budget)
            if found >= 0:
                return found
            start += step
            _ask(budget)
        return -1

    def last(self, text: str, start: int, end: int, budget: Budget | None) -> int:
        """The last place between two where the text has it, or -1."""
        if self._literal is not None:
            return text.rfind(self._literal, start, end)
        step = self._step()
        right = end - self.size + 1  # behind the last place where it may begin
        while right > start:
            left = max(start, right - step)
            last = -1
            while left < right and (found := self._search(text, left, right + self.size - 1, budget)) >= 0:
                last = found
                left = last + 1
            if last >= 0:
                return last
            _ask(budget)
            right -= step
        return -1

    def _step(self) -> int:
        return max(1, _PIECE // max(1, self.size))

    def _search(self, text: str, start: int, end: int, budget: Budget | None) -> int:
        """The first place between two where the text has it, or -1; what this takes is bounded by ``_step``."""
        first = self._compiled(text)[0]
        limit = end - self.size + min(self.size, _PART)
        while (found := first.search(text, start, limit)) is not None:
            if self.size <= _PART or self.at(text, found.start()):
                return found.start()
            start = found.start() + 1
            if budget is not None:
                budget.tick(1 + (self.size >> 6))
        return -1

    def _compiled(self, text: str) -> list[re.Pattern[str]]:
        """What matches so many elements after each other: to compile all of them in one piece would take too long."""
        ascii_only = text.isascii()
        patterns = self._patterns.get(ascii_only)
        if patterns is None:
            patterns = [self._pattern(start, ascii_only=ascii_only) for start in range(0, max(1, self.size), _PART)]
            self._patterns[ascii_only] = patterns
            if self.size > _PART:
                re.purge()  # Python would keep them, and they are used once
        return patterns

    def _pattern(self, start: int, *, ascii_only: bool) -> re.Pattern[str]:
        alphabet: Alphabet = "ascii" if ascii_only else "unicode"
        ignore_case = bool(self._flags & re.IGNORECASE)
        source = "".join(_source(element, alphabet, ignore_case=ignore_case) for element in self._sources[start : start + _PART])
        if self.size > _PART:
            ask(_COMPILING)
        return re.compile(source, self._flags)


def _source(element: Element, alphabet: Alphabet, *, ignore_case: bool) -> str:
    if isinstance(element, str):
        return re.escape(element)
    if isinstance(element, CharSet):
        return element.caseless_regex(alphabet) if ignore_case else element.regex(alphabet)
    return "."


def _ask(budget: Budget | None) -> None:
    if budget is not None:
        budget.tick(_PIECE >> 8)


class PatientGlob:
    """A pattern of segments; see ``glob.GlobMatcher`` for its methods.

    Args:
        elements: The pattern, without extended operators.
        ignore_case: Letters match in both cases.
    """

    __slots__ = ("_segments",)

    def __init__(self, elements: Sequence[Element], *, ignore_case: bool) -> None:
        stars = [index for index, element in enumerate(elements) if isinstance(element, Star)]
        borders = [-1, *stars, len(elements)]
        pieces = [elements[left + 1 : right] for left, right in pairwise(borders)]
        self._segments = [Segment(piece, ignore_case=ignore_case) for piece in pieces]

    def matches(self, text: str, budget: Budget | None) -> bool:
        """Whether the whole text matches."""
        first, last = self._segments[0], self._segments[-1]
        if len(self._segments) == 1:
            return len(text) == first.size and first.at(text, 0)
        end = len(text) - last.size
        if end < first.size or not first.at(text, 0) or not last.at(text, end):
            return False
        return self._inner(text, first.size, end, budget) >= 0

    def longest(self, text: str, start: int, budget: Budget | None, *, shortest: bool = False) -> int | None:
        """Where the longest match, or the shortest, from a place ends, or None."""
        first, last = self._segments[0], self._segments[-1]
        if not first.at(text, start):
            return None
        if len(self._segments) == 1:
            return start + first.size
        place = self._inner(text, start + first.size, len(text), budget)
        if place < 0:
            return None
        found = (last.first if shortest else last.last)(text, place, len(text), budget)
        return None if found < 0 else found + last.size

    def finditer(self, text: str, budget: Budget | None) -> Iterator[tuple[int, int]]:
        """Start and end of the matches: leftmost, longest, not overlapping."""
        head, place = self._segments[0], 0
        while place < len(text) and (start := head.first(text, place, len(text), budget)) >= 0 and start < len(text):
            end = self.longest(text, start, budget)
            if end is None:
                return
            yield start, end
            place = max(end, start + 1)

    def _inner(self, text: str, place: int, end: int, budget: Budget | None) -> int:
        """Where the segments between the first and the last end at the earliest, or -1."""
        for segment in self._segments[1:-1]:
            found = segment.first(text, place, end, budget)
            if found < 0:
                return -1
            place = found + segment.size
            if budget is not None:
                budget.tick()
        return place
