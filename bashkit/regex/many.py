"""Many patterns of which any may match a line, such as a file of them has (``grep -f``).

An automaton of all of them grows with each, and sometimes with their product. But most patterns hold a string that is in all of
their matches: one automaton of those strings, which stays small, finds the lines that are worth a look, and tells which patterns
to try there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal, Protocol

from bashkit.limits import ask, paced
from bashkit.regex.character_types import disputed_in_words
from bashkit.regex.matches import Match, SpanMatch
from bashkit.regex.strings import Form, Strings
from bashkit.regex.syntax_tree import RegexError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bashkit.limits import Budget
    from bashkit.regex.pattern import Pattern

Whole = Literal["", "word", "line"]
Batch = tuple[str, ...]  # patterns that are searched together

_SHORTEST = 4  # characters of a string that tells lines apart
_MOST_SHARED = 64  # patterns for which one string stands
_BATCH = 1 << 14  # characters of a batch
_LONGEST = 1 << 22  # characters of all patterns with operators
_OPERATORS = frozenset("\\.*[]^$+?{}|()")


class Compiler(Protocol):
    """What makes one pattern of a batch; see ``regex.compile_any``."""

    def __call__(self, patterns: Batch, *, whole: Whole = "", budget: Budget | None = None) -> Pattern:
        """Make it."""
        ...


@dataclass(slots=True)
class _Sorted:
    """Patterns by what finds them.

    Attributes:
        strings: Those that are strings.
        held: The others, by a string that each match holds.
        rest: Those of which nothing is known.
        warnings: What is odd about them.
    """

    strings: set[str] = field(default_factory=set)
    held: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    rest: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


class ManyPatterns:
    """Patterns of which any may match a line: what ``Pattern`` is for one, as far as lines are searched.

    Args:
        patterns: Their texts, none twice.
        compiler: What makes patterns of them.
        fixed: They are strings.
        ignore_case: Letters match both cases.
        whole: A match has to be a whole word or a whole line.
        budget: Pays for reading them; the result is not bound to it.

    Raises:
        RegexError: One of them is wrong, or they are too many.

    Attributes:
        warnings: What is odd about them.
        budget: Pays for searches.
    """

    def __init__(
        self,
        patterns: Sequence[str],
        compiler: Compiler,
        *,
        fixed: bool,
        ignore_case: bool,
        whole: Whole,
        budget: Budget | None = None,
    ) -> None:
        self._compiler = compiler
        self._fold = _folded if ignore_case else _same
        self._whole: Whole = whole
        self.budget: Budget | None = None
        found = _sort(patterns, partial(compiler, budget=budget), self._fold, fixed=fixed)
        self.warnings = tuple(found.warnings)
        self._texts = frozenset(found.strings)
        self._batches = {text: _batches(held) for text, held in found.held.items()}
        self._rest = _batches(found.rest)
        sought = self._batches.keys() if whole == "line" else self._batches.keys() | self._texts
        self._strings = Strings(sought) if sought else None

    def with_budget(self, budget: Budget | None) -> ManyPatterns:
        """The same patterns, paying for long searches from ``budget``."""
        twin = copy(self)
        twin.budget = budget
        return twin

    def count_lines(self, text: str) -> int:
        """How many lines match; see ``lines``."""
        return len(self.lines(text))

    def lines(self, text: str) -> list[tuple[int, int]]:
        """Where the lines that match begin and end, their newlines included; the last line may lack its own."""
        found: set[tuple[int, int]] = set()
        size = len(text)
        text = text if text.endswith("\n") else f"{text}\n"
        folded = self._fold(text)
        if self._whole == "line" and self._texts:
            place = 0
            for line in paced(folded.split("\n")):
                if line in self._texts:
                    found.add((place, place + len(line) + 1))
                place += len(line) + 1
        if self._strings is not None:
            form: Form = "word" if self._whole == "word" and folded.isascii() else ""
            decided = self._decides(form)
            for start, end in self._strings.lines(folded, form if decided else ""):
                if decided or self._selects(text[start:end], folded[start:end]):
                    found.add((start, end + 1))
        for batch in self._rest:
            found.update(self._lines(batch, text))
        return sorted((start, min(end, size)) for start, end in found if start < size or not size)

    def _decides(self, form: Form) -> bool:
        """Whether a search for the strings in a form tells alone where they match."""
        fitting = form == "word" if self._whole else form != "word"
        return fitting and self._strings is not None and not self._batches and self._strings.knows(form)

    def _lines(self, batch: Batch, text: str) -> Iterable[tuple[int, int]]:
        """The lines that a batch matches; re2 does not know the ends of words, but finds the lines that may have a match."""
        pattern = self._pattern(batch)
        if self._whole != "word":
            return pattern.lines(text)
        found = self._compiler(batch, budget=self.budget).with_budget(self.budget).lines(text)
        return [(start, end) for start, end in paced(found) if pattern.test(text[start : end - 1])]

    def searcher(self, text: str, *, exact: bool = True) -> Callable[[int], Match | None]:
        """A function that searches ``text`` from a position; positions may only grow. See ``Pattern.searcher``."""
        found = self.finditer(text) if exact else (SpanMatch(text, [region]) for region in self.lines(text))
        held = next(found, None)

        def search(position: int) -> Match | None:
            nonlocal held
            while held is not None and held.start() < position:
                held = next(found, None)
            return held

        return search

    def all_matches(self, text: str) -> None:
        """Never done in one call; see ``Pattern.all_matches``."""

    def finditer(self, text: str) -> Iterator[Match]:
        """Every match from left to right, of those that begin at one place the longest; see ``Pattern.finditer``."""
        if self._strings is not None and not (self._whole or self._rest) and text.isascii() and self._decides("longest"):
            for span in self._strings.spans(self._fold(text)):
                yield SpanMatch(text, [span])
            return
        for start, end in self.lines(text):
            line = text[start:end].removesuffix("\n")
            for low, high in self._matches(line):
                yield SpanMatch(text, [(start + low, start + high)])

    # -- one line -------------------------------------------------------------------------------------------------------

    def _pattern(self, batch: Batch) -> Pattern:
        return self._compiler(batch, whole=self._whole, budget=self.budget).with_budget(self.budget)

    def _fits(self, line: str, start: int, end: int) -> bool:
        """Whether a string that stands there is a match."""
        return self._whole != "word" or not (_in_word(line[start - 1 : start]) or _in_word(line[end : end + 1]))

    def _selects(self, line: str, folded: str) -> bool:
        """Whether a line matches that holds one of the strings."""
        tried: set[Batch] = set()
        for start, text in self._strings.places(folded) if self._strings is not None else ():
            if self._whole != "line" and text in self._texts and self._fits(line, start, start + len(text)):
                return True
            for batch in self._batches.get(text, ()):
                if batch not in tried:
                    tried.add(batch)
                    if self._pattern(batch).test(line):
                        return True
        return False

    def _matches(self, line: str) -> Iterator[tuple[int, int]]:
        """The matches in a line: leftmost, longest, not overlapping."""
        searches = self._searches(line)
        held = [search(0) for search in searches]
        position, last = 0, -1
        while position <= len(line):
            ask(len(held))
            for index, span in enumerate(held):
                if span is not None and span[0] < position:
                    held[index] = searches[index](position)
            spans = [span for span in held if span is not None]
            if not spans:
                return
            start, end = min(spans, key=lambda span: (span[0], -span[1]))
            if end > start or start != last:
                yield start, end
            last = end
            position = end if end > start else end + 1

    def _searches(self, line: str) -> list[Callable[[int], tuple[int, int] | None]]:
        """Functions that find the next match from a place on, for what may match in the line."""
        folded = self._fold(line)
        batches = dict.fromkeys(self._rest)
        spans: list[tuple[int, int]] = []
        if self._whole == "line" and folded in self._texts:
            spans.append((0, len(line)))
        for start, text in self._strings.places(folded) if self._strings is not None else ():
            end = start + len(text)
            if self._whole != "line" and text in self._texts and self._fits(line, start, end):
                spans.append((start, end))
            batches.update(dict.fromkeys(self._batches.get(text, ())))
        return [_among(spans), *(_search(self._pattern(batch), line) for batch in batches)]


def _among(spans: list[tuple[int, int]]) -> Callable[[int], tuple[int, int] | None]:
    """A function that finds the next of some spans, which are in order; positions may only grow."""
    rest = iter(spans)
    held = next(rest, None)

    def search(position: int) -> tuple[int, int] | None:
        nonlocal held
        while held is not None and held[0] < position:
            held = next(rest, None)
        return held

    return search


def _search(pattern: Pattern, line: str) -> Callable[[int], tuple[int, int] | None]:
    """A function that finds where the next match of a pattern is."""
    search = pattern.searcher(line)

    def span(position: int) -> tuple[int, int] | None:
        found = search(position)
        return None if found is None else found.span()

    return span


# -- sorting patterns --------------------------------------------------------------------------------------------------


def _sort(
    patterns: Iterable[str], compile_part: Callable[[Batch], Pattern], fold: Callable[[str], str], *, fixed: bool
) -> _Sorted:
    """Find what is known of each pattern."""
    found = _Sorted()
    rows: dict[str, list[list[str]]] = {}  # patterns, and the strings in each choice that is more than a string
    size = 0
    for pattern in paced(patterns):
        if not pattern:
            found.rest.append(pattern)
        elif fixed or _OPERATORS.isdisjoint(pattern):
            found.strings.add(fold(pattern))
        else:
            size += len(pattern)
            if size > _LONGEST:
                raise RegexError("Regular expression too big")
            one = compile_part((pattern,))
            found.warnings += one.warnings
            choices = one.choices()
            found.strings.update(fold(choice.texts[0]) for choice in choices if choice.exact)
            row = [[fold(text) for text in choice.texts if len(text) >= _SHORTEST] for choice in choices if not choice.exact]
            if row:
                rows[pattern] = row
    _assign(rows, found)
    return found


def _assign(rows: dict[str, list[list[str]]], found: _Sorted) -> None:
    """Choose a string for each choice of patterns: the one that the fewest have, and of those the longest.

    Args:
        rows: The patterns, with the strings in each of their choices.
        found: Where they are put.
    """
    often = Counter(text for row in rows.values() for texts in row for text in texts)
    for pattern, row in rows.items():
        rarest = [min(texts, key=lambda text: (often[text], -len(text)), default="") for texts in row]
        if any(not text or often[text] > _MOST_SHARED for text in rarest):
            found.rest.append(pattern)
        else:
            for text in rarest:
                found.held[text].append(pattern)


def _batches(patterns: Iterable[str]) -> tuple[Batch, ...]:
    """Patterns in rows that are not too long."""
    batches: list[list[str]] = []
    room = 0
    for pattern in patterns:
        if len(pattern) > room or not batches:
            batches.append([])
            room = _BATCH
        batches[-1].append(pattern)
        room -= len(pattern)
    return tuple(map(tuple, batches))


def _in_word(character: str) -> bool:
    """Whether words consist of such characters."""
    known = character.isalnum() or character == "_"
    return known if character.isascii() else known != (disputed_in_words().match(character) is not None)


def _same(text: str) -> str:
    return text


def _folded(text: str) -> str:
    """A text in which letters of both cases are the same; no character is lost or added."""
    return text.lower() if text.isascii() else "".join(map(_folded_character, text))


@lru_cache(4096)
def _folded_character(character: str) -> str:
    upper = character.upper()
    lower = upper.lower() if len(upper) == 1 else character.lower()
    return lower if len(lower) == 1 else character
