"""Overlay: a directory of the host under a layer in memory that takes all changes."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, cast

from bashkit.fs.host import HostDirectory, HostNode, HostVolume
from bashkit.fs.inodes import Directory, Node, OverlayDirectory, PendingFile, Symlink
from bashkit.fs.memory import FrozenTree, MemoryVolume
from bashkit.fs.stream import os_error

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from bashkit.fs.stream import Stream
    from bashkit.fs.tree import VirtualFileSystem
    from bashkit.fs.volume import Quota

_WHITEOUT = 64  # bytes that a removed name is counted with, apart from its own


class Overlay:
    """A directory of the host, to be mounted in ``Bash(mounts=…)``, that scripts can change without changing the host.

    What scripts write, remove or rename lasts as long as the session and is counted against ``max_file_system_bytes`` and
    ``max_files``. A file of the host is copied into memory when it is first opened for writing; until then changes on the host
    show. Every session that mounts it has changes of its own.

    Args:
        path: The directory; see HostDirectory for what scripts can and cannot reach.

    Raises:
        OSError: It is not there, or no directory.
    """

    __slots__ = ("lower",)

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.lower = HostDirectory(path)

    def __repr__(self) -> str:
        return f"Overlay({self.lower.path!r})"

    def open_volume(self, files: VirtualFileSystem) -> OverlayVolume:
        """The volume for one session, without changes."""
        return OverlayVolume(self, files.volume.quota, files.volume.clock)


class OverlayVolume(MemoryVolume):
    """An Overlay as one session sees it.

    Its directories are OverlayDirectory nodes where something was changed in or below them, and plain nodes of the host
    elsewhere.

    Args:
        source: What is mounted.
        quota: What may be stored.
        clock: Seconds since the epoch, for the time stamps.
        tree: Changes to begin with.
    """

    __slots__ = ("_lower", "source")

    label = "overlay"
    kind = "overlay"

    def __init__(self, source: Overlay, quota: Quota, clock: Callable[[], float], tree: FrozenTree | None = None) -> None:
        super().__init__(quota, clock, tree)
        self.source = source
        self._lower: HostVolume = HostVolume(source.lower, quota)
        if tree is None:
            root = self._lower.enter(change=False)
            self.root = OverlayDirectory(root.ino, root.mode, root.mtime, self._mark, ())

    # -- walking -----------------------------------------------------------------------------------------------------

    def enter(self, *, change: bool) -> Directory:
        """The root directory."""
        self._lower.enter(change=False)
        return super().enter(change=change)

    def find(self, directory: Node, name: str) -> Node | None:
        """The node called ``name``: the changed one, or the host's."""
        if isinstance(directory, HostNode):
            return self._lower.find(directory, name)
        here = cast("OverlayDirectory", directory)
        node = here.entries.get(name)
        if node is None and here.lower is not None and name not in here.hidden:
            return self._lower.probe(here.lower, name)
        return node

    def own(self, directory: Node, name: str, node: Node) -> Node:
        """``node`` itself, or a copy in memory when it is the host's or shared."""
        if not isinstance(node, HostNode):
            return super().own(directory, name, node)
        if node.type not in {"file", "directory", "symlink"}:
            return node
        twin: Node
        if node.type == "directory":
            twin = OverlayDirectory(node.ino, node.mode, node.mtime, self._mark, node.parts)
        elif node.type == "symlink":
            twin = Symlink(node.ino, node.mtime, self._mark, self._lower.target(node))
            self.claim(len(twin.target))
        else:
            twin = PendingFile(node.ino, node.mode, node.mtime, self._mark, node.parts, node.size())
        self.quota.add_file()
        self.own_files += 1
        twin.atime, twin.ctime = node.atime, node.ctime
        cast("Directory", directory).entries[name] = twin
        return twin

    def is_shared(self, node: Node) -> bool:
        """Whether a node is shared with a snapshot; one of the host is read where it is."""
        return not isinstance(node, HostNode) and super().is_shared(node)

    def names(self, directory: Node) -> list[str]:
        """The host's names that are left, then the new ones."""
        if isinstance(directory, HostNode):
            return self._lower.names(directory)
        here = cast("OverlayDirectory", directory)
        if here.lower is None:
            return list(here.entries)
        try:
            below = [name for name in self._lower.list(here.lower) if name not in here.hidden]
        except FileNotFoundError:
            below = []
        known = set(below)
        return below + [name for name in here.entries if name not in known]

    def target(self, link: Node) -> str:
        """The target."""
        return self._lower.target(link) if isinstance(link, HostNode) else super().target(link)

    # -- content -----------------------------------------------------------------------------------------------------

    def open(self, node: Node, *, read: bool, write: bool, append: bool, truncate: bool) -> Stream:
        """Open a file: the host's as it is for reading, else the copy."""
        if isinstance(node, HostNode):
            return self._lower.open(node, read=read, write=False, append=False, truncate=False)
        if isinstance(node, PendingFile) and isinstance(node.source, tuple) and not write:
            lower = self._probe(node.source)
            if lower is not None:
                return self._lower.open(lower, read=read, write=False, append=False, truncate=False)
        return super().open(node, read=read, write=write, append=append, truncate=truncate)

    def _probe(self, parts: tuple[str, ...]) -> HostNode | None:
        self._lower.enter(change=False)
        return self._lower.probe(parts[:-1], parts[-1])

    def read_lower(self, parts: tuple[str, ...]) -> bytes:
        """The content of a file of the host, if there is room for it."""
        node = self._probe(parts)
        if node is None:
            raise os_error(errno.ENOENT)
        limit = self.quota.max_bytes - self.quota.bytes
        if node.size() > limit:
            raise os_error(errno.ENOSPC)
        stream = self._lower.open(node, read=True, write=False, append=False, truncate=False)
        try:
            return stream.read_all(limit)
        except OSError as error:
            raise os_error(errno.ENOSPC if error.errno == errno.EFBIG else error.errno or errno.EIO) from None
        finally:
            stream.release()

    # -- changing ----------------------------------------------------------------------------------------------------

    def make_node(self, ino: int, mode: int) -> Directory:
        """A new directory, with nothing below it."""
        return OverlayDirectory(ino, mode, self.now(), self._mark, None)

    def leave_node(self, directory: Node, name: str, node: Node) -> None:
        """Take a node out of its directory, and hide what the host has under that name."""
        self._hide(cast("OverlayDirectory", directory), name)
        if isinstance(node, HostNode):
            node.links = 2  # it was never counted, so there is nothing to give back
        super().leave_node(directory, name, node)

    def _hide(self, directory: OverlayDirectory, name: str) -> None:
        if directory.lower is None or name in directory.hidden or self._lower.probe(directory.lower, name) is None:
            return
        self.claim(_WHITEOUT + len(name))
        directory.hidden.add(name)

    def move(self, source: Node, name: str, node: Node, directory: Node, new_name: str, existing: Node | None) -> None:
        """Rename; a directory keeps what the host has below it."""
        if isinstance(node, HostNode):
            raise os_error(errno.EPERM)  # a device, pipe or socket
        self._hide(cast("OverlayDirectory", source), name)
        super().move(source, name, node, directory, new_name, existing)

    def add_link(self, directory: Node, name: str, node: Node) -> None:
        """Make a further name."""
        if isinstance(node, HostNode):
            raise os_error(errno.EPERM)
        super().add_link(directory, name, node)

    def set_mode(self, node: Node, mode: int) -> None:
        """Set the permission bits."""
        self._refuse_special(node)
        super().set_mode(node, mode)

    def set_owner(self, node: Node, uid: int, gid: int) -> None:
        """Set owner and group."""
        self._refuse_special(node)
        super().set_owner(node, uid, gid)

    def set_times(self, node: Node, atime: float | None, mtime: float | None) -> None:
        """Set time stamps."""
        self._refuse_special(node)
        super().set_times(node, atime, mtime)

    @staticmethod
    def _refuse_special(node: Node) -> None:
        if isinstance(node, HostNode):
            raise os_error(errno.EPERM)
