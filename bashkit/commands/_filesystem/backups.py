"""Backup copies of files about to be replaced (GNU coreutils manual, Backup options)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.choices import choose
from bashkit.interp.utility.command import Option, UsageError, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

OPTIONS: tuple[Option, ...] = (
    value("--backup", metavar="CONTROL", optional=True, help="make a backup of each existing destination file"),
    flag("-b", help="like --backup but does not accept an argument"),
    value("-S", "--suffix", metavar="SUFFIX", help="override the usual backup suffix"),
)
KEYS = ("backup", "b", "S")
CONTROLS = (("none", "off"), ("simple", "never"), ("existing", "nil"), ("numbered", "t"))


def refuse_with_no_clobber(arguments: Arguments, kept: bool) -> None:
    """Refuse options for backups of what is replaced where ``kept`` says that nothing is.

    Raises:
        UsageError: There are both.
    """
    if kept and any(key in arguments for key in KEYS):
        raise UsageError("options --backup and --no-clobber are mutually exclusive")


def control_of(process: Process, arguments: Arguments) -> str:
    """How backups are named, or ``none``.

    Raises:
        UsageError: The option or the variable says no such way.
    """
    if not any(key in arguments for key in KEYS):
        return "none"
    given = arguments.get("backup")
    word = given or process.env.get("VERSION_CONTROL") or "existing"
    return choose("backup type" if given else "$VERSION_CONTROL", word, CONTROLS)


def backup_name(process: Process, arguments: Arguments, target: str) -> str | None:
    """The name for a backup of ``target``, or None if no backup is wanted."""
    control = control_of(process, arguments)
    if control == "none":
        return None
    last = last_backup(process, target) if control != "simple" else 0
    if control == "numbered" or (control == "existing" and last):
        return f"{target}.~{last + 1}~"
    return target + suffix_of(process, arguments)


def suffix_of(process: Process, arguments: Arguments) -> str:
    """What ends the name of a backup that has no number."""
    return arguments.get("S") or process.env.get("SIMPLE_BACKUP_SUFFIX") or "~"


def last_backup(process: Process, target: str) -> int:
    """The highest number of a numbered backup; 0 without one."""
    directory, _, base = process.path(target).rpartition("/")
    pattern = re.compile(re.escape(base) + r"\.~(\d{1,18})~", re.ASCII)
    directory = directory or "/"
    names = process.fs.listdir(directory) if process.fs.exists(directory) else []
    process.budget.tick(len(names))
    return max((int(match[1]) for name in names if (match := pattern.fullmatch(name))), default=0)
