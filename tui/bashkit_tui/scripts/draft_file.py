"""The script in the editor as it is kept for the next session, one for each toolset."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bashkit import host_files
from bashkit.runs.state_directory import file_for

if TYPE_CHECKING:
    from pathlib import Path

_MOST = 1_000_000  # bytes


def read_draft(toolset: Path) -> str:
    """The script that was in the editor when the last session with a toolset ended, or ""."""
    try:
        with host_files.open_file(file_for("scripts", toolset, ".sh")) as file:
            return file.read(_MOST).decode("utf-8", errors="replace")
    except OSError:
        return ""


def write_draft(toolset: Path, script: str) -> str:
    """Keep a script, readable by its owner only; an empty one is removed. Return an error message or ""."""
    file = file_for("scripts", toolset, ".sh")
    try:
        if not script:
            file.unlink(missing_ok=True)
            return ""
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(script.encode("utf-8", errors="replace"))
        new.replace(file)
    except OSError as error:
        return f"{file}: {error.strerror}"
    return ""
