"""Shell patterns (bash(1), Pattern Matching): compiled once, matched in time linear in the text.

A pattern without extended operators is a row of fixed-length segments between stars. Taking the leftmost place of each
segment in turn is always right, so it becomes an ``re`` pattern of atomic groups, which never goes back. The extended
operators ``?( *( +( @( !(`` are matched on sets of positions instead (see ``extglob``).
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from bashkit.limits import running_budget
from bashkit.regex.cache import compiled_by_re, for_short
from bashkit.regex.charset import CharSet
from bashkit.regex.extglob import ExtendedGlob
from bashkit.regex.globpattern import Extended, GlobParser, Star, reverse
from bashkit.regex.segments import PatientGlob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.limits import Budget
    from bashkit.regex.charset import Alphabet
    from bashkit.regex.globpattern import Element


class GlobMatcher(Protocol):
    """A compiled shell pattern. ``budget`` is asked by the matchers whose work can grow beyond the text's length."""

    def matches(self, text: str, budget: Budget | None = None) -> bool:
        """Whether the whole text matches."""
        ...

    def prefix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:
        """Length of the shortest or longest prefix that matches, or None."""
        ...

    def suffix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:
        """Length of the shortest or longest suffix that matches, or None."""
        ...

    def finditer(self, text: str, budget: Budget | None = None) -> Iterator[tuple[int, int]]:
        """Start and end of the matches for ``${text//pattern/…}``: leftmost, longest, not overlapping.

        As in bash, an empty match counts before a character, and in an empty text, but not at the end of one.
        """
        ...


LONG = 1000  # characters from which a pattern is compiled by ``compile_long_glob``
_PER_CHARACTER = 100  # bytes of a compiled pattern
_MANY = 4096  # characters of a text that is searched for one special character after the other
_QUICK = 7  # so many halvings make microseconds of characters that are searched for a special one
_EASY = 1 << 24  # steps up to which the regular expressions are not too slow


def finder(characters: str) -> Callable[[str], bool]:
    """What tells whether a text has one of some characters, in a short time for a long text, too."""
    search = re.compile(f"[{re.escape(characters)}]").search

    def found(text: str) -> bool:
        if len(text) < _MANY:
            return search(text) is not None
        return any(map(text.__contains__, characters))  # each by C's memchr

    return found


_has_magic = finder("\\*?[(")


def _weight(pattern: str) -> int:
    """The characters of a pattern; what is in brackets or parentheses becomes much more than its text."""
    return len(pattern) + 64 * (pattern.count("[") + pattern.count("("))


@for_short(512, _weight)
def compile_glob(pattern: str, *, extglob: bool = True, ignore_case: bool = False) -> GlobMatcher:
    """Compile a shell pattern; nothing is an error, what is malformed stands for itself.

    For a long one the budget of the running task is asked.

    Args:
        pattern: Quoted characters carry a backslash.
        extglob: Whether ``?(…)`` and its kin are operators.
        ignore_case: ``nocasematch``, ``nocaseglob``.
    """
    budget = running_budget() if len(pattern) > LONG else None
    if budget is not None:
        return compile_long_glob(pattern, budget, extglob=extglob, ignore_case=ignore_case)
    return _build(GlobParser(pattern, extglob=extglob), ignore_case=ignore_case)


def compile_long_glob(pattern: str, budget: Budget, *, extglob: bool = True, ignore_case: bool = False) -> GlobMatcher:
    """As ``compile_glob``, for a long pattern, for which a budget is asked.

    Raises:
        LimitExceededError: It takes too much time or memory.
    """
    budget.tick(len(pattern) >> _QUICK)
    if not ignore_case and not _has_magic(pattern):
        return LiteralGlob(pattern)
    budget.room(_PER_CHARACTER * len(pattern))
    return _build(GlobParser(pattern, extglob=extglob, budget=budget), ignore_case=ignore_case)


def _build(parser: GlobParser, *, ignore_case: bool) -> GlobMatcher:
    elements, _ = parser.sequence(0, "")
    if not ignore_case and all(isinstance(element, str) for element in elements):
        return LiteralGlob("".join(str(element) for element in elements))
    if any(isinstance(element, Extended) for element in elements):
        return ExtendedGlob(elements, ignore_case=ignore_case)
    return SegmentGlob(elements, ignore_case=ignore_case)


def shape(pattern: str) -> tuple[str, str] | None:
    """A pattern that is one literal with at most one star before or behind it, as ("exact" | "ends" | "starts", literal)."""
    elements, _ = GlobParser(pattern, extglob=False).sequence(0, "")
    literal = "".join(element for element in elements if isinstance(element, str))
    stars = [index for index, element in enumerate(elements) if isinstance(element, Star)]
    if not literal or len(literal) + len(stars) != len(elements) or len(stars) > 1:
        return None
    if not stars:
        return "exact", literal
    return ("ends", literal) if stars[0] == 0 else ("starts", literal) if stars[0] == len(elements) - 1 else None


class LiteralGlob:
    """A pattern without any special character."""

    __slots__ = ("literal",)

    def __init__(self, literal: str) -> None:
        self.literal = literal

    def matches(self, text: str, budget: Budget | None = None) -> bool:  # noqa: ARG002
        """Whether the whole text matches."""
        return text == self.literal

    def prefix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:  # noqa: ARG002
        """Length of the prefix that matches, or None."""
        return len(self.literal) if text.startswith(self.literal) else None

    def suffix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:  # noqa: ARG002
        """Length of the suffix that matches, or None."""
        return len(self.literal) if text.endswith(self.literal) else None

    def finditer(self, text: str, budget: Budget | None = None) -> Iterator[tuple[int, int]]:  # noqa: ARG002
        """Every occurrence, from left to right; none for an empty pattern."""
        literal, size = self.literal, len(self.literal)
        found = text.find(literal) if size else -1
        while found >= 0:
            yield found, found + size
            found = text.find(literal, found + size)


class SegmentGlob:
    """A pattern of ``*``, ``?``, sets and literals."""

    def __init__(self, elements: tuple[Element, ...], *, ignore_case: bool) -> None:
        self._elements = elements
        self._flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
        self._matchers: dict[bool, _Segments] = {}
        core = [element for element in elements if not isinstance(element, Star)]
        stars = [index for index, element in enumerate(elements) if isinstance(element, Star)]
        self._literal: str | None = None  # of lit*, *lit, *lit*
        if not ignore_case and all(isinstance(element, str) for element in core):
            if all(index in (0, len(elements) - 1) for index in stars):
                self._literal = "".join(str(element) for element in core)
        borders = [-1, *stars, len(elements)]
        self._longest = max(right - left - 1 for left, right in pairwise(borders)) or 1  # segment
        self._many = len(elements) > LONG
        self._open_left = bool(stars) and stars[0] == 0
        self._open_right = bool(stars) and stars[-1] == len(elements) - 1

    @cached_property
    def _patient(self) -> PatientGlob:
        return PatientGlob(self._elements, ignore_case=bool(self._flags & re.IGNORECASE))

    def _is_hard(self, text: str) -> bool:
        return len(text) * self._longest > _EASY or self._many

    def matches(self, text: str, budget: Budget | None = None) -> bool:
        """Whether the whole text matches."""
        literal = self._literal
        if literal is None:
            if self._is_hard(text):
                return self._patient.matches(text, budget)
            return self._for(text).whole.match(text) is not None
        if self._open_left:
            return literal in text if self._open_right else text.endswith(literal)
        return text.startswith(literal)

    def prefix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:
        """Length of the shortest or longest prefix that matches, or None."""
        if self._is_hard(text):
            return self._patient.longest(text, 0, budget, shortest=not longest)
        segments = self._for(text)
        found = (segments.longest if longest else segments.shortest).match(text)
        return None if found is None else found.end()

    def suffix(self, text: str, longest: bool, budget: Budget | None = None) -> int | None:
        """Length of the shortest or longest suffix that matches, or None."""
        return self._reversed.prefix(text[::-1], longest, budget)

    @cached_property
    def _reversed(self) -> SegmentGlob:
        return SegmentGlob(reverse(self._elements), ignore_case=bool(self._flags & re.IGNORECASE))

    def finditer(self, text: str, budget: Budget | None = None) -> Iterator[tuple[int, int]]:
        """Start and end of the matches: leftmost, longest, not overlapping."""
        if not text:
            if self.matches(text):
                yield 0, 0
            return
        if self._is_hard(text):
            yield from self._patient.finditer(text, budget)
            return
        segments = self._for(text)
        head = segments.head.search(text)
        while head is not None and head.start() < len(text):
            start = head.start()
            found = segments.longest.match(text, start)
            if found is None:
                return  # where the rest is not found behind one head, it is not found behind a later one
            yield start, found.end()
            head = segments.head.search(text, max(found.end(), start + 1))

    def replace_all(self, text: str, replacement: str) -> str | None:
        """``${text//pattern/replacement}`` in one go; None for a pattern with stars, and where it might take long."""
        if self._is_hard(text) or any(isinstance(element, Star) for element in self._elements):
            return None
        if len(self._elements) == 1 and len(replacement) < 2 and text.isascii() and replacement.isascii():
            return text.translate(dict.fromkeys(self._characters, replacement))
        return self._for(text).head.sub(replacement.replace("\\", r"\\"), text)

    @cached_property
    def _characters(self) -> tuple[int, ...]:
        """The ASCII characters that a pattern of one element matches: ``translate`` is eighty times as fast as ``sub``."""
        matches = self._for("").head.match
        return tuple(code for code in range(128) if matches(chr(code)))

    def _for(self, text: str) -> _Segments:
        ascii_only = text.isascii()
        segments = self._matchers.get(ascii_only)
        if segments is None:
            segments = self._matchers[ascii_only] = _Segments(self._elements, self._flags, ascii_only=ascii_only)
        return segments


class _Segments:
    """The regular expressions of a SegmentGlob, each made when first needed."""

    def __init__(self, elements: tuple[Element, ...], flags: int, *, ascii_only: bool) -> None:
        self._flags = flags
        alphabet: Alphabet = "ascii" if ascii_only else "unicode"
        parts = [""]
        for element in elements:
            if isinstance(element, Star):
                parts.append("")
            elif isinstance(element, str):
                parts[-1] += re.escape(element)
            elif isinstance(element, CharSet):
                parts[-1] += element.caseless_regex(alphabet) if flags & re.IGNORECASE else element.regex(alphabet)
            else:
                parts[-1] += "."
        self._head, self._tail = parts[0], parts[1:]

    def _compile(self, pattern: str) -> re.Pattern[str]:
        return compiled_by_re(pattern, self._flags)

    @cached_property
    def head(self) -> re.Pattern[str]:
        """What stands before the first star."""
        return self._compile(self._head)

    @cached_property
    def shortest(self) -> re.Pattern[str]:
        """The shortest match from a given start."""
        return self._compile(self._head + _leftmost(self._tail))

    @cached_property
    def longest(self) -> re.Pattern[str]:
        """The longest match from a given start: the last segment as far right as it goes."""
        return self._compile(self._head + _leftmost(self._tail[:-1]) + "".join(f".*{part}" for part in self._tail[-1:]))

    @cached_property
    def whole(self) -> re.Pattern[str]:
        """The match up to the end of the text."""
        return self._compile(self.longest.pattern + r"\Z")


def _leftmost(parts: list[str]) -> str:
    return "".join(f"(?>.*?{part})" for part in parts if part)
