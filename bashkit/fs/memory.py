"""A POSIX file system held in memory."""

from __future__ import annotations

import errno
import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.fs.handles import FileStream, FullStream, GeneratedStream
from bashkit.fs.nodes import Device, Directory, Fifo, FileType, Node, RegularFile, Symlink
from bashkit.fs.stream import NullStream, Stream, os_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_MAX_LINKS = 40  # symbolic links followed in one path, as Linux
_MAX_NAME = 255  # bytes in one component (POSIX NAME_MAX)
_READ, _WRITE, _EXECUTE = 4, 2, 1
_TYPE_BITS: dict[FileType, int] = {"file": 0o100000, "directory": 0o040000, "symlink": 0o120000, "character": 0o020000, "fifo": 0o010000}


@dataclass(slots=True, frozen=True)
class Stat:
    """What stat(2) tells: times in seconds since the epoch, size in bytes, ``mode`` the permission bits only."""

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

    @property
    def st_mode(self) -> int:
        """Type and permission bits together, as the C structure has them."""
        return _TYPE_BITS[self.type] | self.mode


class _Tree:
    """What all views of one file system share."""

    __slots__ = ("bytes_left", "clock", "files_left", "next_ino", "random", "root")

    def __init__(self, max_bytes: int, max_files: int, clock: Callable[[], float], source: random.Random | None) -> None:
        self.bytes_left = max_bytes
        self.files_left = max_files
        self.clock = clock
        self.random = source or random.Random()
        self.next_ino = 2
        self.root = Directory(1, 0o755, clock())


class MemoryFileSystem:
    """Files in memory under absolute paths.

    Paths are ``str`` with ``surrogateescape``; content is bytes. Every method raises ``OSError`` with the errno that the
    system call of the same name would give, and the path as ``filename``.

    Args:
        max_bytes: Bytes that all files together may hold.
        max_files: Files and directories that may exist.
        clock: Seconds since the epoch, for the time stamps.
        source: What ``/dev/urandom`` draws from.
    """

    __slots__ = ("_tree", "enforce")

    def __init__(
        self,
        max_bytes: int = 64 << 20,
        max_files: int = 20_000,
        clock: Callable[[], float] = time.time,
        source: random.Random | None = None,
    ) -> None:
        self._tree = _Tree(max_bytes, max_files, clock, source)
        self.enforce = True

    def unchecked(self) -> MemoryFileSystem:
        """The same files without permission checks: the host's view."""
        view = MemoryFileSystem.__new__(MemoryFileSystem)
        view._tree = self._tree  # noqa: SLF001 - the same class
        view.enforce = False
        return view

    def now(self) -> float:
        """The time that goes into time stamps."""
        return self._tree.clock()

    def lay_out(self, directories: Iterable[str], devices: Mapping[str, str]) -> None:
        """Make the directories and devices of a new machine at once; parents come before what is in them."""
        tree = self._tree
        now = tree.clock()
        made: dict[str, Directory] = {"": tree.root}
        for path in directories:
            parent, _, name = path.rpartition("/")
            if path not in made:
                tree.next_ino += 1
                made[path] = made[parent].entries[name] = Directory(tree.next_ino, 0o755, now)
                made[parent].links += 1
        for path, kind in devices.items():
            parent, _, name = path.rpartition("/")
            tree.next_ino += 1
            made[parent].entries[name] = Device(tree.next_ino, now, kind)
        tree.files_left -= len(made) + len(devices) - 1

    def claim(self, size: int) -> None:
        """Ask for ``size`` more bytes of storage (negative: give back)."""
        if size > self._tree.bytes_left:
            raise os_error(errno.ENOSPC)
        self._tree.bytes_left -= size

    def _inode(self) -> int:
        tree = self._tree
        if tree.files_left <= 0:
            raise os_error(errno.ENOSPC)
        tree.files_left -= 1
        tree.next_ino += 1
        return tree.next_ino

    # -- resolving ---------------------------------------------------------------------------------------------------

    def _allowed(self, node: Node, want: int) -> bool:
        return not self.enforce or node.uid == 0 or (node.mode >> 6) & want == want

    def _walk(self, path: str, *, follow: bool) -> tuple[Directory, str, Node | None]:
        """The directory that holds the last component, its name, and the node there or None."""
        links = 0
        pending = path.split("/")[::-1]
        trail: list[Directory] = [self._tree.root]
        name, node = "", None
        while pending:
            name = pending.pop()
            if not name or name == ".":
                continue
            here = trail[-1]
            if name == "..":
                if len(trail) > 1:
                    trail.pop()
                continue
            if not self._allowed(here, _EXECUTE):
                raise os_error(errno.EACCES, path)
            node = here.entries.get(name)
            last = not any(part and part != "." for part in pending)
            if node is None:
                if not last:
                    raise os_error(errno.ENOENT, path)
                if len(name.encode("utf-8", "surrogateescape")) > _MAX_NAME:
                    raise os_error(errno.ENAMETOOLONG, path)
                return here, name, None
            if node.__class__ is Directory:
                trail.append(node)
                continue
            if isinstance(node, Symlink) and (follow or not last or pending):
                links += 1
                if links > _MAX_LINKS:
                    raise os_error(errno.ELOOP, path)
                if node.target.startswith("/"):
                    del trail[1:]
                pending.extend(node.target.split("/")[::-1])
                continue
            if not last or pending:
                raise os_error(errno.ENOTDIR, path)
            return here, name, node
        here = trail[-1]
        return (trail[-2] if len(trail) > 1 else here), name or "/", here

    def lookup(self, path: str, *, follow: bool = True) -> Node:
        """The node at ``path``."""
        if not path:
            raise os_error(errno.ENOENT, path)
        node = self._walk(path, follow=follow)[2]
        if node is None:
            raise os_error(errno.ENOENT, path)
        return node

    def _directory(self, path: str) -> Directory:
        node = self.lookup(path)
        if not isinstance(node, Directory):
            raise os_error(errno.ENOTDIR, path)
        return node

    def _place(self, path: str) -> tuple[Directory, str]:
        """The directory and name where a new node can be made."""
        parent, name, node = self._walk(path, follow=False)
        if node is not None:
            raise os_error(errno.EEXIST, path)
        self._may_change(parent, path)
        return parent, name

    def _may_change(self, directory: Directory, path: str) -> None:
        if not self._allowed(directory, _WRITE | _EXECUTE):
            raise os_error(errno.EACCES, path)

    def _enter(self, parent: Directory, name: str, node: Node) -> None:
        parent.entries[name] = node
        parent.mtime = parent.ctime = self.now()
        if isinstance(node, Directory):
            parent.links += 1

    def _leave(self, parent: Directory, name: str) -> None:
        node = parent.entries.pop(name)
        parent.mtime = parent.ctime = self.now()
        if isinstance(node, Directory):
            parent.links -= 1
            self._tree.files_left += 1
            return
        node.links -= 1
        if node.links == 0:
            self._tree.files_left += 1
            if isinstance(node, RegularFile):
                self.claim(-len(node.data))

    # -- asking ------------------------------------------------------------------------------------------------------

    def exists(self, path: str) -> bool:
        """Whether ``path`` leads to something, links followed."""
        try:
            self.lookup(path)
        except OSError:
            return False
        return True

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        """Metadata of ``path``; of the link itself with ``follow=False``."""
        return self.describe(self.lookup(path, follow=follow))

    @staticmethod
    def describe(node: Node) -> Stat:
        """Metadata of a node."""
        size = 4096
        if isinstance(node, RegularFile):
            size = len(node.data)
        elif isinstance(node, Symlink):
            size = len(node.target.encode("utf-8", "surrogateescape"))
        elif not isinstance(node, Directory):
            size = 0
        return Stat(node.type, node.mode, size, node.uid, node.gid, node.ino, node.links, node.atime, node.mtime, node.ctime)

    def access(self, path: str, want: str) -> bool:
        """Whether the user may ``r``ead, ``w``rite or e``x``ecute ``path``."""
        bits = {"r": _READ, "w": _WRITE, "x": _EXECUTE}[want]
        try:
            node = self.lookup(path)
        except OSError:
            return False
        return bool((node.mode >> 6) & bits)

    def listdir(self, path: str) -> list[str]:
        """The names in a directory, in the order they were made, without ``.`` and ``..``."""
        directory = self._directory(path)
        if not self._allowed(directory, _READ):
            raise os_error(errno.EACCES, path)
        return list(directory.entries)

    def readlink(self, path: str) -> str:
        """The target of a symbolic link."""
        node = self.lookup(path, follow=False)
        if not isinstance(node, Symlink):
            raise os_error(errno.EINVAL, path)
        return node.target

    def realpath(self, path: str) -> str:
        """``path`` without links, ``.`` and ``..``; every component but the last must exist."""
        for _ in range(_MAX_LINKS):
            resolved: list[str] = []
            pending = path.split("/")[::-1]
            while pending:
                name = pending.pop()
                if name == "..":
                    del resolved[-1:]
                    continue
                if not name or name == ".":
                    continue
                here = "/" + "/".join([*resolved, name])
                try:
                    node = self.lookup(here, follow=False)
                except FileNotFoundError:
                    if any(pending):
                        raise
                    return here
                if isinstance(node, Symlink):
                    base = "" if node.target.startswith("/") else "/" + "/".join(resolved)
                    path = "/".join([base, node.target, *pending[::-1]])
                    break
                resolved.append(name)
                if any(pending) and not isinstance(node, Directory):
                    raise os_error(errno.ENOTDIR, path)
            else:
                return "/" + "/".join(resolved)
        raise os_error(errno.ELOOP, path)

    # -- changing ----------------------------------------------------------------------------------------------------

    def open(
        self,
        path: str,
        *,
        read: bool = False,
        write: bool = False,
        append: bool = False,
        create: bool = False,
        exclusive: bool = False,
        truncate: bool = False,
        mode: int = 0o644,
    ) -> Stream:
        """Open ``path`` as open(2) does with the flags of the same names.

        Args:
            path: Absolute path.
            read: For reading.
            write: For writing.
            append: Writes go to the end; implies ``write``.
            create: Make the file when it does not exist.
            exclusive: With ``create``, refuse an existing file.
            truncate: Empty an existing file.
            mode: Permission bits of a file that is made.
        """
        write = write or append
        if not path:
            raise os_error(errno.ENOENT, path)
        parent, name, node = self._walk(path, follow=not exclusive)
        if node is None:
            if not create:
                raise os_error(errno.ENOENT, path)
            if path.endswith("/"):
                raise os_error(errno.EISDIR, path)
            self._may_change(parent, path)
            node = RegularFile(self._inode(), mode, self.now())
            self._enter(parent, name, node)
        elif exclusive:
            raise os_error(errno.EEXIST, path)
        elif isinstance(node, Directory) and write:
            raise os_error(errno.EISDIR, path)
        elif not self._allowed(node, _READ * read | _WRITE * write):
            raise os_error(errno.EACCES, path)
        if isinstance(node, RegularFile):
            if truncate and node.data:
                self.claim(-len(node.data))
                node.data = bytearray()
                node.mtime = node.ctime = self.now()
            return FileStream(self, node, readable=read, writable=write, append=append)
        if isinstance(node, Device):
            return self._open_device(node)
        if isinstance(node, Directory):
            raise os_error(errno.EISDIR, path)
        raise os_error(errno.ENXIO, path)

    def _open_device(self, node: Device) -> Stream:
        if node.kind == "zero":
            return GeneratedStream(bytes)
        if node.kind == "random":
            return GeneratedStream(self._tree.random.randbytes)
        if node.kind == "full":
            return FullStream(bytes)
        return NullStream()

    def read_file(self, path: str) -> bytes:
        """The whole content of a file."""
        stream = self.open(path, read=True)
        return stream.read_all() if isinstance(stream, FileStream) else b""

    def write_file(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Make or replace a file."""
        self.open(path, write=True, create=True, truncate=True, mode=mode).write(data)

    def mkdir(self, path: str, mode: int = 0o755) -> None:
        """Make one directory."""
        parent, name = self._place(path)
        self._enter(parent, name, Directory(self._inode(), mode, self.now()))

    def makedirs(self, path: str, mode: int = 0o755) -> None:
        """Make a directory and whatever is missing above it; an existing one is fine."""
        done = ""
        for name in path.split("/"):
            if name:
                done += "/" + name
                try:
                    if not isinstance(self.lookup(done), Directory):
                        raise os_error(errno.ENOTDIR if done != path.rstrip("/") else errno.EEXIST, done)
                except FileNotFoundError:
                    self.mkdir(done, mode)

    def symlink(self, target: str, path: str) -> None:
        """Make a symbolic link at ``path`` that leads to ``target``."""
        parent, name = self._place(path)
        self._enter(parent, name, Symlink(self._inode(), self.now(), target))

    def link(self, existing: str, path: str) -> None:
        """Make a hard link."""
        node = self.lookup(existing, follow=False)
        if isinstance(node, Directory):
            raise os_error(errno.EPERM, existing)
        parent, name = self._place(path)
        node.links += 1
        self._enter(parent, name, node)

    def mkfifo(self, path: str, mode: int = 0o644) -> None:
        """Make a named pipe."""
        parent, name = self._place(path)
        self._enter(parent, name, Fifo(self._inode(), mode, self.now()))

    def unlink(self, path: str) -> None:
        """Remove a name that is not a directory."""
        parent, name, node = self._walk(path, follow=False)
        if node is None:
            raise os_error(errno.ENOENT, path)
        if isinstance(node, Directory):
            raise os_error(errno.EISDIR, path)
        self._may_change(parent, path)
        self._leave(parent, name)

    def rmdir(self, path: str) -> None:
        """Remove an empty directory."""
        parent, name, node = self._walk(path, follow=False)
        if node is None:
            raise os_error(errno.ENOENT, path)
        if not isinstance(node, Directory):
            raise os_error(errno.ENOTDIR, path)
        if node.entries:
            raise os_error(errno.ENOTEMPTY, path)
        if node is self._tree.root:
            raise os_error(errno.EBUSY, path)
        self._may_change(parent, path)
        self._leave(parent, name)

    def rename(self, source: str, target: str) -> None:
        """Move ``source`` to exactly ``target``, replacing a file there (rename(2))."""
        from_parent, from_name, node = self._walk(source, follow=False)
        if node is None:
            raise os_error(errno.ENOENT, source)
        to_parent, to_name, existing = self._walk(target, follow=False)
        if existing is node:
            return
        if isinstance(node, Directory) and self._contains(node, to_parent):
            raise os_error(errno.EINVAL, target)
        self._may_change(from_parent, source)
        self._may_change(to_parent, target)
        if existing is not None:
            if isinstance(existing, Directory):
                if not isinstance(node, Directory):
                    raise os_error(errno.EISDIR, target)
                if existing.entries:
                    raise os_error(errno.ENOTEMPTY, target)
            elif isinstance(node, Directory):
                raise os_error(errno.ENOTDIR, target)
            self._leave(to_parent, to_name)
        del from_parent.entries[from_name]
        from_parent.mtime = from_parent.ctime = self.now()
        if isinstance(node, Directory):
            from_parent.links -= 1
        self._enter(to_parent, to_name, node)

    def _contains(self, directory: Directory, sought: Directory) -> bool:
        stack: list[Node] = [directory]
        while stack:
            node = stack.pop()
            if node is sought:
                return True
            if isinstance(node, Directory):
                stack.extend(node.entries.values())
        return False

    def chmod(self, path: str, mode: int) -> None:
        """Set the permission bits."""
        node = self.lookup(path)
        node.mode = mode & 0o7777
        node.ctime = self.now()

    def chown(self, path: str, uid: int, gid: int, *, follow: bool = True) -> None:
        """Set owner and group; -1 leaves one as it is."""
        node = self.lookup(path, follow=follow)
        node.uid = node.uid if uid == -1 else uid
        node.gid = node.gid if gid == -1 else gid
        node.ctime = self.now()

    def utime(self, path: str, atime: float | None, mtime: float | None, *, follow: bool = True) -> None:
        """Set the time stamps, in seconds since the epoch; None leaves one as it is."""
        node = self.lookup(path, follow=follow)
        node.atime = node.atime if atime is None else atime
        node.mtime = node.mtime if mtime is None else mtime
        node.ctime = self.now()

    def truncate(self, path: str, size: int) -> None:
        """Cut or extend a file to ``size`` bytes."""
        node = self.lookup(path)
        if not isinstance(node, RegularFile):
            raise os_error(errno.EISDIR if isinstance(node, Directory) else errno.EINVAL, path)
        if not self._allowed(node, _WRITE):
            raise os_error(errno.EACCES, path)
        self.claim(size - len(node.data))
        if size < len(node.data):
            del node.data[size:]
        else:
            node.data += bytes(size - len(node.data))
        node.mtime = node.ctime = self.now()
