"""The files before and after a script: which of them it added, changed and removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.bash import Bash
    from bashkit.fs import FileSystem

State = Literal["added", "changed", "removed", "same"]

_MOST = 5_000  # the most files and directories
_COMPARED = 4_000_000  # the most bytes of a file to compare
_MACHINE = frozenset(["/dev", "/proc"])


def files_of(bash: Bash) -> FileSystem:
    """A copy of a shell's files as they are now.

    Raises:
        BashkitError: Something is mounted that cannot be copied.
    """
    from bashkit.bash import Bash as Session

    return Session.from_snapshot(bash.snapshot(), limits=bash.limits, commands=bash.commands).fs


@dataclass(frozen=True, slots=True)
class FileState:
    """One path.

    Attributes:
        path: The absolute path.
        state: The change that the run made.
        type: ``file``, ``directory``, ``symlink``, …
        size: Bytes, after the run unless it was removed.
    """

    path: str
    state: State
    type: str
    size: int


@dataclass(frozen=True, slots=True)
class FileChanges:
    """The states of all paths in order, and whether the list was cut."""

    files: tuple[FileState, ...]
    cut: bool

    @property
    def changes(self) -> int:
        """The number of paths that differ."""
        return sum(item.state != "same" for item in self.files)


def compare_files(before: FileSystem | None, after: FileSystem) -> FileChanges:
    """Compare the files before and after a script.

    Args:
        before: The files as the script found them; if None, everything counts as unchanged.
        after: The files as it left them.
    """
    new = dict(_walk(after))
    old = new if before is None else dict(_walk(before))
    found = []
    for path in sorted(new.keys() | old.keys()):
        one, other = old.get(path), new.get(path)
        meta = other or one or {}
        if one is None or other is None:
            state: State = "added" if one is None else "removed"
        else:
            state = "same" if before is None or _same(path, one, other, before, after) else "changed"
        found.append(FileState(path, state, str(meta["file_type"]), int(meta["size"])))
    return FileChanges(tuple(found[:_MOST]), len(new) >= _MOST or len(old) >= _MOST)


def _walk(files: FileSystem) -> Iterator[tuple[str, dict[str, Any]]]:
    """The paths with their metadata, at most ``_MOST``; links are not followed."""
    pending, seen = ["/"], 0
    while pending:
        folder = pending.pop(0)
        try:
            entries = files.read_dir(folder)
        except OSError:  # a directory of the host without permission
            continue
        for entry in entries:
            path = f"{folder.rstrip('/')}/{entry['name']}"
            if path in _MACHINE:
                continue
            seen += 1
            if seen > _MOST:
                return
            yield path, entry["metadata"]
            if entry["metadata"]["file_type"] == "directory":
                pending.append(path)


def _same(path: str, one: dict[str, Any], other: dict[str, Any], before: FileSystem, after: FileSystem) -> bool:
    if (one["file_type"], one["mode"]) != (other["file_type"], other["mode"]):
        return False
    if one["file_type"] == "symlink":
        return before.read_link(path) == after.read_link(path)
    if one["file_type"] != "file" or (one["modified"], one["size"]) == (other["modified"], other["size"]):
        return True
    if one["size"] != other["size"] or one["size"] > _COMPARED:
        return False
    try:
        return before.read_file(path) == after.read_file(path)
    except OSError:
        return False
