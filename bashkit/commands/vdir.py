"""vdir: ``ls -l -b`` by another name (GNU coreutils manual, vdir)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands import ls
from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "vdir",
    usage=ls.main.usage,
    summary="List directory contents in the long format, special characters escaped.",
    options=ls.main.options,
    usage_status=2,
)
def main(process: Process, arguments: Arguments) -> int:
    """List; the options given come after those that vdir stands for."""
    return ls.main.run(process, Arguments([("l", None), ("b", None), *arguments.given], arguments.operands))
