"""What the machine of a session has without the session having made it: directories, the files of commands, /etc and /proc.

It follows the Filesystem Hierarchy Standard and proc(5), as far as scripts look there. Everything is made when it is looked for.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

from bashkit.bash.process_files import ProcessFiles
from bashkit.fs.inodes import BLANK, DEVICES, USER, Device, Directory, Node, OverlayDirectory, RegularFile, Symlink
from bashkit.fs.memory import FrozenTree
from bashkit.fs.system import LiveDirectory, ProgramFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.bash.command_table import CommandTable
    from bashkit.fs.system import Place
    from bashkit.interp.runtime.system import VirtualSystem
    from bashkit.interp.state.machine import Machine

_DIRECTORIES = (
    "dev", "dev/shm", "etc", "home", "mnt", "opt", "root", "run", "srv", "tmp", "usr", "usr/bin", "usr/lib", "usr/local",
    "usr/local/bin", "usr/local/lib", "usr/local/share", "usr/share", "usr/share/doc", "usr/share/man", "var", "var/cache",
    "var/lib", "var/log", "var/tmp",
)  # fmt: skip
_LINKS = {
    "bin": "usr/bin", "lib": "usr/lib", "sbin": "usr/bin", "usr/sbin": "bin", "dev/fd": "/proc/self/fd",
    "dev/stdin": "/proc/self/fd/0", "dev/stdout": "/proc/self/fd/1", "dev/stderr": "/proc/self/fd/2", "var/run": "/run",
}  # fmt: skip
_ETC = ("group", "hostname", "hosts", "os-release", "passwd", "shells")
_PROGRAMS, _CONFIGURATION = ("usr", "bin"), ("etc",)
_FIRST = 1 << 40  # the serial numbers of the machine's nodes begin here


class MachineFiles:
    """See the module.

    Args:
        system: Names and clock.
        commands: Gives the commands of the session.

    Attributes:
        machine: What the shells of the running execution share, or None.
    """

    __slots__ = ("_commands", "_processes", "_system", "machine")

    def __init__(self, system: VirtualSystem, commands: Callable[[], CommandTable]) -> None:
        self._system = system
        self._commands = commands
        self._processes: ProcessFiles | None = None
        self.machine: Machine | None = None

    def find(self, place: Place, name: str) -> Node | None:
        """The node called ``name`` in the directory at ``place``."""
        if place == _PROGRAMS and self._commands().is_program(name):
            return ProgramFile(_number(place, name), name)
        if place[:1] == ("proc",):
            return self._live().find(place, name)
        if place == _CONFIGURATION and name in _ETC:
            return _configuration(self._system.username, self._system.hostname)[name]
        return _tables().get(place, {}).get(name)

    def names(self, place: Place) -> Iterable[str]:
        """The names in the directory at ``place``."""
        if place == _PROGRAMS:
            return self._commands().programs()
        if place[:1] == ("proc",):
            return self._live().names(place)
        return sorted([*_tables().get(place, ()), *(_ETC if place == _CONFIGURATION else ())])

    def leave(self) -> None:
        """The execution is over."""
        self.machine = None
        if self._processes is not None:
            self._processes.machine = None

    def _live(self) -> ProcessFiles:
        if self._processes is None:
            self._processes = ProcessFiles(self._system)
        self._processes.machine = self.machine
        return self._processes


def _number(place: Place, name: str) -> int:
    return _FIRST + crc32("/".join([*place, name]).encode("utf-8", "surrogatepass"))


def _directory(place: Place, mode: int = 0o755) -> OverlayDirectory:
    return OverlayDirectory(_number(place[:-1], place[-1]), mode, 0.0, BLANK, place)


def _owned_by_root(nodes: dict[str, Node]) -> dict[str, Node]:
    for node in nodes.values():
        node.uid = node.gid = 0
    return nodes


@cache
def _tables() -> dict[Place, dict[str, Node]]:
    """The nodes that never change, by directory."""
    found: dict[Place, dict[str, Node]] = {(): {}}
    for path in _DIRECTORIES:
        place = tuple(path.split("/"))
        found[place] = {}
        found[place[:-1]][place[-1]] = _directory(
            place, 0o1777 if place[-1] in {"tmp", "shm"} else 0o700 if path == "root" else 0o755
        )
    found[()]["proc"] = LiveDirectory(_number((), "proc"), 0o555, 0.0, BLANK, ("proc",))
    for path, target in _LINKS.items():
        place = tuple(path.split("/"))
        found[place[:-1]][place[-1]] = Symlink(_number(place[:-1], place[-1]), 0.0, BLANK, target)
    for place, nodes in found.items():
        links = 2 + sum(isinstance(node, Directory) for node in nodes.values())
        if place:
            found[place[:-1]][place[-1]].links = links
    return {place: _owned_by_root(nodes) for place, nodes in found.items()}


@lru_cache(maxsize=64)
def _configuration(user: str, host: str) -> dict[str, Node]:
    """The files of /etc."""
    texts = {
        "group": f"root:x:0:\n{user}:x:{USER}:\nnogroup:x:65534:\n",
        "hostname": f"{host}\n",
        "hosts": f"127.0.0.1\tlocalhost\n127.0.1.1\t{host}\n::1\tlocalhost ip6-localhost ip6-loopback\n",
        "os-release": 'PRETTY_NAME="bashkit"\nNAME="bashkit"\nID=bashkit\nID_LIKE=debian\nVERSION_ID="12"\n',
        "passwd": f"root:x:0:0:root:/root:/bin/bash\n{user}:x:{USER}:{USER}:{user}:/home/{user}:/bin/bash\n"
        "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
        "shells": "/bin/sh\n/usr/bin/sh\n/bin/bash\n/usr/bin/bash\n",
    }
    nodes: dict[str, Node] = {}
    for name, text in texts.items():
        node = nodes[name] = RegularFile(_number(_CONFIGURATION, name), 0o644, 0.0, BLANK)
        node.data = bytearray(text.encode("utf-8", "surrogateescape"))
    return _owned_by_root(nodes)


@lru_cache(maxsize=64)
def new_root(home: str) -> FrozenTree:
    """The root that every session of a user starts with: the home directory, /tmp and the devices; shared until a session changes
    something.
    """
    root = OverlayDirectory(1, 0o755, 0.0, BLANK, ())
    number = 1

    def enter(parent: Directory, name: str, node: Node) -> None:
        nonlocal number
        node.ino = number = number + 1
        parent.entries[name] = node

    enter(root, "dev", OverlayDirectory(0, 0o755, 0.0, BLANK, ("dev",)))
    enter(root, "home", Directory(0, 0o755, 0.0, BLANK))
    enter(root, "tmp", Directory(0, 0o1777, 0.0, BLANK))
    _owned_by_root(root.entries)
    root.uid = root.gid = 0
    devices, homes = root.entries["dev"], root.entries["home"]
    assert isinstance(devices, Directory)
    assert isinstance(homes, Directory)
    for kind in DEVICES:
        enter(devices, kind, Device(0, 0.0, BLANK, kind))
    enter(homes, home.rpartition("/")[2], Directory(0, 0o755, 0.0, BLANK))
    homes.links = 3
    count_links(root)
    return FrozenTree(root, number, 0, number - 1)


def count_links(directory: Directory) -> None:
    """Set the number of links of a root, and of those of the machine's directories in it that a session has changed: every
    directory has two, and one for each directory in it.
    """
    if not isinstance(directory, OverlayDirectory) or directory.lower is None:
        return
    own = _tables().get(directory.lower, {})
    known = {name: node for name, node in own.items() if name not in directory.hidden} | directory.entries
    directory.links = 2 + sum(isinstance(node, Directory) for node in known.values())
    for node in directory.entries.values():
        if isinstance(node, Directory):
            count_links(node)
