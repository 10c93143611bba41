"""SELinux security contexts, on a machine without them (GNU coreutils manual, -Z)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

OPTIONS = (
    flag("-Z", help="(ignored: there are no security contexts here)"),
    value("--context", metavar="CTX", optional=True, help="(ignored with a warning)"),
)


def ignore(process: Process, arguments: Arguments, needed: str = "an SELinux-enabled kernel") -> None:
    """Warn that a context given by name is not set; without a name no warning is needed."""
    if arguments.get("context") is not None:
        process.warn(f"warning: ignoring --context; it requires {needed}")
