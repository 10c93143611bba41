"""cmp: compare two files byte by byte (POSIX XCU cmp)."""

from __future__ import annotations

import errno
import os
from itertools import chain, compress, islice
from operator import ne
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import MOST
from bashkit.commands.bytes._dumps import number
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_PART = 4096  # bytes that are compared at once


def _count(text: str, option: str, shown: str = "") -> int:
    try:
        return number(text)
    except ValueError:
        raise UsageError(f"invalid {option} value '{shown or text}'") from None


def _pair(text: str) -> tuple[int, int]:
    """``SKIP1:SKIP2``, or one number for both files; what is shown of a wrong one begins where the wrong number does."""
    first, colon, second = text.partition(":")
    skip = _count(first, "--ignore-initial", shown=text)
    return skip, _count(second, "--ignore-initial") if colon else skip


def _limit(text: str) -> int:
    return _count(text, "--bytes")


@command(
    "cmp",
    usage="[OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]",
    summary="Compare two files byte by byte.",
    options=(
        flag("-b", "--print-bytes", help="print differing bytes"),
        value("-i", "--ignore-initial", metavar="SKIP", help="skip first SKIP bytes of both inputs, or SKIP1:SKIP2", check=_pair),
        flag("-l", "--verbose", help="output byte numbers and differing byte values"),
        value("-n", "--bytes", metavar="LIMIT", help="compare at most LIMIT bytes", check=_limit),
        flag("-s", "--quiet", "--silent", help="suppress all normal output"),
        version_flag("-v"),
    ),
    usage_status=2,
    model="GNU diffutils 3.8",
)
def main(process: Process, arguments: Arguments) -> int:
    """Compare; 0 when the files are the same, 1 when they differ, 2 when something went wrong."""
    operands = arguments.operands
    if not operands:
        raise UsageError(f"missing operand after '{[process.name, *process.argv][-1]}'")
    if "l" in arguments and "s" in arguments:
        raise UsageError("options -l and -s are incompatible")
    names = [operands[0], operands[1] if len(operands) > 1 else "-"]
    limits = [_limit(text) for text in arguments.all("n")]
    skips = _skips(arguments, operands[2:4])
    if len(operands) > 4:
        raise UsageError(f"extra operand '{operands[4]}'")
    if names == ["-", "-"] and skips[0] == skips[1]:
        return 0
    sizes = [min(limits)] if limits else []
    streams: list[Stream] = []
    unreadable = ""  # the first directory, which can be opened but not read
    for name, skip in zip(names, skips, strict=True):
        try:
            stream = process.open(name)
        except IsADirectoryError:
            unreadable = unreadable or name
            continue
        except OSError as error:
            if "s" not in arguments:
                process.warn(f"{name}: {error.strerror}")
            return 2
        sizes += [max(stream.size() - skip, 0)] if isinstance(stream, FileStream) else []
        streams.append(stream)
    if unreadable:
        if not streams and skips[0] == skips[1] and len({process.fs.stat(process.path(name)).ino for name in names}) == 1:
            return 0  # one file, which need not be read
        process.warn(f"{unreadable}: {os.strerror(errno.EISDIR)}")
        return 2
    most = min([*limits, *(size + 1 for size in sizes)], default=None)
    contents = [_content(process, stream, skip, most) for stream, skip in zip(streams, skips, strict=True)]
    return _compare(process, arguments, names, contents[0], contents[1], len(str(min(sizes, default=MOST))))


def _skips(arguments: Arguments, operands: list[str]) -> list[int]:
    """The bytes to skip of each file: the most that ``-i`` or an operand says."""
    pairs = [_pair(text) for text in arguments.all("i")]
    if operands:
        first, second = (*operands, "0")[:2]
        pairs.append((_count(first, "--ignore-initial"), _count(second, "--ignore-initial")))
    return [max((pair[side] for pair in pairs), default=0) for side in (0, 1)]


def _content(process: Process, stream: Stream, skip: int, most: int | None) -> bytes:
    """What is compared of a file: at most ``most`` bytes after the first ``skip``."""
    blocks: list[bytes] = []
    left = None if most is None else skip + most
    for block in stream.blocks():
        process.hold(len(block))
        process.budget.tick(1 + (len(block) >> 8))
        blocks.append(block)
        if left is not None:
            left -= len(block)
            if left <= 0:
                break
    data = b"".join(blocks)
    process.budget.string(len(data))
    return data[skip : None if most is None else skip + most]


def _compare(process: Process, arguments: Arguments, names: list[str], first: bytes, second: bytes, width: int) -> int:
    """Compare what is left of the files; ``width`` is that of the largest place that there may be."""
    process.budget.tick((len(first) + len(second)) >> 10)
    if first == second:
        return 0
    silent = "s" in arguments
    shorter = min(len(first), len(second))
    different = _differences(process, first, second, shorter)
    if (index := next(different, None)) is not None:
        if silent:
            return 1
        if "l" not in arguments:
            _report(process, names, first, second, index, show_bytes="b" in arguments)
            return 1
        _list(process, first, second, chain((index,), different), width, show_bytes="b" in arguments)
    if len(first) != len(second) and not silent:
        short, name = (first, names[0]) if len(first) < len(second) else (second, names[1])
        if not short:
            process.warn(f"EOF on {name} which is empty")
        elif "l" in arguments:
            process.warn(f"EOF on {name} after byte {len(short)}")
        else:
            lines = short.count(b"\n")
            where = f"line {lines}" if short.endswith(b"\n") else f"in line {lines + 1}"
            process.warn(f"EOF on {name} after byte {len(short)}, {where}")
    return 1


def _report(process: Process, names: list[str], first: bytes, second: bytes, index: int, *, show_bytes: bool) -> None:
    line = first.count(b"\n", 0, index) + 1
    what = "byte"
    text = f"{names[0]} {names[1]} differ: {what} {index + 1}, line {line}"
    if show_bytes:
        text += f" is {first[index]:3o} {_visible(first[index])} {second[index]:3o} {_visible(second[index])}"
    process.write(text + "\n")


def _differences(process: Process, first: bytes, second: bytes, length: int) -> Iterator[int]:
    """The places where the first ``length`` bytes differ."""
    for start in range(0, length, _PART):
        end = min(start + _PART, length)
        one, other = first[start:end], second[start:end]
        if one != other:
            process.budget.tick(_PART >> 5)
            yield from compress(range(start, end), map(ne, one, other))


def _list(process: Process, first: bytes, second: bytes, places: Iterator[int], width: int, *, show_bytes: bool) -> None:
    """Write a line for each place, many at once."""
    form = f"%{width}d %3o %-4s %3o %s\n" if show_bytes else f"%{width}d %3o %3o\n"
    while some := list(islice(places, _PART)):
        process.budget.tick(len(some))
        if show_bytes:
            lines = [
                form % (index + 1, first[index], _visible(first[index]), second[index], _visible(second[index])) for index in some
            ]
        else:
            lines = [form % (index + 1, first[index], second[index]) for index in some]
        process.write("".join(lines))


def _visible(byte: int) -> str:
    """A byte as ``cat -v`` shows it."""
    meta, low = ("M-", byte - 128) if byte >= 128 else ("", byte)
    if low == 127:
        return meta + "^?"
    return meta + (f"^{chr(low + 64)}" if low < 32 else chr(low))
