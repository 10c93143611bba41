"""Runs what a command name stands for: functions, utilities, scripts (bash(1), COMMAND EXECUTION)."""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

from bashkit.fs.system import ProgramFile, program_in
from bashkit.interp.run.child import PLAIN, environment_name, run_bash, run_script_file, set_environment
from bashkit.interp.run.command_lines import is_binary
from bashkit.interp.run.functions import call_function
from bashkit.interp.run.groups import join_limited
from bashkit.interp.run.jobs import after_children
from bashkit.interp.run.lookup import (
    external_program,
    files_on_path,
    found_files,
    is_executable,
    is_program,
    search_path,
    stands_for,
)
from bashkit.interp.run.nested import run_nested
from bashkit.interp.run.parallel import run_beside, run_parallel
from bashkit.interp.run.sending import send_signal
from bashkit.interp.run.subshell import check_depth, run_subshell
from bashkit.interp.run.traps import SIGNALS
from bashkit.interp.runtime.blocks import BlockWriter
from bashkit.interp.runtime.control import ExitShell, Killed, KilledStatus, SigPipe, UsageRefused
from bashkit.interp.runtime.pipes import PipeWriter, make_pipe
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.calls import ROOT_PID
from bashkit.interp.state.environment import Environment
from bashkit.interp.state.startup import DEFAULT_PATH
from bashkit.interp.state.tables import Traps
from bashkit.interp.state.variables import EXPORT, Variable
from bashkit.interp.utility.process import Process, invoke
from bashkit.limits import MANY
from bashkit.syntax.escapes import visible
from bashkit.syntax.unparse import unparse_exported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Unpack

    from bashkit.fs import Stream
    from bashkit.interp.run.nested import NestedOutcome, NestedScript
    from bashkit.interp.state.calls import Function
    from bashkit.interp.state.shell import Builtin, Shell
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.process import RunOptions, TimeLimit

NOT_FOUND, NOT_EXECUTABLE = 127, 126
FAILURES = (OSError, SigPipe, UsageRefused, ReadonlyError)  # how a builtin ends without a status
_TIMED_OUT = 124
_LISTED = 24  # bytes of a word in the lists of a command that runs another
_SHELLS = frozenset(["bash", "ksh", "zsh", *PLAIN])
_BLANKS = re.compile(r"[ \t]+")
_PLAIN_WORD = re.compile(r"[\w./+][\w./+-]*").fullmatch  # what `env` takes for a program


def run_command(shell: Shell, arguments: list[str], function: Function | None = None, column: int = 0) -> int:
    """Run a function, utility or script by name; builtins are the caller's."""
    if function is not None:
        return call_function(shell, function, arguments)
    name = arguments[0]
    if name[:1] == "%" and not shell.sole:  # a job specification by itself
        return shell.machine.builtins["fg"](shell, ["fg", name])
    if "/" in name:
        if shell.restricted:
            shell.warn(f"{name}: restricted: cannot specify `/' in command names")
            return 1
        return _run_path(shell, name, arguments, column)
    value = shell.variables.get("PATH")
    path = value if isinstance(value, str) else shell.get("PATH")
    shell.found.follow(path)
    known = shell.found.get(name)
    if known is not None and known[0] and _checks_hash(shell) and not is_executable(shell, known[0]):
        known = shell.found.pop(name) and None
    if known is not None and known[0]:
        shell.found.count(name, known[0])
        return _run_path(shell, known[0], arguments, column)
    if known is not None or (path == DEFAULT_PATH and shell.machine.fs.pristine()):
        return run_installed(shell, arguments, column)
    for file in found_files(shell, name):
        if stands_for(shell, file) == name:
            return run_installed(shell, arguments, column)
        shell.found.count(name, file)
        return _run_path(shell, file, arguments, column)
    if name in shell.machine.own_commands:
        return run_installed(shell, arguments, column)
    return _not_found(shell, name, arguments)


def _checks_hash(shell: Shell) -> bool:
    """Whether a hashed command that is gone is looked for again (bash(1), shopt, checkhash)."""
    return shell.options.posix or shell.options.shopt["checkhash"]


def run_builtin(shell: Shell, builtin: Builtin, arguments: list[str]) -> int:
    """Run a builtin; what it cannot write, and options that it refuses, become its status."""
    try:
        return builtin(shell, arguments)
    except FAILURES as error:
        return failed_builtin(shell, arguments[0], error)


def failed_builtin(shell: Shell, name: str, error: OSError | UsageRefused | SigPipe | ReadonlyError) -> int:
    """The status of a builtin that failed; what it cannot write, and a variable that it cannot assign, are reported.

    Raises:
        SigPipe: The reader of its output is gone, and the signal is not ignored.
    """
    if isinstance(error, UsageRefused):
        return error.status
    if isinstance(error, ReadonlyError):
        shell.complain_of_variable(error.message)
        return 1
    if isinstance(error, SigPipe):
        if not ignores_sigpipe(shell):
            raise error
        error = BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
    shell.complain(name, f"write error: {error.strerror}")
    return 1


def ignores_sigpipe(shell: Shell) -> bool:
    """Whether a write into a pipe without a reader is an error instead of the end."""
    return shell.traps.get("PIPE") == ""


def run_installed(shell: Shell, arguments: list[str], column: int = 0, file: str = "") -> int:
    """Run a utility, or a file of the system's directories, whatever PATH says (``command -p``); ``file`` is what is hashed."""
    name = arguments[0]
    command = shell.machine.find_command(name)
    if command is not None:
        shell.found.count(name, file)
        return run_utility(shell, command, arguments, column, name)
    external = external_program(shell.machine, name)
    if external is not None:
        shell.found.count(name, file)
        return _run_program_builtin(shell, external, arguments)
    path = search_path(shell, name)
    if path is not None:
        return _run_path(shell, path, arguments, column)
    return _not_found(shell, name, arguments)


def _exported_functions(shell: Shell) -> dict[str, str]:
    """What a utility finds in its environment beside variables."""
    return {
        environment_name(name): unparse_exported(function.definition)
        for name, function in shell.functions.items()
        if function.exported
    }


def make_process(shell: Shell, words: list[str], column: int = 0, output: BlockWriter | None = None, path: str = "") -> Process:
    """The process of a utility.

    Args:
        shell: What starts it.
        words: Its command line.
        column: Where that begins.
        output: What standard output goes through.
        path: Its command word, or the path of its file.
    """
    machine, within = shell.machine, shell.within
    descriptors: Mapping[int, Stream] = shell.descriptors
    if output is not None:
        out = descriptors[1]
        descriptors = {number: output if stream is out else stream for number, stream in descriptors.items()}
    return Process(
        words[0].rpartition("/")[2],
        words[1:],
        descriptors,
        Environment(shell, _exported_functions),
        shell.cwd,
        shell.umask,
        machine.fs,
        machine.budget,
        machine.system,
        ShellLauncher(shell, output, path),
        shell.line if within is None else within.line,
        column if within is None else within.column,
        piped=shell.fed is not None and shell.descriptors.get(0) is shell.fed,
        pipeline=shell.pipeline,
        within="" if within is None else within.name,
    )


def run_utility(shell: Shell, command: Command, arguments: list[str], column: int = 0, path: str = "") -> int:
    """Run a declared utility; for the arguments see ``make_process``."""
    if command.ordered and shell.turn is not None:
        shell.turn.hold()
    out = shell.descriptors.get(1)
    output = BlockWriter(out, shell.machine.hub) if command.buffered and isinstance(out, PipeWriter) else None
    process = make_process(shell, arguments, column, output, path)
    outer, shell.child = shell.child, process
    try:
        status = invoke(command, process)
        if output is not None:
            output.flush()
    except SigPipe:
        if ignores_sigpipe(shell):
            process.warn(f"write error: {os.strerror(errno.EPIPE)}")
            status = 1
        elif arguments[0] in shell.machine.own_commands:  # loops that call tools for a reader end when it leaves
            raise
        else:
            status = _ended_by_sigpipe(shell)
    except Killed as signal:
        if signal.outermost is not process:
            raise
        status = KilledStatus.of(signal.signal, shell.machine.hub.new_pid())
    finally:
        shell.child = outer
        if output is not None:
            output.drop()
    after_children(shell)
    return status


def _ended_by_sigpipe(shell: Shell) -> KilledStatus:
    """The status of a program that has written into a pipe without a reader: the signal ends its process, and not the shell."""
    return KilledStatus.of(SIGNALS["PIPE"], shell.machine.hub.new_pid())


def _run_program_builtin(shell: Shell, builtin: Builtin, arguments: list[str]) -> int:
    """Run as a program what is a builtin besides, or needs the shell."""
    try:
        status = run_builtin(shell, builtin, arguments)
    except SigPipe:
        status = _ended_by_sigpipe(shell)
    after_children(shell)
    return status


def _not_found(shell: Shell, name: str, arguments: list[str]) -> int:
    if not shell.get("PATH"):
        shell.warn(f"{visible(name)}: {os.strerror(errno.ENOENT)}")
        return NOT_FOUND
    refused = next(files_on_path(shell, name), None)
    if refused is not None:
        shell.warn(f"{refused}: {os.strerror(errno.EACCES)}")
        return NOT_EXECUTABLE
    handler = shell.functions.get("command_not_found_handle")
    if handler is not None:
        twin = shell.fork()
        twin.subshell_level = shell.subshell_level
        return run_subshell(twin, lambda inner: call_function(inner, handler, ["command_not_found_handle", *arguments]))
    shell.warn(f"{visible(name)}: command not found")
    for line in shell.machine.suggest(shell, [name, *arguments[1:]]):
        shell.print_error(line)
    return NOT_FOUND


def _run_path(shell: Shell, path: str, arguments: list[str], column: int) -> int:
    """Run the file at ``path``: a script, or a utility by its place under /bin."""
    fs = shell.machine.fs
    full = shell.absolute(path)
    try:
        node = fs.lookup(full)
    except OSError as error:
        program = stands_for(shell, path)
        if program:
            return _run_program(shell, program, path, arguments, column)
        shell.warn(f"{path}: {os.strerror(error.errno or errno.ENOENT)}")
        return NOT_FOUND if error.errno == errno.ENOENT else NOT_EXECUTABLE
    if isinstance(node, ProgramFile):
        return _run_program(shell, node.program, path, arguments, column)
    if node.type != "file":
        shell.warn(f"{path}: {'Is a directory' if node.type == 'directory' else 'Permission denied'}")
        return NOT_EXECUTABLE
    if not fs.access(full, "x"):
        shell.warn(f"{path}: Permission denied")
        return NOT_EXECUTABLE
    try:
        data = fs.read_file(full)
    except OSError as error:
        shell.warn(f"{path}: {os.strerror(error.errno or errno.EIO)}")
        return NOT_EXECUTABLE
    return _run_script(shell, path, data, arguments, column)


def _run_program(shell: Shell, program: str, path: str, arguments: list[str], column: int) -> int:
    """Run the command whose file, or a copy of it, is at ``path``."""
    words = [path.rpartition("/")[2], *arguments[1:]]
    command = shell.machine.find_command(program)
    if command is not None:
        return run_utility(shell, command, words, column, path)
    external = external_program(shell.machine, program)
    if external is not None:
        if program in _SHELLS:  # their $0, and what their messages begin with, is the command word as it stands
            words = arguments
        return _run_program_builtin(shell, external, words)
    shell.warn(f"{path}: cannot execute: required file not found")
    return NOT_FOUND


def _run_script(shell: Shell, path: str, data: bytes, arguments: list[str], column: int) -> int:
    program = program_in(data)
    if program:
        return _run_program(shell, program, path, arguments, column)
    starter, *extra = _interpreter(data)
    if starter:
        return _run_interpreter(shell, starter, extra, [path, *arguments[1:]], column)
    if is_binary(data[:128]):
        shell.warn(f"{path}: cannot execute binary file: Exec format error")
        return NOT_EXECUTABLE
    status = run_script_file(shell, path, data, arguments[1:])
    after_children(shell)
    return status


def _interpreter(data: bytes) -> list[str]:
    """What the line ``#!`` of a script names: a program, and one argument if anything stands behind it."""
    line = re.split(rb"[\n\0]", data[:256], maxsplit=1)[0].decode("utf-8", "surrogateescape")
    return _BLANKS.split(line[2:].strip(" \t"), maxsplit=1) if line.startswith("#!") else [""]


def _run_interpreter(shell: Shell, starter: str, extra: list[str], script: list[str], column: int) -> int:
    """Run a script by the program that it names.

    Args:
        shell: The shell.
        starter: The program.
        extra: The argument that stands behind it.
        script: The script, and its arguments.
        column: Where the command is.
    """
    interpreter = starter
    if starter.rpartition("/")[2] == "env" and extra:
        if not _PLAIN_WORD(extra[0]):
            return _run_program(shell, "env", starter, [starter, *extra, *script], column)
        interpreter, *extra = extra
    base = interpreter.rpartition("/")[2]
    if base in _SHELLS:
        status = run_bash(shell, [interpreter, *extra, *script], script[0])
        after_children(shell)
        return status
    if is_program(shell.machine, base):
        return _run_program(shell, base, interpreter, [interpreter, *extra, *script], column)
    if starter == interpreter:
        shell.warn(f"{script[0]}: cannot execute: required file not found")
    else:
        shell.print_error(f"{starter}: \u2018{interpreter}\u2019: {os.strerror(errno.ENOENT)}")
    return NOT_FOUND


class ShellLauncher:
    """Starts commands for a utility, in a subshell of the shell that started it.

    Args:
        shell: That shell.
        output: What the utility has written there goes out before a command that it starts, if there is one.
        path: The command word of the utility, or the path of its file.
    """

    __slots__ = ("_output", "_path", "_place", "_shell")

    def __init__(self, shell: Shell, output: BlockWriter | None = None, path: str = "") -> None:
        self._shell = shell
        self._output = output
        self._path = path
        self._place: str | None = None

    def place(self) -> str:
        """Where the file of the utility is; empty if its environment says where that of the one is that started it."""
        if self._place is None:
            name, shell = self._path, self._shell
            known = not name or isinstance(shell.variables.get("_"), Variable)
            self._place = "" if known else name if "/" in name else next(found_files(shell, name), name)
        return self._place

    def obstacle(self, name: str, env: Mapping[str, str] | None = None) -> int:
        """The error number of running the command of that name; 0 if it can be run."""
        shell = self._shell
        if "/" not in name:
            places = _places(shell) if env is None else env.get("PATH", DEFAULT_PATH)
            if name in shell.machine.own_commands or next(found_files(shell, name, places), None) is not None:
                return 0
            return errno.EACCES if name in {".", ".."} else errno.ENOENT  # directories of PATH
        fs = shell.machine.fs
        path = shell.absolute(name)
        if stands_for(shell, name):
            return 0
        try:
            node = fs.stat(path)
        except OSError as error:
            return error.errno or errno.ENOENT
        return 0 if node.type == "file" and fs.access(path, "x") else errno.EACCES

    def ignored(self) -> frozenset[str]:
        """The signals that the shell ignores."""
        return frozenset(name for name in self._shell.traps.ignored() if name in SIGNALS)

    def alive(self, pid: int) -> bool:
        """Whether a process of the script has that ID."""
        return pid in {ROOT_PID, self._shell.pid} or any(task.pid == pid for task in self._shell.machine.hub.tasks)

    def signal(self, pid: int, name: str) -> bool:
        """Send a signal to a process of the script; see ``Launcher.signal``."""
        return bool(send_signal(self._shell, pid, name))

    def jobs(self) -> list[tuple[int, str]]:
        """The processes of the script besides its first shell; see ``Launcher.jobs``."""
        machine = self._shell.machine
        parents = {shell.parent_pid for shell in machine.shells}  # subshells that wait for a shell of its own
        processes = {shell.pid: " ".join(shell.invocation.words) for shell in machine.shells if shell.pid in parents}
        processes.update({task.pid: task.command for task in machine.hub.tasks if task.command})
        processes.update({shell.invocation.process_id: " ".join(shell.invocation.words) for shell in machine.shells})
        processes.pop(ROOT_PID, None)
        return sorted(processes.items())

    def _prepare(
        self, env: Mapping[str, str] | None, cwd: str | None, stdin: Stream | None, stdout: Stream | None, stderr: Stream | None
    ) -> Shell:
        if self._output is not None:
            self._output.flush()
        twin = self._shell.fork()
        twin.sole, twin.pid = True, self._shell.machine.hub.new_pid()
        twin.functions = {name: function for name, function in twin.functions.items() if function.exported}
        check_depth(twin)
        if env is not None:
            set_environment(twin, env)
            twin.variables["_"] = Variable(env.get("_"), EXPORT)
        elif self.place():
            twin.variables["_"] = Variable(self.place(), EXPORT)
        if cwd is not None:
            twin.cwd = cwd
        for number, stream in enumerate((stdin, stdout, stderr)):
            if stream is not None:
                twin.replace_descriptor(number, stream.retain())
        return twin

    def run(self, argv: list[str], **options: Unpack[RunOptions]) -> int:
        """Run one command; see ``Launcher.run``."""
        timeout, ignored = options.get("timeout"), options.get("ignored")
        if timeout is not None:
            self._shell.machine.hub.wait_for_place()
        streams = options.get("stdin"), options.get("stdout"), options.get("stderr")
        twin = self._prepare(options.get("env"), options.get("cwd"), *streams)
        if ignored is not None:
            twin.traps = Traps(dict.fromkeys(ignored, ""))
            twin.watch()
        twin.budget.command()
        if timeout is None:
            return _run_in(twin, argv)
        hub = twin.machine.hub
        twin.frames = 0
        try:
            return hub.join_within(hub.spawn(lambda: _run_in(twin, argv), twin.release), timeout)
        except TimeoutError:
            return _TIMED_OUT

    def run_limited(self, argv: list[str], limit: TimeLimit) -> tuple[int, bool]:
        """Run one command within a time; see ``Launcher.run_limited``."""
        hub = self._shell.machine.hub
        hub.wait_for_place()
        twin = self._prepare(None, None, None, None, None)
        twin.traps = Traps(dict.fromkeys(limit.ignored, ""))
        twin.watch()
        twin.budget.command()
        twin.frames = 0
        return join_limited(self._shell.machine, hub.spawn(lambda: _run_in(twin, argv), twin.release), limit)

    def run_script(self, script: NestedScript, timeout: float | None = None, *, column: int = 0) -> NestedOutcome:
        """Run a script in a fresh shell; see ``run_nested``."""
        return run_nested(self._shell, script, timeout, column=column)

    def open(self, argv: list[str], *, write: bool, env: Mapping[str, str] | None = None) -> tuple[Stream, Callable[[], int]]:
        """Start a command with a pipe to its input or from its output; see ``Launcher.open``."""
        reader, writer = make_pipe(self._shell.machine.hub)
        if write:
            return writer, run_beside(self._shell, self._prepare, _run_in, argv, env, reader, None)
        return reader, run_beside(self._shell, self._prepare, _run_in, argv, env, None, writer)

    def open_both(self, argv: list[str], *, env: Mapping[str, str] | None = None) -> tuple[Stream, Stream, Callable[[], int]]:
        """Start a command with pipes to its input and from its output; see ``Launcher.open_both``."""
        reader, writer = make_pipe(self._shell.machine.hub)
        answers, output = make_pipe(self._shell.machine.hub)
        return writer, answers, run_beside(self._shell, self._prepare, _run_in, argv, env, reader, output)

    def run_all(
        self,
        commands: Iterator[list[str]],
        *,
        parallel: int,
        goes_on: Callable[[int], bool] = lambda _: True,
        **streams: Stream,
    ) -> list[int]:
        """Run several commands, at most ``parallel`` at once; see ``Launcher.run_all``."""
        return run_parallel(self._shell, self._prepare, _run_in, commands, parallel, streams, goes_on)


def _run_in(twin: Shell, argv: list[str]) -> int:
    """Run a command as execvp(3) would: no functions, and only builtins that exist as files."""

    def run(shell: Shell) -> int:
        name = argv[0]
        if not shell.machine.fs.pristine() or _places(shell) != DEFAULT_PATH:
            return _run_found(shell, argv)
        command = shell.machine.find_command(name)
        if command is not None:
            return run_utility(shell, command, argv, 0, name)
        external = external_program(shell.machine, name)
        if external is not None:
            return run_builtin(shell, external, argv)
        path = name if "/" in name else search_path(shell, name)
        if path is None:
            raise ExitShell(NOT_FOUND)
        return _run_path(shell, path, argv, 0)

    if len(argv) < MANY:
        return run_subshell(twin, run)
    twin.budget.hold(_LISTED * len(argv))
    try:
        return run_subshell(twin, run)
    finally:
        twin.budget.hold(-_LISTED * len(argv))


def _places(shell: Shell) -> str:
    """Where execvp(3) looks for commands: PATH, or the default where there is none."""
    path = shell.get("PATH")
    return DEFAULT_PATH if path is None else path


def _run_found(shell: Shell, argv: list[str]) -> int:
    """Run the command that PATH leads to.

    Raises:
        ExitShell: There is none.
    """
    name = argv[0]
    if "/" in name:
        return _run_path(shell, name, argv, 0)
    path = next(found_files(shell, name, _places(shell)), None)
    if path is None and name in shell.machine.own_commands:
        return run_installed(shell, argv)
    if path is None:
        raise ExitShell(NOT_FOUND)
    program = stands_for(shell, path)
    return _run_program(shell, program, name, argv, 0) if program else _run_path(shell, path, argv, 0)
