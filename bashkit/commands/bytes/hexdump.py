"""hexdump: display file contents in hexadecimal, decimal, octal or ASCII (the manual of util-linux hexdump)."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import read_names
from bashkit.commands._notation.quoting import quote
from bashkit.commands.bytes._dumps import files, number, slices
from bashkit.commands.bytes._hexformats import CANNED, Formats
from bashkit.fs.handles import FileStream
from bashkit.fs.stream import NullStream
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.process import Process

_C_NAMES = {0: "\\0", 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}


def _words(data: bytes, form: str, width: int) -> str:
    padded = data + b"\0" * (len(data) % 2)
    cells = [format(int.from_bytes(padded[start : start + 2], "little"), form).rjust(width) for start in range(0, len(padded), 2)]
    return "".join(cells).ljust(8 * width)


def _characters(data: bytes) -> str:
    return "".join((_C_NAMES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"{byte:03o}")).rjust(4) for byte in data).ljust(64)


def _canonical(data: bytes) -> str:
    cells = [f"{byte:02x} " for byte in data]
    left, right = "".join(cells[:8]), "".join(cells[8:])
    shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in data)
    return f"  {left:<24} {right:<24} |{shown}|"


_FORMS: dict[str, Callable[[bytes], str]] = {
    "b": lambda data: "".join(f" {byte:03o}" for byte in data).ljust(64),
    "c": _characters,
    "C": _canonical,
    "d": lambda data: _words(data, "05d", 8),
    "o": lambda data: _words(data, "06o", 8),
    "x": lambda data: _words(data, "04x", 8),
    "": lambda data: _words(data, "04x", 5),
}


@command(
    "hexdump",
    usage="[options] <file>...",
    summary="Display file contents in hexadecimal, decimal, octal, or ascii.",
    options=(
        flag("-b", "--one-byte-octal", help="one-byte octal display"),
        flag("-c", "--one-byte-char", help="one-byte character display"),
        flag("-C", "--canonical", help="canonical hex+ASCII display"),
        flag("-d", "--two-bytes-decimal", help="two-byte decimal display"),
        flag("-o", "--two-bytes-octal", help="two-byte octal display"),
        flag("-x", "--two-bytes-hex", help="two-byte hexadecimal display"),
        value("-e", "--format", metavar="FORMAT", help="format string to be used for displaying data"),
        value("-f", "--format-file", metavar="FILE", help="file that contains format strings"),
        value("-L", "--color", metavar="MODE", optional=True, help="(ignored: nothing here is a terminal)"),
        value("-n", "--length", metavar="LENGTH", help="interpret only length bytes of input"),
        value("-s", "--skip", metavar="OFFSET", help="skip offset bytes from the beginning"),
        flag("-v", "--no-squeezing", help="output identical lines"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Dump; 1 when a file cannot be read."""
    chosen = [key for key, _ in arguments.given if key in _FORMS] or [""]
    skip, limit = _count(arguments.get("s"), "offset") or 0, _count(arguments.get("n"), "length")
    most = None if limit is None else skip + limit
    failed: list[OSError] = []
    from_input = not arguments.operands
    if skip and from_input and limit != 0:  # the offset counts from the beginning of the file, wherever one is in it
        if isinstance(process.stdin, FileStream):
            process.stdin.seek(0)
        elif not isinstance(process.stdin, NullStream):
            process.warn(f"stdin: {os.strerror(errno.ESPIPE)}")
            return 1
    source = files(process, arguments.operands, failed, str, most, dash=False) if limit != 0 else iter(())
    if any(key in arguments for key in ("e", "f")):
        _formatted(
            process,
            arguments,
            lambda size: slices(process, source, size, skip, limit),
            skip,
        )
        return _status(process, arguments, failed)
    address, previous, starred = skip, None, False
    widths = {key: 8 if key == "C" else 7 for key in chosen}
    read = 0

    def counted(blocks: Iterator[bytes]) -> Iterator[bytes]:
        nonlocal read
        for block in blocks:
            read += len(block)
            yield block

    for line in slices(process, counted(source), 16, skip, limit):
        if line == previous and "v" not in arguments:
            if not starred:
                process.write("*\n")
            starred = True
        else:
            process.write("".join(f"{address:0{widths[key]}x}{_FORMS[key](line)}\n" for key in chosen))
            previous, starred = line, False
        address += len(line)
        process.budget.tick(8)
    if address > skip or (skip and (read or from_input) and limit != 0):
        process.write(f"{address if from_input else min(address, read):0{widths[chosen[-1]]}x}\n")
    return _status(process, arguments, failed)


def _status(process: Process, arguments: Arguments, failed: list[OSError]) -> int:
    unopened = [error for error in failed if error.errno != errno.EISDIR]
    if unopened and len(unopened) == len(arguments.operands):
        process.warn("all input file arguments failed")
    return 1 if unopened else 0


def _formatted(process: Process, arguments: Arguments, chosen: Callable[[int], Iterator[bytes]], address: int) -> None:
    """Dump with the format strings of ``-e`` and ``-f``; canned formats are format strings too."""
    texts: list[str] = []
    for key, argument in arguments.given:
        if key == "e":
            texts.append(argument or "")
        elif key == "f":
            texts.extend(_format_file(process, argument or ""))
        else:
            texts.extend(CANNED.get(key, ()))
    formats = Formats(texts, process.budget)
    if not formats.block:
        return
    start, previous, starred = address, b"", False
    for data in chosen(formats.block):
        process.budget.tick(len(data))
        if data == previous and "v" not in arguments:
            process.write("" if starred else "*\n")
            starred = True
        else:
            process.write(formats.line(data, address))
            previous, starred = data, False
        address += len(data)
    if address > start:
        process.write(formats.end(address))


def _format_file(process: Process, name: str) -> list[str]:
    try:
        lines = read_names(process, process.open(name))
    except OSError as error:
        raise UsageError(f"can't read {name}: {error.strerror}", hint=False) from None
    return [line for line in paced_if_many(lines) if line.strip() and not line.lstrip().startswith("#")]


def _count(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    try:
        return number(text)
    except ValueError:
        raise UsageError(f"failed to parse {what}: {quote(text)}: Invalid argument", hint=False) from None
