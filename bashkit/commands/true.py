"""true: do nothing, successfully (POSIX XCU true)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.process import Process


@command("true", usage="", summary="Do nothing, successfully.", options=None)
def main(process: Process, arguments: Arguments) -> int:  # noqa: ARG001 - every utility has this signature
    """Return 0."""
    return 0
