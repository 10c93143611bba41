"""uniq: report or omit repeated lines (POSIX XCU uniq, GNU coreutils manual)."""

from __future__ import annotations

import errno
import re
from dataclasses import dataclass
from functools import partial
from itertools import compress, count, groupby, islice
from operator import add, ne, sub
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, line_blocks, lines
from bashkit.commands._notation.choices import among, choose
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import Charge, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_SAMPLE = 1024  # bytes of a block that tell whether lines recur
_FIELDS, _CHARS, _WIDTH = "fields to skip", "bytes to skip", "bytes to compare"
_COUNT = re.compile(r"\s*\+?[0-9]+", re.ASCII).fullmatch
_METHODS = (("none",), ("prepend",), ("separate",))
_GROUPINGS = (("prepend",), ("append",), ("separate",), ("both",))


def _offset(text: str) -> bool | None:
    """Whether the obsolete ``+N`` says what to skip; else it is a file."""
    return (_COUNT(text) is not None and int(text) < 1 << 64) or None


def _number(text: str, what: str) -> int:
    if not _COUNT(text):
        raise UsageError(f"{text}: invalid number of {what}", hint=False)
    return min(clamped(text.strip()), 1 << 30)


def _measure(arguments: Arguments) -> Callable[[bytes], bytes] | None:
    """The compared part of a line; None for the whole line."""
    fields = _number(arguments.get("f") or "0", _FIELDS)
    chars = _number(arguments.get("s") or "0", _CHARS)
    width = _number(arguments.get("w") or "0", _WIDTH) if "w" in arguments else None
    fold = "i" in arguments
    if not (fields or chars or fold) and width is None:
        return None
    skip = re.compile(rb"(?>[ \t]*+[^ \t]++){%d}+|.*" % min(fields, 1 << 24), re.DOTALL)

    def measure(line: bytes) -> bytes:
        found = skip.match(line)
        start = (found.end() if fields and found is not None else 0) + chars
        key = line[start : None if width is None else start + width]
        return key.upper() if fold else key

    return measure


class _Writer:
    """Turns runs of equal lines into output."""

    def __init__(self, arguments: Arguments, delimiter: bytes) -> None:
        self._delimiter = delimiter
        self._count = "c" in arguments
        self._repeated = "d" in arguments
        self._unique = "u" in arguments
        self._all = "none" if "D" in arguments else None
        if "all-repeated" in arguments:
            self._all = choose("--all-repeated", arguments.get("all-repeated") or "none", _METHODS)
        self._group = choose("--group", arguments.get("group") or "separate", _GROUPINGS) if "group" in arguments else None
        self._first = True
        if self._group and (self._count or self._repeated or self._unique or self._all):
            raise UsageError("--group is mutually exclusive with -c/-d/-D/-u")
        if self._count and self._all:
            raise UsageError("printing all duplicated lines and repeat counts is meaningless")

    @property
    def whole(self) -> bool:
        """Whether all lines of a run are written, not only its first."""
        return self._group is not None or self._all is not None

    def write(self, run: _Run) -> bytes:
        """The output for one run."""
        end, first = self._delimiter, self._first
        if self._group is not None:
            self._first = False
            before = self._group == "prepend" or (self._group == "separate" and not first) or (self._group == "both" and first)
            after = self._group in ("append", "both")
            return end * before + end.join(run.lines) + end + end * after
        if self._all is not None:
            if run.count == 1:
                return b""
            self._first = False
            separated = self._all == "prepend" or (self._all == "separate" and not first)
            return end * separated + end.join(run.lines[self._unique :]) + end
        return b""

    def write_first(self, lines: list[bytes], counts: list[int]) -> bytes:
        """The output for runs of which only the first lines and the lengths are known."""
        end = self._delimiter
        if self._repeated or self._unique:
            chosen = [size > 1 for size in counts] if not self._unique else [size == 1 and not self._repeated for size in counts]
            lines, counts = list(compress(lines, chosen)), list(compress(counts, chosen))
        if self._count:
            heads = {size: b"%7d " % size for size in set(counts)}
            lines = list(map(add, map(heads.__getitem__, counts), lines))
        return end.join([*lines, b""]) if lines else b""


@dataclass(slots=True)
class _Run:
    """A run of equal lines, and their number."""

    lines: list[bytes]
    count: int


def _runs(blocks: Iterator[list[bytes]], measure: Callable[[bytes], bytes] | None, budget: Budget) -> Iterator[list[_Run]]:
    """Runs of equal lines with all of their lines, as far as each block completes them."""
    pending: _Run | None = None
    charge = Charge(budget)
    size = 0  # of a run that goes on
    for block in blocks:
        found: list[_Run] = []
        for _, same in groupby(block, measure):
            equal = list(same)
            found.append(_Run(equal, len(equal)))
        if pending is not None and found:
            left, right = pending.lines[0], found[0].lines[0]
            if left == right if measure is None else measure(left) == measure(right):
                pending.count += found[0].count
                budget.words(pending.count)
                size += sum(map(len, found[0].lines)) + LINE * len(found[0].lines)
                charge.reach(size)
                pending.lines += found[0].lines
                found[0] = pending
            else:
                found.insert(0, pending)
                size = 0
        pending = found.pop() if found else pending
        yield found
    if pending is not None:
        yield [pending]


def _first_lines(
    blocks: Iterator[bytes], end: bytes, measure: Callable[[bytes], bytes] | None, budget: Budget
) -> Iterator[tuple[list[bytes], list[int]]]:
    """Runs of lines of which only the first is needed: the lines, and the lengths of their runs."""
    held: bytes | None = None
    length = 0
    for block in blocks:
        text = block if block.endswith(end) else block + end
        sample = text[:_SAMPLE].split(end)
        if measure is None and len(set(sample)) * 4 < len(sample):
            found, counts = _long_runs(text, end)
        else:
            found, counts = _short_runs(text, end, measure, budget)
        budget.tick(len(counts) + (len(text) >> 10))
        if held is not None and (held == found[0] if measure is None else measure(held) == measure(found[0])):
            found[0] = held
            counts[0] += length
        elif held is not None:
            found.insert(0, held)
            counts.insert(0, length)
        held, length = found.pop(), counts.pop()
        yield found, counts
    if held is not None:
        yield [held], [length]


def _short_runs(
    text: bytes, end: bytes, measure: Callable[[bytes], bytes] | None, budget: Budget
) -> tuple[list[bytes], list[int]]:
    """The first lines and the lengths of the runs in a block, found line by line."""
    block = text.split(end)
    block.pop()
    keys = block
    if measure is not None:
        budget.tick(len(block))
        keys = [measure(line) for line in paced_if_many(block)]
    starts = [0, *compress(count(1), map(ne, keys, islice(keys, 1, None)))]
    counts = list(map(sub, [*islice(starts, 1, None), len(block)], starts))
    return [block[index] for index in starts], counts


def _long_runs(text: bytes, end: bytes) -> tuple[list[bytes], list[int]]:
    """As ``_short_runs``, by twice as many equal lines each time, then half as many: far quicker where lines recur often."""
    found: list[bytes] = []
    counts: list[int] = []
    position = 0
    while position < len(text):
        start, position = position, text.index(end, position) + 1
        line = row = text[start:position]
        size = 1
        while text.startswith(row, position):
            position += len(row)
            row += row
            size *= 2
        while size > 1:
            size //= 2
            row = row[: size * len(line)]
            if text.startswith(row, position):
                position += len(row)
        found.append(line[:-1])
        counts.append((position - start) // len(line))
    return found, counts


@command(
    "uniq",
    usage="[OPTION]... [INPUT [OUTPUT]]",
    summary="Filter adjacent matching lines from INPUT, writing to OUTPUT.",
    options=(
        flag("-c", "--count", help="prefix lines by the number of occurrences"),
        flag("-d", "--repeated", help="only print duplicate lines, one for each group"),
        flag("-D", help="print all duplicate lines"),
        value(
            "--all-repeated",
            metavar="METHOD",
            optional=True,
            help="like -D, separating groups: none, prepend, separate",
            check=among("--all-repeated", _METHODS),
        ),
        value(
            "-f",
            "--skip-fields",
            metavar="N",
            help="avoid comparing the first N fields",
            check=partial(_number, what=_FIELDS),
            numeral="digits",
        ),
        value(
            "--group",
            metavar="METHOD",
            optional=True,
            help="show all items: separate, prepend, append, both",
            check=among("--group", _GROUPINGS),
        ),
        flag("-i", "--ignore-case", help="ignore differences in case when comparing"),
        value(
            "-s",
            "--skip-chars",
            metavar="N",
            help="avoid comparing the first N characters",
            check=partial(_number, what=_CHARS),
            plus=_offset,
        ),
        flag("-u", "--unique", help="only print unique lines"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
        value(
            "-w",
            "--check-chars",
            metavar="N",
            help="compare no more than N characters in lines",
            check=partial(_number, what=_WIDTH),
        ),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Write one line, or as the options say, for each run of equal lines."""
    if len(arguments.operands) > 2:
        raise UsageError(f"extra operand {mention(arguments.operands[2])}")
    delimiter = b"\0" if "z" in arguments else b"\n"
    writer = _Writer(arguments, delimiter)
    measure = _measure(arguments)
    name, target = (*arguments.operands, "-", "-")[:2] if arguments.operands else ("-", "-")
    try:
        source = process.open(name)
        output = process.stdout if target == "-" else process.create(target)
    except OSError as error:
        unreadable = name == "-" or (error.errno == errno.EISDIR and error.filename == name)
        process.warn(
            f"error reading {quote(name)}" if unreadable else f"{quote_if_needed(str(error.filename))}: {error.strerror}"
        )
        return 1
    budget = process.budget
    if not writer.whole:
        for found, counts in _first_lines(line_blocks(source.blocks(), budget, delimiter), delimiter, measure, budget):
            if found:
                output.write(writer.write_first(found, counts))
    else:
        for runs in _runs(lines(source.blocks(), budget, delimiter), measure, budget):
            if runs:
                output.write(b"".join(map(writer.write, runs)))
    process.close(source)
    process.close(output)
    return 0
