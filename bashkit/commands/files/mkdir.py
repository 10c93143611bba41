"""mkdir: make directories (POSIX XCU mkdir)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import Mode
from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands.files import _contexts
from bashkit.fs.stream import os_error
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "mkdir",
    usage="[OPTION]... DIRECTORY...",
    summary="Create the DIRECTORY(ies), if they do not already exist.",
    options=(
        value("-m", "--mode", metavar="MODE", help="set file mode (as in chmod), not a=rwx - umask"),
        flag("-p", "--parents", help="no error if existing, make parent directories as needed"),
        flag("-v", "--verbose", help="print a message for each created directory"),
        *_contexts.OPTIONS,
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Make each directory; 1 when one could not be made."""
    if not arguments.operands:
        raise UsageError("missing operand")
    _contexts.ignore(process, arguments, "an SELinux/SMACK-enabled kernel")
    mode = 0o777 & ~process.umask
    text = arguments.get("m")
    if text is not None:
        try:
            mode = _mode(Mode(text), process.umask)
        except ValueError:
            raise UsageError(f"invalid mode {mention(text)}", hint=False) from None
    status = 0
    for name in arguments.operands:
        try:
            if "p" in arguments:
                _make_all(process, name, mode, verbose="v" in arguments)
            else:
                _make(process, name, mode, verbose="v" in arguments)
        except OSError as error:
            process.warn(f"cannot create directory {mention(error.filename)}: {error.strerror}")
            status = 1
    return status


def _mode(wanted: Mode, umask: int) -> int:
    """The permissions of a new directory.

    The umask applies to one with a sticky bit, unless the mode itself sets bits that the umask clears, or set-ID bits.
    """
    mode = wanted.apply(0o777, directory=True, umask=umask)
    named = wanted.apply(0, directory=True, umask=umask)
    return mode & ~umask if mode & 0o1000 and not named & (umask | 0o6000) else mode


def _make(process: Process, name: str, mode: int, *, verbose: bool) -> None:
    try:
        process.fs.mkdir(process.path(name), mode)
    except OSError as error:
        error.filename = name
        raise
    if verbose:
        process.write(f"mkdir: created directory {quote(name)}\n")


def _make_all(process: Process, name: str, mode: int, *, verbose: bool) -> None:
    """Make a directory and its missing parents; only the directory itself gets ``mode``."""
    parts = name.split("/")
    if not name:
        raise os_error(errno.ENOENT, name)
    above = 0o777 & ~process.umask | 0o300
    for count in range(1, len(parts) + 1):
        process.budget.tick(5)
        part = name if not any(parts[count:]) else "/".join(parts[:count])
        if not part or not parts[count - 1]:
            continue
        path = process.path(part)
        if not process.fs.exists(path):
            rest_is_empty = not any(parts[count:])
            _make(process, part, mode if rest_is_empty else above, verbose=verbose)
        elif process.fs.stat(path).type != "directory":
            raise os_error(errno.ENOTDIR if any(parts[count:]) else errno.EEXIST, part)
