"""logname: print the login name (POSIX XCU logname)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("logname", usage="[OPTION]", summary="Print the user's login name.")
def main(process: Process, arguments: Arguments) -> int:
    """Print it."""
    if arguments.operands:
        raise UsageError(f"extra operand {mention(arguments.operands[0])}")
    process.write(process.system.username + "\n")
    return 0
