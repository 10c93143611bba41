"""Commands to closures: the one place where the kinds of commands meet (bash(1), SHELL GRAMMAR).

The module that runs a kind of command declares its compiler here with ``compiles``. So a loop can hold a pipeline, and a pipeline
a loop, without one module importing the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from bashkit.interp.runtime.control import USAGE_STATUS, ExitShell
from bashkit.limits import turn
from bashkit.syntax.nodes import Sequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import Command

    Compiler = Callable[[Any], Run]

C = TypeVar("C", bound="Compiler")
_COMPILERS: dict[type, Compiler] = {}
_MANY = 100  # commands of a sequence that are compiled together
_UNWATCHED: dict[type, Compiler] = {}  # pure tests, as conditions: neither errexit nor the ERR trap looks at them


def compiles(kind: type[Command]) -> Callable[[C], C]:
    """Declare the decorated function as the compiler of one kind of command."""

    def declare(compiler: C) -> C:
        _COMPILERS[kind] = compiler
        return compiler

    return declare


def compiles_condition(kind: type[Command]) -> Callable[[C], C]:
    """Declare the decorated function as the compiler of one kind of command where its failure is asked for."""

    def declare(compiler: C) -> C:
        _UNWATCHED[kind] = compiler
        return compiler

    return declare


def compile_command(command: Command) -> Run:
    """The closure that runs a command and returns its exit status."""
    turn()
    return _COMPILERS[type(command)](command)


@compiles(Sequence)
def compile_sequence(sequence: Sequence) -> Run:
    """The closure for commands one after the other."""
    if len(sequence.commands) > _MANY:
        return _compile_long(sequence)
    runs = tuple(compile_command(command) for command in sequence.commands)
    if len(runs) == 1:
        return runs[0]
    if not runs:
        return lambda shell: 0  # noqa: ARG005
    if len(runs) == 2:
        first, second = runs

        def run_two(shell: Shell) -> int:
            first(shell)
            return second(shell)

        return run_two

    def run_all(shell: Shell) -> int:
        status = 0
        for run in runs:
            status = run(shell)
        return status

    return run_all


def _compile_long(sequence: Sequence) -> Run:
    """The closure for so many commands that each is compiled when its turn comes first."""
    commands = sequence.commands
    runs: list[Run | None] = [None] * len(commands)

    def run_all(shell: Shell) -> int:
        status = 0
        for index, run in enumerate(runs):
            if run is None:
                shell.budget.tick(32)
                run = runs[index] = compile_command(commands[index])
            status = run(shell)
        return status

    return run_all


def shielded(run: Run) -> Run:
    """A command whose failure is asked for, so that errexit and the ERR trap leave it alone."""

    def run_shielded(shell: Shell) -> int:
        shell.condition_depth += 1
        try:
            return run(shell)
        finally:
            shell.condition_depth -= 1

    return run_shielded


def compile_condition(sequence: Sequence) -> Run:
    """A condition of if or while; pure tests need no shield."""
    unwatched = _UNWATCHED.get(type(sequence.commands[0])) if len(sequence.commands) == 1 else None
    return shielded(compile_sequence(sequence)) if unwatched is None else unwatched(sequence.commands[0])


def compile_refusal(name: str, line: int) -> Run:
    """The closure for a loop or function whose name is not an identifier: an error when it runs, which no errexit asks for."""

    def run(shell: Shell) -> int:
        shell.line = line
        shell.warn(f"`{name}': not a valid identifier")
        shell.status = 1
        if shell.options.posix:
            raise ExitShell(USAGE_STATUS)
        return 1

    return run
