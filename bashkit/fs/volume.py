"""Volume: what the tree of files needs from each place where files are kept."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bashkit.fs.stream import os_error

if TYPE_CHECKING:
    from bashkit.fs.inodes import Node
    from bashkit.fs.stream import Stream
    from bashkit.fs.tree import VirtualFileSystem


class Quota:
    """How much the volumes of one session may hold together.

    Args:
        max_bytes: Bytes that all files together may hold.
        max_files: Files and directories that may exist.

    Attributes:
        bytes: Bytes that they hold.
        files: Files that there are.
    """

    __slots__ = ("bytes", "files", "max_bytes", "max_files")

    def __init__(self, max_bytes: int, max_files: int) -> None:
        self.max_bytes = max_bytes
        self.max_files = max_files
        self.bytes = 0
        self.files = 0

    def claim(self, size: int) -> None:
        """Ask for ``size`` more bytes of storage (negative: give back).

        Raises:
            OSError: ``ENOSPC``.
        """
        if size > 0 and self.bytes + size > self.max_bytes:
            raise os_error(errno.ENOSPC)
        self.bytes += size

    def add_file(self) -> None:
        """Ask for one more file.

        Raises:
            OSError: ``ENOSPC``.
        """
        if self.files >= self.max_files:
            raise os_error(errno.ENOSPC)
        self.files += 1


@dataclass(slots=True, frozen=True)
class Space:
    """How full a volume is: bytes and files, used and at most."""

    bytes: int
    max_bytes: int
    files: int
    max_files: int


class Volume:
    """A tree of nodes that can be mounted.

    The methods work on nodes that ``enter``, ``find`` and ``own`` gave out, and on single names: paths, links and permissions are
    the task of VirtualFileSystem, which also made sure that a name to be made is free and one to be removed exists. Each method
    raises ``OSError`` as the system call would. A volume that is not ``writable`` is never asked to change what a node says.

    Attributes:
        writable: Whether anything may change.
        label: What ``df`` calls it.
        kind: Its type for ``df -T``.
        offset: Added to the serial numbers of its nodes, so that those of two volumes differ.
    """

    __slots__ = ()

    writable: bool = True
    label = "none"
    kind = "none"
    offset: int = 0

    def enter(self, *, change: bool) -> Node:
        """The root directory, as a walk begins; with ``change`` as a node that may be changed."""
        raise NotImplementedError

    def find(self, directory: Node, name: str) -> Node | None:
        """The node called ``name`` in a directory, links not followed."""
        raise NotImplementedError

    def own(self, directory: Node, name: str, node: Node) -> Node:  # noqa: ARG002 - what subclasses take
        """``node``, found as ``name`` in ``directory``, as one that may be changed; the directory may be already."""
        return node

    def is_shared(self, node: Node) -> bool:  # noqa: ARG002 - likewise
        """Whether a node would be copied before it is changed."""
        return False

    def names(self, directory: Node) -> list[str]:
        """The names in a directory, without ``.`` and ``..``."""
        raise NotImplementedError

    def target(self, link: Node) -> str:
        """Where a symbolic link leads."""
        raise NotImplementedError

    def open(self, node: Node, *, read: bool, write: bool, append: bool, truncate: bool) -> Stream:
        """Open a file that is no directory."""
        raise NotImplementedError

    def create(self, directory: Node, name: str, mode: int) -> Node:
        """Make an empty file."""
        raise NotImplementedError

    def make_directory(self, directory: Node, name: str, mode: int) -> None:
        """Make a directory."""
        raise NotImplementedError

    def make_symlink(self, directory: Node, name: str, target: str) -> None:
        """Make a symbolic link."""
        raise NotImplementedError

    def make_fifo(self, directory: Node, name: str, mode: int) -> None:
        """Make a named pipe."""
        raise NotImplementedError

    def add_link(self, directory: Node, name: str, node: Node) -> None:
        """Make a further name of ``node``."""
        raise NotImplementedError

    def remove(self, directory: Node, name: str, node: Node) -> None:
        """Remove a name; if it is a directory's, that is empty (else ``ENOTEMPTY``)."""
        raise NotImplementedError

    def move(self, source: Node, name: str, node: Node, directory: Node, new_name: str, existing: Node | None) -> None:
        """Rename ``name`` in ``source`` to ``new_name`` in ``directory``, in place of ``existing``, which is of the same kind."""
        raise NotImplementedError

    def set_mode(self, node: Node, mode: int) -> None:
        """Set the permission bits."""
        raise NotImplementedError

    def set_owner(self, node: Node, uid: int, gid: int) -> None:
        """Set owner and group; -1 leaves one as it is."""
        raise NotImplementedError

    def set_times(self, node: Node, atime: float | None, mtime: float | None) -> None:
        """Set time stamps, in seconds since the epoch; None leaves one as it is."""
        raise NotImplementedError

    def set_size(self, node: Node, size: int) -> None:
        """Cut or extend a regular file."""
        raise NotImplementedError

    def space(self) -> Space | None:
        """How full it is; None if the volume hides its usage."""
        return None


class Mountable(Protocol):
    """What can be mounted: HostDirectory, Overlay, MemoryFileSystem, FileSystem, ReadOnly."""

    def open_volume(self, files: VirtualFileSystem) -> Volume:
        """The volume for one session's tree of files."""
        ...
