"""link: make a hard link with no options and no checks (POSIX XCU link)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("link", usage="FILE1 FILE2", summary="Call the link function to create a link named FILE2 to an existing FILE1.")
def main(process: Process, arguments: Arguments) -> int:
    """Make the link; 1 when it could not be made."""
    operands = arguments.operands
    if len(operands) < 2:
        raise UsageError(f"missing operand after {mention(operands[0])}" if operands else "missing operand")
    if len(operands) > 2:
        raise UsageError(f"extra operand {mention(operands[2])}")
    original, name = operands
    try:
        process.fs.link(process.path(original), process.path(name))
    except OSError as error:
        process.warn(f"cannot create link {quote(name)} to {quote(original)}: {error.strerror}")
        return 1
    return 0
