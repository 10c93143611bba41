"""uudecode: the file that uuencode has made text of (POSIX XCU uudecode)."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import LINE, Inputs, parts_of_lines, slurp
from bashkit.interp.utility.command import Arguments, UsageError, command, value
from bashkit.limits import Charge, paced

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_BEGIN = re.compile(rb"begin(-base64)?(-encoded)? ([0-7]+) (.+)")


class _UnwritableError(Exception):
    """The output cannot be opened."""


@command(
    "uudecode",
    usage="[-o OUTPUT] [FILE]...",
    summary="Decode files that uuencode has made; each is written where its header says.",
    options=(value("-o", "--output-file", metavar="OUTPUT", help="write to OUTPUT; - and /dev/stdout are standard output"),),
    usage_status=64,
)
def main(process: Process, arguments: Arguments) -> int:
    """Decode every file; 2 when one cannot be decoded, 4 when one cannot be read, 8 when one cannot be written."""
    if "o" in arguments and len(arguments.operands) > 1:
        raise UsageError("You cannot specify an output file when processing multiple input files.")
    inputs = Inputs(process, arguments.operands)
    status = 0
    for name, stream in inputs:
        try:
            problem = _decode(process, slurp(process, stream), arguments.get("o"))
        except _UnwritableError as error:
            process.say(f"{process.name} fatal error:\n{error}\n")
            return 8
        if problem:
            process.say(f"{process.name} fatal error:\n{'standard input' if name == '-' else name}: {problem}\n")
            status = 2
    return 4 if inputs.failed else status


def _decode(process: Process, data: bytes, output: str | None) -> str:
    """Write the file that is in a text; what is wrong with it, or nothing."""
    lines = paced(line for part in parts_of_lines(data, process.budget) for line in part.splitlines())
    header = next((match for match in map(_BEGIN.fullmatch, lines) if match is not None), None)
    if header is None:
        return "Invalid or missing 'begin' line"
    pieces: list[bytes] = []
    in_base64, last = header[1] is not None, b"====" if header[1] else b"end"
    problem = "Short file"
    charge = Charge(process.budget)
    size = 0
    for line in lines:
        size += len(line) + LINE
        charge.reach(size)
        if line.rstrip() == last:
            problem = ""
            break
        try:
            pieces.append(base64.b64decode(line, validate=True) if in_base64 else _decoded(line))
        except binascii.Error:
            break
    content = b"".join(pieces)
    named = header[4]
    if header[2]:
        try:
            named = base64.b64decode(named, validate=True)
        except binascii.Error:
            return f"invalid base64 encoded name: {named.decode('utf-8', 'surrogateescape')}"
    name = named.decode("utf-8", "surrogateescape") if output is None else output
    if name in {"-", "/dev/stdout"}:
        process.stdout.write(content)
    else:
        try:
            process.fs.write_file(process.path(name), content, int(header[3], 8) & 0o777)
        except OSError as error:
            call = "freopen" if output is None else "freopen-ing for stdout"
            raise _UnwritableError(f"fserr {error.errno} ({error.strerror}) performing '{call}' on {name}") from None
    return problem


def _decoded(line: bytes) -> bytes:
    """The bytes of a line: its first character says how many; what fills up the last group of characters may be anything."""
    count = (line[0] - 32) & 63 if line else 0
    return binascii.a2b_uu(line[: 1 + (count * 8 + 5) // 6])
