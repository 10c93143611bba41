"""The tree of files that a script sees: the system calls over the volumes that keep the files."""

from __future__ import annotations

import errno
import random
import time
from typing import TYPE_CHECKING, cast

from bashkit.fs.handles import FullStream, GeneratedStream
from bashkit.fs.inodes import BLANK, Device, Directory, LazyFile, Node, OverlayDirectory, PendingFile, Stat
from bashkit.fs.memory import MemoryVolume
from bashkit.fs.mounts import MountTable
from bashkit.fs.readonly import ReadOnlyVolume
from bashkit.fs.resolving import EXECUTE, READ, WRITE, PathResolver
from bashkit.fs.stream import Stream, null_stream, os_error
from bashkit.fs.volume import Mountable, Quota, Volume

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs.memory import FrozenTree

_LONGEST_PATH = 4096  # characters: PATH_MAX of Linux


class VirtualFileSystem(PathResolver):
    """Files under absolute paths.

    Paths are ``str`` with ``surrogateescape``; content is bytes. Every method raises ``OSError`` with the errno that the
    system call of the same name would give, and mostly the path as ``filename``.

    Args:
        volume: What the root directory is on.
        source: Gives what ``/dev/urandom`` draws from.

    Attributes:
        enforce: Permission bits count.
    """

    __slots__ = ("_mounts", "_random", "enforce", "volume")

    def __init__(self, volume: MemoryVolume, source: Callable[[], random.Random] | None = None) -> None:
        self.volume = volume
        self.enforce = True
        self._mounts = MountTable()
        self._random = source or random.Random

    def unchecked(self) -> VirtualFileSystem:
        """The same files without permission checks: the host's view."""
        view = VirtualFileSystem.__new__(VirtualFileSystem)
        view.volume, view._mounts, view._random = self.volume, self._mounts, self._random  # noqa: SLF001 - the same class
        view.enforce = False
        return view

    def now(self) -> float:
        """The time that goes into time stamps."""
        return self.volume.clock()

    # -- mounts ------------------------------------------------------------------------------------------------------

    def mount(self, path: str, source: Mountable, volume: Volume | None = None) -> None:
        """Mount something on a directory, which is made if need be and whose own content is hidden meanwhile.

        Args:
            path: Absolute path of the mount point.
            source: What to mount.
            volume: The volume to use, when there is one of this session already.

        Raises:
            OSError: ``EBUSY``: something is mounted there; ``EINVAL``: it is the tree itself; or the directory can neither be
                found nor made.
        """
        view = self.unchecked()
        if not view.exists(path):
            view.makedirs(path)
        path = view.realpath(path)
        if view.stat(path).type != "directory":
            raise os_error(errno.ENOTDIR, path)
        point = self._mounts.at(path)
        if path == "/" or (point is not None and point.volume is not None):
            raise os_error(errno.EBUSY, path)
        volume = volume or source.open_volume(self)
        if volume is self.volume:
            raise os_error(errno.EINVAL, path)
        if isinstance(volume, (MemoryVolume, ReadOnlyVolume)):
            volume.offset = (sum(1 for _ in self._mounts) + 1) << 52
        self._mounts.add(path, source, volume)

    def unmount(self, path: str) -> None:
        """Undo a mount; what is open stays so.

        Raises:
            OSError: ``EINVAL``: nothing is mounted there; ``EBUSY``: something is mounted below.
        """
        path = self.unchecked().realpath(path)
        point = self._mounts.at(path)
        if point is None or point.volume is None:
            raise os_error(errno.EINVAL, path)
        if point.below:
            raise os_error(errno.EBUSY, path)
        self._mounts.remove(path)

    def mounts(self) -> dict[str, tuple[Mountable, Volume]]:
        """What is mounted, by path, an outer mount before those below it."""
        return {path: (cast("Mountable", point.source), cast("Volume", point.volume)) for path, point in self._mounts}

    def volume_at(self, path: str) -> tuple[str, Volume]:
        """The mount point that ``path`` is below, and the volume there."""
        path = self.realpath(path)
        if self.lookup(path, follow=False) is None:
            raise os_error(errno.ENOENT, path)
        best, volume = "/", cast("Volume", self.volume)
        for place, point in self._mounts:
            if path == place or path.startswith(place + "/"):
                best, volume = place, cast("Volume", point.volume)
        return best, volume

    def pristine(self) -> bool:
        """Whether the directories of the machine's commands are surely as the machine has them."""
        return not self._mounts.top.below and self.volume.has_programs()

    def has_programs(self, directory: str) -> bool:
        """Whether a directory is the machine's own, so that what it lacks has been removed."""
        try:
            node = self.lookup(directory)
        except OSError:
            return False
        return isinstance(node, OverlayDirectory) and bool(node.lower) and self._walk(directory, follow=True)[3] is self.volume

    # -- asking ------------------------------------------------------------------------------------------------------

    def exists(self, path: str) -> bool:
        """Whether ``path`` leads to something, links followed."""
        try:
            self.lookup(path)
        except OSError:
            return False
        return True

    def has_null(self) -> bool:
        """Whether ``/dev/null`` is the device of that name; this is quicker than to look it up."""
        volume = self.volume
        devices = None if self._mounts.top.below else volume.find(volume.root, "dev")
        if not isinstance(devices, Directory) or devices.uid:
            return False
        node = volume.find(devices, "null")
        return isinstance(node, Device) and node.kind == "null" and not node.uid

    def is_directory(self, path: str) -> bool:
        """Whether ``path`` leads to a directory, links followed."""
        return self.exists(path) and self.stat(path).type == "directory"

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        """Metadata of ``path``; of the link itself with ``follow=False``."""
        node, volume = self._find(path, follow=follow)
        ino = node.ino + volume.offset
        device = node.number if isinstance(node, Device) else (0, 0)
        if node.mark is BLANK:
            born = self.volume.born
            return Stat(node.type, node.mode, node.size(), node.uid, node.gid, ino, node.links, born, born, born, device)
        times = (node.atime, node.mtime, node.ctime)
        return Stat(node.type, node.mode, node.size(), node.uid, node.gid, ino, node.links, *times, device)

    def access(self, path: str, want: str) -> bool:
        """Whether the user may ``r``ead, ``w``rite or e``x``ecute ``path``."""
        bits = {"r": READ, "w": WRITE, "x": EXECUTE}[want]
        try:
            node, volume = self._find(path)
        except OSError:
            return False
        return bool((node.mode >> 6) & bits) and (want != "w" or volume.writable)

    def listdir(self, path: str) -> list[str]:
        """The names in a directory, without ``.`` and ``..``: in the order they were made, a directory of the host sorted."""
        _, _, node, volume, point = self._walk(path, follow=True)
        if node is None:
            raise os_error(errno.ENOENT, path)
        if node.type != "directory":
            raise os_error(errno.ENOTDIR, path)
        if not self._allowed(node, READ):
            raise os_error(errno.EACCES, path)
        names = volume.names(node)
        if point is not None:
            names += [name for name, below in point.below.items() if below.volume is not None and name not in names]
        return names

    def readlink(self, path: str) -> str:
        """The target of a symbolic link."""
        node, volume = self._find(path, follow=False)
        if node.type != "symlink":
            raise os_error(errno.EINVAL, path)
        return volume.target(node)

    # -- content -----------------------------------------------------------------------------------------------------

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
        if create and path.endswith("/") and self.exists(path.rstrip("/").rpartition("/")[0] or "/"):
            raise os_error(errno.EISDIR, path)
        parent, name, node, volume, _ = self._walk(path, follow=not exclusive, change=write or create)
        if node is None:
            if not create:
                raise os_error(errno.ENOENT, path)
            self._may_change(parent, volume, path)
            node = volume.create(parent, name, mode)
        else:
            if exclusive:
                raise os_error(errno.EEXIST, path)
            if node.type == "directory":
                raise os_error(errno.EISDIR if write or self._allowed(node, READ) else errno.EACCES, path)
            if isinstance(node, Device):
                return self.open_device(node, path, read=read, write=write)
            if write and not volume.writable:
                raise os_error(errno.EROFS, path)
            if not self._allowed(node, READ * read | WRITE * write):
                raise os_error(errno.EACCES, path)
            if not write and (volume.is_shared(node) or isinstance(node, PendingFile)):
                # what is written later must show in this stream, so it needs the node that will be written to
                node = cast("Node", self._walk(path, follow=not exclusive, change=True)[2])
        return volume.open(node, read=read, write=write, append=append, truncate=truncate)

    def open_device(self, node: Device, path: str, *, read: bool = False, write: bool = False) -> Stream:
        """Open a device that ``lookup`` has found at ``path``."""
        if not self._allowed(node, READ * read | WRITE * write):
            raise os_error(errno.EACCES, path)
        if node.kind == "zero":
            return GeneratedStream(bytes)
        if node.kind in {"random", "urandom"}:
            return GeneratedStream(self._random().randbytes)
        if node.kind == "full":
            return FullStream(bytes)
        if node.kind == "tty":  # no process of the sandbox has a terminal
            raise os_error(errno.ENXIO, path)
        return null_stream(read=read, write=write)

    def read_file(self, path: str) -> bytes:
        """The whole content of a file; ``EFBIG`` for one of the host that is larger than 64 MiB."""
        if isinstance(self.lookup(path), Device):
            return b""
        stream = self.open(path, read=True)
        try:
            return stream.read_all()
        finally:
            stream.release()

    def write_file(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Make or replace a file."""
        stream = self.open(path, write=True, create=True, truncate=True, mode=mode)
        try:
            stream.write(data)
        finally:
            stream.release()

    def write_lazy(self, path: str, content: LazyFile) -> None:
        """Make or replace a file in memory whose content is produced when it is first read."""
        parent, name, node, volume, _ = self._walk(path, follow=True, change=True)
        self._may_change(parent, volume, path)
        if not isinstance(volume, MemoryVolume):
            raise os_error(errno.EPERM, path)
        if node is not None:
            if node.type == "directory":
                raise os_error(errno.EISDIR, path)
            volume.remove(parent, name, node)
        volume.create_lazy(parent, name, content)

    # -- changing ----------------------------------------------------------------------------------------------------

    def mkdir(self, path: str, mode: int = 0o755) -> None:
        """Make one directory."""
        parent, name, volume = self._place(path.rstrip("/") or path[:1])
        volume.make_directory(parent, name, mode)

    def makedirs(self, path: str, mode: int = 0o755) -> None:
        """Make a directory and whatever is missing above it; an existing one is fine."""
        if len(path) > _LONGEST_PATH:
            raise os_error(errno.ENAMETOOLONG, path)
        names = [name for name in path.split("/") if name]
        done = "".join("/" + name for name in names[:-1])
        missing = names[-1:]
        if not self.is_directory(done or "/"):
            done, missing = "", names
        for name in missing:
            done += "/" + name
            try:
                if self.lookup(done).type != "directory":
                    raise os_error(errno.ENOTDIR if done != path.rstrip("/") else errno.EEXIST, done)
            except FileNotFoundError:
                self.mkdir(done, mode)

    def symlink(self, target: str, path: str) -> None:
        """Make a symbolic link at ``path`` that leads to ``target``."""
        if not target:
            raise os_error(errno.ENOENT, path)
        parent, name, volume = self._place(path)
        volume.make_symlink(parent, name, target)

    def link(self, existing: str, path: str) -> None:
        """Make a hard link."""
        node, volume = self._find(existing, follow=False)
        _, _, there, to_volume, _ = self._walk(path.rstrip("/") or path[:1], follow=False)
        if there is None and path.endswith("/"):
            raise os_error(errno.ENOENT, path)
        if there is None and to_volume is not volume:
            raise os_error(errno.EXDEV, path)
        parent, name, volume = self._place(path)
        if node.type == "directory":
            raise os_error(errno.EPERM, existing)
        volume.add_link(parent, name, self._find(existing, follow=False, change=True)[0])

    def mkfifo(self, path: str, mode: int = 0o644) -> None:
        """Make a named pipe."""
        parent, name, volume = self._place(path)
        volume.make_fifo(parent, name, mode)

    def unlink(self, path: str) -> None:
        """Remove a name that is not a directory."""
        bare = path.rstrip("/") or path[:1]  # a slash behind a link does not lead on here
        parent, name, node, volume, _ = self._walk(bare, follow=False, change=True)
        if node is None or not path:
            raise os_error(errno.ENOENT, path)
        if bare != path and node.type != "directory":
            raise os_error(errno.ENOTDIR, path)
        self._may_change(parent, volume, path)
        if node.type == "directory":
            raise os_error(errno.EISDIR, path)
        volume.remove(parent, name, node)

    def rmdir(self, path: str) -> None:
        """Remove an empty directory."""
        parent, name, node, volume, point = self._walk(path, follow=False, change=True)
        if node is None or not path:
            raise os_error(errno.ENOENT, path)
        last = path.rstrip("/").rpartition("/")[2]
        if last in {".", ".."}:
            raise os_error(errno.EINVAL if last == "." else errno.ENOTEMPTY, path)
        if point is not None or node is parent:  # a mount, or the root
            raise os_error(errno.EBUSY, path)
        self._may_change(parent, volume, path)
        if node.type != "directory" or (path.endswith("/") and self.lookup(path.rstrip("/"), follow=False).type != "directory"):
            raise os_error(errno.ENOTDIR, path)
        volume.remove(parent, name, node)

    def rename(self, source: str, target: str) -> None:
        """Move ``source`` to exactly ``target``, replacing a file there (rename(2))."""
        from_volume, from_point = self._walk(source, follow=False)[3:]
        place = target.rstrip("/") or target[:1]  # a slash behind a link does not lead on here
        _, _, existing, to_volume, to_point = self._walk(place, follow=False, change=True)
        parent, name, node, _, _ = self._walk(source, follow=False, change=True)
        if node is None or not source or not target:
            raise os_error(errno.ENOENT, source)
        for path, point in ((source, from_point), (target, to_point)):
            if point is not None or path.rstrip("/").rpartition("/")[2] in {"", ".", ".."}:
                raise os_error(errno.EBUSY, path)
        if target.endswith("/") and node.type != "directory":
            raise os_error(errno.ENOTDIR, target)
        if source.endswith("/") and self.lookup(source.rstrip("/"), follow=False).type == "symlink":
            raise os_error(errno.ENOTDIR, source)
        if from_volume is not to_volume:
            raise os_error(errno.EXDEV, target)
        if existing is not None and existing.ino == node.ino:
            return
        if node.type == "directory" and self._is_below(target, node.ino + from_volume.offset):
            raise os_error(errno.EINVAL, target)
        self._may_change(parent, from_volume, source)
        to_parent, to_name = self._walk(place, follow=False, change=True)[:2]
        self._may_change(to_parent, to_volume, target)
        if node.type == "directory" and to_parent is not parent and not self._allowed(node, WRITE):  # its `..` changes
            raise os_error(errno.EACCES, source)
        if existing is not None:
            if existing.type == "directory":
                if node.type != "directory":
                    raise os_error(errno.EISDIR, target)
                if from_volume.names(existing):
                    raise os_error(errno.ENOTEMPTY, target)
            elif node.type == "directory":
                raise os_error(errno.ENOTDIR, target)
        from_volume.move(parent, name, node, to_parent, to_name, existing)

    def _is_below(self, path: str, directory: int) -> bool:
        """Whether a place is inside the directory of that serial number, as :meth:`stat` tells it."""
        here = self.realpath(path.rstrip("/").rpartition("/")[0] or "/")
        while here:
            if self.stat(here).ino == directory:
                return True
            here = here.rpartition("/")[0]
        return False

    def chmod(self, path: str, mode: int) -> None:
        """Set the permission bits."""
        node, volume = self._find(path, change=True)
        volume.set_mode(node, mode & 0o7777)

    def chown(self, path: str, uid: int, gid: int, *, follow: bool = True) -> None:
        """Set owner and group; -1 leaves one as it is."""
        node, volume = self._find(path, follow=follow, change=True)
        volume.set_owner(node, uid, gid)

    def utime(self, path: str, atime: float | None, mtime: float | None, *, follow: bool = True) -> None:
        """Set the time stamps, in seconds since the epoch; None leaves one as it is."""
        node, volume = self._find(path, follow=follow, change=True)
        volume.set_times(node, atime, mtime)

    def truncate(self, path: str, size: int) -> None:
        """Cut or extend a file to ``size`` bytes."""
        node, volume = self._find(path, change=True)
        if node.type != "file":
            raise os_error(errno.EISDIR if node.type == "directory" else errno.EINVAL, path)
        if not self._allowed(node, WRITE):
            raise os_error(errno.EACCES, path)
        volume.set_size(node, size)


class MemoryFileSystem(VirtualFileSystem):
    """Files in memory: a tree of its own, or one to be mounted, where all sessions that mount it share it.

    Args:
        max_bytes: Bytes that all files together may hold.
        max_files: Files and directories that may exist.
        clock: Seconds since the epoch, for the time stamps.
        source: Gives what ``/dev/urandom`` draws from.
        tree: What to begin with.
    """

    __slots__ = ()

    def __init__(
        self,
        max_bytes: int = 64 << 20,
        max_files: int = 20_000,
        clock: Callable[[], float] = time.time,
        source: Callable[[], random.Random] | None = None,
        tree: FrozenTree | None = None,
    ) -> None:
        super().__init__(MemoryVolume(Quota(max_bytes, max_files), clock, tree), source)

    def open_volume(self, files: VirtualFileSystem) -> MemoryVolume:  # noqa: ARG002 - it brings its own quota and clock
        """Its volume."""
        return self.volume
