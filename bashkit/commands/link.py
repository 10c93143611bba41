"""link: make one hard link by the system call of that name (POSIX XCU link)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._quoting import quote
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("link", usage="FILE1 FILE2", summary="Call the link function to create a link named FILE2 to an existing FILE1.")
def main(process: Process, arguments: Arguments) -> int:
    """1 when it could not be made."""
    if not arguments.operands:
        raise UsageError("missing operand")
    if len(arguments.operands) == 1:
        raise UsageError(f"missing operand after {quote(arguments.operands[0])}")
    first, second, *rest = arguments.operands
    if rest:
        raise UsageError(f"extra operand {quote(rest[0])}")
    try:
        process.fs.link(process.path(first), process.path(second))
    except OSError as error:
        process.warn(f"cannot create link {quote(second)} to {quote(first)}: {error.strerror}")
        return 1
    return 0
