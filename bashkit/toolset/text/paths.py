"""Writes paths as a toolset file does."""

from __future__ import annotations

import os
from pathlib import Path


def relative(path: Path, folder: Path) -> str:
    """Make a path relative to the folder of a toolset file."""
    text = Path(os.path.relpath(path, folder)).as_posix()
    return text if text.startswith("..") else f"./{text}" if text != "." else text
