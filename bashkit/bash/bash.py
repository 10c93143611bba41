"""Bash: a session with the virtual shell, for those who embed it."""

from __future__ import annotations

import errno
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from bashkit.bash.execution import Invoked
from bashkit.bash.session import Session
from bashkit.commands import _python
from bashkit.errors import BashError, BashkitError, DefinitionError, ScriptSyntaxError
from bashkit.host_options import check_execution, check_instance, check_session
from bashkit.interp.runtime.system import VirtualSystem
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.utility.custom import custom_command
from bashkit.limits import DEFAULT_LIMITS
from bashkit.syntax.escapes import well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bashkit.bash.execution import Input, Output
    from bashkit.bash.result import ExecResult
    from bashkit.bash.session import Run
    from bashkit.bash.shell_state import ShellState
    from bashkit.bash.snapshot import Snapshot
    from bashkit.fs import FileSystem, Mountable
    from bashkit.fs.api import Content
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.custom import BuiltinContext
    from bashkit.limits import ExecutionLimits
    from bashkit.network import NetworkPolicy
    from bashkit.syntax.survey import ScriptAnalysis

_SYNTAX = 2  # the exit status of bash after a syntax error

Isolation = Literal["inline", "process"]


class Bash:
    """A session: variables, functions, files and the working directory last from one call to the next.

    Args:
        files: Files to begin with, by absolute path; content is ``str``, ``bytes``, or a function, sync or async, that gives one
            of them when the file is first read (LazyFile tells its size beforehand).
        mounts: Where to find more files, by absolute path: ``HostDirectory("./data")`` (read-only unless ``writable=True``),
            ``Overlay("./repo")`` (changes stay in memory), ``MemoryFileSystem()`` (shared by the sessions that mount it).
        env: Exported variables. Nothing is taken from the host.
        cwd: The working directory; it is made if need be. ``/home/<username>`` when left out.
        username: What ``whoami`` says.
        hostname: What ``hostname`` says.
        custom_builtins: Commands by name: functions that take a BuiltinContext and return a ``str`` or a BuiltinResult, or
            awaitables of one. A function that is not async runs in a thread, beside other tasks of the script.
        timeout_seconds: Wall-clock seconds for one call; shorthand for ``limits``, as are the next three.
        max_commands: Simple commands that one call may run.
        max_loop_iterations: Turns of all loops of one call together.
        max_memory: Bytes that variables and the buffers of utilities may hold.
        limits: What one call may spend.
        commands: Further utilities, as declared with ``bashkit.interp.utility.command``.
        clock: Seconds since the epoch, for ``date``, ``$SECONDS`` and time stamps. With a VirtualClock waiting takes no real
            time.
        seed: Makes ``$RANDOM``, ``shuf`` and ``mktemp`` repeatable.
        network: What curl and wget may reach, as a NetworkPolicy or its arguments in a dictionary; nothing when left out.
        filesystem: ``memory``, or ``none``: nothing can be written anywhere, and a script that tries is told so.
        isolation: ``inline``: scripts run in this process; ``process``: each in a sandbox process, which is killed when it does
            not keep to its limits; see SECURITY.md.
        python: Scripts have ``python3`` where the extra ``python`` is installed.

    Raises:
        DefinitionError: A setting is wrong; the message says what is right.
    """

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
        network: NetworkPolicy | Mapping[str, Any] | None = None,
        filesystem: Literal["memory", "none"] = "memory",
        isolation: Isolation = "inline",
        python: bool = True,
    ) -> None:
        self._check(
            files=files, mounts=mounts, env=env, cwd=cwd, username=username, hostname=hostname, custom_builtins=custom_builtins,
            limits=limits, commands=commands, clock=None if clock is time.time else clock, seed=seed, network=network,
            filesystem=filesystem, isolation=isolation,
        )  # fmt: skip
        own_commands = {**(_python.commands() if python else {}), **(commands or {})}
        for name, function in (custom_builtins or {}).items():
            own_commands[name] = custom_command(name, function)
        exported = {name: well_formed(text) for name, text in (env or {}).items()}
        allowed = (limits or DEFAULT_LIMITS).updated(
            timeout=timeout_seconds,
            max_commands=max_commands,
            max_loop_iterations=max_loop_iterations,
            max_memory_bytes=max_memory,
        )
        system = VirtualSystem(username or "user", hostname or "bashkit", clock, seed)
        if network is not None:
            from bashkit.network import policy_of

            system.network = policy_of(network)
        try:
            self._session = _session_class(isolation)(
                system, allowed, clock, own_commands, exported, well_formed(cwd) if cwd else cwd, fileless=filesystem == "none"
            )
        except OSError as error:
            raise DefinitionError(f"max_files: {allowed.max_files} are too few for the machine's own directories") from error
        for place, source in (mounts or {}).items():
            with self._making(f"mounts[{place!r}]"):
                self._session.files.mount(place, source)
        if self._session.cwd != self._session.home:
            with self._making(f"cwd {self._session.cwd!r}"):
                self._session.files.unchecked().makedirs(self._session.cwd)
        self.write_files(files or {})
        self._session.close_files()

    _check = staticmethod(check_session)

    def __reduce__(self) -> NoReturn:
        """Refuse to be copied and pickled: tasks and threads of this process have part in a session."""
        raise TypeError("a Bash can be neither copied nor pickled: restore(bash.snapshot()) lets another one go on from it")

    def forget_state(self) -> None:
        """No script follows the next one: a sandbox process need not send back what it leaves."""
        self._session.keep = False

    def write_files(self, files: Mapping[str, Content]) -> None:
        """Write files by absolute path, as ``files`` of a new session.

        Raises:
            DefinitionError: One cannot be written; the message has its path and the reason.
        """
        for path, content in files.items():
            with self._making(f"files[{path!r}]"):
                self.fs.write_file(well_formed(path), content)

    @contextmanager
    def _making(self, option: str) -> Iterator[None]:
        """Tell what cannot be made of an option, where a limit is reached with its name."""
        try:
            yield
        except OSError as error:
            reason = error.strerror
            space = self._session.files.volume.space()
            if error.errno == errno.ENOSPC and space is not None:
                full = "max_files" if space.files >= space.max_files else "max_file_system_bytes"
                reason = f"{full} ({getattr(self.limits, full)}) is reached"
            raise DefinitionError(f"{option} cannot be made: {reason}") from error

    @property
    def commands(self) -> Mapping[str, Command]:
        """The session's own commands, by name: what no snapshot keeps."""
        return self._session.own_commands

    @property
    def limits(self) -> ExecutionLimits:
        """What one call may spend."""
        return self._session.limits

    @property
    def suggestions(self) -> bool | Callable[[str], list[str]]:
        """Whether a command that is not found brings a suggestion; or what gives the commands that are about a name."""
        return self._session.suggestions

    @suggestions.setter
    def suggestions(self, on: bool | Callable[[str], list[str]]) -> None:
        self._session.suggestions = on

    @property
    def left(self) -> tuple[int, int] | None:
        """Line and status of the command for which ``set -e`` ended the last script, or None."""
        return self._session.left

    @property
    def fs(self) -> FileSystem:
        """The files of the session."""
        return self._session.handle()

    def add_commands(self, commands: Mapping[str, Command]) -> None:
        """Declare more utilities, or others in their place, for the next script."""
        check_session(commands=commands)
        self._session.add_commands(commands)

    def add_builtin(self, name: str, function: Callable[[BuiltinContext], Any]) -> None:
        """Declare one more custom builtin, or another in its place, for the next script.

        Args:
            name: The command word.
            function: As in ``custom_builtins``.

        Raises:
            DefinitionError: It is no name or no function.
        """
        check_session(custom_builtins={name: function})
        self._session.add_commands({name: custom_command(name, function)})

    def remove_builtin(self, name: str) -> None:
        """Take a custom builtin away, for the next script; what it has hidden is there again.

        Raises:
            DefinitionError: There is none of that name.
        """
        if name not in self._session.own_commands:
            raise DefinitionError(f"there is no custom builtin {name!r}")
        self._session.remove_command(name)

    def read_file(self, path: str) -> str:
        """The text of a file; bytes that are not UTF-8 become lone surrogates. ``fs`` reads bytes, and does all else with files.

        Args:
            path: The file, by its absolute path.

        Raises:
            OSError: It cannot be read.
        """
        return self.fs.read_file(path).decode("utf-8", "surrogateescape")

    def analyze(self, script: str) -> ScriptAnalysis:
        """Survey a script without running it: the commands it names with the words that are known, the files of its redirections,
        and whether more may be hidden. ``ScriptedTool.analyze`` knows besides what tools, files and hosts a script reaches.

        Raises:
            BashError: Bash would refuse the script; its exit status would be 2.
        """
        from bashkit.syntax.survey import survey

        check_execution(script, None, None)
        try:
            return survey(script)
        except ScriptSyntaxError as error:
            raise BashError(_SYNTAX, "", f"bash: line {error.line}: {error.message}\n") from None

    # -- running -------------------------------------------------------------------------------------------------------

    def execute_sync(
        self,
        script: str,
        *,
        stdin: Input = None,
        on_output: Output | None = None,
        words: Sequence[str] | None = None,
        from_file: bool = False,
    ) -> ExecResult:
        """Run a script and wait for it; works inside a running event loop too, which it blocks.

        Args:
            script: As for ``bash -c``, or the text of a file.
            stdin: Its standard input; empty when left out. A function gives the next piece each time it is called, ``b""`` at the
                end; it is called in a thread, and only for what the script reads.
            on_output: Called with (stdout, stderr) chunks as they are written; a function that is not async.
            words: ``$0``, ``$1`` and so on, as after ``bash -c script``; they stay for later scripts of the session.
            from_file: The script is the text of the file that the first word names, and runs as after ``bash FILE``: it finds its
                name in ``BASH_SOURCE``, too.

        Raises:
            TypeError: An argument has a wrong type.
            DefinitionError: A word has a NUL character.
        """
        make = self._execution(script, stdin, on_output, words, from_file=from_file)
        self._session.begin()
        try:
            run = make()
            try:
                return run.finish(run.hub.run_sync(run.main))
            except BaseException as error:
                return run.fail(error)
        finally:
            self._session.running = False  # here, because an interrupt may come as a function begins
            self._session.end()

    def _execution(
        self, script: str, stdin: Input, on_output: Output | None, words: Sequence[str] | None, *, from_file: bool
    ) -> Callable[[], Run]:
        """What makes the execution when the session has begun with it."""
        told = check_execution(script, stdin, on_output, words, from_file=from_file)
        invoked = None if words is None else Invoked([well_formed(word) for word in words], from_file)
        given = well_formed(stdin) if isinstance(stdin, str) else stdin
        return partial(self._session.execution, well_formed(script), given, told, invoked)

    async def execute(
        self,
        script: str,
        *,
        stdin: Input = None,
        on_output: Output | None = None,
        words: Sequence[str] | None = None,
        from_file: bool = False,
    ) -> ExecResult:
        """As ``execute_sync``, on the running event loop, which is never blocked for more than a few milliseconds.

        Raises:
            RuntimeError: No event loop of asyncio is running.
        """
        _check_loop()
        make = self._execution(script, stdin, on_output, words, from_file=from_file)
        self._session.begin()
        try:
            run = make()
            try:
                return run.finish(await run.hub.run_async(run.main))
            except BaseException as error:
                return run.fail(error)
        finally:
            self._session.running = False  # as above
            self._session.end()

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
        check_session(env={name: text})
        text = well_formed(text)
        self._session.env[name] = text
        shell = self._session.shell
        if shell is not None:
            try:
                shell.export(name, text)
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
        return self._session.running

    def cancel(self) -> None:
        """End the script that runs, from any thread; it keeps its output, and its error is ``cancelled``."""
        self._session.cancel()

    def shell_state(self) -> ShellState:
        """What the shell holds: variables, arrays, environment, working directory, functions, aliases, traps and ``$?``.

        Raises:
            BashkitError: A script is running.
        """
        from bashkit.bash.shell_state import ShellState, state_of

        if self.running:
            raise BashkitError("a script is running in this session")
        session = self._session
        shell = session.shell
        return ShellState(dict(session.env), env=dict(session.env), cwd=session.cwd) if shell is None else state_of(shell)

    def reset(self) -> None:
        """Forget variables, functions and options; files stay."""
        self._session.shell = None

    # -- snapshots -----------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The session as it is now, as a value to go on from: see Snapshot for what it keeps, and what it cannot.

        Raises:
            BashkitError: A script is running.
            SnapshotError: Something is mounted that cannot be kept.
        """
        return self._session.save()

    def restore(self, snapshot: Snapshot, *, mounts: Mapping[str, Mountable] | None = None) -> None:
        """Go back, or over, to a snapshot; what the session holds is lost. Custom builtins, clock and limits stay.

        A handle taken from ``fs`` before still leads to the old files.

        Args:
            snapshot: Where to go on from.
            mounts: What to mount, by path. Where nothing is given, what the session itself has there is used, then what the
                snapshot had; one that was read from bytes names the directories of the host and cannot reach them.

        Raises:
            BashkitError: A script is running.
            DefinitionError: It is no Snapshot, or a mount is none.
            SnapshotError: The session stays as it is: a directory of the host is missing, or the files do not fit into the
                limits.
        """
        from bashkit.bash.snapshot import Snapshot

        check_instance("snapshot", snapshot, Snapshot)
        check_session(mounts=mounts)
        self._session.restore(snapshot, mounts or {})

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
        network: NetworkPolicy | Mapping[str, Any] | None = None,
        isolation: Isolation = "inline",
        python: bool = True,
    ) -> Bash:
        """A new session that goes on from a snapshot.

        Args:
            snapshot: Where to go on from.
            mounts: What to mount, by path; a snapshot that was read from bytes needs it for every directory of the host.
            custom_builtins, timeout_seconds, limits, commands, clock, network, isolation, python: As for ``Bash``: what no
                snapshot keeps.
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
            network=network,
            isolation=isolation,
            python=python,
        )
        session.restore(snapshot, mounts=mounts)
        return session


def _unchecked(**_: object) -> None:
    """Nothing is checked."""


class CheckedBash(Bash):
    """A session whose options were checked before: a ScriptedTool makes one for every script."""

    _check = staticmethod(_unchecked)


def _session_class(isolation: str) -> type[Session]:
    if isolation == "inline":
        return Session
    from bashkit.bash.isolated.session import IsolatedSession

    return IsolatedSession


def _check_loop() -> None:
    import asyncio  # as in run_async

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError("execute needs a running event loop of asyncio; execute_sync needs none") from None
