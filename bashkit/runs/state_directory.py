"""The directory for files that outlast a session: the history of runs, recordings, and scripts."""

from __future__ import annotations

import os
from pathlib import Path


def home_directory() -> Path:
    """The user's home directory; ``/`` for one who has none, as container engines have it."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def state_directory() -> Path:
    """``$XDG_STATE_HOME/bashkit``, by default ``~/.local/state/bashkit`` (XDG Base Directory Specification); it may not exist."""
    given = os.environ.get("XDG_STATE_HOME", "")
    return (Path(given) if given.startswith("/") else home_directory() / ".local" / "state") / "bashkit"


def file_for(folder: str, toolset: Path, suffix: str) -> Path:
    """The file that a folder of the directory has for a toolset."""
    from hashlib import sha256

    mark = sha256(str(toolset.resolve()).encode()).hexdigest()[:12]
    return state_directory() / folder / f"{mark}{suffix}"
