"""sync: does nothing, because the files are in memory (GNU coreutils manual, sync)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import quote
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "sync",
    usage="[OPTION] [FILE]...",
    summary="Synchronize cached writes to persistent storage.",
    options=(
        flag("-d", "--data", help="sync only file data"),
        flag("-f", "--file-system", help="sync the file systems of the files"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Check that the files exist; 1 when one does not."""
    if "d" in arguments and not arguments.operands:
        raise UsageError("--data needs at least one argument", hint=False)
    if {"d", "f"} <= {key for key, _ in arguments.given}:
        raise UsageError("cannot specify both --data and --file-system", hint=False)
    status = 0
    for name in arguments.operands:
        try:
            process.fs.lookup(process.path(name))
        except OSError as error:
            process.warn(f"error opening {quote(name)}: {error.strerror}")
            status = 1
    return status
