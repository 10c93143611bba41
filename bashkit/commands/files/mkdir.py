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
        except _NoStatusError as error:
            process.warn(str(error))
            status = 1
    return status


class _NoStatusError(Exception):
    """It is not known whether there is a directory already."""


def _mode(wanted: Mode, umask: int) -> int:
    """The permissions of a new directory.

    Where the mode sets the sticky bit or says something of the set-ID bits, others may not write unless it says that, too.
    """
    mode, named, kept = (wanted.apply(old, directory=True, umask=umask) for old in (0o777, 0, 0o7777))
    says_special = named & 0o7000 or kept & 0o6000 != 0o6000
    return mode & ~0o022 if says_special and not named & 0o6022 else mode


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
        path, last = process.path(part), not any(parts[count:])
        try:
            kind = process.fs.stat(path).type
        except FileNotFoundError:
            _make(process, part, mode if last else above, verbose=verbose)
            continue
        except OSError as error:
            if last and error.errno == errno.ELOOP:
                raise _NoStatusError(f"cannot stat {mention(part)}: {error.strerror}") from None
            raise os_error(error.errno or 0, part) from None
        if kind != "directory":
            raise os_error(errno.EEXIST if last else errno.ENOTDIR, part)
        if not last and not process.fs.access(path, "x"):
            raise os_error(errno.EACCES, part)
