"""uuencode: a file as text that mail carries (POSIX XCU uuencode)."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_LINE = 45  # bytes that a line holds


@command(
    "uuencode",
    usage="[-em] [FILE] NAME",
    summary="Encode FILE, or standard input, as text that unpacks as NAME.",
    options=(
        flag("-m", "--base64", help="encode in base64"),
        flag("-e", "--encode-file-name", help="encode the name of the output file in base64"),
    ),
    usage_status=64,
)
def main(process: Process, arguments: Arguments) -> int:
    """Write the header, the lines and the end."""
    operands = arguments.operands
    if not 1 <= len(operands) <= 2:
        raise UsageError("missing operand" if not operands else f"extra operand '{operands[2]}'")
    mode = 0o666 & ~process.umask
    if len(operands) == 2:
        data = slurp(process, process.open(operands[0]))
        mode = process.fs.stat(process.path(operands[0])).mode & 0o777
    else:
        data = slurp(process, process.open("-"))
    rows = range(0, len(data), _LINE)
    process.budget.tick(len(rows))
    if "m" in arguments:
        head, lines, end = "begin-base64", [base64.b64encode(data[row : row + _LINE]) + b"\n" for row in rows], b"====\n"
    else:
        head, lines, end = "begin", [binascii.b2a_uu(data[row : row + _LINE], backtick=True) for row in rows], b"`\nend\n"
    name = operands[-1].encode("utf-8", "surrogateescape")
    if "e" in arguments:
        head, name = f"{head}-encoded", base64.b64encode(name)
    process.stdout.write(f"{head} {mode:03o} ".encode() + name + b"\n" + b"".join(lines) + end)
    return 0
