"""paste: join corresponding lines of files (POSIX XCU paste, GNU coreutils manual)."""

from __future__ import annotations

from itertools import cycle, islice
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, lines
from bashkit.commands._notation.encoding import encode
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_ESCAPES = {"0": "", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_BATCH = 1 << 16  # bytes that are buffered before a write


def _delimiters(text: str) -> list[bytes]:
    result: list[bytes] = []
    pending = iter(text)
    for char in pending:
        if char == "\\":
            following = next(pending, None)
            if following is None:
                raise UsageError(f"delimiter list ends with an unescaped backslash: {text}", hint=False)
            char = _ESCAPES.get(following, following)
        result.append(encode(char))
    return result or [b""]


def _serial(process: Process, stream: Stream, delimiters: list[bytes], end: bytes) -> None:
    """Write all lines of each file as one line."""
    turn = cycle(delimiters)
    first = True
    for block in lines(stream.blocks(), process.budget, end):
        pieces: list[bytes] = []
        for line in block:
            if not first:
                pieces.append(next(turn))
            pieces.append(line)
            first = False
        process.stdout.write(b"".join(pieces))
    process.stdout.write(end)


def _parallel(process: Process, streams: list[Stream], delimiters: list[bytes], end: bytes) -> None:
    """Write the first lines side by side, then the second ones, and so on."""
    sources: list[Iterator[bytes] | None] = []
    opened: dict[int, Iterator[bytes]] = {}
    for stream in streams:
        source = opened.get(id(stream))
        if source is None:
            source = opened[id(stream)] = (line for block in lines(stream.blocks(), process.budget, end) for line in block)
        sources.append(source)
    between = list(islice(cycle(delimiters), len(sources) - 1))
    held: list[bytes] = []
    size = 0
    while True:
        cells: list[bytes] = []
        for index, source in enumerate(sources):
            cell = None if source is None else next(source, None)
            if cell is None:
                sources[index] = None
            cells.append(cell or b"")
        if all(source is None for source in sources):
            break
        row = cells[0] + b"".join([mark + cell for mark, cell in zip(between, cells[1:], strict=True)]) + end
        process.budget.string(len(row))
        held.append(row)
        size += len(row)
        if size > _BATCH:
            process.stdout.write(b"".join(held))
            held, size = [], 0
    process.stdout.write(b"".join(held))


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
    if "s" in arguments:
        for _, stream in inputs:
            _serial(process, stream, delimiters, end)
        return int(inputs.failed)
    streams: list[Stream] = []
    for name in arguments.operands or ["-"]:
        opened = inputs.open(name)
        if opened is None:
            return 1
        streams.append(opened)
    _parallel(process, streams, delimiters, end)
    for stream in streams:
        process.close(stream)
    return 0
