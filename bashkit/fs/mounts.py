"""The table of what is mounted where."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.fs.volume import Mountable, Volume


class MountPoint:
    """A place in the tree at or below which something is mounted.

    Attributes:
        below: The places below it, by name.
        source: What is mounted here, as the host gave it; None when only something below is.
        volume: The same for this session.
    """

    __slots__ = ("below", "source", "volume")

    def __init__(self) -> None:
        self.below: dict[str, MountPoint] = {}
        self.source: Mountable | None = None
        self.volume: Volume | None = None


class MountTable:
    """All mount points of one tree; the paths in it have neither links nor ``..``."""

    __slots__ = ("top",)

    def __init__(self) -> None:
        self.top = MountPoint()

    def __bool__(self) -> bool:
        return bool(self.top.below)

    def at(self, path: str) -> MountPoint | None:
        """The place at ``path``."""
        point: MountPoint | None = self.top
        for name in filter(None, path.split("/")):
            point = point.below.get(name) if point is not None else None
        return point

    def add(self, path: str, source: Mountable, volume: Volume) -> None:
        """Enter a mount."""
        point = self.top
        for name in filter(None, path.split("/")):
            point = point.below.setdefault(name, MountPoint())
        point.source, point.volume = source, volume

    def remove(self, path: str) -> None:
        """Take out the mount at ``path``; no other lies below it."""
        chain = [self.top]
        names = [name for name in path.split("/") if name]
        for name in names:
            chain.append(chain[-1].below[name])
        chain[-1].source = chain[-1].volume = None
        for name, parent, point in reversed(list(zip(names, chain[:-1], chain[1:], strict=True))):
            if point.below or point.volume is not None:
                break
            del parent.below[name]

    def __iter__(self) -> Iterator[tuple[str, MountPoint]]:
        """The mounts by path, an outer one before those below it."""
        pending = [("", self.top)]
        while pending:
            path, point = pending.pop()
            if point.volume is not None:
                yield path, point
            pending.extend((f"{path}/{name}", below) for name, below in sorted(point.below.items(), reverse=True))
