"""Finds the toolset files of a project by their names and folders."""

from __future__ import annotations

import os
from pathlib import Path

_NOT_OURS = frozenset({"__snapshots__", "__pycache__", "node_modules", "site-packages", "build", "dist", "venv"})
_SUFFIXES = frozenset({".yaml", ".yml"})
FOLDER = "toolsets"


def is_toolset_file(path: Path) -> bool:
    """Whether a file is a toolset by its name: ``*.toolset.yaml``, or any YAML file in a folder called ``toolsets``."""
    return path.suffix in _SUFFIXES and (path.parent.name == FOLDER or path.stem.endswith(".toolset"))


def toolset_files(directory: Path) -> list[Path]:
    """The toolset files in a directory and below, in the order of their paths; hidden folders are left out."""
    found = []
    for folder, folders, names in os.walk(directory):
        folders[:] = [name for name in folders if name not in _NOT_OURS and not name.startswith(".")]
        found += [path for name in names if is_toolset_file(path := Path(folder) / name) or _in_toolsets(directory, path)]
    return sorted(found)


def _in_toolsets(directory: Path, path: Path) -> bool:
    """Whether the directory itself is called ``toolsets``, also if it is given as ``.``."""
    return path.suffix in _SUFFIXES and path.parent == directory and directory.resolve().name == FOLDER
