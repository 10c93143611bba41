"""watch: run a command again and again (watch(1)); without a terminal, a few times, one output below the other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bashkit.commands._notation.durations import seconds
from bashkit.commands._notation.strftime import Moment
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.limits import Charge
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SHORTEST = 0.1  # seconds between two runs
_RUNS = 10
_FAILED = 8


@command(
    "watch",
    usage="[OPTION]... COMMAND [ARG]...",
    summary="Run COMMAND repeatedly; there is no terminal here, so it ends after ten runs.",
    options=(
        flag("-b", "--beep", help="(ignored: there is nobody to hear it)"),
        flag("-c", "--color", help="(ignored: what the command prints is passed on)"),
        value("-d", "--differences", metavar="PERMANENT", optional=True, help="(ignored: nothing is highlighted)"),
        flag("-e", "--errexit", help="exit if command has a non-zero exit"),
        flag("-g", "--chgexit", help="exit when output from command changes"),
        value("-n", "--interval", metavar="SECS", help="seconds to wait between updates"),
        value("-q", "--equexit", metavar="CYCLES", help="exit when output from command does not change"),
        flag("-t", "--no-title", help="turn off header"),
        flag("-w", "--no-wrap", help="(ignored: lines are never cut)"),
        flag("-x", "--exec", help='pass command to exec instead of "sh -c"'),
        help_flag("-h"),
        version_flag("-v"),
    ),
    stop_at_operand=True,
    model="procps-ng 4.0.2",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run it until one of the options, a failure to start it or the number of runs says so."""
    words = arguments.operands
    if not words:
        raise UsageError("no command given")
    pause = _pause(arguments.get("n", "2") or "")
    argv = words if "x" in arguments else ["sh", "-c", " ".join(words)]
    unchanged = int(text) if is_digits(text := (arguments.get("q") or "")[:9]) else 0
    before, same = None, 0
    for run in range(_RUNS):
        if run:
            process.system.sleep(pause)
        output, status = _collected(process, argv)
        if "t" not in arguments:
            process.write(_title(process, pause, words))
        process.stdout.write(output)
        if status and "e" in arguments:
            return _FAILED
        same = same + 1 if output == before else 0
        if ("g" in arguments and before is not None and output != before) or (unchanged and same >= unchanged):
            return 0
        before = output
    process.warn(f"ended after {_RUNS} runs: there is no terminal to watch it on")
    return 0


def _pause(text: str) -> float:
    try:
        pause = seconds(text)
    except ValueError:
        raise UsageError(f"failed to parse argument: '{text}'", hint=False) from None
    return max(_SHORTEST, min(pause, 31 * 86400.0)) if not math.isnan(pause) else _SHORTEST


def _collected(process: Process, argv: list[str]) -> tuple[bytes, int]:
    """What a command prints, and its status."""
    stream, finish = process.launcher.open(argv, write=False)
    try:
        pieces, size = [], 0
        charge = Charge(process.budget)
        for block in stream.blocks():
            size += len(block)
            charge.reach_line(size)
            pieces.append(block)
    finally:
        stream.release()
    return b"".join(pieces), finish()


def _title(process: Process, pause: float, words: list[str]) -> str:
    zone = process.system.timezone(process.env.get("TZ", ""))
    now = Moment.of(process.system.now(), zone).local
    return f"Every {pause:.1f}s: {' '.join(words)}    {process.system.hostname}: {now:%a %b} {now.day:2d} {now:%H:%M:%S %Y}\n\n"
