"""time: run a command and report its duration (GNU time manual); bash's keyword ``time`` is separate."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_DEFAULT = (
    "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps"
)
_PORTABLE = "real %e\nuser %U\nsys %S"
_ZERO = "DFIKMORWXZckprstw"
_NOT_FOUND = 127


@command(
    "time",
    usage="[OPTION]... COMMAND [ARG]...",
    summary="Run COMMAND, then print how long it took.",
    options=(
        flag("-a", "--append", help="with -o FILE, append instead of overwriting"),
        value("-f", "--format", metavar="FORMAT", help="use the specified FORMAT instead of the default"),
        value("-o", "--output", metavar="FILE", help="write to FILE instead of standard error"),
        flag("-p", "--portability", help="print POSIX standard 1003.2 conformant string"),
        flag("-q", "--quiet", help="do not print information about abnormal program termination"),
        flag("-v", "--verbose", help="print all resource usage information instead of the default format"),
        version_flag("-V"),
    ),
    usage_status=125,
    stop_at_operand=True,
    model="GNU Time 1.9",
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status."""
    words = arguments.operands
    if not words:
        raise UsageError("missing program to run")
    started = process.budget.clock()
    status = refusal(process, words[0], f"cannot run {words[0]}") or process.launcher.run(words)
    elapsed = process.budget.clock() - started
    form = _PORTABLE if "p" in arguments else arguments.get("f") or process.env.get("TIME") or _DEFAULT
    text = _report(form, elapsed, words, status) + "\n"
    if "v" in arguments:
        text = (
            f'\tCommand being timed: "{" ".join(words)}"\n\tElapsed (wall clock) time (h:mm:ss or m:ss): '
            f"{_clock(elapsed)}\n\tExit status: {status}\n"
        )
    elif status and "q" not in arguments:
        text = f"Command exited with non-zero status {status}\n{text}"
    target = arguments.get("o")
    if target is None:
        process.say(text)
    else:
        process.create(target, append="a" in arguments).write(text.encode("utf-8", "surrogateescape"))
    return status


def _clock(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes)}:{rest:05.2f}" if minutes < 60 else f"{int(minutes // 60)}:{int(minutes % 60):02d}:{int(rest):02d}"


def _report(form: str, elapsed: float, words: list[str], status: int) -> str:
    """The format with its directives replaced."""
    known = {
        "e": f"{elapsed:.2f}",
        "E": _clock(elapsed),
        "U": "0.00",
        "S": "0.00",
        "P": "0%",
        "C": " ".join(words),
        "x": str(status),
        "%": "%",
    }

    def replace(found: re.Match[str]) -> str:
        mark, letter = found.groups()
        if mark == "\\":
            return {"n": "\n", "t": "\t", "\\": "\\"}.get(letter, f"?\\{letter}")
        return known.get(letter) or ("0" if letter in _ZERO else f"?{letter}")

    return re.sub(r"(?s)([%\\])(.)", replace, form)
