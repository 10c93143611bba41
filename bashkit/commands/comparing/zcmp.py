"""zcmp: compare compressed files byte by byte (gzip manual, zcmp(1))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.comparing.zdiff import compare
from bashkit.interp.utility.command import Arguments, HelpRequested, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "zcmp",
    usage="[OPTION]... FILE1 [FILE2]",
    summary="Compare files, which may be compressed, byte by byte.",
    options=None,
    notes="The options are those of cmp.\n",
    usage_status=2,
)
def main(process: Process, arguments: Arguments) -> int:
    """Let cmp compare what the files contain; 2 if one cannot be read."""
    if "--version" in arguments.operands:
        raise HelpRequested(main.version())
    return compare(process, arguments)
