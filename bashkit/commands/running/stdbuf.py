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


def _check_mode(mode: str) -> None:
    if mode != "L" and not _SIZE.fullmatch(mode):
        raise UsageError(f"invalid mode {mention(mode)}", hint=False)


def _check_input(mode: str) -> None:
    if mode == "L":
        raise UsageError("line buffering stdin is meaningless")
    _check_mode(mode)


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
            check=_check_input if letter == "i" else _check_mode,
        )
        for letter, name in _STREAMS.items()
    ),
    usage_status=125,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Return the command's status."""
    modes = [arguments.get(letter) for letter in _STREAMS if letter in arguments]
    if not arguments.operands:
        raise UsageError("missing operand")
    if not modes:
        raise UsageError("you must specify a buffering mode option")
    words = arguments.operands
    return refusal(process, words[0], f"failed to run command {mention(words[0])}") or process.launcher.run(words)
