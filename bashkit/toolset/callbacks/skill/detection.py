"""Decides which files of a skill are scripts, how their tools are named, and which files are refused."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# the command that starts a script; the script's path follows
INTERPRETERS = {
    ".py": ("python3",),
    ".sh": ("bash",),
    ".js": ("node",),
    ".rb": ("ruby",),
    ".pl": ("perl",),
    ".bat": ("cmd.exe", "/c"),
    ".cmd": ("cmd.exe", "/c"),
    ".ps1": ("pwsh", "-NoProfile", "-File"),
}
FOLDER = "scripts"
_MAX_DEPTH = 5  # depth of folders below scripts/
_CACHES = frozenset({"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"})
_NO_SCRIPT = frozenset({"__init__.py"})


@dataclass(frozen=True, slots=True)
class Detected:
    """The scripts of a skill.

    Attributes:
        scripts: Their paths below the skill's directory, in alphabetical order, those in its root first.
        refused: Files that are named like scripts but may not run, each with the reason.
    """

    scripts: tuple[PurePosixPath, ...] = ()
    refused: tuple[str, ...] = ()


def detect(directory: Path) -> Detected:
    """Look for scripts in a skill's root and, up to five folders deep, in ``scripts/``. Nothing is opened or run."""
    root = directory.resolve()
    scripts: list[PurePosixPath] = []
    refused: list[str] = []
    for path in _files(root, refused):
        if path.suffix.lower() not in INTERPRETERS or path.name in _NO_SCRIPT:
            continue
        relative = PurePosixPath(path.relative_to(root))
        reason = refusal(root, relative)
        if reason == "":
            scripts.append(relative)
        elif reason is not None:
            refused.append(f"{visible(str(relative))} is skipped: {reason}")
    return Detected(tuple(scripts), tuple(refused))


def refusal(root: Path, relative: PurePosixPath) -> str | None:
    """Why a file is not a script that may run; "" if it is one, None if it is silently skipped.

    Args:
        root: The skill's directory, without links.
        relative: The file below it.
    """
    if relative.is_absolute() or ".." in relative.parts:
        return "it leads outside of the skill"
    path = root / relative
    try:
        found = path.resolve()
        state = path.lstat()
    except (OSError, RuntimeError):
        return "it is not there"
    if not found.is_relative_to(root):
        return "it is a link that leads outside of the skill"
    if found != path or not stat.S_ISREG(state.st_mode):
        return None
    if state.st_mode & (stat.S_ISUID | stat.S_ISGID):
        return "it is setuid or setgid"
    return ""


def tool_name(skill: str, script: PurePosixPath) -> str:
    """The name of a script's tool: ``pdf-extractor.utils-parse`` for ``scripts/utils/parse.py``."""
    parts = list(script.with_suffix("").parts)
    if parts[0] == FOLDER and len(parts) > 1:
        parts = parts[1:]
    return f"{skill}.{'-'.join(parts)}"


def folders(directory: Path) -> Iterator[Path]:
    """The directories that are searched for scripts."""
    root = directory.resolve()
    yield root
    for folder, inner, _ in os.walk(root / FOLDER):
        _prune(root, Path(folder), inner)
        yield Path(folder)


def visible(text: str) -> str:
    """A file's name as messages show it, with undecodable bytes escaped."""
    return text.encode("utf-8", "backslashreplace").decode()


def _files(root: Path, refused: list[str]) -> Iterator[Path]:
    try:
        names = sorted(entry.name for entry in os.scandir(root) if not entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    yield from (root / name for name in names if not name.startswith("."))
    if (root / FOLDER).is_symlink():
        if refusal(root, PurePosixPath(FOLDER)):
            refused.append(f"{FOLDER} is skipped: it is a link that leads outside of the skill")
        return
    for folder, inner, names in os.walk(root / FOLDER):
        place = Path(folder)
        refused += [
            f"{visible(str((place / name).relative_to(root)))} is skipped: it is a link that leads outside of the skill"
            for name in sorted(inner)
            if (place / name).is_symlink() and refusal(root, PurePosixPath((place / name).relative_to(root)))
        ]
        _prune(root, place, inner)
        yield from (place / name for name in sorted(names) if not name.startswith("."))


def _prune(root: Path, place: Path, inner: list[str]) -> None:
    """Remove folders without scripts from a walk."""
    deep = len(place.relative_to(root).parts) > _MAX_DEPTH
    inner[:] = sorted(name for name in inner if not deep and not name.startswith(".") and name not in _CACHES)
