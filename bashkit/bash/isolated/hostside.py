"""A command of the host that a script in a sandbox process runs: its streams, files and launcher are the process's."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn

from bashkit.bash.isolated.files import RemoteFiles
from bashkit.errors import BashkitError, LimitExceededError
from bashkit.fs import Stream
from bashkit.fs.stream import BLOCK
from bashkit.interp.run.nested import NestedOutcome
from bashkit.interp.runtime.control import CommandStatus, SigPipe
from bashkit.interp.utility.process import Process, RunOptions, TimeLimit, invoke

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import tzinfo
    from random import Random
    from typing import Unpack

    from bashkit.bash.isolated.link import Link
    from bashkit.interp.run.nested import NestedScript
    from bashkit.interp.runtime.locks import FileLocks
    from bashkit.interp.runtime.system import VirtualSystem
    from bashkit.interp.utility.command import Command
    from bashkit.limits import Budget
    from bashkit.sandbox.channel import Channel, Frame

_HELD = 1 << 16  # bytes of output that go with the status, unless there is more


class RemoteStream(Stream):
    """A descriptor of a process.

    Args:
        call: Whose it is.
        number: The descriptor.
        shown: What is written to it is the output of the execution.
    """

    __slots__ = ("_call", "_number", "shown")

    readable = True
    writable = True

    def __init__(self, call: CommandOfHost, number: int, *, shown: bool) -> None:
        super().__init__()
        self._call = call
        self._number = number
        self.shown = shown

    def _fill(self) -> bytes:
        data: bytes = self._call.ask("read", self._number, BLOCK).data
        return data

    def write(self, data: bytes) -> None:
        """Write: what is little goes with the status of the command."""
        self._call.put(self._number, data)

    def leave(self) -> None:
        """Give back what was taken and not read."""
        rest = self.unread()
        if rest:
            self._call.ask("give_back", self._number, data=rest)


class RemoteSystem:
    """The machine of the script, as a command of the host sees it.

    Args:
        call: Whose it is.
        system: The session's own.
        deadline: When ``timeout`` will end the command.
    """

    def __init__(self, call: CommandOfHost, system: VirtualSystem, deadline: float) -> None:
        self._call = call
        self._system = system
        self.deadline = deadline
        self.username = system.username
        self.hostname = system.hostname
        self.network = system.network
        self.fetch = system.fetch
        self.call: Callable[..., Any] = system.call
        self.waker, self.start = system.waker, system.start

    @property
    def random(self) -> Random:
        """The random source."""
        return self._system.random

    @property
    def locks(self) -> FileLocks:
        """The locks on open files: those of the host's commands among themselves."""
        return self._system.locks

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._system.now()

    def seed(self, value: int) -> None:
        """Make the random numbers of the host's commands repeatable."""
        self._system.seed(value)

    def sleep(self, seconds: float) -> None:
        """Wait, by the clock of the script."""
        self._call.ask("sleep", seconds)

    def watch(self, seconds: float, *, changed: bool) -> None:  # noqa: ARG002 - as Hub.watch
        """Wait until something may have changed."""
        self.sleep(min(seconds, 0.05))

    def open_fifo(self, fs: Any, path: str, *, write: bool) -> Stream | None:  # noqa: ARG002 - as VirtualSystem
        """None: a command of the host opens no named pipe."""
        return None

    def timezone(self, name: str) -> tzinfo:
        """The zone for a TZ value."""
        return self._system.timezone(name)


class RemoteLauncher:
    """Starts further commands in the process.

    Args:
        call: Whose it is.
    """

    def __init__(self, call: CommandOfHost) -> None:
        self._call = call

    def place(self) -> str:
        """A command of the host has no file."""
        return ""

    def run(self, argv: list[str], **options: Unpack[RunOptions]) -> int:
        """Run a command; see ``Launcher.run``."""
        self._call.flush()
        env, ignored = options.get("env"), options.get("ignored")
        stdin, stdout, stderr = options.get("stdin"), options.get("stdout"), options.get("stderr")
        told = {
            "env": None if env is None else dict(env),
            "cwd": options.get("cwd"),
            "timeout": options.get("timeout"),
            "ignored": None if ignored is None else sorted(ignored),
            "feed": stdin is not None,
            "capture": [name for name, stream in (("stdout", stdout), ("stderr", stderr)) if stream is not None],
        }
        answer = self._call.ask("run", argv, told, data=b"" if stdin is None else stdin.read_all())
        status, length = answer.value
        for stream, data in ((stdout, answer.data[:length]), (stderr, answer.data[length:])):
            if stream is not None and data:
                stream.write(data)
        return int(status)

    def run_limited(self, argv: list[str], limit: TimeLimit) -> tuple[int, bool]:
        """Refuse: the signals would have to be sent in the process.

        Raises:
            BashkitError: Always.
        """
        raise BashkitError(f"{argv[0]}: no command of the host sends SIG{limit.signal} with isolation='process'")

    def open_both(self, argv: list[str], **_: object) -> NoReturn:
        """Refuse: a command of the host and one of the process cannot share a pipe.

        Raises:
            BashkitError: Always.
        """
        raise BashkitError(f"{argv[0]}: no command runs beside one of the host with isolation='process'")

    open = open_both

    def run_all(
        self,
        commands: Iterator[list[str]],
        *,
        parallel: int,  # noqa: ARG002
        goes_on: Callable[[int], bool] = lambda _: True,
        **streams: Any,
    ) -> list[int]:
        """Run several commands, one after the other."""
        statuses: list[int] = []
        for argv in commands:
            statuses.append(self.run(argv, **streams))
            if not goes_on(statuses[-1]):
                break
        return statuses

    def run_script(self, script: NestedScript, timeout: float | None = None, *, column: int = 0) -> NestedOutcome:
        """Run a script in a fresh shell; see ``run_nested``."""
        fields = asdict(script)
        stdin = fields.pop("stdin")
        answer = self._call.ask("script", fields, timeout, column, data=stdin)
        status, length = answer.value
        return NestedOutcome(answer.data[:length], answer.data[length:], int(status))

    def obstacle(self, name: str, env: Mapping[str, str] | None = None) -> int:
        """The error number of running the command of that name; 0 if it can be run."""
        return int(self._call.ask("obstacle", name, None if env is None else dict(env)).value)

    def ignored(self) -> frozenset[str]:
        """The signals that the shell ignores."""
        return frozenset(self._call.ask("ignored").value)

    def alive(self, pid: int) -> bool:
        """Whether a process of the script has that ID."""
        return bool(self._call.ask("alive", pid).value)

    def signal(self, pid: int, name: str) -> bool:
        """Send a signal to a process of the script."""
        return bool(self._call.ask("signal", pid, name).value)

    def jobs(self) -> list[tuple[int, str]]:
        """The shell's background jobs that still run."""
        return [(int(pid), str(text)) for pid, text in self._call.ask("jobs").value]


class CommandOfHost:
    """One call of a command.

    Args:
        frame: What the process wants.
        link: The way to ask it.
        channel: The way to answer it.
    """

    def __init__(self, frame: Frame, link: Link, channel: Channel) -> None:
        self._number, self.key, self._name, self._argv, self._place = frame.fields
        self._link = link
        self._channel = channel
        self._pieces: list[tuple[int, bytes]] = []
        self._held = 0

    @property
    def number(self) -> int:
        """The number of the call."""
        return int(self._number)

    def ask(self, what: str, *fields: Any, data: bytes = b"") -> Any:
        """Ask the process."""
        return self._link.ask(self._number, what, *fields, data=data)

    def put(self, descriptor: int, data: bytes) -> None:
        """Write to a descriptor of the process."""
        self._pieces.append((descriptor, bytes(data)))
        self._held += len(data)
        if self._held > _HELD:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        pieces, self._pieces, self._held = self._pieces, [], 0
        for descriptor, data in pieces:
            self.ask("write", descriptor, data=data)

    def run(self, command: Command, system: VirtualSystem, budget: Budget) -> int:
        """Run the command, and tell the process how it ended."""
        process = self._process(system, budget)
        failure: Any = None
        status = 1
        try:
            status = invoke(command, process)
            for descriptor in (0, 1, 2):
                stream = process.descriptors.get(descriptor)
                if isinstance(stream, RemoteStream):
                    stream.leave()
        except SigPipe:
            failure = "pipe"
        except LimitExceededError as error:
            failure = [error.name, str(error)]
        named = (status.words, status.line) if isinstance(status, CommandStatus) else (None, 0)
        index = [[descriptor, len(data)] for descriptor, data in self._pieces]
        data = b"".join(piece for _, piece in self._pieces)
        self._channel.send("done", self._number, int(status), *named, index, failure, data=data)
        return status

    def _process(self, system: VirtualSystem, budget: Budget) -> Process:
        place = self._place
        deadline = place["deadline"]
        return Process(
            self._name,
            self._argv,
            {number: RemoteStream(self, number, shown=number in place["shown"]) for number in place["descriptors"]},
            lambda: self.ask("env").value,
            place["cwd"],
            place["umask"],
            RemoteFiles(self._link),  # type: ignore[arg-type]  # what commands use of a VirtualFileSystem
            budget,
            RemoteSystem(self, system, float("inf") if deadline is None else float(deadline)),
            RemoteLauncher(self),
            place["line"],
            place["column"],
            bool(place["piped"]),
            place["pipeline"],
            str(place["within"]),
        )
