"""Simple commands to closures (bash(1), Simple Command Expansion and Command Execution)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.interp.expand.assignments import (
    ArrayArgument,
    compile_assignment,
    has_substitution,
    runs_commands,
)
from bashkit.interp.run.compiler import compiles
from bashkit.interp.run.declaration_arguments import compile_arguments
from bashkit.interp.run.jobs import status_of_child
from bashkit.interp.run.launch import FAILURES, failed_builtin, run_builtin, run_command
from bashkit.interp.run.redirections import (
    as_child,
    assigns_words,
    compile_redirections,
    failed_process,
    keep,
    moves_descriptor,
    reads_any,
    restore,
    starts_process,
    without_assignments,
)
from bashkit.interp.run.subshell import run_subshell
from bashkit.interp.run.substitution import close_temporaries
from bashkit.interp.run.temporary_environment import with_assignments
from bashkit.interp.run.tracing import assign_traced, trace_command
from bashkit.interp.run.traps import act_on_signals, after_failure, before_command, leave_by, leave_start
from bashkit.interp.runtime.control import EarlierStatus, ExitShell, ExpansionError, KilledStatus
from bashkit.limits import paced_if_many
from bashkit.syntax import DECLARATIONS
from bashkit.syntax.nodes import Assignment, Literal, SimpleCommand, Word
from bashkit.syntax.unparse import unparse_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.run.redirections import Saved
    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import Redirection

    Expander = Callable[[Shell], list[str]]
    Execute = Callable[[Shell, list[str]], int]

_OF_INPUT = frozenset(["<", "<>", "<&"])
_KEYWORD = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+)?=")
_SENDERS = frozenset(["kill", "command", "builtin"])
_BARE_EXEC = (["exec"], ["exec", "--"])


@compiles(SimpleCommand)
def compile_simple(command: SimpleCommand) -> Run:
    """The closure for a simple command."""
    if not command.words:
        return _compile_assignments(command)
    return _compile_either(command) if _has_keywords(command) else _compile(command)


def _has_keywords(command: SimpleCommand) -> bool:
    """Whether ``set -k`` changes a command: a word behind its name is an assignment."""
    if "=" not in command.source:
        return False
    return any(isinstance(word, Assignment) or _KEYWORD.match(word.source) for word in command.words[1:])


def _with_keywords(command: SimpleCommand) -> SimpleCommand:
    """The command as ``set -k`` has it: words that are assignments stand before it."""
    moved = [(word, _as_assignment(word)) for word in command.words[1:]]
    found = tuple(assignment for _, assignment in moved if assignment is not None)
    rest = tuple(word for word, assignment in moved if assignment is None)
    return replace(command, assignments=command.assignments + found, words=(command.words[0], *rest))


def _as_assignment(word: Word | Assignment) -> Assignment | None:
    if isinstance(word, Assignment):
        return word
    first = word.parts[0] if word.parts else None
    match = _KEYWORD.match(first.text) if isinstance(first, Literal) else None
    if match is None or not isinstance(first, Literal):
        return None
    rest = first.text[match.end() :]
    parts = (Literal(rest), *word.parts[1:]) if rest else word.parts[1:]
    value = Word(parts, word.source.partition("=")[2])
    return Assignment(match.group(1), value, append=bool(match.group(2)), source=word.source)


def _declares(command: SimpleCommand) -> bool:
    """Whether a declaration builtin stands behind ``command``, which hides it from the parser."""
    names = (word.literal if isinstance(word, Word) else None for word in command.words)
    name = next((name for name in names if name != "command"), None)
    return name in DECLARATIONS and command.words[0].source == "command"


def _with_declarations(command: SimpleCommand) -> SimpleCommand:
    """The command as posix mode has it: words behind a declaration builtin that are assignments are read as such."""
    return replace(command, words=tuple(_as_assignment(word) or word for word in command.words))


def _compile_either(command: SimpleCommand) -> Run:
    """A command that ``set -k`` changes, or posix mode."""
    usual = _compile(command)
    in_posix_mode = _compile(_with_declarations(command)) if _declares(command) else usual
    changed: list[Run] = []

    def run(shell: Shell) -> int:
        if not shell.options.set["keyword"]:
            return in_posix_mode(shell) if shell.options.posix else usual(shell)
        if not changed:
            changed.append(_compile(_with_keywords(command)))
        return changed[0](shell)

    return run


def _compile(command: SimpleCommand) -> Run:
    if command.redirections or command.assignments:
        return _compile_complex(command)
    return _compile_words(command)


# ------------------------------------------------------------------------------------------------------- only assignments


def _compile_assignments(command: SimpleCommand) -> Run:
    """Assignments to the shell itself; the status is that of the last command substitution."""
    assigns = tuple(compile_assignment(assignment) for assignment in command.assignments)
    takes_status = any(map(runs_commands, paced_if_many(command.assignments)))
    line = command.line

    def run(shell: Shell) -> int:
        shell.line = line
        budget = shell.budget
        budget.credit -= 1
        if budget.credit < 0:
            budget.renew()
        if shell.debugging and before_command(shell, unparse_command(command)):
            return 0
        temporary = shell.temporary
        kept = len(temporary)
        if takes_status:
            shell.status = EarlierStatus(shell.status)
        try:
            if shell.options.xtrace:
                assign_traced(shell, command)
            else:
                for assign in assigns:
                    assign(shell)
        except ExpansionError as error:
            leave_start(shell, command, error)
            raise
        if len(temporary) > kept:
            close_temporaries(shell, kept)
        shell.variables["_"] = ""
        status = shell.status
        if not takes_status or status.__class__ is EarlierStatus:
            status = 0
        shell.status = status
        shell.pipe_statuses = None
        if status and shell.watching:
            after_failure(shell, status)
        return status

    return _redirect_assignments(command, run) if command.redirections else run


# -------------------------------------------------------------------------------------------------------------- commands


def _has_substitution(command: SimpleCommand) -> bool:
    """Whether expanding the words may run commands: where nothing is left of the words, the status is theirs."""
    source = command.source
    if "$(" not in source and "`" not in source and "<(" not in source:
        return False
    return any(isinstance(word, Word) and has_substitution(word.parts) for word in command.words)


def _compile_words(command: SimpleCommand) -> Run:
    expand = compile_arguments(command)
    line, column = command.line, command.column
    takes_status = _has_substitution(command)

    def run(shell: Shell) -> int:
        shell.line = line
        budget = shell.budget
        budget.credit -= 1
        if budget.credit < 0:
            budget.renew()
        if shell.debugging and before_command(shell, unparse_command(command)):
            return 0
        trapped = shell.watching and "ERR" in shell.traps
        temporary = shell.temporary
        kept = len(temporary)
        if takes_status:
            shell.status = EarlierStatus(shell.status)
        try:
            arguments = expand(shell)
        except ExpansionError as error:
            leave_start(shell, command, error)
            raise
        if not arguments:
            shell.variables["_"] = ""
            status = shell.status if takes_status and shell.status.__class__ is not EarlierStatus else 0
        else:
            if shell.options.xtrace:
                trace_command(shell, arguments)
            function = shell.functions.get(arguments[0])
            builtin = shell.builtins.get(arguments[0]) if function is None else None
            if builtin is not None:
                try:
                    status = builtin(shell, arguments)
                except FAILURES as error:
                    status = failed_builtin(shell, arguments[0], error)
            else:
                status = run_command(shell, arguments, function, column)
            last = arguments[-1]
            shell.variables["_"] = last if last.__class__ is str else _plain(last)
        if len(temporary) > kept:
            close_temporaries(shell, kept)
        shell.status = status
        shell.pipe_statuses = None
        return _fail(shell, command, status, trapped=trapped) if status else 0

    return run


def _fail(shell: Shell, command: SimpleCommand, status: int, *, trapped: bool) -> int:
    """Tell of a signal that has ended a command, and do what a failure leads to; gives the status to go on with."""
    if shell.apart:
        return status
    if isinstance(status, KilledStatus) and not shell.sole:
        status = shell.status = status_of_child(shell, status, command)
    if shell.watching:
        after_failure(shell, status, trapped=trapped)
    return status


def _plain(argument: str) -> str:
    """An argument as ``$_`` keeps it: of a list that is assigned the name."""
    return argument.name if isinstance(argument, ArrayArgument) else str(argument)


def _compile_complex(command: SimpleCommand) -> Run:
    """A command with redirections or assignments before it: the words are expanded, then assignments, then redirections."""
    expand = compile_arguments(command)
    line, column = command.line, command.column
    named = {item.name for item in command.assignments if item.subscript is None}
    apart = bool(named) and reads_any(command.redirections, named)
    perform = _compile_redirected(command.redirections, column, apart=apart) if command.redirections else _only_words(column)
    execute = with_assignments(command, perform) if command.assignments else perform
    first = command.words[0]
    if isinstance(first, Word) and first.literal in _SENDERS:
        execute = _delaying_traps(execute)
    takes_status = _has_substitution(command) or any(map(runs_commands, paced_if_many(command.assignments)))

    def run(shell: Shell) -> int:
        shell.line = line
        budget = shell.budget
        budget.credit -= 1
        if budget.credit < 0:
            budget.renew()
        if shell.debugging and before_command(shell, unparse_command(command)):
            return 0
        trapped = shell.watching and "ERR" in shell.traps
        kept = len(shell.temporary)
        if takes_status:
            shell.status = EarlierStatus(shell.status)
        try:
            arguments = expand(shell)
        except ExpansionError as error:
            leave_start(shell, command, error)
            raise
        if shell.options.xtrace and arguments and not command.assignments:
            trace_command(shell, arguments)
        status = execute(shell, arguments)
        if takes_status and not arguments and not status and shell.status.__class__ is not EarlierStatus:
            status = shell.status
        if len(shell.temporary) > kept:
            close_temporaries(shell, kept)
        shell.variables["_"] = _plain(arguments[-1]) if arguments else ""
        shell.status = status
        shell.pipe_statuses = None
        return _fail(shell, command, status, trapped=trapped) if status else 0

    return run


def _delaying_traps(execute: Execute) -> Execute:
    """Performs a command that may send a signal to its own shell."""

    def run(shell: Shell, arguments: list[str]) -> int:
        shell.traps.delayed = True
        try:
            shell.status = execute(shell, arguments)
        finally:
            shell.traps.delayed = False
        if shell.signals:
            act_on_signals(shell)
        return shell.status

    return run


def _only_words(column: int) -> Execute:
    """Runs the words of a command, if there are any."""

    def execute(shell: Shell, arguments: list[str]) -> int:
        return dispatch(shell, arguments, column) if arguments else 0

    return execute


def _compile_redirected(redirections: tuple[Redirection, ...], column: int, *, apart: bool) -> Execute:
    """Runs the words of a command with redirections, which stay when it is a bare ``exec``.

    A program's redirections are made in its own process: what their words assign is gone with it, and their errors end it alone.
    """
    redirect = compile_redirections(redirections)
    as_program = compile_redirections(redirections, child=True) if any(map(moves_descriptor, redirections)) else None
    if apart:
        redirect = without_assignments(redirect)
        as_program = without_assignments(as_program) if as_program is not None else None
    assigns = any(map(assigns_words, redirections))
    alone = any(map(_makes_process, redirections))

    def execute(shell: Shell, arguments: list[str]) -> int:
        if arguments and arguments[0][:1] == "%" and not shell.sole:  # for a job specification none are made
            return dispatch(shell, arguments, column)
        try:
            undo = (as_program if as_program is not None and _is_program(shell, arguments) else redirect)(shell)
        except ExpansionError as error:
            if not (_is_program(shell, arguments) if arguments else alone):
                raise
            return failed_process(shell, error)
        if undo is None:
            if shell.options.posix and arguments and arguments[0] in shell.machine.special_builtins:
                raise ExitShell(1)
            return 1
        permanent = arguments in _BARE_EXEC
        fed = shell.fed
        try:
            status = dispatch(shell, arguments, column) if arguments else 0
        except BaseException as error:
            try:
                if isinstance(error, ExpansionError):
                    leave_by(shell, error)
            finally:
                restore(shell, undo)
            raise
        finally:
            shell.fed = fed
        if permanent:
            keep(undo)
        else:
            restore(shell, undo)
        return status

    def execute_apart(shell: Shell, arguments: list[str]) -> int:
        if shell.sole or not _is_program(shell, arguments):
            return execute(shell, arguments)
        twin = shell.fork()
        twin.sole, twin.pid = True, shell.machine.hub.new_pid()
        twin.assigned = shell.assigned.copy()
        return run_subshell(twin, lambda inner: execute(inner, arguments))

    def execute_child(shell: Shell, arguments: list[str]) -> int:
        if shell.sole or not _is_program(shell, arguments):
            return execute(shell, arguments)
        return as_child(shell, lambda: execute(shell, arguments))

    if assigns:
        return execute_apart
    return execute_child if any(map(starts_process, redirections)) else execute


def _is_program(shell: Shell, arguments: list[str]) -> bool:
    """Whether a command is neither a function nor a builtin: it gets a process of its own, maybe behind ``command``."""
    words = iter(arguments)
    name = next((word for word in words if word != "command"), "-")
    if name.startswith("-") or name in shell.builtins:
        return False
    return name not in shell.functions or arguments[0] == "command"


def dispatch(shell: Shell, arguments: list[str], column: int) -> int:
    """Run what the first argument names: a function, a builtin, or a command."""
    function = shell.functions.get(arguments[0])
    builtin = shell.builtins.get(arguments[0]) if function is None else None
    if builtin is None:
        return run_command(shell, arguments, function, column)
    return run_builtin(shell, builtin, arguments)


def _redirect_assignments(command: SimpleCommand, run: Run) -> Run:
    """``x=1 > file``: the assignment, and then the file is made."""
    redirect = _compile_lone_redirections(command)

    def redirected(shell: Shell) -> int:
        kept = len(shell.temporary)
        status = run(shell)
        try:
            undo = redirect(shell)
            if undo is not None:
                restore(shell, undo)
                return status
        except ExpansionError as error:
            leave_start(shell, command, error)
            raise
        finally:
            close_temporaries(shell, kept)
        shell.status = 1
        if shell.watching:
            after_failure(shell, 1)
        return 1

    return redirected if command.assignments else _redirect_only(redirect, command)


def _compile_lone_redirections(command: SimpleCommand) -> Callable[[Shell], Saved | None]:
    """The redirections of no command: ``{name}>file`` among them makes them in a subshell, and ``name`` stays as it was."""
    redirect = compile_redirections(command.redirections)
    if not any(redirection.variable for redirection in command.redirections):
        return redirect

    def apart(shell: Shell) -> Saved | None:
        twin = shell.fork()
        twin.pid = shell.machine.hub.new_pid()
        status = run_subshell(twin, lambda inner: 0 if redirect(inner) is not None else 1)
        return None if status else []

    return apart


def _makes_process(redirection: Redirection) -> bool:
    """Whether bash makes a process for redirections without a command, of which this is one."""
    return redirection.operator in _OF_INPUT and not redirection.fd


def _redirect_only(redirect: Callable[[Shell], Saved | None], command: SimpleCommand) -> Run:
    """``> file``; where it changes no standard input, its status is that of the last command substitution in it."""
    line = command.line
    apart = any(map(_makes_process, command.redirections))

    def run(shell: Shell) -> int:
        shell.line = line
        shell.budget.command()
        if shell.debugging and before_command(shell, unparse_command(command)):
            return 0
        kept = len(shell.temporary)
        shell.status = EarlierStatus(shell.status)
        try:
            undo = redirect(shell)
            if undo is not None:
                restore(shell, undo)
            status = 1 if undo is None else 0 if apart or isinstance(shell.status, EarlierStatus) else shell.status
        except ExpansionError as error:
            if not apart:
                leave_start(shell, command, error)
                raise
            status = failed_process(shell, error)
        finally:
            close_temporaries(shell, kept)
        shell.variables["_"] = ""
        shell.status = status
        shell.pipe_statuses = None
        if status and shell.watching:
            after_failure(shell, status)
        return status

    return run
