"""unexpand: spaces to tabs (POSIX XCU unexpand, GNU coreutils manual)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks
from bashkit.commands._notation.counts import clamped
from bashkit.commands.text._tabstops import LARGEST, TabStops, read
from bashkit.interp.runtime.pieces import joined
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced, paced_if_many, turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.process import Process

_RUN = re.compile(r"([ \t]*)([^ \t]*)")
_OBSOLETE = re.compile("-[0-9,a]*[0-9,][0-9,a]*")
_CHANGED = re.compile("  +|^ ")  # what may become tabs
_KNOWN = 1024  # runs of blanks that are remembered
_LONG = 4096  # characters of a line that has many runs of blanks


def _blanks(run: str, column: int, stops: TabStops) -> tuple[str, int]:
    """A run of blanks from ``column`` on with as many tabs as it takes, and the column behind it."""
    start = end = column
    verbatim = ""  # behind the last tab stop nothing is changed
    for index, char in enumerate(paced_if_many(run)):
        stop = stops.next(end)
        if stop is None:
            verbatim = run[index:]
            break
        end = stop if char == "\t" else end + 1
    result = ""
    while column < end:
        turn()
        stop = stops.next(column)
        if stop is None or stop > end:
            break
        # A single blank before a stop becomes a tab only where it begins the line or more blanks follow it.
        alone = stop == column + 1 and start and (stop == end or stops.next(stop) is None)
        result += " " if alone and not run.startswith("\t") and not result else "\t"
        column = stop
    return result + " " * (end - column) + verbatim, end + len(verbatim)


def _short(line: str, stops: TabStops, known: dict[tuple[int, int], str]) -> str:
    """What a short line without tabs becomes, of which all blanks are changed; its columns are its indexes."""

    def blanks(found: re.Match[str]) -> str:
        place = found.span()
        text = known.get(place)
        if text is None:
            if len(known) > _KNOWN:
                known.clear()
            text = known[place] = _blanks(found[0], place[0], stops)[0]
        return text

    return _CHANGED.sub(blanks, line)


def _unexpand(line: str, stops: TabStops, *, everywhere: bool) -> Iterator[str]:
    """The pieces of what a line becomes."""
    column = 0
    for found in _RUN.finditer(line) if len(line) < _LONG else paced(_RUN.finditer(line)):
        run, word = found.groups()
        if run:
            text, column = _blanks(run, column, stops)
            yield text
        yield word
        column += len(word)
        if "\b" in word:
            column = max(0, column - 2 * word.count("\b"))  # each goes one column back
        if not everywhere:
            yield line[found.end() :]
            return


def _rewrite(words: list[str]) -> list[str]:
    """Turn the obsolete ``-4,8`` into ``-t 4,8``, which here does not mean ``-a``."""
    end = words.index("--") if "--" in words else len(words)
    columns = [word[1:] for word in words[:end] if _OBSOLETE.fullmatch(word)]
    if not columns:
        return words
    others = [word for word in words[:end] if not _OBSOLETE.fullmatch(word)]
    everywhere = any(re.match("-a|--a|-t|--t", word) for word in others) or any("a" in word for word in columns)
    columns = [word.replace("a", "") for word in columns]
    if any(clamped(digits) > LARGEST for column in columns for digits in column.split(",") if digits):
        raise UsageError("tab stop value is too large", hint=False)
    return [*([] if everywhere else ["--first-only"]), *others, "-t" + "".join(columns), *words[end:]]


@command(
    "unexpand",
    usage="[OPTION]... [FILE]...",
    summary="Convert blanks in each FILE to tabs, writing to standard output.",
    options=(
        flag("-a", "--all", help="convert all blanks, instead of just initial blanks"),
        flag("--first-only", help="convert only leading sequences of blanks (overrides -a)"),
        value("-t", "--tabs", metavar="N|LIST", help="have tabs N characters apart, or at the positions of LIST (enables -a)"),
    ),
    rewrite=_rewrite,
)
def main(process: Process, arguments: Arguments) -> int:
    """Replace the blanks of every line."""
    stops = read(arguments)
    everywhere = ("a" in arguments or "t" in arguments) and "first-only" not in arguments
    known: dict[tuple[int, int], str] = {}  # what runs of blanks become, by their places
    inputs = Inputs(process, arguments.operands)
    for block in line_blocks(inputs.blocks(), process.budget):
        process.budget.tick(len(block) >> 2)
        text = block.decode("latin-1")  # columns are bytes, as in GNU unexpand
        result = "\n".join(
            [
                _short(line, stops, known)
                if everywhere and len(line) < _LONG and "\t" not in line and "\b" not in line
                else joined(_unexpand(line, stops, everywhere=everywhere))
                for line in paced(text.split("\n"))
            ]
        )
        process.stdout.write(result.encode("latin-1"))
    return int(inputs.failed)
