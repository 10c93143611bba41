"""link: call link() on two names (POSIX XCU link)."""

from __future__ import annotations

import os
from errno import EPERM
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("link", usage="FILE1 FILE2", summary="Make FILE2 another name of FILE1.", options=())
def main(process: Process, arguments: Arguments) -> int:
    """Make a hard link; 1 when it cannot be made."""
    words = arguments.operands
    if not words:
        raise UsageError("missing operand")
    if len(words) == 1:
        raise UsageError(f"missing operand after {mention(words[0])}")
    if len(words) > 2:
        raise UsageError(f"extra operand {mention(words[2])}")
    old, new = words
    try:
        if process.fs.stat(process.path(old), follow=False).type == "directory":
            raise OSError(EPERM, os.strerror(EPERM))
        process.fs.link(process.path(old), process.path(new))
    except OSError as error:
        process.warn(f"cannot create link {quote(new)} to {quote(old)}: {error.strerror}")
        return 1
    return 0
