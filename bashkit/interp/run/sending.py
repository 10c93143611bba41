"""Sends signals to the processes of a script as kill(2) does: to tasks, to shells, to the process group of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.run.groups import signal_group
from bashkit.interp.run.traps import IGNORED, SIGNALS, action_on, run_trap
from bashkit.interp.runtime.control import Killed
from bashkit.interp.state.calls import ROOT_PID
from bashkit.limits import ask

if TYPE_CHECKING:
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.state.shell import Shell

LARGEST_PID = 0x7FFFFFFF
_GROUP = frozenset([0, -1, -ROOT_PID])  # process IDs that stand for the process group of the script


def send_signal(shell: Shell, pid: int, name: str) -> bool | None:
    """Send a signal.

    Args:
        shell: What sends it.
        pid: The process; 0 or a negative number for a process group.
        name: The signal, without ``SIG``.

    Returns:
        None if there is no such process, False for one that has ended.

    Raises:
        Killed: It ends the sender.
    """
    number = SIGNALS[name]
    if pid == shell.pid or (pid in _GROUP and shell.options.set["monitor"]):
        _signal_self(shell, name, number)
        return True
    if pid in _GROUP:
        _signal_group(shell, name, number)
        return True
    main = shell.machine.main
    target = _shell_of(shell, pid)
    if main is not None and pid == ROOT_PID and (target is None or action_on(target, name) is None):
        _signal_main(shell, target or main, name, number)
        return True
    if pid < 0 and not shell.options.set["monitor"]:  # a job is a process group under job control alone
        target = None
    member = abs(pid) if shell.options.set["monitor"] else pid
    task = next((task for task in shell.machine.hub.tasks if task.pid == member), None)
    if pid < 0 and task is not None:
        return _signal_job(shell, task, name)
    if task is None and target is None:
        return None
    action = None if target is None else action_on(target, name)
    if task is not None and (action is None or name == "KILL"):
        return _deliver(shell, task, number)
    assert target is not None
    acts = name not in IGNORED if action is None else action != ""
    if number and (acts or name == "KILL"):
        target.take(name)
    return True


def _signal_group(shell: Shell, name: str, number: int) -> None:
    """A signal to the process group of the script: without job control all of its processes are in it."""
    hub, main = shell.machine.hub, shell.machine.main
    others = {task.pid for task in hub.tasks if task is not hub.current} - {ROOT_PID, shell.pid}
    ask(len(others))
    for pid in sorted(others):
        send_signal(shell, pid, name)
    if main is not None and shell is not main and shell.pid != main.pid:
        _signal_main(shell, main, name, number)
    _signal_self(shell, name, number)


def _signal_job(shell: Shell, task: Task, name: str) -> bool:
    """A signal to the process group of a job: the sender gets it last, if it is in the group."""
    hub = shell.machine.hub
    ask(len(hub.tasks))
    inside = hub.current is not None and hub.current.descends_from({task: True})
    signal_group(shell.machine, task, name)
    if inside:
        _signal_self(shell, name, SIGNALS[name])
    return True


def _shell_of(shell: Shell, pid: int) -> Shell | None:
    """The shell that is the process of that ID: the innermost, where one has become another."""
    found = [other for other in reversed(shell.machine.shells) if other.pid == pid]  # of equals the one that began last
    return max(found, key=lambda other: (other.invocation.process_id == pid, other.subshell_level), default=None)


def _deliver(shell: Shell, task: Task, number: int) -> bool:
    """Send a signal to a task; no task of the sandbox is ever stopped."""
    if number and number not in {SIGNALS[name] for name in IGNORED}:
        shell.machine.hub.throw(task, Killed(number, whole=True))
    return not task.done


def _signal_self(shell: Shell, name: str, number: int) -> None:
    """A signal to the shell itself: its trap runs, or it ends."""
    if not number:
        return
    action = action_on(shell, name)
    if action == "" and name not in {"KILL", "STOP"}:
        return
    if action and name != "KILL":
        if shell.traps.delayed:
            shell.take(name)
            return
        shell.status = 0  # that of kill
        run_trap(shell, name)
        return
    if name in IGNORED:
        return
    shell.status = 0  # as above
    raise Killed(number)


def _signal_main(shell: Shell, main: Shell, name: str, number: int) -> None:
    """A subshell or child signals the main shell: its trap runs before its next command, or it ends."""
    action = action_on(main, name)
    if not number or (action is None and name in IGNORED):
        return
    if action is None or name == "KILL":
        shell.machine.killed = number
        main.take(name)
        raise Killed(number)
    if action:
        main.take(name)
