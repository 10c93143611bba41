"""strings: print the sequences of printable characters in files (POSIX XCU strings)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._quoting import mention
from bashkit.interp.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.process import Process

_RADIX = {"d": "7d", "o": "7o", "x": "7x"}


@command(
    "strings",
    usage="[option(s)] [file(s)]",
    summary="Display printable strings in [file(s)] (standard input by default).",
    options=(
        flag("-a", "--all", help="scan the entire file (default)"),
        flag("-f", "--print-file-name", help="print the name of the file before each string"),
        value("-n", "--bytes", metavar="NUMBER", help="locate any sequence of at least NUMBER displayable characters (default 4)"),
        flag("-o", help="an alias for --radix=o"),
        value("-s", "--output-separator", metavar="STRING", help="string used to separate strings in output"),
        value("-t", "--radix", metavar="{o,d,x}", help="print the location of the string in base 8, 10 or 16"),
        flag("-w", "--include-all-whitespace", help="include all whitespace as valid string characters"),
    ),
    model="GNU Binutils 2.40",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print; 1 when a file cannot be read."""
    shortest = arguments.get("n", "4") or ""
    if not shortest.isdecimal():
        raise UsageError(f"invalid integer argument {shortest}", hint=False)
    if not 0 < int(shortest) <= 65535:
        raise UsageError(f"invalid minimum string length {shortest}", hint=False)
    radix = "o" if arguments.last("o", "t") == "o" else arguments.get("t")
    if radix is not None and radix not in _RADIX:
        raise UsageError(f"invalid radix {mention(radix)}", hint=False)
    allowed = rb"\x20-\x7e\t" + (rb"\n\r\v\f" if "w" in arguments else b"")
    pattern = re.compile(rb"[%s]{%d,}" % (allowed, int(shortest)))
    separator = (arguments.get("s") or "\n").encode("utf-8", "surrogateescape")
    status = 0
    for name in arguments.operands or ["-"]:
        try:
            data = process.open(name).read_all()
        except OSError as error:
            process.stderr.write(f"strings: '{name}': {'No such file' if error.errno == 2 else error.strerror}\n".encode())
            status = 1
            continue
        process.budget.string(len(data))
        process.budget.tick(len(data) >> 6)
        label = f"{'{standard input}' if name == '-' else name}: ".encode("utf-8", "surrogateescape") if "f" in arguments else b""
        for match in pattern.finditer(data):
            process.budget.tick(2)
            where = format(match.start(), _RADIX[radix]).encode() + b" " if radix else b""
            process.stdout.write(label + where + match[0] + separator)
    return status
