"""How much work stdlib ``re`` can have with a pattern: the proof that a search of a text ends soon.

``re`` goes back and tries again. From one place of the text it walks at most as many ways as the choices of the pattern multiply
to, each as long as what the pattern can match; and it begins at every place.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from math import factorial
from typing import TYPE_CHECKING

from bashkit.limits import turn
from bashkit.regex.analysis import EVERYTHING, flatten
from bashkit.regex.syntax_tree import Alternation, Assertion, Atomic, Concat, Group, Keep, Literal, Look, Repeat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.regex.analysis import Analysis
    from bashkit.regex.syntax_tree import Node

_MOST_STEPS = 12 << 20  # of a few nanoseconds, for one call
_SET, _TURN = 4, 16  # steps for one character of a set, and for one turn of a repeat of more than that
_HIGHEST = 8  # degree that a text of some length suits
_MOST_TURNS = 1 << 18  # of such a repeat: re remembers each, in about 100 bytes
_ENDLESS_WAYS = 1 << 40
_LONGEST = 1 << 40


def _lengths() -> Iterator[int]:
    """Lengths of texts, each a quarter more than the one before."""
    length = 1
    yield length
    while length < _LONGEST:
        length += length // 4 + 1
        yield length


_LENGTHS = tuple(_lengths())


@dataclass(slots=True, unsafe_hash=True)
class Effort:
    """The work from one place of the text, at most.

    Attributes:
        ways: How many ways through the pattern are tried.
        degree: How many repeats of any length are tried against each other.
        span: How many characters the parts of a limited length match.
        work: How many steps these take.
        endless: It holds a repeat of any length.
        free: One of these gives nothing back, since nothing of what it matches can come after it.
        turns: That repeat is of more than one set.
        one_pass: The search is one pass over the text.
        anchored: It is tried at the beginning of a line only.
        final: The repeat of any length ends it: where that is reached the search is over.
        apart: No repeat of any length goes over a place where another match can begin.
        size: How many parts it has when every repeat is written out.
    """

    ways: int = 1
    degree: int = 0
    span: int = 0
    work: int = 1
    endless: bool = False
    free: bool = False
    turns: bool = False
    one_pass: bool = False
    anchored: bool = False
    final: bool = False
    apart: bool = False
    size: int = 1

    def steps(self, text: int, line: int) -> int:
        """The steps of a search.

        Args:
            text: How many characters are searched.
            line: How many of them a match can hold at most.
        """
        if self.one_pass:
            return text
        if self.ways >= _ENDLESS_WAYS or self.degree > _HIGHEST or (self.turns and line > _MOST_TURNS):
            return _ENDLESS_WAYS
        reach = self.span + 1 if self.apart else line  # places from which one character may be looked at
        # Of n characters n * n / 2 pairs are a beginning and an end, and n * n * n / 6 have a place between these.
        run = 0 if self.final or not self.free else reach ** (self.degree + 1) // factorial(self.degree + 2)
        parts = line**self.degree * min(self.work, (_TURN + _SET) * line) // factorial(self.degree + 1)
        steps: int = self.ways * (run * (_TURN if self.turns else 1) + parts + (reach if self.endless and not self.final else 0))
        return text + text * steps // max(line, 1) if self.anchored else text * steps

    def suits(self, text: int, line: int) -> bool:
        """Whether ``re`` may search a text of so many characters with lines of so many; see ``steps``."""
        return self.steps(text, line) <= _MOST_STEPS

    def longest_text(self) -> int:
        """A length up to which any text suits."""
        place = bisect_left(_LENGTHS, True, key=lambda length: not self.suits(length, length))
        return _LENGTHS[place - 1] if place else 0

    def longest_line(self, text: int) -> int:
        """A length up to which the lines of a text of so many characters suit; 0 for none."""
        length = 8
        while length < text and self.suits(text, length + length // 4):
            length += length // 4
        return length if self.suits(text, length) else 0


def effort(node: Node, analysis: Analysis) -> Effort:
    """What a whole pattern takes."""
    found = _effort(node, 0, analysis)
    items = flatten(node)
    if not items:
        return found
    return replace(
        found,
        one_pass=all(isinstance(item, Literal) for item in items),
        anchored=isinstance(items[0], Assertion) and items[0].kind in ("line_start", "text_start"),
        final=found.endless and not found.degree and _ends_with_run(items, analysis),
        apart=not found.degree and _runs_stop_at(items, analysis),
    )


def largest_part(node: Node, analysis: Analysis) -> int:
    """How many parts the largest of the choices has, mere strings left out."""
    choices = node.choices if isinstance(node, Alternation) else (node,)
    return max(0 if _is_string(choice) else _effort(choice, 0, analysis).size for choice in choices)


def _is_string(node: Node) -> bool:
    return isinstance(node, Concat) and all(isinstance(item, Literal) for item in node.items)


def _ends_with_run(items: list[Node], analysis: Analysis) -> bool:
    last = items[-1]
    run = isinstance(last, Repeat) and analysis.mask(last.item) is not None and last.low <= 1
    return run and not any(_effort(item, EVERYTHING, analysis).endless for item in items[:-1])


def _runs_stop_at(items: list[Node], analysis: Analysis) -> bool:
    """Whether the items begin with one character of a set, and their repeats of any length are of characters outside of it."""
    first = analysis.mask(items[0])
    if first is None:
        return False
    for item in items:
        inner = item.item if isinstance(item, Group) else item
        run = analysis.mask(inner.item) if isinstance(inner, Repeat) else None
        if (run is None or run & first) and _effort(inner, EVERYTHING, analysis).endless:
            return False
    return True


def _effort(node: Node, follow: int, analysis: Analysis) -> Effort:
    """What a node takes, given the characters that can come after it."""
    turn()
    if isinstance(node, (Assertion, Keep)):
        return _PLACE
    if analysis.mask(node) is not None:
        return _CHARACTER if isinstance(node, Literal) else _ONE_OF_SET
    if isinstance(node, (Group, Atomic)):
        return _effort(node.item, follow, analysis)
    if isinstance(node, Look):
        inner = _effort(node.item, EVERYTHING, analysis)
        if not inner.endless:
            return inner
        return replace(inner, degree=inner.degree + 1, endless=True, free=True)
    if isinstance(node, Concat):
        if _is_string(node):
            count = len(node.items)
            return Effort(span=count, work=count, size=count)
        return _row([_effort(item, after, analysis) for item, after in analysis.with_follow(node, follow)])
    if isinstance(node, Alternation):
        inners = [_effort(choice, follow, analysis) for choice in node.choices]
        ways = max if analysis.decided(node, follow) else sum
        return Effort(
            min(ways(inner.ways for inner in inners), _ENDLESS_WAYS),
            max(inner.degree for inner in inners),
            max(inner.span for inner in inners),
            max(inner.work for inner in inners) + _TURN,
            any(inner.endless for inner in inners),
            any(inner.free for inner in inners),
            any(inner.turns for inner in inners),
            size=_all(inner.size for inner in inners),
        )
    if isinstance(node, Repeat):
        return _repeat(node, follow, analysis)
    return Effort(degree=1, span=1, endless=True, free=True)  # a back-reference


def _row(inners: list[Effort]) -> Effort:
    ways = 1
    for inner in inners:
        ways = min(ways * inner.ways, _ENDLESS_WAYS)
    return Effort(
        ways,
        sum(inner.degree for inner in inners),
        _all(inner.span for inner in inners),
        _all(inner.work for inner in inners),
        any(inner.endless for inner in inners),
        any(inner.free for inner in inners),
        any(inner.turns for inner in inners),
        size=_all(inner.size for inner in inners),
    )


def _all(amounts: Iterable[int]) -> int:
    return min(sum(amounts), _LONGEST)


def _repeat(node: Repeat, follow: int, analysis: Analysis) -> Effort:
    shape = analysis.shape(node.item)
    inner = _effort(node.item, follow if node.high == 1 else follow | shape.first, analysis)
    overlaps = node.low != node.high and bool(shape.nullable or shape.first & follow)
    decided = not shape.nullable and analysis.deterministic(node.item, follow | shape.first)
    one_set = analysis.mask(node.item) is not None
    times = max(node.high or node.low, 1)
    found = replace(
        inner,
        span=min(inner.span * times, _LONGEST),
        work=min((inner.work if one_set and times > 1 else 1 if one_set else inner.work + _TURN) * times, _LONGEST),
        size=min(inner.size * times + 1, _LONGEST),
    )
    if node.high is None:
        ways = 1 if decided else _ENDLESS_WAYS
        turns = inner.turns or not one_set
        return replace(found, ways=ways, degree=int(overlaps), endless=True, free=inner.free or not overlaps, turns=turns)
    if node.high == 1:
        return replace(found, ways=inner.ways + overlaps)
    ends = node.high - node.low + 1 if overlaps else 1
    if decided:
        return replace(found, ways=ends, degree=0)
    ways = min(ends * inner.ways ** min(node.high, 64), _ENDLESS_WAYS)
    return replace(found, ways=ways, degree=min(inner.degree * node.high, 64))


_PLACE = Effort()
_CHARACTER = Effort(span=1)
_ONE_OF_SET = Effort(span=1, work=_SET)
