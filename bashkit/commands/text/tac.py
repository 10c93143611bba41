"""tac: the lines of files, last one first (GNU coreutils manual)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._filesystem.lines import LINE, Inputs, freed, line_blocks, slurp
from bashkit.commands._notation.emacs import from_emacs
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_LINE = re.compile(rb"[^\n]*+\n|[^\n]++")


def _matches(text: str, pattern: regex.Pattern, process: Process) -> list[tuple[int, int]]:
    """Where a pattern matches, sought from the end: a match that begins later goes before one that begins earlier."""
    starts: list[int] = []
    search = pattern.searcher(text)
    found = search(0)
    while found is not None and found.start() < len(text):
        process.budget.tick()
        starts.append(found.start())
        found = search(found.start() + 1)
    spans: list[tuple[int, int]] = []
    limit = len(text)
    for start in reversed(starts):
        found = pattern.match(text, start)
        if found is not None and found.end() > limit:
            process.budget.tick(1 + (limit >> 10))
            found = pattern.match(text[:limit], start)
        if found is not None:
            spans.append(found.span())
            limit = start
    return spans[::-1]


def _records(text: str, separator: str, *, pattern: bool, before: bool, process: Process) -> list[str]:
    """The pieces of the text, each with the separator that belongs to it."""
    if pattern:
        try:
            compiled = regex.compile(from_emacs(separator), "basic", multiline=True, budget=process.budget)
        except regex.RegexError as error:
            raise UsageError(error.message, hint=False) from None
        cuts = [start if before else end for start, end in _matches(text, compiled, process)]
        edges = [0, *cuts, len(text)]
        pieces = [text[low:high] for low, high in pairwise(edges)]
    else:
        ask_room(text, (separator,), process.budget)
        found = text.rsplit(separator)  # as they are found from the end
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
    if "r" in arguments and not arguments.get("s", "\n"):
        raise UsageError("separator cannot be empty", hint=False)
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
