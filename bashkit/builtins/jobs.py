"""Builtins about jobs: wait, jobs, disown, fg, bg (bash(1), JOB CONTROL)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.builtins.references import assign_target, is_element
from bashkit.builtins.registry import builtin, offer_help, parse_options
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.coprocess import end_coprocess
from bashkit.interp.run.jobs import current, describe, finish, tells_at_once
from bashkit.interp.run.launch import run_builtin, run_command
from bashkit.interp.run.traps import SIGNALS, act_on_signals, report_killed
from bashkit.interp.runtime.control import KilledStatus
from bashkit.interp.state.assignment_errors import ReadonlyError
from bashkit.interp.state.scopes import NAME
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.builtins.registry import Options
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.tables import Job


_LARGEST = 0x7FFFFFFF  # process ID


def find_job(shell: Shell, spec: str, speaker: str, *, twice: bool = False) -> Job | None:
    """The job that ``%n``, ``%%``, ``%+``, ``%-``, ``%text`` or a process ID names.

    Args:
        shell: The shell.
        spec: As above.
        speaker: The builtin that says so where it names no job, or several.
        twice: It says of several, too, that there is no such job.
    """
    found = _jobs_named(shell.jobs, spec)
    if len(found) > 1:
        shell.complain(speaker, f"{spec.removeprefix('%').removeprefix('?')}: ambiguous job spec")
    if not found or (twice and len(found) > 1):
        shell.complain(speaker, f"{spec}: no such job")
    return found[0] if len(found) == 1 else None


def _jobs_named(jobs: Mapping[int, Job], spec: str) -> list[Job]:
    if is_digits(spec):
        return [job for job in jobs.values() if job.task.pid == whole_number(spec)]
    numbers = sorted(jobs)
    body = spec.removeprefix("%")
    if body in {"", "%", "+"} or spec == "current":
        return [jobs[number] for number in numbers[-1:]]
    if body == "-":
        return [jobs[number] for number in numbers[-2:][:1]]
    if is_digits(body):
        return [jobs[number] for number in numbers if number == whole_number(body)]
    inside = body.startswith("?")
    text = body.removeprefix("?")
    return [job for job in jobs.values() if (text in job.command if inside else job.command.startswith(text))]


@builtin("wait", usage="[-fn] [-p var] [id ...]", summary="Wait for job completion and return exit status.", options="fnp:")
def wait(shell: Shell, options: Options, words: list[str]) -> int:
    """Wait for jobs."""
    given = dict(options)
    variable = given.get("p")
    if variable is not None:
        named = NAME.fullmatch(variable) is not None
        if not named and not is_element(shell, variable):
            shell.complain("wait", f"`{variable}': not a valid identifier")
            return 1
        try:
            if named:
                shell.unset_hidden(variable)
        except ReadonlyError:
            shell.complain("wait", f"{variable}: cannot unset: readonly variable")
            return 1
    if "n" in given:
        return _wait_for_any(shell, words, variable)
    if not words:
        untold = [] if tells_at_once(shell) else [job.task for job in shell.jobs.values() if job.task.done]
        for job in list(shell.jobs.values()):
            if not _join(shell, job.task):
                return _interrupted(shell)
            finish(shell, job)
        shell.jobs.ended = {task.pid: int(task.status) for task in untold}
        return 0
    status = 0
    for word in words:
        found = find_job(shell, word, "wait") if word.startswith("%") or _jobs_named(shell.jobs, word) else None
        if found is None:
            unlisted = _unlisted_child(shell, word)
            if unlisted is not None:
                if not _join(shell, unlisted):
                    return _interrupted(shell)
                status = 0 if unlisted.pid in shell.jobs.disowned else int(unlisted.status)  # undocumented
            elif is_digits(word) and whole_number(word) in shell.jobs.ended:
                status = shell.jobs.ended[whole_number(word)]
            elif word.startswith("%"):
                status = 127
            elif is_digits(word) and whole_number(word) <= _LARGEST:
                shell.complain("wait", f"pid {whole_number(word)} is not a child of this shell")
                status = 127
            else:
                shell.complain("wait", f"`{word}': not a pid or valid job spec")
                status = 1
                if is_digits(word):  # undocumented: none of the others is waited for
                    return status
            continue
        if not _join(shell, found.task):
            return _interrupted(shell)
        status = finish(shell, found)
        if variable is not None:
            assign_target(shell, variable, str(found.task.pid))
    return status


def _unlisted_child(shell: Shell, word: str) -> Task | None:
    """What runs a child that is no job: the last process substitution, or what was disowned."""
    substitution = shell.jobs.substitution
    if substitution is not None and word == str(substitution.pid):
        return substitution
    return shell.jobs.disowned.get(whole_number(word)) if is_digits(word) else None


def _join(shell: Shell, task: Task) -> bool:
    """Wait for a task to end; False when a signal came first."""
    hub = shell.machine.hub
    while not shell.interrupted:
        if task.done:
            return True
        shell.waiting = hub.current
        assert shell.waiting is not None
        task.waiters.append(shell.waiting)
        try:
            hub.suspend()
        finally:
            shell.waiting = None
    return False


def _interrupted(shell: Shell) -> int:
    """The status of ``wait`` when a signal comes; the trap runs before the next command.

    Raises:
        Killed: There is no trap for it.
    """
    signal = next(signal for signal in shell.signals if signal != "CHLD")
    if signal not in shell.traps:
        act_on_signals(shell)
    return 128 + SIGNALS[signal]


def _wait_for_any(shell: Shell, words: list[str], variable: str | None) -> int:
    jobs = list(shell.jobs.values())
    if words:
        found = [find_job(shell, word, "wait", twice=True) for word in words]
        jobs = [job for job in found if job is not None]
    if not jobs:
        return 127
    hub = shell.machine.hub
    while not shell.interrupted:
        for job in jobs:
            if job.task.done:
                if variable:
                    assign_target(shell, variable, str(job.task.pid))
                return finish(shell, job)
        current = hub.current
        assert current is not None
        for job in jobs:
            job.task.waiters.append(current)
        shell.waiting = current
        try:
            hub.suspend()
        finally:
            shell.waiting = None
    return _interrupted(shell)


@builtin("jobs", usage="[-lnprs] [jobspec ...] or jobs -x command [args]", summary="Display status of jobs.", options="lnprsx")
def jobs(shell: Shell, options: Options, words: list[str]) -> int:
    """List jobs, or run a command with the process IDs of jobs in its arguments."""
    letters = {letter for letter, _ in options}
    if "x" in letters:
        return _run_with_ids(shell, words)
    known = shell.jobs or shell.jobs.inherited
    chosen = [find_job(shell, word, "jobs", twice=True) for word in words] if words else list(known.values())
    marked = current(known)
    for job in chosen:
        if job is None:
            return 1
        done = job.task.done
        if ("r" in letters and done) or "s" in letters or ("n" in letters and job.listed and not done):
            continue
        if "p" in letters:
            shell.write(f"{job.task.pid}\n")
            continue
        shell.write(describe(marked, job, with_id="l" in letters) + "\n")
        job.listed = True
        if done:
            shell.jobs.end(job, job.task.status)
            if job.coprocess:
                end_coprocess(shell, job)
    return 0


def _run_with_ids(shell: Shell, words: list[str]) -> int:
    """``jobs -x``: run a command, each job that is named in its arguments replaced by its process ID."""
    known = shell.jobs or shell.jobs.inherited
    found = [_jobs_named(known, word) if word.startswith("%") else [] for word in words]
    arguments = [str(jobs[0].task.pid) if len(jobs) == 1 else word for word, jobs in zip(words, found, strict=True)]
    if not arguments:
        return 0
    builtin_found = shell.builtins.get(arguments[0])
    return run_command(shell, arguments) if builtin_found is None else run_builtin(shell, builtin_found, arguments)


@builtin("disown", usage="[-h] [-ar] [jobspec ... | pid ...]", summary="Remove jobs from current shell.", options="har")
def disown(shell: Shell, options: Options, words: list[str]) -> int:
    """Forget jobs."""
    stays = any(letter == "h" for letter, _ in options)  # it is marked alone, which no terminal's end looks at
    letters = {letter for letter, _ in options}
    if not words and letters & {"a", "r"}:
        for known in list(shell.jobs.values()):
            if not stays and ("a" in letters or not known.task.done):
                shell.jobs.pop(known.number)
        return 0
    if not words:
        current = max(shell.jobs, default=0)
        if not current or shell.jobs[current].task.done:
            shell.complain("disown", "current: no such job")
            return 1
        if not stays:
            shell.jobs.disown(shell.jobs[current])
        return 0
    status = 0
    for word in words:
        job = find_job(shell, word, "disown", twice=True)
        if job is None:
            status = 1
        elif not stays:
            shell.jobs.disown(job)
    return status


@builtin("fg", usage="[job_spec]", summary="Move job to the foreground.")
def fg(shell: Shell, arguments: list[str]) -> int:
    """Wait for a job as for a command that was not started in the background."""
    if not _controls_jobs(shell, arguments):
        return 1
    _, words = parse_options(shell, arguments, "")
    job = find_job(shell, words[0] if words else "current", "fg")
    if job is None:
        return 1
    shell.write(job.command + "\n")
    if not _join(shell, job.task):
        return _interrupted(shell)
    shell.jobs.pop(job.number, None)
    status = job.task.status
    if isinstance(status, KilledStatus):
        report_killed(shell, status, job.command, awaited=True)
    return int(status)


@builtin("bg", usage="[job_spec ...]", summary="Move jobs to the background.")
def bg(shell: Shell, arguments: list[str]) -> int:
    """Say of each job that it runs already: none of the sandbox is ever stopped."""
    if not _controls_jobs(shell, arguments):
        return 1
    _, words = parse_options(shell, arguments, "")
    status = 0
    for word in words or ["current"]:
        job = find_job(shell, word, "bg")
        if job is None:
            status = 1
        else:
            shell.complain("bg", f"job {job.number} already in background")
    return status


def _controls_jobs(shell: Shell, arguments: list[str]) -> bool:
    name = arguments[0]
    offer_help(shell, name, "".join(arguments[1:2]))
    if not shell.options.set["monitor"]:
        shell.complain(name, "no job control")
    return shell.options.set["monitor"]
