"""Lines in the order of sort's options: sorted, merged or compared."""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from functools import cmp_to_key, partial
from itertools import chain, compress, count, islice
from operator import and_, eq, gt, lt, ne, not_
from sys import getsizeof
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, cast

from bashkit.commands.records.sort import debug
from bashkit.commands.records.sort.bulk import bulk_keys, few_distinct, in_a_row, joined, packed, ranks, recur, taken
from bashkit.commands.records.sort.keys import Key, Order
from bashkit.commands.records.sort.settings import default_order, read_key, rewrite, salt, separator_of
from bashkit.interp.runtime.sorting import ordered
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

Line = TypeVar("Line", bytes, str)
_KEY = 10  # microseconds to read a key
_AT_ONCE = 8192  # lines whose keys are made, or that are written, without a look at the clock
_MUCH = 1 << 21  # the same in bytes
_MERGED = 1024  # lines that are compared without a look at the clock
_SAMPLE = 16  # keys of which the size is looked at
_POINTER = 8  # bytes of an entry of a list
_NUMBER = 40  # bytes of a number in a list
_PLACE = 8  # bytes that a line's place in the order takes while it is looked for
_COUNTED = 60  # bytes of a line that is counted, beside its own
MOST_TEXTS = 1 << 18  # lines that are read as texts, which sort faster and take more memory
PER_LINE = 2  # microseconds charged for comparing one line


def _ties(measured: list[Sequence[Any]], order: Sequence[int], budget: Budget) -> bytearray:
    """For every line but the first, in order: whether all its keys equal those of the line before."""
    ties = bytearray()
    for start in range(0, len(order), _AT_ONCE):
        part = order[start : start + _AT_ONCE + 1]
        same: Iterable[bool] | None = None
        for values in measured:
            own = taken(values, part)
            equal = map(eq, own, islice(own, 1, None))
            same = equal if same is None else map(and_, same, equal)
        ties += bytearray(same or ())
        budget.tick(len(measured) * len(part) >> 1)
    return ties


def _runs(ties: bytearray) -> Iterator[tuple[int, int]]:
    """The start and end of each run of equal lines."""
    low = high = -1
    for place in compress(count(), ties):
        if place != high - 1:
            if high > 0:
                yield low, high
            low = place
        high = place + 2
    if high > 0:
        yield low, high


def _are_texts(lines: list[str] | list[bytes]) -> TypeGuard[list[str]]:
    return bool(lines) and isinstance(lines[0], str)


class Comparison:
    """How the options of a command line compare two lines.

    Attributes:
        texts: The keys as they are given.
        default: The order of those that have none of their own.
        separator: What is between two fields.
        keys: The keys, in which the whole line is one if none is given.
        passes: What each key measures, and whether it goes backwards; empty where the order is random.
        plain: Whole lines are compared as bytes.
        unique: Of equal lines one is wanted.
        keys_only: Lines of equal keys are not compared further.

    Raises:
        UsageError: The options are malformed, or contradict each other.
    """

    def __init__(self, arguments: Arguments) -> None:
        self.separator = separator_of(arguments)
        self.texts = arguments.all("k")
        self.default = default_order(arguments, self.texts)
        self.keys = [read_key(text, self.default) for text in paced(self.texts, _KEY)] or [Key(1, 1, 0, 0, self.default)]
        self.passes = [] if any(key.order.kind == "R" for key in self.keys) else self.measures(b"", b"")
        self.plain = self.keys == [Key(1, 1, 0, 0, Order(reverse=self.default.reverse))]
        self.unique = "u" in arguments
        self.keys_only = self.unique or "s" in arguments

    def measures(self, salt: bytes, end: bytes) -> list[tuple[Callable[[bytes], Any], bool]]:
        """The passes; ``salt`` and ``end`` are for a random order."""
        return [(self._measure(key, salt, end), key.order.reverse) for key in self.keys]

    def _measure(self, key: Key, salt: bytes, end: bytes) -> Callable[[bytes], Any]:
        extract, convert = key.extract(self.separator), key.order.convert(salt, end)
        if key == Key(1, 1, 0, 0, Order(reverse=key.order.reverse)):
            return extract
        return lambda line: convert(extract(line))


class Sorter:
    """Sorts by the order of the options."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._budget = process.budget
        self.by_newline = "z" not in arguments
        comparison = self._comparison = arguments.once(Comparison)
        self.plain, self.unique = comparison.plain, comparison.unique
        self._keys = comparison.keys
        self._passes = comparison.passes or self._at_random(arguments)
        self._last_resort = not comparison.plain and not comparison.keys_only
        self._reverse = comparison.default.reverse

    def _at_random(self, arguments: Arguments) -> list[tuple[Callable[[bytes], Any], bool]]:
        end = b"\0" if debug.collation(self._process.env).startswith("C.") else b""  # what strxfrm(3) puts after a text
        return self._comparison.measures(salt(self._process, arguments.get("random-source")), end)

    def sort(self, lines: list[bytes]) -> Iterator[Sequence[bytes]]:
        """The lines in order, piece by piece: a line is looked at once more, when it is written."""
        order = self._order(lines)
        for start in range(0, len(order), _AT_ONCE):
            part = order[start : start + _AT_ONCE]
            self._budget.tick(len(part))
            yield taken(lines, part)

    def _order(self, lines: list[bytes]) -> Sequence[int]:
        """The places of the lines in order."""
        measured = [self._measured(key, measure, lines) for key, (measure, _) in zip(self._keys, self._passes, strict=True)]
        passes = joined([(values, reverse) for values, (_, reverse) in zip(measured, self._passes, strict=True)], self._budget)
        del measured
        passes = [(self._listed(values), reverse) for values, reverse in passes]
        self._process.hold(len(lines) * _PLACE)
        order: Sequence[int] = range(len(lines))
        for values, reverse in reversed(passes):
            order = ordered(order, self._budget, key=values.__getitem__, reverse=reverse)  # stable: the last key goes first
        if not self.unique and not self._last_resort:
            return order
        ties = _ties([values for values, _ in passes], order, self._budget)
        del passes, values  # they may take as much as the lines
        keep = partial(array, order.typecode) if isinstance(order, array) else list
        if self.unique:
            return keep(compress(order, map(not_, chain(b"\0", ties))))
        result: Any = order  # a list, or an array
        wrong = lt if self._reverse else gt
        for low, high in paced(_runs(ties)):
            tied = order[low:high]
            if len(tied) == 2:
                if wrong(lines[tied[0]], lines[tied[1]]):
                    result[low], result[low + 1] = tied[1], tied[0]
            elif len(tied) < _MERGED:
                result[low:high] = keep(sorted(tied, key=lines.__getitem__, reverse=self._reverse))
            else:
                result[low:high] = keep(ordered(tied, self._budget, key=lines.__getitem__, reverse=self._reverse))
        return order

    def sort_whole(self, lines: list[str] | list[bytes], delimiter: bytes) -> Iterator[bytes]:
        """Whole lines in order, of which equal ones cannot be distinguished, as they are written."""
        if _are_texts(lines):
            for between, texts in self._glued(lines, delimiter.decode("latin-1")):
                yield between.join(texts).encode("latin-1")
        else:
            for glue, pieces in self._glued(cast("list[bytes]", lines), delimiter):
                yield glue.join(pieces)

    def _glued(self, lines: list[Line], end: Line) -> Iterator[tuple[Line, list[Line]]]:
        """The lines in order, each once with ``-u``: what stands between pieces, and these, of which the last ends a line."""
        few = few_distinct(lines)
        if few or (self.unique and len(lines) <= MOST_TEXTS and recur(lines)):
            yield from self._repeated(self._counts(lines), end)
            return
        self._process.hold(len(lines) * _POINTER)
        found = ordered(lines, self._budget, reverse=self._reverse)
        before: list[Line | None] = [None]
        for start in range(0, len(found), _AT_ONCE):
            row = found[start : start + _AT_ONCE]
            kept = list(compress(row, map(ne, row, chain(before, row))) if self.unique else row)
            kept.append(end[:0])
            yield end, kept
            before = [row[-1]]

    def _repeated(self, counts: Counter[Line], end: Line) -> Iterator[tuple[Line, list[Line]]]:
        """As ``_glued``, of lines of which few differ: a piece is one line, as often as it is there."""
        pieces: list[Line] = []
        room = _AT_ONCE
        for line in ordered(list(counts), self._budget, reverse=self._reverse):
            left = 1 if self.unique else counts[line]
            while left:
                now = min(left, room)
                pieces.append((line + end) * now)
                left -= now
                room -= now
                if not room:
                    yield end[:0], pieces
                    pieces, room = [], _AT_ONCE
        if pieces:
            yield end[:0], pieces

    def _counts(self, lines: list[Line]) -> Counter[Line]:
        """The different lines, and how often each is there."""
        counts: Counter[Line] = Counter()
        for piece in self._pieces(lines):
            before = len(counts)
            counts.update(piece)
            self._process.hold((len(counts) - before) * _COUNTED)
        return counts

    def _pieces(self, lines: list[Line]) -> Iterator[list[Line]]:
        for start in range(0, len(lines), _AT_ONCE):
            row = lines[start : start + _AT_ONCE]
            size = sum(map(len, row))
            count = len(row) if size <= _MUCH else max(1, len(row) * _MUCH // size)
            for begin in range(0, len(row), count):
                self._budget.tick(PER_LINE * count + (size // len(row) * count >> 8))
                yield row[begin : begin + count]

    def _measured(self, key: Key, measure: Callable[[bytes], Any], lines: list[bytes]) -> Sequence[Any]:
        """The sort key of each line."""
        measured: list[Sequence[Any]] = []
        for piece in self._pieces(lines):
            found = bulk_keys(key, self._comparison.separator, piece) if self.by_newline else None
            keys = packed(list(paced(map(measure, piece), PER_LINE)) if found is None else found)
            if isinstance(keys, array):
                self._process.hold(len(keys) * keys.itemsize)
            elif keys is not piece:
                sample = keys[:: max(1, len(keys) // _SAMPLE)]
                self._process.hold(len(keys) * (_POINTER + sum(map(getsizeof, sample)) // len(sample)))
            measured.append(keys)
        return ranks(in_a_row(measured))

    def _listed(self, values: Sequence[Any]) -> Sequence[Any]:
        """Numbers as a list, unless there are so many that memory counts: an array would make each anew when it is looked at."""
        if not isinstance(values, array) or len(values) > MOST_TEXTS:
            return values
        self._process.hold(_NUMBER * len(values))
        return values.tolist()

    def suspicions(self, words: list[str]) -> Iterator[str]:
        """The warnings of ``--debug`` about the options; ``words`` is the command line."""
        obsolete = {words[0].removeprefix("-k") for word in words if word.startswith("+") and (words := rewrite([word]))}
        comparison = self._comparison
        own = [read_key(text, Order()) for text in comparison.texts]
        marks = [any(text == old or text.startswith(f"{old},") for old in obsolete) for text in comparison.texts]
        return debug.suspicions(own, marks, comparison.default, comparison.separator, last_resort=not comparison.keys_only)

    def annotated(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines with marks below the compared parts."""
        comparison = self._comparison
        whole = not comparison.keys_only and (bool(comparison.texts) or not comparison.plain)
        return debug.annotate(lines, comparison.keys, comparison.separator, whole=whole)

    def merged(self, files: list[list[bytes]]) -> Iterator[Sequence[bytes]]:
        """As ``sort``, of the lines of sorted files."""
        lines = self._merge(files)
        return (lines[start : start + _AT_ONCE] for start in range(0, len(lines), _AT_ONCE))

    def _merge(self, files: list[list[bytes]]) -> list[bytes]:
        """Merge sorted files; lines of an unsorted file keep their order."""
        merged = heapq.merge(*files, key=cmp_to_key(self._compare))
        kept: list[bytes] = []
        while piece := list(islice(merged, _MERGED)):
            self._budget.tick(_MERGED * PER_LINE)
            if not self.unique:
                kept += piece
                continue
            for line in piece:
                if not kept or self._compare(kept[-1], line):
                    kept.append(line)
        return kept

    def disorder(self, lines: list[bytes]) -> int | None:
        """The index of the first line that should precede the one before it, or None."""
        for index in range(1, len(lines)):
            if not index % _MERGED:
                self._budget.tick(_MERGED * PER_LINE)
            comparison = self._compare(lines[index - 1], lines[index])
            if comparison > 0 or (comparison == 0 and self.unique):
                return index
        return None

    def _compare(self, left: bytes, right: bytes) -> int:
        for measure, reverse in self._passes:
            first, second = measure(left), measure(right)
            if first != second:
                return 1 if (first > second) != reverse else -1
        if self._last_resort and left != right:
            return 1 if (left > right) != self._reverse else -1
        return 0
