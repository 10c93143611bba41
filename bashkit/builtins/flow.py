"""Builtins that steer the script: break, continue, return, exit, eval, source, exec."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin, end_special, is_number, offer_help, refuse_arguments
from bashkit.fs.system import program_in
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.child import set_environment
from bashkit.interp.run.command_lines import script_text
from bashkit.interp.run.launch import NOT_EXECUTABLE, ShellLauncher, run_builtin, run_command
from bashkit.interp.run.lookup import files_on_path
from bashkit.interp.run.scripts import run_text
from bashkit.interp.run.subshell import check_depth
from bashkit.interp.run.traps import leave_shell, run_return_trap
from bashkit.interp.runtime.control import (
    BreakLoop,
    ContinueLoop,
    ExecutionStopped,
    ExitShell,
    ReturnFunction,
    SpecialBuiltinFailed,
)
from bashkit.interp.state.calls import Call
from bashkit.interp.state.variables import EXPORT, Variable
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Shell


@builtin(":", usage="", summary="Do nothing.", special=True)
def colon(shell: Shell, arguments: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """``:``"""
    return 0


@builtin("true", usage="", summary="Return a successful result.")
def true(shell: Shell, arguments: list[str]) -> int:  # noqa: ARG001
    """``true``"""
    return 0


@builtin("false", usage="", summary="Return an unsuccessful result.")
def false(shell: Shell, arguments: list[str]) -> int:  # noqa: ARG001
    """``false``"""
    return 1


def _levels(shell: Shell, arguments: list[str]) -> int | None:
    """The argument of break and continue; None when it was refused."""
    name = arguments[0]
    words = arguments[2:] if arguments[1:2] == ["--"] else arguments[1:]
    offer_help(shell, name, "".join(arguments[1:2]))
    if not shell.loop_depth:
        if not shell.options.posix:
            shell.complain(name, "only meaningful in a `for', `while', or `until' loop")
        return None
    if not words:
        return 1
    if not is_number(words[0]):
        shell.complain(name, f"{words[0]}: numeric argument required")
        raise ExitShell(128)
    if len(words) > 1:
        refuse_arguments(shell, name)
    if whole_number(words[0]) < 1:
        shell.complain(name, f"{words[0]}: loop count out of range")
        if shell.options.errexit and not shell.may_fail:
            raise ExitShell(1)
        raise BreakLoop(shell.loop_depth, 1)
    return min(whole_number(words[0]), shell.loop_depth)


def _leave_turn(shell: Shell, arguments: list[str]) -> None:
    """Note what the command that leaves a turn of a loop would have noted at its end."""
    shell.pipe_statuses = [0]
    shell.variables["_"] = arguments[-1]


@builtin("break", usage="[n]", summary="Exit for, while, or until loops.", special=True)
def break_(shell: Shell, arguments: list[str]) -> int:
    """Leave loops."""
    levels = _levels(shell, arguments)
    if levels is None:
        return 0
    _leave_turn(shell, arguments)
    raise BreakLoop(levels)


@builtin("continue", usage="[n]", summary="Resume for, while, or until loops.", special=True)
def continue_(shell: Shell, arguments: list[str]) -> int:
    """Begin the next turn of a loop."""
    levels = _levels(shell, arguments)
    if levels is None:
        return 0
    _leave_turn(shell, arguments)
    raise ContinueLoop(levels)


def _status_argument(shell: Shell, arguments: list[str]) -> int:
    words = arguments[2:] if arguments[1:2] == ["--"] else arguments[1:]
    if not words:
        before = shell.traps.before  # of a trap's action
        trapped = before is not None and (arguments[0] == "return" or "EXIT" in shell.traps.running)
        return before if trapped else shell.status  # type: ignore[return-value]  # it is known then
    if not is_number(words[0]):
        offer_help(shell, arguments[0], words[0])
        shell.complain(arguments[0], f"{words[0]}: numeric argument required")
        return 2
    if len(words) > 1:
        refuse_arguments(shell, arguments[0])
    return whole_number(words[0].strip()) & 0xFF


@builtin("return", usage="[n]", summary="Return from a shell function.", special=True)
def return_(shell: Shell, arguments: list[str]) -> int:
    """Leave a function or sourced file."""
    status = _status_argument(shell, arguments)
    if not shell.calls:
        shell.complain("return", "can only `return' from a function or sourced script")
        return end_special(shell, 2)
    raise ReturnFunction(status)


@builtin("exit", usage="[n]", summary="Exit the shell.", special=True)
def exit_(shell: Shell, arguments: list[str]) -> int:
    """Leave the shell."""
    status = _status_argument(shell, arguments)
    if shell.options.shopt["login_shell"] and not shell.subshell_level:
        _log_out(shell)
    leave_shell(shell, status)


def _log_out(shell: Shell) -> None:
    """Run what a login shell runs before it exits (bash(1), INVOCATION)."""
    path = f"{shell.get('HOME') or ''}/.bash_logout"
    if shell.machine.fs.exists(shell.absolute(path)):
        source(shell, ".", [], [path])


def _run_inside(shell: Shell, text: str, first_line: int = 1, label: str = "") -> int:
    """Run a text within a command line; where it has stopped execution, the rest of that line is not run."""
    command, evaluated = shell.variables.get("BASH_COMMAND"), shell.evaluated
    if evaluated is None:
        shell.evaluated = command or ""
    assigned, lenient, asked, inverted = shell.assigned, shell.lenient, shell.asked_outside, shell.inverted
    shell.assigned = inside = assigned.copy()  # what the text declares is not what was assigned before this command
    shell.lenient = lenient or shell.may_fail
    if not shell.sole:
        shell.asked_outside = shell.condition_depth, len(shell.calls) if shell.may_fail else -1
        shell.inverted = -1
    try:
        status = run_text(shell, text, first_line=first_line, label=label)
    except ExitShell as end:
        if "EXIT" in shell.traps and not end.redirected and not shell.invocation.command_string:
            leave_shell(shell, end.status)
        if isinstance(end, SpecialBuiltinFailed) and not end.of_text:  # a `command` before eval is not for a builtin in its text
            raise ExitShell(end.status) from None
        raise
    finally:
        shell.evaluated = evaluated
        shell.assigned, shell.lenient, shell.asked_outside, shell.inverted = assigned, lenient, asked, inverted
        assigned.follow(inside, lasting=bool(shell.scopes))
        if command is not None:
            shell.variables["BASH_COMMAND"] = command
    if shell.options.set["noexec"]:
        raise ExecutionStopped
    return status


@builtin("eval", usage="[arg ...]", summary="Execute arguments as a shell command.", special=True, scoped=True, options="")
def eval_(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """Run the words as a script."""
    text = " ".join(words)
    if not text.strip():
        return 0
    shell.frames += 12
    check_depth(shell)
    shell.evaluating += 1
    try:
        return _run_inside(shell, text, first_line=shell.line, label="eval")
    finally:
        shell.frames -= 12
        shell.evaluating -= 1


@builtin(
    ".",
    "source",
    usage="filename [arguments]",
    summary="Execute commands from a file in the current shell.",
    special=True,
    scoped=True,
    options="",
    named=True,
)
def source(shell: Shell, called: str, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """Run a file in this shell."""
    if not words:
        shell.complain(called, "filename argument required")
        shell.print_error(f"{called}: usage: {called} filename [arguments]")
        return end_special(shell, 2)
    if shell.restricted and "/" in words[0]:
        shell.complain(called, f"{words[0]}: restricted")
        return 1
    path = _find_source(shell, words[0])
    if path is None:
        shell.complain(called, f"{words[0]}: file not found")
        return end_special(shell, 1, trapped=False)
    data = _read_source(shell, called, path)
    if data is None:
        if not shell.machine.fs.is_directory(shell.absolute(path)):
            if shell.options.errexit and not shell.may_fail:  # undocumented: it ends the shell before traps see the failure
                leave_shell(shell, 1)
            end_special(shell, 1, trapped=False)
        run_return_trap(shell)
        return 1
    if program_in(data):
        shell.complain(called, f"{path}: cannot execute binary file")
        return NOT_EXECUTABLE
    if len(shell.calls) >= shell.budget.limits.max_function_depth:
        shell.budget.fail("max_function_depth")
    shell.frames += 12
    check_depth(shell)
    positional, name = shell.positional, shell.script_name
    if len(words) > 1:
        shell.positional = words[1:]
    call = Call("source", shell.line, path, is_function=False)
    if shell.options.shopt["extdebug"]:
        call.words = words[1:] or words
    shell.calls.append(call)
    line = shell.line
    shell.script_name = path
    shell.evaluating += 1
    with _unwatched(shell):
        try:
            status = _run_inside(shell, script_text(data))
        except ReturnFunction as end:
            status = end.status
        except ExitShell as end:
            if end.calls is None:
                end.calls, end.positional = list(shell.calls), shell.positional
            raise
        finally:
            shell.calls.pop()
            shell.frames -= 12
            shell.evaluating -= 1
            shell.script_name = name
            shell.line = line
            if len(words) > 1 and not (call.renumbered and not any(outer.is_function for outer in shell.calls)):
                shell.positional = positional
        run_return_trap(shell)
    return status


@contextmanager
def _unwatched(shell: Shell) -> Iterator[None]:
    """Set the DEBUG trap aside while a file is sourced; ``functrace`` keeps it."""
    watched = None if shell.options.set["functrace"] else shell.traps.pop("DEBUG", None)
    shell.watch()
    try:
        yield
    finally:
        if watched is not None:
            shell.traps.setdefault("DEBUG", watched)
        shell.watch()


def _find_source(shell: Shell, name: str) -> str | None:
    """The path of the file that ``.`` is to run: of those in PATH, or, but not in posix mode, below the working directory."""
    fs = shell.machine.fs
    places = shell.get("PATH")
    if "/" not in name and name not in {".", ".."} and places and shell.options.shopt["sourcepath"]:
        for directory in places.split(":"):
            path = f"{directory or '.'}/{name}"
            full = shell.absolute(path)
            if fs.exists(full) and fs.stat(full).type == "file":
                return path
        if shell.options.posix:
            return None
    return name


def _read_source(shell: Shell, name: str, path: str) -> bytes | None:
    from bashkit.interp.run.redirections import RedirectionError, open_file

    try:
        stream = open_file(shell, path, "<")
    except RedirectionError as error:
        shell.warn(str(error))
        return None
    try:
        return stream.read_all()
    except IsADirectoryError:
        shell.complain(name, f"{path}: is a directory")
        return None
    finally:
        stream.release()


@builtin(
    "exec",
    usage="[-cl] [-a name] [command [argument ...]] [redirection ...]",
    summary="Replace the shell with the given command.",
    special=True,
    options="cla:",
)
def exec_(shell: Shell, options: Options, words: list[str]) -> int:
    """Run a command in place of the shell; without one, redirections stay."""
    if not words:
        return 0
    if shell.restricted:
        shell.complain("exec", "restricted")
        return 1
    name = words[0]
    run = shell.builtins.get(name)
    status = _refusal(shell, name)
    if status:
        if not shell.subshell_level and (shell.options.shopt["execfail"] or shell.invocation.interactive):
            return status
        if "/" in name or status == NOT_EXECUTABLE:  # a file was found, and the shell's traps had gone before the attempt failed
            shell.traps.pop("EXIT", None)
        leave_shell(shell, status)
    shell.history.begun = False  # nothing is left of the shell that would write it
    level = shell.get("SHLVL") or ""
    if is_digits(level):
        shell.assign("SHLVL", str(int(level) - 1))  # the command that takes the place of the shell is no level below it
    if any(letter == "c" for letter, _ in options):
        path = shell.get("PATH")
        set_environment(shell, {})
        if path is not None:
            shell.variables["PATH"] = path  # where the command is found; it is not handed on
    shell.traps.pop("EXIT", None)
    shell.variables["_"] = Variable(None, EXPORT)  # what takes the place of the shell is not told where its file is
    shell.sole = True
    if run is not None and name in shell.machine.program_builtins:
        raise ExitShell(run_builtin(shell, run, words))
    given = dict(options)
    external = shell.machine.externals.get(name.rpartition("/")[2])
    if external is not None and given.keys() & {"a", "l"}:
        title = given.get("a", name)
        raise ExitShell(external(shell, ["-" + title if "l" in given else title, *words[1:]]))
    if "/" in name:
        words = [_full_path(shell, name), *words[1:]]
    raise ExitShell(run_command(shell, words))


def _full_path(shell: Shell, name: str) -> str:
    """Where a command is that takes the shell's place; undocumented: it is told that, as are the readers of messages."""
    return name if name.startswith("/") else f"{shell.cwd.rstrip('/')}/{name.removeprefix('./')}"


def _refusal(shell: Shell, name: str) -> int:
    """Report that a command cannot take the shell's place; gives the status, 0 if it can."""
    problem = ShellLauncher(shell).obstacle(name)
    if not problem:
        return 0
    if problem == errno.ENOENT and name and "/" not in name:
        found = next(files_on_path(shell, name), None)
        if found is not None:
            name, problem = found, errno.EACCES
        elif shell.machine.fs.is_directory(shell.absolute(name)):
            problem = errno.EACCES
    path = _full_path(shell, name) if "/" in name else name
    directory = problem == errno.EACCES and shell.machine.fs.is_directory(shell.absolute(path))
    reason = os.strerror(errno.EISDIR if directory else problem)
    if "/" in name:
        shell.warn(f"{path}: {reason}")
    if problem == errno.ENOENT:
        if "/" not in name:
            shell.complain("exec", f"{name}: not found")
        return 127
    if directory or not shell.options.errexit:  # undocumented: under set -e the first message of a file ends the shell
        shell.complain("exec", f"{path}: cannot execute: {reason}")
    return 126
