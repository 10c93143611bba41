"""nohup: run a command immune to hangups, which do not occur here (POSIX XCU nohup)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
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
    words = arguments.operands
    return refusal(process, words[0], f"failed to run command {quote(words[0])}") or process.launcher.run(words)
