"""timeout: run a command with a time limit (GNU coreutils manual, timeout)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
from bashkit.commands._notation.durations import seconds
from bashkit.commands._notation.quoting import mention
from bashkit.interp.run.traps import PSEUDO, signal_name
from bashkit.interp.runtime.control import KilledStatus
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value
from bashkit.interp.utility.process import TimeLimit

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_HANDLED = frozenset(["ALRM", "HUP", "INT", "QUIT", "TERM"])  # by timeout itself: the command has their defaults
_KILLED, _TIMED_OUT = 137, 124


def _duration(text: str) -> float:
    try:
        return seconds(text)
    except ValueError:
        raise UsageError(f"invalid time interval {mention(text)}") from None


def _signal(text: str) -> str:
    name = signal_name(text)
    if name is None or name in PSEUDO:
        raise UsageError(f"{mention(text)}: invalid signal")
    return name


@command(
    "timeout",
    usage="[OPTION] DURATION COMMAND [ARG]...",
    summary="Start COMMAND, and kill it if still running after DURATION.",
    options=(
        flag("--foreground", help="send signals to COMMAND alone, and not to what it has started"),
        value(
            "-k",
            "--kill-after",
            metavar="DURATION",
            help="also send a KILL signal this long after the first one",
            check=_duration,
        ),
        flag("--preserve-status", help="exit with the same status as COMMAND, even when it times out"),
        value("-s", "--signal", metavar="SIGNAL", help="the signal to be sent on timeout", check=_signal),
        flag("-v", "--verbose", help="diagnose any signal sent upon timeout"),
    ),
    usage_status=125,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status, or 124 when the time was up."""
    signal = _signal(arguments.get("s", "TERM") or "TERM")
    kill_after = _duration(arguments.get("k") or "") if "k" in arguments else 0.0
    if len(arguments.operands) < 2:
        process.stderr.write(b"Try 'timeout --help' for more information.\n")
        return 125
    limit = _duration(arguments.operands[0])
    words = arguments.operands[1:]
    refused = refusal(process, words[0], f"failed to run command {mention(words[0])}")
    if refused:
        return refused
    ignored = process.launcher.ignored() - _HANDLED - {signal}
    if limit == 0 or math.isinf(limit):
        return process.launcher.run(words, ignored=ignored)

    def tell(name: str) -> None:
        if "v" in arguments:
            process.warn(f"sending signal {name} to command {mention(words[0])}")

    foreground = "foreground" in arguments
    ends = TimeLimit(limit, signal, _finite(kill_after), foreground, ignored, tell)
    status, late = process.launcher.run_limited(words, ends)
    if not late:
        return status
    if isinstance(status, KilledStatus) and status == _KILLED:
        return int(status) if foreground else status  # who sends SIGKILL to its group is killed, too
    return int(status) if "preserve-status" in arguments else _TIMED_OUT


def _finite(duration: float) -> float:
    return 0.0 if math.isinf(duration) else duration
