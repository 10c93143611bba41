"""stdbuf: run a command with other buffering, which has no effect here (GNU coreutils manual, stdbuf)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._commands import refusal
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SIZE = re.compile(r"[0-9]+(?:[kKMGTPEZY](?:B|iB)?)?")
_STREAMS = {"i": "input", "o": "output", "e": "error"}


@command(
    "stdbuf",
    usage="OPTION... COMMAND",
    summary="Run COMMAND, with modified buffering operations for its standard streams.",
    options=tuple(
        value(
            f"-{letter}",
            f"--{name}",
            metavar="MODE",
            help=f"adjust standard {'error' if letter == 'e' else name} stream buffering",
        )
        for letter, name in _STREAMS.items()
    ),
    usage_status=125,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status."""
    modes = [arguments.get(letter) for letter in _STREAMS if letter in arguments]
    if arguments.get("i") == "L":
        raise UsageError("line buffering stdin is meaningless")
    for mode in modes:
        if mode is not None and mode != "L" and not _SIZE.fullmatch(mode):
            process.warn(f"invalid mode {mention(mode)}")
            return 125
    if not arguments.operands:
        raise UsageError("missing operand")
    if not modes:
        raise UsageError("you must specify a buffering mode option")
    words = arguments.operands
    return refusal(process, words[0], f"failed to run command {mention(words[0])}") or process.launcher.run(words)
