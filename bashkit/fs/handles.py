"""Streams over the nodes of the file system."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.fs.stream import BLOCK, MAX_READ, READING, WRITING, Stream, os_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs.inodes import RegularFile
    from bashkit.fs.memory import MemoryVolume


class FileStream(Stream):
    """An open regular file, wherever it is kept.

    Attributes:
        ino: The file's serial number.
        readable: Opened for reading.
        writable: Opened for writing.
    """

    __slots__ = ("ino", "readable", "writable")

    type = "file"

    def __init__(self, ino: int, *, readable: bool, writable: bool) -> None:
        super().__init__()
        self.ino = ino
        self.readable = readable
        self.writable = writable

    def size(self) -> int:
        """Bytes in the file now."""
        raise NotImplementedError

    def tell(self) -> int:
        """The offset, in bytes from the beginning."""
        raise NotImplementedError

    def seek(self, offset: int) -> None:
        """Set the offset, in bytes from the beginning."""
        raise NotImplementedError


class MemoryStream(FileStream):
    """An open file in memory with its offset.

    Args:
        volume: The volume, asked before the file grows.
        node: The file.
        readable: Opened for reading.
        writable: Opened for writing.
        append: Every write goes to the end (``O_APPEND``).
    """

    __slots__ = ("append", "node", "offset", "volume")

    def __init__(self, volume: MemoryVolume, node: RegularFile, *, readable: bool, writable: bool, append: bool) -> None:
        super().__init__(node.ino + volume.offset, readable=readable, writable=writable)
        self.volume = volume
        self.node = node
        self.append = append
        self.offset = 0

    def read(self, size: int = BLOCK) -> bytes:
        """At most ``size`` bytes from the offset."""
        if not self.readable:
            raise os_error(errno.EBADF, READING)
        start = self.offset
        block = bytes(self.node.data[start : start + size])
        self.offset = start + len(block)
        return block

    def read_all(self, limit: int = MAX_READ) -> bytes:  # noqa: ARG002 - the file system has a limit of its own
        """Everything from the offset to the end."""
        return self.read(max(len(self.node.data) - self.offset, 0)) if self.readable else self.read()

    def read_line(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        """One line from the offset."""
        if not self.readable:
            raise os_error(errno.EBADF, READING)
        data, start = self.node.data, self.offset
        end = data.find(delimiter, start) + 1 or len(data)
        if 0 <= limit < end - start:
            end = start + limit
        self.offset = max(start, end)
        return bytes(data[start:end])

    def write(self, data: bytes) -> None:
        """Write at the offset, or at the end when appending."""
        if not self.writable:
            raise os_error(errno.EBADF, WRITING)
        node = self.node
        held = node.data if not node.shared else node.content()
        start = len(held) if self.append else self.offset
        end = start + len(data)
        if end > len(held):
            self.volume.claim(end - len(held))
        if start == len(held):
            held += data
        else:
            if start > len(held):
                held += bytes(start - len(held))
            held[start:end] = data
        self.offset = end
        node.mtime = node.ctime = self.volume.clock()

    def again(self, *, read: bool = False, write: bool = False, append: bool = False, truncate: bool = False) -> Stream | None:
        """Open the file once more, as ``/dev/fd/N`` does; None where it would have to be copied to be written."""
        if write and not self.writable:
            return None
        return self.volume.open(self.node, read=read, write=write, append=append, truncate=truncate)

    def size(self) -> int:
        """Bytes in the file now."""
        return len(self.node.data)

    def tell(self) -> int:
        """The offset, in bytes from the beginning."""
        return self.offset

    def seek(self, offset: int) -> None:
        """Set the offset, in bytes from the beginning."""
        self.offset = offset


class GeneratedStream(Stream):
    """A device that makes its bytes: ``/dev/zero``, ``/dev/urandom``; writes vanish."""

    __slots__ = ("_make",)

    writable = True
    type = "character"

    def __init__(self, make: Callable[[int], bytes]) -> None:
        super().__init__()
        self._make = make

    def _fill(self) -> bytes:
        return self._make(BLOCK)

    def write(self, data: bytes) -> None:
        """Drop ``data``."""


class FullStream(GeneratedStream):
    """``/dev/full``: reads zeros, and every write finds no space."""

    __slots__ = ()

    hopeless = True

    def write(self, data: bytes) -> None:  # noqa: ARG002 - refused whatever it is
        """Refuse ``data``."""
        raise os_error(errno.ENOSPC, WRITING)
