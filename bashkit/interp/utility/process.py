"""A running utility: its words, streams, environment and the way back to the shell that started it."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypedDict, TypeVar

from bashkit.fs import Stream
from bashkit.fs.handles import MemoryStream
from bashkit.fs.resolving import upwards
from bashkit.fs.stream import WRITING
from bashkit.interp.runtime.blocks import FailingWriter
from bashkit.interp.utility.command import HelpRequested, UsageError
from bashkit.interp.utility.locales import in_locale
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from datetime import tzinfo
    from random import Random
    from typing import Unpack

    from bashkit.fs import VirtualFileSystem
    from bashkit.interp.run.nested import NestedOutcome, NestedScript
    from bashkit.interp.runtime.locks import FileLocks
    from bashkit.interp.utility.command import Arguments, Command
    from bashkit.limits import Budget
    from bashkit.network import NetworkPolicy
    from bashkit.network.client import Request, Response

T = TypeVar("T")


class System(Protocol):
    """The machine that a script believes it runs on. Nothing of it comes from the host."""

    username: str
    hostname: str
    network: NetworkPolicy | None

    @property
    def random(self) -> Random:
        """The random source."""
        ...

    @property
    def deadline(self) -> float:
        """When ``timeout`` will end the running task, by the monotonic clock; infinity where it will not."""
        ...

    @property
    def locks(self) -> FileLocks:
        """The locks on open files."""
        ...

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def seed(self, value: int) -> None:
        """Make the random numbers repeatable from here on."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait, while other tasks of the script go on."""
        ...

    def watch(self, seconds: float, *, changed: bool) -> None:
        """Wait until something may have changed: other tasks of the script went on, or so many seconds went by.

        Args:
            seconds: After so long the host may have changed something.
            changed: The caller itself has, since it last waited.
        """
        ...

    def open_fifo(self, fs: VirtualFileSystem, path: str, *, write: bool) -> Stream | None:
        """Open one end of a named pipe, once the other is open; None if it is not a pipe of the sandbox."""
        ...

    def timezone(self, name: str) -> tzinfo:
        """The zone for a TZ value; UTC for an unknown one."""
        ...

    async def fetch(self, policy: NetworkPolicy, request: Request) -> Response:
        """Send an HTTP request; see ``bashkit.network.client.fetch``."""
        ...

    def waker(self) -> Callable[[], None]:
        """A function that any thread may call to have the running task go on, if only for ``meanwhile`` of its ``call``."""
        ...

    def start(self, function: Callable[[], None]) -> Callable[[], None]:
        """Run a function in a task of its own; what is returned waits until it has ended."""
        ...

    def call(
        self,
        function: Callable[[], T | Awaitable[T]],
        *,
        inline: bool = False,
        timeout: float | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> T:
        """Run a function of the host for the script, while other tasks of the script go on.

        A plain function runs in a worker thread, so that a time limit can leave it behind; what it returns is awaited on
        the event loop when it is awaitable.

        Args:
            function: Takes nothing; bind its arguments.
            inline: Run it right here: for functions that are fast and never block.
            timeout: Seconds after which to give up.
            meanwhile: Called in the task whenever it goes on before the function has ended.

        Raises:
            TimeoutError: The time is up; a late result is dropped.
            Exception: Whatever ``function`` raises.
        """
        ...


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """What ends a command that takes too long.

    Attributes:
        seconds: Its time.
        signal: What it and all that it has started are sent then, by its name without SIG.
        kill_after: Seconds after which they are killed; 0 for never.
        foreground: Only the command itself is sent signals.
        ignored: The signals that it ignores, by their names without SIG.
        tell: Called with the name of each signal that is sent.
    """

    seconds: float
    signal: str
    kill_after: float
    foreground: bool
    ignored: frozenset[str]
    tell: Callable[[str], None]


class RunOptions(TypedDict, total=False):
    """How a command runs. What is left out, or None, is as for the caller.

    Attributes:
        env: The whole environment.
        cwd: The working directory.
        stdin, stdout, stderr: The standard streams.
        timeout: Seconds after which the command is ended, with the status 124; without it there is no limit of its own.
        ignored: The signals that it ignores, by their names without SIG.
    """

    env: Mapping[str, str] | None
    cwd: str | None
    stdin: Stream | None
    stdout: Stream | None
    stderr: Stream | None
    timeout: float | None
    ignored: frozenset[str] | None


class Launcher(Protocol):
    """Starts further commands on behalf of a utility (``xargs``, ``env``, ``timeout``, ``find -exec``)."""

    def place(self) -> str:
        """Where the file of the caller is; empty if its environment has that already."""
        ...

    def run(self, argv: list[str], **options: Unpack[RunOptions]) -> int:
        """Run a command, with its arguments, as execvp(3) would find it and return its exit status."""
        ...

    def run_limited(self, argv: list[str], limit: TimeLimit) -> tuple[int, bool]:
        """Run a command; give its exit status, and whether it was sent signals because its time was up."""
        ...

    def open(self, argv: list[str], *, write: bool, env: Mapping[str, str] | None = None) -> tuple[Stream, Callable[[], int]]:
        """Start a command that runs beside the caller, as popen(3) does.

        Args:
            argv: The command and its arguments.
            write: The caller writes its standard input; otherwise it reads its standard output.
            env: The whole environment; the caller's when left out.

        Returns:
            The caller's end of the pipe, to be released, and what waits for the command and returns its status.
        """
        ...

    def open_both(self, argv: list[str], *, env: Mapping[str, str] | None = None) -> tuple[Stream, Stream, Callable[[], int]]:
        """As ``open``, with a pipe to the command's input and one from its output, in this order."""
        ...

    def run_all(
        self,
        commands: Iterator[list[str]],
        *,
        parallel: int,
        goes_on: Callable[[int], bool] = lambda _: True,
        **streams: Stream,
    ) -> list[int]:
        """Run several commands, at most ``parallel`` at once, their output in command order; return their statuses.

        ``goes_on`` is called with each of those, in command order, and tells whether more commands may begin.
        """
        ...

    def run_script(self, script: NestedScript, timeout: float | None = None, *, column: int = 0) -> NestedOutcome:
        """Run a script in a fresh shell that shares files and working directory; see ``run_nested``."""
        ...

    def obstacle(self, name: str, env: Mapping[str, str] | None = None) -> int:
        """The error number (errno(3)) of running the command of that name, as execvp(3) would set it; 0 if it can be run.

        Args:
            name: The command.
            env: Its environment, whose PATH counts; None is that of the process.
        """
        ...

    def ignored(self) -> frozenset[str]:
        """The signals that the shell ignores, and so do the commands that it starts."""
        ...

    def alive(self, pid: int) -> bool:
        """Whether a process of the script has that ID."""
        ...

    def signal(self, pid: int, name: str) -> bool:
        """Send a signal to a process of the script, or to a process group as kill(2) does; whether there is one."""
        ...

    def jobs(self) -> list[tuple[int, str]]:
        """The background jobs that still run, and shells that are processes of their own: process ID and command line."""
        ...


class _ClosedStream(Stream):
    """Stands for a descriptor that is not open: every use is EBADF."""

    __slots__ = ()

    readable = False
    hopeless = True


_CLOSED = _ClosedStream()
_DIGITS = 18  # that are read of a number: one with more is that of no descriptor
_LOOKUP = 8  # microseconds to look for a file


class Process:
    """What a utility sees of the world.

    Attributes:
        name: The command word, for messages.
        argv: The words after it.
        stdin, stdout, stderr: Byte streams.
        env: The environment, read-only.
        cwd: The working directory, absolute.
        umask: The file mode creation mask.
        fs: The virtual file system; takes absolute paths (see ``path``).
        budget: Ask it before looping over or allocating what input can size.
        held: Bytes that it holds in memory, see ``hold``.
        system: Clock, random source, names.
        launcher: Starts other commands.
        piped: Standard input is a pipe or redirection made for this command or a group around it, not the script's own.
        line, column: Where in the execution's script the command stands, one-based; for a command in the script of a tool, where
            that tool stands.
        within: The tool in whose script the command stands, or "".
        pipeline: The number of the pipeline it is a stage of, or None.
    """

    __slots__ = (
        "_env",
        "_pipes",
        "argv",
        "budget",
        "column",
        "cwd",
        "descriptors",
        "fs",
        "held",
        "launcher",
        "line",
        "name",
        "piped",
        "pipeline",
        "stderr",
        "stdin",
        "stdout",
        "system",
        "umask",
        "within",
    )

    def __init__(
        self,
        name: str,
        argv: list[str],
        descriptors: Mapping[int, Stream],
        env: Mapping[str, str] | Callable[[], Mapping[str, str]],
        cwd: str,
        umask: int,
        fs: VirtualFileSystem,
        budget: Budget,
        system: System,
        launcher: Launcher,
        line: int = 0,
        column: int = 0,
        piped: bool = True,
        pipeline: int | None = None,
        within: str = "",
    ) -> None:
        self.name = name
        self.argv = argv
        self.descriptors = descriptors
        self.stdin = descriptors.get(0, _CLOSED)
        self.stdout = descriptors.get(1, _CLOSED)
        self.stderr = descriptors.get(2, _CLOSED)
        self._env = env
        self.cwd = cwd
        self.umask = umask
        self.fs = fs
        self.budget = budget
        self.held = 0
        self._pipes: list[Stream] = []
        self.system = system
        self.launcher = launcher
        self.line = line
        self.column = column
        self.piped = piped
        self.pipeline = pipeline
        self.within = within

    @property
    def env(self) -> Mapping[str, str]:
        """The environment, put together when it is first asked for."""
        env = self._env
        if callable(env):
            env = self._env = env()
        return env

    def environment(self) -> dict[str, str]:
        """All of the environment, with ``_``, which is where the file of the utility is: it takes a while to find."""
        place = self.launcher.place()
        return {**self.env, "_": place} if place else dict(self.env)

    def hold(self, length: int) -> None:
        """Account for ``length`` bytes that the utility holds until it ends (negative: it has let go of them).

        Raises:
            LimitExceededError: Variables and buffers hold more than ``max_memory_bytes`` together.
        """
        self.held += length
        self.budget.hold(length)

    def end(self) -> None:
        """Give back what it holds, close the named pipes that it left open."""
        if self.held:
            self.hold(-self.held)
        for pipe in self._pipes:
            pipe.release()

    def path(self, name: str) -> str:
        """``name`` made absolute against the working directory; asks for the time that a file is looked up in."""
        if name[:2] == "..":
            path = upwards(self.fs, self.cwd, name)
        else:
            path = name if name.startswith("/") else f"{self.cwd.rstrip('/')}/{name}" if name else ""
        self.budget.tick(_LOOKUP + (len(path) >> 4))
        return path

    def open(self, name: str) -> Stream:
        """Open an input file; ``-`` and ``/dev/stdin`` are standard input, ``/dev/fd/N`` a descriptor.

        Raises:
            OSError: With ``filename`` as the user wrote it.
        """
        special = self.stdin if name == "-" else self.descriptor(name)
        if special is None:
            return self.open_file(name)
        if name != "-" and isinstance(special, MemoryStream):
            return special.again(read=True) or special
        if special.unreadable:
            raise OSError(special.unreadable, os.strerror(special.unreadable), name)
        return special

    def open_file(self, name: str) -> Stream:
        """Open a file by its name, ``-`` included; waits at a named pipe until the other end is opened.

        Raises:
            OSError: With ``filename`` as the user wrote it.
        """
        path = self.path(name)
        try:
            return self.fs.open(path, read=True)
        except OSError as error:
            pipe = self._open_fifo(path, error, write=False)
            if pipe is not None:
                return pipe
            error.filename = name
            raise

    def create(self, name: str, *, append: bool = False) -> Stream:
        """Open an output file, making or emptying it; ``/dev/stdout`` and ``/dev/fd/N`` are descriptors.

        Raises:
            OSError: With ``filename`` as the user wrote it.
        """
        special = self.descriptor(name)
        if isinstance(special, MemoryStream):
            return special.again(write=True, append=append, truncate=not append) or special
        if special is not None:
            return special
        path = self.path(name)
        try:
            mode = 0o666 & ~self.umask
            return self.fs.open(path, write=True, create=True, append=append, truncate=not append, mode=mode)
        except OSError as error:
            pipe = self._open_fifo(path, error, write=True)
            if pipe is not None:
                return pipe
            error.filename = name
            raise

    def _open_fifo(self, path: str, error: OSError, *, write: bool) -> Stream | None:
        pipe = self.system.open_fifo(self.fs, path, write=write) if error.errno == errno.ENXIO else None
        if pipe is not None:
            self._pipes.append(pipe)
        return pipe

    def close(self, stream: Stream) -> None:
        """Close a stream that ``open`` or ``create`` returned, unless it is one of the process's own."""
        if stream not in self.descriptors.values():
            stream.release()
            if stream in self._pipes:
                self._pipes.remove(stream)

    def descriptor(self, name: str) -> Stream | None:
        """The stream that a name under ``/dev`` or ``/proc/self/fd`` stands for, or None."""
        if not name.startswith("/dev/") and not (name.startswith("/proc/") and "/fd/" in name):
            return None
        number = {"/dev/stdin": "0", "/dev/stdout": "1", "/dev/stderr": "2"}.get(name) or name.rpartition("/fd/")[2]
        return self.descriptors.get(int(number[:_DIGITS])) if is_digits(number) else None

    def write(self, text: str) -> None:
        """Write text to standard output."""
        self.stdout.write(text.encode("utf-8", "surrogateescape"))

    def warn(self, message: str) -> None:
        """Write ``NAME: message`` to standard error, if there is one, in the quotes of the locale."""
        self.say(in_locale(f"{self.name}: {message}\n", self.env))

    def say(self, text: str) -> None:
        """Write text to standard error, if there is one."""
        try:
            self.stderr.write(text.encode("utf-8", "surrogateescape"))
        except OSError:
            pass  # there is nowhere left to say so


def explain(error: OSError) -> str:
    """An OSError in the words of the utilities: ``FILE: No such file or directory``."""
    text = error.strerror or str(error)
    return f"{error.filename}: {text}" if error.filename is not None else text


def invoke(command: Command, process: Process) -> int:
    """Run a utility as its process: parse its words, answer ``--help``, turn what it raises into messages.

    Returns:
        The exit status.

    Raises:
        SigPipe: The reader of its output is gone; the caller ends the stage with SIGPIPE.
    """
    if command.speaks_as:
        process.name = command.speaks_as
    arguments: Arguments | None = None
    if command.buffered and process.stdout.hopeless:
        process.stdout = FailingWriter(process.stdout)
    try:
        try:
            arguments = command.parse(process.argv)
            status = command.run(process, arguments)
        except HelpRequested as answer:
            process.write(str(answer))
            status = 0
        if isinstance(process.stdout, FailingWriter):
            process.stdout.flush()
        return status
    except UsageError as error:
        if arguments is None and command.refuse is not None:
            command.refuse(process, error)
        else:
            process.warn(error.message)
            process.say(command.pointer() if error.hint else "")
        return command.usage_status if error.status is None else error.status
    except OSError as error:
        unwritten = command.write_status if error.filename == WRITING else None
        if unwritten != 0:
            process.warn(explain(error))
        if unwritten is not None:
            return unwritten
        return 1 if command.usage_status == os.EX_USAGE else command.usage_status
    finally:
        process.end()
