"""``if``, ``case``, ``((…))`` and ``[[…]]`` to closures (bash(1), Compound Commands)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.expand.arithmetic_words import compile_arithmetic
from bashkit.interp.expand.operators import matcher_for
from bashkit.interp.expand.patterns import compile_pattern
from bashkit.interp.expand.words import compile_scalar, constant
from bashkit.interp.run.compiler import compile_condition, compile_sequence, compiles, compiles_condition
from bashkit.interp.run.conditional_expressions import ConditionError, compile_test, traced_test
from bashkit.interp.run.tracing import trace, traced_arithmetic
from bashkit.interp.run.traps import after_failure, before_command
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.state.locales import in_locale
from bashkit.syntax.nodes import ArithmeticCommand, Case, ConditionalCommand, If
from bashkit.syntax.unparse import unparse_command, unparse_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import Word


@compiles(If)
def _if(command: If) -> Run:
    conditions = tuple([compile_condition(condition) for condition, _ in command.branches])
    bodies = [body for _, body in command.branches]
    if command.otherwise is not None:
        bodies.append(command.otherwise)
    runs: list[Run | None] = [None] * len(bodies)  # each compiled when it first runs: many never do

    def run(shell: Shell) -> int:
        index = asked = 0
        for condition in conditions:
            asked = condition(shell)
            if asked == 0:
                break
            index += 1
        if index < len(runs):
            body = runs[index]
            if body is None:
                body = runs[index] = compile_sequence(bodies[index])
            return body(shell)
        if shell.pipe_statuses is None:
            shell.pipe_statuses = [asked]
        shell.status = 0
        return 0

    return run


@compiles(Case)
def _case(command: Case) -> Run:
    subject = compile_scalar(command.subject)
    line = command.line
    clauses = tuple([(tuple(map(_case_pattern, item.patterns)), item) for item in command.items])
    runs: list[Run | None] = [None] * len(clauses)  # each compiled when it first runs

    def run(shell: Shell) -> int:
        shell.line = line
        if shell.options.xtrace:
            trace(shell, f"case {unparse_word(command.subject)} in")
        if shell.debugging and before_command(shell, f"case {command.subject.source} in "):
            return 0
        text = subject(shell)
        status = 0
        fallthrough = False
        for index, (patterns, item) in enumerate(clauses):
            if not fallthrough and not any(matches(shell, text) for matches in patterns):
                continue
            body = runs[index]
            if body is None:
                body = runs[index] = compile_sequence(item.body)
            status = body(shell)
            fallthrough = item.terminator == ";&"
            if item.terminator != ";;&" and not fallthrough:
                break
        shell.status = status
        return status

    return run


def _case_pattern(word: Word) -> Callable[[Shell, str], bool]:
    pattern = compile_pattern(word)
    fixed = constant(word)
    if fixed is not None and not any(character in fixed for character in "*?[\\(~"):
        return lambda shell, text: text == fixed or (shell.options.shopt["nocasematch"] and text.lower() == fixed.lower())

    def matches(shell: Shell, text: str) -> bool:
        shell.budget.tick(2)
        return matcher_for(shell, in_locale(shell, pattern(shell))).matches(in_locale(shell, text), shell.budget)

    return matches


def _test_failed(shell: Shell, status: int) -> None:
    """Handle a failure of ``((`` or ``[[``; the ERR trap sees PIPESTATUS as it was before."""
    if shell.pipe_statuses is None:
        shell.pipe_statuses = [int(shell.status)]
    shell.status = status
    after_failure(shell, status)


@compiles(ArithmeticCommand)
def _arithmetic(command: ArithmeticCommand, *, watched: bool = True) -> Run:
    value = compile_arithmetic(command.expression)
    line = command.line

    def run(shell: Shell) -> int:
        shell.line = line
        shell.budget.command()
        if shell.debugging and before_command(shell, f"(({command.expression.source}))"):
            return 0
        try:
            status = 0 if (traced_arithmetic(command.expression) if shell.options.xtrace else value)(shell) else 1
        except ExpansionError as error:
            shell.complain_of_expression("((", error)
            status = 1
        if watched and status and shell.watching:
            _test_failed(shell, status)
        shell.status = status
        shell.pipe_statuses = None
        return status

    return run


@compiles(ConditionalCommand)
def _conditional(command: ConditionalCommand, *, watched: bool = True) -> Run:
    test = compile_test(command.expression)
    line = command.line

    def run(shell: Shell) -> int:
        shell.line = line
        shell.budget.command()
        if shell.debugging and before_command(shell, unparse_command(command)):
            return 0
        try:
            status = 0 if (traced_test(command.expression)(shell) if shell.options.xtrace else test(shell)) else 1
        except ConditionError as error:
            status = error.status
        if watched and status and shell.watching:
            _test_failed(shell, status)
        shell.status = status
        shell.pipe_statuses = None
        return status

    return run


@compiles_condition(ArithmeticCommand)
def _asked_arithmetic(command: ArithmeticCommand) -> Run:
    return _arithmetic(command, watched=False)


@compiles_condition(ConditionalCommand)
def _asked_conditional(command: ConditionalCommand) -> Run:
    return _conditional(command, watched=False)
