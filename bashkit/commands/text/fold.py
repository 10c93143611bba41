"""fold: wrap lines (POSIX XCU fold, GNU coreutils manual); columns are bytes, as in GNU fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs
from bashkit.commands._notation.counts import MOST, MOST_UNSIGNED, is_count, unclamped
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import Charge, paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_PIECES = 4096  # parts of a line that are joined at once
_LONG = 1 << 14  # bytes of a line that are folded before its end
_WIDEST = MOST_UNSIGNED - 9  # columns: a tab more is no number any more


def _moves(text: bytes) -> bool:
    """Whether a character of a text does not go to the next column."""
    return b"\t" in text or b"\b" in text or b"\r" in text


def _fold(line: bytes, limit: int, budget: Budget, *, words: bool, plain: bool) -> bytes:
    """Split one line without its terminator into parts of at most ``limit`` columns; in ``plain`` text each byte is one."""
    plain = plain or not _moves(line)
    if plain and len(line) <= limit:
        return line
    budget.string(len(line) + len(line) // limit)
    folded = bytearray()
    pieces: list[bytes] = []
    start = 0
    while start < len(line):
        end = min(start + limit, len(line)) if plain else _reach(line, start, limit)
        if end < len(line) and words:
            blank = max(line.rfind(b" ", start, end), line.rfind(b"\t", start, end))
            end = blank + 1 if blank >= start else end
        pieces.append(line[start:end])
        start = end
        if len(pieces) == _PIECES:
            budget.tick(_PIECES >> 1)
            folded += b"\n".join(pieces) + b"\n"
            pieces = []
    return bytes(folded) + b"\n".join(pieces) if pieces else bytes(folded[:-1])


def _reach(line: bytes, start: int, limit: int) -> int:
    """The end of a part from ``start``, if tabs and backspaces move the column; at least one byte further."""
    column = 0
    for index in range(start, len(line)):
        byte = line[index]
        if byte == 9:
            column += 8 - column % 8
        elif byte == 8:
            column = max(column - 1, 0)
        elif byte == 13:
            column = 0
        else:
            column += 1
        if column > limit and index > start:
            return index
    return len(line)


def _parts(blocks: Iterable[bytes], folded: Callable[[bytes], bytes], budget: Budget) -> Iterator[bytes]:
    """Fold whole lines, and a line that does not end yet as far as what follows cannot change."""
    pending = bytearray()
    enough = _LONG
    charge = Charge(budget)
    for block in blocks:
        budget.tick(1 + (len(block) >> 8))
        cut = block.rfind(b"\n") + 1
        if cut:
            yield folded(bytes(pending) + block[:cut])
            pending.clear()
            enough = _LONG
        pending += block[cut:]
        charge.reach_line(len(pending))
        if len(pending) > enough:
            done, end, last = folded(bytes(pending)).rpartition(b"\n")
            yield done + end
            pending = bytearray(last)
            enough = max(_LONG, 2 * len(last))
    if pending:
        yield folded(bytes(pending))


def _width(text: str) -> int:
    if not is_count(text) or not 0 < unclamped(text) <= _WIDEST:
        what = "Value too large for defined data type" if text.strip("0") else "Numerical result out of range"
        problem = f": {what}" if is_count(text) else ""
        raise UsageError(f"invalid number of columns: {mention(text)}{problem}", hint=False)
    return min(unclamped(text), MOST)


@command(
    "fold",
    usage="[OPTION]... [FILE]...",
    summary="Wrap input lines in each FILE, writing to standard output.",
    options=(
        flag("-b", "--bytes", help="count bytes rather than columns"),
        flag("-s", "--spaces", help="break at spaces"),
        value("-w", "--width", metavar="WIDTH", help="use WIDTH columns instead of 80", check=_width, numeral="rest"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Wrap every line."""
    limit = _width(arguments.get("w") or "80")
    words, by_bytes = "s" in arguments, "b" in arguments
    inputs = Inputs(process, arguments.operands)

    def folded(text: bytes) -> bytes:
        plain = by_bytes or not _moves(text)
        return b"\n".join([_fold(line, limit, process.budget, words=words, plain=plain) for line in paced(text.split(b"\n"))])

    for _, stream in inputs:
        for text in _parts(stream.blocks(), folded, process.budget):
            process.stdout.write(text)
    return int(inputs.failed)
