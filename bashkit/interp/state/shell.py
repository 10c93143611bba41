"""The state of one shell, and how a subshell gets its copy of it (bash(1), COMMAND EXECUTION ENVIRONMENT)."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from bashkit.interp.runtime.control import ExitShell, ExpansionError
from bashkit.interp.state.options import SET_DEFAULTS, SHOPT_DEFAULTS
from bashkit.interp.state.store import ReadonlyError, VariableStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bashkit.fs import Stream, VirtualFileSystem
    from bashkit.interp.run.functions import Body
    from bashkit.interp.run.nested import Within
    from bashkit.interp.runtime.hub import Hub
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.variables import DynamicVariable, Stored, Variable
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.process import System
    from bashkit.limits import Budget
    from bashkit.syntax import nodes

    Run = Callable[["Shell"], int]
    Builtin = Callable[["Shell", list[str]], int]

ROOT_PID = 1000  # what $$ says; nothing of the host


class Unit(Protocol):
    """A generated function.

    Its arguments are the shell, the status of the last turn, and where to go on: for ``for name in words`` the values and how many
    of them have had their turn, for an arithmetic ``for`` whether its first expression has been evaluated.
    """

    def __call__(self, shell: Shell, before: int = 0, rest: tuple[list[str], int] | bool | None = None, /) -> int:
        """Run it; returns the status."""
        ...


@dataclass(slots=True)
class Function:
    """A defined function.

    Attributes:
        name: Its name.
        body: What it runs.
        definition: The tree, for ``declare -f``.
        line: Where it was defined.
        source: The file it was defined in.
        exported: ``export -f``.
        readonly: ``readonly -f``.
        traced: ``declare -ft``.
    """

    name: str
    body: Body
    definition: nodes.FunctionDefinition
    line: int
    source: str
    exported: bool = False
    readonly: bool = False
    traced: bool = False


@dataclass(slots=True)
class Call:
    """A running function or sourced file, for FUNCNAME, BASH_LINENO and ``return``."""

    name: str
    line: int
    source: str
    is_function: bool = True
    options: dict[str, bool] | None = None  # what `local -` gives back
    words: Sequence[str] = ()  # its arguments, for BASH_ARGV


@dataclass(slots=True)
class Job:
    """A background job."""

    number: int
    task: Task
    command: str
    reported: bool = False


@dataclass(slots=True)
class Machine:
    """What all shells of one execution share.

    Attributes:
        fs: The files.
        budget: What may be spent.
        hub: The scheduler.
        system: Clock, names, random numbers.
        find_command: A utility by name: the session's own commands first, then the registry.
        command_names: Every utility's name, for ``type``, ``compgen`` and suggestions.
        builtins: What bash itself has.
        special_builtins: Those of them that are special (POSIX XCU 2.14).
        program_builtins: Those of them that are files of /usr/bin, too.
        externals: Commands that are files to a script but need the shell: ``bash``, ``sh``.
        expand_subscript: Expands a subscript that came as text; expansion is above this package.
        translate: The generated function for a loop or for the body of a function; see ``bashkit.interp.jit``.
        own_commands: Names of the session's own commands, found whatever PATH says.
        suggest: Lines to print after "command not found".
        main: The shell that runs the execution's own text.
        syntax_error: The text of the execution itself was refused by the parser.
        signals: Signals that other shells sent to the main shell, whose traps have not run yet.
        killed: The signal that ends the main shell.
        finished: Status of jobs that were waited for, by process ID.
        on_flush: Called after each simple command of the main shell while output is streamed.
        pipelines: How many pipelines have begun.
        left: Line and status of the command for which errexit left the main shell, and how many commands might still have run then.
    """

    fs: VirtualFileSystem
    budget: Budget
    hub: Hub
    system: System
    find_command: Callable[[str], Command | None]
    command_names: Callable[[], list[str]]
    builtins: Mapping[str, Builtin]
    special_builtins: frozenset[str]
    program_builtins: frozenset[str]
    externals: Mapping[str, Builtin]
    expand_subscript: Callable[[Shell, str], str]
    translate: Callable[..., Unit | None]
    own_commands: frozenset[str] = frozenset()
    suggest: Callable[[Shell, str], list[str]] = lambda shell, name: []  # noqa: ARG005
    on_flush: Callable[[], None] | None = None
    main: Shell | None = None
    syntax_error: bool = False
    signals: list[str] = field(default_factory=list)
    killed: int = 0
    finished: dict[int, int] = field(default_factory=dict)
    pipelines: int = 0
    left: tuple[int, int, int] | None = None


class Shell(VariableStore):
    """A shell or subshell.

    Every attribute that bash copies into a subshell is copied by ``fork``; the machine is shared.
    """

    __slots__ = (
        "aliases",
        "allexport",
        "altered",
        "announced",
        "arithmetic_depth",
        "budget",
        "builtins",
        "calls",
        "command_string",
        "completions",
        "condition_depth",
        "cwd",
        "debugging",
        "descriptors",
        "errexit",
        "evaluating",
        "fed",
        "frames",
        "from_file",
        "functions",
        "getopts_place",
        "hashed",
        "hashed_path",
        "inverted",
        "jobs",
        "known_traps",
        "last_background",
        "line",
        "loop_depth",
        "machine",
        "name",
        "noglob",
        "nounset",
        "operands",
        "options",
        "pid",
        "pipe_statuses",
        "pipefail",
        "pipeline",
        "positional",
        "process_id",
        "scopes",
        "script_name",
        "seconds_base",
        "shopt",
        "shown_jobs",
        "status",
        "subshell_level",
        "temporary",
        "token",
        "trapping",
        "traps",
        "ulimits",
        "umask",
        "variables",
        "watching",
        "within",
        "xtrace",
    )

    machine: Machine
    line: int
    pid: int
    status: int
    subshell_level: int

    def __init__(self, machine: Machine, descriptors: dict[int, Stream], cwd: str, *, name: str = "bash") -> None:
        self.machine = machine
        self.budget = machine.budget
        self.builtins = dict(machine.builtins)
        self.descriptors = descriptors
        self.cwd = cwd
        self.name = name
        self.script_name = name
        self.variables: dict[str, Stored] = {}
        self.token: object = object()
        self.scopes: list[dict[str, Stored | None]] = []
        self.functions: dict[str, Function] = {}
        self.aliases: dict[str, str] = {}
        self.completions: dict[str, str] = {}  # what `complete` was told, by command name; replaced, never changed
        self.positional: list[str] = []
        self.options = SET_DEFAULTS  # never changed in place: subshells share it
        self.shopt = SHOPT_DEFAULTS  # the same
        self.traps: dict[str, str] = {}
        self.known_traps: dict[str, str] | None = None  # what `trap` shows in a subshell that has set none itself
        self.jobs: dict[int, Job] = {}
        self.shown_jobs: dict[int, Job] = {}  # those of the parent, which `jobs` shows in a subshell without jobs of its own
        self.calls: list[Call] = []
        self.operands: list[int] = []
        self.temporary: list[int] = []
        self.within: Within | None = None  # the tool whose script it runs
        self.pipeline: int | None = None  # the number of the pipeline it is a stage of
        self.pipe_statuses: list[int] | None = []  # None: those of a single command, which is status
        self.status = 0
        self.line = 1
        self.pid = self.process_id = ROOT_PID  # $BASHPID and $$
        self.hashed: dict[str, tuple[str, int]] = {}  # where commands were found (or ""), and how often they ran since
        self.hashed_path: str | None = None  # the PATH for which that holds
        self.evaluating = 0  # substitutions, eval, sourced files and traps around the running command: the level of its trace
        self.inverted = -1  # the depth of calls at which the running command's status is inverted by `!`
        self.announced = ""  # the command for which the DEBUG trap has already run, in the shell that started this one
        self.umask = 0o022
        self.ulimits: dict[str, str] = {}  # what `ulimit` was told, by letter and S or H; replaced, never changed
        self.last_background = 0
        self.getopts_place = (0, 1)  # OPTIND and the offset in that word
        self.subshell_level = 0
        self.command_string = True  # bash -c: some fatal errors then have another status
        self.from_file = False  # it runs a script that is a file
        self.condition_depth = 0
        self.loop_depth = 0
        self.fed: Stream | None = None  # what a pipe or redirection feeds to the very command that runs
        self.arithmetic_depth = 0
        self.frames = 0
        self.seconds_base = machine.system.now()
        self.allexport = self.errexit = self.nounset = self.noglob = self.pipefail = self.xtrace = False
        self.watching = False  # errexit or a trap on ERR: somebody cares about failures
        self.debugging = False  # a trap on DEBUG
        self.trapping: frozenset[str] = frozenset()  # the traps whose actions are running
        self.altered = False  # a builtin was replaced or switched off, or patterns ignore case: nothing may be taken for granted

    def fork(self, *, job: bool = False) -> Shell:
        """A copy for a subshell: its changes stay its own.

        Args:
            job: It runs as a task of its own, with a fresh stack.
        """
        twin = Shell.__new__(Shell)
        twin.machine = self.machine
        twin.budget = self.budget
        twin.builtins = self.builtins
        twin.descriptors = self.descriptors.copy()
        for stream in twin.descriptors.values():
            stream.refs += 1
        twin.cwd = self.cwd
        twin.name = self.name
        twin.script_name = self.script_name
        twin.variables = self.variables.copy()
        twin.token, self.token = object(), object()
        twin.scopes = [scope.copy() for scope in self.scopes]
        twin.functions = self.functions.copy()
        twin.aliases = self.aliases.copy()
        twin.positional = self.positional
        twin.options = self.options
        twin.shopt = self.shopt
        twin.traps = {name: action for name, action in self.traps.items() if not action or self._inherits(name)}
        twin.known_traps = self.traps if self.known_traps is None else self.known_traps
        twin.jobs = {}
        twin.shown_jobs = self.jobs or self.shown_jobs
        twin.calls = self.calls.copy()
        twin.operands = []
        twin.temporary = []
        twin.within = self.within
        twin.pipeline = self.pipeline
        twin.pipe_statuses = self.pipe_statuses
        twin.status = self.status
        twin.line = self.line
        twin.pid = self.pid
        twin.process_id = self.process_id
        twin.hashed = self.hashed.copy()
        twin.hashed_path = self.hashed_path
        twin.inverted = -1
        twin.evaluating = self.evaluating
        twin.announced = ""
        twin.umask = self.umask
        twin.ulimits = self.ulimits
        twin.last_background = self.last_background
        twin.getopts_place = self.getopts_place
        twin.subshell_level = self.subshell_level + 1
        twin.completions = self.completions
        twin.command_string = self.command_string
        twin.from_file = self.from_file
        twin.condition_depth = self.condition_depth
        twin.loop_depth = 0
        twin.fed = self.fed
        twin.arithmetic_depth = self.arithmetic_depth
        twin.frames = 0 if job else self.frames + 8
        twin.seconds_base = self.seconds_base
        twin.allexport = self.allexport
        twin.errexit = self.errexit
        twin.nounset = self.nounset
        twin.noglob = self.noglob
        twin.pipefail = self.pipefail
        twin.xtrace = self.xtrace
        twin.watching = self.errexit or "ERR" in twin.traps
        twin.debugging = "DEBUG" in twin.traps
        twin.trapping = self.trapping
        twin.altered = self.altered
        return twin

    def _inherits(self, name: str) -> bool:
        if name == "ERR":
            return self.options["errtrace"]
        return name in {"DEBUG", "RETURN"} and self.options["functrace"]

    def begin(self, machine: Machine, descriptors: dict[int, Stream]) -> None:
        """Make ready for another script: what belonged to the last one is forgotten."""
        self.machine = machine
        self.budget = machine.budget
        self.descriptors = descriptors
        self.condition_depth = self.loop_depth = self.frames = self.arithmetic_depth = 0
        self.scopes.clear()
        self.calls.clear()
        self.jobs.clear()
        self.temporary.clear()

    def release(self) -> None:
        """The shell ends: close its descriptors."""
        for stream in self.descriptors.values():
            stream.release()
        self.descriptors = {}

    def expand_subscript(self, text: str) -> str:
        """A subscript that came as text: quotes are removed and expansions done."""
        return self.machine.expand_subscript(self, text)

    def absolute(self, path: str) -> str:
        """A path against the working directory, ``..`` left to the file system."""
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
        if source != self.name or self.from_file:
            return source
        return "environment" if self.command_string else "main"

    @property
    def place(self) -> str:
        """The beginning of a message: ``bash: line N``."""
        return f"{self.origin}: line {self.line}"

    def warn(self, message: str) -> None:
        """Report an error as ``bash: line N: message``."""
        self.print_error(f"{self.place}: {message}")

    def complain(self, name: str, message: str) -> None:
        """Report an error of a builtin as ``bash: line N: name: message``."""
        self.print_error(f"{self.place}: {name}: {message}")

    def report(self, error: ExpansionError) -> None:
        """Report a failed expansion, and leave the shell when it is fatal.

        Raises:
            ExitShell: The error ends a non-interactive shell.
        """
        if error.message:
            self.print_error(f"{error.place or self.place}: {error.message}")
        self.status = 1
        refused = self.options["posix"] and isinstance(error, ReadonlyError)
        if error.fatal or refused:
            outermost = self.command_string and not self.subshell_level and not self.errexit
            raise ExitShell((127 if refused else error.status) if outermost else 1)

    # -- options -------------------------------------------------------------------------------------------------------

    def set_option(self, name: str, on: bool) -> None:
        """``set -o name`` or ``set +o name``."""
        self.options = {**self.options, name: on}
        if name in _MIRRORED:
            setattr(self, name, on)
        if name == "posix" and on:
            self.set_shell_option("expand_aliases", True)
        if name == "errexit":
            self.watching = on or "ERR" in self.traps

    def set_shell_option(self, name: str, on: bool) -> None:
        """``shopt -s name`` or ``shopt -u name``."""
        self.shopt = {**self.shopt, name: on}
        if name == "nocasematch":
            self.altered = True

    def option_letters(self) -> str:
        """``$-``"""
        letters = "".join(letter for letter, name in _OPTION_LETTERS if self.options[name])
        return letters + "c"

    # -- IFS -----------------------------------------------------------------------------------------------------------

    def separators(self) -> str:
        """The value of IFS; its default when unset."""
        value = self.variables.get("IFS")
        if value.__class__ is str:
            return value
        found = self.get("IFS")
        return " \t\n" if found is None else found

    def star(self, values: list[str]) -> str:
        """``"$*"``: joined by the first character of IFS."""
        return self.separators()[:1].join(values)

    def define(self, name: str, variable: DynamicVariable | Variable | str) -> None:
        """Set a variable as the shell starts."""
        self.variables[name] = variable


_MIRRORED = frozenset(["allexport", "errexit", "nounset", "noglob", "pipefail", "xtrace"])
_OPTION_LETTERS = (
    ("a", "allexport"), ("b", "notify"), ("e", "errexit"), ("f", "noglob"), ("h", "hashall"), ("k", "keyword"), ("m", "monitor"),
    ("n", "noexec"), ("p", "privileged"), ("t", "onecmd"), ("u", "nounset"), ("v", "verbose"), ("x", "xtrace"), ("B", "braceexpand"),
    ("C", "noclobber"), ("E", "errtrace"), ("H", "histexpand"), ("P", "physical"), ("T", "functrace"),
)  # fmt: skip
OPTION_NAMES = dict(_OPTION_LETTERS)
