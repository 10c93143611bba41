"""nice: run a command with another priority, which has no effect here (POSIX XCU nice)."""

from __future__ import annotations

import errno
import os
import re
from itertools import islice
from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


def _obsolete(words: list[str]) -> list[str]:
    """Rewrite ``-5`` and ``--5`` as ``-n5`` and ``-n-5``."""
    result: list[str] = []
    rest = iter(words)
    for word in rest:
        result.append(f"-n{word[1:]}" if re.match("-[-+]?[0-9]", word) else word)
        if word in {"-n", "--adjustment"}:
            result += islice(rest, 1)
        elif word == "--" or not word.startswith("-"):
            break
    return result + list(rest)


@command(
    "nice",
    usage="[OPTION] [COMMAND [ARG]...]",
    summary="Run COMMAND with an adjusted niceness.",
    options=(value("-n", "--adjustment", metavar="N", help="add integer N to the niceness (default 10)"),),
    usage_status=125,
    rewrite=_obsolete,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status; without one, print the niceness."""
    text = arguments.get("n")
    if text is not None and not re.fullmatch(r"\s*[-+]?\d+", text, re.ASCII):
        raise UsageError(f"invalid adjustment {mention(text)}", hint=False)
    words = arguments.operands
    if not words:
        if text is not None:
            raise UsageError("a command must be given with an adjustment")
        process.write("0\n")
        return 0
    if (clamped(text) if text is not None else 10) < 0:
        process.warn(f"cannot set niceness: {os.strerror(errno.EACCES)}")
    return refusal(process, words[0], mention(words[0])) or process.launcher.run(words)
