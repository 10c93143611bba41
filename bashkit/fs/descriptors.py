"""Descriptors of the host's files: closed by themselves, reached without following a link."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from bashkit.fs.handles import FileStream
from bashkit.fs.stream import BLOCK, os_error

if TYPE_CHECKING:
    from collections.abc import Callable

_SAFE = os.O_NOFOLLOW | os.O_CLOEXEC
_WALK = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | _SAFE
_FILE = os.O_NONBLOCK | os.O_NOCTTY | _SAFE  # never waits for the other end of a pipe, never gets a terminal


def encoded(name: str) -> bytes:
    """A single name as the host has it.

    Raises:
        OSError: ``EILSEQ`` or ``EINVAL``: it cannot be the name of a file, or it leads elsewhere (``..``).
    """
    if name in {"", ".", ".."} or "/" in name:
        raise os_error(errno.EINVAL)
    return encoded_target(name)


def encoded_target(target: str) -> bytes:
    """What a symbolic link says, as the host has it.

    Raises:
        OSError: ``EILSEQ`` or ``EINVAL``.
    """
    try:
        raw = target.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise os_error(errno.EILSEQ) from None
    if b"\0" in raw:
        raise os_error(errno.EINVAL)
    return raw


def decoded(raw: bytes) -> str:
    """A name of the host as the shell has it."""
    return raw.decode("utf-8", "surrogateescape")


class Descriptor:
    """A file descriptor of the host that is closed with its last reference."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def close(self) -> None:
        """Close it now."""
        number, self.number = self.number, -1
        if number >= 0:
            os.close(number)

    def __del__(self) -> None:
        if hasattr(self, "number"):  # its making may have been interrupted
            self.close()

    def walk(self, parts: tuple[str, ...]) -> Descriptor:
        """The directory at ``parts`` below this one, component by component; a link on the way is ``ENOTDIR``."""
        here = self
        for name in parts:
            here = Descriptor(os.open(encoded(name), _WALK, dir_fd=here.number))
        return here

    def file(self, name: str, flags: int, mode: int = 0) -> Descriptor:
        """Open a regular file or directory in this directory; never waits, never follows a link.

        Raises:
            OSError: ``ENXIO``: it is a device, a pipe or a socket; else as open(2).
        """
        descriptor = Descriptor(os.open(encoded(name), flags | _FILE, mode, dir_fd=self.number))
        kind = os.fstat(descriptor.number).st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
            raise os_error(errno.ENXIO)
        return descriptor

    def list(self) -> list[str]:
        """The names in this directory, sorted: the host's own order means nothing."""
        reader = Descriptor(os.open(b".", os.O_RDONLY | os.O_DIRECTORY | _SAFE, dir_fd=self.number))
        return sorted(decoded(os.fsencode(name)) for name in os.listdir(reader.number))  # noqa: PTH208 - pathlib knows no descriptors


class HostStream(FileStream):
    """An open file of the host, read and written in blocks.

    Args:
        descriptor: The file.
        ino: Its serial number.
        readable: Opened for reading.
        writable: Opened for writing.
        append: Every write goes to the end.
        grow: Asked before the file grows by so many bytes.
        closed: Called once the stream is closed.
    """

    __slots__ = ("_append", "_closed", "_descriptor", "_grow", "_place")

    def __init__(
        self,
        descriptor: Descriptor,
        ino: int,
        *,
        readable: bool,
        writable: bool,
        append: bool,
        grow: Callable[[int], None],
        closed: Callable[[], None],
    ) -> None:
        super().__init__(ino, readable=readable, writable=writable)
        self._descriptor = descriptor
        self._append = append
        self._grow = grow
        self._closed: Callable[[], None] | None = closed
        self._place = 0  # where the next block is read

    def _fill(self) -> bytes:
        if not self.readable:
            raise os_error(errno.EBADF)
        try:
            block = os.pread(self._descriptor.number, BLOCK, self._place)
        except OSError as error:
            raise os_error(error.errno or errno.EIO) from None
        self._place += len(block)
        return block

    def write(self, data: bytes) -> None:
        """Write at the offset, or at the end when appending."""
        if not self.writable:
            raise os_error(errno.EBADF)
        try:
            held = os.fstat(self._descriptor.number).st_size
            place = held if self._append else self.tell()
            if place + len(data) > held:
                self._grow(place + len(data) - held)
            rest = memoryview(data)
            while rest:
                written = os.pwrite(self._descriptor.number, rest, place)
                place += written
                rest = rest[written:]
        except OSError as error:
            raise os_error(error.errno or errno.EIO) from None
        self.seek(place)

    def size(self) -> int:
        """Bytes in the file now."""
        return os.fstat(self._descriptor.number).st_size

    def tell(self) -> int:
        """The offset, in bytes from the beginning."""
        return self._place - len(self._ahead) + self._at

    def seek(self, offset: int) -> None:
        """Set the offset, in bytes from the beginning."""
        self._ahead, self._at = b"", 0
        self._place = offset

    def close(self) -> None:
        """Close the host's descriptor."""
        self._descriptor.close()
        closed, self._closed = self._closed, None
        if closed is not None:
            closed()

    def __del__(self) -> None:
        if hasattr(self, "_closed"):  # as above
            self.close()
