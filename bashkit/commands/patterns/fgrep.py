"""fgrep: grep with fixed strings (GNU grep manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns.grep import TROUBLE, rewrite, run
from bashkit.commands.patterns.grep.settings import OPTIONS
from bashkit.interp.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.process import Process


@command(
    "fgrep",
    usage="[OPTION]... PATTERNS [FILE]...",
    summary="Search for PATTERNS in each FILE; like grep -F.",
    options=OPTIONS,
    usage_status=TROUBLE,
    rewrite=rewrite,
    model="GNU grep 3.8",
    shows_usage=True,
    speaks_as="grep",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the matching lines."""
    return run(process, arguments, "fixed")
