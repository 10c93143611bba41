"""Selects the lines of blocks that the addresses of a command select: the places where they begin and end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.commands.patterns.sed.script import Address, Command
    from bashkit.limits import Budget
    from bashkit.regex import Match, Pattern

Search = Callable[[int], "Match | None"]
Spans = Iterator[tuple[int, int]]
Selection = Callable[[str], Spans]

_FOREVER = 1 << 62


class Selections:
    """Makes the selections of a script, which know what the blocks before have left open.

    Args:
        budget: Charged for searches.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._kept: list[Numbers | Range] = []

    def reset(self) -> None:
        """Forget all lines seen."""
        for one in self._kept:
            one.reset()

    def of(self, command: Command, *, counted: bool) -> Selection | None:
        """Make the selection of a command with addresses, or None where it takes a look at single lines.

        Args:
            command: The command.
            counted: No command before it adds or removes lines, so that their numbers are those of the input.
        """
        first, second = command.first, command.second
        assert first is not None
        made: Numbers | Range | None = None
        if second is None:
            if first.by_line is not None:
                pattern = first.by_line.with_budget(self._budget)
                return lambda text: matching(text, pattern, self._budget)
            made = Numbers.of(first, None, self._budget) if counted else None
        elif first.by_line is None and (not counted or first.kind != "line"):
            return None
        elif first.kind == "line" and first.number and second.kind in {"line", "plus", "last"}:
            made = Numbers.of(first, second, self._budget)
        elif second.by_line is not None or second.kind in {"plus", "last"}:
            made = Range(first, second, self._budget)
        if made is None:
            return None
        self._kept.append(made)
        return made.spans


def matching(text: str, pattern: Pattern, budget: Budget) -> Spans:
    """The start and end of the matching lines."""
    search = pattern.searcher(text, exact=False)
    position, size = 0, len(text)
    count = 0
    while position < size and (found := search(position)) is not None:
        begin = found.start()
        if begin >= size:
            break
        start = text.rfind("\n", position, begin) + 1 or position
        position = text.find("\n", begin) + 1
        count += 1
        yield start, position
    budget.tick(count)


class Numbers:
    """Lines by their numbers: every ``step``-th from one number to another.

    Args:
        first: The first of them.
        last: The last number that counts.
        step: How far one is from the next.
        budget: Charged for the lines.
    """

    __slots__ = ("_budget", "_first", "_last", "_line", "_step")

    def __init__(self, first: int, last: int, step: int, budget: Budget) -> None:
        self._first, self._last, self._step = first, last, step
        self._budget = budget
        self._line = 0  # the number of the line before the block

    @classmethod
    def of(cls, first: Address, second: Address | None, budget: Budget) -> Numbers | None:
        """The lines that addresses select; None where they are no numbers."""
        if second is not None:
            last = _FOREVER if second.kind == "last" else second.number + (first.number if second.kind == "plus" else 0)
            return cls(first.number, max(last, first.number), 1, budget)
        if first.kind == "step" and first.step > 0:
            return cls(first.number or first.step, _FOREVER, first.step, budget)
        return cls(first.number, first.number, 1, budget) if first.kind in {"line", "step"} else None

    def reset(self) -> None:
        """Forget all lines seen."""
        self._line = 0

    def spans(self, text: str) -> Spans:
        """The start and end of the lines, or of all of them where there is none between."""
        line = self._line + 1  # the one at the position
        self._line += text.count("\n")
        wanted = max(self._first, line)
        wanted += (self._first - wanted) % self._step
        last = min(self._last, self._line)
        self._budget.tick((self._line - line) // self._step >> 2)
        if self._step == 1 and wanted <= last:
            start = skip(text, 0, wanted - line)
            yield start, len(text) if last == self._line else skip(text, start, last - wanted + 1)
            return
        position = 0
        while wanted <= last:
            start = skip(text, position, wanted - line)
            position = skip(text, start, 1)
            yield start, position
            line, wanted = wanted + 1, wanted + self._step


class Range:
    """From a line that matches, or has a number, to one that matches, or is so many lines behind it, or is the last.

    Args:
        first: Where it begins.
        second: Where it ends.
        budget: Charged for searches.
    """

    __slots__ = ("_begins", "_begun", "_budget", "_ends", "_left", "_line", "_more", "_number", "_open")

    def __init__(self, first: Address, second: Address, budget: Budget) -> None:
        self._begins = first.by_line.with_budget(budget) if first.by_line is not None else None
        self._ends = second.by_line.with_budget(budget) if second.by_line is not None else None
        self._number = first.number
        self._more = second.number if second.kind == "plus" else _FOREVER
        self._budget = budget
        self.reset()

    def reset(self) -> None:
        """Forget all lines seen."""
        self._open = self._begun = self._begins is None and self._number == 0
        self._line = self._left = 0

    def spans(self, text: str) -> Spans:
        """The start and end of each part of the text that is in a range."""
        begins = self._begins.searcher(text, exact=False) if self._begins is not None else None
        ends = self._ends.searcher(text, exact=False) if self._ends is not None else None
        position = count = 0
        while position < len(text):
            start = position
            if not self._open:
                start = self._begin(text, position, begins)
                if start < 0:
                    break
                position = skip(text, start, 1)
                self._open, self._left = self._more > 0, self._more
            position = self._end(text, position, ends)
            count += 1
            yield start, position
        self._line += text.count("\n") if begins is None and not self._begun else 0
        self._budget.tick(count)

    def _begin(self, text: str, position: int, begins: Search | None) -> int:
        """Where the first line of the next range begins; -1 if it does not in this text."""
        if begins is not None:
            found = begins(position)
            return (
                -1 if found is None or found.start() >= len(text) else text.rfind("\n", position, found.start()) + 1 or position
            )
        before = self._number - self._line - 1
        if self._begun or before >= text.count("\n"):
            return -1
        self._begun = True
        return skip(text, 0, before)

    def _end(self, text: str, position: int, ends: Search | None) -> int:
        """Where the line behind the open range begins, or the text ends."""
        size = len(text)
        if ends is not None:
            found = ends(position) if position < size else None
            if found is None or found.start() >= size:
                return size
            self._open = False
            return text.find("\n", found.start()) + 1
        if self._left == _FOREVER:
            return size
        while self._left and position < size:
            position = skip(text, position, 1)
            self._left -= 1
        self._open = self._left > 0
        return position


def skip(text: str, position: int, lines: int) -> int:
    """The place behind so many lines."""
    for _ in range(lines):
        position = text.find("\n", position) + 1
    return position
