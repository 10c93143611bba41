"""dd: convert and copy a file (POSIX XCU dd)."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import MOST, clamped
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.commands._notation.sizes import human, parse_size
from bashkit.commands.files._ebcdic import CODES
from bashkit.fs.handles import FileStream
from bashkit.fs.stream import DirectoryStream, NullStream, os_error
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_FACTOR = r"[ \t-\r]*\+?([0-9]*)([bcw]|[kKMGTPEZY](?:iB|B)?)?"
_NUMBER = re.compile(f"{_FACTOR}((?<!B)B)?(?:x{_FACTOR})?")
_PIECE = 1 << 20  # bytes that are read at once of a block, which may be larger than the input
_UNITS = {"c": 1, "w": 2, "b": 512}  # besides those that all sizes have
_CONVERSIONS = {
    "ucase", "lcase", "swab", "noerror", "notrunc", "sync", "fsync", "fdatasync", "excl", "nocreat", "block", "unblock", "sparse",
    *CODES,
}  # fmt: skip
_LEVELS = {"none", "noxfer", "progress"}
_OPPOSITES = (("block", "unblock"), ("lcase", "ucase"), ("excl", "nocreat"))
_FLAGS = {
    "append", "count_bytes", "skip_bytes", "seek_bytes", "fullblock", "direct", "dsync", "sync", "nonblock", "noatime", "nocache",
    "directory", "nofollow", "noctty",
}  # fmt: skip
_BYTES = {"count": "count_bytes", "skip": "skip_bytes", "seek": "seek_bytes"}  # the flags that a `B` behind a number stands for
_OPERANDS = """\
  bs=BYTES        read and write up to BYTES bytes at a time (default: 512)
  cbs=BYTES       convert BYTES bytes at a time (conv=block, unblock)
  conv=CONVS      convert the file as per the comma separated symbol list:
                  ascii, ebcdic, ibm, ucase, lcase, swab, block, unblock, sync, notrunc, excl, nocreat, noerror, fsync,
                  fdatasync
  count=N         copy only N input blocks
  ibs=BYTES       read up to BYTES bytes at a time (default: 512)
  if=FILE         read from FILE instead of stdin
  iflag=FLAGS     count_bytes, skip_bytes, fullblock, directory, nofollow
  obs=BYTES       write BYTES bytes at a time (default: 512)
  of=FILE         write to FILE instead of stdout
  oflag=FLAGS     append, seek_bytes, directory, nofollow
  seek=N          skip N obs-sized output blocks
  skip=N          skip N ibs-sized input blocks; N is multiplied in 2x512, and counts bytes in 512B, as for count and seek
  status=LEVEL    none, noxfer or progress
"""


@dataclass(slots=True)
class _Plan:
    """The parsed operands."""

    source: str | None = None
    target: str | None = None
    ibs: int = 512
    obs: int = 512
    bs: int = 0
    cbs: int = 0
    count: int | None = None
    skip: int = 0
    seek: int = 0
    status: str = ""
    conversions: set[str] = field(default_factory=set)
    flags: set[str] = field(default_factory=set)
    output_flags: set[str] = field(default_factory=set)

    @property
    def offset(self) -> int:
        """Where in the output the copy begins, in bytes."""
        return self.seek * (1 if "seek_bytes" in self.output_flags else self.obs)


@command("dd", usage="[OPERAND]...", summary="Copy a file, converting and formatting according to the operands.", notes=_OPERANDS)
def main(process: Process, arguments: Arguments) -> int:
    """Copy; 1 when a file cannot be opened."""
    plan = _read(process, arguments.operands)
    if "append" in plan.output_flags and "notrunc" not in plan.conversions:
        process.warn("you probably want conv=notrunc with oflag=append")
    try:
        reader = _reader(process, plan)
    except OSError as error:
        process.warn(f"{_opening(plan.source, 'standard input')}: {error.strerror}")
        return 1
    try:
        writer = _writer(process, plan)
    except OSError as error:
        process.warn(f"{_opening(plan.target, 'standard output')}: {error.strerror}")
        return 1
    except _SeekError as error:
        process.warn(f"{quote(plan.target or 'standard output')}: cannot seek: {error}")
        if plan.status != "none":
            _report(process, plan, _Figures(), 0)
        return 1
    started = process.system.now()
    figures = _Figures()
    status = 0
    try:
        _copy(process, plan, reader, writer, figures)
    except _ReadError as error:
        process.warn(f"error reading {quote(plan.source or 'standard input')}: {error}")
        status = 1
    if plan.status != "none":
        _report(process, plan, figures, process.system.now() - started)
    return status


def _opening(name: str | None, standard: str) -> str:
    """What failed where an input or output cannot be used."""
    return f"setting flags for {quote(standard)}" if name is None else f"failed to open {quote(name)}"


class _ReadError(Exception):
    """The input cannot be read; the system's message."""


class _SeekError(Exception):
    """The output has no positions; the system's message."""


def _read(process: Process, words: list[str]) -> _Plan:
    plan = _Plan()
    in_bytes = dict.fromkeys(_BYTES, False)
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"unrecognized operand {mention(word)}")
        if key == "if":
            plan.source = text
        elif key == "of":
            plan.target = text
        elif key in {"ibs", "obs", "bs", "cbs"}:
            setattr(plan, key, _number(process, text, at_least=1)[0])
        elif key in {"count", "skip", "seek", "iseek", "oseek"}:
            name = {"iseek": "skip", "oseek": "seek"}.get(key, key)
            number, in_bytes[name] = _number(process, text, at_least=0)
            setattr(plan, name, number)
        elif key == "conv":
            plan.conversions |= _choices(text, _CONVERSIONS, "conversion")
        elif key in {"iflag", "oflag"}:
            flags = plan.output_flags if key == "oflag" else plan.flags
            known, what = (_FLAGS, "input flag") if key == "iflag" else (_FLAGS - {"fullblock"}, "output flag")
            flags |= _choices(text, known, what)
        elif key == "status":
            plan.status = text.split(",")[-1]
            for word in paced(text.split(",")):
                if word not in _LEVELS:
                    raise UsageError(f"invalid status level: {mention(word)}")
        else:
            raise UsageError(f"unrecognized operand {mention(word)}")
    codes = plan.conversions & {*CODES}
    if len(codes) > 1:
        raise UsageError("cannot combine any two of {ascii,ebcdic,ibm}", hint=False)
    for first, second in _OPPOSITES:
        if {first, second} <= plan.conversions:
            raise UsageError(f"cannot combine {first} and {second}", hint=False)
    if not plan.conversions & {"block", "unblock"}:
        plan.conversions |= {"unblock" if code == "ascii" else "block" for code in codes}
    if not plan.cbs:
        plan.conversions -= {"block", "unblock"}
    if plan.bs:
        plan.ibs = plan.obs = plan.bs
    for name, flag in _BYTES.items():
        if in_bytes[name]:
            (plan.output_flags if name == "seek" else plan.flags).add(flag)
    return plan


def _choices(text: str, known: set[str], what: str) -> set[str]:
    words = set(text.split(","))
    for word in sorted(words - known):
        raise UsageError(f"invalid {what}: {mention(word)}")
    return words


def _number(process: Process, text: str, *, at_least: int) -> tuple[int, bool]:
    """A number, which may be the product of two, and whether it counts bytes, as a ``B`` behind it says."""
    match = _NUMBER.fullmatch(text)
    digits, unit, in_bytes, more_digits, more_unit = match.groups() if match is not None else [None] * 5
    is_product = "x" in text
    if not (digits or unit) or (in_bytes and not digits) or (is_product and not (more_digits or more_unit)):
        raise UsageError(f"invalid number: {mention(text)}", hint=False)
    if text.startswith("0x"):
        process.warn(f"warning: {mention('0x')} is a zero multiplier; use {mention('00x')} if that is intended")
    number = _factor(digits, unit) * (_factor(more_digits, more_unit) if is_product else 1)
    if number >= MOST:
        raise UsageError(f"invalid number: {mention(text)}: Value too large for defined data type", hint=False)
    if number < at_least:
        raise UsageError(f"invalid number: {mention(text)}", hint=False)
    return number, bool(in_bytes)


def _factor(digits: str | None, unit: str | None) -> int:
    """The number that digits and a unit mean; a unit alone means one of it."""
    if unit in _UNITS:
        return _UNITS[unit] * clamped(digits or "1")
    return parse_size(f"{digits or ''}{unit or ''}")


def _reader(process: Process, plan: _Plan) -> Stream:
    """The input; a directory can be opened, and not be read.

    Raises:
        OSError: It cannot be opened, or not as its flags ask.
    """
    if plan.source is None:
        if "directory" in plan.flags and process.stdin.type != "directory":
            raise os_error(errno.ENOTDIR)
        return process.stdin
    _check_kind(process, plan.source, plan.flags)
    try:
        stream = process.open_file(plan.source) if plan.source == "-" else process.open(plan.source)
    except IsADirectoryError:
        stream = DirectoryStream()
    return stream


def _check_kind(process: Process, name: str, flags: set[str]) -> None:
    """Refuse what is no directory, or is a symbolic link, where the flags say so.

    Raises:
        OSError: As open(2) with ``O_DIRECTORY`` and ``O_NOFOLLOW``.
    """
    path = process.path(name)
    if "nofollow" in flags and process.fs.stat(path, follow=False).type == "symlink":
        raise os_error(errno.ENOTDIR if "directory" in flags else errno.ELOOP)
    if "directory" in flags and process.fs.stat(path).type != "directory":
        raise os_error(errno.ENOTDIR)


def _writer(process: Process, plan: _Plan) -> Stream:
    """The output, at the place where the copy begins.

    Raises:
        _SeekError: It has no places.
    """
    offset = plan.offset
    special = process.stdout if plan.target is None else process.descriptor(plan.target)
    if special is not None:
        if isinstance(special, FileStream):
            process.budget.string(special.tell() + offset)
            special.seek(special.tell() + offset)
        elif offset and not isinstance(special, NullStream):
            raise _SeekError(os.strerror(errno.ESPIPE))
        if plan.target is None and "directory" in plan.output_flags:
            raise os_error(errno.ENOTDIR)
        return special
    stream = _open_target(process, plan, plan.target or "")
    if isinstance(stream, FileStream):
        process.budget.string(offset)
        if "notrunc" not in plan.conversions:
            process.fs.truncate(process.path(plan.target or ""), offset)
        stream.seek(offset)
    return stream


def _open_target(process: Process, plan: _Plan, name: str) -> Stream:
    """Open the output file as the conversions and flags say; wait at a named pipe until there is a reader."""
    creates = "nocreat" not in plan.conversions
    if creates and "directory" in plan.output_flags:
        raise os_error(errno.EINVAL)  # open(2) does not make directories
    try:
        _check_kind(process, name, plan.output_flags)
    except FileNotFoundError:
        pass  # it is made
    try:
        return process.fs.open(
            process.path(name),
            write=True,
            create=creates,
            exclusive="excl" in plan.conversions,
            append="append" in plan.output_flags,
            mode=0o666 & ~process.umask,
        )
    except OSError as error:
        if error.errno != errno.ENXIO:
            raise
        return process.create(name)


@dataclass(slots=True)
class _Figures:
    """Blocks read and written, whole and partial, bytes copied, and lines cut by ``conv=block``."""

    whole_in: int = 0
    part_in: int = 0
    whole_out: int = 0
    part_out: int = 0
    size: int = 0
    truncated: int = 0


def _copy(process: Process, plan: _Plan, reader: Stream, writer: Stream, figures: _Figures) -> None:
    """Copy, and count in ``figures``.

    Raises:
        _ReadError: The input cannot be read.
    """
    to_skip = plan.skip * (1 if "skip_bytes" in plan.flags else plan.ibs)
    skipped = 0
    while skipped < to_skip:
        process.budget.tick(4)
        block = reader.read(min(to_skip - skipped, 65536))
        if not block:
            if plan.status != "none":
                process.warn(f"{quote_if_needed(plan.source or 'standard input')}: cannot skip to specified offset")
            break
        skipped += len(block)
    held = b""
    converter = _Converter(plan, figures)
    left_bytes = plan.count if "count_bytes" in plan.flags else None
    while plan.count is None or left_bytes is not None or figures.whole_in + figures.part_in < plan.count:
        want = plan.ibs if left_bytes is None else min(plan.ibs, left_bytes)
        block = _block(process, reader, want)
        if not block:
            break
        if left_bytes is not None:
            left_bytes -= len(block)
        if len(block) == plan.ibs:
            figures.whole_in += 1
        else:
            figures.part_in += 1
            if "sync" in plan.conversions:
                process.budget.string(plan.ibs)
                block = block.ljust(plan.ibs, b" " if plan.conversions & {"block", "unblock"} else b"\0")
        process.budget.tick(4 + (len(block) >> 8))
        if "block" in plan.conversions:
            process.budget.string(plan.cbs)
            process.budget.room(plan.cbs * (block.count(b"\n") + 1))
        process.budget.longer(len(held), len(block))
        held = _whole_blocks(process, plan, writer, figures, held + converter.convert(block))
        if plan.bs and held and not plan.conversions & {"block", "unblock"}:
            held = _rest(writer, figures, held)
    held = _whole_blocks(process, plan, writer, figures, held + converter.convert(b"", last=True))
    _rest(writer, figures, held)


def _whole_blocks(process: Process, plan: _Plan, writer: Stream, figures: _Figures, held: bytes) -> bytes:
    """Write what fills blocks, and return the rest."""
    written = 0
    while len(held) - written >= plan.obs:
        process.budget.tick()
        writer.write(held[written : written + plan.obs])
        figures.whole_out += 1
        figures.size += plan.obs
        written += plan.obs
    return held[written:]


def _rest(writer: Stream, figures: _Figures, held: bytes) -> bytes:
    if held:
        writer.write(held)
        figures.part_out += 1
        figures.size += len(held)
    return b""


def _block(process: Process, reader: Stream, size: int) -> bytes:
    """Read a block as full as the input allows: short reads of a pipe depend on timing, not on the input."""
    pieces: list[bytes] = []
    missing = size
    while missing:
        process.budget.tick(1)
        process.budget.longer(size - missing, min(missing, _PIECE))
        try:
            piece = reader.read(min(missing, _PIECE))
        except OSError as error:
            raise _ReadError(error.strerror) from None
        if not piece:
            break
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


class _Converter:
    """Converts block by block: a pair of bytes, a line or a record may begin in one block and end in the next."""

    def __init__(self, plan: _Plan, figures: _Figures) -> None:
        self._conversions = plan.conversions
        self._columns = plan.cbs
        self._newline, self._blank = b"\n", b" "
        for name in plan.conversions & {"ebcdic", "ibm"}:
            self._newline, self._blank = (char.translate(CODES[name]) for char in (b"\n", b" "))
        self._figures = figures
        self._odd = self._begun = b""  # what waits for the next block

    def convert(self, block: bytes, *, last: bool = False) -> bytes:
        """Convert a block, or what is left behind the last one."""
        if "swab" in self._conversions:
            block = self._odd + block
            even = len(block) // 2 * 2
            swapped = bytearray(block[:even])
            swapped[0::2], swapped[1::2] = block[1:even:2], block[0:even:2]
            self._odd = b"" if last else block[even:]
            block = bytes(swapped) + block[even:] * last
        if "ascii" in self._conversions:
            block = block.translate(CODES["ascii"])
        if "ucase" in self._conversions:
            block = block.upper()
        if "lcase" in self._conversions:
            block = block.lower()
        for name in self._conversions & {"ebcdic", "ibm"}:
            block = block.translate(CODES[name])
        if "block" in self._conversions and self._columns:
            return self._to_records(self._begun + block, last=last)
        if "unblock" in self._conversions and self._columns:
            return self._to_lines(self._begun + block, last=last)
        return block

    def _to_records(self, text: bytes, *, last: bool) -> bytes:
        lines = text.split(self._newline)
        if not last or not lines[-1]:
            self._begun = lines.pop()[: self._columns + 1]  # one byte more tells that it is cut
        self._figures.truncated += sum(len(line) > self._columns for line in lines)
        return b"".join(line[: self._columns].ljust(self._columns, self._blank) for line in lines)

    def _to_lines(self, text: bytes, *, last: bool) -> bytes:
        size = self._columns
        whole = len(text) if last else len(text) // size * size
        self._begun = text[whole:]
        return b"".join(text[start : min(start + size, whole)].rstrip(b" ") + b"\n" for start in range(0, whole, size))


def _report(process: Process, plan: _Plan, figures: _Figures, seconds: float) -> None:
    lines = f"{figures.whole_in}+{figures.part_in} records in\n{figures.whole_out}+{figures.part_out} records out\n"
    if figures.truncated:
        lines += f"{figures.truncated} truncated record{'' if figures.truncated == 1 else 's'}\n"
    if plan.status != "noxfer":
        seconds = max(seconds, 1e-6)
        text = f"{figures.size} byte{'' if figures.size == 1 else 's'}"
        if figures.size >= 1000:
            si = f"{_short(figures.size, 1000)}B"
            text += f" ({si}, {_short(figures.size, 1024)}iB)" if figures.size >= 1024 else f" ({si})"
        lines += f"{text} copied, {seconds:g} s, {_rate(figures.size / seconds)}\n"
    process.stderr.write(lines.encode())


def _rate(amount: float) -> str:
    """Bytes in a second, as dd writes them: kB at least, with a decimal place below 100."""
    letters = iter("kMGTPEZY")
    letter = next(letters)
    amount /= 1000
    while amount >= 999.5:
        amount /= 1000
        letter = next(letters)
    return f"{amount:.{int(amount < 99.95)}f} {letter}B/s"


def _short(size: int, base: int) -> str:
    """A size for people, with a blank before its letter."""
    text = human(size, base, nearest=True)
    return f"{text[:-1]} {text[-1]}" if text[-1].isalpha() else text + " "
