"""printenv: print all or part of the environment (GNU coreutils manual, printenv)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "printenv",
    usage="[OPTION]... [VARIABLE]...",
    summary="Print the values of the specified environment VARIABLE(s), or all.",
    options=(flag("-0", "--null", help="end each output line with NUL, not newline"),),
    usage_status=2,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print; 1 when a variable is not set."""
    end = "\0" if "0" in arguments else "\n"
    if not arguments.operands:
        for name, text in process.environment().items():
            process.budget.tick()
            process.write(f"{name}={text}{end}")
        return 0
    environment = process.environment()
    found = [environment[name] for name in arguments.operands if name in environment and "=" not in name]
    for text in found:
        process.budget.tick()
        process.write(text + end)
    return 0 if len(found) == len(arguments.operands) else 1
