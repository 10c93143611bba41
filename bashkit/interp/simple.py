"""Simple commands to closures (bash(1), Simple Command Expansion and Command Execution)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.arguments import compile_words
from bashkit.interp.assignments import compile_assignment, compile_declaration, has_substitution, runs_commands
from bashkit.interp.expansion import compile_scalar
from bashkit.interp.launch import run_command
from bashkit.interp.quoting import quote_if_needed
from bashkit.interp.redirections import compile_redirections, keep, restore
from bashkit.interp.store import ReadonlyError, TemporaryScope
from bashkit.interp.substitution import close_temporaries
from bashkit.interp.traps import after_failure, before_command
from bashkit.interp.variables import EXPORT, READONLY, Stored, Variable
from bashkit.syntax.nodes import Assignment, SimpleCommand, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.redirections import Saved
    from bashkit.interp.shell import Run, Shell

    Expander = Callable[[Shell], list[str]]


def compile_simple(command: SimpleCommand) -> Run:
    """The closure for a simple command."""
    if not command.words:
        return _compile_assignments(command)
    if command.redirections or command.assignments:
        return _compile_complex(command)
    return _compile_words(command)


# ------------------------------------------------------------------------------------------------------- only assignments


def _compile_assignments(command: SimpleCommand) -> Run:
    """Assignments to the shell itself; the status is that of the last command substitution."""
    assigns = tuple(compile_assignment(assignment) for assignment in command.assignments)
    takes_status = any(runs_commands(assignment) for assignment in command.assignments)
    line, source = command.line, command.source

    def run(shell: Shell) -> int:
        shell.line = line
        budget = shell.budget
        budget.commands -= 1
        budget.fuel -= 1
        if budget.fuel < 0 or budget.commands < 0:
            budget.commands += 1
            budget.command()
        if shell.debugging:
            before_command(shell, source)
        for assign in assigns:
            assign(shell)
        status = shell.status if takes_status else 0
        shell.status = status
        shell.pipe_statuses = None
        if shell.xtrace:
            _trace_assignments(shell, command)
        if status and shell.watching:
            after_failure(shell, status)
        return status

    return _redirect_assignments(command, run) if command.redirections else run


def _trace_assignments(shell: Shell, command: SimpleCommand) -> None:
    from bashkit.interp.compiler import trace

    for assignment in command.assignments:
        if isinstance(assignment.value, Word) and assignment.subscript is None:
            trace(shell, f"{assignment.name}={quote_if_needed(shell.get(assignment.name) or '') if shell.get(assignment.name) else ''}")
        else:
            trace(shell, assignment.source)


# -------------------------------------------------------------------------------------------------------------- commands


def _compile_arguments(command: SimpleCommand) -> Expander:
    words = command.words
    if not any(isinstance(word, Assignment) for word in words):
        return compile_words(tuple(word for word in words if isinstance(word, Word)))
    expanders: list[Expander] = []
    for word in words:
        if isinstance(word, Assignment):
            scalar = compile_declaration(word)
            expanders.append(lambda shell, scalar=scalar: [scalar(shell)])  # type: ignore[misc]  # mypy cannot type the default
        else:
            expanders.append(compile_words((word,)))

    def expand(shell: Shell) -> list[str]:
        return [argument for expander in expanders for argument in expander(shell)]

    return expand


def _compile_words(command: SimpleCommand) -> Run:
    expand = _compile_arguments(command)
    line, column, source = command.line, command.column, command.source
    takes_status = any(isinstance(word, Word) and has_substitution(word.parts) for word in command.words)

    def run(shell: Shell) -> int:
        shell.line = line
        budget = shell.budget
        budget.commands -= 1
        budget.fuel -= 1
        if budget.fuel < 0 or budget.commands < 0:
            budget.commands += 1
            budget.command()
        if shell.debugging:
            before_command(shell, source)
        temporary = shell.temporary
        kept = len(temporary)
        arguments = expand(shell)
        if not arguments:
            status = shell.status if takes_status else 0
        else:
            if shell.xtrace:
                trace_command(shell, arguments)
            function = shell.functions.get(arguments[0])
            builtin = shell.builtins.get(arguments[0]) if function is None else None
            if builtin is not None:
                try:
                    status = builtin(shell, arguments)
                except OSError as error:
                    status = report_os_error(shell, arguments[0], error)
            else:
                status = run_command(shell, arguments, function, column)
            last = arguments[-1]
            shell.variables["_"] = last if last.__class__ is str else str(last)
        if len(temporary) > kept:
            close_temporaries(shell, kept)
        shell.status = status
        shell.pipe_statuses = None
        if status and shell.watching:
            after_failure(shell, status)
        if shell.machine.on_flush is not None and not shell.subshell_level:
            shell.machine.on_flush()
        return status

    return run


def report_os_error(shell: Shell, name: str, error: OSError) -> int:
    """A builtin met an error of the system: say so, status 1; a broken pipe ends the subshell instead."""
    if isinstance(error, BrokenPipeError) and shell.traps.get("PIPE") != "":
        raise error
    shell.complain(name, f"write error: {error.strerror or 'Broken pipe'}")
    return 1


def trace_command(shell: Shell, arguments: list[str]) -> None:
    """``set -x``: write the expanded command."""
    from bashkit.interp.compiler import trace

    trace(shell, " ".join(quote_if_needed(argument) for argument in arguments))


def _compile_complex(command: SimpleCommand) -> Run:
    """A command with redirections or assignments before it; POSIX XCU 2.9.1 sets the order: words, redirections, assignments.

    The assignments hold while the command runs, and are exported to it.
    """
    expand = _compile_arguments(command)
    redirect = compile_redirections(command.redirections) if command.redirections else None
    values = tuple(
        (assignment.name, compile_scalar(assignment.value, assignment=True), assignment.append)
        for assignment in command.assignments
        if isinstance(assignment.value, Word) and assignment.subscript is None
    )
    assigns = tuple(compile_assignment(assignment) for assignment in command.assignments)
    line, column, source = command.line, command.column, command.source

    def execute(shell: Shell, arguments: list[str]) -> int:
        if not arguments:
            for assign in assigns:
                assign(shell)
            return 0
        if not values:
            if shell.xtrace:
                trace_command(shell, arguments)
            return _dispatch(shell, arguments, column)
        saved = TemporaryScope()
        around_function = arguments[0] in shell.functions
        try:
            _enter_environment(shell, values, saved)
            if around_function:
                shell.scopes.append(saved)
            if shell.xtrace:
                trace_command(shell, arguments)
            return _dispatch(shell, arguments, column)
        except ReadonlyError as error:
            shell.warn(error.message)
            return 1
        finally:
            if around_function and shell.scopes and shell.scopes[-1] is saved:
                shell.scopes.pop()
            _leave_environment(shell, saved)

    def run(shell: Shell) -> int:
        shell.line = line
        shell.budget.command()
        if shell.debugging:
            before_command(shell, source)
        kept = len(shell.temporary)
        arguments = expand(shell)
        permanent = False
        if redirect is None:
            status = execute(shell, arguments)
        else:
            undo = redirect(shell)
            if undo is None:
                status = 1
            else:
                status, permanent = _with_redirections(shell, undo, execute, arguments)
        if len(shell.temporary) > kept and not permanent:
            close_temporaries(shell, kept)
        if arguments:
            shell.variables["_"] = str(arguments[-1])
        shell.status = status
        shell.pipe_statuses = None
        if status and shell.watching:
            after_failure(shell, status)
        if shell.machine.on_flush is not None and not shell.subshell_level:
            shell.machine.on_flush()
        return status

    return run


def _with_redirections(
    shell: Shell, undo: Saved, execute: Callable[[Shell, list[str]], int], arguments: list[str]
) -> tuple[int, bool]:
    """Run a command whose redirections are in place; they stay when it is a bare ``exec``."""
    permanent = arguments in (["exec"], ["exec", "--"])
    fed = shell.fed
    try:
        status = execute(shell, arguments)
    except BaseException:
        restore(shell, undo)
        raise
    finally:
        shell.fed = fed
    if permanent:
        keep(undo)
    else:
        restore(shell, undo)
    return status, permanent


def _dispatch(shell: Shell, arguments: list[str], column: int) -> int:
    function = shell.functions.get(arguments[0])
    builtin = shell.builtins.get(arguments[0]) if function is None else None
    if builtin is None:
        return run_command(shell, arguments, function, column)
    try:
        return builtin(shell, arguments)
    except OSError as error:
        return report_os_error(shell, arguments[0], error)


def _enter_environment(
    shell: Shell, values: tuple[tuple[str, Callable[[Shell], str], bool], ...], saved: dict[str, Stored | None]
) -> None:
    for name, value, append in values:
        text = value(shell)
        old = shell.variables.get(name)
        if isinstance(old, Variable) and old.flags & READONLY:
            raise ReadonlyError(name)
        if append:
            text = (shell.get(name) or "") + text
        if name not in saved:
            saved[name] = old
        flags = old.flags if isinstance(old, Variable) else 0
        shell.variables[name] = Variable(shell.convert(text, flags) if flags else text, flags | EXPORT)


def _leave_environment(shell: Shell, saved: dict[str, Stored | None]) -> None:
    for name, old in saved.items():
        if old is None:
            shell.variables.pop(name, None)
        else:
            shell.variables[name] = old


def _redirect_assignments(command: SimpleCommand, run: Run) -> Run:
    """``x=1 > file``: the file is made, and the assignments stay."""
    redirect = compile_redirections(command.redirections)
    line = command.line

    def redirected(shell: Shell) -> int:
        shell.line = line
        kept = len(shell.temporary)
        undo = redirect(shell)
        if undo is None:
            shell.status = 1
            if shell.watching:
                after_failure(shell, 1)
            return 1
        try:
            return run(shell)
        finally:
            restore(shell, undo)
            close_temporaries(shell, kept)

    return redirected
