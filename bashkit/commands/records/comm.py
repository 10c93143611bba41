"""comm: compare two sorted files line by line (POSIX XCU comm, GNU coreutils manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, lines
from bashkit.commands._notation.encoding import encode
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_BATCH = 4096  # lines that are buffered before a write
_ROOM = 1 << 20  # bytes before them that are


class _DisorderError(Exception):
    """A file is not sorted and the options make that an error."""


class _Sorted:
    """A file that is read line by line with a check of its order.

    Attributes:
        line: The current line; None after the last.
    """

    def __init__(self, process: Process, number: int, source: Iterator[bytes], check: str) -> None:
        self._process = process
        self._number = number
        self._source = source
        self._check = check
        self._told = False
        self._before: bytes | None = None  # the line before the current one
        self.line: bytes | None = None
        self.disordered = False
        self.flush: Callable[[], None] = lambda: None  # writes the lines before a report
        self.advance(unpaired=False)

    def advance(self, *, unpaired: bool) -> None:
        """Go to the next line; disorder is reported once a line had no partner, at the end that of the last two lines."""
        before, previous, self.line = self._before, self.line, next(self._source, None)
        self._before = previous
        if previous is None or self._told:
            return
        disorder = self.line < previous if self.line is not None else before is not None and previous < before
        if disorder and (self._check == "always" or (self._check == "default" and unpaired)):
            self._told = self.disordered = True
            self.flush()
            self._process.warn(f"file {self._number} is not in sorted order")
            if self._check == "always":
                raise _DisorderError


@command(
    "comm",
    usage="[OPTION]... FILE1 FILE2",
    summary="Compare sorted files FILE1 and FILE2 line by line.",
    options=(
        flag("-1", help="suppress column 1 (lines unique to FILE1)"),
        flag("-2", help="suppress column 2 (lines unique to FILE2)"),
        flag("-3", help="suppress column 3 (lines that appear in both files)"),
        flag("--check-order", help="check that the input is correctly sorted"),
        flag("--nocheck-order", help="do not check that the input is correctly sorted"),
        value("--output-delimiter", metavar="STR", help="separate columns with STR"),
        flag("--total", help="output a summary"),
        flag("-z", "--zero-terminated", help="line delimiter is NUL, not newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the lines in three columns."""
    names = arguments.operands
    if not names:
        raise UsageError("missing operand")
    if len(names) != 2:
        problem = f"missing operand after {mention(names[0])}" if len(names) < 2 else f"extra operand {mention(names[2])}"
        raise UsageError(problem)
    end = b"\0" if "z" in arguments else b"\n"
    chosen = arguments.last("check-order", "nocheck-order")
    check = {"check-order": "always", "nocheck-order": "never"}.get(chosen or "", "default")
    inputs = Inputs(process, names)
    files: list[_Sorted] = []
    for number, name in enumerate(names, 1):
        stream = inputs.open(name)
        if stream is None:
            return 1
        source = (line for block in lines(stream.blocks(), process.budget, end) for line in block)
        files.append(_Sorted(process, number, source, check))
    if len(set(arguments.all("output-delimiter"))) > 1:
        raise UsageError("multiple output delimiters specified", hint=False)
    delimiter = encode(arguments.get("output-delimiter", "\t") or "\0")
    status, totals = _merge(process, files[0], files[1], _prefixes(arguments, delimiter), end)
    if "total" in arguments and not status:
        process.stdout.write(delimiter.join([str(count).encode() for count in totals] + [b"total"]) + end)
    if status or any(file.disordered for file in files):
        if not status:
            process.warn("input is not in sorted order")
        return 1
    return 0


def _prefixes(arguments: Arguments, delimiter: bytes) -> list[bytes | None]:
    """The prefix of the lines of each column; None for a hidden column."""
    result: list[bytes | None] = []
    before = b""
    for key in "123":
        result.append(None if key in arguments else before)
        before += b"" if key in arguments else delimiter
    return result


def _merge(process: Process, left: _Sorted, right: _Sorted, prefixes: list[bytes | None], end: bytes) -> tuple[int, list[int]]:
    totals = [0, 0, 0]
    held: list[bytes] = []
    batch = min(_BATCH, 1 + _ROOM // (1 + max(len(prefix or b"") for prefix in prefixes)))

    def flush() -> None:
        process.stdout.write(b"".join(held))
        held.clear()

    left.flush = right.flush = flush
    unpaired = False
    status = 0
    try:
        while left.line is not None or right.line is not None:
            process.budget.tick()
            if right.line is None or (left.line is not None and left.line < right.line):
                column, line = 0, left.line or b""
            elif left.line is None or right.line < left.line:
                column, line = 1, right.line
            else:
                column, line = 2, right.line
            totals[column] += 1
            unpaired = unpaired or column != 2
            prefix = prefixes[column]
            if prefix is not None:
                held.append(prefix + line + end)
                if len(held) >= batch:
                    flush()
            if column != 1:
                left.advance(unpaired=unpaired)
            if column != 0:
                right.advance(unpaired=unpaired)
    except _DisorderError:
        status = 1
    flush()
    return status, totals
