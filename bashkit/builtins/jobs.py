"""Builtins about jobs and processes: wait, jobs, kill, disown, fg, bg, trap, umask, ulimit, times."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin, offer_help
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.traps import PSEUDO, SIGNALS, report_killed, run_trap, set_trap, signal_name
from bashkit.interp.runtime.control import Killed, KilledStatus
from bashkit.interp.state.quoting import plain_quote
from bashkit.interp.state.shell import ROOT_PID

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.tables import Job


def _find_job(shell: Shell, spec: str) -> Job | None:
    """The job that ``%n``, ``%%``, ``%+``, ``%-``, ``%text`` or a process ID names."""
    jobs = shell.jobs
    if spec.isdecimal():
        return next((job for job in jobs.values() if job.task.pid == whole_number(spec)), None)
    body = spec.removeprefix("%")
    if body in {"", "%", "+"}:
        return jobs[max(jobs)] if jobs else None
    if body == "-":
        numbers = sorted(jobs)
        return jobs[numbers[-2]] if len(numbers) > 1 else jobs[numbers[-1]] if numbers else None
    if body.isdecimal():
        return jobs.get(whole_number(body))
    if body.startswith("?"):
        return next((job for job in jobs.values() if body[1:] in job.command), None)
    return next((job for job in jobs.values() if job.command.startswith(body)), None)


@builtin("wait", usage="[-fn] [-p var] [id ...]", summary="Wait for job completion and return exit status.", options="fnp:")
def wait(shell: Shell, options: Options, words: list[str]) -> int:
    """Wait for jobs."""
    given = dict(options)
    if "n" in given:
        return _wait_for_any(shell, words, given.get("p"))
    if "p" in given:
        shell.unset(given["p"])
    if not words:
        for job in list(shell.jobs.values()):
            if not _join(shell, job.task):
                return _interrupted(shell)
            _report(shell, job)
        shell.jobs.clear()
        return 0
    status = 0
    for word in words:
        found = _find_job(shell, word)
        if found is None:
            substitution = shell.jobs.substitution
            if substitution is not None and word == str(substitution.pid):
                if not _join(shell, substitution):
                    return _interrupted(shell)
                status = int(substitution.status)
            elif word.isdecimal() and whole_number(word) in shell.machine.finished:
                status = shell.machine.finished[whole_number(word)]
            elif word.startswith("%"):
                shell.complain("wait", f"{word}: no such job")
                status = 127
            elif word.lstrip("-").isdecimal():
                shell.complain("wait", f"pid {word} is not a child of this shell")
                status = 127
            else:
                shell.complain("wait", f"`{word}': not a pid or valid job spec")
                status = 1
            continue
        if not _join(shell, found.task):
            return _interrupted(shell)
        status = _finish(shell, found)
        if "p" in given:
            shell.assign(given["p"], str(found.task.pid))
    return status


def _join(shell: Shell, task: Task) -> bool:
    """Wait for a task to end; False when a signal came first."""
    hub = shell.machine.hub
    while not shell.signals:
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
    """The status of ``wait`` when a signal comes; the trap runs before the next command."""
    return 128 + SIGNALS[shell.signals[0]]


def _report(shell: Shell, job: Job) -> None:
    """Say that a signal has ended a job, unless it is one that is meant to."""
    status = job.task.status
    if isinstance(status, KilledStatus):
        report_killed(shell, status, job.command)


def _finish(shell: Shell, job: Job) -> int:
    status = int(job.task.status)  # it is told here how the job ended, and not once more by who sees the status of `wait`
    _report(shell, job)
    shell.machine.finished[job.task.pid] = status
    shell.jobs.pop(job.number, None)
    return status


def _wait_for_any(shell: Shell, words: list[str], variable: str | None) -> int:
    if variable:
        shell.unset(variable)
    jobs = list(shell.jobs.values())
    if words:
        found = [_find_job(shell, word) for word in words]
        for word, job in zip(words, found, strict=True):
            if job is None:
                shell.complain("wait", f"{word}: no such job")
        jobs = [job for job in found if job is not None]
    if not jobs:
        return 127
    hub = shell.machine.hub
    while not shell.signals:
        for job in jobs:
            if job.task.done:
                if variable:
                    shell.assign(variable, str(job.task.pid))
                return _finish(shell, job)
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
    """List jobs."""
    letters = {letter for letter, _ in options}
    known = shell.jobs or shell.jobs.inherited
    chosen = [_find_job(shell, word) for word in words] if words else list(known.values())
    numbers = sorted(known)
    for job in chosen:
        if job is None:
            shell.complain("jobs", f"{words[0]}: no such job")
            return 1
        done = job.task.done
        if ("r" in letters and done) or "s" in letters:
            continue
        if "p" in letters:
            shell.write(f"{job.task.pid}\n")
            continue
        mark = "+" if job.number == numbers[-1] else "-" if len(numbers) > 1 and job.number == numbers[-2] else " "
        state = "Running" if not done else "Done" if job.task.status == 0 else f"Exit {job.task.status}"
        pid = f" {job.task.pid} " if "l" in letters else "  "
        shell.write(f"[{job.number}]{mark}{pid}{state:<24}{job.command}{'' if done else ' &'}\n")
        if done:
            shell.machine.finished[job.task.pid] = job.task.status
            shell.jobs.pop(job.number, None)
    return 0


@builtin("disown", usage="[-h] [-ar] [jobspec ... | pid ...]", summary="Remove jobs from current shell.", options="har")
def disown(shell: Shell, options: Options, words: list[str]) -> int:
    """Forget jobs."""
    if any(letter == "h" for letter, _ in options):
        return 0
    if not words:
        if any(letter == "a" for letter, _ in options):
            shell.jobs.clear()
        elif shell.jobs:
            shell.jobs.pop(max(shell.jobs))
        else:
            shell.complain("disown", "current: no such job")
            return 1
        return 0
    status = 0
    for word in words:
        job = _find_job(shell, word)
        if job is None:
            shell.complain("disown", f"{word}: no such job")
            status = 1
        else:
            shell.jobs.pop(job.number, None)
    return status


@builtin("fg", usage="[job_spec]", summary="Move job to the foreground.", options="")
def fg(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """There is no job control in a non-interactive shell."""
    shell.complain("fg", "no job control")
    return 1


@builtin("bg", usage="[job_spec ...]", summary="Move jobs to the background.", options="")
def bg(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """There is no job control in a non-interactive shell."""
    shell.complain("bg", "no job control")
    return 1


@builtin(
    "kill",
    usage="[-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]",
    summary="Send a signal to a job.",
    program=True,
)
def kill(shell: Shell, arguments: list[str]) -> int:
    """Signal processes of the sandbox."""
    words = arguments[1:]
    name = "TERM"
    offer_help(shell, "kill", words[0] if words else "")
    if words and words[0] in {"-l", "-L"}:
        return _list_signals(shell, words[1:])
    if words and words[0] in {"-s", "-n"}:
        if len(words) < 2:
            shell.complain("kill", f"{words[0]}: option requires an argument")
            return 1
        spec, words = words[1], words[2:]
    elif words and words[0].startswith("-") and words[0] != "--" and len(words[0]) > 1:
        spec, words = words[0][1:], words[1:]
    else:
        spec = name
    if words[:1] == ["--"]:
        words = words[1:]
    found = signal_name(spec)
    if found is None or found in PSEUDO:
        shell.complain("kill", f"{spec}: invalid signal specification")
        return 1
    if not words:
        shell.print_error("kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]")
        return 2
    status = 1
    for word in words:
        if _signal_one(shell, word, found):
            status = 0
    return status


def _signal_one(shell: Shell, word: str, name: str) -> bool:
    number = SIGNALS[name]
    if word.startswith("%"):
        job = _find_job(shell, word)
        if job is None:
            shell.complain("kill", f"{word}: no such job")
            return False
        return _deliver(shell, job.task, number)
    if not re.fullmatch(r"-?[0-9]+", word):
        shell.complain("kill", f"{word}: arguments must be process or job IDs")
        return False
    pid = whole_number(word)
    if pid in {0, -1, -ROOT_PID, shell.pid}:
        _signal_self(shell, name, number)
        return True
    main = shell.machine.main
    if main is not None and pid == ROOT_PID:
        _signal_main(shell, main, name, number)
        return True
    task = next((task for task in shell.machine.hub.tasks if task.pid == abs(pid)), None)
    target = _shell_of(shell, pid)
    if task is None and target is None:
        shell.complain("kill", f"({word}) - No such process")
        return False
    if target is not None and (task is None or name in target.traps) and name not in {"KILL", "STOP"}:
        if number and target.traps.get(name) != "" and (name in target.traps or name not in _IGNORED):
            target.take(name)
        return True
    assert task is not None
    return _deliver(shell, task, number)


def _shell_of(shell: Shell, pid: int) -> Shell | None:
    """The shell that is the process of that ID: the innermost, where one has become another."""
    found = [other for other in shell.machine.shells if other.pid == pid]
    return max(found, key=lambda other: (other.invocation.process_id == pid, other.subshell_level), default=None)


_ALL_BITS = 0o7777
_IGNORED = frozenset(["CHLD", "CONT", "URG", "WINCH"])  # what these signals do by default is nothing


def _deliver(shell: Shell, task: Task, number: int) -> bool:
    if number and number not in {17, 18, 23, 28}:
        shell.machine.hub.throw(task, Killed(number, whole=True))
    return not task.done


def _signal_self(shell: Shell, name: str, number: int) -> None:
    """A signal to the shell itself: its trap runs, or it ends."""
    if not number:
        return
    action = shell.traps.get(name)
    if action == "" and name not in {"KILL", "STOP"}:
        return
    if action and name != "KILL":
        run_trap(shell, name)
        return
    if name in _IGNORED:
        return
    raise Killed(number)


def _signal_main(shell: Shell, main: Shell, name: str, number: int) -> None:
    """A subshell or child signals the main shell: its trap runs before its next command, or it ends."""
    action = main.traps.get(name)
    if not number or (action is None and name in _IGNORED):
        return
    if action is None or name == "KILL":
        shell.machine.killed = number
        main.take(name)
        raise Killed(number)
    if action:
        main.take(name)


def _list_signals(shell: Shell, words: list[str]) -> int:
    if not words:
        names = [f"{number:2d}) SIG{name}" for name, number in SIGNALS.items() if number]
        rows = [names[index : index + 5] for index in range(0, len(names), 5)]
        shell.write("".join("\t".join(row) + "\n" for row in rows))
        return 0
    status = 0
    for word in words:
        if word.isdecimal():
            number = whole_number(word) - 128 if whole_number(word) > 128 else whole_number(word)
            name = next((name for name, value in SIGNALS.items() if value == number), None)
            shown = name
        else:
            name = signal_name(word)
            shown = None if name is None or name in PSEUDO else str(SIGNALS[name])
        if shown is None:
            shell.complain("kill", f"{word}: invalid signal specification")
            status = 1
        else:
            shell.write(shown + "\n")
    return status


@builtin("trap", usage="[-lp] [[arg] signal_spec ...]", summary="Trap signals and other events.", special=True, options="lp")
def trap(shell: Shell, options: Options, words: list[str]) -> int:
    """Set or show what signals and events do."""
    letters = {letter for letter, _ in options}
    if "l" in letters:
        return _list_signals(shell, [])
    if "p" in letters or not words:
        return _show_traps(shell, words)
    action: str | None = words[0]
    names = words[1:]
    if not names:
        if signal_name(words[0]) is None and words[0] != "-":
            shell.print_error("trap: usage: trap [-lp] [[arg] signal_spec ...]")
            return 2
        action, names = None, words
    elif words[0] == "-" or words[0].isdecimal():
        action, names = None, names if words[0] == "-" else words
    status = 0
    for word in names:
        name = signal_name(word)
        if name is None:
            shell.complain("trap", f"{word}: invalid signal specification")
            status = 1
        else:
            set_trap(shell, name, action)
    return status


def _show_traps(shell: Shell, words: list[str]) -> int:
    order = [*SIGNALS, *PSEUDO]
    status = 0
    chosen: list[str] = []
    for word in words:
        name = signal_name(word)
        if name is None:
            shell.complain("trap", f"{word}: invalid signal specification")
            status = 1
        else:
            chosen.append(name)
    traps = shell.traps.inherited or shell.traps
    for name in chosen or order:
        if name in traps:
            shown = name if name in PSEUDO or name == "EXIT" else "SIG" + name
            shell.write(f"trap -- {plain_quote(traps[name])} {shown}\n")
    return status


@builtin("umask", usage="[-p] [-S] [mode]", summary="Display or set file mode mask.", options="pS")
def umask(shell: Shell, options: Options, words: list[str]) -> int:
    """Show or set the file mode creation mask."""
    letters = {letter for letter, _ in options}
    if words:
        try:
            mask = _parse_mask(words[0], shell.umask)
        except ValueError as error:
            shell.complain("umask", str(error))
            return 1
        shell.umask = mask
        if "S" not in letters:
            return 0
    if "S" in letters:
        allowed = ~shell.umask
        parts = ["".join(bit for bit, on in zip("rwx", (4, 2, 1), strict=True) if allowed >> shift & on) for shift in (6, 3, 0)]
        text = f"u={parts[0]},g={parts[1]},o={parts[2]}"
    else:
        text = f"{shell.umask:04o}"
    prefix = "umask -S " if "S" in letters else "umask "
    shell.write((prefix if "p" in letters else "") + text + "\n")
    return 0


def _parse_mask(text: str, mask: int) -> int:
    """The mask that an octal number or a symbolic mode makes of ``mask`` (bash(1), umask).

    Raises:
        ValueError: What is wrong with it.
    """
    if text[:1].isdecimal():
        if not re.fullmatch(r"[0-7]{1,6}", text) or int(text, 8) > _ALL_BITS:
            raise ValueError(f"{text}: octal number out of range")
        return int(text, 8) & 0o777
    allowed = ~mask & 0o777
    for clause in text.split(","):
        match = re.match(r"([ugoa]*)([-+=]?)([rwx]*)", clause)
        assert match is not None
        who, operator, what = match.groups()
        rest = clause[match.end() :]
        if not operator:
            raise ValueError(f"`{rest[:1]}': invalid symbolic mode operator")
        if rest:
            raise ValueError(f"`{rest[0]}': invalid symbolic mode character")
        shifts = [shift for letter, shift in (("u", 6), ("g", 3), ("o", 0)) if letter in who or "a" in who or not who]
        bits = sum({"r": 4, "w": 2, "x": 1}[letter] for letter in set(what))
        for shift in shifts:
            if operator == "=":
                allowed = allowed & ~(7 << shift) | bits << shift
            elif operator == "+":
                allowed |= bits << shift
            else:
                allowed &= ~(bits << shift)
    return ~allowed & 0o777


@builtin("times", usage="", summary="Display process times.", special=True, options="")
def times(shell: Shell, options: Options, words: list[str]) -> int:  # noqa: ARG001 - every builtin has this signature
    """Show how long the shell has run."""
    shell.write("0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n")
    return 0
