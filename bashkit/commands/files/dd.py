"""dd: convert and copy a file (POSIX XCU dd)."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import MOST, clamped
from bashkit.commands._notation.quoting import mention, quote, quote_if_needed
from bashkit.commands._notation.sizes import human
from bashkit.commands.files._ebcdic import CODES
from bashkit.fs.handles import FileStream
from bashkit.fs.stream import NullStream
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_UNITS = {
    "": 1, "c": 1, "w": 2, "b": 512, "kB": 1000, "K": 1024, "KiB": 1024, "k": 1024, "MB": 10**6, "M": 1 << 20, "MiB": 1 << 20,
    "GB": 10**9, "G": 1 << 30, "GiB": 1 << 30, "TB": 10**12, "T": 1 << 40,
}  # fmt: skip
_CONVERSIONS = {
    "ucase", "lcase", "swab", "noerror", "notrunc", "sync", "fsync", "fdatasync", "excl", "nocreat", "block", "unblock", "sparse",
    *CODES,
}  # fmt: skip
_OPPOSITES = (("block", "unblock"), ("lcase", "ucase"), ("excl", "nocreat"))
_FLAGS = {
    "append", "count_bytes", "skip_bytes", "seek_bytes", "fullblock", "direct", "dsync", "sync", "nonblock", "noatime", "nocache",
    "directory", "nofollow", "binary", "text", "cio", "noctty",
}  # fmt: skip
_OPERANDS = """\
  bs=BYTES        read and write up to BYTES bytes at a time (default: 512)
  cbs=BYTES       convert BYTES bytes at a time (conv=block, unblock)
  conv=CONVS      convert the file as per the comma separated symbol list:
                  ascii, ebcdic, ibm, ucase, lcase, swab, block, unblock, sync, notrunc, excl, nocreat, noerror, fsync,
                  fdatasync
  count=N         copy only N input blocks
  ibs=BYTES       read up to BYTES bytes at a time (default: 512)
  if=FILE         read from FILE instead of stdin
  iflag=FLAGS     count_bytes, skip_bytes, fullblock
  obs=BYTES       write BYTES bytes at a time (default: 512)
  of=FILE         write to FILE instead of stdout
  oflag=FLAGS     append, seek_bytes
  seek=N          skip N obs-sized output blocks
  skip=N          skip N ibs-sized input blocks
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
    plan = _read(arguments.operands)
    if "append" in plan.output_flags and "notrunc" not in plan.conversions:
        process.warn("you probably want conv=notrunc with oflag=append")
    try:
        reader = process.stdin if plan.source is None else process.open(plan.source)
    except OSError as error:
        process.warn(f"failed to open {quote(plan.source or '')}: {error.strerror}")
        return 1
    try:
        writer = _writer(process, plan)
    except OSError as error:
        process.warn(f"failed to open {quote(plan.target or '')}: {error.strerror}")
        return 1
    except _SeekError as error:
        process.warn(f"{quote(plan.target or 'standard output')}: cannot seek: {error}")
        if plan.status != "none":
            _report(process, plan, _Figures(), 0)
        return 1
    started = process.system.now()
    figures = _copy(process, plan, reader, writer)
    if plan.status != "none":
        _report(process, plan, figures, process.system.now() - started)
    return 0


class _SeekError(Exception):
    """The output has no positions; the system's message."""


def _read(words: list[str]) -> _Plan:
    plan = _Plan()
    for word in words:
        key, equals, text = word.partition("=")
        if not equals:
            raise UsageError(f"unrecognized operand {mention(word)}")
        if key == "if":
            plan.source = text
        elif key == "of":
            plan.target = text
        elif key in {"ibs", "obs", "bs", "cbs"}:
            setattr(plan, key, _number(text, at_least=1))
        elif key in {"count", "skip", "seek", "iseek", "oseek"}:
            if text.endswith("B"):
                flag = {"count": "count_bytes", "skip": "skip_bytes", "iseek": "skip_bytes"}.get(key, "seek_bytes")
                (plan.output_flags if flag == "seek_bytes" else plan.flags).add(flag)
                text = text[:-1]
            setattr(plan, {"iseek": "skip", "oseek": "seek"}.get(key, key), _number(text, at_least=0))
        elif key == "conv":
            plan.conversions |= _choices(text, _CONVERSIONS, "conversion")
        elif key in {"iflag", "oflag"}:
            flags = plan.output_flags if key == "oflag" else plan.flags
            flags |= _choices(text, _FLAGS, "input flag" if key == "iflag" else "output flag")
        elif key == "status":
            if text not in {"none", "noxfer", "progress"}:
                raise UsageError(f"invalid status level: {mention(text)}")
            plan.status = text
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
    if plan.bs:
        plan.ibs = plan.obs = plan.bs
    return plan


def _choices(text: str, known: set[str], what: str) -> set[str]:
    words = set(text.split(","))
    for word in sorted(words - known):
        raise UsageError(f"invalid {what}: {mention(word)}")
    return words


def _number(text: str, *, at_least: int) -> int:
    product = 1
    for factor in paced(text.split("x"), 4):
        match = re.fullmatch(r"[ \t-\r]*\+?([0-9]+)([a-zA-Z]*)", factor)
        if match is None or match[2] not in _UNITS:
            raise UsageError(f"invalid number: {mention(text)}", hint=False)
        product *= clamped(match[1]) * _UNITS[match[2]]
        if product >= MOST:
            raise UsageError(f"invalid number: {mention(text)}: Value too large for defined data type", hint=False)
    if product < at_least:
        raise UsageError(f"invalid number: {mention(text)}", hint=False)
    return product


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
        return special
    stream = process.fs.open(
        process.path(plan.target or ""),
        write=True,
        create="nocreat" not in plan.conversions,
        exclusive="excl" in plan.conversions,
        append="append" in plan.output_flags,
        mode=0o666 & ~process.umask,
    )
    if isinstance(stream, FileStream):
        process.budget.string(offset)
        if "notrunc" not in plan.conversions:
            process.fs.truncate(process.path(plan.target or ""), offset)
        stream.seek(offset)
    return stream


@dataclass(slots=True)
class _Figures:
    """Blocks read and written, whole and partial, bytes copied, and lines cut by ``conv=block``."""

    whole_in: int = 0
    part_in: int = 0
    whole_out: int = 0
    part_out: int = 0
    size: int = 0
    truncated: int = 0


def _copy(process: Process, plan: _Plan, reader: Stream, writer: Stream) -> _Figures:
    figures = _Figures()
    process.budget.string(max(plan.ibs, plan.obs))
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
                block = block.ljust(plan.ibs, b" " if plan.conversions & {"block", "unblock"} else b"\0")
        process.budget.tick(4 + (len(block) >> 8))
        if "block" in plan.conversions:
            process.budget.string(plan.cbs)
            process.budget.room(plan.cbs * (block.count(b"\n") + 1))
        held = _whole_blocks(process, plan, writer, figures, held + converter.convert(block))
        if plan.bs and held and not plan.conversions & {"block", "unblock"}:
            held = _rest(writer, figures, held)
    held = _whole_blocks(process, plan, writer, figures, held + converter.convert(b"", last=True))
    _rest(writer, figures, held)
    return figures


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
        piece = reader.read(missing)
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
