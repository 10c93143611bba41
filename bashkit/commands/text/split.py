"""split: a file into pieces (POSIX XCU split, GNU coreutils manual)."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import Inputs, line_blocks, size, slurp
from bashkit.commands._notation.counts import MOST, clamped, is_count, unclamped
from bashkit.commands._notation.encoding import encode
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.fs import BytesStream
from bashkit.fs.handles import FileStream, GeneratedStream
from bashkit.fs.stream import NullStream
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.limits import ask_room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_RANGE = ": Numerical result out of range"
_TOO_LARGE = ": Value too large for defined data type"
_MOST_COUNT = (1 << 64) - 1
_SHOWN = 21  # digits of a number that is too large
_DIGITS = {"a": "abcdefghijklmnopqrstuvwxyz", "d": "0123456789", "x": "0123456789abcdef"}
_LONGEST = 9999  # suffix
_DIGITS_AT_MOST = 18  # of the first suffix
# The next word is the argument of these.
_OPENING = 20  # microseconds to open a file and to close it


class _Pieces:
    """Makes the output files one after the other, none of them in the place of the input."""

    def __init__(self, process: Process, arguments: Arguments, source: Stream, prefix: str, count: int | None) -> None:
        self._process = process
        self._input = source
        self._prefix = prefix
        self._extra = arguments.get("additional-suffix") or ""
        if "/" in self._extra:
            raise UsageError(f"invalid suffix {mention(self._extra)}, contains directory separator")
        kind = arguments.last("d", "numeric-suffixes", "x", "hex-suffixes")
        self._digits = _DIGITS["a" if kind is None else "d" if kind in ("d", "numeric-suffixes") else "x"]
        starts = [text for name, text in arguments.given if name in ("numeric-suffixes", "hex-suffixes") and text]
        start = starts[-1] if starts and not starts[-1].strip(self._digits) else None  # whatever option came after it
        start = start and (start.lstrip("0") or "0")
        self._next = int(start[:_DIGITS_AT_MOST], len(self._digits)) if start else 0
        length = arguments.get("a")
        needed = self._needed(count + self._next if count is not None and self._next < count else count)
        self._length = min(clamped(length), _LONGEST) if length is not None and clamped(length) else max(needed, 2)
        if self._length < needed:
            raise UsageError(f"the suffix length needs to be at least {needed}", hint=False)
        if start and len(start) > self._length:
            raise UsageError("numerical suffix start value is too large for the suffix length")
        self._grows = length is None and count is None and not start
        self._verbose = "verbose" in arguments
        self._stream: Stream | None = None
        self._filter = arguments.get("filter")
        self._name = ""
        self._held: list[bytes] = []
        self._size = 0
        self.is_open = False

    def _needed(self, count: int | None) -> int:
        length = 1
        while count is not None and len(self._digits) ** length < count:
            length += 1
        return length

    def _suffix(self) -> str:
        """The next suffix; after ``zz`` comes ``zaaa``, so that the names stay in order."""
        number, base, body, lead = self._next, len(self._digits), self._length, ""
        self._next += 1
        while self._grows and number >= base**body - base ** (body - 1):
            number -= base**body - base ** (body - 1)
            body += 1
            lead += self._digits[-1]
        result = ""
        for _ in range(body):
            number, digit = divmod(number, base)
            result = self._digits[digit] + result
        if number:
            raise UsageError("output file suffixes exhausted", hint=False)
        return lead + result

    def open(self) -> None:
        """Begin the next piece."""
        self.close()
        self._process.budget.tick(_OPENING)
        name = self._name = self._prefix + self._suffix() + self._extra
        if self._verbose:
            self._process.write(
                f"{'creating file ' + quote(name) if self._filter is None else 'executing with FILE=' + quote_if_needed(name)}\n"
            )
        if self._filter is None:
            self._guard(name)
            self._stream = self._process.create(name)
        self.is_open = True

    def _guard(self, name: str) -> None:
        """Raise UsageError where the next piece is the file that is being split."""
        if not isinstance(self._input, FileStream):
            return
        try:
            inode = self._process.fs.stat(self._process.path(name)).ino
        except OSError:
            return
        if inode == self._input.ino:
            raise UsageError(f"{quote(name)} would overwrite input; aborting", hint=False)

    def write(self, data: bytes) -> None:
        """Write to the current piece."""
        if self._stream is not None:
            self._stream.write(data)
            return
        self._size += len(data)
        self._process.budget.string(self._size)
        self._held.append(data)

    def close(self) -> None:
        """End the current piece.

        Raises:
            UsageError: The command of ``--filter`` failed; its status becomes that of split.
        """
        if self._stream is not None:
            self._process.close(self._stream)
            self._stream = None
        elif self.is_open:
            self._pass_on()
        self.is_open = False

    def _pass_on(self) -> None:
        """Run the command of ``--filter`` with the piece as its input."""
        assert self._filter is not None
        process, data = self._process, b"".join(self._held)
        self._held, self._size = [], 0
        status = process.launcher.run(
            ["sh", "-c", self._filter], env={**process.environment(), "FILE": self._name}, stdin=BytesStream(data)
        )
        if status in {0, 141}:
            return
        number = status - 128
        names = {value.value: value.name.removeprefix("SIG") for value in signal.Signals}
        how = f"signal {names[number]}" if number in names else f"exit {status}"
        raise UsageError(
            f"with FILE={quote_if_needed(self._name)}, {how} from command: {self._filter}", hint=False, status=status
        )


def _by_lines(process: Process, blocks: Iterator[bytes], count: int, end: bytes, pieces: _Pieces) -> None:
    room = 0
    for block in line_blocks(blocks, process.budget, end):
        found = block.split(end)
        tail = found.pop()
        lines = [line + end for line in found] + ([tail] if tail else [])
        process.budget.tick(len(lines))
        position = 0
        while position < len(lines):
            if not room:
                pieces.open()
                room = count
            chosen = lines[position : position + room]
            pieces.write(b"".join(chosen))
            position += len(chosen)
            room -= len(chosen)


def _by_bytes(process: Process, blocks: Iterator[bytes], count: int, pieces: _Pieces) -> None:
    room = 0
    for block in blocks:
        process.budget.tick(1 + (len(block) >> 8))
        position = 0
        while position < len(block):
            process.budget.tick(4)
            if not room:
                pieces.open()
                room = count
            chosen = block[position : position + room]
            pieces.write(chosen)
            position += len(chosen)
            room -= len(chosen)


def _by_line_bytes(process: Process, blocks: Iterator[bytes], count: int, end: bytes, pieces: _Pieces) -> None:
    """Write as many whole lines as fit into ``count`` bytes; a longer line is split.

    Observed with split 9.1: a last line without its end fits only where there would be room for the end as well.
    """
    room = 0
    for block in line_blocks(blocks, process.budget, end):
        for line in re.findall(rb"[^%s]*%s|[^%s]+" % ((re.escape(end),) * 3), block):
            process.budget.tick(2)
            lacking = 0 if line.endswith(end) else 1
            while line:
                if len(line) + lacking > room and (room < count or not room):
                    pieces.open()
                    room = count
                pieces.write(line[:room])
                rest = line[room:]
                room -= len(line) - len(rest)
                line = rest


def _chunks(process: Process, data: bytes, wanted: str, end: bytes, pieces: _Pieces, *, elide: bool) -> None:
    """``-n``: write N pieces, only the Kth (``K/N``), split at line ends (``l/``), or line by line in turn (``r/``).

    Args:
        process: Where the Kth goes.
        data: All of the input.
        wanted: The argument of ``-n``.
        end: What ends a line.
        pieces: The output files.
        elide: Make no empty ones.
    """
    mode = wanted[: wanted.find("/")] if wanted[:1] in {"l", "r"} else ""
    only, count = _chunk(wanted)
    indices = range(only - 1, only) if only else range(count)
    process.budget.words(len(indices))
    if mode == "r":
        ask_room(data, (end,), process.budget)
        lines = re.findall(rb"[^%s]*%s|[^%s]+" % ((re.escape(end),) * 3), data)
        process.budget.tick(len(lines))
        parts = (b"".join(lines[index::count]) for index in indices)
    else:
        edge = _edges(data, count, end if mode == "l" else b"")
        parts = (data[edge(index) : edge(index + 1)] for index in indices)
    for part in parts:
        if only:
            process.stdout.write(part)
        elif part or not elide:
            pieces.open()
            pieces.write(part)


def _edges(data: bytes, count: int, end: bytes) -> Callable[[int], int]:
    """Where each of ``count`` parts of equal size begins, moved to the next end of a line if ``end`` is one."""
    least = max(1, len(data) // count)  # the last piece has what is over

    def edge(index: int) -> int:
        if index == count:
            return len(data)
        position = min(least * index, len(data))
        return (data.find(end, position - 1) + 1 or len(data)) if end and position else position

    return edge


def _amount(text: str, what: str, most: int, read: Callable[[str], int]) -> int:
    try:
        number = read(text)
    except ValueError:
        raise UsageError(f"invalid number of {what}: {mention(text)}", hint=False) from None
    if number < 0:
        raise UsageError(f"invalid number of {what}: {mention(text)}", hint=False)
    if not number or number > most:
        raise UsageError(f"invalid number of {what}: {mention(text)}{_TOO_LARGE if number else _RANGE}", hint=False)
    return number


def _bytes(text: str) -> int:
    return _amount(text, "bytes", MOST - 1, size)


def _count(text: str) -> int:
    return _amount(text, "lines", _MOST_COUNT, unclamped)


def _numeral(text: str) -> None:
    """Check digits that are an option."""
    if unclamped(text) > _MOST_COUNT:
        raise UsageError(f"line count option -{text[:_SHOWN]}... is too large", hint=False)


def _check_length(text: str) -> None:
    if not is_count(text) or unclamped(text) >= MOST:
        problem = _TOO_LARGE if is_count(text) else ""
        raise UsageError(f"invalid suffix length: {mention(text)}{problem}", hint=False)


def _chunk(text: str) -> tuple[int, int]:
    """The K and the N of an argument of ``-n``; K is 0 for all pieces."""
    first, slash, last = text.removeprefix(text[:2] if text[:2] in {"l/", "r/"} else "").partition("/")
    count = _amount(last if slash else first, "chunks", MOST, unclamped)
    if not slash:
        return 0, count
    try:
        number = unclamped(first)
    except ValueError:
        raise UsageError(f"invalid chunk number: {mention(first)}", hint=False) from None
    if not 1 <= number <= count:
        raise UsageError(f"invalid chunk number: {mention(first)}{_TOO_LARGE if number > _MOST_COUNT else _RANGE}", hint=False)
    return number, count


def _separator(arguments: Arguments) -> bytes:
    separators = [b"\0" if text == "\\0" else encode(text) for text in arguments.all("t")]
    for separator, text in zip(separators, arguments.all("t"), strict=True):
        if len(separator) != 1:
            raise UsageError(f"multi-character separator {mention(text)}" if text else "empty record separator", hint=False)
    if len(set(separators)) > 1:
        raise UsageError("multiple separator characters specified", hint=False)
    return separators[0] if separators else b"\n"


def _start_in(kind: str) -> Callable[[str], None]:
    """A check of the first suffix."""

    def check(text: str) -> None:
        if text.strip(_DIGITS[kind]):
            raise UsageError(f"{mention(text)}: invalid start value for {'numerical' if kind == 'd' else 'hexadecimal'} suffix")

    return check


@command(
    "split",
    usage="[OPTION]... [FILE [PREFIX]]",
    summary="Output pieces of FILE to PREFIXaa, PREFIXab, ...; default size is 1000 lines, and default PREFIX is 'x'.",
    options=(
        value("-a", "--suffix-length", metavar="N", help="generate suffixes of length N (default 2)", check=_check_length),
        value("--additional-suffix", metavar="SUFFIX", help="append an additional SUFFIX to file names"),
        value("-b", "--bytes", metavar="SIZE", help="put SIZE bytes per output file", check=_bytes),
        value("-C", "--line-bytes", metavar="SIZE", help="put at most SIZE bytes of records per output file", check=_bytes),
        flag("-d", help="use numeric suffixes starting at 0, not alphabetic"),
        value(
            "--numeric-suffixes",
            metavar="FROM",
            optional=True,
            help="same as -d, but allow setting the start value",
            check=_start_in("d"),
        ),
        flag("-x", help="use hex suffixes starting at 0, not alphabetic"),
        value(
            "--hex-suffixes",
            metavar="FROM",
            optional=True,
            help="same as -x, but allow setting the start value",
            check=_start_in("x"),
        ),
        flag("-e", "--elide-empty-files", help="do not generate empty output files with '-n'"),
        value("-l", "--lines", metavar="NUMBER", help="put NUMBER lines/records per output file", check=_count),
        value("-NUM", help="the same as -l NUM", numeral="digits", check=_numeral),
        value(
            "-n", "--number", metavar="CHUNKS", help="generate CHUNKS output files: N, K/N, l/N, l/K/N, r/N, r/K/N", check=_chunk
        ),
        value("-t", "--separator", metavar="SEP", help="use SEP instead of newline as the record separator"),
        value("--filter", metavar="COMMAND", help="write to shell COMMAND; file name is $FILE"),
        flag("-u", "--unbuffered", help="(ignored: output is never held back)"),
        flag("--verbose", help="print a diagnostic just before each output file is opened"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the pieces."""
    operands = arguments.operands
    if len(operands) > 2:
        raise UsageError(f"extra operand {mention(operands[2])}")
    kinds = [key for key, _ in arguments.given if key in ("b", "C", "l", "n", "NUM")]
    if len(kinds) > 1 and set(kinds) != {"NUM"}:
        raise UsageError("cannot split in more than one way")
    kind = kinds[-1] if kinds else "l"
    text = arguments.get(kind, "1000") or ""
    chunk = _chunk(text) if kind == "n" else None
    if kind == "NUM":
        if not text.strip("0"):
            raise UsageError(f"invalid number of lines: {mention(text[-1])}")
        kind = "l"
    amount = 0 if chunk is not None else _count(text) if kind == "l" else _bytes(text)
    if chunk is not None and chunk[0] and "filter" in arguments:
        raise UsageError("--filter does not process a chunk extracted to stdout")
    end = _separator(arguments)
    reading = "{name}: {error}" if chunk is None or text.startswith("r/") else "{name}: cannot determine file size: {error}"
    inputs = Inputs(process, operands[:1], "cannot open {quoted} for reading: {error}", reading)
    stream = inputs.open(operands[0] if operands else "-")
    if stream is None:
        return 1
    prefix = operands[1] if len(operands) > 1 else "x"
    pieces = _Pieces(process, arguments, stream, prefix, None if chunk is None else chunk[1])
    if chunk is not None:
        if not isinstance(stream, (FileStream, NullStream)) and not text.startswith("r/"):
            problem = _TOO_LARGE if isinstance(stream, GeneratedStream) else ""
            process.warn(f"{operands[0] if operands else '-'}: cannot determine file size{problem}")
            return 1
        data = slurp(process, stream)
        _chunks(process, data, text, end, pieces, elide="e" in arguments)
    elif kind == "l":
        _by_lines(process, stream.blocks(), amount, end, pieces)
    elif kind == "b":
        _by_bytes(process, stream.blocks(), amount, pieces)
    else:
        _by_line_bytes(process, stream.blocks(), amount, end, pieces)
    pieces.close()
    process.close(stream)
    return 0
