"""yes: print a line until the reader closes the pipe (GNU coreutils manual, yes)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs.stream import BLOCK
from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("yes", usage="[STRING]...", summary="Repeatedly output a line with all specified STRING(s), or 'y'.")
def main(process: Process, arguments: Arguments) -> int:
    """Write blocks of lines until the reader closes or the budget ends it."""
    line = (" ".join(arguments.operands or ["y"]) + "\n").encode("utf-8", "surrogateescape")
    process.budget.string(max(len(line), BLOCK))
    block = line * max(1, BLOCK // 8 // len(line))
    try:
        while True:
            process.budget.tick(8)
            process.stdout.write(block)
    except OSError as error:
        error.filename = "standard output"
        raise
