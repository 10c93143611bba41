"""Computes the smallest set of changes between two lists of lines.

The middle of a shortest edit path is found from both ends at once, and both halves are treated the same way (Myers, An O(ND)
Difference Algorithm and Its Variations, 1986). Lines that occur in only one file are removed first, because they are always
changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.limits import ask, paced, turn

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from bashkit.limits import Budget

_AT_ONCE = 4096  # lines that are compared without a look at the clock


@dataclass(frozen=True, slots=True)
class Change:
    """Lines ``old_start:old_end`` of one file became lines ``new_start:new_end`` of the other, counted from 0."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def changes(old: Sequence[Hashable], new: Sequence[Hashable], budget: Budget, horizon: int = 0) -> list[Change]:
    """Compute the changes that turn ``old`` into ``new``, in order.

    Args:
        old: Keys of the lines of the first file; equal keys are equal lines.
        new: Keys of the lines of the second file.
        budget: Charged for time.
        horizon: How many of the common lines at the beginning, and at the end, are compared with the others.
    """
    numbers: dict[Hashable, int] = {}
    first = [numbers.setdefault(key, len(numbers)) for key in paced(old)]
    second = [numbers.setdefault(key, len(numbers)) for key in paced(new)]
    budget.tick((len(first) + len(second)) // 4)
    start, end = _ends(first, second)
    start, end = max(0, start - horizon), max(0, end - horizon)
    removed, added = _marks(first, second, start, end, budget)
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


def _marks(first: list[int], second: list[int], start: int, end: int, budget: Budget) -> tuple[bytearray, bytearray]:
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
    pending = [(0, len(a), 0, len(b))]
    while pending:
        x0, x1, y0, y1 = pending.pop()
        while x0 < x1 and y0 < y1 and a[x0] == b[y0]:
            x0, y0 = x0 + 1, y0 + 1
        while x0 < x1 and y0 < y1 and a[x1 - 1] == b[y1 - 1]:
            x1, y1 = x1 - 1, y1 - 1
        budget.tick(2 + (x1 - x0 + y1 - y0) // 8)
        if x0 == x1 or y0 == y1:
            for index in range(x0, x1):
                removed[left[index]] = 1
            for index in range(y0, y1):
                added[right[index]] = 1
            continue
        x, y = _middle(a, b, x0, x1, y0, y1, budget)
        pending += [(x0, x, y0, y), (x, x1, y, y1)]
    return removed, added


def _middle(a: list[int], b: list[int], x0: int, x1: int, y0: int, y1: int, budget: Budget) -> tuple[int, int]:
    """A point on a shortest edit path between the corners; it splits the rectangle into two smaller ones."""
    forward_diagonal, backward_diagonal = x0 - y0, x1 - y1
    odd = (forward_diagonal - backward_diagonal) % 2 != 0
    forward = {forward_diagonal: x0}
    backward = {backward_diagonal: x1}
    low = x0 - y1
    high = x1 - y0
    cost = 0
    while True:
        cost += 1
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
                return x, y
        for diagonal in _reach(backward_diagonal, cost, low, high):
            x = min(backward.get(diagonal + 1, x1 + 2) - 1, backward.get(diagonal - 1, x1 + 2))
            y = x - diagonal
            if x < x0 or y < y0 or y > y1 or x > x1:
                continue
            while x > x0 and y > y0 and a[x - 1] == b[y - 1]:
                x, y = x - 1, y - 1
            backward[diagonal] = x
            if not odd and forward.get(diagonal, -1) >= x:
                return x, y


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
