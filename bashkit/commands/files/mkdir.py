"""mkdir: make directories (POSIX XCU mkdir)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import Mode
from bashkit.commands._filesystem.parents import make_all
from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands.files import _contexts
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

    def tell(name: str) -> None:
        if "v" in arguments:
            process.write(f"mkdir: created directory {quote(name)}\n")

    for name in arguments.operands:
        try:
            if "p" in arguments:
                make_all(process, name, mode, 0o777 & ~process.umask | 0o300, tell)
            else:
                process.fs.mkdir(process.path(name), mode)
                tell(name)
        except OSError as error:
            made = error.filename if "p" in arguments else name
            doing = "stat" if error.errno == errno.ELOOP and "p" in arguments and made == name else "create directory"
            process.warn(f"cannot {doing} {mention(made)}: {error.strerror}")
            status = 1
    return status


def _mode(wanted: Mode, umask: int) -> int:
    """The permissions of a new directory.

    Where the mode sets the sticky bit or says something of the set-ID bits, others may not write unless it says that, too.
    """
    mode, named, kept = (wanted.apply(old, directory=True, umask=umask) for old in (0o777, 0, 0o7777))
    says_special = named & 0o7000 or kept & 0o6000 != 0o6000
    return mode & ~0o022 if says_special and not named & 0o6022 else mode
