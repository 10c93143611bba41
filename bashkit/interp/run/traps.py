"""Traps and errexit (bash(1), trap and set -e)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.run.scripts import run_text
from bashkit.interp.runtime.control import ExitShell, ExpansionError, Killed, KilledStatus, NumberError, ReturnFunction, Unwind
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import SimpleCommand

SIGNALS = {
    "EXIT": 0, "HUP": 1, "INT": 2, "QUIT": 3, "ILL": 4, "TRAP": 5, "ABRT": 6, "BUS": 7, "FPE": 8, "KILL": 9, "USR1": 10,
    "SEGV": 11, "USR2": 12, "PIPE": 13, "ALRM": 14, "TERM": 15, "STKFLT": 16, "CHLD": 17, "CONT": 18, "STOP": 19,
    "TSTP": 20, "TTIN": 21,
    "TTOU": 22, "URG": 23, "XCPU": 24, "XFSZ": 25, "VTALRM": 26, "PROF": 27, "WINCH": 28, "IO": 29, "PWR": 30, "SYS": 31,
    "RTMIN": 34, **{f"RTMIN+{step}": 34 + step for step in range(1, 16)},
    **{f"RTMAX-{step}": 64 - step for step in range(14, 0, -1)}, "RTMAX": 64,
}  # fmt: skip
PSEUDO = ("DEBUG", "ERR", "RETURN")
IGNORED = frozenset("CHLD CONT URG WINCH STOP TSTP TTIN TTOU".split())  # what these signals do by default is nothing here


def signal_name(text: str) -> str | None:
    """A signal's name without ``SIG`` from any spelling or its number, or None if there is no such signal."""
    if is_digits(text.removeprefix("+")):
        return next((name for name, number in SIGNALS.items() if number == whole_number(text)), None)
    name = text.upper().removeprefix("SIG")
    return name if name in SIGNALS or name in PSEUDO else None


def after_failure(shell: Shell, status: int, *, trapped: bool = True) -> None:
    """Handle a failure that no condition asks for: run the ERR trap, leave the shell under errexit.

    Args:
        shell: The shell in which a command failed.
        status: The command's exit status.
        trapped: There was an ERR trap when the command began; one that the command itself has set does not run for it.

    Raises:
        ExitShell: errexit is set.
    """
    if shell.may_fail:
        return
    if trapped and "ERR" in shell.traps and "ERR" not in shell.traps.running:
        run_trap(shell, "ERR")
        shell.status = status
    if shell.options.errexit:
        if shell.signals:
            act_on_signals(shell)
        if shell is shell.machine.main:
            shell.machine.left = (shell.line, status)
        end = ExitShell(1 if shell.of_builtin else status)
        end.redirected = _ends_inside(shell)
        raise end


def before_command(shell: Shell, source: str) -> int:
    """The DEBUG trap runs before every simple command, and so do traps of signals that came from elsewhere.

    Returns:
        The status by which the trap says, under ``extdebug``, that the command is to be left out (bash(1), shopt); else 0.

    Raises:
        ReturnFunction: Under ``extdebug`` the trap's status is 2 in a function or sourced file.
    """
    if shell.signals:
        act_on_signals(shell)
    if (shell.recording or "DEBUG" in shell.traps) and not shell.traps.running:
        shell.variables["BASH_COMMAND"] = source
    if shell.announced == source and source:
        shell.announced = ""
    elif "DEBUG" not in shell.traps.running and "DEBUG" in shell.traps:
        status = run_trap(shell, "DEBUG")
        if status and shell.options.shopt["extdebug"]:
            if status == 2 and shell.calls:
                raise ReturnFunction(status)
            shell.status, shell.pipe_statuses = 0, None
            return status
    return 0


def action_on(shell: Shell, signal: str) -> str | None:
    """What a shell does on a signal: the action of its trap, or None; "" where it ignores it, as SIGQUIT (bash(1), SIGNALS)."""
    action = shell.traps.get(signal)
    if action is not None or shell.subshell_level:
        return action
    return "" if signal == "QUIT" or (signal == "TERM" and shell.invocation.interactive) else None


def act_on_signals(shell: Shell) -> None:
    """Do what the signals ask for that other shells sent: run their traps, or end the shell.

    Raises:
        Killed: A signal without a trap ends the shell.
    """
    pending = sorted(shell.signals, key=SIGNALS.__getitem__)
    shell.signals.clear()
    shell.watch()
    for name in pending:
        if name in shell.traps and name != "KILL":
            run_trap(shell, name)
        else:
            raise Killed(SIGNALS[name])


class _Interrupted(Unwind):
    """A signal ends what a builtin waits for.

    Args:
        signal: Its name.
    """

    def __init__(self, signal: str) -> None:
        self.signal = signal


def interruptible(shell: Shell, wait: Callable[[], int]) -> int:
    """Do what may wait for long: traps of signals run at once, and in posix mode end it (bash(1), SIGNALS; read)."""
    task = shell.machine.hub.current
    assert task is not None

    def interrupt() -> None:
        if shell.interrupted:
            signal = min(shell.signals, key=SIGNALS.__getitem__)
            act_on_signals(shell)
            if shell.options.posix:
                raise _Interrupted(signal)

    outer = shell.waiting, task.interrupt
    shell.waiting, task.interrupt = task, interrupt
    try:
        return wait()
    except _Interrupted as end:
        return 128 + SIGNALS[end.signal]
    finally:
        shell.waiting, task.interrupt = outer


_LABELS = {"DEBUG": "debug trap", "ERR": "error trap", "RETURN": "return trap"}  # in messages about syntax errors


def run_trap(shell: Shell, name: str) -> int:
    """Run a trap's action and give its status; ``$?`` is afterwards what it was before."""
    action = shell.traps.get(name)
    if not action:
        return 0
    status, statuses, trapping, line = shell.status, shell.pipe_statuses, shell.traps.running, shell.line
    inverted, shell.inverted = shell.inverted, -1
    depth, shell.condition_depth = shell.condition_depth, 0
    before = shell.traps.before
    shell.traps.running, shell.traps.before = trapping | {name}, None if name == "DEBUG" else int(status)
    shell.watch()
    shell.evaluating += 1
    try:
        own = run_text(shell, action, first_line=line if name in PSEUDO else 1, label=_LABELS.get(name, "trap"))
    except ExitShell:
        trapping = shell.traps.running  # it goes on, for the EXIT trap
        raise
    finally:
        shell.traps.running, shell.traps.before = trapping, before
        shell.watch()
        shell.line = line
        shell.inverted, shell.condition_depth = inverted, depth
        shell.evaluating -= 1
    shell.status, shell.pipe_statuses = status, statuses
    return own


def run_return_trap(shell: Shell) -> None:
    """Run the RETURN trap at the end of a function or sourced file, but not for those that its own action or DEBUG's calls."""
    if "RETURN" in shell.traps and not shell.traps.running & {"RETURN", "DEBUG"}:
        run_trap(shell, "RETURN")


def run_exit_trap(shell: Shell, status: int, ended: ExitShell | None = None) -> int:
    """Run the EXIT trap as the shell ends; returns the shell's final status.

    Args:
        shell: The shell.
        status: What it ends with, unless the trap exits with another status.
        ended: What ended it: the trap sees the names and arguments of the functions that it came out of.
    """
    action = shell.traps.get("EXIT")
    if not action:
        return status
    shell.status = status
    shell.condition_depth = 0
    shell.traps.running |= {"EXIT"}
    shell.evaluating += shell.subshell_level > 0 and not shell.mute  # undocumented: but for that of a command substitution
    shell.traps.before = int(status)
    depth, positional = len(shell.calls), shell.positional
    if shell.evaluated is not None:
        shell.variables["BASH_COMMAND"] = shell.evaluated
    if ended is not None and ended.calls is not None:
        shell.calls += ended.calls[depth:]
        shell.positional = ended.positional or []
    try:
        run_text(shell, action, label="exit trap")
    except ExitShell as end:
        return end.status
    except ReturnFunction as end:
        return end.status
    except ExpansionError as error:
        shell.tell(error)
        return status if isinstance(error, NumberError) else 1
    finally:
        shell.traps.pop("EXIT", None)
        if len(shell.calls) > depth:
            del shell.calls[depth:]
            shell.positional = positional
    return status


def _ends_inside(shell: Shell) -> bool:
    """Whether the EXIT trap sees what holds where the shell ends; outside of functions, ``bash -c`` undoes it before."""
    return bool(shell.subshell_level) or not shell.invocation.command_string or any(call.is_function for call in shell.calls)


def leave_shell(shell: Shell, status: int) -> NoReturn:
    """Leave the shell where it asks for that: there, variables and redirections hold for the EXIT trap.

    Raises:
        ExitShell: Always.
    """
    if _ends_inside(shell):
        _leave_here(shell, status)
    raise ExitShell(status)


def _leave_here(shell: Shell, status: int) -> NoReturn:
    """As ``leave_shell`` where nothing is undone before the EXIT trap runs."""
    if not shell.traps.forgets:
        if "EXIT" not in shell.traps.running:
            status = run_exit_trap(shell, status)
        shell.traps.pop("EXIT", None)  # one that the trap has set
    raise ExitShell(status)


def leave_by(shell: Shell, error: ExpansionError, *, whole: bool = False) -> None:
    """Tell of a failed expansion, before redirections and functions are left; leave the shell here where bash does.

    Args:
        shell: The shell.
        error: What failed.
        whole: The shell is the process of the function that is being left.

    Raises:
        ExitShell: It has been left.
    """
    shell.tell(error)
    if "EXIT" not in shell.traps or not (whole or _ends_at_once(shell, error)):
        return
    try:
        shell.report(error, level=int(whole))
    except ExitShell as end:
        if error.of_arithmetic:
            leave_shell(shell, end.status)
        _leave_here(shell, end.status)
    if whole or (shell.options.errexit and not shell.condition_depth and not error.spares_shell):
        _leave_here(shell, 1)


def leave_start(shell: Shell, command: SimpleCommand, error: ExpansionError) -> None:
    """Leave the process of a command whose words or assignments cannot be expanded. Undocumented: it has all traps until then.

    Args:
        shell: The shell, which may be such a process.
        command: What cannot be expanded.
        error: Why.

    Raises:
        ExitShell: It has been left.
    """
    start = shell.traps.starts
    if start is None or start.place != (command.line, command.column, command.source):
        return
    status = 1
    try:
        shell.report(error, level=1)
    except ExitShell as end:
        status = end.status
    shell.traps.update(start.traps)
    shell.watch()
    shell.subshell_level = start.level
    status = run_exit_trap(shell, status)
    raise ExitShell(status)


def end_in_function(shell: Shell, status: int) -> int:
    """Run the EXIT trap of a shell that ends with a function: its variables and arguments are there, the function is not."""
    call = shell.calls.pop()
    try:
        return run_exit_trap(shell, status)
    finally:
        shell.calls.append(call)


def _ends_at_once(shell: Shell, error: ExpansionError) -> bool:
    """Whether a fatal error ends the shell where it stands; otherwise bash first goes back to where it reads commands."""
    if shell.options.errexit:
        return True
    if shell.mute:
        return False
    if shell.invocation.command_string:
        return bool(shell.subshell_level)
    return error.at_once or shell.evaluated is not None


_DESCRIPTIONS = {
    "HUP": "Hangup", "QUIT": "Quit", "ILL": "Illegal instruction", "TRAP": "Trace/breakpoint trap", "ABRT": "Aborted",
    "BUS": "Bus error", "FPE": "Floating point exception", "KILL": "Killed", "USR1": "User defined signal 1",
    "SEGV": "Segmentation fault", "USR2": "User defined signal 2", "ALRM": "Alarm clock",
    "STKFLT": "Stack fault", "XCPU": "CPU time limit exceeded", "XFSZ": "File size limit exceeded",
    "VTALRM": "Virtual timer expired", "PROF": "Profiling timer expired", "IO": "I/O possible", "PWR": "Power failure",
    "SYS": "Bad system call",
}  # fmt: skip


def end_with_child(shell: Shell, status: int) -> None:
    """End the shell if SIGINT came to it, and to the child that it waited for, and the child ended by it after all.

    Raises:
        Killed: As said.
    """
    if status == 128 + SIGNALS["INT"] and isinstance(status, KilledStatus) and status.pid < shell.interrupted_at:
        raise Killed(SIGNALS["INT"])


def report_ended(shell: Shell, status: KilledStatus) -> bool:
    """Say of a process that the shell has waited for what ended it, if that is SIGTERM or trapped here; gives whether it is."""
    number = status - 128
    if shell.mute:
        return True
    told = number == SIGNALS["TERM"] or any(SIGNALS[name] == number for name in shell.traps if name in SIGNALS)
    description = ("Terminated" if number == SIGNALS["TERM"] else describe_signal(status)) if told else None
    if description is not None:
        shell.print_error(description)
    return told


def report_killed(shell: Shell, status: KilledStatus, command: str, *, awaited: bool = False) -> bool:
    """Say that a signal has ended a process, as bash does for all but SIGINT and SIGPIPE; gives whether anything was said.

    Args:
        shell: Whose child it was.
        status: What it ended with.
        command: Its text.
        awaited: The shell has waited for it, and not started it as a job.

    Raises:
        Killed: SIGINT has ended it, after it came to the shell as well.
    """
    if awaited:
        end_with_child(shell, status)
    if status == 128 + SIGNALS["TERM"] and not awaited:
        return False
    if awaited and report_ended(shell, status):
        return True
    description = describe_signal(status)
    if description is not None:
        shell.warn(f"{status.pid:5d} {description:<23} {command}")
    return description is not None


def describe_signal(status: KilledStatus) -> str | None:
    """What is said of a process that a signal has ended; None for a signal of which nothing is said."""
    return next((_DESCRIPTIONS.get(name) for name, number in SIGNALS.items() if number == status - 128), None)


def set_trap(shell: Shell, name: str, action: str | None) -> None:
    """Set the action of a trap; None resets it, "" ignores the signal."""
    shell.traps.inherited = None
    shell.traps.tells = shell.traps.tells and name != "INT"
    if name in shell.traps.settled or (action is None and name in shell.traps.untold):
        return
    if name in shell.traps.untold:
        shell.traps.untold -= {name}
    if action is None:
        shell.traps.pop(name, None)
    else:
        shell.budget.grow(len(action))
        shell.traps[name] = action
    shell.watch()
