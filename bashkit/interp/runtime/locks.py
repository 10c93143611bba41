"""Advisory locks on open files between the tasks of an execution (flock(2))."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.fs.handles import FileStream

if TYPE_CHECKING:
    from bashkit.fs import Stream


@dataclass(slots=True)
class _Lock:
    """Who holds a lock: an open file, for as long as it is open; and whether others may, too."""

    stream: Stream
    shared: bool


class FileLocks:
    """The locks of one execution."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held: dict[int, list[_Lock]] = {}

    def take(self, stream: Stream, *, shared: bool) -> bool:
        """Lock the file that is open as ``stream``, or change its lock; False if another holds one that excludes it."""
        place = _place(stream)
        others = [lock for lock in self._held.get(place, ()) if lock.stream.refs > 0 and lock.stream is not stream]
        if others and not (shared and all(lock.shared for lock in others)):
            return False
        self._held[place] = [*others, _Lock(stream, shared)]
        return True

    def give_back(self, stream: Stream) -> None:
        """Remove the lock of an open file."""
        place = _place(stream)
        self._held[place] = [lock for lock in self._held.get(place, ()) if lock.stream is not stream]


def _place(stream: Stream) -> int:
    return stream.ino if isinstance(stream, FileStream) else -id(stream)
