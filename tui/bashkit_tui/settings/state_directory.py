"""The directory for files that outlast a session: the history of runs, and recordings."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory() -> Path:
    """``$XDG_STATE_HOME/bashkit``, by default ``~/.local/state/bashkit`` (XDG Base Directory Specification); it may not exist."""
    given = os.environ.get("XDG_STATE_HOME", "")
    return (Path(given) if given.startswith("/") else Path.home() / ".local" / "state") / "bashkit"
