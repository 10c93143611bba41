"""mkfifo: make named pipes (POSIX XCU mkfifo)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import Mode
from bashkit.commands._notation.quoting import quote
from bashkit.commands.files import _contexts
from bashkit.interp.utility.command import Arguments, UsageError, command, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "mkfifo",
    usage="[OPTION]... NAME...",
    summary="Create named pipes (FIFOs) with the given NAMEs.",
    options=(
        value("-m", "--mode", metavar="MODE", help="set file permission bits to MODE, not a=rw - umask"),
        *_contexts.OPTIONS,
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Make each named pipe; 1 when one could not be made."""
    if not arguments.operands:
        raise UsageError("missing operand")
    _contexts.ignore(process, arguments, "an SELinux/SMACK-enabled kernel")
    mode = 0o666 & ~process.umask
    text = arguments.get("m")
    if text is not None:
        try:
            mode = Mode(text).apply(0o666, directory=False, umask=process.umask)
        except ValueError:
            raise UsageError("invalid mode", hint=False) from None
        if mode & ~0o777:
            raise UsageError("mode must specify only file permission bits", hint=False)
    status = 0
    for name in arguments.operands:
        try:
            process.fs.mkfifo(process.path(name), mode)
        except OSError as error:
            process.warn(f"cannot create fifo {quote(name)}: {error.strerror}")
            status = 1
    return status
