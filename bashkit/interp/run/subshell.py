"""Running commands in a subshell: command groups in parentheses, pipelines, background jobs, substitutions."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.fs.stream import NullSource
from bashkit.interp.run.traps import SIGNALS, act_on_signals, before_command, end_with_child, run_exit_trap
from bashkit.interp.runtime.capture import Substitution
from bashkit.interp.runtime.control import (
    BreakLoop,
    ContinueLoop,
    ExecutionStopped,
    ExitShell,
    ExpansionError,
    Killed,
    KilledStatus,
    ReturnFunction,
    SigPipe,
)
from bashkit.interp.runtime.hub import MAX_FRAMES
from bashkit.interp.runtime.pipes import make_pipe
from bashkit.interp.runtime.turns import OrderedStream, Turns
from bashkit.interp.state.tables import FoundCommands, Start
from bashkit.syntax.unparse import unparse_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stream
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.shell import Run, Shell
    from bashkit.syntax.nodes import SimpleCommand


def check_depth(shell: Shell) -> None:
    """Refuse one more level when the interpreter's own stack is nearly used up."""
    if shell.frames + shell.machine.hub.host_frames > MAX_FRAMES:
        shell.budget.fail("max_function_depth")


@dataclass(slots=True, frozen=True)
class Stage:
    """A command that runs in a subshell of its own: of a pipeline, or in the background.

    Attributes:
        run: The command.
        head: Its tree, if it is a simple command.
        lone: It is simple or a subshell: it is the new process itself, whose failure the ERR trap does not see.
        forgetful: It is a loop, a conditional or a list: an EXIT trap that it sets runs only when a signal ends it.
        speaker: The builtin ``echo`` or ``printf``, if it is that and its words start no process: it waits for nobody.
        plain: The first word of a simple command whose words, assignments and redirections only read; else empty.
    """

    run: Run
    head: SimpleCommand | None
    lone: bool
    forgetful: bool
    speaker: str = ""
    plain: str = ""

    def begin(self, twin: Shell) -> int:
        """Run it in a shell made for it, and end that."""
        if self.forgetful:
            return run_subshell(twin, self._run_and_forget)
        return run_subshell(twin, self.run if self.head is None else self._run_simple)

    def _run_simple(self, twin: Shell) -> int:
        try:
            return self.run(twin)
        except ExpansionError as error:
            twin.report(error, level=1)
            raise

    def _run_and_forget(self, twin: Shell) -> int:
        twin.traps.forgets = True
        try:
            status = self.run(twin)
        except Killed:  # a signal runs the trap even there
            raise
        except BaseException:
            twin.traps.pop("EXIT", None)
            raise
        twin.traps.pop("EXIT", None)
        return status


def run_subshell(shell: Shell, run: Run) -> int:
    """Run commands in a shell made for them, and end it: its EXIT trap runs, its descriptors are closed.

    Returns:
        The subshell's exit status.
    """
    shell.task = shell.machine.hub.current
    ended: ExitShell | None = None
    try:
        try:
            status = run(shell)
            if shell.signals:
                act_on_signals(shell)
        except ExitShell as end:
            status, ended = end.status, end.with_traceback(None)  # whose frames would hold the exception, and it them
        except ExpansionError as error:
            try:
                shell.report(error)
                status = 1
            except ExitShell as end:
                status = end.status
        except (BreakLoop, ContinueLoop, ExecutionStopped):
            status = 0
        except ReturnFunction as end:
            status = end.status
        if "EXIT" in shell.traps:
            status = run_exit_trap(shell, status, ended)
    except SigPipe:
        status = KilledStatus.of(SIGNALS["PIPE"], shell.pid)
    except OSError as error:  # a file of the host that cannot be read on
        shell.warn(os.strerror(error.errno or errno.EIO))
        status = 1
    except Killed as signal:
        if "EXIT" in shell.traps and signal.signal != SIGNALS["KILL"]:
            run_exit_trap(shell, shell.status)  # the trap sees the status of the command before
        if signal.outermost is not shell and (signal.whole or (shell.machine.killed and shell is not shell.machine.main)):
            raise
        status = KilledStatus.of(signal.signal, shell.pid)
    finally:
        shell.release()
    return status


def fork_to_substitute(shell: Shell, *, job: bool = False) -> Shell:
    """A shell for the commands of a substitution. Undocumented: ``set -v`` is off in it.

    Args:
        shell: The shell that substitutes.
        job: As for ``Shell.fork``.
    """
    twin = shell.fork(job=job)
    twin.evaluating += 1
    twin.subshell_level = shell.visible_level + 1
    twin.loop_depth = shell.loop_depth
    if twin.options.set["verbose"]:
        twin.set_option("verbose", False)
    return twin


def capture(shell: Shell, run: Run) -> str:
    """Run commands in a subshell and return what they print, trailing newlines removed (Command Substitution)."""
    check_depth(shell)
    twin = fork_to_substitute(shell)
    twin.pid = shell.machine.hub.new_pid()
    twin.mute = True
    twin.evaluated = shell.variables.get("BASH_COMMAND")
    out = Substitution(shell.budget)
    twin.replace_descriptor(1, out)
    out.retain()
    if shell.options.errexit and not shell.options.shopt["inherit_errexit"] and not shell.options.posix:
        twin.set_option("errexit", False)
    if shell.pipe_statuses is None:
        shell.pipe_statuses = [int(shell.status)]  # of the command before, also for what else is expanded for this one
    shell.status = run_subshell(twin, run)
    if shell.interrupted_at:
        end_with_child(shell, shell.status)
    if "CHLD" in shell.traps:
        shell.reap()
    hub = shell.machine.hub
    while out.refs > 1:  # a background job still writes
        out.reader = hub.current
        hub.suspend()
    data = out.value().rstrip(b"\n")
    if b"\0" in data:
        data = data.replace(b"\0", b"")
        shell.warn("warning: command substitution: ignored null byte in input")
    return data.decode("utf-8", "surrogateescape")


def run_pipeline(shell: Shell, stages: tuple[Stage, ...]) -> int:
    """Run the stages of a pipeline at the same time, the last one in this task: each in a subshell, or here where it only reads.

    Args:
        shell: The shell that starts them.
        stages: Two or more commands; for the simple ones among them the DEBUG trap runs here.

    Returns:
        The status of the last stage, or what pipefail says.
    """
    check_depth(shell)
    machine = shell.machine
    hub = machine.hub
    tasks: list[Task] = []
    incoming: Stream | None = None
    number = machine.pipelines = machine.pipelines + 1
    left_out: list[int] = []
    said: list[int] = []  # the status of a first stage that is over before the others begin
    light = not shell.untranslated and not shell.jobs.unseen and "CHLD" not in shell.traps
    for place, given in enumerate(stages[:-1]):
        stage = _announced(shell, given) if shell.debugging else given
        if stage is not given:
            left_out.append(place)
        reader, writer = make_pipe(hub)
        if incoming is None and _speaks(shell, stage):
            writer.wait_for_nobody()
            pid = hub.new_pid()
            status = _run_here(shell, stage, number, 1, writer) if light and stage.plain else None
            if status is None:
                twin = _twin(shell, stage, number)
                twin.pid = pid
                twin.replace_descriptor(1, writer)
                status = stage.begin(twin)
            said = [status]
        else:
            twin = _twin(shell, stage, number, incoming, job=True)
            twin.replace_descriptor(1, writer)
            twin.pid = hub.next_pid
            tasks.append(hub.spawn(_stage(twin, stage), twin.release))
        incoming = reader
    assert incoming is not None
    stage = _announced(shell, stages[-1]) if shell.debugging else stages[-1]
    if stage is not stages[-1]:
        left_out.append(len(stages) - 1)
    if runs_last_here(shell):
        last = _run_last_here(shell, stage.run, incoming)
    else:
        pid = hub.new_pid()
        give_way = hub.give_way if tasks else hub.give_way_to_others
        status = None
        if light and _is_utility(shell, stage.plain):
            give_way()
            status = _run_here(shell, stage, number, 0, incoming)
        if status is None:
            twin = _twin(shell, stage, number, incoming)
            twin.pid = pid
            give_way()
            status = stage.begin(twin)
        last = status
    statuses = [*said, *map(hub.join, tasks), last]
    if left_out:  # by the DEBUG trap: of what was not started there is no status
        statuses = [status for place, status in enumerate(statuses) if place not in left_out] or [0]
        last = statuses[-1]
    shell.pipe_statuses = statuses
    if shell.options.pipefail:
        return next((status for status in reversed(statuses) if status), 0)
    return last


def _twin(shell: Shell, stage: Stage, number: int, incoming: Stream | None = None, *, job: bool = False) -> Shell:
    """A shell for a stage.

    Args:
        shell: The shell that starts it.
        stage: Its command.
        number: The number of the pipeline.
        incoming: The pipe that it reads; None for the first stage.
        job: As for ``Shell.fork``.
    """
    twin = shell.fork(job=job)
    twin.pipeline = number
    _take_over(shell, twin)
    if stage.head is not None:
        _make_simple(shell, twin, stage.head, shell.subshell_level)
    twin.sole = stage.lone
    if incoming is not None:
        twin.replace_descriptor(0, incoming)
        twin.fed, twin.given = incoming, True
    return twin


def runs_last_here(shell: Shell) -> bool:
    """Whether the last stage of a pipeline runs in the shell itself: ``shopt -s lastpipe``."""
    return shell.options.shopt["lastpipe"] and not shell.options.set["monitor"]


def _speaks(shell: Shell, stage: Stage) -> bool:
    """Whether a first stage is over when it has written: what it writes then waits in the pipe for the others to begin."""
    name = stage.speaker
    return bool(name) and name in shell.builtins and name not in shell.functions and name not in shell.machine.own_commands


def _is_utility(shell: Shell, name: str) -> bool:
    """Whether a word that is not empty is the name of a utility or tool, and of nothing else."""
    if not name or name in shell.functions or name in shell.builtins:
        return False
    return shell.machine.find_command(name) is not None


def _run_here(shell: Shell, stage: Stage, number: int, descriptor: int, stream: Stream) -> int | None:
    """Run a plain stage in the shell itself, as any command with a redirection, and leave no trace of it there.

    Args:
        shell: The shell.
        stage: The command.
        number: The number of the pipeline.
        descriptor: What is one end of a pipe: standard input or output.
        stream: That end, which is closed then.

    Returns:
        The status; None if a word cannot be expanded: that is for a process to say, and the stream is still open.
    """
    descriptors, variables, found = shell.descriptors, shell.variables, shell.found
    outer, last_word = descriptors.get(descriptor), variables.get("_")
    state = shell.line, shell.status, shell.pipe_statuses, shell.pipeline
    settings = shell.fed, shell.given, shell.apart
    descriptors[descriptor] = stream
    shell.found = found.fork() if found else FoundCommands()
    shell.pipeline, shell.apart = number, True
    if descriptor == 0:
        shell.fed, shell.given = stream, True
    failed = False
    try:
        return stage.run(shell)
    except ExpansionError:
        failed = True
        return None
    except SigPipe:
        return KilledStatus.of(SIGNALS["PIPE"], shell.pid)
    finally:
        shell.line, shell.status, shell.pipe_statuses, shell.pipeline = state
        shell.fed, shell.given, shell.apart = settings
        shell.found = found
        if outer is None:
            del descriptors[descriptor]
        else:
            descriptors[descriptor] = outer
        if last_word is None:
            variables.pop("_", None)
        else:
            variables["_"] = last_word
        if not failed:
            stream.release()


def _announced(shell: Shell, stage: Stage) -> Stage:
    """The stage, whose DEBUG trap runs in the shell that starts it; one that does nothing if the trap leaves it out."""
    head = stage.head
    if head is None:
        return stage
    text = unparse_command(head)
    shell.line, shell.announced = head.line, ""
    left_out = before_command(shell, text)
    shell.announced = text
    return replace(stage, run=lambda twin: 0) if left_out else stage  # noqa: ARG005 - as every command


def _take_over(shell: Shell, twin: Shell) -> None:
    if shell.announced:
        twin.announced, shell.announced = shell.announced, ""


def _make_simple(shell: Shell, twin: Shell, head: SimpleCommand, level: int) -> None:
    """Make a twin the process of one simple command, whose failure no ERR trap sees; its words are expanded at a level."""
    twin.inverted, twin.loop_depth = len(twin.calls), shell.loop_depth
    if "EXIT" in shell.traps and "EXIT" not in shell.traps.running:
        twin.traps.starts = Start((head.line, head.column, head.source), shell.traps, level)


def _stage(twin: Shell, stage: Stage) -> Callable[[], int]:
    return lambda: stage.begin(twin)


def in_job(shell: Shell, work: Callable[[], int]) -> Callable[[], int]:
    """The main function of a job, at whose end the shell that has started it is told."""

    def main() -> int:
        try:
            return work()
        finally:
            shell.reap()

    return main


def _run_last_here(shell: Shell, stage: Run, incoming: Stream) -> int:
    """``shopt -s lastpipe``: the last stage runs in the shell itself."""
    saved = shell.descriptors.get(0)
    shell.descriptors[0] = incoming
    try:
        return stage(shell)
    finally:
        incoming.release()
        if saved is None:
            del shell.descriptors[0]
        else:
            shell.descriptors[0] = saved


def run_in_background(shell: Shell, stage: Stage, describe: Callable[[], str], names: tuple[str, ...]) -> int:
    """Start a job: ``command &``.

    Args:
        shell: The shell that starts it.
        stage: The command.
        describe: Gives its text, for ``jobs``.
        names: The commands in it.
    """
    if shell.debugging:
        stage = _announced(shell, stage)
    twin = shell.fork(job=True)
    twin.jobs.disinherit()
    _take_over(shell, twin)
    if stage.lone:
        twin.inverted = len(twin.calls)
    if stage.head is not None:
        _make_simple(shell, twin, stage.head, twin.subshell_level)
    twin.sole = stage.lone
    if not shell.options.set["monitor"]:
        twin.traps.ignore_interrupts(passes=stage.head is not None)
    if not twin.given:
        twin.replace_descriptor(0, NullSource())
    hub = shell.machine.hub
    twin.pid = hub.next_pid
    if shell.machine.ordered:
        task = _spawn_ordered(shell, twin, stage, names)
    else:
        task = hub.spawn(in_job(shell, lambda: stage.begin(twin)), twin.release)
    task.leader = shell.options.set["monitor"]
    shell.jobs.add(task, describe())
    return 0


def _spawn_ordered(shell: Shell, twin: Shell, stage: Stage, names: tuple[str, ...]) -> Task:
    """Start a job whose output has its place among that of the others, if it calls what takes its time."""
    if shell.jobs.turns is None:
        shell.jobs.turns = Turns(shell.budget)
    turn = twin.turn = shell.jobs.turns.add(shell.turn)
    for number in (1, 2):
        stream = twin.descriptors.get(number)
        if stream is not None:
            twin.descriptors[number] = OrderedStream(stream, turn)
    if any(name in shell.machine.ordered or name in shell.functions for name in names):
        turn.hold()

    def main() -> int:
        try:
            status = stage.begin(twin)
        except BaseException:
            turn.abandon()
            raise
        finally:
            shell.reap()
        turn.finish()
        return status

    def release() -> None:
        twin.release()
        turn.abandon()

    return shell.machine.hub.spawn(main, release)
