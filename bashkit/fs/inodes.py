"""The objects a directory tree is made of.

A node belongs to the volume whose mark it carries. A node with another mark is shared with a snapshot or with other sessions: it
is never changed, and copied before it is changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from bashkit.limits import check_count

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

FileType = Literal["file", "directory", "symlink", "character", "block", "fifo", "socket"]
TYPE_BITS: dict[FileType, int] = {
    "file": 0o100000, "directory": 0o040000, "symlink": 0o120000, "character": 0o020000, "block": 0o060000, "fifo": 0o010000,
    "socket": 0o140000,
}  # fmt: skip
# the devices of /dev, with the major and minor number that each has in Linux
DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7), "random": (1, 8), "urandom": (1, 9), "tty": (5, 0)}
USER = 1000  # the virtual user's ID, and that of its group
BLANK = object()  # the mark of a tree that every session starts with: its time stamps are those of the session's beginning
AnyNode = TypeVar("AnyNode", bound="Node")


class Stat(NamedTuple):
    """What stat(2) tells: times in seconds since the epoch, size in bytes, ``mode`` the permission bits only.

    ``device`` is the number of a device, its major part and its minor part.
    """

    type: FileType
    mode: int
    size: int
    uid: int
    gid: int
    ino: int
    links: int
    atime: float
    mtime: float
    ctime: float
    device: tuple[int, int] = (0, 0)

    @property
    def st_mode(self) -> int:
        """Type and permission bits together, as the C structure has them."""
        return TYPE_BITS[self.type] | self.mode


class Node:
    """What every kind of file has: an inode (POSIX XBD 3.176, File Serial Number)."""

    __slots__ = ("atime", "ctime", "gid", "ino", "links", "mark", "mode", "mtime", "uid")

    type: FileType = "file"

    def __init__(self, ino: int, mode: int, now: float, mark: object, uid: int = USER, gid: int = USER) -> None:
        self.ino = ino
        self.mode = mode
        self.uid = uid
        self.gid = gid
        self.links = 1
        self.mark = mark
        self.atime = self.mtime = self.ctime = now

    def copy(self, mark: object, born: float) -> Node:
        """A node of its own for the volume with this mark; ``born`` is what the time stamps of a blank tree mean there."""
        raise NotImplementedError

    def _like(self, twin: AnyNode, born: float) -> AnyNode:
        """Give ``twin`` the metadata of this node."""
        twin.uid, twin.gid, twin.links = self.uid, self.gid, self.links
        if self.mark is not BLANK:
            twin.atime, twin.mtime, twin.ctime = self.atime, self.mtime, self.ctime
        else:
            twin.atime = twin.mtime = twin.ctime = born
        return twin

    def size(self) -> int:
        """Bytes, as stat(2) counts them."""
        return 0


class RegularFile(Node):
    """A file with content.

    Attributes:
        data: The content.
        shared: Another node has the same ``data``, which is copied before it changes.
    """

    __slots__ = ("data", "shared")

    def __init__(self, ino: int, mode: int, now: float, mark: object) -> None:
        super().__init__(ino, mode, now, mark)
        self.data = bytearray()
        self.shared = False

    def copy(self, mark: object, born: float) -> RegularFile:
        """A node of its own that shares the content until that changes."""
        twin = self._like(RegularFile(self.ino, self.mode, self.mtime, mark), born)
        twin.data = self.data
        twin.shared = True
        return twin

    def content(self) -> bytearray:
        """The content as something that may be changed."""
        if self.shared:
            self.data = bytearray(self.data)
            self.shared = False
        return self.data

    def size(self) -> int:
        """Bytes of content."""
        return len(self.data)


@dataclass(slots=True, frozen=True)
class LazyFile:
    """The content of a file that is produced when it is first read.

    Args:
        produce: Gives the content; it may be async. An ``OSError`` it raises is what the reader gets, anything else is ``EIO``.
        size: Bytes, when they are known beforehand; a file of unknown size is shown with size 0, as those in ``/proc`` are.
        mode: Permission bits.

    Raises:
        DefinitionError: A number is none.
    """

    produce: Callable[[], str | bytes | Awaitable[str | bytes]]
    size: int | None = None
    mode: int = 0o644

    def __post_init__(self) -> None:
        check_count("the mode of a LazyFile", self.mode, 0)
        if self.size is not None:
            check_count("the size of a LazyFile", self.size, 0)


class PendingFile(RegularFile):
    """A file whose content is not in memory yet.

    Attributes:
        source: A function that produces the content, a path below the lower directory of an overlay, or None: the content is
            there.
        declared: The size to show until then.
    """

    __slots__ = ("declared", "source")

    def __init__(
        self, ino: int, mode: int, now: float, mark: object, source: Callable[[], object] | tuple[str, ...] | None, declared: int
    ) -> None:
        super().__init__(ino, mode, now, mark)
        self.source = source
        self.declared = declared

    def copy(self, mark: object, born: float) -> RegularFile:
        """A node of its own, still without content."""
        if self.source is None:
            return super().copy(mark, born)
        return self._like(PendingFile(self.ino, self.mode, self.mtime, mark, self.source, self.declared), born)

    def size(self) -> int:
        """Bytes, as far as they are known."""
        return self.declared if self.source is not None else len(self.data)


class Directory(Node):
    """A directory; ``entries`` keeps the order in which names were made."""

    __slots__ = ("entries",)

    type: FileType = "directory"

    def __init__(self, ino: int, mode: int, now: float, mark: object) -> None:
        super().__init__(ino, mode, now, mark)
        self.links = 2
        self.entries: dict[str, Node] = {}

    def copy(self, mark: object, born: float) -> Directory:
        """A directory of its own with the same entries."""
        twin = self._like(Directory(self.ino, self.mode, self.mtime, mark), born)
        twin.entries = self.entries.copy()
        return twin

    def size(self) -> int:
        """One block."""
        return 4096


class OverlayDirectory(Directory):
    """A directory of an overlay that differs from the host's, or has none below it.

    Attributes:
        lower: Its path below the lower directory, or None.
        hidden: Names there that do not show: they were removed or replaced.
    """

    __slots__ = ("hidden", "lower")

    def __init__(self, ino: int, mode: int, now: float, mark: object, lower: tuple[str, ...] | None) -> None:
        super().__init__(ino, mode, now, mark)
        self.lower = lower
        self.hidden: set[str] = set()

    def copy(self, mark: object, born: float) -> OverlayDirectory:
        """A directory of its own with the same entries."""
        twin = self._like(OverlayDirectory(self.ino, self.mode, self.mtime, mark, self.lower), born)
        twin.entries = self.entries.copy()
        twin.hidden = self.hidden.copy()
        return twin


class Symlink(Node):
    """A symbolic link."""

    __slots__ = ("target",)

    type: FileType = "symlink"

    def __init__(self, ino: int, now: float, mark: object, target: str) -> None:
        super().__init__(ino, 0o777, now, mark)
        self.target = target

    def copy(self, mark: object, born: float) -> Symlink:
        """A link of its own."""
        return self._like(Symlink(self.ino, self.mtime, mark, self.target), born)

    def size(self) -> int:
        """Bytes of the target."""
        return len(self.target.encode("utf-8", "surrogateescape"))


class Device(Node):
    """A character device: ``null``, ``zero``, ``full``, ``random``, ``urandom``, ``tty``."""

    __slots__ = ("kind",)

    type: FileType = "character"

    def __init__(self, ino: int, now: float, mark: object, kind: str) -> None:
        super().__init__(ino, 0o666, now, mark, 0, 0)
        self.kind = kind

    def copy(self, mark: object, born: float) -> Device:
        """A device of its own."""
        twin = self._like(Device(self.ino, self.mtime, mark, self.kind), born)
        twin.mode = self.mode
        return twin

    @property
    def number(self) -> tuple[int, int]:
        """Its major and minor number, as Linux gives them out."""
        return DEVICES[self.kind]


class Fifo(Node):
    """A named pipe; the first to open it attaches the pipe that connects reader and writer."""

    __slots__ = ("pipe",)

    type: FileType = "fifo"

    def __init__(self, ino: int, mode: int, now: float, mark: object) -> None:
        super().__init__(ino, mode, now, mark)
        self.pipe: object | None = None

    def copy(self, mark: object, born: float) -> Fifo:
        """A pipe of its own."""
        return self._like(Fifo(self.ino, self.mode, self.mtime, mark), born)
