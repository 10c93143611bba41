"""tac: the lines of files, last one first (GNU coreutils manual)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._filesystem.lines import LINE, Inputs, freed, line_blocks, slurp
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_LINE = re.compile(rb"[^\n]*+\n|[^\n]++")


def _records(text: str, separator: str, *, pattern: bool, before: bool, process: Process) -> list[str]:
    """The pieces of the text, each with the separator that belongs to it."""
    if pattern:
        try:
            matches = regex.compile(separator, "basic", multiline=True, budget=process.budget).finditer(text)
            spans = [match.span() for match in matches if match.end() > match.start()]
        except regex.RegexError as error:
            raise UsageError(error.message, hint=False) from None
        cuts = [start if before else end for start, end in spans]
        edges = [0, *cuts, len(text)]
        pieces = [text[low:high] for low, high in pairwise(edges)]
    else:
        ask_room(text, (separator,), process.budget)
        found = text.split(separator)
        if before:
            pieces = [found[0], *(separator + piece for piece in found[1:])]
        else:
            pieces = [*(piece + separator for piece in found[:-1]), found[-1]]
    return [piece for piece in pieces if piece]


def _write_reversed(process: Process, stream: Stream) -> None:
    """The lines of a stream, last one first; one that is not ended runs into the next."""
    blocks: list[bytes] = []
    for block in line_blocks(stream.blocks(), process.budget):
        process.hold(len(block))
        blocks.append(block)
    while blocks:
        block = blocks.pop()
        process.budget.tick(1 + (len(block) >> 6))
        process.stdout.write(b"".join(reversed(_LINE.findall(block))))


@command(
    "tac",
    usage="[OPTION]... [FILE]...",
    summary="Write each FILE to standard output, last line first.",
    options=(
        flag("-b", "--before", help="attach the separator before instead of after"),
        flag("-r", "--regex", help="interpret the separator as a regular expression"),
        value("-s", "--separator", metavar="STRING", help="use STRING as the separator instead of newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the records of each file in reverse order."""
    separator = arguments.get("s", "\n") or "\0"
    inputs = Inputs(
        process,
        arguments.operands,
        "failed to open {quoted} for reading: {error}",
        "{name}: read error: Invalid argument",
        "standard input",
    )
    for _, stream in inputs:
        if separator == "\n" and "r" not in arguments and "b" not in arguments:
            _write_reversed(process, stream)
            continue
        with freed(process):
            text = slurp(process, stream).decode("utf-8", "surrogateescape")
            records = _records(text, separator, pattern="r" in arguments, before="b" in arguments, process=process)
            process.budget.tick(len(records))
            process.hold(2 * len(text) + LINE * len(records))
            process.write("".join(reversed(records)))
    return int(inputs.failed)
