"""nohup: run a command immune to hangups, which do not occur here (POSIX XCU nohup)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import quote
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "nohup",
    usage="COMMAND [ARG]...",
    summary="Run COMMAND, ignoring hangup signals.",
    usage_status=125,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status."""
    if not arguments.operands:
        raise UsageError("missing operand")
    if not process.launcher.exists(arguments.operands[0]):
        process.warn(f"failed to run command {quote(arguments.operands[0])}: No such file or directory")
        return 127
    return process.launcher.run(arguments.operands)
