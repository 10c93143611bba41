"""paste: join corresponding lines of files (POSIX XCU paste, GNU coreutils manual)."""

from __future__ import annotations

from functools import partial
from itertools import chain, cycle, islice
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, Inputs, lines
from bashkit.commands._filesystem.targets import is_directory
from bashkit.commands._notation.encoding import encode
from bashkit.fs import NullStream
from bashkit.fs.stream import BLOCK
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import Charge, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_ESCAPES = {"0": "", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_BATCH = 1 << 16  # bytes that are buffered before a write
_AT_ONCE, _LEAST = 1 << 20, 1 << 9  # bytes that are read of all inputs at once, and of each of them at least


def _delimiters(text: str) -> list[bytes]:
    result: list[bytes] = []
    pending = iter(paced_if_many(text))
    for char in pending:
        if char == "\\":
            following = next(pending, None)
            if following is None:
                raise UsageError(f"delimiter list ends with an unescaped backslash: {text}", hint=False)
            char = _ESCAPES.get(following, following)
        result += [bytes([byte]) for byte in encode(char)] or [b""]  # delimiters are bytes, as in GNU paste
    return result or [b""]


def _serial(process: Process, stream: Stream, delimiters: list[bytes], end: bytes) -> None:
    """Write all lines of each file as one line."""
    turn = cycle(delimiters)
    only = delimiters[0] if len(set(delimiters)) == 1 else None
    before = b""
    for block in lines(stream.blocks(), process.budget, end):
        if only is not None:
            text = only.join(block)
        else:
            text = b"".join([*chain.from_iterable(zip(block[:-1], turn, strict=False)), block[-1]])
        process.stdout.write(before + text)
        before = next(turn)
    process.stdout.write(end)


class _Source:
    """The lines of one input, which one or more columns take by turns.

    Args:
        blocks: Its lines, block by block.
        budget: What the lines at hand are charged to.
        size: The bytes that are read at once.
    """

    def __init__(self, blocks: Iterator[list[bytes]], budget: Budget, size: int) -> None:
        self._blocks = blocks
        self._size = size
        self._charge = Charge(budget)
        self._lines: list[bytes] = []
        self._at = 0
        self.columns = 0
        self.ended = False

    def rows(self) -> int:
        """How many rows the lines at hand fill; at the end of the input, one row if only some of its columns are left."""
        while not self.ended and (left := len(self._lines) - self._at) < self.columns:
            block = next(self._blocks, None)
            if block is None:
                self.ended = True
                self._lines += [b""] * (self.columns - left if left else 0)
            else:
                kept = self._lines[self._at :]
                self._lines, self._at = kept + block, 0
                # of a block, only the line that began before it is longer than what is read at once
                self._charge.reach(sum(map(len, kept)) + len(block[0]) + self._size + LINE * len(self._lines))
        return (len(self._lines) - self._at) // self.columns

    def take(self, rows: int) -> list[list[bytes]]:
        """The next cells, as many for each column of the source."""
        at = self._at
        self._at = min(at + rows * self.columns, len(self._lines))
        if self._at == at:
            return [[b""] * rows] * self.columns
        return [self._lines[at + column : self._at : self.columns] for column in range(self.columns)]


def _parallel(process: Process, streams: list[tuple[int, Stream]], delimiters: list[bytes], end: bytes) -> None:
    """Write the first lines side by side, then the second ones, and so on.

    Args:
        process: The running utility.
        streams: The inputs, each with a number, which is the same where two take turns at the lines of one.
        delimiters: What stands between the cells of a row, in turn.
        end: What ends a line.
    """
    size = max(_LEAST, min(BLOCK, _AT_ONCE // len(streams)))
    opened = {
        number: _Source(lines(iter(partial(stream.read, size), b""), process.budget, end), process.budget, size)
        for number, stream in streams
    }
    for number, _ in streams:
        opened[number].columns += 1
    between = list(islice(cycle(delimiters), len(streams) - 1))
    join: Callable[[Sequence[bytes]], bytes] = (between or [b""])[0].join
    if len(set(between)) > 1:  # "%b" stands for a cell
        join = b"%b".join([b"", *(mark.replace(b"%", b"%%") for mark in between), b""]).__mod__
    most = max(1, _BATCH // len(streams))
    while True:
        found = [rows for source in opened.values() if (rows := source.rows())]
        if not found:
            break
        count = min(*found, most)
        taken = {key: iter(source.take(count)) for key, source in opened.items()}
        written = list(map(join, zip(*[next(taken[number]) for number, _ in streams], strict=True)))
        process.budget.tick(1 + (count * len(streams) >> 6))
        process.budget.string(max(map(len, written)) + len(end))
        written.append(b"")
        process.stdout.write(end.join(written))


@command(
    "paste",
    usage="[OPTION]... [FILE]...",
    summary="Write lines consisting of the sequentially corresponding lines from each FILE, separated by TABs.",
    options=(
        value("-d", "--delimiters", metavar="LIST", help="reuse characters from LIST instead of TABs"),
        flag("-s", "--serial", help="paste one file at a time instead of in parallel"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Join lines."""
    delimiters = _delimiters(arguments.get("d", "\t") or "")
    end = b"\0" if "z" in arguments else b"\n"
    inputs = Inputs(process, arguments.operands)
    streams: list[tuple[int, Stream]] = []
    for number, name in enumerate(arguments.operands or ["-"]):
        opened = inputs.open(name)
        if opened is None and is_directory(process, name):
            opened = NullStream()  # it can be opened, but not read
        if "s" in arguments and opened is not None:
            _serial(process, opened, delimiters, end)
            process.close(opened)
        elif "s" not in arguments and opened is None:
            return 1
        elif opened is not None:
            streams.append((-1 if name == "-" else number, opened))
    if "s" in arguments:
        return int(inputs.failed)
    _parallel(process, streams, delimiters, end)
    for _, stream in streams:
        process.close(stream)
    return int(inputs.failed)
