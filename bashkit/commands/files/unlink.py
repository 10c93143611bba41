"""unlink: call unlink() on a file (POSIX XCU unlink)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("unlink", usage="FILE", summary="Remove the one FILE, which is no directory.", options=())
def main(process: Process, arguments: Arguments) -> int:
    """Remove a file; 1 when it cannot be removed."""
    if not arguments.operands:
        raise UsageError("missing operand")
    name, *others = arguments.operands
    if others:
        raise UsageError(f"extra operand {mention(others[0])}")
    try:
        process.fs.unlink(process.path(name))
    except OSError as error:
        process.warn(f"cannot unlink {quote(name)}: {error.strerror}")
        return 1
    return 0
