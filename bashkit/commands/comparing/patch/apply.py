"""Applies hunks to a file: by line number, by content, and with less context (GNU diffutils manual, Imperfect Patches)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bashkit.commands.comparing.patch.hunks import Hunk
    from bashkit.limits import Budget

_HUNK = 20  # microseconds to work on a short hunk


def levels(hunk: Hunk, most_fuzz: int) -> int:
    """How many amounts of fuzz are tried for a hunk, from none on."""
    return min(most_fuzz, max(hunk.context())) + 1


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
        is_new: Whether only an empty file fits.
        ifdef: The name for ``-D``, which keeps old and new lines in conditionals.
        result: The lines so far.
        done: The number of the file's lines in the result.
        offset: The distance of the last hunk from its line number.
    """

    lines: list[bytes]
    budget: Budget
    loose: bool = False
    ifdef: str | None = None
    is_new: bool = False
    result: list[bytes] = field(default_factory=list)
    done: int = 0
    offset: int = 0
    _conditions: tuple[bytes, bytes] = field(init=False)  # what begins a part with only new lines, and one with old lines

    def __post_init__(self) -> None:
        name = (self.ifdef or "").encode("utf-8", "surrogateescape")
        self._conditions = b"#ifdef " + name + b"\n", b"#ifndef " + name + b"\n"

    def find(self, hunk: Hunk, most_fuzz: int) -> Fit | None:
        """Find a position for the hunk, with the least fuzz, then the shortest distance."""
        fits = (self.fit(hunk, fuzz) for fuzz in range(levels(hunk, most_fuzz)))
        return next((fit for fit in fits if fit is not None), None)

    def fit(self, hunk: Hunk, fuzz: int) -> Fit | None:
        """Find the nearest position at which the hunk fits when ``fuzz`` lines of its longer context are ignored.

        A hunk with less context before than behind it begins the file, one with less behind it ends it, as long as fuzz does not
        make the two equal.
        """
        self.budget.tick(_HUNK)
        head, tail = hunk.context()
        before = hunk.before()
        cut_head, cut_tail = fuzz + head - max(head, tail), fuzz + tail - max(head, tail)
        at_start, at_end = cut_head < 0 and hunk.old <= 1, cut_tail < 0
        cut_head, cut_tail = max(cut_head, 0), max(cut_tail, 0)
        wanted = before[cut_head : len(before) - cut_tail]
        place, last = hunk.old - (1 if before else 0) + self.offset, len(self.lines) - len(before) + cut_tail
        if not before:
            return (
                Fit(min(max(place, self.done), len(self.lines)), fuzz, 0, 0)
                if not (at_start or at_end or self.is_new) or not self.lines
                else None
            )
        for index in self._places(place, max(self.done - cut_head, 0), last, at_start=at_start, at_end=at_end):
            if self._matches(wanted, index + cut_head):
                return Fit(index + cut_head, fuzz, cut_head, cut_tail)
        return None

    def ends_differ(self, hunk: Hunk, line: int) -> bool:
        """Whether a hunk and the file at ``line`` differ in the carriage returns at the ends of their lines."""
        before = hunk.before()
        if not before or not 1 <= line <= len(self.lines):
            return False
        return before[0].endswith(b"\r\n") != self.lines[line - 1].endswith(b"\r\n")

    def has_passed(self, hunk: Hunk) -> bool:
        """Whether a hunk fits at its own line, which is in the result already."""
        place = hunk.old - 1 + self.offset
        return 0 <= place < self.done and bool(hunk.before()) and self._matches(hunk.before(), place)

    def _places(self, place: int, first: int, last: int, *, at_start: bool, at_end: bool) -> Iterator[int]:
        """Where a hunk may begin, the nearest to ``place`` first: from what is not done yet to the last line with room for it."""
        if at_start or at_end:
            index = 0 if at_start else last
            if first <= index <= last and (not at_end or index == last):
                yield index
            return
        for distance in range(max(place - first, last - place, 0) + 1):
            for index in (place + distance, place - distance) if distance else (place,):
                if first <= index <= last:
                    yield index

    def _matches(self, wanted: Sequence[bytes], index: int) -> bool:
        self.budget.tick(1 + (len(wanted) >> 3))
        found = self.lines[index : index + len(wanted)]
        if self.loose:
            return [_words(line) for line in found] == [_words(line) for line in wanted]
        return found == list(wanted)

    def apply(self, hunk: Hunk, fit: Fit) -> None:
        """Apply the hunk at a position; the file's own lines replace its context."""
        self.result += self.lines[self.done : fit.index]
        position = fit.index
        lines = hunk.lines[fit.head : len(hunk.lines) - fit.tail]
        removed: list[bytes] = []
        added: list[bytes] = []
        for mark, text in paced_if_many(lines):
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
        if hunk.before():  # what only adds lines is never far from its place: it is put at the end of a file that is too short
            self.offset = fit.index - fit.head - (hunk.old - 1)

    def _replace(self, removed: list[bytes], added: list[bytes]) -> None:
        """Write the replacement of some lines, and clear them."""
        if self.ifdef is None or not (removed or added):
            self.result += added
        else:
            self.result.append(self._conditions[bool(removed)])
            self.result += removed
            self.result += [b"#else\n"] if removed and added else []
            self.result += [*added, b"#endif\n"]
        removed.clear()
        added.clear()

    def finish(self) -> bytes:
        """Return the whole file."""
        self.result += self.lines[self.done :]
        for place, line in enumerate(paced_if_many(self.result[:-1])):
            if not line.endswith(b"\n"):
                self.result[place] = line + b"\n"  # only the last line may lack it
        if self.ifdef is not None:
            self.budget.room(sum(map(len, self.result)))
        return b"".join(self.result)


def _words(line: bytes) -> tuple[bool, list[bytes]]:
    """A line for which runs of blanks are equal: whether it begins with one, and the words."""
    words = list(filter(None, line.rstrip(b"\n").replace(b"\t", b" ").split(b" ")))
    return bool(words) and line[:1] in {b" ", b"\t"}, words


def file_lines(data: bytes) -> list[bytes]:
    """The lines of a file, each with its newline, which the last may lack."""
    lines = [line + b"\n" for line in paced_if_many(data.split(b"\n"))]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
