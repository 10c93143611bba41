"""From a path to a node: links, permissions to search, and mounts."""

from __future__ import annotations

import errno
import posixpath
from typing import TYPE_CHECKING

from bashkit.fs.inodes import Directory, Node, Symlink
from bashkit.fs.stream import os_error

if TYPE_CHECKING:
    from bashkit.fs.memory import MemoryVolume
    from bashkit.fs.mounts import MountPoint, MountTable
    from bashkit.fs.tree import VirtualFileSystem
    from bashkit.fs.volume import Volume

    Found = tuple[Node, str, Node | None, Volume, MountPoint | None]

_MAX_LINKS = 40  # symbolic links followed in one path, as Linux
_MAX_PATH = 1 << 16  # characters of a path; a directory may be deeper than POSIX PATH_MAX, which counts from the working one
_MAX_NAME = 255  # bytes in one component (POSIX NAME_MAX)
READ, WRITE, EXECUTE = 4, 2, 1


def upwards(fs: VirtualFileSystem, directory: str, path: str) -> str:
    """A path that begins with ``..`` made absolute. A directory that was removed still knows what it was in.

    Args:
        fs: The files.
        directory: The working directory.
        path: What is relative to it.
    """
    if fs.exists(directory):
        return posixpath.join(directory, path)
    steps = path.split("/")
    level = next((place for place, step in enumerate(steps) if step not in {"..", ""}), len(steps))
    outer = directory.split("/")[: -steps[:level].count("..") or None]
    return posixpath.join("/".join(outer) or "/", *steps[level:])


class PathResolver:
    """The part of a tree of files that follows paths (POSIX XBD 4.13, Pathname Resolution).

    Attributes:
        volume: What the root directory is on.
        enforce: Permission bits count.
    """

    __slots__ = ()

    volume: MemoryVolume
    enforce: bool
    _mounts: MountTable

    def _allowed(self, node: Node, want: int) -> bool:
        return not self.enforce or node.uid == 0 or (node.mode >> 6) & want == want

    def _walk(self, path: str, *, follow: bool, change: bool = False) -> Found:
        """The directory that holds the last component, its name there, the node or None, its volume, its place among the mounts.

        With ``change`` all nodes are such that may be changed.
        """
        if self._mounts.top.below:
            return self._walk_mounts(path, follow=follow, change=change)
        links = 0
        if len(path) > _MAX_PATH:
            raise os_error(errno.ENAMETOOLONG, path)
        enforce = self.enforce
        volume = self.volume
        pending = path.split("/")[::-1]
        here: Node = volume.enter(change=change)
        trail: list[tuple[Node, str]] = [(here, "/")]
        while pending:
            name = pending.pop()
            if not name:
                continue
            if enforce and here.uid and not here.mode & 0o100:
                raise os_error(errno.EACCES, path)
            if name == ".":
                continue
            if name == "..":
                if len(trail) > 1:
                    trail.pop()
                    here = trail[-1][0]
                continue
            node = here.entries.get(name)  # type: ignore[attr-defined]  # nothing is mounted: all nodes are in memory
            if node is None:
                node = volume.below(here, name)
                if node is None:
                    return self._missing(here, name, pending, volume, path)
            if change:
                node = volume.own(here, name, node)
            if node.__class__ is Directory or node.type == "directory":
                trail.append((node, name))
                here = node
                continue
            if isinstance(node, Symlink) and (follow or pending):
                links += 1
                if links > _MAX_LINKS:
                    raise os_error(errno.ELOOP, path)
                if node.target.startswith("/"):
                    del trail[1:]
                    here = trail[0][0]
                pending.extend(node.target.split("/")[::-1])
                continue
            if pending:
                raise os_error(errno.ENOTDIR, path)
            return here, name, node, volume, None
        return trail[-2][0] if len(trail) > 1 else here, trail[-1][1], here, volume, None

    def _walk_mounts(self, path: str, *, follow: bool, change: bool) -> Found:
        """As ``_walk``, where something is mounted."""
        links = 0
        if len(path) > _MAX_PATH:
            raise os_error(errno.ENAMETOOLONG, path)
        pending = path.split("/")[::-1]
        volume: Volume = self.volume
        point: MountPoint | None = self._mounts.top
        here = volume.enter(change=change)
        trail: list[tuple[Node, str, Volume, MountPoint | None]] = [(here, "/", volume, point)]
        while pending:
            name = pending.pop()
            if not name:
                continue
            if not self._allowed(here, EXECUTE):
                raise os_error(errno.EACCES, path)
            if name == ".":
                continue
            if name == "..":
                if len(trail) > 1:
                    trail.pop()
                    here, _, volume, point = trail[-1]
                continue
            below = point.below.get(name) if point is not None else None
            if below is not None and below.volume is not None:
                volume, point = below.volume, below
                here = volume.enter(change=change)
                trail.append((here, name, volume, point))
                continue
            node = volume.find(here, name)
            if node is None:
                return self._missing(here, name, pending, volume, path)
            if change:
                node = volume.own(here, name, node)
            if node.type == "directory":
                here, point = node, below
                trail.append((here, name, volume, point))
                continue
            if node.type == "symlink" and (follow or pending):
                links += 1
                if links > _MAX_LINKS:
                    raise os_error(errno.ELOOP, path)
                target = volume.target(node)
                if target.startswith("/"):
                    del trail[1:]
                    here, _, volume, point = trail[0]
                pending.extend(target.split("/")[::-1])
                continue
            if pending:
                raise os_error(errno.ENOTDIR, path)
            return here, name, node, volume, None
        return trail[-2][0] if len(trail) > 1 else here, trail[-1][1], here, volume, point

    @staticmethod
    def _missing(here: Node, name: str, pending: list[str], volume: Volume, path: str) -> Found:
        if any(pending):
            raise os_error(errno.ENOENT, path)
        if len(name.encode("utf-8", "surrogatepass")) > _MAX_NAME:
            raise os_error(errno.ENAMETOOLONG, path)
        return here, name, None, volume, None

    def lookup(self, path: str, *, follow: bool = True) -> Node:
        """The node at ``path``."""
        return self._find(path, follow=follow)[0]

    def _find(self, path: str, *, follow: bool = True, change: bool = False) -> tuple[Node, Volume]:
        """The node at ``path`` and its volume."""
        if not path:
            raise os_error(errno.ENOENT, path)
        _, _, node, volume, _ = self._walk(path, follow=follow, change=change)
        if node is None:
            raise os_error(errno.ENOENT, path)
        if change and not volume.writable:
            raise os_error(errno.EROFS, path)
        return node, volume

    def _place(self, path: str) -> tuple[Node, str, Volume]:
        """The directory and name where a new node can be made."""
        if not path:
            raise os_error(errno.ENOENT, path)
        bare = path.rstrip("/") or path[:1]
        parent, name, node, volume, _ = self._walk(bare, follow=False, change=True)
        if node is not None:
            raise os_error(errno.EEXIST, path)
        if bare != path and len(path) > 1:
            raise os_error(errno.ENOENT, path)
        self._may_change(parent, volume, path)
        return parent, name, volume

    def _may_change(self, directory: Node, volume: Volume, path: str) -> None:
        if not volume.writable:
            raise os_error(errno.EROFS, path)
        if not self._allowed(directory, WRITE | EXECUTE):
            raise os_error(errno.EACCES, path)

    def realpath(self, path: str) -> str:
        """``path`` without links, ``.`` and ``..``; every component but the last must exist."""
        if not path:
            raise os_error(errno.ENOENT, path)
        links = 0
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
                node, volume = self._find(here, follow=False)
            except FileNotFoundError:
                if any(pending):
                    raise
                return here
            if node.type == "symlink":
                links += 1
                if links > _MAX_LINKS:
                    raise os_error(errno.ELOOP, path)
                target = volume.target(node)
                if target.startswith("/"):
                    resolved.clear()
                pending.extend(target.split("/")[::-1])
                continue
            resolved.append(name)
            if any(pending) and node.type != "directory":
                raise os_error(errno.ENOTDIR, path)
        return "/" + "/".join(resolved)
