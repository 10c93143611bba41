"""hostid: print the number of the virtual machine, which is that of the address 127.0.0.1 (GNU coreutils manual, hostid)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_NUMBER = "007f0100"  # gethostid(3) swaps the halves of the address


@command("hostid", usage="[OPTION]", summary="Print the numeric identifier (in hexadecimal) for the current host.")
def main(process: Process, arguments: Arguments) -> int:
    """Print it."""
    if arguments.operands:
        raise UsageError(f"extra operand {mention(arguments.operands[0])}")
    process.write(_NUMBER + "\n")
    return 0
