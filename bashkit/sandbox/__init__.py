"""The host's side of sandbox processes: who starts, lends and ends them, and how one speaks with them."""

from __future__ import annotations

from bashkit.errors import DefinitionError

__all__ = ["configure"]


def configure(*, processes: int | None = None, shared: bool | None = None) -> None:
    """Set what all sessions with ``isolation="process"`` of this host process have in common; None leaves a setting as it is.

    Args:
        processes: How many sandbox processes there may be at once, 64 unless set; a script for which there is none waits.
        shared: Whether a process serves one session after another, as it does unless set; if not, each session has processes of
            its own, which costs some milliseconds for its first script.

    Raises:
        DefinitionError: ``processes`` is not a whole number from 1 on.
    """
    from bashkit.sandbox.pool import pool  # loaded where a sandbox process is meant; the package has more than that

    if processes is not None:
        if not isinstance(processes, int) or isinstance(processes, bool) or processes < 1:
            raise DefinitionError(f"processes must be a whole number from 1 on, not {processes!r}")
        pool.most = processes
    if shared is not None:
        pool.shared = shared
