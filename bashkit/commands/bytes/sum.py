"""sum: Checksum and count the blocks in files (GNU coreutils manual, 6.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.bytes.cksum import bsd, print_sums, sysv
from bashkit.interp.utility.command import Arguments, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "sum",
    usage="[OPTION]... [FILE]...",
    summary="Print or check BSD (16-bit) checksums.",
    options=(
        flag("-r", help="use BSD sum algorithm (the default), use 1K blocks"),
        flag("-s", "--sysv", help="use System V sum algorithm, use 512 bytes blocks"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print a line for each file; 1 when one cannot be read."""
    return print_sums(process, arguments.operands, sysv if arguments.last("r", "s") == "s" else bsd)
