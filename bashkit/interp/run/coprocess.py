"""Coprocesses (bash(1), Coprocesses)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.run.subshell import in_job, run_subshell
from bashkit.interp.runtime.pipes import make_pipe
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.scopes import NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Run, Shell
    from bashkit.interp.state.tables import Job


def start_coprocess(shell: Shell, name: str, run: Run, describe: Callable[[], str]) -> int:
    """Run a command as a job with pipes to and from it: ``${NAME[0]}`` reads its output, ``${NAME[1]}`` writes its input."""
    if NAME.fullmatch(name) is None:
        shell.warn(f"`{name}': not a valid identifier")
        return 1
    running = next((job for job in shell.jobs.values() if job.coprocess and not job.task.done), None)
    if running is not None:
        shell.warn(f"warning: execute_coproc: coproc [{running.task.pid}:{running.coprocess}] still exists")
    free = [number for number in range(63, 9, -1) if number not in shell.descriptors]
    if len(free) < 2:
        shell.warn("coproc: Too many open files")
        return 1
    hub = shell.machine.hub
    their_input, our_output = make_pipe(hub)
    our_input, their_output = make_pipe(hub)
    twin = shell.fork(job=True)
    twin.jobs.disinherit()
    twin.given = True
    if not shell.options.set["monitor"]:
        twin.traps.ignore_interrupts(passes=False)
    twin.pid = hub.next_pid
    twin.replace_descriptor(0, their_input)
    twin.replace_descriptor(1, their_output)
    task = hub.spawn(in_job(shell, lambda: run_subshell(twin, run)), twin.release)
    task.leader = shell.options.set["monitor"]
    shell.descriptors[free[0]] = our_input
    shell.descriptors[free[1]] = our_output
    try:
        shell.set_array(name, [str(free[0]), str(free[1])])
        shell.assign(f"{name}_PID", str(task.pid))
    except ReadonlyError as error:
        shell.complain_of_variable(error.message)
    job = shell.jobs.add(task, describe())
    job.coprocess, job.descriptors = name, (free[0], free[1])
    return 0


def end_coprocess(shell: Shell, job: Job) -> None:
    """Close the pipes of a coprocess that has ended and unset its variables."""
    for number in job.descriptors:
        stream = shell.descriptors.pop(number, None)
        if stream is not None:
            stream.release()
    for name in (job.coprocess, f"{job.coprocess}_PID"):
        try:
            shell.unset(name)
        except ReadonlyError:
            shell.warn(f"{name}: cannot unset: readonly variable")
