"""expand: tabs to spaces (POSIX XCU expand, GNU coreutils manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks
from bashkit.commands.text._tabstops import TabStops, read
from bashkit.interp.runtime.pieces import PIECE, joined, split
from bashkit.interp.utility.command import Arguments, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.interp.utility.process import Process


def _expand(line: str, stops: TabStops, *, initial: bool) -> str:
    if "\t" not in line:
        return line
    body = line.lstrip(" \t")
    start, rest = (line[: len(line) - len(body)], body) if initial else (line, "")
    if len(start) <= PIECE:
        return "".join(_spread(start.split("\t"), stops)) + rest
    return joined(_spread(split(start, "\t"), stops)) + rest


def _spread(cells: Iterable[str], stops: TabStops) -> Iterator[str]:
    """The cells of a line, with blanks between them."""
    column = gap = 0
    for cell in cells:
        yield " " * gap
        yield cell
        column = _behind(cell, column) if "\b" in cell else column + len(cell)
        stop = stops.next(column)
        gap = 1 if stop is None else stop - column
        column += gap


def _behind(cell: str, column: int) -> int:
    """The column behind a cell in which there are backspaces."""
    column += 1
    for part in split(cell, "\b"):
        column = max(column - 1, 0) + len(part)
    return column


@command(
    "expand",
    usage="[OPTION]... [FILE]...",
    summary="Convert tabs in each FILE to spaces, writing to standard output.",
    options=(
        flag("-i", "--initial", help="do not convert tabs after non blanks"),
        value("-t", "--tabs", metavar="N|LIST", help="have tabs N characters apart, or at the positions of LIST", numeral="rest"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Replace the tabs of every line."""
    stops = read(arguments)
    initial = "i" in arguments
    plain = not initial and not stops.stops and stops.every < 1 << 30
    inputs = Inputs(process, arguments.operands)
    for block in line_blocks(inputs.blocks(), process.budget):
        process.budget.string(block.count(b"\t") * max(stops.every, *stops.stops, 1) + len(block))
        process.budget.tick(len(block) >> 3)
        if plain and b"\b" not in block and b"\r" not in block:
            process.stdout.write(block.expandtabs(stops.every))
            continue
        text = block.decode("latin-1")  # columns are bytes, as in GNU expand
        process.stdout.write("\n".join([_expand(line, stops, initial=initial) for line in text.split("\n")]).encode("latin-1"))
    return int(inputs.failed)
