"""Reads input in blocks and lines, and sizes on command lines, for the text utilities."""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import unclamped
from bashkit.commands._notation.quoting import quote, quote_if_needed
from bashkit.fs.handles import FileStream
from bashkit.fs.stream import BLOCK, READING
from bashkit.interp.utility.command import UsageError
from bashkit.limits import Charge, ask_room, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

LINE = 48  # bytes that a line in a list takes besides its text
PATTERN = 1024  # bytes that a pattern in a list of them takes
TEXT = 16  # bytes that a text takes more than bytes do
_ROW = 8192  # lines of one list: a utility may take some microseconds for each without a look at the clock
_UNITS = "KMGTPEZY"
_SIZE = re.compile(r"(?:[ \t-\r]*\+?([0-9]+)|(?=.))(?:(b)|([kKmMGTPEZY])(B|iB)?)?")


class Inputs:
    """Opens the input files of a utility one after the other, and reports those that cannot be opened.

    Args:
        process: The running utility.
        operands: File names; standard input if empty.
        message: The form of an error message; ``{name}`` is the name, quoted only if needed, ``{quoted}`` the quoted name,
            ``{bare}`` the name as it is, ``{error}`` the system's message.
        reading: The same for a file that can be opened but not read, such as a directory.
        standard_input: What messages call standard input.
        dash: An operand ``-`` is standard input, not a file of that name.
        output: The output for the blocks; an input file that is also the output is refused, because it would grow without end.

    Attributes:
        failed: Whether one of them could not be opened or read.
    """

    def __init__(
        self,
        process: Process,
        operands: list[str],
        message: str = "{name}: {error}",
        reading: str = "",
        standard_input: str = "-",
        output: Stream | None = None,
        *,
        dash: bool = True,
    ) -> None:
        self._process = process
        self._operands = operands or ["-"]
        self._dash = dash or not operands
        self._message = message
        self._reading = reading or message
        self._standard_input = standard_input
        self._output = output
        self.failed = False

    def __iter__(self) -> Iterator[tuple[str, Stream]]:
        for name in self._operands:
            stream = self.open(name)
            if stream is None:
                continue
            try:
                yield name, stream
            finally:
                self._process.close(stream)

    def open(self, name: str) -> Stream | None:
        """Open one file, or report why not and return None."""
        try:
            stream = self._process.open(name) if self._dash else self._process.open_file(name)
        except OSError as error:
            self.report(name, error)
            return None
        if self._output is not None and _grows(stream, self._output):
            self.failed = True
            self._process.warn(f"{quote_if_needed(name)}: input file is output file")
            self._process.close(stream)
            return None
        return stream

    def report(self, name: str, error: OSError) -> None:
        """Report why a file cannot be used."""
        self.failed = True
        text = error.strerror or os.strerror(error.errno or 0)
        standard_input = name == "-" and self._dash
        message = self._reading if error.errno == errno.EISDIR or standard_input else self._message
        name = self._standard_input if standard_input else name
        self._process.warn(message.format(name=quote_if_needed(name), bare=name, quoted=quote(name), error=text))

    def blocks(self) -> Iterator[bytes]:
        """The bytes of all files, in blocks."""
        for _, stream in self:
            yield from stream.blocks()


def open_only(process: Process, name: str) -> Stream:
    """Open the only input of a utility.

    Raises:
        OSError: With what the utility says before the reason in the place of the file's name.
    """
    try:
        return process.open(name)
    except OSError as error:
        error.filename = READING if error.errno in {errno.EISDIR, errno.EBADF} else quote_if_needed(name)
        raise


def unreadable_list(name: str, error: OSError) -> UsageError:
    """Why the file of ``--files0-from`` cannot be read; a directory can be opened."""
    if error.errno == errno.EISDIR:
        return UsageError(f"{quote_if_needed(name)}: read error: {error.strerror}", hint=False)
    return UsageError(f"cannot open {quote(name)} for reading: {error.strerror}", hint=False)


def same_file(stream: Stream, output: Stream) -> bool:
    """Whether two streams are of one file."""
    return isinstance(stream, FileStream) and isinstance(output, FileStream) and stream.ino == output.ino


def _grows(stream: Stream, output: Stream) -> bool:
    """Whether the unread part of a file is the one being written."""
    return isinstance(stream, FileStream) and same_file(stream, output) and stream.tell() < stream.size()


def line_blocks(blocks: Iterable[bytes], budget: Budget, delimiter: bytes = b"\n") -> Iterator[bytes]:
    """Regroup blocks so that each ends at the end of a line; the last line may lack its delimiter.

    Raises:
        LimitExceededError: A line is longer than ``max_string_bytes``.
    """
    pending: list[bytes] = []
    size = 0
    charge = Charge(budget)
    for block in blocks:
        budget.tick(1 + (len(block) >> 8))
        cut = block.rfind(delimiter) + 1
        if not cut:
            pending.append(block)
            size += len(block)
            charge.reach_line(size)
            continue
        if pending:
            pending.append(block[:cut])
            yield b"".join(pending)
        else:
            yield block[:cut]
        rest = block[cut:]
        pending = [rest] if rest else []
        size = len(rest)
        charge.reach(size)
    if pending:
        yield b"".join(pending)


def lines(blocks: Iterable[bytes], budget: Budget, delimiter: bytes = b"\n") -> Iterator[list[bytes]]:
    """Split each block into lines without delimiters; yield one list per block, or several where it has very many."""
    for block in line_blocks(blocks, budget, delimiter):
        found = block.split(delimiter)
        if not found[-1]:
            found.pop()
        for start in range(0, len(found), _ROW):
            row = found[start : start + _ROW] if len(found) > _ROW else found
            budget.tick(len(row))
            yield row


def parts_of_lines(data: bytes, budget: Budget) -> Iterator[bytes]:
    """Parts of a long text; a part ends where a line ends, and without its newline."""
    start = 0
    while len(data) - start > BLOCK:
        end = data.rfind(b"\n", start, start + BLOCK)
        if end < 0 and (end := data.find(b"\n", start + BLOCK)) < 0:
            break
        budget.tick((end - start >> 8) + 1)
        yield data[start:end]
        start = end + 1
    yield data[start:]


def split_lines(data: bytes, budget: Budget) -> list[bytes]:
    """``data.split(b"\\n")``."""
    found: list[bytes] = []
    for part in parts_of_lines(data, budget):
        found += part.split(b"\n")
        budget.tick(1 + (len(part) >> 6))
    return found


def whole_lines(data: bytes, budget: Budget) -> list[bytes]:
    """The lines, each with its newline, which the last one may lack."""
    found: list[bytes] = []
    for part in parts_of_lines(data, budget):
        found += [line + b"\n" for line in part.split(b"\n")]
        budget.tick(1 + (len(part) >> 6))
    last = found.pop()[:-1]
    return [*found, last] if last else found


def read_lines(process: Process, blocks: Iterable[bytes], delimiter: bytes = b"\n") -> list[bytes]:
    """All lines without their delimiters, held until the utility ends.

    Raises:
        LimitExceededError: They take more than ``max_memory_bytes``, or one is longer than ``max_string_bytes``.
    """
    found: list[bytes] = []
    for block in line_blocks(blocks, process.budget, delimiter):
        ask_room(block, (delimiter,), process.budget)
        more = block.split(delimiter)
        if not more[-1]:
            more.pop()
        process.hold(len(block) + LINE * len(more))
        found += more
        process.budget.tick(len(more) >> 3)
    return found


def read_names(process: Process, stream: Stream, delimiter: bytes = b"\n") -> list[str]:
    """The lines of a file of names or patterns, without their delimiters, held until the utility ends; see ``read_lines``."""
    found = read_lines(process, stream.blocks(), delimiter)
    process.hold(LINE * len(found))
    return [line.decode("utf-8", "surrogateescape") for line in paced_if_many(found)]


def read_texts(process: Process, blocks: Iterable[bytes], delimiter: bytes, most: int) -> list[str]:
    """As ``read_lines``, each line as a text with one character for each byte (Latin-1): Python sorts such faster than bytes.

    Args:
        process: The running utility.
        blocks: Blocks of whole lines; what is not read stays there.
        delimiter: What ends a line.
        most: How many lines are wanted; those of one more block may come. A text takes ``TEXT`` bytes more than bytes do.

    Raises:
        LimitExceededError: As for ``read_lines``.
    """
    found: list[str] = []
    end = delimiter.decode("latin-1")
    for block in blocks:
        ask_room(block, (delimiter,), process.budget)
        more = block.decode("latin-1").split(end)
        if not more[-1]:
            more.pop()
        process.hold(len(block) + (LINE + TEXT) * len(more))
        found += more
        process.budget.tick(len(more) >> 3)
        if len(found) > most:
            break
    return found


def slurp(process: Process, stream: Stream) -> bytes:
    """Everything up to the end of an input, held until the utility ends; where that may have many inputs, see ``freed``.

    Raises:
        LimitExceededError: The input exceeds ``max_memory_bytes``.
    """
    blocks: list[bytes] = []
    for block in stream.blocks():
        process.hold(len(block))
        process.budget.tick(1 + (len(block) >> 8))
        blocks.append(block)
    return b"".join(blocks)


@contextmanager
def freed(process: Process) -> Iterator[None]:
    """Release at the end of a block what the utility came to hold in it: for what is done file by file."""
    before = process.held
    try:
        yield
    finally:
        process.hold(before - process.held)


def copy(stream: Stream, output: Stream, budget: Budget) -> None:
    """Copy the rest of ``stream``."""
    while block := stream.read(BLOCK):
        budget.tick(1 + (len(block) >> 10))
        output.write(block)


def size(text: str) -> int:
    """Parse a number with an optional multiplier: ``b`` 512, ``K`` 1024, ``KB`` 1000, and so on; without digits it is one.

    Raises:
        ValueError: It is not a size.
    """
    found = _SIZE.fullmatch(text)
    digits = "1" if found is None or found[1] is None else found[1]
    if found is None or len(digits) > 4000:
        raise ValueError(text)
    number = unclamped(digits)
    if found[2]:
        return number * 512
    if found[3]:
        power: int = (1000 if found[4] == "B" else 1024) ** (_UNITS.index(found[3].upper()) + 1)
        return number * power
    return number
