"""ulimit and times: the limits that a shell of a usual machine has, and what it has spent.

Scripts may read and lower the limits; the sandbox enforces its own.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell

_LIMITS = {  # by letter: what it is, its unit, the soft and the hard limit
    "R": ("real-time non-blocking time", "microseconds, -R", "unlimited", "unlimited"),
    "c": ("core file size", "blocks, -c", "0", "unlimited"),
    "d": ("data seg size", "kbytes, -d", "unlimited", "unlimited"),
    "e": ("scheduling priority", "-e", "0", "0"),
    "f": ("file size", "blocks, -f", "unlimited", "unlimited"),
    "i": ("pending signals", "-i", "31339", "31339"),
    "l": ("max locked memory", "kbytes, -l", "8192", "8192"),
    "m": ("max memory size", "kbytes, -m", "unlimited", "unlimited"),
    "n": ("open files", "-n", "1024", "1048576"),
    "p": ("pipe size", "512 bytes, -p", "8", "8"),
    "q": ("POSIX message queues", "bytes, -q", "819200", "819200"),
    "r": ("real-time priority", "-r", "0", "0"),
    "s": ("stack size", "kbytes, -s", "8192", "unlimited"),
    "t": ("cpu time", "seconds, -t", "unlimited", "unlimited"),
    "u": ("max user processes", "-u", "31339", "31339"),
    "v": ("virtual memory", "kbytes, -v", "unlimited", "unlimited"),
    "x": ("file locks", "-x", "unlimited", "unlimited"),
}


@builtin(
    "ulimit",
    usage="[-SHabcdefiklmnpqrstuvxPRT] [limit]",
    summary="Modify shell resource limits.",
    options="SHa" + "".join(f"{letter};" for letter in _LIMITS),
)
def ulimit(shell: Shell, options: Options, words: list[str]) -> int:
    """Show and set limits, one after another; an operand is that of the last one, or the size of files."""
    letters = [letter for letter, _ in options]
    sides = [side for side in "SH" if side in letters]
    shown = (sides or ["S"])[-1]
    if "a" in letters:
        for letter in _LIMITS:
            shell.write(_line(shell, letter, shown))
        return 0
    chosen = [option for option in options if option[0] in _LIMITS] or [("f", "")]
    if words and not chosen[-1][1]:
        chosen[-1] = chosen[-1][0], words[0]
    for letter, word in chosen:
        if not word:
            shell.write(_line(shell, letter, shown) if len(chosen) > 1 else f"{_value(shell, letter, shown)}\n")
        elif not _set(shell, letter, word, sides):
            return 1
    return 0


def _value(shell: Shell, letter: str, side: str) -> str:
    return shell.ulimits.get(letter + side, _LIMITS[letter][2 if side == "S" else 3])


def _line(shell: Shell, letter: str, side: str) -> str:
    what, unit, _, _ = _LIMITS[letter]
    return f"{what:<20}{f'({unit})':>20} {_value(shell, letter, side)}\n"


def _set(shell: Shell, letter: str, word: str, sides: list[str]) -> bool:
    """Set a limit; False when it was refused, reported."""
    hard = _value(shell, letter, "H")
    value = hard if word == "hard" else _value(shell, letter, "S") if word == "soft" else word
    if value != "unlimited" and not is_digits(value):
        shell.complain("ulimit", f"{word}: invalid number")
        return False
    what = _LIMITS[letter][0]
    soft_only = sides == ["S"]
    if soft_only and value == "unlimited":
        value = hard
    if hard != "unlimited" and (value == "unlimited" or whole_number(value) > whole_number(hard)):
        shell.complain("ulimit", f"{what}: cannot modify limit: {os.strerror(errno.EINVAL if soft_only else errno.EPERM)}")
        return False
    soft = _value(shell, letter, "S")
    changed = {letter + side: value for side in sides or ["S", "H"]}
    if letter + "S" not in changed and value != "unlimited" and (soft == "unlimited" or whole_number(soft) > whole_number(value)):
        shell.complain("ulimit", f"{what}: cannot modify limit: Invalid argument")
        return False
    shell.ulimits = {**shell.ulimits, **changed}
    return True


@builtin("times", usage="", summary="Display process times.", special=True, options="")
def times(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """Show how long the shell has run."""
    shell.write("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n")
    return 0
