"""false: do nothing, unsuccessfully (POSIX XCU false)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.process import Process


@command("false", usage="", summary="Do nothing, unsuccessfully.", options=None)
def main(process: Process, arguments: Arguments) -> int:  # noqa: ARG001 - every utility has this signature
    """Return 1."""
    return 1
