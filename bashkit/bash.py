"""Bash: a session with the virtual shell."""

from __future__ import annotations

import errno
import json
import time
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

from bashkit import commands as utilities
from bashkit.builtins import declarations
from bashkit.errors import BashError, BashkitError, DefinitionError, LimitExceededError, SnapshotError
from bashkit.fs import BytesStream, FileSystem, MemoryFileSystem, Stream
from bashkit.fs.memory import FrozenTree, lay_out
from bashkit.fs.volume import Quota
from bashkit.interp.expand.parameters import expand_subscript
from bashkit.interp.jit import translate
from bashkit.interp.run.child import run_bash
from bashkit.interp.run.scripts import run_text
from bashkit.interp.run.subshell import run_subshell
from bashkit.interp.runtime.capture import Capture
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.interp.runtime.control import Killed
from bashkit.interp.runtime.hub import Hub
from bashkit.interp.runtime.system import VirtualSystem
from bashkit.interp.state.shell import Machine, Shell
from bashkit.interp.state.startup import define_variables
from bashkit.interp.state.store import ReadonlyError
from bashkit.interp.state.suggestions import suggest
from bashkit.interp.utility.custom import custom_command, log_failure
from bashkit.limits import DEFAULT_LIMITS, Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bashkit.fs import Mountable
    from bashkit.fs.api import Content
    from bashkit.interp.snapshot import Snapshot
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.custom import BuiltinContext
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy

    Output = Callable[[str, str], None]

_DIRECTORIES = ("/bin", "/dev", "/etc", "/home", "/tmp", "/usr", "/usr/bin", "/var", "/var/tmp")  # noqa: S108 - virtual
_DEVICES = {
    "/dev/null": "null",
    "/dev/zero": "zero",
    "/dev/full": "full",
    "/dev/random": "random",
    "/dev/urandom": "random",
    "/dev/tty": "null",
}
TIMEOUT_STATUS = 124
_STATUSES = {"timeout": TIMEOUT_STATUS, "cancelled": 130}
_NO_FILES = "files are switched off here (filesystem: none); keep data in variables and pipes"


class NoFiles(Quota):
    """Room for nothing."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(0, 0)

    def claim(self, size: int) -> None:
        """Refuse more bytes."""
        if size > 0:
            raise OSError(errno.EROFS, _NO_FILES)

    def add_file(self) -> None:
        """Refuse another file."""
        raise OSError(errno.EROFS, _NO_FILES)


@lru_cache(maxsize=64)
def _new_machine(home: str) -> FrozenTree:
    """The directories that every session of a user starts with; shared until a session changes one."""
    return lay_out((*_DIRECTORIES, home), _DEVICES)


@dataclass(slots=True)
class ExecResult:
    """What a script did.

    Attributes:
        stdout: Everything it wrote to standard output; bytes that are no UTF-8 are lone surrogates (``surrogateescape``).
        stderr: Everything it wrote to standard error.
        exit_code: Its exit status, 0 to 255.
        error: None, or the category of what ended it: ``parse``, ``limit:<name>``, ``timeout``, ``cancelled``, ``internal``.
    """

    stdout: str = ""
    stderr: str = ""
    exit_code: int = 0
    error: str | None = None

    @property
    def success(self) -> bool:
        """Whether the exit status is 0."""
        return self.exit_code == 0

    def checked(self) -> ExecResult:
        """Itself.

        Raises:
            BashError: The exit status is not 0.
        """
        if self.exit_code:
            raise BashError(self.exit_code, self.stdout, self.stderr)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The fields as a dictionary."""
        return {"stdout": self.stdout, "stderr": self.stderr, "exit_code": self.exit_code, "error": self.error}


class Bash:
    """A session: variables, functions, files and the working directory last from one call to the next.

    Args:
        files: Files to begin with, by absolute path; content is ``str``, ``bytes``, or a function, sync or async, that gives one of
            them when the file is first read (LazyFile tells its size beforehand).
        mounts: Where to find more files, by absolute path: ``HostDirectory("./data")`` (read-only unless ``writable=True``),
            ``Overlay("./repo")`` (changes stay in memory), ``MemoryFileSystem()`` (shared by the sessions that mount it).
        env: Exported variables. Nothing is taken from the host.
        cwd: The working directory; it is made if need be. ``/home/<username>`` when left out.
        username: What ``whoami`` says.
        hostname: What ``hostname`` says.
        custom_builtins: Commands by name: functions that take a BuiltinContext and return a ``str`` or a BuiltinResult, or
            awaitables of one.
        timeout_seconds: Wall-clock seconds for one call; shorthand for ``limits``, as are the next three.
        max_commands: Simple commands that one call may run.
        max_loop_iterations: Turns of all loops of one call together.
        max_memory: Bytes that variables and the buffers of utilities may hold.
        limits: What one call may spend.
        commands: Further utilities, as declared with ``bashkit.interp.utility.command``.
        clock: Seconds since the epoch, for ``date``, ``$SECONDS`` and time stamps. With a VirtualClock waiting takes no real time.
        seed: Makes ``$RANDOM``, ``shuf`` and ``mktemp`` repeatable.
        network: What curl and wget may reach; nothing when left out.
        filesystem: ``memory``, or ``none``: nothing can be written anywhere, and a script that tries is told so.

    Attributes:
        suggestions: Whether a command that is not found brings a suggestion.
        left: Line and status of the command for which ``set -e`` ended the last script, and how many commands might still have run
            then; or None.
    """

    suggestions = True
    left: tuple[int, int, int] | None = None

    def __init__(
        self,
        *,
        files: Mapping[str, Content] | None = None,
        mounts: Mapping[str, Mountable] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        username: str | None = None,
        hostname: str | None = None,
        custom_builtins: Mapping[str, Callable[[BuiltinContext], Any]] | None = None,
        timeout_seconds: float | None = None,
        max_commands: int | None = None,
        max_loop_iterations: int | None = None,
        max_memory: int | None = None,
        limits: ExecutionLimits | None = None,
        commands: Mapping[str, Command] | None = None,
        clock: Callable[[], float] = time.time,
        seed: int | None = None,
        network: NetworkPolicy | None = None,
        filesystem: Literal["memory", "none"] = "memory",
    ) -> None:
        self.limits = (limits or DEFAULT_LIMITS).narrowed(
            timeout=timeout_seconds,
            max_commands=max_commands,
            max_loop_iterations=max_loop_iterations,
            max_memory_bytes=max_memory,
        )
        self._system = VirtualSystem(username or "user", hostname or "bashkit", clock, seed)
        self._system.network = network
        if "/" in self._system.username or self._system.username in {"", ".", ".."}:
            raise DefinitionError(f"{username!r} cannot be a user name")
        self._home = f"/home/{self._system.username}"
        self._commands: dict[str, Command] = dict(commands or {})
        self._table: _Commands | None = None
        for name, function in (custom_builtins or {}).items():
            self._commands[name] = custom_command(name, function)
        self._env = dict(env or {})
        _check_names(self._env)
        self._cwd = cwd or self._home
        self._files = MemoryFileSystem(
            self.limits.max_file_system_bytes, self.limits.max_files, clock, self._system.random_source, _new_machine(self._home)
        )
        self._files.volume.call = self._system.produce
        for place, source in (mounts or {}).items():
            if not place.startswith("/"):
                raise DefinitionError(f"{place!r} is no absolute path")
            self._files.mount(place, source)
        self._populate(files or {})
        self._fileless = filesystem == "none"
        if self._fileless:
            self._files.volume.quota = NoFiles()
        self._shell: Shell | None = None
        self._running = False

    def _populate(self, files: Mapping[str, Content]) -> None:
        if self._cwd != self._home:
            self._files.unchecked().makedirs(self._cwd)
        for path, content in files.items():
            if not path.startswith("/"):
                raise DefinitionError(f"{path!r} is no absolute path")
            self.fs.write_file(path, content)

    @property
    def fs(self) -> FileSystem:
        """The files of the session."""
        return FileSystem(self._files)

    def add_commands(self, commands: Mapping[str, Command]) -> None:
        """Declare more utilities, or others in their place, for the next script."""
        self._commands.update(commands)
        self._table = None

    # -- running -------------------------------------------------------------------------------------------------------

    def execute_sync(self, script: str, *, stdin: str | bytes | None = None, on_output: Output | None = None) -> ExecResult:
        """Run a script and wait for it; works inside a running event loop too, which it blocks.

        Args:
            script: As for ``bash -c``.
            stdin: Its standard input; empty when left out.
            on_output: Called with (stdout, stderr) chunks while the script runs.
        """
        run = _Run(self, script, stdin, on_output)
        try:
            return run.finish(run.hub.run_sync(run.main))
        except BaseException as error:
            return run.fail(error)
        finally:
            self._running = False

    async def execute(self, script: str, *, stdin: str | bytes | None = None, on_output: Output | None = None) -> ExecResult:
        """As ``execute_sync``, on the running event loop, which is never blocked for more than a few milliseconds."""
        run = _Run(self, script, stdin, on_output)
        try:
            return run.finish(await run.hub.run_async(run.main))
        except BaseException as error:
            return run.fail(error)
        finally:
            self._running = False

    def execute_sync_or_throw(self, script: str, *, stdin: str | bytes | None = None) -> ExecResult:
        """``execute_sync``, for callers to whom a failure is an exception.

        Raises:
            BashError: The exit status is not 0.
        """
        return self.execute_sync(script, stdin=stdin).checked()

    async def execute_or_throw(self, script: str, *, stdin: str | bytes | None = None) -> ExecResult:
        """``execute``, for callers to whom a failure is an exception.

        Raises:
            BashError: The exit status is not 0.
        """
        return (await self.execute(script, stdin=stdin)).checked()

    def set_env(self, name: str, text: str) -> None:
        """Set an exported variable for the scripts to come.

        Raises:
            DefinitionError: There can be no variable of that name, or it is readonly.
        """
        _check_names([name])
        self._env[name] = text
        if self._shell is not None:
            try:
                self._shell.export(name, text)
            except ReadonlyError as error:
                raise DefinitionError(error.message) from None

    async def exec_streaming(self, script: str, on_output: Output) -> ExecResult:
        """``execute`` with a callback for chunks of (stdout, stderr): one after each command, list, loop turn; none twice."""
        return await self.execute(script, on_output=on_output)

    def exec_streaming_sync(self, script: str, on_output: Output) -> ExecResult:
        """``exec_streaming`` for callers without an event loop."""
        return self.execute_sync(script, on_output=on_output)

    @property
    def running(self) -> bool:
        """Whether a script runs."""
        return self._running

    def cancel(self) -> None:
        """End the script that runs, from any thread; it keeps its output, and its error is ``cancelled``."""
        if self._running and self._system.hub is not None:
            self._system.hub.cancel()

    def reset(self) -> None:
        """Forget variables, functions and options; files stay."""
        self._shell = None

    # -- snapshots -----------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The session as it is now, as a value to go on from: see Snapshot for what it keeps, and what it cannot.

        Raises:
            BashkitError: A script is running.
            SnapshotError: Something is mounted that cannot be kept.
        """
        from bashkit.interp.saving import save_random, save_shell
        from bashkit.interp.snapshot import Snapshot, save_mounts

        self._refuse_while_running()
        system = self._system
        state = {
            "username": system.username,
            "hostname": system.hostname,
            "home": self._home,
            "cwd": self._cwd,
            "env": self._env,
            "random": save_random(system.random) if system.repeatable else None,
            "shell": None if self._shell is None else save_shell(self._shell),
        }
        return Snapshot(json.dumps(state), self._files.volume.freeze(), save_mounts(self._files))

    def restore(self, snapshot: Snapshot, *, mounts: Mapping[str, Mountable] | None = None) -> None:
        """Go back, or over, to a snapshot; what the session holds is lost. Custom builtins, clock and limits stay.

        A handle taken from ``fs`` before still leads to the old files.

        Args:
            snapshot: Where to go on from.
            mounts: What to mount, by path. Where nothing is given, what the session itself has there is used, then what the snapshot
                had; one that was read from bytes names the directories of the host and cannot reach them.

        Raises:
            BashkitError: A script is running.
            SnapshotError: The session stays as it is: a directory of the host is missing, or the files do not fit into the limits.
        """
        from bashkit.interp.snapshot import read_session, restore_files

        self._refuse_while_running()
        session = read_session(snapshot.state)
        own = {path: source for path, (source, _) in self._files.mounts().items() if path in snapshot.mounts}
        room = (self.limits.max_file_system_bytes, self.limits.max_files)
        clock = self._files.volume.clock
        try:
            files = MemoryFileSystem(*room, clock, self._system.random_source, snapshot.tree)
            restore_files(snapshot, files, {**own, **(mounts or {})}, room, clock)
        except OSError as error:
            raise SnapshotError(f"the files of the snapshot cannot be restored: {error.strerror}") from error
        files.volume.call = self._system.produce
        if self._fileless:
            files.volume.quota = NoFiles()
        self._files = files
        self._system.username, self._system.hostname = session["username"], session["hostname"]
        if session["random"] is not None:
            self._system.random = session["random"]
            self._system.repeatable = True
        self._home, self._cwd, self._env = session["home"], session["cwd"], session["env"]
        saved = session["shell"]
        budget = _budget(self)
        self._shell = None if saved is None else saved.restore(_machine(self, budget, Hub(budget)))

    @classmethod
    def from_snapshot(
        cls,
        snapshot: Snapshot,
        *,
        mounts: Mapping[str, Mountable] | None = None,
        custom_builtins: Mapping[str, Callable[[BuiltinContext], Any]] | None = None,
        timeout_seconds: float | None = None,
        limits: ExecutionLimits | None = None,
        commands: Mapping[str, Command] | None = None,
        clock: Callable[[], float] = time.time,
        seed: int | None = None,
    ) -> Bash:
        """A new session that goes on from a snapshot.

        Args:
            snapshot: Where to go on from.
            mounts: What to mount, by path; a snapshot that was read from bytes needs it for every directory of the host.
            custom_builtins, timeout_seconds, limits, commands, clock: As for ``Bash``: what no snapshot keeps.
            seed: As for ``Bash``, unless the snapshot has a random source that goes on.

        Raises:
            SnapshotError: As for ``restore``.
        """
        session = cls(
            custom_builtins=custom_builtins,
            timeout_seconds=timeout_seconds,
            limits=limits,
            commands=commands,
            clock=clock,
            seed=seed,
        )
        session.restore(snapshot, mounts=mounts)
        return session

    def _refuse_while_running(self) -> None:
        if self._running:
            raise BashkitError("this session is running a script; a snapshot is made and restored between two of them")


def _check_names(names: Iterable[str]) -> None:
    for name in names:
        if "=" in name or "\0" in name or not name:
            raise DefinitionError(f"{name!r} cannot be the name of an environment variable")


def _budget(session: Bash) -> Budget:
    clock = session._files.volume.clock  # noqa: SLF001 - the session's other half
    return Budget(session.limits, clock) if isinstance(clock, VirtualClock) else Budget(session.limits)


class _Commands:
    """The commands of a session as the shell looks for them, settled until others are declared.

    Args:
        own: The session's own ones, before all others.
    """

    __slots__ = ("_own", "builtins", "names_of_own")

    def __init__(self, own: dict[str, Command]) -> None:
        self._own = own
        self.names_of_own = frozenset(own)
        self.builtins = _builtins_without(own)

    def find(self, name: str) -> Command | None:
        """The utility called ``name``."""
        return self._own.get(name) or utilities.find_command(name)

    def names(self) -> list[str]:
        """The names of all utilities."""
        return sorted({*self._own, *utilities.command_names()})


def _machine(session: Bash, budget: Budget, hub: Hub) -> Machine:
    """What all shells of one execution share."""
    commands = session._table  # noqa: SLF001 - the session's other half
    if commands is None:
        commands = session._table = _Commands(session._commands)  # noqa: SLF001
    return Machine(
        session._files,  # noqa: SLF001
        budget,
        hub,
        session._system,  # noqa: SLF001
        commands.find,
        commands.names,
        commands.builtins,
        _EXTERNALS,
        expand_subscript,
        translate,
        commands.names_of_own,
        _advise if session.suggestions else _say_nothing,
    )


class _Run:
    """One call of ``execute``: its budget, scheduler and output."""

    def __init__(self, session: Bash, script: str, stdin: str | bytes | None, on_output: Output | None) -> None:
        if session._running:  # noqa: SLF001 - the session's other half
            raise BashkitError("this session is running a script already; use one session for each")
        session._running = True  # noqa: SLF001
        self.session = session
        self.script = script
        self.budget = _budget(session)
        self.hub = Hub(self.budget)
        self.stdout, self.stderr = Capture(self.budget), Capture(self.budget)
        self.on_output = on_output
        self.has_input = stdin is not None
        data = stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin or b""
        self.shell = self._prepare({0: BytesStream(data), 1: self.stdout, 2: self.stderr})

    def _prepare(self, descriptors: dict[int, Stream]) -> Shell:
        session = self.session
        system = session._system  # noqa: SLF001
        system.hub = self.hub
        machine = _machine(session, self.budget, self.hub)
        if self.on_output is not None:
            machine.on_flush = self._flush
        shell = session._shell  # noqa: SLF001
        if shell is None:
            shell = Shell(machine, descriptors, session._cwd)  # noqa: SLF001
            environment = {"HOME": session._home, "USER": system.username, "LOGNAME": system.username} | session._env  # noqa: SLF001
            define_variables(shell, environment)
            session._shell = shell  # noqa: SLF001
        else:
            shell.machine = machine
            shell.budget = self.budget
            shell.descriptors = descriptors
            shell.condition_depth = shell.loop_depth = shell.frames = shell.arithmetic_depth = 0
            shell.scopes.clear()
            shell.calls.clear()
            shell.jobs.clear()
            shell.temporary.clear()
        machine.main = shell
        shell.fed = descriptors[0] if self.has_input else None
        return shell

    def main(self) -> int:
        """The first task: the script itself."""

        def run(shell: Shell) -> int:
            return run_text(shell, self.script, label="-c")

        return run_subshell(self.shell, run)

    def _flush(self) -> None:
        assert self.on_output is not None
        for out, err in _interleave(self.stdout, self.stderr):
            self.on_output(out, err)

    def finish(self, status: int, error: str | None = None) -> ExecResult:
        """The result of a script that ended."""
        if self.on_output is not None:
            self._flush()
        self.session.left = self.shell.machine.left
        if error is None and self.shell.machine.syntax_error:
            error = "parse"
        return ExecResult(_text(self.stdout), _text(self.stderr), status & 0xFF, error)

    def fail(self, error: BaseException) -> ExecResult:
        """The result of a script that was ended; output so far is kept.

        Raises:
            BaseException: What is not the script's: a cancellation, an interrupt of the host.
        """
        if isinstance(error, LimitExceededError):
            return self._ended(_STATUSES.get(error.name, 1), str(error), error.name)
        if isinstance(error, Killed):
            return self.finish(128 + error.signal)
        if isinstance(error, (MemoryError, RecursionError)):
            deep = isinstance(error, RecursionError)
            return self._ended(
                1, "nesting too deep" if deep else "out of memory", "max_function_depth" if deep else "max_memory_bytes"
            )
        if not isinstance(error, Exception):
            raise error
        self._append(f"bash: internal error: {type(error).__name__}\n")
        result = self.finish(1, "internal")
        log_failure(f"the interpreter, running {self.script[:500]!r},", error)
        return result

    def _ended(self, status: int, message: str, name: str) -> ExecResult:
        self._append(f"bash: {message}\n")
        return self.finish(status, name if name in _STATUSES else f"limit:{name}")

    def _append(self, text: str) -> None:
        self.budget.output = max(self.budget.output, len(text))
        self.stderr.write(text.encode())


def _interleave(stdout: Capture, stderr: Capture) -> list[tuple[str, str]]:
    """What both streams got since the last time, in the order it was written."""
    pieces = sorted([*((place, 0, data) for place, data in stdout.take()), *((place, 1, data) for place, data in stderr.take())])
    chunks: list[tuple[str, str]] = []
    for kind, group in groupby(pieces, key=itemgetter(1)):
        text = b"".join(data for _, _, data in group).decode("utf-8", "surrogateescape")
        chunks.append(("", text) if kind else (text, ""))
    return chunks


def _text(stream: Capture) -> str:
    return stream.value().decode("utf-8", "surrogateescape")


def _builtins_without(own: Mapping[str, Command]) -> Mapping[str, Any]:
    """The builtins that no command of the session replaces."""
    table = _builtin_table()
    hidden = tuple(name for name in table if name in own)
    return _reduced_table(hidden) if hidden else table


@lru_cache(maxsize=64)
def _reduced_table(hidden: tuple[str, ...]) -> Mapping[str, Any]:
    return {name: run for name, run in _builtin_table().items() if name not in hidden}


def _advise(shell: Shell, name: str) -> list[str]:
    """What follows "command not found": what the author may have meant, and what there is instead of a well-known program."""
    instead = utilities.advice(name)
    return [*suggest(shell, name), *([f"{shell.script_name}: {name}: {instead}"] if instead else [])]


def _say_nothing(_shell: Shell, _name: str) -> list[str]:
    return []


def _builtin_table() -> dict[str, Any]:
    return _BUILTINS or _BUILTINS.update((name, declared.run) for name, declared in declarations().items()) or _BUILTINS


_BUILTINS: dict[str, Any] = {}
_EXTERNALS = {"bash": run_bash, "sh": run_bash}
