"""false: do nothing, unsuccessfully (POSIX XCU false)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("false", usage="", summary="Do nothing, unsuccessfully.", options=None)
def main(process: Process, arguments: Arguments) -> int:
    """Return 1."""
    if arguments.operands in (["--help"], ["--version"]):
        process.write(main.help() if arguments.operands == ["--help"] else main.version())
    return 1
