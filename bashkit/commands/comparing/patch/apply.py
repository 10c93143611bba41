"""Applies hunks to a file: by line number, by content, and with less context (GNU diffutils manual, Imperfect Patches)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.commands.comparing.patch.hunks import Hunk
    from bashkit.limits import Budget


@dataclass(frozen=True, slots=True)
class Fit:
    """A position that fits a hunk: the index of its first line in the file, and the ignored context at both ends."""

    index: int
    fuzz: int
    head: int
    tail: int


@dataclass(slots=True)
class Editor:
    """A file being patched.

    Attributes:
        lines: Its original lines.
        budget: Charged for every comparison.
        loose: Whether runs of blanks are equal (``-l``).
        ifdef: The name for ``-D``, which keeps old and new lines in conditionals.
        result: The lines so far.
        done: The number of the file's lines in the result.
        offset: The distance of the last hunk from its line number.
    """

    lines: list[bytes]
    budget: Budget
    loose: bool = False
    ifdef: str | None = None
    result: list[bytes] = field(default_factory=list)
    done: int = 0
    offset: int = 0

    def find(self, hunk: Hunk, most_fuzz: int) -> Fit | None:
        """Find a position for the hunk, with the least fuzz, then the shortest distance."""
        lines = [mark for mark, _ in hunk.lines]
        head = next((count for count, mark in enumerate(lines) if mark != b" "), len(lines))
        tail = next((count for count, mark in enumerate(reversed(lines)) if mark != b" "), len(lines))
        context = max(head, tail)
        before = hunk.before()
        place = hunk.old - (1 if before else 0) + self.offset
        for fuzz in range(min(most_fuzz, context) + 1):
            cut_head, cut_tail = max(0, fuzz - (context - head)), max(0, fuzz - (context - tail))
            wanted = before[cut_head : len(before) - cut_tail]
            at_start = head < tail and fuzz < context - head + 1 and hunk.old <= 1
            at_end = tail < head and not cut_tail and fuzz == 0
            index = self._search(wanted, place + cut_head, at_start=at_start and not cut_head, at_end=at_end)
            if index is not None:
                return Fit(index, fuzz, cut_head, cut_tail)
        return None

    def _search(self, wanted: Sequence[bytes], place: int, *, at_start: bool, at_end: bool) -> int | None:
        last = len(self.lines) - len(wanted)
        if at_start:
            return 0 if self.done == 0 and self._matches(wanted, 0) else None
        if at_end:
            return last if last >= self.done and self._matches(wanted, last) else None
        for distance in range(max(place - self.done, last - place, 0) + 1):
            for index in (place + distance, place - distance) if distance else (place,):
                if self.done <= index <= last and self._matches(wanted, index):
                    return index
        return None

    def _matches(self, wanted: Sequence[bytes], index: int) -> bool:
        self.budget.tick(1 + (len(wanted) >> 3))
        found = self.lines[index : index + len(wanted)]
        if self.loose:
            return [line.split() for line in found] == [line.split() for line in wanted]
        return found == list(wanted)

    def apply(self, hunk: Hunk, fit: Fit) -> None:
        """Apply the hunk at a position; the file's own lines replace its context."""
        self.result += self.lines[self.done : fit.index]
        position = fit.index
        lines = hunk.lines[fit.head : len(hunk.lines) - fit.tail]
        removed: list[bytes] = []
        added: list[bytes] = []
        for mark, text in lines:
            if mark == b"+":
                added.append(text)
                continue
            if mark == b" ":
                self._replace(removed, added)
                self.result.append(self.lines[position])
            else:
                removed.append(self.lines[position])
            position += 1
        self._replace(removed, added)
        self.done = position
        self.offset = fit.index - fit.head - (hunk.old - (1 if hunk.before() else 0))

    def _replace(self, removed: list[bytes], added: list[bytes]) -> None:
        """Write the replacement of some lines, and clear them."""
        if self.ifdef is None or not (removed or added):
            self.result += added
        else:
            self.result.append(f"#if{'n' if removed else ''}def {self.ifdef}\n".encode("utf-8", "surrogateescape"))
            self.result += removed
            self.result += [b"#else\n"] if removed and added else []
            self.result += [*added, b"#endif\n"]
        removed.clear()
        added.clear()

    def finish(self) -> bytes:
        """Return the whole file."""
        return b"".join([*self.result, *self.lines[self.done :]])
