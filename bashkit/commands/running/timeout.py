"""timeout: run a command with a time limit (GNU coreutils manual, timeout)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.durations import seconds
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SIGNALS = ("HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM")
_KILLED = 137


@command(
    "timeout",
    usage="[OPTION] DURATION COMMAND [ARG]...",
    summary="Start COMMAND, and kill it if still running after DURATION.",
    options=(
        flag("--foreground", help="(ignored: there is no terminal to read from)"),
        value("-k", "--kill-after", metavar="DURATION", help="also send a KILL signal this long after the first one"),
        flag("--preserve-status", help="exit with the same status as COMMAND, even when it times out"),
        value("-s", "--signal", metavar="SIGNAL", help="the signal to be sent on timeout"),
        flag("-v", "--verbose", help="diagnose any signal sent upon timeout"),
    ),
    usage_status=125,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status, or 124 when the time was up."""
    signal = _signal(arguments.get("s", "TERM") or "TERM")
    if "k" in arguments:
        _duration(arguments.get("k") or "")
    if len(arguments.operands) < 2:
        process.stderr.write(b"Try 'timeout --help' for more information.\n")
        return 125
    limit = _duration(arguments.operands[0])
    words = arguments.operands[1:]
    refused = refusal(process, words[0], f"failed to run command {mention(words[0])}")
    if refused:
        return refused
    if limit == 0 or math.isinf(limit):
        return process.launcher.run(words)
    started = process.budget.clock()
    status = process.launcher.run(words, timeout=limit)
    # A command may itself return 124 before its time is up.
    if status != 124 or process.budget.clock() < started + limit:
        return status
    if "v" in arguments:
        process.warn(f"sending signal {_SIGNALS[signal - 1]} to command {mention(words[0])}")
    if signal == 9:
        return _KILLED
    return 128 + signal if "preserve-status" in arguments else status


def _duration(text: str) -> float:
    try:
        return seconds(text)
    except ValueError:
        raise UsageError(f"invalid time interval {mention(text)}") from None


def _signal(text: str) -> int:
    name = text.upper().removeprefix("SIG")
    if name in _SIGNALS:
        return _SIGNALS.index(name) + 1
    if name.isdecimal() and 0 < clamped(name) <= len(_SIGNALS):
        return clamped(name)
    raise UsageError(f"{mention(text)}: invalid signal")
