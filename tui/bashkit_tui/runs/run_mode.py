"""The mode of a run: callbacks, stubs, both, or a replay of the last run with callbacks answer its tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bashkit.errors import BashkitError, RecordingError
from bashkit.runs.state_directory import file_for

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.toolset import Toolset

Mode = Literal["real", "stub", "mixed", "replay"]
MODES: dict[Mode, str] = {"real": "real callbacks", "stub": "stubs", "mixed": "stubs, else real", "replay": "replay"}


class NothingRecordedError(BashkitError):
    """A replay was asked for before any run with real callbacks."""


def recording_of(toolset: Toolset) -> Path:
    """The recording of the last run of a toolset with real callbacks."""
    return file_for("recordings", toolset.path, ".jsonl")


def toolset_in_mode(toolset: Toolset, mode: Mode) -> Toolset:
    """The toolset for a run in a mode. A run with real callbacks is recorded, so that it can be replayed.

    Args:
        toolset: The toolset as it was read.
        mode: ``real``; ``stub`` or ``mixed``: stubs stand in for callbacks; or ``replay``.

    Raises:
        ToolsetError: The toolset cannot be used so.
        NothingRecordedError: A replay before the first run with real callbacks.
        RecordingError: The recording is damaged.
    """
    from bashkit.toolset import in_mode, recorded

    file = recording_of(toolset)
    if mode == "replay":
        if not file.is_file():
            raise NothingRecordedError("Nothing is recorded yet: run a script with real callbacks first.")
        return in_mode(toolset, "replay", file)
    if mode != "real":
        return in_mode(toolset, "stub")
    chosen = in_mode(toolset, "real")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        return recorded(chosen, file)
    except (OSError, RecordingError):  # the run works without a recording
        return chosen


def real_tools(toolset: Toolset, mode: Mode) -> frozenset[str]:
    """The tools of a toolset in a mode whose own callbacks run. Among stubs a script has none of its own: it calls further tools.

    Args:
        toolset: The toolset as ``toolset_in_mode`` returns it.
        mode: Its mode.
    """
    from bashkit.toolset.callbacks.script import ScriptCallback

    if mode == "replay":
        return frozenset()
    entries = [item for item in toolset.entries() if mode == "real" or not isinstance(item.callback, ScriptCallback)]
    return frozenset(item.definition.name for item in entries if not getattr(item.callback, "simulated", False))
