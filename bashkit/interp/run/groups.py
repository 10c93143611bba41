"""Signals to all processes of a group, as ``timeout`` and ``kill`` send them (bash(1), SIGNALS; GNU coreutils manual, timeout).

Processes that run inside each other share a task: a shell, the shell that it waits for, the utility that this one runs. A signal
ends the innermost of them, as far out as none has a trap for it; the others go on, with the trap to run or the end to come.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bashkit.interp.run.traps import IGNORED, SIGNALS, action_on
from bashkit.interp.runtime.control import Killed

if TYPE_CHECKING:
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.machine import Machine
    from bashkit.interp.state.shell import Shell
    from bashkit.interp.utility.process import TimeLimit


def join_limited(machine: Machine, task: Task, limit: TimeLimit) -> tuple[int, bool]:
    """Wait for the task of a command; send it signals when its time is up.

    Returns:
        Its status, and whether signals were sent.
    """
    hub = machine.hub
    inherited = task.deadline
    task.deadline = ends = min(inherited, time.monotonic() + limit.seconds)
    try:
        if hub.await_end(task, limit.seconds):
            return task.status, False
        for other in hub.group(task):
            if other.deadline == ends:  # it has yet to act on the signal
                other.deadline = inherited
        _send(machine, task, limit, limit.signal)
        if limit.kill_after and not hub.await_end(task, limit.kill_after):
            _send(machine, task, limit, "KILL")
        return hub.join(task), True
    finally:
        if not task.done:
            hub.terminate(task)


def _send(machine: Machine, task: Task, limit: TimeLimit, signal: str) -> None:
    limit.tell(signal)
    if not limit.foreground:
        signal_group(machine, task, signal)
    elif SIGNALS[signal] and signal not in IGNORED and not task.done:
        _strike(machine, task, signal, alone=True)


def signal_group(machine: Machine, task: Task, signal: str) -> None:
    """Send a signal to the processes of a task and of all tasks that it has started, but for the current one."""
    if not SIGNALS[signal] or signal in IGNORED:
        return
    for member in machine.hub.group(task):
        if not member.done:
            _strike(machine, member, signal, alone=False)


def _strike(machine: Machine, task: Task, signal: str, *, alone: bool) -> None:
    """Send a signal to the processes of a task; only to the one that the task was made for, if ``alone``."""
    number = SIGNALS[signal]
    shells = [shell for shell in machine.shells if shell.task is task]
    if alone:
        shells = [shell for shell in shells if not shell.sole][:1]
    if signal == "KILL" or not shells:
        machine.hub.throw(task, Killed(number, whole=True))
        return
    ended, survivors = (None, shells) if alone and action_on(shells[0], signal) is not None else _struck(shells, signal)
    for shell in survivors:
        action = action_on(shell, signal)
        if action is None and signal == "INT":
            shell.interrupted_at = machine.hub.next_pid
        elif not shell.sole and action != "":
            shell.take(signal)
    if ended is not None:
        machine.hub.throw(task, Killed(number, whole=True, outermost=ended if survivors else None))


def _struck(shells: list[Shell], signal: str) -> tuple[object, list[Shell]]:
    """What a signal does to shells inside each other, and to the utilities that they run.

    Args:
        shells: The outermost first.
        signal: Its name.

    Returns:
        The outermost of those at the inner end that it ends, or None, and the shells that it does not end at once.
    """
    ended: object = None
    for index in reversed(range(len(shells))):
        shell = shells[index]
        if shell.child is not None:
            if shell.traps.get(signal) == "":
                return ended, shells[: index + 1]
            ended = shell.child
        if action_on(shell, signal) is not None and not (shell.sole and ended is not None):
            return ended, shells[: index + 1]
        ended = shell
    return ended, []
