"""What lasts from one execution to the next: files, commands, environment, and the shell."""

from __future__ import annotations

import errno
import json
from functools import partial
from typing import TYPE_CHECKING, Protocol

from bashkit.bash.command_table import EXTERNALS, Commands, advise, say_nothing
from bashkit.bash.execution import Execution
from bashkit.bash.machine_files import MachineFiles, new_root
from bashkit.errors import BashkitError, SnapshotError
from bashkit.fs import FileSystem, VirtualFileSystem
from bashkit.fs.system import SystemVolume
from bashkit.fs.volume import Quota
from bashkit.interp.expand.parameters import expand_subscript
from bashkit.interp.jit import translate
from bashkit.interp.runtime.clock import VirtualClock
from bashkit.interp.runtime.hub import Hub
from bashkit.interp.state.machine import Machine
from bashkit.interp.state.memory import measure
from bashkit.interp.state.shell import Shell
from bashkit.interp.state.startup import DEFAULT_PATH, define_variables
from bashkit.limits import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.bash.execution import Input, Invoked, Output
    from bashkit.bash.result import ExecResult
    from bashkit.bash.saving import SavedShell
    from bashkit.bash.snapshot import Snapshot
    from bashkit.fs import Mountable, Stream
    from bashkit.fs.memory import FrozenTree
    from bashkit.interp.runtime.system import VirtualSystem
    from bashkit.interp.utility.command import Command
    from bashkit.limits import ExecutionLimits

_NO_FILES = "files are switched off here (filesystem: none); keep data in variables and pipes"


class Run(Protocol):
    """An execution, as ``Bash`` drives it."""

    hub: Hub

    def main(self) -> int:
        """The first task."""
        ...

    def finish(self, status: int) -> ExecResult:
        """The result of a script that ended."""
        ...

    def fail(self, error: BaseException) -> ExecResult:
        """The result of a script that was ended; see ``Execution.fail``."""
        ...


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


class Session:
    """The two halves of ``Bash`` meet here: its public face sets it up, and each execution works on it.

    Between executions nothing that it holds knows it, or its shell: a session that is dropped is gone at once, with its files.

    Args:
        system: Clock, names and random numbers.
        limits: What one execution may spend.
        clock: Seconds since the epoch.
        own_commands: Commands of the session's own, by name.
        env: Exported variables of a new shell.
        cwd: The working directory of a new shell; the home directory when left out.
        fileless: Nothing can be written anywhere.

    Attributes:
        files: The files.
        clock: Seconds since the epoch.
        commands: Gives the commands that shells find.
        own_commands: The session's own commands, by name.
        home: The home directory.
        shell: The shell, once there has been an execution.
        running: Whether a script runs.
        keep: Whether a script may follow that goes on where the next one ends.
        suggestions: Whether a command that is not found brings a suggestion; or what finds commands that are about a name.
        left: Line and status of the command for which ``set -e`` ended the last script, or None.
    """

    __slots__ = (
        "_fileless",
        "_machine_files",
        "clock",
        "commands",
        "cwd",
        "env",
        "files",
        "home",
        "keep",
        "left",
        "limits",
        "own_commands",
        "running",
        "shell",
        "suggestions",
        "system",
    )

    files: VirtualFileSystem
    shell: Shell | None

    def __init__(
        self,
        system: VirtualSystem,
        limits: ExecutionLimits,
        clock: Callable[[], float],
        own_commands: dict[str, Command],
        env: dict[str, str],
        cwd: str | None,
        *,
        fileless: bool,
    ) -> None:
        self.system = system
        self.clock = clock
        self.limits = limits
        self.home = f"/home/{system.username}"
        self.env = env
        self.cwd = cwd or self.home
        self.shell = None
        self.running = False
        self.suggestions: bool | Callable[[str], list[str]] = True
        self.keep = True
        self.left: tuple[int, int] | None = None
        self.own_commands = own_commands
        self.commands = Commands(own_commands)
        self._fileless = fileless
        self._machine_files = MachineFiles(system, self.commands)
        self.files = self.root_files(new_root(self.home))

    def root_files(self, tree: FrozenTree) -> VirtualFileSystem:
        """The files of a session that has a tree of its own; nothing else is mounted.

        Raises:
            OSError: ``ENOSPC``: the tree is more than the limits allow.
        """
        quota = Quota(self.limits.max_file_system_bytes, self.limits.max_files)
        files = VirtualFileSystem(SystemVolume(quota, self.clock, tree, self._machine_files), self.system.random_source)
        files.volume.call = self.system.produce
        return files

    def close_files(self) -> None:
        """Refuse to store anything from now on, if the session is to have no files."""
        if self._fileless:
            self.files.volume.quota = NoFiles()

    def add_commands(self, commands: Mapping[str, Command]) -> None:
        """Declare more commands, or others in their place, for the next execution."""
        self.own_commands.update(commands)
        self.commands.renew()

    def remove_command(self, name: str) -> None:
        """Take one of the session's own commands away, for the next execution."""
        del self.own_commands[name]
        self.commands.renew()

    def handle(self) -> FileSystem:
        """The host's handle on the files."""
        return FileSystem(self.files)

    # -- executions ----------------------------------------------------------------------------------------------------

    def execution(self, script: str, stdin: Input, on_output: Output | None, invoked: Invoked | None) -> Run:
        """An execution of a script, after ``begin``; see ``Execution``."""
        return Execution(self, script, stdin, on_output, invoked)

    def begin(self) -> None:
        """An execution begins. From here on the caller sees to ``end``, whatever is raised, be it by an interrupt.

        Raises:
            BashkitError: Another is running.
        """
        if self.running:
            raise BashkitError("this session is running a script already; use one session for each")
        self.running = True

    def end(self) -> None:
        """The execution is over."""
        self.running = False
        machine = self._machine_files.machine
        if machine is not None:
            machine.main = None
        self._machine_files.leave()

    def cancel(self) -> None:
        """End the script that runs, from any thread."""
        hub = self.system.hub
        if self.running and hub is not None:
            hub.cancel()

    def budget(self) -> Budget:
        """What the next execution may spend."""
        clock = self.clock
        return Budget(self.limits, clock) if isinstance(clock, VirtualClock) else Budget(self.limits)

    def machine(self, budget: Budget, hub: Hub) -> Machine:
        """What all shells of one execution share."""
        table = self.commands()
        builtins = table.builtins
        machine = Machine(
            self.files,
            budget,
            hub,
            self.system,
            table.find,
            table.names,
            builtins.run,
            builtins.special,
            builtins.programs,
            builtins.scoped,
            EXTERNALS,
            expand_subscript,
            translate,
            table.names_of_own,
            table.ordered,
            partial(advise, find=self.suggestions) if callable(self.suggestions) else advise if self.suggestions else say_nothing,
        )
        budget.measure = partial(measure, machine.shells)
        self._machine_files.machine = machine
        return machine

    def prepare_shell(self, machine: Machine, descriptors: dict[int, Stream]) -> Shell:
        """The session's shell, ready for another script."""
        shell = self.shell
        if shell is not None:
            machine.shells[shell] = None
            shell.begin(machine, descriptors)
            return shell
        shell = Shell(machine, descriptors, self.cwd)
        machine.shells[shell] = None
        username = self.system.username
        define_variables(shell, {"PATH": DEFAULT_PATH, "HOME": self.home, "USER": username, "LOGNAME": username} | self.env)
        self.shell = shell  # with all of its variables: an interrupt may come before
        return shell

    # -- snapshots -----------------------------------------------------------------------------------------------------

    def save(self) -> Snapshot:
        """The session as it is now; see ``Bash.snapshot``."""
        from bashkit.bash.snapshot import Snapshot, save_mounts

        self._refuse_while_running()
        return Snapshot(self.save_state(), self.files.volume.freeze(), save_mounts(self.files))

    def save_state(self) -> str:
        """Everything but the files, as JSON text."""
        from bashkit.bash.saving import save_random, save_shell

        system = self.system
        state = {
            "username": system.username,
            "hostname": system.hostname,
            "home": self.home,
            "cwd": self.cwd,
            "env": self.env,
            "random": save_random(system.random) if system.repeatable else None,
            "shell": None if self.shell is None else save_shell(self.shell),
        }
        return json.dumps(state)

    def restore(self, snapshot: Snapshot, mounts: Mapping[str, Mountable]) -> None:
        """Go on from a snapshot; see ``Bash.restore``."""
        from bashkit.bash.snapshot import read_session, restore_files

        self._refuse_while_running()
        saved = read_session(snapshot.state)
        own = {path: source for path, (source, _) in self.files.mounts().items() if path in snapshot.mounts}
        room = (self.limits.max_file_system_bytes, self.limits.max_files)
        clock = self.clock
        try:
            files = self.root_files(snapshot.tree)
            restore_files(snapshot, files, {**own, **mounts}, room, clock)
        except OSError as error:
            raise SnapshotError(f"the files of the snapshot cannot be restored: {error.strerror}") from error
        self.files = files
        self.close_files()
        self.system.username, self.system.hostname = saved["username"], saved["hostname"]
        if saved["random"] is not None:
            self.system.random = saved["random"]
            self.system.repeatable = True
        self.home, self.cwd, self.env = saved["home"], saved["cwd"], saved["env"]
        self.shell = self.restored(saved["shell"])

    def restored(self, saved: SavedShell | None) -> Shell | None:
        """The shell that was saved, for the next execution."""
        if saved is None:
            return None
        budget = self.budget()
        shell = saved.restore(self.machine(budget, Hub(budget)))
        self._machine_files.leave()
        return shell

    def _refuse_while_running(self) -> None:
        if self.running:
            raise BashkitError("this session is running a script; a snapshot is made and restored between two of them")
