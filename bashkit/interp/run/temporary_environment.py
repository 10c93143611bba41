"""Assignments before a command: the temporary environment that it runs in (bash(1), ENVIRONMENT)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.expand.assignments import compile_assignment
from bashkit.interp.expand.words import compile_scalar
from bashkit.interp.run.tracing import assign_traced, trace_command, trace_lists, trace_value, trace_words
from bashkit.interp.run.traps import leave_start
from bashkit.interp.runtime.control import ExitShell, ExpansionError, LineError
from bashkit.interp.state.assignment_errors import CircularReferenceError, ReadonlyError
from bashkit.interp.state.scopes import TemporaryScope
from bashkit.interp.state.variables import (
    EXPORT,
    NAMEREF,
    READONLY,
    DynamicVariable,
    IndexedArray,
    Stored,
    Variable,
    WatchedVariable,
)
from bashkit.limits import MANY, paced, paced_if_many
from bashkit.syntax.nodes import Word

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import Assignment, SimpleCommand

    Execute = Callable[[Shell, list[str]], int]
    Value = tuple[str, Callable[[Shell], str], bool]  # name, value, and whether it is added to what the variable has


def with_assignments(command: SimpleCommand, perform: Execute) -> Execute:
    """Performs a command with assignments before it: they hold while it runs, and are exported to it."""
    values = tuple(
        (
            assignment.name,
            compile_scalar(assignment.value, assignment=True)
            if isinstance(assignment.value, Word)
            else _text_of_array(assignment),
            assignment.append,
        )
        for assignment in command.assignments
        if assignment.subscript is None
    )
    changing = any(
        isinstance(assignment.value, Word) and assignment.value.literal is None for assignment in command.assignments[1:]
    )
    elements = tuple(
        assignment.source.partition("]")[0] + "]" for assignment in command.assignments if assignment.subscript is not None
    )

    def execute(shell: Shell, arguments: list[str]) -> int:
        if not arguments:
            try:
                if shell.options.xtrace:
                    assign_traced(shell, command)
                else:
                    for assignment in paced_if_many(command.assignments):
                        compile_assignment(assignment)(shell)
            except ExpansionError as error:
                leave_start(shell, command, error)
                raise
            return perform(shell, arguments)
        for element in elements:
            shell.warn(f"`{element}': not a valid identifier")
        if not values:
            if shell.options.xtrace:
                trace_command(shell, arguments)
            return perform(shell, arguments)
        around_function = arguments[0] in shell.functions
        if around_function and shell.assigned:
            return shell.around_function(lambda: execute(shell, arguments))
        saved = TemporaryScope()
        saved.outer = shell.assigned or None
        outer, shell.assigned = shell.assigned, TemporaryScope() if around_function else saved
        try:
            if shell.options.xtrace:
                trace_lists(shell, arguments)
            try:
                _enter(shell, values, saved, arguments, changing=changing)
            except ExpansionError as error:
                leave_start(shell, command, error)
                raise
            if shell.options.xtrace:
                with saved.hidden(shell.variables):  # undocumented: PS4 does not see them
                    trace_words(shell, arguments)
            if around_function:
                shell.scopes.append(saved)
            return perform(shell, arguments)
        finally:
            shell.assigned = outer
            if around_function and shell.scopes and shell.scopes[-1] is saved:
                shell.scopes.pop()
            _leave(shell, saved, arguments[0])

    return execute


def _text_of_array(assignment: Assignment) -> Callable[[Shell], str]:
    """``a=(1 2) command``: the environment has no arrays, so the text itself is the value."""
    text = assignment.source.partition("=")[2]
    return lambda shell: text  # noqa: ARG005 - as every value


def _performer(arguments: list[str]) -> str:
    """The command that acts: the one after ``command``."""
    return next((word for word in arguments if word != "command" and not word.startswith("-")), "command")


def _enter(shell: Shell, values: tuple[Value, ...], saved: TemporaryScope, arguments: list[str], *, changing: bool) -> None:
    """Assign the values; one that is ``changing`` may itself assign, as ``${x:=y}`` does, to a variable of those before it."""
    command = arguments[0]
    acts = _performer(arguments) if command == "command" else command
    machine = shell.machine
    watched = acts in machine.builtins and acts not in machine.scoped_builtins and command not in shell.functions
    kind = WatchedVariable if watched or changing else Variable
    for name, value, append in paced_if_many(values):
        text = value(shell)
        old = shell.variables.get(name)
        if isinstance(old, Variable) and old.flags & NAMEREF:
            try:
                name = shell.resolve(name)
            except CircularReferenceError as error:
                shell.warn(error.message)
            old = shell.variables.get(name)
        if isinstance(old, Variable) and old.flags & READONLY:
            if shell.options.posix:
                _refuse(shell, name, command)
            shell.complain_of_variable(ReadonlyError(name).message)
            continue
        if isinstance(old, DynamicVariable) and old.fixed:
            continue
        if append:
            text = shell.convert(text, old.flags if isinstance(old, Variable) else 0, shell.get(name) or "")
        if name not in saved:
            saved[name] = old
        shell.variables[name] = kind(text, EXPORT)  # without the attributes of the variable that it hides
        if shell.options.xtrace:
            trace_value(shell, name, text)
    if changing and not watched:
        _end_watch(shell, saved)


def _end_watch(shell: Shell, saved: TemporaryScope) -> None:
    """Note what the values themselves have assigned; what the command assigns does not count."""
    for name in saved:
        held = shell.variables.get(name)
        if isinstance(held, WatchedVariable):
            if held.assigned:
                saved.passed += ((name, held),)
            shell.variables[name] = Variable(held.value, held.flags)


def _refuse(shell: Shell, name: str, command: str) -> NoReturn:
    """In posix mode a readonly variable ends the line, or the shell (POSIX XCU 2.8.1)."""
    shell.warn(ReadonlyError(name).message)
    if shell.options.errexit:
        raise ExitShell(1)
    if command in shell.machine.special_builtins:
        raise ExpansionError("", 127, fatal=True)
    raise LineError("")


def _leave(shell: Shell, saved: TemporaryScope, command: str) -> None:
    """Give back what the assignments hide, but for what lasts, as before special builtins in posix mode (POSIX XCU 2.14)."""
    reached = shell.get("OPTIND") if command == "getopts" and "OPTIND" in saved else None
    if shell.options.posix and command in shell.machine.special_builtins:
        saved.lasting |= saved.keys() & shell.variables.keys()
    for name in saved.lasting:
        _last(shell, name, saved.pop(name, None))
    variables = shell.variables
    assigned = [(name, held) for name in saved if isinstance(held := variables.get(name), WatchedVariable) and held.assigned]
    assigned += saved.passed
    for name, old in saved.items() if len(saved) < MANY else paced(saved.items()):
        if old is None:
            shell.variables.pop(name, None)
        else:
            shell.variables[name] = old
    for name, held in assigned:
        _write_through(shell, name, held)
    if "OPTIND" in saved:
        shell.getopts_place = (0, 1)  # it is assigned anew
    if reached is not None:  # what getopts itself assigns stays
        shell.assign("OPTIND", reached)


def _last(shell: Shell, name: str, hidden: Stored | None) -> None:
    """Let a variable stay that an assignment has set; the one that it hides gets its value and attributes, and keeps its own."""
    held = shell.variables.get(name)
    if not isinstance(hidden, Variable) or isinstance(hidden, DynamicVariable) or not isinstance(held, Variable):
        return
    if not isinstance(held.value, str):
        return
    shell.variables[name] = hidden
    shell.assign(name, held.value)
    shell.attributed(name).flags |= held.flags


def _write_through(shell: Shell, name: str, held: WatchedVariable) -> None:
    """Assign to the variable that was hidden what a builtin has assigned to the one that hid it."""
    value = held.value
    if isinstance(value, str):
        shell.assign(name, value)
    elif isinstance(value, IndexedArray) and name in shell.variables:
        for index, text in list(value.items()):
            if index != "0" or text != held.given:
                shell.assign_element(name, index, text)
