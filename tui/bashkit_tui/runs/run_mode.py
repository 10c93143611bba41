"""The mode of a run: callbacks, stubs, or a replay of the last run with callbacks answer its tool calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bashkit.errors import BashkitError
from bashkit_tui.settings.state_directory import state_directory

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.toolset import Toolset

Mode = Literal["real", "stub", "replay"]
MODES: tuple[Mode, ...] = ("real", "stub", "replay")


class NothingRecordedError(BashkitError):
    """A replay was asked for before any run with real callbacks."""


def recording_of(toolset: Toolset) -> Path:
    """The recording of the last run of a toolset with real callbacks."""
    from hashlib import sha256

    mark = sha256(str(toolset.path.resolve()).encode()).hexdigest()[:12]
    return state_directory() / "recordings" / f"{mark}.jsonl"


def toolset_in_mode(toolset: Toolset, mode: Mode) -> Toolset:
    """The toolset for a run in a mode. A run with real callbacks is recorded, so that it can be replayed.

    Args:
        toolset: The toolset as it was read.
        mode: ``real``, ``stub``, or ``replay``.

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
    chosen = in_mode(toolset, mode)
    if mode == "stub":
        return chosen
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
    except OSError:  # the run works without a recording
        return chosen
    return recorded(chosen, file)
