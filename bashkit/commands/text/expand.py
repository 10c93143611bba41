"""expand: tabs to spaces (POSIX XCU expand, GNU coreutils manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks
from bashkit.commands.text._tabstops import TabStops, read
from bashkit.interp.utility.command import Arguments, command, flag, value
from bashkit.limits import ask_room, paced_if_many

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


def _expand(line: str, stops: TabStops, *, initial: bool) -> str:
    if "\t" not in line:
        return line
    body = line.lstrip(" \t")
    if initial:
        return _spread(line[: len(line) - len(body)], stops) + body
    return _spread(line, stops)


def _spread(line: str, stops: TabStops) -> str:
    cells = line.split("\t")
    pieces: list[str] = []
    column = 0
    for cell in paced_if_many(cells[:-1]):
        before, *parts = cell.split("\b")
        column += len(before)
        for part in parts:
            column = max(column - 1, 0) + len(part)
        stop = stops.next(column)
        gap = 1 if stop is None else stop - column
        pieces += (cell, " " * gap)
        column += gap
    return "".join(pieces) + cells[-1]


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
    inputs = Inputs(process, arguments.operands)
    for block in line_blocks(inputs.blocks(), process.budget):
        process.budget.string(block.count(b"\t") * max(stops.every, *stops.stops, 1) + len(block))
        process.budget.tick(len(block) >> 3)
        ask_room(block, (b"\t",), process.budget)
        text = block.decode("latin-1")  # columns are bytes, as in GNU expand
        process.stdout.write("\n".join([_expand(line, stops, initial=initial) for line in text.split("\n")]).encode("latin-1"))
    return int(inputs.failed)
