"""basename: strip directory and suffix from file names (POSIX XCU basename)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import last_component
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "basename",
    usage="NAME [SUFFIX] or OPTION... NAME...",
    summary="Print NAME with any leading directory components removed.",
    options=(
        flag("-a", "--multiple", help="support multiple arguments and treat each as a NAME"),
        value("-s", "--suffix", metavar="SUFFIX", help="remove a trailing SUFFIX; implies -a"),
        flag("-z", "--zero", help="end each output line with NUL, not newline"),
    ),
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print each name."""
    operands = arguments.operands
    suffix = arguments.get("s", "") or ""
    if not operands:
        raise UsageError("missing operand")
    if "a" not in arguments and "s" not in arguments:
        if len(operands) > 2:
            raise UsageError(f"extra operand {mention(operands[2])}")
        if len(operands) == 2:
            suffix = operands[1]
        operands = operands[:1]
    end = "\0" if "z" in arguments else "\n"
    process.write("".join(last_component(name, suffix) + end for name in operands))
    return 0
