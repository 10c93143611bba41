"""gawk: awk under its GNU name (gawk manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk import OPTIONS, run_awk
from bashkit.interp.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.process import Process


@command(
    "gawk",
    usage="[-F fs] [-v var=value] ['prog' | -f progfile] [file ...]",
    summary="Find lines that match patterns and act upon them.",
    options=OPTIONS,
    stop_at_operand=True,
)
def main(process: Process, arguments: Arguments) -> int:
    """Run the program over the files."""
    return run_awk(process, arguments)
