"""sleep: wait for the sum of some durations (POSIX XCU sleep; GNU coreutils manual, sleep)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bashkit.commands._notation.durations import seconds
from bashkit.commands._notation.quoting import mention
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


_FOREVER = 1e10  # maximum seconds by which a clock may jump ahead


@command(
    "sleep",
    usage="NUMBER[SUFFIX]...",
    summary="Pause for NUMBER seconds; SUFFIX is s, m, h or d, and several numbers are added.",
)
def main(process: Process, arguments: Arguments) -> int:
    """Sleep, while other tasks of the script go on."""
    if not arguments.operands:
        raise UsageError("missing operand")
    total = 0.0
    wrong = False
    for word in arguments.operands:
        try:
            total += seconds(word)
        except ValueError:
            process.warn(f"invalid time interval {mention(word)}")
            wrong = True
    if wrong:
        process.stderr.write(b"Try 'sleep --help' for more information.\n")
        return 1
    budget = process.budget
    longest = _FOREVER if isinstance(budget.clock, VirtualClock) else budget.limits.timeout + 1.0
    process.system.sleep(min(total, longest) if not math.isnan(total) else longest)
    return 0
