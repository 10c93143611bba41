"""Trees of files on their way between a host and a sandbox process: rows for JSON, and the contents of files apart from them.

A content has a number that both sides remember, so that nothing is sent twice, nor back to where it came from. The host gives
even numbers to what it sends first, a process odd ones, from one on that the host says: no number is given twice in a session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.bash.machine_files import count_links
from bashkit.errors import SnapshotError
from bashkit.fs.images import from_rows, to_rows
from bashkit.fs.inodes import LazyFile, PendingFile
from bashkit.fs.readonly import memory_below

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from bashkit.fs import VirtualFileSystem
    from bashkit.fs.inodes import RegularFile
    from bashkit.fs.memory import FrozenTree, MemoryVolume

FIRST_OF_HOST, FIRST_OF_PROCESSES = 0, 1


class Contents:
    """What one side knows of the contents of a session's files.

    Args:
        first: The first number of its own.

    Attributes:
        fresh: Contents that the other side has not been sent, by number.
        producers: The functions behind lazy files, by number.
    """

    def __init__(self, first: int) -> None:
        self.fresh: dict[int, bytes] = {}
        self.producers: dict[int, Callable[[], Any]] = {}
        self._next = first
        self._numbers: dict[int, tuple[int, object]] = {}  # by the identity of an object that is kept alive here

    def number(self, thing: object) -> tuple[int, bool]:
        """The number of a content or producer, and whether it is new."""
        found = self._numbers.get(id(thing))
        if found is not None:
            return found[0], False
        number, self._next = self._next, self._next + 2
        self._numbers[id(thing)] = number, thing
        return number, True

    def keep(self, needed: Container[int]) -> None:
        """Forget what has another number."""
        self._numbers = {key: entry for key, entry in self._numbers.items() if entry[0] in needed}
        self.producers = {number: source for number, source in self.producers.items() if number in needed}

    def pack(self, trees: Mapping[str, FrozenTree]) -> dict[str, list[Any]]:
        """The rows of trees by name, with numbers for contents."""

        def stored(file: RegularFile) -> Any:
            if isinstance(file, PendingFile) and callable(file.source):
                number, _ = self.number(file.source)
                self.producers[number] = file.source
                return [number, file.declared]
            number, new = self.number(file.data)
            if new:
                self.fresh[number] = bytes(file.data)
            return number

        return {name: to_rows(tree, stored) for name, tree in trees.items()}

    def unpack(
        self,
        rows: object,
        data: Mapping[int, bytes | memoryview],
        produce: Callable[[int], Callable[[], Any] | None],
        *,
        overlay: bool = False,
        system: bool = False,
    ) -> FrozenTree:
        """The tree that rows describe.

        Args:
            rows: What ``pack`` made; anything may be wrong with it.
            data: The contents by number.
            produce: Gives the function behind a lazy file; None if there is none of that number.
            overlay: The tree is the changes of an overlay.
            system: The tree is the root of a session.

        Raises:
            SnapshotError: Something is wrong with the rows.
        """

        def content(value: Any) -> bytearray | LazyFile:
            if isinstance(value, list) and len(value) == 2 and all(isinstance(part, int) for part in value):
                source = produce(value[0])
                if source is not None and 0 <= value[1] < 1 << 62:
                    self._numbers[id(source)] = value[0], source
                    self.producers[value[0]] = source
                    return LazyFile(source, value[1])
            elif isinstance(value, int) and value in data:
                content = bytearray(data[value])
                self._numbers[id(content)] = value, content
                return content
            raise SnapshotError("damaged snapshot: the content of a file is missing")

        tree = from_rows(rows, content, overlay=overlay, system=system)
        if system:
            count_links(tree.root)
        return tree


def memory_volumes(files: VirtualFileSystem) -> dict[str, MemoryVolume]:
    """The volumes whose files are in memory, by mount point; "" for the root."""
    found = {"": files.volume}
    for path, (_, mounted) in files.mounts().items():
        volume = memory_below(mounted)
        if volume is not None:
            found[path] = volume
    return found


def numbers_in(packed: Mapping[str, Iterable[Any]]) -> set[int]:
    """The numbers of the contents and producers that rows have."""
    found = set()
    for rows in packed.values():
        for row in rows:
            if isinstance(row, list) and row[:1] == ["file"]:
                last = row[-1]
                number = last[0] if isinstance(last, list) and last else last
                if isinstance(number, int):
                    found.add(number)
    return found


def indexed(contents: Mapping[int, bytes | memoryview]) -> tuple[list[list[int]], list[bytes | memoryview]]:
    """The number and length of each content, and the contents, to be sent one behind the other."""
    return [[number, len(data)] for number, data in contents.items()], list(contents.values())


def parted(index: object, block: memoryview) -> dict[int, memoryview]:
    """The contents that ``indexed`` describes.

    Raises:
        SnapshotError: The index does not fit the block.
    """
    found: dict[int, memoryview] = {}
    place = 0
    for entry in index if isinstance(index, list) else [None]:
        if not isinstance(entry, list) or len(entry) != 2 or not all(isinstance(part, int) and part >= 0 for part in entry):
            raise SnapshotError("damaged snapshot: malformed index of contents")
        found[entry[0]] = block[place : place + entry[1]]
        place += entry[1]
    if place != len(block):
        raise SnapshotError("damaged snapshot: the contents do not fit their index")
    return found
