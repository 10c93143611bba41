"""How jobs end, and what is said of them (bash(1), JOB CONTROL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.run.coprocess import end_coprocess
from bashkit.interp.run.traps import SIGNALS, describe_signal, report_ended, report_killed
from bashkit.interp.runtime.control import KilledStatus
from bashkit.syntax.unparse import unparse_command

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.tables import Job
    from bashkit.syntax.nodes import Command

_QUIET = {128 + SIGNALS[name]: text for name, text in (("TERM", "Terminated"), ("INT", "Interrupt"), ("PIPE", "Broken pipe"))}


def after_children(shell: Shell, children: int = 1) -> None:
    """The shell has waited for processes: run the CHLD trap; report and forget jobs that have ended meanwhile.

    A shell that reads a file keeps those that no signal has ended: ``jobs`` shows them, and ``wait -n`` finds them.
    """
    if "CHLD" in shell.traps:
        shell.reap(children)
    jobs = shell.jobs
    if jobs.unseen:
        ended = [job for job in jobs.unseen if job.task.done]
        if ended:
            jobs.unseen = [job for job in jobs.unseen if not job.task.done]
        for job in ended:
            if jobs.get(job.number) is job and (tells_at_once(shell) or isinstance(job.task.status, KilledStatus)):
                finish(shell, job)


def tells_at_once(shell: Shell) -> bool:
    """Whether the shell tells of jobs at once: one that reads a file does not, nor one under job control in posix mode."""
    invocation, options = shell.invocation, shell.options
    return invocation.interactive or (invocation.command_string and not (options.posix and options.set["monitor"]))


def report(shell: Shell, job: Job) -> None:
    """Say how a job ended: under job control always, otherwise where a signal ended it that is not meant to."""
    status = job.task.status
    told = isinstance(status, KilledStatus) and report_killed(shell, status, job.command)
    if shell.options.set["monitor"] and not told and (tells_at_once(shell) or isinstance(status, KilledStatus)):
        shell.print_error(describe(current(shell.jobs), job))
    if job.coprocess:
        end_coprocess(shell, job)


def status_of_child(shell: Shell, status: KilledStatus, command: Command) -> int:
    """Say of a process that the shell has waited for which signal has ended it; gives the status that the shell goes on with.

    The last command of a subshell that has set no trap has taken the place of its process: the parent tells of it.
    """
    if shell.successor is command and not any(shell.traps.values()):
        shell.sole = True
        return status
    report_killed(shell, status, unparse_command(command), awaited=True)
    return int(status)


def report_pipeline(shell: Shell, status: KilledStatus, commands: Sequence[Command]) -> None:
    """Say of all processes of a pipeline that the shell has waited for how they ended, since a signal has ended it.

    Args:
        shell: The shell, which knows their statuses.
        status: That of the process which counts.
        commands: What they ran.
    """
    if shell.options.shopt["lastpipe"] and not shell.options.set["monitor"]:
        return
    statuses = shell.pipe_statuses or []
    if report_ended(shell, status) or describe_signal(status) is None or len(statuses) != len(commands):
        return
    first = status.pid - next(place for place, each in enumerate(statuses) if each is status)  # they were started in turn
    how = _how_ended(statuses[0])
    lines = [f"{first:5d} {how:<23} {unparse_command(commands[0])}"]
    for place in range(1, len(commands)):
        other = _how_ended(statuses[place])
        told = " " * 21 if other == how else f"{other:<23}"  # undocumented: what is said of the first one is not repeated
        lines.append(f"{first + place:5d} {told} | {unparse_command(commands[place])}")
    shell.warn("\n     ".join(lines))


def finish(shell: Shell, job: Job) -> int:
    """Tell how a job ended and forget it, but for its status; gives that."""
    status = int(job.task.status)  # it is told here how the job ended, and not once more by who sees the status of `wait`
    report(shell, job)
    shell.jobs.end(job, status)
    return status


def current(known: Mapping[int, Job]) -> tuple[int, int]:
    """The numbers of the jobs that ``%+`` and ``%-`` are: the last one, and the one that runs besides."""
    if not known:
        return 0, 0
    last = known[max(known)]
    running = (job.number for job in known.values() if job is not last and not job.task.done)
    return last.number, max(running, default=last.before)


def describe(marked: tuple[int, int], job: Job, *, with_id: bool = False) -> str:
    """How ``jobs`` shows a job, of all of which two are marked."""
    mark = "+" if job.number == marked[0] else "-" if job.number == marked[1] else " "
    pid = f" {job.task.pid:5d} " if with_id else "  "
    return f"[{job.number}]{mark}{pid}{_state(job):<24}{job.command}{'' if job.task.done else ' &'}"


def _state(job: Job) -> str:
    return _how_ended(job.task.status) if job.task.done else "Running"


def _how_ended(status: int) -> str:
    if isinstance(status, KilledStatus):
        return _QUIET.get(status) or describe_signal(status) or "Done"
    return f"Exit {status}" if status else "Done"
