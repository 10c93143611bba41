"""tty: print the file name of the terminal on standard input (POSIX XCU tty)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "tty",
    usage="[OPTION]...",
    summary="Print the file name of the terminal connected to standard input.",
    options=(flag("-s", "--silent", "--quiet", help="print nothing, only return an exit status"),),
    usage_status=2,
    write_status=3,
)
def main(process: Process, arguments: Arguments) -> int:
    """Report that standard input is not a terminal, which it never is here."""
    if arguments.operands:
        raise UsageError(f"extra operand {mention(arguments.operands[0])}")
    if "s" not in arguments:
        process.write("not a tty\n")
    return 1
