"""Shell patterns of long segments on long texts: the places where a segment begins are the bits of an integer.

The regular expressions of ``glob`` look for a segment of m characters in a text of n in up to n times m steps. Here a step is one
operation on integers for each run of equal elements and each window of the text, and the budget is asked between two of them
(Baeza-Yates and Gonnet, A New Approach to Text Searching, 1992, with the text in the bits instead of the pattern).
"""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from bashkit.regex.cache import compiled_by_re
from bashkit.regex.charset import CharSet
from bashkit.regex.globpattern import AnyChar, Star

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bashkit.limits import Budget
    from bashkit.regex.globpattern import Element

_WINDOW = 1 << 16  # places that are looked at together


class Segment:
    """What stands between two stars: so many characters, each a literal, a set or any.

    Args:
        elements: They.
        ignore_case: Letters match in both cases.
    """

    __slots__ = ("_flags", "_literal", "_runs", "size")

    def __init__(self, elements: Sequence[Element], *, ignore_case: bool) -> None:
        self.size = len(elements)
        self._flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
        literal = all(isinstance(element, str) for element in elements) and not (ignore_case and elements)
        self._literal = "".join(map(str, elements)) if literal else None
        self._runs = [] if literal else [(element, len(list(run))) for element, run in groupby(reversed(elements))]

    def at(self, text: str, place: int, budget: Budget | None) -> bool:
        """Whether the text has it at a place."""
        if self._literal is not None:
            return text.startswith(self._literal, place)
        return place >= 0 and self._places(text[place : place + self.size], budget) & 1 == 1

    def first(self, text: str, start: int, end: int, budget: Budget | None) -> int:
        """The first place between two where the text has it, or -1."""
        if self._literal is not None:
            return text.find(self._literal, start, end)
        return next((begin + _lowest(places) for begin, places in self.windows(text, start, end, budget)), -1)

    def last(self, text: str, start: int, end: int, budget: Budget | None) -> int:
        """The last place between two where the text has it, or -1."""
        if self._literal is not None:
            return text.rfind(self._literal, start, end)
        step = self._step()
        right = end - self.size + 1  # behind the last place where it may begin
        while right > start:
            left = max(start, right - step)
            places = self._places(text[left : right + self.size - 1], budget)
            if places:
                return left + places.bit_length() - 1
            right = left
        return -1

    def search(self, text: str, budget: Budget | None) -> Callable[[int], int]:
        """What tells the first place from a given one on, or -1; it is never asked for a place before an earlier one."""
        if self._literal is not None:
            return lambda start: text.find(self._literal or "", start)
        return _Search(self.windows(text, 0, len(text), budget)).next

    def windows(self, text: str, start: int, end: int, budget: Budget | None) -> Iterator[tuple[int, int]]:
        """Places between two where the text has it: where the first bit is, and the bits, of which at least one is set."""
        step = self._step()
        for begin in range(start, end - self.size + 1, step):
            places = self._places(text[begin : min(end, begin + step + self.size - 1)], budget)
            if places:
                yield begin, places

    def _step(self) -> int:
        return max(_WINDOW, self.size)

    def _places(self, text: str, budget: Budget | None) -> int:
        """The places where a text has it, as bits: the first one is that of the lowest value."""
        steps = 1 + (len(text) >> 14)
        backwards, characters = text[::-1], set(text)
        masks: dict[Element, int] = {}
        places = (1 << len(text) + 1) - 1  # where what comes behind the segment may begin
        for element, count in self._runs:
            places >>= count
            if not isinstance(element, AnyChar):
                mask = masks.get(element)
                if mask is None:
                    mask = masks[element] = self._mask(element, backwards, characters)
                    _ask(budget, len(text) >> 5)
                places &= _in_a_row(mask, count)
            if not places:
                break
            _ask(budget, steps)
        return places

    def _mask(self, element: Element, backwards: str, characters: set[str]) -> int:
        """The places of the characters that an element matches, as bits."""
        source = element.regex("unicode") if isinstance(element, CharSet) else re.escape(str(element))
        if isinstance(element, CharSet) and self._flags & re.IGNORECASE:
            source = element.caseless_regex("unicode")
        matches = compiled_by_re(source, self._flags).match
        table = {ord(character): "1" if matches(character) else "0" for character in characters}
        return int(backwards.translate(table) or "0", 2)


class _Search:
    """Goes from left to right over places: window by window, where the first bit is, and the bits."""

    def __init__(self, windows: Iterator[tuple[int, int]]) -> None:
        self._windows = windows
        self._begin = self._places = 0

    def next(self, start: int) -> int:
        """The first place from ``start`` on, or -1."""
        while True:
            if start > self._begin:
                self._places >>= start - self._begin
                self._begin = start
            if self._places:
                return self._begin + _lowest(self._places)
            found = next(self._windows, None)
            if found is None:
                return -1
            self._begin, self._places = found


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _in_a_row(mask: int, count: int) -> int:
    """The places where so many bits in a row are set."""
    done = 1
    while done < count:
        more = min(done, count - done)
        mask &= mask >> more
        done += more
    return mask


def _ask(budget: Budget | None, steps: int) -> None:
    if budget is not None:
        budget.tick(steps)


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
            return len(text) == first.size and first.at(text, 0, budget)
        end = len(text) - last.size
        if end < first.size or not first.at(text, 0, budget) or not last.at(text, end, budget):
            return False
        return self._inner(text, first.size, end, budget) >= 0

    def longest(self, text: str, start: int, budget: Budget | None, *, shortest: bool = False) -> int | None:
        """Where the longest match, or the shortest, from a place ends, or None."""
        first = self._segments[0]
        return self._end(text, start + first.size, budget, shortest=shortest) if first.at(text, start, budget) else None

    def _end(self, text: str, place: int, budget: Budget | None, *, shortest: bool = False) -> int | None:
        """Where a match ends whose first segment ends at a place, or None."""
        if len(self._segments) == 1:
            return place
        last = self._segments[-1]
        place = self._inner(text, place, len(text), budget)
        if place < 0:
            return None
        found = (last.first if shortest else last.last)(text, place, len(text), budget)
        return None if found < 0 else found + last.size

    def finditer(self, text: str, budget: Budget | None) -> Iterator[tuple[int, int]]:
        """Start and end of the matches: leftmost, longest, not overlapping."""
        head, place = self._segments[0], 0
        search = head.search(text, budget)
        while place < len(text) and 0 <= (start := search(place)) < len(text):
            end = self._end(text, start + head.size, budget)
            if end is None:
                return
            yield start, end
            place = max(end, start + 1)
            _ask(budget, 1)

    def _inner(self, text: str, place: int, end: int, budget: Budget | None) -> int:
        """Where the segments between the first and the last end at the earliest, or -1."""
        for segment in self._segments[1:-1]:
            found = segment.first(text, place, end, budget)
            if found < 0:
                return -1
            place = found + segment.size
            _ask(budget, 1)
        return place
