"""head: the first part of files (POSIX XCU head, GNU coreutils manual).

Input after the printed part stays unread, so ``{ head -n 1; cat; }`` loses nothing, even from a pipe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, Inputs
from bashkit.commands._filesystem.targets import is_directory
from bashkit.commands.text._extents import OPTIONS, Extent, Titles, extent, open_titled, rewrite
from bashkit.fs.handles import FileStream
from bashkit.fs.stream import BLOCK
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.limits import Charge

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_FEW = 64  # up to this many lines, reading them one by one is not slower


def _first_bytes(source: Stream, output: Stream, count: int, budget: Budget) -> None:
    while count > 0:
        block = source.read(min(count, BLOCK))
        if not block:
            return
        budget.tick(1 + (len(block) >> 10))
        output.write(block)
        count -= len(block)


def _first_lines(source: Stream, output: Stream, count: int, delimiter: bytes, budget: Budget) -> None:
    while count > _FEW:  # a line has at least one byte, so this many bytes never contain more than the requested lines
        block = source.read(min(count, BLOCK))
        if not block:
            return
        budget.tick(1 + (len(block) >> 10))
        output.write(block)
        count -= block.count(delimiter)
    while count > 0:
        piece = source.read_line(delimiter, BLOCK)
        if not piece:
            return
        budget.tick()
        output.write(piece)
        count -= piece.endswith(delimiter)


def _all_but_bytes(source: Stream, output: Stream, count: int, budget: Budget) -> None:
    held = b""
    charge = Charge(budget)
    for block in source.blocks():
        budget.tick(1 + (len(block) >> 8))
        held += block
        surplus = len(held) - count
        if surplus > 0:
            output.write(held[:surplus])
            held = held[surplus:]
        charge.reach_line(len(held))


def _all_but_lines(source: Stream, process: Process, count: int, delimiter: bytes) -> None:
    """The last line counts as one even without its delimiter."""
    output, budget = process.stdout, process.budget
    held: list[bytes] = []
    open_line = b""
    charge = Charge(budget)
    for block in source.blocks():
        found = (open_line + block).split(delimiter)
        open_line = found.pop()
        held.extend(line + delimiter for line in found)
        charge.reach_line(len(open_line))
        process.hold(len(block) + LINE * len(found))
        budget.tick(1 + len(found))
        surplus = len(held) + bool(open_line) - count
        if surplus > 0:
            ready = b"".join(held[:surplus])
            output.write(ready)
            del held[:surplus]
            process.hold(-len(ready) - LINE * surplus)
    if open_line:
        held.append(open_line)
    output.write(b"".join(held[: max(0, len(held) - count)]))


def _take(source: Stream, process: Process, wanted: Extent) -> None:
    output, budget, count = process.stdout, process.budget, wanted.count
    if wanted.sign == "-" and wanted.by_bytes:
        _all_but_bytes(source, output, count, budget)
    elif wanted.sign == "-":
        _all_but_lines(source, process, count, wanted.delimiter)
    elif wanted.by_bytes:
        _first_bytes(source, output, count, budget)
    else:
        _first_lines(source, output, count, wanted.delimiter, budget)


@command(
    "head",
    usage="[OPTION]... [FILE]...",
    summary="Print the first 10 lines of each FILE to standard output.",
    options=OPTIONS,
    notes="With a leading '-' in NUM, print all but the last NUM bytes or lines.",
    rewrite=rewrite,
    digit=lambda digit: UsageError(f"invalid trailing option -- {digit}"),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the first lines or bytes of each file."""
    wanted = arguments.once(extent)
    titles = Titles(process, arguments)
    inputs = Inputs(process, [], "cannot open {quoted} for reading: {error}", "error reading {quoted}: {error}", "standard input")
    for name in arguments.operands or ["-"]:
        if not wanted.count and wanted.sign != "-" and is_directory(process, name):
            titles.show(name)  # nothing is read
            continue
        stream = open_titled(process, inputs, titles, name)
        if stream is not None:
            try:
                _take(stream, process, wanted)
                if not wanted.by_bytes and not isinstance(stream, FileStream):
                    stream.unread()  # what was read of a pipe is gone, while a file is left behind the lines that were taken
            finally:
                process.close(stream)
    return int(inputs.failed)
