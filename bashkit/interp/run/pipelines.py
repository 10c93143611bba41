"""Lists, pipelines, jobs, groups and subshells to closures (bash(1), Pipelines, Lists, Compound Commands, Coprocesses)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from bashkit.interp.expand.effects import only_reads
from bashkit.interp.expand.words import constant
from bashkit.interp.run.compiler import compile_command, compile_sequence, compiles, shielded
from bashkit.interp.run.coprocess import start_coprocess
from bashkit.interp.run.jobs import after_children, report_pipeline, status_of_child
from bashkit.interp.run.redirections import (
    as_child,
    assigns_words,
    compile_redirections,
    failed_process,
    keep,
    restore,
    starts_process,
)
from bashkit.interp.run.subshell import Stage, check_depth, run_in_background, run_pipeline, run_subshell, runs_last_here
from bashkit.interp.run.substitution import close_temporaries
from bashkit.interp.run.timing import timed
from bashkit.interp.run.traps import act_on_signals, after_failure, leave_by
from bashkit.interp.runtime.control import ExitShell, ExpansionError, KilledStatus, LoopJump, RefusedStatus
from bashkit.syntax.command_names import command_names
from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    Background,
    ConditionalCommand,
    Coprocess,
    Group,
    Literal,
    Pipeline,
    Redirected,
    SimpleCommand,
    Subshell,
    Word,
)
from bashkit.syntax.unparse import unparse_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import Command, Sequence


@compiles(AndOr)
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


_REFUSED = RefusedStatus(1)
_ASSIGNS = re.compile(r"-|.*%[^a-zA-Z%]*n", re.DOTALL)  # the option -v, and the conversion %n
_STARTS_PROCESS = re.compile(r"`|[<>]\(|\$\((?!\()|@P")


def _nothing(shell: Shell) -> int:  # noqa: ARG001 - a Run
    return 0


def _stage(command: Command) -> Stage:
    head = command if isinstance(command, SimpleCommand) else None
    inside = command.command if isinstance(command, Redirected) else command
    return Stage(
        compile_command(command),
        head,
        lone=head is not None or isinstance(inside, Subshell),
        forgetful=not isinstance(inside, (SimpleCommand, Subshell, Group)),
        speaker="" if head is None else _speaker(head),
        plain="" if head is None else _plain(head),
    )


def _speaker(head: SimpleCommand) -> str:
    """``echo`` or ``printf``, if a command is that alone, without a substitution among its words; else an empty text."""
    first = head.words[0] if head.words else None
    name = first.literal if isinstance(first, Word) else None
    speaks = name in {"echo", "printf"} and not head.assignments and not head.redirections
    return name if name is not None and speaks and not _STARTS_PROCESS.search(head.source) else ""


def _plain(head: SimpleCommand) -> str:
    """The name of a command that leaves the shell as it is if that is a utility, ``echo`` or ``printf``; else an empty text."""
    name, form = (word.literal if isinstance(word, Word) else None for word in (*head.words, None, None)[:2])
    if name is None or not only_reads(head) or (name == "printf" and (form is None or _ASSIGNS.match(form))):
        return ""
    return name


@compiles(Pipeline)
def _pipeline(command: Pipeline) -> Run:
    inner: Run
    if not command.commands:
        inner = _nothing  # `!` and `time` alone
    elif len(command.commands) == 1:
        inner = compile_command(command.commands[0])
    else:
        stages = tuple(_stage(stage) for stage in command.commands)
        line = stages[-1].head.line if stages[-1].head is not None else command.line
        twice = _is_subshell(command.commands[-1])  # bash runs the ERR trap after the subshell, and after the pipeline

        def run_stages(shell: Shell) -> int:
            if shell.signals:
                act_on_signals(shell)
            status = run_pipeline(shell, stages)
            if isinstance(status, KilledStatus):
                if not shell.sole:
                    report_pipeline(shell, status, command.commands)
                status = int(status)
            shell.status = status
            after_children(shell, len(stages) - runs_last_here(shell))
            if shell.signals:
                act_on_signals(shell)
            if status and shell.watching:
                shell.line = line
                if twice and not shell.options.errexit:
                    after_failure(shell, status)
                after_failure(shell, status)
            return status

        inner = run_stages

    if command.timed:
        inner = timed(inner, command.timed)
    if not command.negated:
        return inner
    negated = shielded(inner)
    only = command.commands[0] if len(command.commands) == 1 else None
    core = only.command if isinstance(only, Redirected) else only
    tested = isinstance(core, (ArithmeticCommand, ConditionalCommand))
    whole = only is None or isinstance(core, (SimpleCommand, Subshell, ArithmeticCommand, ConditionalCommand))

    def uninverted(shell: Shell) -> int:
        if shell.options.errexit:
            return negated(shell)
        if not whole:  # only what stands directly behind `!` has its status inverted
            return inner(shell)
        inverted, shell.inverted = shell.inverted, len(shell.calls)
        try:
            return inner(shell)
        finally:
            shell.inverted = inverted

    def run(shell: Shell) -> int:
        try:
            before = uninverted(shell)
        except LoopJump as jump:  # `! break`: the loop's status
            jump.status = 0 if jump.status else 1
            raise
        if tested:  # undocumented: PIPESTATUS has the status as it is inverted
            shell.pipe_statuses = None
        elif shell.pipe_statuses is None or not command.commands:
            shell.pipe_statuses = [before]
        status = shell.status = 0 if before and before.__class__ is not RefusedStatus else 1
        return status

    return run


@compiles(Background)
def _background(command: Background) -> Run:
    job = command.command
    if isinstance(job, Pipeline):
        job = replace(job, negated=False)  # undocumented: `!` counts for nothing there
    if isinstance(job, SimpleCommand) and job.source.startswith("%"):
        return _resume(job)
    stage = _stage(job)
    names = tuple(command_names(job))
    describe = cache(lambda: unparse_command(job))  # every job of a loop shares the text

    def run(shell: Shell) -> int:
        shell.status = run_in_background(shell, stage, describe, names)
        return 0

    return run


def _resume(command: SimpleCommand) -> Run:
    """``%1 &``: a job specification by itself, which goes on in the background; the shell looks at no redirection."""
    builtin, name = (Word((Literal(text),), text) for text in ("builtin", "bg"))
    return compile_command(replace(command, words=(builtin, name, command.words[0]), redirections=()))


@compiles(Group)
def _group(command: Group) -> Run:
    return compile_sequence(command.body)


def _is_subshell(command: Command) -> bool:
    return isinstance(command.command if isinstance(command, Redirected) else command, Subshell)


def _takes_over(command: Subshell) -> Callable[[Shell], bool]:
    """Whether a subshell's only command takes the place of its process, so that nothing is left that could look at a failure."""
    only = command.body.commands[0] if len(command.body.commands) == 1 else None
    if only is not None and _is_subshell(only):
        return lambda shell: True  # noqa: ARG005 - a question about shells
    first = only.words[0] if isinstance(only, SimpleCommand) and only.words else None
    name = constant(first) if isinstance(first, Word) else None
    if name is None:
        return lambda shell: False  # noqa: ARG005 - as above
    return lambda shell: name[:1] != "%" and name not in shell.functions and name not in shell.builtins


def _successor(body: Sequence) -> Command | None:
    """The command at the end of a subshell in which its process ends; other compound commands have none."""
    last: Command | None = body.commands[-1] if body.commands else None
    while isinstance(last, AndOr):
        last = last.rest[-1][1]
    return last if isinstance(last, SimpleCommand) or (last is not None and _is_subshell(last)) else None


@compiles(Subshell)
def _subshell(command: Subshell) -> Run:
    return _awaited(_compile_subshell(command), command, command.line)


def _compile_subshell(command: Subshell) -> Run:
    """Run a subshell, and leave it to who has redirected it to look at how it ends."""
    inner = compile_sequence(command.body)
    takes_over = _takes_over(command)
    successor = _successor(command.body)

    def run(shell: Shell) -> int:
        if shell.signals:
            act_on_signals(shell)
        check_depth(shell)
        twin = shell.fork()
        twin.jobs.disinherit()
        twin.successor = successor
        if twin.watching and takes_over(twin):
            twin.watching = False
        twin.pid = shell.pid if shell.sole else shell.machine.hub.new_pid()
        if shell.sole:  # a job that is a subshell: it is that process
            twin.subshell_level = shell.subshell_level
            twin.traps.tells = shell.traps.tells
        status = shell.status = run_subshell(twin, inner)
        shell.pipe_statuses = None
        after_children(shell)
        return status

    return run


def _awaited(subshell: Run, command: Command, line: int) -> Run:
    """Look at how a subshell has ended; its redirections are undone then, which were those of its process.

    Args:
        subshell: Runs it.
        command: The whole command, with its redirections.
        line: The line that failures are said to be of.
    """

    def run(shell: Shell) -> int:
        status = subshell(shell)
        if status and not shell.sole:
            shell.line = line
            if isinstance(status, KilledStatus):
                status = shell.status = status_of_child(shell, status, command)
            if shell.watching:
                if shell.recording and not shell.traps.running and "ERR" in shell.traps:
                    shell.variables["BASH_COMMAND"] = unparse_command(command)
                after_failure(shell, status)
        return status

    return run


@compiles(Redirected)
def _redirected(command: Redirected) -> Run:
    if isinstance(command.command, Subshell):
        return _awaited(_compile_redirected_subshell(command, command.command), command, command.command.line)
    return _compile_redirected(command, compile_command(command.command))


def _compile_redirected(command: Redirected, inner: Run, *, child: bool = False) -> Run:
    """Run a command with redirections around it; who waits for a child looks at the failure of one."""
    redirect = compile_redirections(command.redirections, child=child)
    line = command.line
    feeds = any(each.operator[0] == "<" and not each.fd and not each.variable for each in command.redirections)

    def run(shell: Shell) -> int:
        kept = len(shell.temporary)
        if line:
            shell.line = line
        given = shell.given
        saved = redirect(shell)
        if saved is None:
            if child:
                shell.pipe_statuses = None
            elif shell.pipe_statuses is None:  # undocumented: a command that did not begin leaves those of the one before
                shell.pipe_statuses = [int(shell.status)]
            shell.status = 1
            if shell.watching and not child:
                after_failure(shell, 1)
            return _REFUSED
        try:
            shell.given = given or feeds
            return inner(shell)
        except ExpansionError as error:
            leave_by(shell, error)
            raise
        except ExitShell as end:
            if end.redirected:
                keep(saved)
                saved = []
            raise
        finally:
            shell.given = given
            restore(shell, saved)
            if len(shell.temporary) > kept:
                close_temporaries(shell, kept)

    return run


def _compile_redirected_subshell(command: Redirected, subshell: Subshell) -> Run:
    """A subshell's redirections are made by its process: what they assign is gone with it, and an error in them ends it alone."""
    run = _compile_redirected(command, _compile_subshell(subshell), child=True)
    assigns = any(map(assigns_words, command.redirections))
    starts = any(map(starts_process, command.redirections))

    def run_apart(shell: Shell) -> int:
        if assigns and not shell.sole:
            twin = shell.fork()
            twin.sole, twin.pid = True, shell.machine.hub.new_pid()
            twin.subshell_level = shell.subshell_level + 1
            shell.status = run_subshell(twin, run_apart)
            return shell.status
        try:
            return as_child(shell, lambda: run(shell)) if starts else run(shell)
        except ExpansionError as error:
            shell.status = failed_process(shell, error)
            return shell.status

    return run_apart


@compiles(Coprocess)
def _coprocess(command: Coprocess) -> Run:
    inner = compile_command(command.command)
    name = command.name
    describe = cache(lambda: unparse_command(command))

    def run(shell: Shell) -> int:
        shell.status = start_coprocess(shell, name, inner, describe)
        return shell.status

    return run
