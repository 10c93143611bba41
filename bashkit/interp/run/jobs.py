"""How jobs end, and what is said of them (bash(1), JOB CONTROL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.run.coprocess import end_coprocess
from bashkit.interp.run.traps import SIGNALS, describe_signal, report_killed
from bashkit.interp.runtime.control import KilledStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.tables import Job

_TERMINATED = 128 + SIGNALS["TERM"]
_INTERRUPTED = 128 + SIGNALS["INT"]


def after_children(shell: Shell, children: int = 1) -> None:
    """The shell has waited for processes: run the CHLD trap; report and forget the jobs that have ended meanwhile."""
    if "CHLD" in shell.traps:
        shell.reap(children)
    if shell.jobs:
        for job in [job for job in shell.jobs.values() if job.task.done]:
            if not _is_silent(shell) or isinstance(job.task.status, KilledStatus):
                finish(shell, job)


def _is_silent(shell: Shell) -> bool:
    """Whether a job that ended by itself is left to ``jobs``: ``bash -c`` alone tells of it at once, out of posix mode."""
    invocation, options = shell.invocation, shell.options
    return options.set["monitor"] and not invocation.interactive and (options.posix or not invocation.command_string)


def report(shell: Shell, job: Job) -> None:
    """Say how a job ended: under job control always, otherwise where a signal ended it that is not meant to."""
    status = job.task.status
    told = isinstance(status, KilledStatus) and report_killed(shell, status, job.command)
    if shell.options.set["monitor"] and not told and not _is_silent(shell):
        shell.print_error(describe(shell.jobs, job))
    if job.coprocess:
        end_coprocess(shell, job)


def finish(shell: Shell, job: Job) -> int:
    """Tell how a job ended and forget it, but for its status; gives that."""
    status = int(job.task.status)  # it is told here how the job ended, and not once more by who sees the status of `wait`
    report(shell, job)
    shell.machine.finished[job.task.pid] = status
    shell.jobs.pop(job.number, None)
    return status


def describe(known: Mapping[int, Job], job: Job, *, with_id: bool = False) -> str:
    """How ``jobs`` shows a job."""
    numbers = sorted(known)
    mark = "+" if job.number == numbers[-1] else "-" if len(numbers) > 1 and job.number == numbers[-2] else " "
    pid = f" {job.task.pid:5d} " if with_id else "  "
    return f"[{job.number}]{mark}{pid}{_state(job):<24}{job.command}{'' if job.task.done else ' &'}"


def _state(job: Job) -> str:
    status = job.task.status
    if not job.task.done:
        return "Running"
    if isinstance(status, KilledStatus):
        quiet = {_TERMINATED: "Terminated", _INTERRUPTED: "Interrupt"}
        return quiet.get(status) or describe_signal(status) or "Done"
    return f"Exit {status}" if status else "Done"
