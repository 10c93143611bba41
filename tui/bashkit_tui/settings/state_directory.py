"""Where the inspector keeps what lasts from one session to the next."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory() -> Path:
    """``$XDG_STATE_HOME/bashkit``, by default ``~/.local/state/bashkit`` (XDG Base Directory Specification); it need not exist."""
    given = os.environ.get("XDG_STATE_HOME", "")
    return (Path(given) if given.startswith("/") else Path.home() / ".local" / "state") / "bashkit"
