"""The root of a session: its own files and changes, over the files that the machine has by itself.

What the machine has is made when a path leads to it, and belongs to no session: it is neither counted nor saved, and is copied
into the session's own files before it is changed.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Protocol, cast

from bashkit.fs.inodes import BLANK, Directory, Fifo, Node, OverlayDirectory, RegularFile, Symlink
from bashkit.fs.memory import FrozenTree, MemoryVolume
from bashkit.fs.stream import BytesStream, os_error
from bashkit.limits import Charge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.fs.stream import Stream
    from bashkit.fs.volume import Quota

Place = tuple[str, ...]  # the names on the way from the root to a directory of the machine


class SystemFiles(Protocol):
    """What the machine has, by the place of a directory."""

    def find(self, place: Place, name: str) -> Node | None:
        """The node called ``name`` in the directory at ``place``; its mark is BLANK."""
        ...

    def names(self, place: Place) -> Iterable[str]:
        """The names in the directory at ``place``."""
        ...


class ProgramFile(RegularFile):
    """The file of a command, which runs that command wherever it is copied.

    Attributes:
        program: The command's name.
    """

    __slots__ = ("program",)

    def __init__(self, ino: int, program: str) -> None:
        super().__init__(ino, 0o755, 0.0, BLANK)
        self.uid = self.gid = 0
        self.program = program
        self.data = bytearray(_PROGRAM + program.encode() + b"\n")


_PROGRAM = b"#!bashkit "


def program_in(data: bytes) -> str:
    """The command that the content of a file stands for; empty if it is no ProgramFile's."""
    first, newline, rest = data[:300].partition(b"\n")
    return first.removeprefix(_PROGRAM).decode() if newline and not rest and first.startswith(_PROGRAM) else ""


class LiveFile(RegularFile):
    """A file whose content is made whenever it is opened; it cannot be changed. Its size shows as 0 (proc(5)).

    Args:
        ino: Its serial number.
        produce: Gives the content.
        uid: Owner and group.
    """

    __slots__ = ("produce",)

    def __init__(self, ino: int, produce: Callable[[], str], uid: int = 0) -> None:
        super().__init__(ino, 0o444, 0.0, BLANK)
        self.uid = self.gid = uid
        self.produce = produce


class LiveStream(BytesStream):
    """A live file that is open: what it held when it was opened is charged to the memory until the stream is gone."""

    __slots__ = ("_charge",)

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._charge = Charge()
        self._charge.reach(len(data))


class LiveDirectory(OverlayDirectory):
    """A directory of live files; nothing can be made in it."""

    __slots__ = ()


class LiveLink(Symlink):
    """A link whose target changes by itself; it cannot be changed otherwise."""

    __slots__ = ()


class LivePipe(Fifo):
    """What a descriptor of a process is open to; to open it is to duplicate the descriptor.

    Attributes:
        stream: What it is.
    """

    __slots__ = ("stream",)

    def __init__(self, ino: int, stream: Stream) -> None:
        super().__init__(ino, 0o600, 0.0, BLANK)
        self.stream = stream


class SystemVolume(MemoryVolume):
    """A session's root.

    Its directories are OverlayDirectory nodes where the machine has something at the same place, and plain ones elsewhere.

    Args:
        quota: What may be stored.
        clock: Seconds since the epoch, for the time stamps.
        tree: What to begin with.
        system: What the machine has.
    """

    __slots__ = ("_system",)

    def __init__(self, quota: Quota, clock: Callable[[], float], tree: FrozenTree, system: SystemFiles) -> None:
        super().__init__(quota, clock, tree)
        self._system = system

    # -- walking -----------------------------------------------------------------------------------------------------

    def below(self, directory: Node, name: str) -> Node | None:
        """What the machine has under a name that the session's own files do not have."""
        if directory.__class__ is Directory:
            return None
        here = cast("OverlayDirectory", directory)
        return None if here.lower is None or name in here.hidden else self._system.find(here.lower, name)

    def find(self, directory: Node, name: str) -> Node | None:
        """The node called ``name``: the session's, or the machine's."""
        return cast("Directory", directory).entries.get(name) or self.below(directory, name)

    def own(self, directory: Node, name: str, node: Node) -> Node:
        """``node`` itself, or a copy that belongs to the session."""
        if node.mark is BLANK and name not in cast("Directory", directory).entries:
            if isinstance(node, (LiveFile, LiveDirectory, LiveLink, LivePipe)):
                raise os_error(errno.EACCES)
            self.quota.add_file()
            self.own_files += 1
            if not isinstance(node, Directory):
                self.claim(node.size())
        return super().own(directory, name, node)

    def is_shared(self, node: Node) -> bool:
        """Whether a node is shared with a snapshot; one of the machine is read where it is."""
        return node.mark is not BLANK and super().is_shared(node)

    def names(self, directory: Node) -> list[str]:
        """The machine's names that are left, then the session's."""
        here = cast("Directory", directory)
        if not isinstance(here, OverlayDirectory) or here.lower is None:
            return list(here.entries)
        below = dict.fromkeys(name for name in self._system.names(here.lower) if name not in here.hidden)
        return list(below | here.entries)

    def has_programs(self) -> bool:
        """Whether the commands of the machine are all where the machine has them, and nothing else beside them."""
        root = self.root
        return "usr" not in root.entries and "bin" not in root.entries and isinstance(root, OverlayDirectory) and not root.hidden

    # -- content and changes -----------------------------------------------------------------------------------------

    def open(self, node: Node, *, read: bool, write: bool, append: bool, truncate: bool) -> Stream:
        """Open a file."""
        if isinstance(node, LiveFile):
            return LiveStream(node.produce().encode("utf-8", "surrogateescape"))
        return super().open(node, read=read, write=write, append=append, truncate=truncate)

    def leave_node(self, directory: Node, name: str, node: Node) -> None:
        """Take a node out of its directory, and hide what the machine has under that name."""
        self._hide(directory, name)
        super().leave_node(directory, name, node)

    def move(self, source: Node, name: str, node: Node, directory: Node, new_name: str, existing: Node | None) -> None:
        """Rename; a directory keeps what the machine has in it."""
        self._hide(source, name)
        super().move(source, name, node, directory, new_name, existing)

    def _hide(self, directory: Node, name: str) -> None:
        if isinstance(directory, OverlayDirectory) and self.below(directory, name) is not None:
            directory.hidden.add(name)
