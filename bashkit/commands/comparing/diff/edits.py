"""Computes a small set of changes between two lists of lines.

The middle of a shortest edit path is found from both ends at once, and both halves are treated the same way (Myers, An O(ND)
Difference Algorithm and Its Variations, 1986). Lines that occur in only one file are removed first, because they are always
changes. Where there are very many changes, that takes long. Then the longest common subsequence is found from the pairs of equal
lines, if these are few (Hunt and Szymanski, A Fast Algorithm for Computing Longest Common Subsequences, 1977); if they are many,
the search goes on where it has come farthest, and what it finds need not be the smallest set.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.limits import ask, paced, turn

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from typing import TypeAlias

    from bashkit.limits import Budget

    _Box: TypeAlias = tuple[int, int, int, int]  # lines of one file, the first and the one behind the last, and of the other
    _Path: TypeAlias = tuple[int, int, "_Path | None"]  # a pair of equal lines, and those before it

_AT_ONCE = 4096  # lines that are compared without a look at the clock
_FAR = 512  # changes on a path from either end, beyond which it takes long
_NEAR = 128  # the same where that was once too far
_FEW = 16  # pairs of equal lines, for each line
_LINK = 150  # bytes of a pair on a path


@dataclass(frozen=True, slots=True)
class Change:
    """Lines ``old_start:old_end`` of one file became lines ``new_start:new_end`` of the other, counted from 0."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def changes(
    old: Sequence[Hashable], new: Sequence[Hashable], budget: Budget, horizon: int = 0, *, minimal: bool = False
) -> list[Change]:
    """Compute the changes that turn ``old`` into ``new``, in order.

    Args:
        old: Keys of the lines of the first file; equal keys are equal lines.
        new: Keys of the lines of the second file.
        budget: Charged for time.
        horizon: How many of the common lines at the beginning, and at the end, are compared with the others.
        minimal: The smallest set is wanted, however long that takes.
    """
    numbers: dict[Hashable, int] = {}
    first = [numbers.setdefault(key, len(numbers)) for key in paced(old)]
    second = [numbers.setdefault(key, len(numbers)) for key in paced(new)]
    budget.tick((len(first) + len(second)) // 4)
    start, end = _ends(first, second)
    start, end = max(0, start - horizon), max(0, end - horizon)
    removed, added = _marks(first, second, start, end, budget, minimal=minimal)
    # Runs do not move into common lines at the end that are not compared.
    _settle(first, removed, added, len(first) - end, budget)
    _settle(second, added, removed, len(second) - end, budget)
    return _runs(removed, added)


def _ends(first: list[int], second: list[int]) -> tuple[int, int]:
    """The number of common lines at the beginning, and of further ones at the end."""
    start, shorter = 0, min(len(first), len(second))
    while start + _AT_ONCE <= shorter and first[start : start + _AT_ONCE] == second[start : start + _AT_ONCE]:
        start += _AT_ONCE
        ask(_AT_ONCE >> 4)
    while start < shorter and first[start] == second[start]:
        start += 1
    end = 0
    while end + _AT_ONCE <= shorter - start and _before(first, end) == _before(second, end):
        end += _AT_ONCE
        ask(_AT_ONCE >> 4)
    while end < shorter - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end


def _before(numbers: list[int], end: int) -> list[int]:
    """Some numbers before the last ones, of which there are ``end``."""
    return numbers[len(numbers) - end - _AT_ONCE : len(numbers) - end]


def _marks(
    first: list[int], second: list[int], start: int, end: int, budget: Budget, *, minimal: bool
) -> tuple[bytearray, bytearray]:
    """Mark the changed lines, one byte per line."""
    removed, added = bytearray(len(first)), bytearray(len(second))
    in_first, in_second = set(first[start : len(first) - end]), set(second[start : len(second) - end])
    left = [index for index in paced(range(start, len(first) - end)) if first[index] in in_second]
    right = [index for index in paced(range(start, len(second) - end)) if second[index] in in_first]
    for index in paced(range(start, len(first) - end)):
        removed[index] = first[index] not in in_second
    for index in paced(range(start, len(second) - end)):
        added[index] = second[index] not in in_first
    a, b = [first[index] for index in left], [second[index] for index in right]
    removed_here, added_here = bytearray(b"\1" * len(a)), bytearray(b"\1" * len(b))
    for x, y in _common(a, b, budget, minimal=minimal):
        removed_here[x] = added_here[y] = 0
    for index, mark in zip(paced(left), removed_here, strict=True):
        removed[index] = mark
    for index, mark in zip(paced(right), added_here, strict=True):
        added[index] = mark
    return removed, added


def _common(a: list[int], b: list[int], budget: Budget, *, minimal: bool) -> Iterator[tuple[int, int]]:
    """The places of the lines of a long common subsequence, in no order; of the longest one if ``minimal``."""
    pending: list[tuple[_Box, int]] = [((0, len(a), 0, len(b)), _FAR)]
    while pending:
        (x0, x1, y0, y1), far = pending.pop()
        while x0 < x1 and y0 < y1 and a[x0] == b[y0]:
            yield x0, y0
            x0, y0 = x0 + 1, y0 + 1
        while x0 < x1 and y0 < y1 and a[x1 - 1] == b[y1 - 1]:
            x1, y1 = x1 - 1, y1 - 1
            yield x1, y1
        budget.tick(2 + (x1 - x0 + y1 - y0) // 8)
        if x0 == x1 or y0 == y1:
            continue
        box = x0, x1, y0, y1
        x, y, is_middle = _middle(a, b, box, budget, far)
        if not is_middle:
            if _pairs(a, b, box) <= _FEW * (x1 - x0 + y1 - y0):
                yield from _longest(a, b, box, budget)
                continue
            far = _NEAR
            if minimal:
                far = x1 + y1
                x, y, _ = _middle(a, b, box, budget, far)
        pending += [((x0, x, y0, y), far), ((x, x1, y, y1), far)]


def _pairs(a: list[int], b: list[int], box: _Box) -> int:
    """How many pairs of equal lines there are."""
    x0, x1, y0, y1 = box
    others = Counter(b[y0:y1])
    return sum([count * others[line] for line, count in paced(Counter(a[x0:x1]).items())])


def _longest(a: list[int], b: list[int], box: _Box, budget: Budget) -> Iterator[tuple[int, int]]:
    """The places of the lines of the longest common subsequence, from the last one on."""
    x0, x1, y0, y1 = box
    places: dict[int, list[int]] = {}
    for y in paced(range(y1 - 1, y0 - 1, -1)):
        places.setdefault(b[y], []).append(y)
    ends: list[int] = []  # for each length of a common subsequence the first line of the other file that one can end with
    paths: list[_Path] = []
    held = 0
    for x in paced(range(x0, x1)):
        found = places.get(a[x], ())
        budget.tick(len(found))
        budget.hold(_LINK * len(found))
        held += _LINK * len(found)
        for y in found:
            length = bisect_left(ends, y)
            path = (x, y, paths[length - 1] if length else None)
            if length == len(ends):
                ends.append(y)
                paths.append(path)
            else:
                ends[length], paths[length] = y, path
    last: _Path | None = paths[-1] if paths else None
    while last is not None:
        x, y, last = last
        yield x, y
        turn()
    budget.hold(-held)


def _middle(a: list[int], b: list[int], box: _Box, budget: Budget, far: int) -> tuple[int, int, bool]:
    """A point that splits the box into two smaller ones, and whether it is on a shortest edit path between the corners.

    It is, unless such a path has more than ``far`` changes from both corners.
    """
    x0, x1, y0, y1 = box
    forward_diagonal, backward_diagonal = x0 - y0, x1 - y1
    odd = (forward_diagonal - backward_diagonal) % 2 != 0
    forward = {forward_diagonal: x0}
    backward = {backward_diagonal: x1}
    low = x0 - y1
    high = x1 - y0
    for cost in range(1, far + 1):
        budget.tick(cost << 1)
        for diagonal in _reach(forward_diagonal, cost, low, high):
            x = max(forward.get(diagonal - 1, -1) + 1, forward.get(diagonal + 1, -1))
            y = x - diagonal
            if x > x1 or y > y1 or y < y0 or x < x0:
                continue
            while x < x1 and y < y1 and a[x] == b[y]:
                x, y = x + 1, y + 1
            forward[diagonal] = x
            if odd and backward.get(diagonal, x1 + 1) <= x:
                return x, y, True
        for diagonal in _reach(backward_diagonal, cost, low, high):
            x = min(backward.get(diagonal + 1, x1 + 2) - 1, backward.get(diagonal - 1, x1 + 2))
            y = x - diagonal
            if x < x0 or y < y0 or y > y1 or x > x1:
                continue
            while x > x0 and y > y0 and a[x - 1] == b[y - 1]:
                x, y = x - 1, y - 1
            backward[diagonal] = x
            if not odd and forward.get(diagonal, -1) >= x:
                return x, y, True
    farthest = max(forward, key=lambda diagonal: 2 * forward[diagonal] - diagonal)
    return forward[farthest], forward[farthest] - farthest, False


def _reach(center: int, cost: int, low: int, high: int) -> range:
    """The diagonals that ``cost`` changes reach inside the rectangle."""
    start, end = center - cost, center + cost
    if start < low:
        start = low + (low - start) % 2
    if end > high:
        end = high - (end - high) % 2
    return range(end, start - 1, -2)


def _settle(lines: list[int], marks: bytearray, others: bytearray, count: int, budget: Budget) -> None:
    """Choose the position of each run of changed lines.

    A run that is followed by a line equal to its first line can also be shown one line lower, and so on. Observed with diff 3.8
    and short files of two or three different lines: runs that can be joined are shown as one; a run is shown beside a change of
    the other file if possible, at the lowest such position; otherwise as low as possible.

    Args:
        lines: The lines of one file.
        marks: Its changed lines.
        others: The changed lines of the other file.
        count: The start of the common lines at the end, where no run is shown.
        budget: Charged for time.
    """
    beside = _places(others)
    waiting = _spans(marks, count)[::-1]
    settled: list[tuple[int, int]] = []
    changed = 0  # the lines of the settled runs
    while waiting:
        start, end = waiting.pop()
        while True:
            budget.tick(2)
            above = settled[-1][1] if settled else 0
            while start > above and lines[start - 1] == lines[end - 1]:
                start, end = start - 1, end - 1
                budget.tick()
            if settled and start == above:
                start = settled.pop()[0]
                changed -= above - start
                continue
            below = waiting[-1][0] if waiting else count
            while end < below and lines[start] == lines[end]:
                start, end = start + 1, end + 1
                budget.tick()
            if not waiting or end < below:
                break
            end = waiting.pop()[1]
        up = 0
        while start - up - changed not in beside and start - up > above and lines[start - up - 1] == lines[end - up - 1]:
            up += 1
        if start - up - changed in beside:
            start, end = start - up, end - up
        settled.append((start, end))
        changed += end - start
    marks[:count] = bytes(count)
    for start, end in settled:
        marks[start:end] = b"\1" * (end - start)


def _spans(marks: bytearray, count: int) -> list[tuple[int, int]]:
    """The runs of marks before ``count``, each as start and end."""
    found = []
    end = 0
    while (start := marks.find(1, end, count)) >= 0:
        end = marks.find(0, start, count)
        end = count if end < 0 else end
        found.append((start, end))
    return found


def _places(marks: bytearray) -> set[int]:
    """The positions of a file's changes: the number of unchanged lines before each run."""
    found, kept = set(), 0
    for mark in paced(marks):
        if mark:
            found.add(kept)
        else:
            kept += 1
    return found


def _end(marks: bytearray, start: int) -> int:
    """Where a run of changed lines ends."""
    end = marks.find(0, start)
    return end if end >= 0 else len(marks)


def _runs(removed: bytearray, added: bytearray) -> list[Change]:
    found = []
    x = y = 0
    while x < len(removed) or y < len(added):
        turn()
        if (x < len(removed) and removed[x]) or (y < len(added) and added[y]):
            start_x, start_y = x, y
            x, y = _end(removed, x), _end(added, y)
            found.append(Change(start_x, x, start_y, y))
        else:
            x, y = x + 1, y + 1
    return found
