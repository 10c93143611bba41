"""Loops to closures (bash(1), Compound Commands); a loop of many turns goes on as generated Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bashkit.interp.expand.arguments import compile_words
from bashkit.interp.expand.arithmetic_words import compile_arithmetic
from bashkit.interp.expand.words import constant
from bashkit.interp.run.compiler import compile_condition, compile_refusal, compile_sequence, compiles
from bashkit.interp.run.tiers import Heat
from bashkit.interp.run.tracing import trace, traced_arithmetic
from bashkit.interp.run.traps import before_command
from bashkit.interp.runtime.control import ExpansionError, LoopJump
from bashkit.interp.state.assignment_errors import CircularReferenceError, ReadonlyError
from bashkit.interp.state.scopes import MOST_REFERENCES, NAME
from bashkit.interp.state.variables import NAMEREF, DynamicVariable, Variable
from bashkit.syntax.nodes import ArithmeticFor, For, While
from bashkit.syntax.unparse import unparse_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import Word


def attempt(shell: Shell, run: Run) -> tuple[int, LoopJump | None]:
    """Run a part of a loop: its status, and the ``break`` or ``continue`` for this loop that ended it."""
    try:
        return run(shell), None
    except LoopJump as jump:
        if not jump.arrives():
            raise
        shell.status = jump.status
        return jump.status, jump.with_traceback(None)  # whose frames would hold the jump, and it them


@compiles(While)
def _while(command: While) -> Run:
    """``while`` and ``until``."""
    condition, body = compile_condition(command.condition), compile_sequence(command.body)
    until = command.until
    heat = Heat(command)

    def run(shell: Shell) -> int:
        unit = heat.unit
        if unit is not None:
            return unit(shell, 0, None)
        status = 0
        shell.loop_depth += 1
        shell.fed = None
        try:
            while unit is None:
                shell.budget.iteration()
                asked, jump = attempt(shell, condition)
                if jump is not None:
                    if not jump.ends and (asked == 0) is until:  # `continue` has a status as other commands do
                        break
                    status = asked
                elif (asked == 0) is until:
                    if shell.pipe_statuses is None:
                        shell.pipe_statuses = [asked]
                    break
                else:
                    status, jump = attempt(shell, body)
                if jump is not None and jump.ends:
                    break
                unit = heat.turn(shell)
        finally:
            shell.loop_depth -= 1
        if unit is not None:
            return unit(shell, status, None)
        shell.status = status
        return status

    return run


@compiles(For)
def _for(command: For) -> Run:
    """``for name in words``."""
    name, line = command.name, command.line
    if not NAME.fullmatch(name):
        return compile_refusal(name, line)
    body = compile_sequence(command.body)
    words = compile_words(command.words) if command.words is not None else (lambda shell: shell.positional)
    heat = Heat(command)
    head = head_of(command)

    def run(shell: Shell) -> int:
        unit = heat.unit
        control = shell.variables.get(name)
        refers = isinstance(control, Variable) and control.flags & NAMEREF
        if unit is not None and not refers:
            return unit(shell, 0, None)
        shell.line = line
        status = turns = 0
        values = words(shell)
        if not values and shell.pipe_statuses is None:
            shell.pipe_statuses = [shell.status]
        if refers and not _is_circular(shell, name):
            return _run_references(shell, name, values, body, lambda: announce_turn(shell, head, line))
        if isinstance(control, DynamicVariable) and control.fixed and values:
            shell.status = 1
            return 1
        shell.loop_depth += 1
        shell.fed = None
        try:
            for value in values:
                if unit is not None:
                    break
                turns += 1
                shell.budget.iteration()
                if status := announce_turn(shell, head, line):
                    continue
                if not assign_control(shell, name, value):
                    status = 1
                    break
                status, jump = attempt(shell, body)
                if jump is not None and jump.ends:
                    break
                unit = heat.turn(shell)
        finally:
            shell.loop_depth -= 1
        if unit is not None:
            return unit(shell, status, (values, turns))
        shell.status = status
        return status

    return run


def _run_references(shell: Shell, name: str, values: list[str], body: Run, announce: Callable[[], int]) -> int:
    """A loop whose control variable is a nameref: the last one of its chain refers to one word after the other.

    Args:
        shell: The shell.
        name: The control variable.
        values: The words.
        body: Runs for each.
        announce: As ``announce_turn``.
    """
    status = 0
    shell.loop_depth += 1
    try:
        for value in values:
            shell.budget.iteration()
            if status := announce():
                continue
            control = shell.variables.get(name)
            if not isinstance(control, Variable) or not control.flags & NAMEREF:
                if not assign_control(shell, name, value):
                    status = 1
                    break
            elif value.partition("[")[0] == name and not shell.scopes:
                shell.warn(f"{name}: nameref variable self references not allowed")
                status = 1
                break
            elif NAME.fullmatch(value.partition("[")[0]):
                shell.variables[_last_reference(shell, name)] = Variable(value, NAMEREF)
            else:
                shell.warn(f"`{value}': not a valid identifier")
                status = 1
                break
            status, jump = attempt(shell, body)
            if jump is not None and jump.ends:
                break
    finally:
        shell.loop_depth -= 1
    shell.status = status
    return status


def _last_reference(shell: Shell, name: str) -> str:
    """The reference at the end of a chain, which refers to something else."""
    for _ in range(MOST_REFERENCES):
        target = str(cast("Variable", shell.variables[name]).value)
        further = shell.variables.get(target)
        if not isinstance(further, Variable) or not further.flags & NAMEREF:
            break
        name = target
    return name


def _is_circular(shell: Shell, name: str) -> bool:
    """Whether a reference leads back to itself: words are then assigned to what it hides, if it is local."""
    try:
        shell.resolve(name)
    except CircularReferenceError:
        return True
    return False


def assign_control(shell: Shell, name: str, value: str) -> bool:
    """Give the control variable of a loop its value; False when that cannot be, which has been said.

    Raises:
        ReadonlyError: It is readonly, in posix mode.
    """
    try:
        shell.assign(name, value)
    except (ReadonlyError, CircularReferenceError) as error:
        if isinstance(error, ReadonlyError):
            if shell.options.posix:
                raise
            shell.complain_of_variable(error.message)
        else:
            shell.warn(error.message)
        return False
    return True


def head_of(command: For) -> str:
    """``for name in words`` as traps and traces show it."""
    words = ' "$@"' if command.words is None else "".join(" " + unparse_word(word) for word in command.words)
    return f"for {command.name} in{words}"


def announce_turn(shell: Shell, head: str, line: int) -> int:
    """Let the DEBUG trap and ``set -x`` know of a turn of a loop in that line.

    Returns:
        The trap's status if it leaves the turn out, else 0.
    """
    if not (shell.debugging or shell.options.xtrace):
        return 0
    shell.line = line
    if shell.options.xtrace:
        trace(shell, head)
    return before_command(shell, head) if shell.debugging else 0


@compiles(ArithmeticFor)
def _arithmetic_for(command: ArithmeticFor) -> Run:
    """``for ((initial; condition; step))``."""
    body = compile_sequence(command.body)
    line = command.line
    initial, step = _part(command.initial, line), _part(command.step, line)
    empty = not command.condition.parts or (constant(command.condition) or "x").isspace()
    condition: Callable[[Shell], int | None] = (lambda shell: 1) if empty else _part(command.condition, line)  # noqa: ARG005
    heat = Heat(command)
    shown = [word.source.lstrip(" \t") or "1" for word in (command.initial, command.condition, command.step)]
    asks_line = any("LINENO" in source for source in shown)

    parts = (initial, condition, step)
    words = (command.initial, command.condition, command.step)
    watched = tuple(_announced(part, word, line) for part, word in zip(parts, words, strict=True))

    def run(shell: Shell) -> int:
        watching = asks_line or shell.debugging or shell.options.xtrace  # each part is then a command of its own
        unit = None if watching else heat.unit
        if unit is not None:
            return unit(shell, 0, None)
        first, asked, after = watched if watching else parts
        shell.line = line
        status = 0
        shell.loop_depth += 1
        shell.fed = None
        try:
            last = first(shell)
            while last is not None and (last := asked(shell)):
                shell.budget.iteration()
                status, jump = attempt(shell, body)
                if jump is not None and jump.ends:
                    break
                watching = asks_line or shell.debugging or shell.options.xtrace
                _, asked, after = watched if watching else parts
                if not watching:
                    unit = heat.turn(shell)
                last = after(shell)
                if unit is not None and last is not None:
                    break
            if last is None:
                status, unit = 1, None
        finally:
            shell.loop_depth -= 1
        if unit is not None:
            return unit(shell, status, True)
        shell.status = status
        return status

    return run


def _announced(value: Callable[[Shell], int | None], word: Word, line: int) -> Callable[[Shell], int | None]:
    """An expression as the command of its own that it is to ``$LINENO``, the DEBUG trap and ``set -x``."""
    source = word.source.lstrip(" \t") or "1"

    def leaves_out(shell: Shell) -> bool:
        return shell.debugging and before_command(shell, f"(({source}))") != 0

    traced = _part(word, line, traced_arithmetic(word, part=True, leaves_out=leaves_out))

    def run(shell: Shell) -> int | None:
        shell.line = line
        if shell.options.xtrace:
            return traced(shell)
        return 0 if leaves_out(shell) else value(shell)

    return run


def _part(word: Word, line: int, traced: Callable[[Shell], int] | None = None) -> Callable[[Shell], int | None]:
    """One of the three expressions; None when it cannot be evaluated, which has been said."""
    value = traced or compile_arithmetic(word)

    def evaluate(shell: Shell) -> int | None:
        try:
            return value(shell)
        except ExpansionError as error:
            shell.line = line
            shell.complain_of_expression("((", error)
            return None

    return evaluate
