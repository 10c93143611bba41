"""Prints the last lines or bytes of a stream, with as little memory as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import copy
from bashkit.fs.stream import BLOCK
from bashkit.limits import Charge

if TYPE_CHECKING:
    from bashkit.commands.text._extents import Extent
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process


_FEW = 64  # lines that are looked for from the end of a block, which is faster than to count all of them


def write_ending(source: Stream, process: Process, wanted: Extent) -> None:
    """Write the requested part of ``source``, after reading all of it."""
    if wanted.sign == "+":
        _from(source, process, wanted)
    elif wanted.by_bytes:
        _last_bytes(source, process, wanted.count)
    else:
        _last_lines(source, process, wanted.count, wanted.delimiter)


def _from(source: Stream, process: Process, wanted: Extent) -> None:
    """Write everything from byte or line ``count`` on."""
    skip = max(wanted.count - 1, 0)
    budget = process.budget
    while skip:
        piece = source.read(min(skip, BLOCK)) if wanted.by_bytes else source.read_line(wanted.delimiter, BLOCK)
        if not piece:
            return
        budget.tick(1 + (len(piece) >> 10))
        skip -= len(piece) if wanted.by_bytes else piece.endswith(wanted.delimiter)
    copy(source, process.stdout, budget)


def _last_bytes(source: Stream, process: Process, count: int) -> None:
    held = b""
    charge = Charge(process.budget)
    for block in source.blocks():
        held = (held + block)[-count:] if count else b""
        process.budget.tick(1 + (len(held) >> 10))
        charge.reach_line(len(held))
    process.stdout.write(held)


def _last_lines(source: Stream, process: Process, count: int, delimiter: bytes) -> None:
    """Keeps only the blocks that the last ``count`` lines need."""
    blocks: list[tuple[bytes, int]] = []
    total = size = 0
    charge = Charge(process.budget)
    for block in source.blocks():
        process.budget.tick(1 + (len(block) >> 10))
        ends = _ends(block, delimiter, count + 1)
        blocks.append((block, ends))
        total += ends
        size += len(block)
        while total - blocks[0][1] > count:
            dropped, ends = blocks.pop(0)
            total -= ends
            size -= len(dropped)
        charge.reach_line(size)
    data = b"".join(block for block, _ in blocks)
    if not count:
        return
    body = data.removesuffix(delimiter)
    process.stdout.write(data[len(data) - len(_tail(body, count, delimiter)) - (len(data) - len(body)) :])


def _ends(block: bytes, delimiter: bytes, most: int) -> int:
    """How many delimiters a block holds, or ``most`` if there are more."""
    if most > _FEW:
        return block.count(delimiter)
    position = len(block)
    for found in range(most):
        position = block.rfind(delimiter, 0, position)
        if position < 0:
            return found
    return most


def _tail(body: bytes, count: int, delimiter: bytes) -> bytes:
    """The last ``count`` lines of ``body``."""
    position = len(body)
    for _ in range(min(count, body.count(delimiter) + 1)):
        position = body.rfind(delimiter, 0, position)
        if position < 0:
            return body
    return body[position + 1 :]
