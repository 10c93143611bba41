"""Commands to closures (bash(1), SHELL GRAMMAR): a tree is turned into nested Python functions once, and run many times."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.arguments import compile_words
from bashkit.interp.bodies import Body
from bashkit.interp.control import SPECIAL_BUILTINS, ExitShell, ExpansionError
from bashkit.interp.expansion import compile_arithmetic, compile_pattern, compile_scalar, constant
from bashkit.interp.jit import INLINED
from bashkit.interp.loops import compile_arithmetic_for, compile_for, compile_while
from bashkit.interp.operators import matcher_for
from bashkit.interp.redirections import compile_redirections, restore
from bashkit.interp.shell import Function
from bashkit.interp.simple import compile_simple
from bashkit.interp.store import NAME
from bashkit.interp.subshell import check_depth, run_in_background, run_pipeline, run_subshell
from bashkit.interp.tests import ConditionError, compile_condition, traced_condition
from bashkit.interp.tracing import trace
from bashkit.interp.traps import after_failure, before_command
from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Background,
    Case,
    Command,
    ConditionalCommand,
    Coprocess,
    For,
    FunctionDefinition,
    Group,
    If,
    Pipeline,
    Redirected,
    Select,
    Sequence,
    SimpleCommand,
    Subshell,
    While,
    Word,
)
from bashkit.syntax.unparse import unparse_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.shell import Run, Shell


def compile_command(command: Command) -> Run:
    """The closure that runs a command and returns its exit status."""
    return _COMPILERS[type(command)](command)


def compile_sequence(sequence: Sequence) -> Run:
    """The closure for commands one after the other."""
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


def shielded(run: Run) -> Run:
    """A command whose failure is asked for, so that errexit and the ERR trap leave it alone."""

    def run_shielded(shell: Shell) -> int:
        shell.condition_depth += 1
        try:
            return run(shell)
        finally:
            shell.condition_depth -= 1

    return run_shielded


def _condition(sequence: Sequence) -> Run:
    """A condition of if or while; pure tests need no shield."""
    run = compile_sequence(sequence)
    if len(sequence.commands) == 1 and isinstance(sequence.commands[0], (ArithmeticCommand, ConditionalCommand)):
        return _COMPILERS_UNWATCHED[type(sequence.commands[0])](sequence.commands[0])
    return shielded(run)


# ------------------------------------------------------------------------------------------------------- lists, pipelines


def _and_or(command: AndOr) -> Run:
    runs = [compile_command(command.first), *(compile_command(part) for _, part in command.rest)]
    last = len(runs) - 1
    first = shielded(runs[0])
    steps = tuple(
        (operator == "&&", run if index == last else shielded(run))
        for index, ((operator, _), run) in enumerate(zip(command.rest, runs[1:], strict=True), 1)
    )

    def run(shell: Shell) -> int:
        status = shell.status = first(shell)
        for needs_success, step in steps:
            if (status == 0) is needs_success:
                status = shell.status = step(shell)
        return status

    return run


def _pipeline(command: Pipeline) -> Run:
    if not command.commands:
        inner: Run = lambda shell: 0  # noqa: E731, ARG005 - `!` and `time` alone
    elif len(command.commands) == 1:
        inner = compile_command(command.commands[0])
    else:
        stages = tuple(compile_command(stage) for stage in command.commands)
        heads = tuple((stage.line, stage.source) if isinstance(stage, SimpleCommand) else None for stage in command.commands)
        line = heads[-1][0] if heads[-1] is not None else command.line

        def inner(shell: Shell) -> int:
            status = shell.status = run_pipeline(shell, stages, heads)
            if status and shell.watching:
                shell.line = line
                after_failure(shell, status)
            if shell.machine.on_flush is not None and not shell.subshell_level:
                shell.machine.on_flush()
            return status

    if command.timed:
        from bashkit.interp.timing import timed

        inner = timed(inner, command.timed)
    if not command.negated:
        return inner
    negated = shielded(inner)
    whole = len(command.commands) != 1 or isinstance(
        command.commands[0], (SimpleCommand, Subshell, ArithmeticCommand, ConditionalCommand)
    )

    def run(shell: Shell) -> int:
        if shell.errexit:
            before = negated(shell)
        elif not whole:  # only what stands directly behind `!` has its status inverted
            before = inner(shell)
        else:
            inverted, shell.inverted = shell.inverted, len(shell.calls)
            try:
                before = inner(shell)
            finally:
                shell.inverted = inverted
        if shell.pipe_statuses is None or not command.commands:
            shell.pipe_statuses = [before]
        status = shell.status = 0 if before else 1
        return status

    return run


def _background(command: Background) -> Run:
    job, source = command.command, command.source
    inner = compile_command(job)
    head = (job.line, job.source) if isinstance(job, SimpleCommand) else None
    lone = isinstance(job, (SimpleCommand, Subshell))

    def run(shell: Shell) -> int:
        shell.status = run_in_background(shell, inner, source, head, lone=lone)
        return 0

    return run


def _group(command: Group) -> Run:
    return compile_sequence(command.body)


def _subshell(command: Subshell) -> Run:
    inner = compile_sequence(command.body)
    line = command.line

    def run(shell: Shell) -> int:
        check_depth(shell)
        twin = shell.fork()
        twin.pid = shell.machine.hub.new_pid()
        status = shell.status = run_subshell(twin, inner)
        shell.pipe_statuses = None
        if status and shell.watching:
            shell.line = line
            after_failure(shell, status)
        return status

    return run


def _redirected(command: Redirected) -> Run:
    inner = compile_command(command.command)
    redirect = compile_redirections(command.redirections)
    line = command.line

    def run(shell: Shell) -> int:
        from bashkit.interp.substitution import close_temporaries

        kept = len(shell.temporary)
        if line:
            shell.line = line
        saved = redirect(shell)
        if saved is None:
            shell.status = 1
            if shell.watching:
                after_failure(shell, 1)
            return 1
        try:
            return inner(shell)
        finally:
            restore(shell, saved)
            if len(shell.temporary) > kept:
                close_temporaries(shell, kept)

    return run


# ------------------------------------------------------------------------------------------------------------ conditionals


def _if(command: If) -> Run:
    branches = tuple((_condition(condition), compile_sequence(body)) for condition, body in command.branches)
    otherwise = compile_sequence(command.otherwise) if command.otherwise is not None else None
    if len(branches) == 1:
        condition, body = branches[0]

        def run_one(shell: Shell) -> int:
            status = condition(shell)
            if status == 0:
                return body(shell)
            if otherwise is not None:
                return otherwise(shell)
            if shell.pipe_statuses is None:
                shell.pipe_statuses = [status]
            shell.status = 0
            return 0

        return run_one

    def run(shell: Shell) -> int:
        asked = 0
        for condition, body in branches:
            asked = condition(shell)
            if asked == 0:
                return body(shell)
        if otherwise is not None:
            return otherwise(shell)
        if shell.pipe_statuses is None:
            shell.pipe_statuses = [asked]
        shell.status = 0
        return 0

    return run


def _case(command: Case) -> Run:
    subject = compile_scalar(command.subject)
    line = command.line
    clauses = tuple(
        (tuple(_case_pattern(word) for word in item.patterns), compile_sequence(item.body), item.terminator)
        for item in command.items
    )

    def run(shell: Shell) -> int:
        shell.line = line
        if shell.debugging and before_command(shell, f"case {command.subject.source} in"):
            return 0
        if shell.xtrace:
            trace(shell, f"case {command.subject.source} in")
        text = subject(shell)
        status = shell.status = 0
        fallthrough = False
        for patterns, body, terminator in clauses:
            if not fallthrough and not any(matches(shell, text) for matches in patterns):
                continue
            status = body(shell)
            fallthrough = terminator == ";&"
            if terminator != ";;&" and not fallthrough:
                break
        return status

    return run


def _case_pattern(word: Word) -> Callable[[Shell, str], bool]:
    pattern = compile_pattern(word)
    fixed = constant(word)
    if fixed is not None and not any(character in fixed for character in "*?[\\(~"):
        return lambda shell, text: text == fixed or (shell.shopt["nocasematch"] and text.lower() == fixed.lower())
    return lambda shell, text: matcher_for(shell, pattern(shell)).matches(text, shell.budget)


def _arithmetic(command: ArithmeticCommand, *, watched: bool = True) -> Run:
    value = compile_arithmetic(command.expression)
    line = command.line

    def run(shell: Shell) -> int:
        shell.line = line
        shell.budget.command()
        if shell.debugging and before_command(shell, f"(({command.expression.source}))"):
            return 0
        if shell.xtrace:
            trace(shell, f"(( {command.expression.source} ))")
        try:
            status = 0 if value(shell) else 1
        except ExpansionError as error:
            if error.fatal:
                raise
            shell.complain("((", error.message)
            status = 1
        shell.status = status
        shell.pipe_statuses = None
        if watched and status and shell.watching:
            after_failure(shell, status)
        return status

    return run


def _conditional(command: ConditionalCommand, *, watched: bool = True) -> Run:
    test = compile_condition(command.expression)
    line = command.line

    def run(shell: Shell) -> int:
        shell.line = line
        shell.budget.command()
        if shell.debugging and before_command(shell, unparse_command(command)):
            return 0
        try:
            status = 0 if (traced_condition(command.expression)(shell) if shell.xtrace else test(shell)) else 1
        except ConditionError as error:
            if error.message:
                shell.complain("[[", error.message)
            status = error.status
        shell.status = status
        shell.pipe_statuses = None
        if watched and status and shell.watching:
            after_failure(shell, status)
        return status

    return run


# ------------------------------------------------------------------------------------------------------------------ loops


def _while(command: While) -> Run:
    return compile_while(command, _condition(command.condition), compile_sequence(command.body))


def _for(command: For) -> Run:
    if not NAME.fullmatch(command.name):
        return _refused(command.name, command.line)
    return compile_for(command, compile_sequence(command.body))


def _arithmetic_for(command: ArithmeticFor) -> Run:
    return compile_arithmetic_for(command, compile_sequence(command.body))


def _refused(name: str, line: int) -> Run:
    """A loop or function whose name is none: an error when it runs."""

    def run(shell: Shell) -> int:
        shell.line = line
        shell.warn(f"`{name}': not a valid identifier")
        shell.status = 1
        return 1

    return run


def _select(command: Select) -> Run:
    from bashkit.interp.menu import run_select

    if not NAME.fullmatch(command.name):
        return _refused(command.name, command.line)
    body = compile_sequence(command.body)
    words = compile_words(command.words) if command.words is not None else (lambda shell: shell.positional)
    name, line = command.name, command.line

    def run(shell: Shell) -> int:
        shell.line = line
        if shell.debugging:
            before_command(shell, f"select {name} in" + "".join(" " + word.source for word in command.words or ()))
        if shell.xtrace:
            trace(shell, f"select {name} in" + "".join(" " + word.source for word in command.words or ()))
        return run_select(shell, name, words(shell), body)

    return run


# -------------------------------------------------------------------------------------------------------------- functions


def _function(command: FunctionDefinition) -> Run:
    if any(character in command.name for character in "$'\"`\\"):
        return _refused(command.name, command.line)
    body = Body(command.body)
    name, line = command.name, command.line

    def run(shell: Shell) -> int:
        if shell.options["posix"] and (name in SPECIAL_BUILTINS or not NAME.fullmatch(name)):
            shell.line = line
            shell.warn(f"`{name}': {'is a special builtin' if name in SPECIAL_BUILTINS else 'not a valid identifier'}")
            raise ExitShell(2)
        known = shell.functions.get(name)
        if known is not None and known.readonly:
            shell.warn(f"{name}: readonly function")
            shell.status = 1
            return 1
        shell.budget.command()
        shell.functions[name] = Function(name, body, command, line, shell.script_name)
        if name in INLINED:
            shell.altered = True
        shell.status = 0
        return 0

    return run


def _coprocess(command: Coprocess) -> Run:
    from bashkit.interp.coprocess import start_coprocess

    inner = compile_command(command.command)
    name, source = command.name, command.source

    def run(shell: Shell) -> int:
        shell.status = start_coprocess(shell, name, inner, source)
        return shell.status

    return run


_COMPILERS: dict[type, Callable[..., Run]] = {
    AndOr: _and_or,
    ArithmeticCommand: _arithmetic,
    ArithmeticFor: _arithmetic_for,
    Background: _background,
    Case: _case,
    ConditionalCommand: _conditional,
    Coprocess: _coprocess,
    For: _for,
    FunctionDefinition: _function,
    Group: _group,
    If: _if,
    Pipeline: _pipeline,
    Redirected: _redirected,
    Select: _select,
    Sequence: compile_sequence,
    SimpleCommand: compile_simple,
    Subshell: _subshell,
    While: _while,
}
_COMPILERS_UNWATCHED: dict[type, Callable[..., Run]] = {
    ArithmeticCommand: lambda command: _arithmetic(command, watched=False),
    ConditionalCommand: lambda command: _conditional(command, watched=False),
}
