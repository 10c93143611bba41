"""HostDirectory: a directory of the host, mounted so that nothing leads out of it.

The host's kernel never follows a link for a script: every component is opened relative to its parent with ``O_NOFOLLOW``, and
what a link says is followed in the virtual tree, where an absolute target begins at the virtual root and ``..`` stops at it. A
link that is put in place of a directory meanwhile is ``ENOTDIR``, not a way out. Only regular files are opened; a pipe, a device
or a socket is listed as what it is and refused with ``ENXIO``, without waiting.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, TypeVar, cast

from bashkit.fs.descriptors import Descriptor, HostStream, decoded, encoded, encoded_target
from bashkit.fs.inodes import FileType, Node
from bashkit.fs.stream import os_error
from bashkit.fs.volume import Quota, Volume

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs.stream import Stream
    from bashkit.fs.tree import VirtualFileSystem

T = TypeVar("T")
_MAX_STREAMS = 256  # of one session in one mounted directory
_TYPES: dict[int, FileType] = {
    stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "symlink", stat.S_IFIFO: "fifo", stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "character", stat.S_IFBLK: "block",
}  # fmt: skip


class HostNode(Node):
    """What lstat(2) said of a file of the host.

    The owner is the virtual user, and the owner's permissions are those that this process has.

    Attributes:
        parts: Its path below the mounted directory.
        identity: Device and inode of the host.
        fresh: The open file, when it was made a moment ago.
    """

    __slots__ = ("_size", "fresh", "identity", "parts", "type")

    def __init__(self, parts: tuple[str, ...], status: os.stat_result) -> None:
        ino = status.st_ino + ((status.st_dev + 1) << 40)  # apart from those of files in memory
        super().__init__(ino, _virtual_mode(status), status.st_mtime, None)
        self.type = _TYPES.get(stat.S_IFMT(status.st_mode), "character")
        self.parts = parts
        self.links = status.st_nlink
        self.atime, self.mtime, self.ctime = status.st_atime, status.st_mtime, status.st_ctime
        self.identity = (status.st_dev, status.st_ino)
        self.fresh: Descriptor | None = None
        self._size = 4096 if self.type == "directory" else status.st_size

    def size(self) -> int:
        """Bytes, as the host counts them."""
        return self._size


def _virtual_mode(status: os.stat_result) -> int:
    """Permission bits of files that the user of this process owns."""
    mode = stat.S_IMODE(status.st_mode)
    user = os.geteuid()
    if user in {0, status.st_uid}:
        return mode
    mine = mode >> 3 if status.st_gid == os.getegid() or status.st_gid in os.getgroups() else mode
    return (mode & ~0o700) | (mine & 7) << 6


class HostDirectory:
    """A directory of the host, to be mounted in ``Bash(mounts=…)``.

    Scripts see what is below it and nothing else: neither ``..`` nor symbolic links nor a rename on the host lead out of it.
        Files belong
    to the virtual user there; the permissions of this process apply. One object can serve any number of sessions.

    Reading and writing wait for the host's disk: a directory on a slow network share holds up the event loop.

    Args:
        path: The directory; links in this path itself are followed, once, now.
        writable: Scripts may change what is in it. What they add counts against ``max_file_system_bytes`` and ``max_files``. They
            cannot set the set-user-ID and set-group-ID bits, change owners, make pipes, or write to a file that has further hard
            links which they did not make: those may be anywhere on the host.
        outward_links: Scripts may make symbolic links with absolute targets or ``..`` in it. They lead nowhere new for scripts,
            but programs of the host that follow them may be led outside.

    Raises:
        OSError: It is not there, or no directory.
    """

    __slots__ = ("outward_links", "path", "root", "writable")

    def __init__(self, path: str | os.PathLike[str], *, writable: bool = False, outward_links: bool = False) -> None:
        if not os.fspath(path):  # an unset variable, not this directory
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        self.path = os.path.abspath(path)  # noqa: PTH100 - pathlib's absolute() keeps ".."
        self.writable = writable
        self.outward_links = outward_links
        self.root = Descriptor(os.open(self.path, getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC))

    def __repr__(self) -> str:
        return f"HostDirectory({self.path!r}{', writable=True' if self.writable else ''})"

    def open_volume(self, files: VirtualFileSystem) -> HostVolume:
        """The volume for one session."""
        return HostVolume(self, files.volume.quota)


class HostVolume(Volume):
    """The files below a HostDirectory, as one session sees them.

    Args:
        source: The directory.
        quota: What files that grow are counted against.
    """

    __slots__ = ("_cursor", "_grown", "_linked", "_made", "_quota", "_source", "_streams", "writable")

    label = "host"
    kind = "hostfs"

    def __init__(self, source: HostDirectory, quota: Quota) -> None:
        self.writable = source.writable
        self._source = source
        self._quota = quota
        self._cursor: tuple[tuple[str, ...], Descriptor] = ((), source.root)  # the directory where the walk is
        self._linked: dict[tuple[int, int], int] = {}  # hard links that scripts made
        self._grown = self._made = 0  # bytes and files that the quota has counted
        self._streams = 0

    # -- walking -----------------------------------------------------------------------------------------------------

    def enter(self, *, change: bool) -> Node:  # noqa: ARG002 - its nodes are never shared
        """The root directory; every walk begins anew, so that no descriptor outlives a rename."""
        root = self._source.root
        self._cursor = ((), root)
        status = os.fstat(root.number)
        if status.st_nlink == 0:
            raise os_error(errno.ENOENT)
        return HostNode((), status)

    def _directory(self, parts: tuple[str, ...]) -> Descriptor:
        held, descriptor = self._cursor
        if held == parts:
            return descriptor
        if held == parts[:-1]:
            descriptor = descriptor.walk(parts[-1:])
        else:
            descriptor = self._source.root.walk(parts)
        self._cursor = (parts, descriptor)
        return descriptor

    def find(self, directory: Node, name: str) -> HostNode | None:
        """The node called ``name``."""
        return self.probe(cast("HostNode", directory).parts, name)

    def probe(self, parts: tuple[str, ...], name: str) -> HostNode | None:
        """The node called ``name`` in the directory at ``parts``."""
        try:
            status = os.stat(encoded(name), dir_fd=self._directory(parts).number, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise os_error(error.errno or errno.EIO) from None
        return HostNode((*parts, name), status)

    def names(self, directory: Node) -> list[str]:
        """The names, sorted."""
        return self.list(cast("HostNode", directory).parts)

    def list(self, parts: tuple[str, ...]) -> list[str]:
        """The names in the directory at ``parts``."""
        return _quiet(lambda: self._directory(parts).list())

    def target(self, link: Node) -> str:
        """The target."""
        node = cast("HostNode", link)
        return decoded(_quiet(lambda: os.readlink(encoded(node.parts[-1]), dir_fd=self._directory(node.parts[:-1]).number)))

    # -- content -----------------------------------------------------------------------------------------------------

    def open(self, node: Node, *, read: bool, write: bool, append: bool, truncate: bool) -> Stream:
        """Open a regular file."""
        if node.type != "file":
            raise os_error(errno.ENXIO)
        if self._streams >= _MAX_STREAMS:
            raise os_error(errno.EMFILE)
        host = cast("HostNode", node)
        flags = os.O_RDWR if read and write else os.O_WRONLY if write else os.O_RDONLY
        descriptor = host.fresh or self._file(host, flags)
        host.fresh = None
        if write:
            status = os.fstat(descriptor.number)
            self._refuse_links(status)
            if truncate and status.st_size:
                _quiet(lambda: os.ftruncate(descriptor.number, 0))
                self._give_back(status.st_size)
        self._streams += 1
        return HostStream(
            descriptor, host.ino, readable=read, writable=write, append=append, grow=self._grow, closed=self._closed
        )

    def _file(self, node: HostNode, flags: int) -> Descriptor:
        return _quiet(lambda: self._directory(node.parts[:-1]).file(node.parts[-1], flags))

    def _closed(self) -> None:
        self._streams -= 1

    def _refuse_links(self, status: os.stat_result) -> None:
        """A file with names that scripts did not make may have one outside."""
        if not stat.S_ISDIR(status.st_mode) and status.st_nlink > 1 + self._linked.get((status.st_dev, status.st_ino), 0):
            raise os_error(errno.EPERM)

    def _grow(self, size: int) -> None:
        self._quota.claim(size)
        self._grown += size

    def _give_back(self, size: int) -> None:
        size = min(size, self._grown)
        self._quota.claim(-size)
        self._grown -= size

    def _add(self, make: Callable[[], T]) -> T:
        """Make one more name on the host; it counts only where that succeeds."""
        self._quota.add_file()
        self._made += 1
        try:
            return _quiet(make)
        except OSError:
            self._drop_file()
            raise

    def _drop_file(self) -> None:
        if self._made:
            self._made -= 1
            self._quota.files -= 1

    # -- changing ----------------------------------------------------------------------------------------------------

    def _at(self, directory: Node) -> int:
        return self._directory(cast("HostNode", directory).parts).number

    def create(self, directory: Node, name: str, mode: int) -> Node:
        """Make an empty file; it stays open for the ``open`` that follows."""
        parts = cast("HostNode", directory).parts

        def make() -> HostNode:
            descriptor = self._directory(parts).file(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            os.fchmod(descriptor.number, mode & 0o777)
            node = HostNode((*parts, name), os.fstat(descriptor.number))
            node.fresh = descriptor
            return node

        return self._add(make)

    def make_directory(self, directory: Node, name: str, mode: int) -> None:
        """Make a directory."""
        self._add(lambda: os.mkdir(encoded(name), mode & 0o777, dir_fd=self._at(directory)))

    def make_symlink(self, directory: Node, name: str, target: str) -> None:
        """Make a symbolic link, unless the host could be led out of the directory by it."""
        self._refuse_outward(target)
        self._add(lambda: os.symlink(encoded_target(target), encoded(name), dir_fd=self._at(directory)))

    def _refuse_outward(self, target: str) -> None:
        """A program of the host that follows such a link may be led outside."""
        if not self._source.outward_links and (target.startswith("/") or ".." in target.split("/")):
            raise os_error(errno.EPERM)

    def make_fifo(self, directory: Node, name: str, mode: int) -> None:  # noqa: ARG002 - refused whatever it is
        """Refused: opening a pipe on the host may wait for ever."""
        raise os_error(errno.EPERM)

    def add_link(self, directory: Node, name: str, node: Node) -> None:
        """Make a hard link inside the directory."""
        host = cast("HostNode", node)
        if host.type == "symlink":
            self._refuse_outward(self.target(node))
        elif host.type != "file":
            raise os_error(errno.EPERM)
        source = self._source.root.walk(host.parts[:-1])
        self._add(
            lambda: os.link(
                encoded(host.parts[-1]),
                encoded(name),
                src_dir_fd=source.number,
                dst_dir_fd=self._at(directory),
                follow_symlinks=False,
            )
        )
        self._linked[host.identity] = self._linked.get(host.identity, 0) + 1

    def remove(self, directory: Node, name: str, node: Node) -> None:
        """Remove a name."""
        if node.type == "directory":
            _quiet(lambda: os.rmdir(encoded(name), dir_fd=self._at(directory)))
        else:
            _quiet(lambda: os.unlink(encoded(name), dir_fd=self._at(directory)))
            identity = cast("HostNode", node).identity
            if node.links == 1:
                self._give_back(node.size() if node.type == "file" else 0)
                self._linked.pop(identity, None)
            elif self._linked.get(identity):
                self._linked[identity] -= 1
        self._drop_file()

    def move(self, source: Node, name: str, node: Node, directory: Node, new_name: str, existing: Node | None) -> None:  # noqa: ARG002 - the host replaces it
        """Rename inside the directory."""
        if node.type == "symlink" and cast("HostNode", source).parts != cast("HostNode", directory).parts:
            self._refuse_outward(self.target(node))  # moved elsewhere, a link with ".." leads elsewhere
        origin = self._source.root.walk(cast("HostNode", source).parts)
        _quiet(lambda: os.rename(encoded(name), encoded(new_name), src_dir_fd=origin.number, dst_dir_fd=self._at(directory)))

    def _change(self, node: Node, function: Callable[[int], None]) -> None:
        """Apply a function to the open file or directory."""
        host = cast("HostNode", node)
        if host.type not in {"file", "directory"}:
            raise os_error(errno.EPERM)
        if not host.parts:
            descriptor = _quiet(
                lambda: Descriptor(os.open(b".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._source.root.number))
            )
        else:
            try:
                descriptor = self._file(host, os.O_RDONLY)
            except PermissionError:
                descriptor = self._file(host, os.O_WRONLY)
        self._refuse_links(os.fstat(descriptor.number))
        _quiet(lambda: function(descriptor.number))

    def set_mode(self, node: Node, mode: int) -> None:
        """Set the permission bits; never the set-user-ID and set-group-ID bits."""
        self._change(node, lambda number: os.fchmod(number, mode & 0o777))

    def set_owner(self, node: Node, uid: int, gid: int) -> None:
        """Refused, unless it is the virtual user already."""
        if uid not in {-1, node.uid} or gid not in {-1, node.gid}:
            raise os_error(errno.EPERM)

    def set_times(self, node: Node, atime: float | None, mtime: float | None) -> None:
        """Set time stamps."""
        times = (node.atime if atime is None else atime, node.mtime if mtime is None else mtime)
        if node.type == "symlink":
            parts = cast("HostNode", node).parts
            at = self._directory(parts[:-1]).number
            _quiet(lambda: os.utime(encoded(parts[-1]), times, dir_fd=at, follow_symlinks=False))
            return
        self._change(node, lambda number: os.utime(number, times))

    def set_size(self, node: Node, size: int) -> None:
        """Cut or extend a file."""
        descriptor = self._file(cast("HostNode", node), os.O_WRONLY)
        status = os.fstat(descriptor.number)
        self._refuse_links(status)
        if size > status.st_size:
            self._grow(size - status.st_size)
        _quiet(lambda: os.ftruncate(descriptor.number, size))
        if size < status.st_size:
            self._give_back(status.st_size - size)


def _quiet(function: Callable[[], T]) -> T:
    """Call into the host's system; its errors come back without names of the host.

    Raises:
        OSError: Only the errno of the original.
    """
    try:
        return function()
    except OSError as error:
        raise os_error(error.errno or errno.EIO) from None
    except (OverflowError, ValueError):
        raise os_error(errno.EINVAL) from None
