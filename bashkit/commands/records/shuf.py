"""shuf: write lines in random order (GNU coreutils manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import open_only, read_lines
from bashkit.commands._notation.counts import MOST, clamped, is_count
from bashkit.commands._notation.encoding import encode
from bashkit.commands._notation.quoting import mention
from bashkit.commands.records._drawing import ByteDraws
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from bashkit.interp.utility.process import Process

_MANY = 1 << 22  # lines of which a list is too long
_BATCH = 1024  # lines that are written at once
_ROOM = 1 << 20  # bytes of fewer of them that are


def _count(arguments: Arguments) -> int | None:
    counts = arguments.all("n")
    return min(clamped(text) for text in counts) if counts else None


def _check_count(text: str) -> None:
    if not is_count(text):
        raise UsageError(f"invalid line count: {mention(text)}", hint=False)


def _range(text: str) -> range:
    low, between, high = text.partition("-")
    for bound in (low, high) if between else (text,):
        if not is_count(bound):
            raise UsageError(f"invalid input range: {mention(bound)}", hint=False)
        if clamped(bound) == MOST:
            raise UsageError(f"invalid input range: {mention(bound)}: Value too large for defined data type", hint=False)
    if not between or clamped(low) > clamped(high) + 1:
        raise UsageError(f"invalid input range: {mention(text)}", hint=False)
    return range(clamped(low), clamped(high) + 1)


def _source(process: Process, arguments: Arguments, end: bytes, *, unread: bool) -> tuple[Sequence[bytes] | range, bool]:
    """The lines to shuffle, and whether they come from a pipe; the file is ``unread`` where none are wanted."""
    operands = arguments.operands
    span = arguments.get("i")
    if span is not None:
        if "e" in arguments:
            raise UsageError("cannot combine -e and -i options")
        numbers = _range(span)
        if operands:
            raise UsageError(f"extra operand {mention(operands[0])}")
        return numbers, False
    if "e" in arguments:
        return [encode(word) for word in operands], False
    if len(operands) > 1:
        raise UsageError(f"extra operand {mention(operands[1])}")
    if unread:
        return (), False
    stream = open_only(process, operands[0] if operands else "-")
    found = read_lines(process, stream.blocks(), end)
    process.close(stream)
    return found, not isinstance(stream, FileStream)


def _pick(
    draws: Random | ByteDraws, source: Sequence[bytes] | range, count: int | None, *, repeat: bool
) -> Iterator[bytes | int]:
    size = len(source)
    if repeat:
        made = 0
        while count is None or made < count:
            yield source[draws.randrange(size)]
            made += 1
        return
    wanted = size if count is None else min(count, size)
    if wanted < size >> 2 or size > _MANY:  # only the places that change are kept
        moved: dict[int, int] = {}
        for place in range(wanted):
            other = place + draws.randrange(size - place)
            yield source[moved.get(other, other)]
            moved[other] = moved.pop(place, place)
        return
    left = list(range(size))
    for place in range(wanted):
        other = place + draws.randrange(size - place)
        left[place], left[other] = left[other], left[place]
        yield source[left[place]]


def _sample(draws: ByteDraws, lines: Sequence[bytes] | range, count: int) -> list[bytes]:
    """Some of the lines of a pipe, drawn as they come, as nobody knows how many there are."""
    kept: list[bytes] = []
    for number, line in enumerate(paced(lines, 4)):
        assert isinstance(line, bytes)
        if number < count:
            kept.append(line)
        elif (place := draws.randrange(number + 1)) < count:
            kept[place] = line
    if len(lines) >= count:
        draws.randrange(len(lines) + 1)  # for the line that did not come
    return kept


@command(
    "shuf",
    usage="[OPTION]... [FILE]",
    summary="Write a random permutation of the input lines to standard output.",
    options=(
        flag("-e", "--echo", help="treat each ARG as an input line"),
        value("-i", "--input-range", metavar="LO-HI", help="treat each number LO through HI as an input line", check=_range),
        value("-n", "--head-count", metavar="COUNT", help="output at most COUNT lines", check=_check_count),
        value("-o", "--output", metavar="FILE", help="write result to FILE instead of standard output"),
        value("--random-source", metavar="FILE", help="get random bytes from FILE"),
        flag("-r", "--repeat", help="output lines can be repeated"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the lines, or some of them, in random order."""
    end = b"\0" if "z" in arguments else b"\n"
    count = _count(arguments)
    if len(arguments.all("i")) > 1:
        raise UsageError("multiple -i options specified", hint=False)
    for key, what in (("o", "output files"), ("random-source", "random sources")):
        if len(set(arguments.all(key))) > 1:
            raise UsageError(f"multiple {what} specified", hint=False)
    source, piped = _source(process, arguments, end, unread=count == 0)
    repeat = "r" in arguments
    if repeat and not source and count != 0:
        raise UsageError("no lines to repeat", hint=False)
    draws: Random | ByteDraws = process.system.random
    seed = arguments.get("random-source")
    if seed is not None and count != 0:
        draws = ByteDraws(seed, open_only(process, seed))
    if not repeat:
        process.budget.words(len(source) if count is None else min(count, len(source)))
    target = arguments.get("o")
    output = process.stdout if target is None else process.create(target)
    if piped and not repeat and count and isinstance(draws, ByteDraws):
        source = _sample(draws, source, count)
    chosen: Iterable[bytes | int] = _pick(draws, source, count, repeat=repeat)
    if seed is not None and not repeat:
        chosen = list(paced(chosen, 4))  # nothing is written where the bytes do not last
    batch: list[bytes] = []
    size = 0
    try:
        for item in chosen:
            process.budget.tick()
            batch.append((item if isinstance(item, bytes) else str(item).encode()) + end)
            size += len(batch[-1])
            if len(batch) == _BATCH or size > _ROOM:
                output.write(b"".join(batch))
                batch, size = [], 0
    except UsageError:  # the random bytes have come to an end
        output.write(b"".join(batch))
        raise
    output.write(b"".join(batch))
    if target is not None:
        process.close(output)
    return 0
