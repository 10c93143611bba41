"""A volume held in memory, of which snapshots cost nothing until something changes."""

from __future__ import annotations

import errno
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from bashkit.errors import is_failure
from bashkit.fs.handles import MemoryStream
from bashkit.fs.inodes import Directory, Fifo, LazyFile, Node, PendingFile, RegularFile, Symlink
from bashkit.fs.stream import os_error
from bashkit.fs.volume import Quota, Space, Volume
from bashkit.syntax.escapes import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs.stream import Stream


def call_here(function: Callable[[], Any]) -> Any:
    """Call a function that produces content where no script is running; what is awaitable is awaited on a loop made for it."""
    value = function()
    if not inspect.isawaitable(value):
        return value
    import asyncio
    import threading

    async def wait() -> Any:
        return await value

    outcome: list[Any] = []
    thread = threading.Thread(target=lambda: outcome.append(_outcome(lambda: asyncio.run(wait()))))
    thread.start()
    thread.join()
    error, result = outcome[0]
    if error is not None:
        raise error
    return result


def _outcome(function: Callable[[], Any]) -> tuple[BaseException | None, Any]:
    try:
        return None, function()
    except BaseException as error:
        return error, None


@dataclass(slots=True, frozen=True)
class FrozenTree:
    """A tree as it was: shared by all that start from it, never changed.

    Attributes:
        root: Its root directory.
        next_ino: The first free inode number.
        bytes: Bytes of content.
        files: Files and directories, the root not counted.
        born: What the time stamps of blank nodes mean; None: the time at which a session starts from the tree.
    """

    root: Directory
    next_ino: int
    bytes: int
    files: int
    born: float | None = None


class MemoryVolume(Volume):
    """Files in memory.

    Args:
        quota: What may be stored.
        clock: Seconds since the epoch, for the time stamps.
        tree: What to begin with; an empty root directory when left out.
    """

    __slots__ = (
        "_links_are_own",
        "_mark",
        "born",
        "call",
        "clock",
        "next_ino",
        "offset",
        "own_bytes",
        "own_files",
        "quota",
        "root",
    )

    label = "memory"
    kind = "tmpfs"

    def __init__(self, quota: Quota, clock: Callable[[], float], tree: FrozenTree | None = None) -> None:
        self.quota = quota
        self.clock = clock
        self.call: Callable[[Callable[[], Any]], Any] = call_here
        self.born = clock() if tree is None or tree.born is None else tree.born
        self.offset = 0
        self.own_bytes = self.own_files = 0  # its part of what the quota has counted
        self._mark = object()
        self._links_are_own = tree is None
        if tree is None:
            self.root: Directory = Directory(1, 0o755, self.born, self._mark)
            self.next_ino = 2
        else:
            self.root = tree.root
            self.next_ino = tree.next_ino
            self._grow(tree.bytes)
            if quota.files + tree.files > quota.max_files:
                raise os_error(errno.ENOSPC)
            quota.files += tree.files
            self.own_files += tree.files

    def freeze(self) -> FrozenTree:
        """The tree as it is now; from here on whatever changes is copied first."""
        self._mark = object()
        self._links_are_own = False
        return FrozenTree(self.root, self.next_ino, self.own_bytes, self.own_files, self.born)

    def adopt(self, tree: FrozenTree) -> None:
        """Hold this tree from now on, in place of what there was.

        Raises:
            OSError: ``ENOSPC``.
        """
        self.quota.files -= self.own_files
        self._grow(-self.own_bytes)
        MemoryVolume.__init__(self, self.quota, self.clock, tree)

    # -- walking -----------------------------------------------------------------------------------------------------

    def enter(self, *, change: bool) -> Directory:
        """The root directory."""
        if change and self.root.mark is not self._mark:
            self.root = self.root.copy(self._mark, self.born)
        return self.root

    def find(self, directory: Node, name: str) -> Node | None:
        """The node called ``name``."""
        return cast("Directory", directory).entries.get(name)

    def own(self, directory: Node, name: str, node: Node) -> Node:
        """``node`` itself, or a copy in its place when it is shared."""
        if node.mark is self._mark:
            return node
        entries = cast("Directory", directory).entries
        if node.links > 1 and node.type != "directory" and not self._links_are_own:
            self._own_links()
            return entries[name]
        twin = entries[name] = node.copy(self._mark, self.born)
        return twin

    def below(self, directory: Node, name: str) -> Node | None:  # noqa: ARG002 - what a session's root takes
        """What is under a name that ``entries`` of a directory do not have, where nothing is mounted."""
        return None

    def has_programs(self) -> bool:
        """Whether the commands of the machine are all where the machine has them, and nothing else beside them."""
        return False

    def is_shared(self, node: Node) -> bool:
        """Whether a node would be copied before it is changed."""
        return node.mark is not self._mark

    def _own_links(self) -> None:
        """Copy every shared file that has several names, at once: all its names must lead to the one copy."""
        self._links_are_own = True
        self.enter(change=True)
        copies: dict[int, Node] = {}
        places: list[tuple[Directory, int, str]] = [(self.root, -1, "")]  # directory, the place of its parent, its name there
        for index, (directory, _, _) in enumerate(places):  # grows as it goes
            for name, node in list(directory.entries.items()):
                if isinstance(node, Directory):
                    places.append((node, index, name))
                elif node.links > 1 and node.mark is not self._mark:
                    if id(node) not in copies:
                        copies[id(node)] = node.copy(self._mark, self.born)
                    self._own_place(places, index).entries[name] = copies[id(node)]

    def _own_place(self, places: list[tuple[Directory, int, str]], index: int) -> Directory:
        chain = []
        while places[index][0].mark is not self._mark:
            chain.append(index)
            index = places[index][1]
        directory = places[index][0]
        for index in reversed(chain):
            shared, parent, name = places[index]
            twin = shared.copy(self._mark, self.born)
            directory.entries[name] = twin
            places[index] = (twin, parent, name)
            directory = twin
        return directory

    def names(self, directory: Node) -> list[str]:
        """The names in the order they were made."""
        return list(cast("Directory", directory).entries)

    def target(self, link: Node) -> str:
        """The target."""
        return cast("Symlink", link).target

    # -- storage -----------------------------------------------------------------------------------------------------

    def now(self) -> float:
        """The time that goes into time stamps."""
        return self.clock()

    def claim(self, size: int) -> None:
        """Ask for ``size`` more bytes of storage (negative: give back)."""
        self._grow(size)

    def _grow(self, size: int) -> None:
        self.quota.claim(size)
        self.own_bytes += size

    def inode(self) -> int:
        """A new inode number; the quota has room for the file."""
        self.quota.add_file()
        self.own_files += 1
        self.next_ino += 1
        return self.next_ino

    def _drop_file(self) -> None:
        self.quota.files -= 1
        self.own_files -= 1

    def space(self) -> Space:
        """How full it is."""
        quota = self.quota
        return Space(self.own_bytes, quota.max_bytes, self.own_files + 1, quota.max_files)

    # -- content -----------------------------------------------------------------------------------------------------

    def open(self, node: Node, *, read: bool, write: bool, append: bool, truncate: bool) -> Stream:
        """Open a regular file."""
        if not isinstance(node, RegularFile):
            raise os_error(errno.ENXIO)
        if truncate:
            self._empty(node)
        elif isinstance(node, PendingFile):
            self.load(node)
        return MemoryStream(self, node, readable=read, writable=write, append=append)

    def _empty(self, node: RegularFile) -> None:
        if isinstance(node, PendingFile):
            node.source = None
        elif not node.data:
            return
        self.claim(-len(node.data))
        node.data = bytearray()
        node.shared = False
        node.mtime = node.ctime = self.now()

    def load(self, node: PendingFile) -> None:
        """Bring the content of a file into memory.

        Raises:
            OSError: What the function that produces it raised; ``EIO`` for any other exception; ``ENOSPC``.
        """
        source = node.source
        if source is None:
            return
        if isinstance(source, tuple):
            data = self.read_lower(source)
        else:
            data = produced(self.call, source)
        if node.source is None:
            return  # another task of the script read it meanwhile
        self.claim(len(data))
        node.data = bytearray(data)
        node.source = None

    def read_lower(self, parts: tuple[str, ...]) -> bytes:
        """The content of a file that an overlay has below it."""
        raise os_error(errno.ENOENT, "/".join(parts))

    # -- changing ----------------------------------------------------------------------------------------------------

    def enter_node(self, directory: Node, name: str, node: Node) -> None:
        """Put a node into a directory."""
        parent = cast("Directory", directory)
        parent.entries[name] = node
        parent.mtime = parent.ctime = self.now()
        if node.type == "directory":
            parent.links += 1

    def make_node(self, ino: int, mode: int) -> Directory:
        """A new directory."""
        return Directory(ino, mode, self.now(), self._mark)

    def create(self, directory: Node, name: str, mode: int) -> Node:
        """Make an empty file."""
        node = RegularFile(self.inode(), mode, self.now(), self._mark)
        self.enter_node(directory, name, node)
        return node

    def create_lazy(self, directory: Node, name: str, content: LazyFile) -> None:
        """Make a file whose content comes later."""
        node = PendingFile(self.inode(), content.mode, self.now(), self._mark, content.produce, content.size or 0)
        self.enter_node(directory, name, node)

    def make_directory(self, directory: Node, name: str, mode: int) -> None:
        """Make a directory."""
        self.enter_node(directory, name, self.make_node(self.inode(), mode))

    def make_symlink(self, directory: Node, name: str, target: str) -> None:
        """Make a symbolic link."""
        self.claim(len(target))
        self.enter_node(directory, name, Symlink(self.inode(), self.now(), self._mark, target))

    def make_fifo(self, directory: Node, name: str, mode: int) -> None:
        """Make a named pipe."""
        self.enter_node(directory, name, Fifo(self.inode(), mode, self.now(), self._mark))

    def add_link(self, directory: Node, name: str, node: Node) -> None:
        """Make a further name."""
        node.links += 1
        self.enter_node(directory, name, node)

    def remove(self, directory: Node, name: str, node: Node) -> None:
        """Remove a name."""
        if node.type == "directory" and self.names(node):
            raise os_error(errno.ENOTEMPTY)
        self.leave_node(directory, name, node)

    def leave_node(self, directory: Node, name: str, node: Node) -> None:
        """Take a node out of its directory and give back what it held."""
        parent = cast("Directory", directory)
        parent.entries.pop(name, None)
        parent.mtime = parent.ctime = self.now()
        if node.type == "directory":
            parent.links -= 1
            self._drop_file()
            return
        node.links -= 1
        if node.links == 0:
            self._drop_file()
            if isinstance(node, RegularFile):
                self.claim(-len(node.data))
            elif isinstance(node, Symlink):
                self.claim(-len(node.target))

    def move(self, source: Node, name: str, node: Node, directory: Node, new_name: str, existing: Node | None) -> None:
        """Rename."""
        if existing is not None:
            self.remove(directory, new_name, existing)
        parent = cast("Directory", source)
        del parent.entries[name]
        parent.mtime = parent.ctime = self.now()
        if node.type == "directory":
            parent.links -= 1
        self.enter_node(directory, new_name, node)

    def set_mode(self, node: Node, mode: int) -> None:
        """Set the permission bits."""
        node.mode = mode
        node.ctime = self.now()

    def set_owner(self, node: Node, uid: int, gid: int) -> None:
        """Set owner and group."""
        node.uid = node.uid if uid == -1 else uid
        node.gid = node.gid if gid == -1 else gid
        node.ctime = self.now()

    def set_times(self, node: Node, atime: float | None, mtime: float | None) -> None:
        """Set time stamps."""
        node.atime = node.atime if atime is None else atime
        node.mtime = node.mtime if mtime is None else mtime
        node.ctime = self.now()

    def set_size(self, node: Node, size: int) -> None:
        """Cut or extend a file."""
        file = cast("RegularFile", node)
        if isinstance(file, PendingFile):
            if size:
                self.load(file)
            else:
                self._empty(file)
        self.claim(size - len(file.data))
        data = file.content()
        if size < len(data):
            del data[size:]
        else:
            data += bytes(size - len(data))
        file.mtime = file.ctime = self.now()


def produced(call: Callable[[Callable[[], Any]], Any], source: Callable[[], object]) -> bytes:
    """What the function behind a lazy file gives.

    Raises:
        OSError: What it raised; ``EIO`` for any other exception, or when it gave something that is not content.
    """
    try:
        content = call(source)
    except OSError as error:
        raise os_error(error.errno or errno.EIO) from error
    except BaseException as error:
        if not is_failure(error):
            raise
        _log(error)
        raise os_error(errno.EIO) from error
    if isinstance(content, str):
        return well_formed(content).encode("utf-8", "surrogateescape")
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    _log(TypeError(f"the content of a file must be str or bytes, not {type(content).__name__}"))
    raise os_error(errno.EIO)


def _log(error: BaseException) -> None:
    """The host gets the exception itself; the script only ``Input/output error``."""
    import logging

    logging.getLogger("bashkit").error(
        "the content of a lazy file, or of a function for standard input, could not be produced", exc_info=error
    )
