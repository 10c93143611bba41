"""unlink: remove one file by the system call of that name (POSIX XCU unlink)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._quoting import quote
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("unlink", usage="FILE", summary="Call the unlink function to remove the specified FILE.")
def main(process: Process, arguments: Arguments) -> int:
    """1 when it could not be removed."""
    if not arguments.operands:
        raise UsageError("missing operand")
    name, *rest = arguments.operands
    if rest:
        raise UsageError(f"extra operand {quote(rest[0])}")
    try:
        process.fs.unlink(process.path(name))
    except OSError as error:
        process.warn(f"cannot unlink {quote(name)}: {error.strerror}")
        return 1
    return 0
