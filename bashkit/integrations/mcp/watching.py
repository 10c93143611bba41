"""Notices that a toolset file, or what it includes, has changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bashkit.errors import ToolsetError
from bashkit.toolset.loading import open_toolset

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bashkit.toolset.toolset import Toolset

    Stamp = tuple[int, int, int] | None


class Watch:
    """What the files behind toolsets looked like when they were loaded.

    Args:
        toolsets: The toolsets.
    """

    def __init__(self, toolsets: Iterable[Toolset]) -> None:
        self._stamps = {path: _stamp(path) for toolset in toolsets for path in _files(toolset)}

    def changed(self) -> bool:
        """Whether a file has changed, come or gone since the last call."""
        now: Mapping[Path, Stamp] = {path: _stamp(path) for path in self._stamps}
        same = now == self._stamps
        self._stamps = dict(now)
        return not same


def reloaded(paths: Iterable[Path]) -> tuple[list[Toolset], list[str]]:
    """Load toolsets again; return them, or what is wrong: file, line, column and message of each mistake."""
    found: list[Toolset] = []
    problems: list[str] = []
    for path in paths:
        try:
            toolset = open_toolset(path)
            toolset.entries()  # asks the sources
        except ToolsetError as error:
            problems += [str(problem) for problem in error.problems]
        else:
            found.append(toolset)
    return found, problems


def _files(toolset: Toolset) -> set[Path]:
    documents = {toolset.document.file, *(item.document.file for item in toolset.declared)}
    documents |= {source.document.file for source in toolset.sources}
    included = toolset.document.value.get("include", ()) if isinstance(toolset.document.value, dict) else ()
    folder = toolset.path.parent
    names = [folder / name for name in included if isinstance(name, str)] + _context(toolset, folder)
    return {Path(file) for file in documents} | set(names) | {path for source in toolset.sources for path in source.files()}


def _context(toolset: Toolset, folder: Path) -> list[Path]:
    """The context modules of the prompt, and the directories that may get more of them."""
    prompt = toolset.document.value.get("prompt") if isinstance(toolset.document.value, dict) else None
    given = prompt.get("context", ()) if isinstance(prompt, dict) else ()
    found: list[Path] = []
    for pattern in [given] if isinstance(given, str) else given:
        for path in folder.glob(pattern) if any(letter in pattern for letter in "*?[") else [folder / pattern]:
            found += [path, path / "context", *path.glob("*.md"), *path.glob("context/*.md")] if path.is_dir() else [path]
    return found


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
