"""A volume in memory as one sees it who must not change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs.handles import FileStream
from bashkit.fs.memory import MemoryVolume
from bashkit.fs.volume import Volume

if TYPE_CHECKING:
    from bashkit.fs.inodes import Node
    from bashkit.fs.stream import Stream
    from bashkit.fs.volume import Space


class ReadOnlyVolume(Volume):
    """A volume in memory that a session cannot change.

    Args:
        volume: The volume that holds the files.
    """

    __slots__ = ("offset", "volume")

    writable = False
    label = "memory"
    kind = "tmpfs"

    def __init__(self, volume: MemoryVolume) -> None:
        self.volume = volume
        self.offset = 0

    def enter(self, *, change: bool) -> Node:
        """The root directory."""
        return self.volume.enter(change=change)

    def find(self, directory: Node, name: str) -> Node | None:
        """The node called ``name``."""
        return self.volume.find(directory, name)

    def own(self, directory: Node, name: str, node: Node) -> Node:
        """The node that the next change through the file system itself will change."""
        return self.volume.own(directory, name, node)

    def is_shared(self, node: Node) -> bool:
        """Whether a node would be copied before it is changed."""
        return self.volume.is_shared(node)

    def names(self, directory: Node) -> list[str]:
        """The names in the order they were made."""
        return self.volume.names(directory)

    def target(self, link: Node) -> str:
        """The target."""
        return self.volume.target(link)

    def open(self, node: Node, *, read: bool, write: bool, append: bool, truncate: bool) -> Stream:
        """Open a regular file."""
        stream = self.volume.open(node, read=read, write=write, append=append, truncate=truncate)
        if isinstance(stream, FileStream):
            stream.ino += self.offset - self.volume.offset
        return stream

    def space(self) -> Space | None:
        """How full it is."""
        return self.volume.space()


def memory_below(volume: Volume) -> MemoryVolume | None:
    """The volume in memory that holds the files of a volume; None if the host holds them."""
    if isinstance(volume, ReadOnlyVolume):
        return volume.volume
    return volume if isinstance(volume, MemoryVolume) else None
