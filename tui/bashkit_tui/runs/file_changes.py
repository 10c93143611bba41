"""The files before and after a run: the added, changed and removed ones, and a preview of one."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING, Any, Literal

from bashkit_tui.texts.formatting import size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.fs import FileSystem

State = Literal["added", "changed", "removed", "same"]
Pieces = list[tuple[str, str]]

_MOST = 5_000  # the most files and directories
_COMPARED = 4_000_000  # the most bytes of a file to compare
_SHOWN = 200_000  # the most bytes of a previewed text
_HEX = 4_096  # the most bytes of a hexadecimal preview
_DIFFED = 5_000  # the most lines of each side of a diff
_MACHINE = frozenset(["/dev", "/proc"])


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


def preview(item: FileState, before: FileSystem | None, after: FileSystem) -> Pieces:
    """The preview of a path: a diff of a changed file, else its text or its bytes in hexadecimal."""
    if item.type == "directory":
        return [("muted", f"directory, {item.state}" if item.state != "same" else "directory")]
    files = before if item.state == "removed" and before is not None else after
    if item.type == "symlink":
        return [("stdout", f"→ {_link(files, item.path)}")]
    if item.type != "file":
        return [("muted", item.type)]
    new = _read(files, item.path)
    if isinstance(new, str):
        return [("stderr", new)]
    if item.state == "changed" and before is not None:
        old = _read(before, item.path)
        if not isinstance(old, str):
            return _diff(old, new)
    if item.state in {"added", "removed"} and is_text(new):
        return [(item.state, new[:_SHOWN].decode("utf-8", "surrogateescape")), *_rest(len(new), _SHOWN)]
    return _whole(new)


def _link(files: FileSystem, path: str) -> str:
    try:
        return files.read_link(path)
    except OSError as error:
        return str(error.strerror)


def _read(files: FileSystem, path: str) -> bytes | str:
    """The content, or an error message as text."""
    try:
        return files.read_file(path)
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _whole(data: bytes) -> Pieces:
    if not data:
        return [("muted", "empty")]
    if is_text(data):
        return [("stdout", data[:_SHOWN].decode("utf-8", "surrogateescape")), *_rest(len(data), _SHOWN)]
    return [("stdout", hexadecimal(data[:_HEX])), *_rest(len(data), _HEX)]


def _rest(size: int, shown: int) -> Pieces:
    return [("muted", f"\n… {size_text(size - shown)} more")] if size > shown else []


def _diff(old: bytes, new: bytes) -> Pieces:
    if not (is_text(old) and is_text(new)):
        note = f"binary: {size_text(len(old))} before, {size_text(len(new))} after" if old != new else "its mode has changed"
        return [("place", f"{note}\n"), *_whole(new)]
    if old == new:
        return [("place", "its mode has changed\n"), *_whole(new)]
    one, other = (data[:_SHOWN].decode("utf-8", "surrogateescape").split("\n")[:_DIFFED] for data in (old, new))
    pieces: Pieces = []
    for line in unified_diff(one, other, "before", "after", lineterm=""):
        kind = {"+": "added", "-": "removed", "@": "place"}.get(line[:1], "stdout")
        pieces.append(("muted" if line.startswith(("+++", "---")) and len(pieces) < 2 else kind, f"{line}\n"))
    return pieces or [("muted", "the difference is beyond what is shown")]


def is_text(data: bytes) -> bool:
    """Whether a content is text: it has no NUL, and few control characters and bytes that are not UTF-8."""
    start = data[:8_192]
    if b"\0" in start:
        return False
    odd = sum(byte < 9 or (13 < byte < 32 and byte != 27) for byte in start)
    odd += start.decode("utf-8", "replace").count("\ufffd")
    return odd * 10 <= len(start)


def hexadecimal(data: bytes) -> str:
    """Bytes as ``xxd`` shows them: offset, sixteen bytes, their letters."""
    lines = []
    for start in range(0, len(data), 16):
        row = data[start : start + 16]
        pairs = " ".join(row[place : place + 2].hex() for place in range(0, len(row), 2))
        letters = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{start:08x}: {pairs:<39}  {letters}")
    return "\n".join(lines)
