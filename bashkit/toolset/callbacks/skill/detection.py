"""Finds skills, and decides which files of a skill are scripts, how their tools are named, and which files are refused."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from bashkit import host_files
from bashkit.toolset.callbacks.skill.frontmatter import FILE

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
_MAX_DEPTH = 5  # depth of folders below scripts/, and of skills below a directory of them
_CACHES = frozenset({"__pycache__", "node_modules", "site-packages", "venv"})
_NO_SCRIPT = frozenset({"__init__.py"})
_OTHERS = frozenset({".bash", ".zsh", ".ts", ".mjs", ".cjs", ".php", ".lua", ".r", ".jl"})  # languages that cannot be started
_TOO_DEEP = f"it is more than {_MAX_DEPTH} levels deep"
_READ = 1 << 20  # bytes of a script that are read
_MAIN = re.compile(rb"""\A#!|^if\s+__name__\s*==\s*["']__main__["']|^if\s+["']__main__["']\s*==\s*__name__""", re.MULTILINE)
_IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([^\n#]*)|import[ \t]+([^\n#]*))", re.MULTILINE)
_NAME = re.compile(rb"\w+")


@dataclass(frozen=True, slots=True)
class Detected:
    """The scripts of a skill.

    Attributes:
        scripts: Their paths below the skill's directory, in alphabetical order, those in its root first.
        refused: Files that are or look like scripts and are no tools, each with the reason.
    """

    scripts: tuple[PurePosixPath, ...] = ()
    refused: tuple[tuple[PurePosixPath, str], ...] = ()


def skills_below(directory: Path) -> tuple[list[Path], list[tuple[Path, str]]]:
    """The skills in a directory, up to five levels deep, in alphabetical order, and what is passed over, with the reasons. What
    is inside of a skill is none.

    Raises:
        OSError: The directory cannot be read.
    """
    found: list[Path] = []
    refused: list[tuple[Path, str]] = []
    _look(directory, 1, found, refused)
    return found, refused


def _look(directory: Path, depth: int, found: list[Path], refused: list[tuple[Path, str]]) -> None:
    for entry in sorted(directory.iterdir()):
        if entry.name.startswith(".") or entry.name in _CACHES or not entry.is_dir():
            continue
        if (entry / FILE).is_symlink() or (entry / FILE).exists():
            if depth > _MAX_DEPTH:
                refused.append((entry, _TOO_DEEP))
            else:
                found.append(entry)
        elif depth <= _MAX_DEPTH and not entry.is_symlink():  # one level more than that has skills, to name what is too deep
            if (entry / FILE.lower()).exists():
                refused.append((entry, f"its file is called {FILE.lower()} instead of {FILE}"))
            try:
                _look(entry, depth + 1, found, refused)
            except PermissionError:
                refused.append((entry, "it cannot be read: Permission denied"))


def detect(directory: Path) -> Detected:
    """Look for scripts in a skill's root and, up to five folders deep, in ``scripts/``. Nothing is run."""
    root = directory.resolve()
    scripts: list[PurePosixPath] = []
    refused: list[tuple[PurePosixPath, str]] = []
    for path in _files(root, refused):
        if path.name in _NO_SCRIPT:
            continue
        relative = PurePosixPath(path.relative_to(root))
        if path.suffix.lower() in INTERPRETERS:
            reason = refusal(root, relative)
        else:
            reason = unknown_language(path) if path.parent != root and _is_program(path) else None
        if reason == "":
            scripts.append(relative)
        elif reason is not None:
            refused.append((relative, reason))
    modules = _modules(root, scripts)
    refused += [
        (script, f"it is a module that {modules[script]} imports, and no program") for script in scripts if script in modules
    ]
    return Detected(tuple(script for script in scripts if script not in modules), tuple(refused))


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


def _files(root: Path, refused: list[tuple[PurePosixPath, str]]) -> Iterator[Path]:
    outside = "it is a link that leads outside of the skill"
    try:
        names = sorted(entry.name for entry in os.scandir(root) if not entry.is_dir(follow_symlinks=False))
    except OSError:
        return
    yield from (root / name for name in names if not name.startswith("."))
    if (root / FOLDER).is_symlink():
        if refusal(root, PurePosixPath(FOLDER)):
            refused.append((PurePosixPath(FOLDER), outside))
        return
    for folder, inner, names in os.walk(root / FOLDER):
        place = Path(folder)
        paths = [PurePosixPath((place / name).relative_to(root)) for name in sorted(inner) if (place / name).is_symlink()]
        refused += [(path, outside) for path in paths if refusal(root, path)]
        if _is_deepest(root, place):
            refused += [
                (PurePosixPath((place / name).relative_to(root)), _TOO_DEEP) for name in sorted(inner) if _is_searched(name)
            ]
        _prune(root, place, inner)
        yield from (place / name for name in sorted(names) if not name.startswith("."))


def _prune(root: Path, place: Path, inner: list[str]) -> None:
    """Remove folders without scripts from a walk."""
    inner[:] = sorted(name for name in inner if not _is_deepest(root, place) and _is_searched(name))


def _is_deepest(root: Path, place: Path) -> bool:
    return len(place.relative_to(root).parts) > _MAX_DEPTH


def _is_searched(folder: str) -> bool:
    return not folder.startswith(".") and folder not in _CACHES


def unknown_language(path: Path) -> str:
    """Why a program has no tool whose name says no known language."""
    return f"no interpreter is known for {path.suffix or 'files without a suffix'}"


def _is_program(path: Path) -> bool:
    """Whether a file looks like a script in a language that cannot be started."""
    if path.suffix.lower() in _OTHERS:
        return True
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with host_files.open_file(path) as stream:
            return stream.read(2) == b"#!"
    except OSError:
        return False


# -- modules -----------------------------------------------------------------------------------------------------------


def _modules(root: Path, scripts: list[PurePosixPath]) -> dict[PurePosixPath, str]:
    """The Python files that other scripts import and that have neither a ``#!`` line nor a ``__main__``, with one of those."""
    read = {script: _python(root / script) for script in scripts if script.suffix == ".py"}
    users: dict[str, list[PurePosixPath]] = {}
    for script, (_, imported) in read.items():
        for name in imported:
            users.setdefault(name, []).append(script)
    found = {}
    for script, (is_program, _) in read.items():
        others = [user for user in users.get(script.stem, ())[:2] if user != script]
        if others and not is_program:
            found[script] = str(others[0])
    return found


def _python(path: Path) -> tuple[bool, frozenset[str]]:
    try:
        state = path.stat()
    except OSError:
        return True, frozenset()
    return _read_python(str(path), state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=4096)
def _read_python(file: str, *_state: int) -> tuple[bool, frozenset[str]]:
    """Whether a Python file is a program, and the names that stand in its imports."""
    try:
        with host_files.open_file(file) as stream:
            text = stream.read(_READ)
    except OSError:
        return True, frozenset()
    names = {name.decode() for groups in _IMPORT.findall(text) for part in groups for name in _NAME.findall(part)}
    return _MAIN.search(text) is not None, frozenset(names)
