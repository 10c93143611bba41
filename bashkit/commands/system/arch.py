"""arch: print the machine hardware name (GNU coreutils manual, arch)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.commands.system._machine import MACHINE
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("arch", usage="[OPTION]...", summary="Print machine architecture.")
def main(process: Process, arguments: Arguments) -> int:
    """Print it."""
    if arguments.operands:
        raise UsageError(f"extra operand {mention(arguments.operands[0])}")
    process.write(MACHINE + "\n")
    return 0
