"""users: who is logged in: nobody, in a sandbox without terminals (GNU coreutils manual, users)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, command

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command("users", usage="[FILE]", summary="Output who is currently logged in.")
def main(process: Process, arguments: Arguments) -> int:  # noqa: ARG001 - the signature of every utility
    """Print nothing."""
    return 0
