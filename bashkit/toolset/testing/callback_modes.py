"""The modes of answering calls: real callbacks, stubs, recording, or replay of a recording."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from bashkit.tools.call.redaction import Secrets
from bashkit.toolset.declaration import PROGRAM_STUBS, STUBS
from bashkit.toolset.testing.recording import Recorder, Recording

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bashkit.toolset.toolset import Toolset

Mode = Literal["real", "stub", "replay"]


def in_mode(toolset: Toolset, mode: Mode, recording: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Toolset:
    """Return the toolset with its callbacks replaced for a mode.

    Args:
        toolset: The toolset.
        mode: ``real``: every callback runs. ``stub``: a tool's stub stands in for its callback where it has one. ``replay``: no
            callback runs; ``recording`` has the results.
        recording: A file that ``recorded`` wrote.
        environ: As for ``load``.

    Raises:
        ToolsetError: The toolset cannot be used.
        RecordingError: The recording cannot be used.
        ValueError: A replay without a recording.
    """
    if mode == "replay":
        if recording is None:
            raise ValueError("a replay needs a recording")
        return replace(toolset, wrap=Recording.read(recording).wrap, _tool=None)
    from bashkit.toolset.loading import open_toolset

    if toolset.stubbed == (mode == "stub") == bool(toolset.stub_env) and toolset.wrap is None:
        return toolset
    given = {**(os.environ if environ is None else environ), STUBS: "1" if mode == "stub" else "", PROGRAM_STUBS: ""}
    return open_toolset(toolset.path, environ=given, profile=toolset.profile)


def recorded(toolset: Toolset, recording: Path) -> Toolset:
    """Return the toolset with every call appended to a file, which ``in_mode(…, "replay", …)`` can replay.

    Args:
        toolset: The toolset.
        recording: The file, created if missing. It never contains a secret of the toolset.

    Raises:
        RecordingError: The file cannot be written.
    """
    recorder = Recorder(recording, Secrets(toolset.secrets.values()), toolset.options.get("errors"))
    recorder.append(b"")  # before a call has an effect that nobody could record
    return replace(toolset, wrap=recorder.wrap, _tool=None)
