"""A frozen tree as plain data, for JSON, and back from untrusted data.

The data is a list of rows, a directory before what it holds: ``[type, parent, name, mode, uid, gid, atime, mtime, ctime, …]``,
where ``parent`` is the number of the directory's row. A further hard link is ``["link", parent, name, row]``.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from bashkit.errors import SnapshotError
from bashkit.fs.inodes import (
    BLANK,
    DEVICES,
    Device,
    Directory,
    Fifo,
    LazyFile,
    Node,
    OverlayDirectory,
    PendingFile,
    RegularFile,
    Symlink,
)
from bashkit.fs.memory import FrozenTree, call_here, produced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Row = list[Any]

_MAX_NAME = 255
_FIRST, _LAST = -6.2e10, 2.5e11  # times that calendars have: the years from 5 to 9892
_SAVED = object()  # the mark of nodes that were read: no volume's own


def _in_base64(file: RegularFile) -> str:
    data: bytes | bytearray = file.data
    if isinstance(file, PendingFile) and callable(file.source):
        try:
            data = produced(call_here, file.source)
        except OSError as error:
            raise SnapshotError(f"the content of a lazy file cannot be produced: {error.strerror}") from error
    return base64.b64encode(data).decode()


def _from_base64(value: Any) -> bytearray:
    try:
        data = base64.b64decode(value, validate=True) if isinstance(value, str) else None
    except (binascii.Error, ValueError):
        data = None
    if data is None:
        raise SnapshotError("damaged snapshot: the content of a file must be base64")
    return bytearray(data)


def to_rows(tree: FrozenTree, content: Callable[[RegularFile], Any] = _in_base64) -> list[Row]:
    """The rows of a tree.

    Args:
        tree: The tree.
        content: What stands for the content of a file; by default the content itself, for which lazy files are produced.

    Raises:
        SnapshotError: A lazy file could not be produced.
    """
    rows: list[Row] = []
    known: dict[int, int] = {}  # rows of files with several names
    pending: list[tuple[Node, int, str]] = [(tree.root, -1, "")]
    while pending:
        node, parent, name = pending.pop()
        if id(node) in known:
            rows.append(["link", parent, name, known[id(node)]])
            continue
        if node.links > 1:
            known[id(node)] = len(rows)
        if isinstance(node, Directory):
            pending.extend((child, len(rows), entry) for entry, child in reversed(node.entries.items()))
        times = [tree.born] * 3 if node.mark is BLANK else [node.atime, node.mtime, node.ctime]
        rows.append([*_kind(node, parent, name), node.mode, node.uid, node.gid, *times, *_rest(node, content)])
    return rows


def _kind(node: Node, parent: int, name: str) -> Row:
    lower = isinstance(node, PendingFile) and isinstance(node.source, tuple)
    return ["overlay" if isinstance(node, OverlayDirectory) else "lower" if lower else node.type, parent, name]


def _rest(node: Node, content: Callable[[RegularFile], Any]) -> Row:
    if isinstance(node, OverlayDirectory):
        return [None if node.lower is None else list(node.lower), sorted(node.hidden)]
    if isinstance(node, PendingFile) and isinstance(node.source, tuple):
        return [list(node.source), node.declared]
    if isinstance(node, RegularFile):
        return [content(node)]
    if isinstance(node, Symlink):
        return [node.target]
    return [node.kind] if isinstance(node, Device) else []


def text(value: object, what: str) -> str:
    """``value``, if it is a text that a shell can hold.

    Raises:
        SnapshotError: The value is of another type.
    """
    if not isinstance(value, str) or "\0" in value:
        raise SnapshotError(f"damaged snapshot: {what} must be a text")
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise SnapshotError(f"damaged snapshot: {what} is not text in UTF-8") from None
    return value


def number(value: object, what: str, low: int, high: int) -> int:
    """``value``, if it is a whole number in a range.

    Raises:
        SnapshotError: The value is of another type.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise SnapshotError(f"damaged snapshot: {what} must be a number from {low} to {high}")
    return value


def rows_of(value: object, what: str) -> list[Any]:
    """``value``, if it is a list.

    Raises:
        SnapshotError: The value is of another type.
    """
    if not isinstance(value, list):
        raise SnapshotError(f"damaged snapshot: {what} must be a list")
    return value


def from_rows(
    value: object, content: Callable[[Any], bytearray | LazyFile] = _from_base64, *, overlay: bool = False, system: bool = False
) -> FrozenTree:
    """The tree that rows describe.

    Args:
        value: The rows; anything may be wrong with them.
        content: The content of a file from what stands for it.
        overlay: The tree is the changes of an overlay.
        system: The tree is the root of a session.

    Raises:
        SnapshotError: Something is.
    """
    directories = {"overlay", "directory"} if system else {"overlay"} if overlay else {"directory"}
    return _Reader(rows_of(value, "the files"), content, directories, lower=overlay).tree()


class _Reader:
    """Reads rows one after another."""

    def __init__(
        self, rows: list[Any], content: Callable[[Any], bytearray | LazyFile], directories: set[str], *, lower: bool
    ) -> None:
        self._rows = rows
        self._content = content
        self._directories = directories  # the kinds that there may be
        self._lower = lower
        self._nodes: list[Node] = []
        self._bytes = self._files = 0
        self._row: Iterator[Any] = iter(())

    def tree(self) -> FrozenTree:
        """All of them."""
        for row in self._rows:
            self._row = iter(rows_of(row, "a file"))
            kind, parent, name = text(self._next(), "the type of a file"), self._next(), text(self._next(), "a name")
            node = self._link() if kind == "link" else self._node(kind)
            self._nodes.append(node)
            self._enter(node, parent, name)
        if not self._nodes:
            raise SnapshotError("damaged snapshot: there is no root directory")
        root = self._nodes[0]
        assert isinstance(root, Directory)
        return FrozenTree(root, len(self._nodes) + 2, self._bytes, self._files - 1)

    def _next(self) -> Any:
        value = next(self._row, _SAVED)
        if value is _SAVED:
            raise SnapshotError("damaged snapshot: a file has too few fields")
        return value

    def _link(self) -> Node:
        node = self._nodes[number(self._next(), "a link", 0, len(self._nodes) - 1)]
        if isinstance(node, Directory):
            raise SnapshotError("damaged snapshot: a directory has two names")
        node.links += 1
        return node

    def _node(self, kind: str) -> Node:
        mode, uid, gid = (
            number(self._next(), what, 0, high) for what, high in (("a mode", 0o7777), ("a user", 1 << 32), ("a group", 1 << 32))
        )
        times = [self._time() for _ in range(3)]
        ino = len(self._nodes) + 1
        node = self._make(kind, ino, mode)
        node.mode, node.uid, node.gid = mode, uid, gid
        node.atime, node.mtime, node.ctime = times
        self._files += 1
        return node

    def _time(self) -> float:
        value = self._next()
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not _FIRST < value < _LAST:
            raise SnapshotError("damaged snapshot: a time must be a number")
        return float(value)

    def _make(self, kind: str, ino: int, mode: int) -> Node:
        if kind == "overlay" and kind in self._directories:
            lower = self._next()
            directory = OverlayDirectory(ino, mode, 0.0, _SAVED, None if lower is None else self._parts(lower))
            directory.hidden = {self._name(text(name, "a name")) for name in rows_of(self._next(), "hidden names")}
            return directory
        if kind == "lower" and self._lower:
            return PendingFile(ino, mode, 0.0, _SAVED, self._parts(self._next()), number(self._next(), "a size", 0, 1 << 62))
        if kind == "directory" and kind in self._directories:
            return Directory(ino, mode, 0.0, _SAVED)
        if kind == "file":
            content = self._content(self._next())
            if isinstance(content, LazyFile):
                return PendingFile(ino, mode, 0.0, _SAVED, content.produce, content.size or 0)
            file = RegularFile(ino, mode, 0.0, _SAVED)
            file.data = content
            self._bytes += len(content)
            return file
        if kind == "symlink":
            target = text(self._next(), "the target of a link")
            self._bytes += len(target)
            return Symlink(ino, 0.0, _SAVED, target)
        if kind == "character":
            device = text(self._next(), "a device")
            if device in DEVICES:
                return Device(ino, 0.0, _SAVED, device)
        if kind == "fifo":
            return Fifo(ino, mode, 0.0, _SAVED)
        raise SnapshotError(f"damaged snapshot: {kind!r} is not a type of file")

    def _parts(self, value: object) -> tuple[str, ...]:
        return tuple(self._name(text(name, "a name")) for name in rows_of(value, "a path"))

    @staticmethod
    def _name(name: str) -> str:
        if name in {"", ".", ".."} or "/" in name or len(name.encode("utf-8", "surrogateescape")) > _MAX_NAME:
            raise SnapshotError(f"damaged snapshot: {name[:40]!r} cannot be the name of a file")
        return name

    def _enter(self, node: Node, parent: object, name: str) -> None:
        if len(self._nodes) == 1:
            if not isinstance(node, Directory):
                raise SnapshotError("damaged snapshot: the first file must be the root directory")
            return
        directory = self._nodes[number(parent, "a directory", 0, len(self._nodes) - 2)]
        if not isinstance(directory, Directory) or self._name(name) in directory.entries:
            raise SnapshotError(f"damaged snapshot: {name[:40]!r} is in no directory, or twice in one")
        directory.entries[name] = node
        if isinstance(node, Directory):
            directory.links += 1
