"""unlink: remove one file with no options and no questions (POSIX XCU unlink)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("unlink", usage="FILE", summary="Call the unlink function to remove the specified FILE.")
def main(process: Process, arguments: Arguments) -> int:
    """Remove the file; 1 when it could not be removed."""
    operands = arguments.operands
    if not operands:
        raise UsageError("missing operand")
    if len(operands) > 1:
        raise UsageError(f"extra operand {mention(operands[1])}")
    try:
        process.fs.unlink(process.path(operands[0]))
    except OSError as error:
        process.warn(f"cannot unlink {quote(operands[0])}: {error.strerror}")
        return 1
    return 0
