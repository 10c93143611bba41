"""A session whose scripts run in sandbox processes: its state is here between them, or with the process that ran the last one."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from bashkit.bash.isolated.execution import IsolatedExecution
from bashkit.bash.packing import FIRST_OF_HOST, FIRST_OF_PROCESSES, Contents, indexed, memory_volumes, numbers_in, parted
from bashkit.bash.session import Session
from bashkit.bash.snapshot import read_session
from bashkit.errors import DefinitionError
from bashkit.fs import FileSystem, HostDirectory, Overlay
from bashkit.fs.memory import MemoryVolume
from bashkit.fs.overlay import OverlayVolume
from bashkit.fs.readonly import ReadOnlyVolume, memory_below
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.limits import DEFAULT_LIMITS
from bashkit.sandbox.pool import pool
from bashkit.sandbox.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from bashkit.bash.execution import Input, Invoked, Output
    from bashkit.fs import Mountable, VirtualFileSystem
    from bashkit.fs.memory import FrozenTree
    from bashkit.fs.volume import Volume
    from bashkit.interp.state.shell import Shell
    from bashkit.interp.utility.command import Command
    from bashkit.sandbox.channel import Frame
    from bashkit.sandbox.pool import Worker

_RESERVE = 256 << 20  # bytes of address space beside those that the limits speak of
_CPU = 3600  # seconds of processor time in the life of a process
_keys = count(1)


@dataclass(slots=True)
class _Away:
    """The state as a process has sent it.

    Attributes:
        state: The shell, as ``Session.save_state`` writes it, in UTF-8; None for a new one.
        trees: The rows of the trees of files, by mount point; None for those of a new session.
        data: The contents of files by number.
    """

    state: bytes | memoryview | None = None
    trees: dict[str, list[Any]] | None = None
    data: dict[int, bytes | memoryview] = field(default_factory=dict)


class Arrival(NamedTuple):
    """What a process has sent at the end of a script, looked through.

    Attributes:
        away: The state from now on.
        numbers: Those of the contents and producers of its files; None if they are the files from before.
        first: The number that a process may give next.
        clock: What the virtual clock says; None if there is none.
    """

    away: _Away
    numbers: set[int] | None
    first: int
    clock: float | None


class IsolatedSession(Session):
    """See the module. The parameters are those of Session.

    Attributes:
        key: What a process knows the session by.
        running_execution: The one that runs, if one does.
    """

    __slots__ = (
        "_away",
        "_contents",
        "_files",
        "_files_home",
        "_first",
        "_mounts",
        "_roots",
        "_shell",
        "_version",
        "key",
        "running_execution",
    )

    _files: VirtualFileSystem
    _shell: Shell | None

    def __init__(self, *given: Any, **named: Any) -> None:
        self.key = next(_keys)
        self._version = 0
        self.running_execution: IsolatedExecution | None = None
        self._contents = Contents(FIRST_OF_HOST)
        self._first = FIRST_OF_PROCESSES
        self._away = _Away()
        self._files_home = True
        self._roots: dict[str, object] = {}
        self._mounts: frozenset[str] = frozenset()
        super().__init__(*given, **named)
        self._roots = self._now()
        pool.warm(self.rules)

    # -- where the state is --------------------------------------------------------------------------------------------

    @property
    def files(self) -> VirtualFileSystem:
        """The files: here, or of the script that runs."""
        if self.running_execution is not None and self.running_execution.files is not None:
            return self.running_execution.files  # type: ignore[return-value]  # what the host uses of it
        if not self._files_home:
            self._bring_files()
        return self._files

    @files.setter
    def files(self, files: VirtualFileSystem) -> None:
        self._files = files
        self._files_home = True
        self._roots = {}  # no process knows them

    @property
    def shell(self) -> Shell | None:
        """The shell, which is here from now on, and may be changed here."""
        self._version += 1
        if self._shell is None and self._away.state is not None:
            self._shell = self.restored(read_session(str(self._away.state, "utf-8", "surrogatepass"))["shell"])
        return self._shell

    @shell.setter
    def shell(self, shell: Shell | None) -> None:
        self._shell = shell
        self._away.state = None
        self._version += 1

    def _bring_files(self) -> None:
        """Build the files from what the last process has sent."""
        away = self._away
        assert away.trees is not None
        producers = self._contents.producers.get
        trees = {
            path: self._contents.unpack(rows, away.data, producers, overlay=self._is_overlay(path), system=not path)
            for path, rows in away.trees.items()
        }
        old = self._files.mounts()
        files = self.root_files(trees[""])
        for path, (source, _) in old.items():
            tree = trees.get(path)
            if isinstance(source, Overlay):
                files.mount(path, source, OverlayVolume(source, files.volume.quota, self.clock, tree))
            else:
                files.mount(path, source)
        self.files = files
        self.close_files()
        self._roots = self._now()
        self._mounts = frozenset(files.mounts())

    def _is_overlay(self, path: str) -> bool:
        mounted = self._files.mounts().get(path)
        return mounted is not None and isinstance(mounted[0], Overlay)

    def _volumes(self) -> dict[str, MemoryVolume]:
        return memory_volumes(self._files)

    def _volumes_changed(self) -> bool:
        return any(volume.root is not self._roots.get(path) for path, volume in self._volumes().items())

    def _now(self) -> dict[str, object]:
        return {path: volume.root for path, volume in self._volumes().items()}

    def handle(self) -> FileSystem:
        """The host's handle on the files, wherever they are when it is used."""
        return FileSystem(lambda: self.files)

    # -- what a process is told ----------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """What a process for this session may do."""
        limits = self.limits
        memory = _RESERVE + limits.max_memory_bytes + limits.max_file_system_bytes + 3 * limits.max_output_bytes
        sources = [source for source, _ in self._files.mounts().values()]
        directories = [source.lower if isinstance(source, Overlay) else source for source in sources]
        host = [source for source in directories if isinstance(source, HostDirectory)]
        readable = sorted({source.path for source in host if not source.writable})
        writable = sorted({source.path for source in host if source.writable})
        return Rules(memory, max(_CPU, int(2 * limits.timeout)), readable, writable)

    def settings(self, worker: Worker) -> tuple[dict[str, Any], list[bytes | memoryview]]:
        """What a process needs to know for the next script, apart from the script; and the bytes that go with it: the contents of
        files, and last the state of the shell.
        """
        if self._files_home and (self._volumes_changed() or frozenset(self._files.mounts()) != self._mounts):
            self._version += 1
            self._away.trees = None
            self._pack(self._volumes())
        changed = {path: volume for path, volume in self._shared().items() if volume.root is not self._roots.get(path)}
        if changed:
            self._version += 1
            self._pack(changed)
        resume = worker.holds == (self.key, self._version)
        names = self._names()
        digest = blake2b(repr(names).encode("utf-8", "surrogateescape"), digest_size=12).hexdigest() if names else None
        told = digest in worker.known
        if digest is not None:
            worker.known.add(digest)
        settings: dict[str, Any] = {
            "resume": resume,
            "suggestions": "host" if callable(self.suggestions) else self.suggestions,
            "clock": self._clock_setting(),
            "commands": digest,
            "names": None if told or digest is None else names,
        }
        if resume:
            return settings, []
        system = self.system
        contents, data = indexed(self._away.data if self._away.trees is not None else {})
        state = self._state()
        policy = system.network
        settings |= {
            "username": system.username,
            "hostname": system.hostname,
            "cwd": self.cwd,
            "env": self.env,
            "fileless": self._fileless,
            "limits": None if self.limits is DEFAULT_LIMITS else asdict(self.limits),
            "network": None if policy is None else policy.public(),
            "state": None if state is None else len(state),
            "trees": self._away.trees,
            "mounts": {path: _mount(*mounted) for path, mounted in self._files.mounts().items()},
            "contents": contents,
            "first": self._first,
        }
        return settings, data if state is None else [*data, state]

    def _pack(self, volumes: dict[str, MemoryVolume]) -> None:
        """Make what is sent of volumes, by mount point, that have changed here."""
        trees: dict[str, FrozenTree] = {path: volume.freeze() for path, volume in volumes.items()}
        away = self._away
        away.trees = (away.trees or {}) | self._contents.pack(trees)
        away.data.update(self._contents.fresh)
        self._contents.fresh.clear()
        needed = numbers_in(away.trees)
        self._contents.keep(needed)
        away.data = _needed(away.data, needed)
        self._roots |= {path: tree.root for path, tree in trees.items()}
        self._mounts = frozenset(self._files.mounts())

    @property
    def shares(self) -> bool:
        """Whether other sessions may see what this one changes."""
        return any(isinstance(self._mounted(path), MemoryVolume) for path in self._shared())

    def _shared(self) -> dict[str, MemoryVolume]:
        """What other sessions may have changed, by mount point."""
        return {path: volume for path, volume in self._volumes().items() if path and not isinstance(volume, OverlayVolume)}

    def _mounted(self, path: str) -> Volume:
        return self._files.mounts()[path][1]

    def _state(self) -> bytes | memoryview | None:
        if self._shell is not None or self.system.repeatable:
            return self.save_state().encode("utf-8", "surrogatepass")
        return self._away.state

    def _names(self) -> list[tuple[str, bool, bool]]:
        return [(name, command.observer is not None, command.ordered) for name, command in self.own_commands.items()]

    def _clock_setting(self) -> list[float] | str | None:
        clock = self.clock
        if isinstance(clock, VirtualClock):
            return [clock.now, clock.tick]
        return None if clock is time.time else "host"

    # -- what a process tells ------------------------------------------------------------------------------------------

    def arrival(self, frame: Frame) -> Arrival:
        """Look through what a process sends at the end of a script; may be called in any thread, and changes nothing.

        Raises:
            Exception: The process has sent nonsense.
        """
        answer = frame.fields[0]
        clock = None if answer.get("clock") is None else float(answer["clock"])
        away, first = self._away, self._first
        if not self.keep and not self.shares:
            return Arrival(away, None, first, clock)
        length = answer["state"]
        if length is not None and not (type(length) is int and 0 <= length <= len(frame.data)):
            raise DefinitionError("a sandbox process has sent a state of no length")
        block = frame.data if length is None else frame.data[: len(frame.data) - length]
        state, trees, data, numbers = away.state, away.trees, away.data, None
        if answer["trees"] is not None:
            sent = parted(answer["contents"], block)
            first = max([first, *(number + 2 for number in sent)]) | 1
            trees = {str(path): list(rows) for path, rows in answer["trees"].items()} | self._read_only_trees()
            data = {**data, **sent}
            if sum(map(len, data.values())) > self._most():
                raise DefinitionError("a sandbox process has sent more files than it may hold")
            numbers = numbers_in(trees)
            data = _needed(data, numbers)
        if length is not None:
            state = _unbound({0: frame.data[len(block) :]})[0]
        return Arrival(_Away(state, trees, data), numbers, first, clock)

    def take(self, arrival: Arrival, worker: Worker) -> None:
        """Take over the state after a script."""
        if isinstance(self.clock, VirtualClock) and arrival.clock is not None:
            self.clock.now = arrival.clock
        if not self.keep and not self.shares:
            return
        self._away, self._first = arrival.away, arrival.first
        if arrival.numbers is not None:
            self._contents.keep(arrival.numbers)
            self._files_home = False
            self._share_memory()
        self._shell = None
        self._version += 1
        worker.holds = (self.key, self._version)

    def _most(self) -> int:
        """Bytes of files that a process may send: what it has, and what it had."""
        shared = sum(volume.quota.max_bytes for volume in self._shared().values())
        return 2 * (self.limits.max_file_system_bytes + shared) + (1 << 20)

    def _read_only_trees(self) -> dict[str, list[Any]]:
        """The trees, as they were sent, of what no script may change, whatever the process says that there is."""
        trees = self._away.trees or {}
        return {path: rows for path, rows in trees.items() if path and isinstance(self._mounted(path), ReadOnlyVolume)}

    def _share_memory(self) -> None:
        """Put what a script has changed in a mounted MemoryFileSystem where other sessions see it."""
        assert self._away.trees is not None
        for path, volume in self._shared().items():
            if self._mounted(path) is volume and path in self._away.trees:
                volume.adopt(self._contents.unpack(self._away.trees[path], self._away.data, self._contents.producers.get))
                self._roots[path] = volume.root

    def producer(self, number: int) -> Callable[[], Any] | None:
        """The function behind a lazy file."""
        return self._contents.producers.get(number)

    # -- running -------------------------------------------------------------------------------------------------------

    def execution(self, script: str, stdin: Input, on_output: Output | None, invoked: Invoked | None) -> IsolatedExecution:
        """An execution of a script in a sandbox process."""
        execution = IsolatedExecution(self, script, stdin, on_output, invoked)
        self.running_execution = execution
        return execution

    def end(self) -> None:
        """The execution is over."""
        super().end()
        self.running_execution = None

    def cancel(self) -> None:
        """End the script that runs, from any thread."""
        execution = self.running_execution
        if execution is not None:
            execution.cancel()

    def command(self, name: str) -> Command | None:
        """The session's own command of that name."""
        return self.own_commands.get(name)


def _mount(source: Mountable, volume: Volume) -> dict[str, Any]:
    """How a process is to mount something.

    Raises:
        DefinitionError: It cannot be mounted there.
    """
    if isinstance(source, HostDirectory):
        return {"kind": "host", "path": source.path, "writable": source.writable, "outward_links": source.outward_links}
    if isinstance(source, Overlay):
        return {"kind": "overlay", "path": source.lower.path}
    memory = memory_below(volume)
    if memory is not None:
        return {
            "kind": "memory",
            "room": [memory.quota.max_bytes, memory.quota.max_files],
            "read_only": isinstance(volume, ReadOnlyVolume),
        }
    raise DefinitionError(
        f"isolation='process' can mount HostDirectory, Overlay and MemoryFileSystem, not {type(source).__name__}"
    )


def _needed(contents: Mapping[int, bytes | memoryview], numbers: Container[int]) -> dict[int, bytes | memoryview]:
    """The contents of those numbers."""
    return _unbound({number: content for number, content in contents.items() if number in numbers})


def _unbound(contents: Mapping[int, bytes | memoryview]) -> dict[int, bytes | memoryview]:
    """Contents without the wholes that they are pieces of, but for wholes of which they are the most."""
    kept: Counter[int] = Counter()
    wholes: dict[int, Any] = {}
    for content in contents.values():
        if isinstance(content, memoryview):
            whole = content.obj
            wholes[id(whole)] = whole
            kept[id(whole)] += len(content)
    wasted = {key for key, whole in wholes.items() if 2 * kept[key] < memoryview(whole).nbytes}
    if not wasted:
        return dict(contents)
    return {
        number: bytes(content) if isinstance(content, memoryview) and id(content.obj) in wasted else content
        for number, content in contents.items()
    }
