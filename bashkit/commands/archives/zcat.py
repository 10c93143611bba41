"""zcat: Uncompress FILEs to standard output (GNU gzip manual)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.archives._gzip import OPTIONS, Gzip
from bashkit.interp.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.process import Process


@command(
    "zcat", usage="[OPTION]... [FILE]...", summary="Uncompress FILEs to standard output.", options=OPTIONS, model="GNU gzip 1.12"
)
def main(process: Process, arguments: Arguments) -> int:
    """Treat each file; 1 for an error, 2 for a warning."""
    return Gzip(process, arguments, decompress=True, to_stdout=True).run()
