"""Shells that are processes of their own: ``bash script``, ``sh -c``, executable scripts."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.fs.system import program_in
from bashkit.interp.run.command_lines import input_text, is_binary, script_text
from bashkit.interp.run.functions import Body
from bashkit.interp.run.invocation import read_invocation, startup_files
from bashkit.interp.run.line_reader import run_stdin
from bashkit.interp.run.redirections import RedirectionError, open_file
from bashkit.interp.run.remembering import finish_history
from bashkit.interp.run.scripts import run_text
from bashkit.interp.run.subshell import check_depth, run_subshell
from bashkit.interp.run.translated_strings import dump_strings
from bashkit.interp.runtime.control import KilledStatus, NumberError, ReturnFunction
from bashkit.interp.runtime.pieces import split
from bashkit.interp.state.calls import Call, Function
from bashkit.interp.state.environment import exported_variables
from bashkit.interp.state.startup import define_variables
from bashkit.interp.state.variables import EXPORT, INTEGER, READONLY, Variable
from bashkit.limits import ask, paced, paced_if_many
from bashkit.syntax import Parser
from bashkit.syntax.nodes import FunctionDefinition
from bashkit.syntax.unparse import unparse_exported

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.interp.run.invocation import Asked
    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import Command


_FUNCTION = re.compile(r"BASH_FUNC_(.+)%%")
PLAIN = frozenset(["sh", "dash", "ash"])  # shells that are in posix mode
_LOOKUP = 4  # microseconds to look for a file


def environment_name(function: str) -> str:
    """The name of the environment's variable that has an exported function."""
    return f"BASH_FUNC_{function}%%"


def set_environment(shell: Shell, env: Mapping[str, str]) -> None:
    """Let the shell's exported variables be exactly ``env``; of the functions it keeps those that ``env`` has, too."""
    for name in list(exported_variables(shell)):
        del shell.variables[name]
    known, shell.functions = shell.functions, {}
    for name, value in paced_if_many([*env.items()]):
        function = _FUNCTION.fullmatch(name)
        if function is not None:
            _import_function(shell, function[1], value, known.get(function[1]))
        elif not name.endswith("%%"):
            shell.variables[name] = Variable(value, EXPORT)


def _import_function(shell: Shell, name: str, text: str, known: Function | None) -> None:
    """Define the function that a variable of the environment has; ``known`` is the one of that name so far."""
    if known is not None and unparse_exported(known.definition) == text:
        shell.functions[name] = known
        return
    if not text.startswith("() {"):
        return
    source = f"{name} {text}"
    commands: tuple[Command, ...] = ()
    if "/" not in name:
        try:
            commands = Parser(source, 0).parse().commands
        except ScriptSyntaxError as error:
            place = f"bash: {name}: line {error.line}:"
            shell.print_error(f"{place} {error.message}")
            if "unexpected token" in error.message:
                shell.print_error(f"{place} `{source.split(chr(10))[error.line]}'")
    if len(commands) == 1 and isinstance(commands[0], FunctionDefinition):
        definition = commands[0]
        shell.functions[name] = Function(name, Body(definition), definition, 0, "environment", exported=True)
        return
    if commands:
        shell.print_error(f"bash: warning: {name}: ignoring function definition attempt")
    shell.print_error(f"bash: error importing function definition for `{name}'")


def _inherit_functions(shell: Shell, twin: Shell) -> None:
    """Let a new process have the exported functions: what they print is read again, and its lines begin with 0."""
    for name, function in shell.functions.items():
        if not function.exported:
            continue
        imported = function if function.source == "environment" and not function.line else function.imported
        if imported is None:
            _import_function(twin, name, unparse_exported(function.definition), None)
            function.imported = twin.functions.get(name)
        else:
            twin.functions[name] = imported


def new_process(shell: Shell, name: str) -> Shell:
    """A shell that is a process of its own, in the directory where ``shell`` really is."""
    check_depth(shell)
    twin = shell.process(name)
    told = shell.get("PWD") or ""
    fs = shell.machine.fs
    with suppress(FileNotFoundError):  # the directory was removed
        if not told.startswith("/") or fs.realpath(told) != fs.realpath(shell.cwd):
            twin.cwd = fs.realpath(shell.cwd)
    return twin


def fork_process(shell: Shell, name: str) -> Shell:
    """A process that inherits what is exported: variables and functions, and the signals that are ignored."""
    twin = new_process(shell, name)
    _inherit_functions(shell, twin)
    twin.traps = shell.traps.ignored()
    environment = exported_variables(shell)
    ask(len(environment) >> 2)
    define_variables(twin, {**environment, "_": "/usr/bin/bash"})
    ask(len(environment) >> 2)
    twin.variables["PPID"] = Variable(str(twin.parent_pid), READONLY | INTEGER)
    return twin


def _leave_bash(twin: Shell) -> None:
    """Be the shell that ``sh`` names: it is in posix mode, and scripts that ask for bash's own variables find none."""
    twin.set_option("posix", True)
    for name, value in list(twin.variables.items()):
        if name.startswith("BASH") and not (isinstance(value, Variable) and value.flags & EXPORT):
            del twin.variables[name]


def run_script_file(shell: Shell, path: str, data: bytes, arguments: list[str]) -> int:
    """Run an executable script that names no interpreter in a shell of its own.

    Args:
        shell: The shell that starts it.
        path: Its ``$0``.
        data: The script.
        arguments: Its positional parameters.
    """
    twin = fork_process(shell, path)
    twin.positional = arguments
    twin.invocation = replace(twin.invocation, file=path, words=shell.invocation.words)
    twin.variables["_"] = path
    text = input_text(data)
    return _run_process(twin, lambda inner: run_text(inner, text, main=True))


def run_bash(shell: Shell, arguments: list[str], script: str = "") -> int:
    """``bash [options] [-c string | file] [arguments]``, or the script that names it behind ``#!``."""
    twin = fork_process(shell, arguments[0])
    twin.invocation = replace(twin.invocation, words=tuple(arguments))
    if script:
        twin.variables["_"] = script
    if "/" in arguments[0]:
        twin.variables["BASH"] = shell.absolute(arguments[0].removeprefix("./"))
    if arguments[0].rpartition("/")[2].removeprefix("-") in PLAIN:
        _leave_bash(twin)
    asked = read_invocation(twin, arguments[1:])
    if isinstance(asked, int):
        twin.release()
        return asked
    operands = asked.operands
    if asked.command:
        if not operands:
            return _refuse(twin, f"{arguments[0]}: -c: option requires an argument", 2)
        text = operands[0]
        twin.invocation = replace(twin.invocation, command_string=True)
        twin.variables["BASH_EXECUTION_STRING"] = text
        if len(operands) > 1:
            rename(twin, operands[1])
        twin.positional = operands[2:]
        return _run_process(twin, lambda inner: _begin(inner, asked, lambda: _run_main(inner, asked, text, "-c")))
    if operands and not asked.from_stdin:
        return _run_file(twin, asked)
    twin.positional = operands
    return _run_process(twin, lambda inner: _begin(inner, asked, lambda: _run_stdin(inner, asked)))


def _run_process(twin: Shell, main: Run) -> int:
    """Run what a shell was started for, and end it: what it remembers is left in its history file."""
    status = run_subshell(twin, main)
    if not isinstance(status, KilledStatus):
        finish_history(twin)
    return status


def _run_main(shell: Shell, asked: Asked, text: str, label: str = "") -> int:
    """Run the script that a shell was started for, or show its strings."""
    if asked.strings:
        return dump_strings(shell, text, label, portable=asked.strings == "dump-po-strings")
    return run_text(shell, text, label=label, main=True)


def _run_stdin(shell: Shell, asked: Asked) -> int:
    """As ``_run_main`` for a script that standard input has."""
    if not asked.strings:
        return run_stdin(shell)
    stream = shell.descriptors.get(0)
    return _run_main(shell, asked, script_text(stream.read_all() if stream is not None else b""))


def _begin(shell: Shell, asked: Asked, main: Callable[[], int]) -> int:
    """Run the files that a shell reads when it starts, and what it was started for (bash(1), INVOCATION)."""
    for name in startup_files(shell, asked):
        try:
            stream = open_file(shell, name, "<")
        except RedirectionError:
            continue
        try:
            data = stream.read_all()
        except IsADirectoryError:
            shell.print_error(f"{shell.origin}: {name}: is a directory")
            continue
        finally:
            stream.release()
        call = Call("source", 0, name, is_function=False)
        shell.calls.append(call)
        title, shell.script_name = shell.script_name, name
        try:
            run_text(shell, script_text(data))
        except (NumberError, ReturnFunction):
            pass
        finally:
            shell.calls.pop()
            shell.script_name = title
        shell.line = 1
    shell.status = 0
    return main()


def rename(twin: Shell, name: str) -> None:
    """Give a shell another ``$0``, which its messages begin with, too."""
    twin.script_name = name
    twin.invocation = replace(twin.invocation, name=name)


def _run_file(twin: Shell, asked: Asked) -> int:
    operands = asked.operands
    title = operands[0]
    path = _script_path(twin, title)
    try:
        stream = open_file(twin, path, "<")
    except RedirectionError as error:
        return _refuse(twin, f"{twin.invocation.name}: {error}", 127 if "No such file" in str(error) else 126)
    try:
        data = stream.read_all()
    except OSError as error:
        return _refuse(twin, f"{path}: {path}: {error.strerror}", 126)
    finally:
        stream.release()
    twin.script_name = path
    twin.invocation = replace(twin.invocation, name=title, file=path)
    twin.positional = operands[1:]
    if is_binary(data[:80]) or program_in(data):
        twin.print_error(f"{path}: {path}: cannot execute binary file")
        twin.release()
        return 126
    text = input_text(data)
    return _run_process(twin, lambda inner: _begin(inner, asked, lambda: _run_main(inner, asked, text)))


def _refuse(twin: Shell, message: str, status: int) -> int:
    """Say why a new shell has nothing to run; its status under ``-e`` is 1."""
    twin.print_error(message)
    twin.release()
    return 1 if twin.options.errexit else status


def _script_path(shell: Shell, name: str) -> str:
    """Where a script is: in the working directory, or else where PATH leads to (bash(1), ARGUMENTS)."""
    fs = shell.machine.fs
    if not name or "/" in name or fs.exists(shell.absolute(name)):
        return name
    places = (f"{directory or '.'}/{name}" for directory in paced(split(shell.get("PATH") or "", ":"), _LOOKUP))
    return next((path for path in places if fs.exists(shell.absolute(path))), name)
