"""A preview of a file that a run added, changed, removed or left as it was."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from bashkit_tui.texts.formatting import size_text

if TYPE_CHECKING:
    from bashkit.fs import FileSystem
    from bashkit.runs.file_changes import FileState

Pieces = list[tuple[str, str]]

_SHOWN = 200_000  # the most bytes of a previewed text
_HEX = 4_096  # the most bytes of a hexadecimal preview
_DIFFED = 5_000  # the most lines of each side of a diff


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
