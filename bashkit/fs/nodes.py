"""The objects a directory tree is made of."""

from __future__ import annotations

from typing import Literal

FileType = Literal["file", "directory", "symlink", "character", "fifo"]


class Node:
    """What every kind of file has: an inode (POSIX XBD 3.176, File Serial Number)."""

    __slots__ = ("atime", "ctime", "gid", "ino", "links", "mode", "mtime", "uid")

    type: FileType = "file"

    def __init__(self, ino: int, mode: int, now: float, uid: int = 1000, gid: int = 1000) -> None:
        self.ino = ino
        self.mode = mode
        self.uid = uid
        self.gid = gid
        self.links = 1
        self.atime = self.mtime = self.ctime = now


class RegularFile(Node):
    """A file with content."""

    __slots__ = ("data",)

    def __init__(self, ino: int, mode: int, now: float) -> None:
        super().__init__(ino, mode, now)
        self.data = bytearray()


class Directory(Node):
    """A directory; ``entries`` keeps the order in which names were made."""

    __slots__ = ("entries",)

    type: FileType = "directory"

    def __init__(self, ino: int, mode: int, now: float) -> None:
        super().__init__(ino, mode, now)
        self.links = 2
        self.entries: dict[str, Node] = {}


class Symlink(Node):
    """A symbolic link."""

    __slots__ = ("target",)

    type: FileType = "symlink"

    def __init__(self, ino: int, now: float, target: str) -> None:
        super().__init__(ino, 0o777, now)
        self.target = target


class Device(Node):
    """A character device: ``null``, ``zero``, ``full``, ``random``."""

    __slots__ = ("kind",)

    type: FileType = "character"

    def __init__(self, ino: int, now: float, kind: str) -> None:
        super().__init__(ino, 0o666, now, 0, 0)
        self.kind = kind


class Fifo(Node):
    """A named pipe; whoever opens it attaches the pipe that connects reader and writer."""

    __slots__ = ("pipe",)

    type: FileType = "fifo"

    def __init__(self, ino: int, mode: int, now: float) -> None:
        super().__init__(ino, mode, now)
        self.pipe: object | None = None
