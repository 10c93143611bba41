"""sync: does nothing, because the files are in memory (GNU coreutils manual, sync)."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import quote
from bashkit.fs.stream import os_error
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
    """Check that the files can be opened; 1 when one cannot."""
    if "d" in arguments and not arguments.operands:
        raise UsageError("--data needs at least one argument", hint=False)
    if {"d", "f"} <= {key for key, _ in arguments.given}:
        raise UsageError("cannot specify both --data and --file-system", hint=False)
    status = 0
    for name in arguments.operands:
        try:
            path = process.path(name)
            kind = process.fs.lookup(path).type
            if not (process.fs.access(path, "r") or process.fs.access(path, "w")):
                raise os_error(errno.EACCES)
            if kind == "fifo" and "f" not in arguments:
                process.warn(f"error syncing {quote(name)}: {os.strerror(errno.EINVAL)}")
                status = 1
        except OSError as error:
            process.warn(f"error opening {quote(name)}: {error.strerror}")
            status = 1
    return status
