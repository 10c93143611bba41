"""kill: signal processes of this sandbox (POSIX XCU kill; kill(1) of procps); that of the shell is a builtin."""

from __future__ import annotations

import os
import re
from errno import EINVAL, ENOENT, ERANGE, ESRCH
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped
from bashkit.interp.run.sending import LARGEST_PID
from bashkit.interp.run.traps import SIGNALS, signal_name
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_NAMES = {number: "POLL" if name == "IO" else name for name, number in SIGNALS.items() if 0 < number < 32}
_SIGNAL = re.compile(r"-(?:[0-9]{1,2}|(?:SIG)?[A-Z]{2,}[-+0-9A-Z]*)", re.IGNORECASE | re.ASCII)
_PID = re.compile(r"[ \t-\r]*[-+]?[0-9]+")
_COLUMNS = 7  # of the table
_ROW = 16  # names in a line of the list


def _signals(words: list[str]) -> list[str]:
    """Rewrite ``-9`` and ``-HUP`` as an option, and what stands behind ``-l``."""
    if words[:1] in (["-l"], ["--list"]) and words[1:] and words[1] != "--":
        return [f"--list={words[1]}"]
    end = words.index("--") if "--" in words else len(words)
    found = [f"--signal={word[1:]}" if _SIGNAL.fullmatch(word) and _named(word[1:]) else word for word in words[:end]]
    return found + words[end:]


def _named(text: str) -> str | None:
    """The signal that a text names."""
    return signal_name("IO" if text == "POLL" else text)


@command(
    "kill",
    usage="[OPTION]... PID...",
    summary="Send a signal to every PID: a process of this sandbox or, if it is negative, a process group.",
    options=(
        value("-s", "--signal", metavar="SIGNAL", help="specify the signal to be sent, also as -SIGNAL (default TERM)"),
        value("-l", "--list", metavar="SIGNAL", help="list all signal names, or convert one to a name", optional=True),
        flag("-L", "--table", help="list all signal names in a table"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    rewrite=_signals,
    model="procps-ng 4.0.2",
)
def main(process: Process, arguments: Arguments) -> int:
    """Return 1 if a signal could not be sent."""
    if "l" in arguments:
        return _list(process, arguments.get("l"))
    if "L" in arguments:
        names = [f"{number:2} {name}" for number, name in _NAMES.items()]
        process.write(
            _rows([name if number % _COLUMNS == 0 else name.ljust(11) for number, name in enumerate(names, 1)], "", _COLUMNS)
        )
        return 0
    if not arguments.operands:
        process.say(main.help())
        return 1
    name = _named(arguments.get("s") or "TERM")
    status = 0
    for word in arguments.operands:
        pid = _process_id(word)
        known = name in SIGNALS
        found = process.launcher.signal(pid, name if known and name else "EXIT")  # which is no signal: it asks if there is one
        problem = ESRCH if not found else 0 if known else EINVAL
        if problem:
            process.warn(f"({pid}): {os.strerror(problem)}")
            status = 1
    return status


def _process_id(word: str) -> int:
    """The process that a word names.

    Raises:
        UsageError: It is no number.
    """
    if not _PID.fullmatch(word):
        raise UsageError(f"failed to parse argument: '{word}'" + ("" if word else f": {os.strerror(ENOENT)}"), hint=False)
    pid = clamped(word)
    if abs(pid) > LARGEST_PID:
        raise UsageError(f"failed to parse argument: '{word}': {os.strerror(ERANGE)}", hint=False)
    return pid


def _list(process: Process, asked: str | None) -> int:
    """Write all names, or the name for a number, or the number for a name."""
    if asked is None:
        process.write(_rows(list(_NAMES.values()), " ", _ROW))
        return 0
    if is_digits(asked):
        found = _NAMES.get(clamped(asked))
    else:
        name = asked.upper().removeprefix("SIG")
        found = next((str(number) for number, known in _NAMES.items() if known == name), None)
    if found is None:
        process.warn(f"unknown signal name {asked}")
    else:
        process.write(found + "\n")
    return 0


def _rows(words: list[str], between: str, length: int) -> str:
    return "".join(between.join(words[start : start + length]) + "\n" for start in range(0, len(words), length))
