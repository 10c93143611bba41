"""true: do nothing, successfully (POSIX XCU true)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("true", usage="", summary="Do nothing, successfully.", options=None)
def main(process: Process, arguments: Arguments) -> int:
    """Return 0."""
    if arguments.operands in (["--help"], ["--version"]):
        process.write(main.help() if arguments.operands == ["--help"] else main.version())
    return 0
