"""The state of one shell, and how a subshell gets its copy of it (bash(1), COMMAND EXECUTION ENVIRONMENT)."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Any

from bashkit.fs.resolving import upwards
from bashkit.interp.runtime.control import ExitShell, ExpansionError, LineError
from bashkit.interp.runtime.pieces import PIECE
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.calls import Call, Function, Invocation
from bashkit.interp.state.history import History
from bashkit.interp.state.options import DEFAULTS, OPTION_NAMES
from bashkit.interp.state.store import VariableStore
from bashkit.interp.state.tables import FoundCommands, JobTable, Traps
from bashkit.interp.state.variables import READONLY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.fs import Stream
    from bashkit.interp.run.nested import Within
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.runtime.turns import Turn
    from bashkit.interp.state.machine import Machine
    from bashkit.interp.state.variables import DynamicVariable, Stored, Variable
    from bashkit.syntax.nodes import Command

    Run = Callable[["Shell"], int]
    Builtin = Callable[["Shell", list[str]], int]

_OUTERMOST = Invocation()
_COMPATIBLE = re.compile(r"([3-5])\.?([0-9])")
_OLDEST, _OWN_LEVEL = 31, 52


class Shell(VariableStore):
    """A shell or subshell: a machine that all share, tables with a ``fork`` of their own, and where the shell just is.

    Args:
        machine: What all shells of the execution share.
        descriptors: Its open files.
        cwd: The working directory.
        invocation: How it was started.
    """

    __slots__ = (
        "aliases",
        "altered",
        "announced",
        "apart",
        "asked_outside",
        "budget",
        "builtins",
        "calls",
        "child",
        "completions",
        "condition_depth",
        "cwd",
        "debugging",
        "descriptors",
        "dice",
        "directories",
        "evaluated",
        "evaluating",
        "fed",
        "first_arguments",
        "found",
        "frames",
        "functions",
        "getopts_place",
        "given",
        "history",
        "interrupted_at",
        "inverted",
        "invocation",
        "jobs",
        "lenient",
        "line",
        "loop_depth",
        "machine",
        "mute",
        "of_builtin",
        "operands",
        "options",
        "parent_pid",
        "pid",
        "pipe_statuses",
        "pipeline",
        "positional",
        "recording",
        "script_name",
        "seconds_base",
        "signals",
        "sole",
        "status",
        "subshell_level",
        "successor",
        "task",
        "temporary",
        "traps",
        "turn",
        "ulimits",
        "umask",
        "untranslated",
        "waiting",
        "watching",
        "within",
    )

    machine: Machine
    found: FoundCommands
    directories: tuple[str, ...]
    getopts_place: tuple[int, int]
    invocation: Invocation
    line: int
    parent_pid: int
    pid: int
    status: int
    subshell_level: int

    def __init__(self, machine: Machine, descriptors: dict[int, Stream], cwd: str, invocation: Invocation = _OUTERMOST) -> None:
        self.machine = machine
        self.budget = machine.budget
        self.builtins = machine.builtins  # never changed in place: subshells share it
        self.invocation = invocation
        self.pid = invocation.process_id  # $BASHPID
        self.parent_pid = 1
        self.descriptors = descriptors
        self.cwd = cwd
        self.umask = 0o022
        self.ulimits: dict[str, str] = {}  # what `ulimit` was told, by letter and S or H
        self.seconds_base = machine.system.now()
        self._start_variables()
        self.functions: dict[str, Function] = {}
        self.aliases: dict[str, str] = {}  # replaced, never changed, as are completions and limits
        self.completions: dict[str, str] = {}  # what `complete` was told, by command name
        self.options = DEFAULTS
        self.traps = Traps()
        self.jobs = JobTable()
        self.history = History()
        self.found = FoundCommands()
        self.within: Within | None = None  # the tool whose script it runs
        self.pipeline: int | None = None  # the number of the pipeline it is a stage of
        self.subshell_level = 0
        # where it just is
        self.positional: list[str] = []
        self.first_arguments: list[str] | None = None  # what BASH_ARGV begins with, once it is kept
        self.calls: list[Call] = []
        self.script_name = invocation.name
        self.line = 1
        self.status = 0
        self.pipe_statuses: list[int] | None = []  # None: those of a single command, which is status
        self.temporary: list[int] = []  # the descriptors of process substitutions, closed when their command is done
        self.operands: list[Any] = []  # of the arithmetic template that is being evaluated: numbers, and texts of subscripts
        self.directories = ()  # the directory stack below the working directory
        self.getopts_place = (1, 1)  # OPTIND and the offset in that word; 0 where it ended
        self.evaluated: Stored | None = None  # BASH_COMMAND for the EXIT trap, while eval or a sourced file runs: their command
        self.evaluating = 0  # substitutions, eval, sourced files and traps around the running command: the level of its trace
        self.inverted = -1  # the depth of calls at which the running command's status is inverted by `!`
        self.announced = ""  # the command for which the DEBUG trap has already run, in the shell that started this one
        self.condition_depth = 0
        self.asked_outside: tuple[int, int] = (0, -1)  # depth and `inverted` around the innermost eval or sourced file
        self.lenient = False  # what runs is of an eval or a sourced file whose failure is asked for
        self.loop_depth = 0
        self.frames = 0
        self.signals: list[str] = []  # sent by other shells, and not acted on yet
        self.mute = False  # it is that of a command substitution: nothing is said of processes that signals have ended
        self.interrupted_at = 0  # the next process ID when SIGINT came: if an older child ends by that, so does the shell
        self.task: Task | None = None  # that it runs in
        self.child: object = None  # the utility that it runs just now
        self.waiting: Task | None = None  # its task, while a builtin waits that a signal interrupts
        self.recording = False  # some text that it ran asks for BASH_COMMAND, which is kept from then on
        self.sole = False  # it was made for the running simple command or subshell, whose process it is
        self.successor: Command | None = None  # that takes the place of a subshell's process when it runs, being its last
        self.apart = False  # the command that runs is a stage of a pipeline, which is told of its failure
        self.of_builtin = False  # the process is that of eval or another builtin that runs commands, which errexit ends with 1
        self.dice: tuple[int, int] | None = None  # the state of a seeded RANDOM, and its last number
        self.turn: Turn | None = None  # that of the background job in which it runs
        self.fed: Stream | None = None  # what a pipe or redirection feeds to the very command that runs
        self.given = False  # a pipe or a compound command's redirection is its standard input, which jobs then have, too
        self.watching = False  # errexit is set, or an ERR trap is
        self.debugging = False  # a DEBUG trap is set, or a signal waits for its trap
        self.altered = False  # a builtin was replaced or switched off, or patterns ignore case
        self.untranslated = False  # something is on that only closures obey: generated code leaves its commands to them

    def fork(self, *, job: bool = False) -> Shell:
        """A copy for a subshell: its changes stay its own.

        Args:
            job: It runs as a task of its own, with a fresh stack; wait here until there may be one more.
        """
        if job:
            self.machine.hub.wait_for_place()
        twin = Shell.__new__(Shell)
        twin.machine = self.machine
        twin.budget = self.budget
        twin.builtins = self.builtins
        twin.invocation = self.invocation
        twin.pid = twin.parent_pid = self.pid
        twin.descriptors = descriptors = self.descriptors.copy()
        for stream in descriptors.values():
            stream.refs += 1
        twin.cwd = self.cwd
        twin.umask = self.umask
        twin.ulimits = self.ulimits
        twin.seconds_base = self.seconds_base
        self._fork_variables(twin)
        twin.functions = self.functions.copy()
        twin.aliases = self.aliases
        twin.completions = self.completions
        twin.options = self.options
        traps, jobs, found = self.traps, self.jobs, self.found
        twin.traps = traps.fork(self.options) if traps or traps.inherited else Traps()
        twin.jobs = jobs.fork() if jobs.last else JobTable()
        twin.history = self.history.fork() if self.history else History()
        twin.found = found.fork() if found or found.emptied else FoundCommands()
        twin.within = self.within
        twin.pipeline = self.pipeline
        twin.turn = self.turn
        twin.subshell_level = self.subshell_level + 1
        twin.positional = self.positional
        twin.first_arguments = self.first_arguments
        twin.calls = self.calls.copy()
        twin.script_name = self.script_name
        twin.line = self.line
        twin.status = self.status
        twin.pipe_statuses = self.pipe_statuses
        twin.temporary = []
        twin.operands = []
        twin.directories = self.directories
        twin.getopts_place = self.getopts_place
        twin.evaluated = None
        twin.evaluating = self.evaluating
        twin.inverted = -1
        twin.announced = ""
        twin.condition_depth = self.condition_depth
        twin.asked_outside = self.asked_outside
        twin.lenient = self.lenient
        twin.loop_depth = 0
        twin.frames = 0 if job else self.frames + 8
        twin.fed = self.fed
        twin.given = self.given
        twin.signals = []
        twin.mute = False
        twin.interrupted_at = 0
        twin.task = None
        twin.child = None
        twin.waiting = None
        twin.recording = self.recording
        twin.sole = twin.of_builtin = False
        twin.successor = None
        twin.apart = False
        twin.dice = None  # a subshell has a sequence of its own
        twin.altered = self.altered
        twin.watching = self.options.errexit
        twin.debugging = False
        twin.untranslated = self.untranslated
        if twin.traps or self.debugging:
            twin.watch()
        self.machine.shells[twin] = None
        if len(twin.variables) > 256:
            twin.budget.grow(100 * len(twin.variables))
        return twin

    def process(self, name: str) -> Shell:
        """A new shell that is a process of its own: it shares open files, directory and masks, and nothing else.

        Args:
            name: Its ``$0``.
        """
        machine = self.machine
        descriptors = self.descriptors.copy()
        for stream in descriptors.values():
            stream.refs += 1
        pid = self.pid if self.sole else machine.hub.new_pid()
        twin = Shell(machine, descriptors, self.cwd, Invocation(name, pid, command_string=False))
        machine.shells[twin] = None
        twin.parent_pid = self.parent_pid if self.sole else self.pid
        twin.umask = self.umask
        twin.ulimits = self.ulimits
        twin.within = self.within
        twin.pipeline = self.pipeline
        twin.pipe_statuses = self.pipe_statuses
        twin.arithmetic_depth = self.arithmetic_depth
        twin.frames = self.frames + 20
        twin.fed = self.fed
        twin.altered = twin.untranslated = self.altered
        if self.recording:
            twin.record()
        return twin

    @property
    def visible_level(self) -> int:
        """BASH_SUBSHELL: a process for one simple command of a pipeline counts only in the function or file that it runs."""
        expands = self.sole and self.pipeline is not None and len(self.calls) <= self.inverted
        return self.subshell_level - expands

    def alter(self) -> None:
        """Note that what generated code takes for granted does not hold in this shell."""
        self.altered = self.untranslated = True

    def record(self) -> None:
        """Keep ``BASH_COMMAND`` up to date from now on, which costs every command a little."""
        self.recording = True
        self.watch()

    def take(self, signal: str) -> None:
        """Note a signal that another shell sent: what it does is done before the next command."""
        self.signals.append(signal)
        self.watch()
        if self.waiting is not None:
            self.machine.hub.wake(self.waiting)

    def reap(self, children: int = 1) -> None:
        """Note that children have ended: the CHLD trap runs for each before the next command."""
        if self.traps.get("CHLD") and "CHLD" not in self.traps.running:
            for _ in range(children):
                self.take("CHLD")

    @property
    def may_fail(self) -> bool:
        """Whether a condition, or a ``!``, asks for the status of the running command."""
        return bool(self.condition_depth) or len(self.calls) in {self.inverted, self.asked_outside[1]}

    @property
    def is_asked(self) -> bool:
        """Whether a condition or a ``!`` of the text itself that ``eval`` runs, or of the sourced file, asks for that status."""
        return self.condition_depth > self.asked_outside[0] or self.inverted == len(self.calls)

    @property
    def interrupted(self) -> bool:
        """Whether a signal has come that ends ``wait``; SIGCHLD does not."""
        return any(signal != "CHLD" for signal in self.signals)

    def watch(self) -> None:
        """Note whether commands, or those that fail, are watched; called when traps or options change."""
        traps = self.traps
        self.watching = self.options.errexit or "ERR" in traps
        self.debugging = ("DEBUG" in traps and "DEBUG" not in traps.running) or self.recording or bool(self.signals)
        options = self.options
        self.untranslated = self.debugging or self.altered or options.xtrace or options.allexport or options.set["keyword"]

    def begin(self, machine: Machine, descriptors: dict[int, Stream]) -> None:
        """Make ready for another script: what belonged to the last one is forgotten."""
        self.machine = machine
        self.budget = machine.budget
        self.descriptors = descriptors
        self.condition_depth = self.loop_depth = self.frames = self.arithmetic_depth = 0
        self.asked_outside = (0, -1)
        self.signals.clear()
        self.scopes.clear()
        self.calls.clear()
        self.jobs.clear()
        self.jobs.turns = None  # an interrupt may have left one that nobody ends
        self.temporary.clear()

    def release(self) -> None:
        """The shell ends: close its descriptors."""
        self.machine.shells.pop(self, None)
        self.task = None
        for stream in self.descriptors.values():
            stream.release()
        self.descriptors = {}

    def replace_descriptor(self, number: int, stream: Stream) -> None:
        """Let a descriptor refer to ``stream``, whose reference is handed over; the old one is closed."""
        old = self.descriptors.get(number)
        self.descriptors[number] = stream
        if old is not None:
            old.release()

    def expand_subscript(self, name: str, text: str) -> str:
        """A subscript that came as text: quotes are removed and expansions done."""
        return self.machine.expand_subscript(self, name, text)

    def absolute(self, path: str) -> str:
        """A path against the working directory, ``..`` left to the file system."""
        if path[:2] == "..":
            return upwards(self.machine.fs, self.cwd, path)
        return path if path.startswith("/") else posixpath.join(self.cwd, path)

    # -- output --------------------------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Write to standard output.

        Raises:
            OSError: It is closed or full.
        """
        stream = self.descriptors.get(1)
        if stream is None:
            raise OSError(9, "Bad file descriptor")
        if len(text) > PIECE:
            self.budget.tick(PIECE >> 6)
        stream.write(text.encode("utf-8", "surrogateescape"))

    def print_error(self, text: str) -> None:
        """Write a line to standard error, if there is one."""
        stream = self.descriptors.get(2)
        if stream is not None:
            try:
                stream.write((text + "\n").encode("utf-8", "surrogateescape"))
            except OSError:
                pass  # there is nowhere left to say so

    @property
    def origin(self) -> str:
        """Where the running command stands, as messages begin: the script, or what the function or sourced file came from."""
        return self.named_source(self.calls[-1].source) if self.calls else self.script_name

    def named_source(self, source: str) -> str:
        """What bash calls the source of a function: ``environment`` for the text of ``bash -c``, ``main`` for standard input."""
        return source or self.invocation.file or ("environment" if self.invocation.command_string else "main")

    @property
    def place(self) -> str:
        """The beginning of a message: ``bash: line N``; ``bash:N`` under ``gnu_errfmt``."""
        if self.invocation.interactive or not self.line:  # a function of the environment begins with line 0
            return self.origin
        return f"{self.origin}{':' if self.options.shopt['gnu_errfmt'] else ': line '}{self.line}"

    def warn(self, message: str) -> None:
        """Report an error as ``bash: line N: message``."""
        self.print_error(f"{self.place}: {message}")

    def complain(self, name: str, message: str) -> None:
        """Report an error of a builtin as ``bash: line N: name: message``."""
        self.print_error(f"{self.place}: {name}: {message}")

    def complain_of_expression(self, name: str, error: ExpansionError) -> None:
        """Report why ``((`` or ``let`` cannot evaluate an expression; bash does not name them when a variable is readonly.

        Raises:
            ExpansionError: The error is fatal, or ends the line, or it is none of the expression.
        """
        if error.fatal or error.of_operand or isinstance(error, LineError):
            error.at_once = True
            raise error
        if isinstance(error, ReadonlyError):
            self.complain_of_variable(error.message)
        else:
            self.complain(name, error.message)

    def complain_of_variable(self, message: str) -> None:
        """Report a readonly variable or a bad subscript, which under ``set -e`` ends the shell, whatever the command is part of.

        Raises:
            ExpansionError: Under ``set -e``, with the message.
        """
        if self.options.errexit:
            raise ExpansionError(message, fatal=True)
        self.warn(message)

    def tell(self, error: ExpansionError) -> None:
        """Say once what failed: before the redirections are undone that were made when it did."""
        if error.message and not error.told:
            error.told = True
            self.print_error(f"{error.place or self.place}: {error.message}")

    def report(self, error: ExpansionError, level: int = 0) -> None:
        """Report a failed expansion, and leave the shell when it is fatal.

        Args:
            error: What failed.
            level: How many subshells deep a shell may be that still tells by its status why it ends.

        Raises:
            ExitShell: The error ends a non-interactive shell.
        """
        self.tell(error)
        self.status = 1
        refused = self.options.posix and not isinstance(error, LineError)
        if self.invocation.interactive and not self.subshell_level:
            return
        if error.fatal or refused:
            if "EXIT" in self.traps.running and self.traps.before is not None and not self.options.errexit:
                raise ExitShell(self.traps.before)  # it ends already, and with that status
            outermost = (
                self.invocation.command_string
                and not self.invocation.interactive
                and self.subshell_level <= level
                and (not self.options.errexit or self.lenient or (error.of_arithmetic and not error.fatal))
            )
            raise ExitShell((error.status if error.fatal else 127) if outermost else 1)

    def set_positional(self, words: list[str]) -> None:
        """Set the positional parameters, as ``set`` does: those of a sourced file are then not taken back at its end."""
        self.positional = words
        if self.calls:
            self.calls[-1].renumbered = True

    def remembered(self) -> FoundCommands:
        """Where commands are, of those that ran since PATH was assigned."""
        self.found.follow(self.get("PATH"))
        return self.found

    def keep_arguments(self) -> list[str]:
        """What ``BASH_ARGV`` begins with: the positional parameters when somebody first asks."""
        if self.first_arguments is None:
            self.first_arguments = list(self.positional)
        return self.first_arguments

    # -- options -------------------------------------------------------------------------------------------------------

    def set_option(self, name: str, on: bool) -> None:
        """``set -o name`` or ``set +o name``; posix mode has a variable of its own."""
        self.options = self.options.with_set(name, on)
        if name == "posix" and on:
            self.variables.setdefault("POSIXLY_CORRECT", "y")
        elif name == "posix":
            self.variables.pop("POSIXLY_CORRECT", None)
        self.watch()

    @property
    def restricted(self) -> bool:
        """Whether it is a restricted shell (bash(1), RESTRICTED SHELL)."""
        return self.options.shopt["restricted_shell"]

    def restrict(self, *, variables: bool = True) -> None:
        """Become a restricted shell, for good; its variables cannot be set, but where ``set -r`` stands in a command string."""
        self.options = self.options.with_shopt("restricted_shell", on=True)
        if not variables:
            return
        for name in ("SHELL", "PATH", "HISTFILE", "ENV", "BASH_ENV"):
            self.attributed(name).flags |= READONLY

    def set_letter(self, letter: str, on: bool) -> None:
        """``set -letter`` or ``set +letter``."""
        if letter != "r":
            self.set_option(OPTION_NAMES[letter], on)
        elif on:
            self.restrict(variables=not self.invocation.command_string)

    def set_shell_option(self, name: str, on: bool) -> None:
        """``shopt -s name`` or ``shopt -u name``."""
        if name.startswith("compat"):
            if on or self.shell_options()[name]:
                self.assign("BASH_COMPAT", name[len("compat") :] if on else str(_OWN_LEVEL))
            return
        self.options = self.options.with_shopt(name, on)
        if name == "nocasematch":
            self.alter()
        if name == "extdebug":
            self.set_option("errtrace", on)
            self.set_option("functrace", on)
        if name == "extdebug" and on:
            if self.first_arguments is None and self.compatibility <= 44:
                self.first_arguments = []
            self.keep_arguments()

    @property
    def compatibility(self) -> int:
        """The version of bash that it is to do as, without the point (bash(1), SHELL COMPATIBILITY MODE)."""
        match = _COMPATIBLE.fullmatch(self.get("BASH_COMPAT") or "")
        level = int(match[1] + match[2]) if match else _OWN_LEVEL
        return level if _OLDEST <= level <= _OWN_LEVEL else _OWN_LEVEL

    def shell_options(self) -> Mapping[str, bool]:
        """The options of ``shopt``, those of compatibility among them."""
        name = f"compat{self.compatibility}"
        options = self.options.shopt
        return {**options, name: True} if name in options else options

    # -- IFS -----------------------------------------------------------------------------------------------------------

    def separators(self) -> str:
        """The value of IFS; its default when unset."""
        value = self.variables.get("IFS")
        if value.__class__ is str:
            return value  # pyright: ignore[reportReturnType]  # narrowed by __class__
        found = self.get("IFS")
        return " \t\n" if found is None else found

    def star(self, values: list[str]) -> str:
        """``"$*"``: joined by the first character of IFS."""
        return self.separators()[:1].join(values)

    def define(self, name: str, variable: DynamicVariable | Variable | str) -> None:
        """Set a variable as the shell starts."""
        self.variables[name] = variable
