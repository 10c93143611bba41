"""Scripts that are tried against a toolset as it is now, for a review of what they do otherwise than it was accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.cli.snapshot_report import Compared
    from bashkit.toolset import Toolset


def problem(toolset: Toolset, path: Path) -> str:
    """Why the scripts of a file cannot be tried; "" if they can."""
    from bashkit.batch.tried import TriedScripts

    try:
        TriedScripts.read(toolset, path)
    except BashkitError as error:
        return str(error)
    return ""


def differing_results(toolset: Toolset, path: Path) -> tuple[list[Compared], list[str]]:
    """The results that differ from what was accepted, and why the scripts cannot be run.

    The comparison is that of ``bashkit snapshot --scripts``, with stubs in the place of callbacks.
    """
    from bashkit.batch.tried import TriedScripts
    from bashkit.cli.snapshot_report import Compared

    try:
        tried = TriedScripts.read(toolset, path)
        compared = [Compared(snapshot, tried.store, tried) for snapshot in tried.compare()]
    except BashkitError as error:
        return [], [str(error)]
    return [item for item in compared if item.snapshot.state != "same"], []
