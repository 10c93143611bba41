"""Tasks: what the scheduler runs, each in a greenlet, which is used again when the task has ended.

To start a greenlet costs seven microseconds, most of it for the pages of its first frames; one that has been started and waits
for more work is resumed in half of one.
"""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

from greenlet import GreenletExit, getcurrent

from bashkit.errors import LimitExceededError
from bashkit.interp.runtime.control import Killed, KilledStatus, Unwind
from bashkit.limits import TaskGreenlet

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.runtime.blocks import BlockWriter
    from bashkit.interp.runtime.hub import Hub

_KEPT = 32  # carriers that wait for work
_MAIN = threading.main_thread().ident
_parked: list[Carrier] = []  # those of the main thread, which no other thread touches


class TaskEnd(Unwind):
    """The execution is over and the task must end without running anything more."""


class _Greenlet(TaskGreenlet):
    """One that knows whose task it carries."""

    hub: Hub | None = None

    def take(self, hub: Hub | None) -> None:
        """Carry a task of ``hub`` from now on, or none."""
        self.hub = hub
        self.budget = None if hub is None else hub.budget


def running_task() -> Task | None:
    """The task that runs now in this thread; None outside of any."""
    running = getcurrent()
    return running.hub.current if isinstance(running, _Greenlet) and running.hub is not None else None


class Carrier:
    """A greenlet that carries one task after the other.

    Args:
        task: The first.
    """

    __slots__ = ("frames", "glet", "task")

    def __init__(self, task: Task) -> None:
        self.task: Task | None = task
        self.frames = task.hub.host_frames  # below it, for as long as it lives
        self.glet = _Greenlet(self._carry, task.hub.home)
        self.glet.take(task.hub)

    def _carry(self) -> None:
        while True:
            task = self.task
            assert task is not None
            self.task = None
            hub = task.hub
            task.main()
            self.glet.take(None)
            del task
            if len(hub.parked) >= _KEPT:
                return
            hub.parked.append(self)
            home = hub.home
            del hub
            home.switch()


def parked_carriers() -> list[Carrier]:
    """The waiting carriers of the main thread; for any other thread a new list, to be given to ``dismiss`` in the end.

    A greenlet that waits when its thread ends is lost, with its memory, so other threads keep none from one execution to the
    next.
    """
    return _parked if threading.get_ident() == _MAIN else []


def dismiss(carriers: list[Carrier]) -> None:
    """End carriers that wait, unless they are the main thread's."""
    while carriers and carriers is not _parked:
        carriers.pop().glet.throw(GreenletExit)


class Task:
    """What the scheduler runs, and what others know of it.

    Args:
        hub: The scheduler.
        function: What it does; gives its exit status.
        release: Gives back what was opened for it; called only when it ends before it has begun.
        pid: Its process ID inside the sandbox.

    Attributes:
        pid: As above.
        command: The text of the background job that it runs, or "".
        done: It has ended.
        parent: The task that started it, or None.
        status: Its exit status, once done.
        deadline: When ``timeout`` will end it, by the monotonic clock; never, mostly. What it starts has the same.
        interrupt: Called whenever it goes on, while it waits for something that a signal interrupts.
        leader: It is a process group of its own, with what it starts: a job under job control.
        started: It has begun.
        unwritten: Holds output that is to be written before the task waits.
    """

    __slots__ = (
        "_carrier",
        "_function",
        "_release",
        "command",
        "deadline",
        "done",
        "hub",
        "interrupt",
        "leader",
        "parent",
        "pending",
        "pid",
        "queued",
        "status",
        "unwritten",
        "waiters",
    )

    def __init__(self, hub: Hub, function: Callable[[], int], pid: int, release: Callable[[], None]) -> None:
        self.hub = hub
        self.pid = pid
        self.command = ""
        self.parent = hub.current
        self.done = False
        self.leader = False
        self.queued = False
        self.status = 0
        self.deadline: float = math.inf if hub.current is None else hub.current.deadline
        self.waiters: list[Task] = []
        self.pending: BaseException | None = None
        self.interrupt: Callable[[], None] | None = None
        self.unwritten: BlockWriter | None = None
        self._function = function
        self._release = release
        self._carrier: Carrier | None = None

    @property
    def started(self) -> bool:
        """It has begun."""
        return self._carrier is not None

    def descends_from(self, kin: dict[Task, bool]) -> bool:
        """It is one of some tasks, or was started by one, directly or not, and is in no process group of its own.

        Args:
            kin: Whether a task is one, for all that are known; those that are asked for become known.
        """
        line: list[Task] = []
        task: Task | None = self
        while task is not None and task not in kin:
            line.append(task)
            task = None if task.leader else task.parent
        found = task is not None and kin[task]
        kin.update(dict.fromkeys(line, found))
        return found

    def resume(self) -> None:
        """Begin, or go on, until it waits or ends. Only the hub calls this, whose own stack is shallow."""
        carrier = self._carrier
        if carrier is None:
            carrier = self._carrier = self._found()
            carrier.glet.gr_context = self.hub.context.copy()  # callbacks see the contextvars of the caller of execute
        carrier.glet.switch()

    def throw(self, error: BaseException) -> None:
        """Raise ``error`` where a task that has begun waits."""
        assert self._carrier is not None
        self._carrier.glet.throw(error)

    def _found(self) -> Carrier:
        """A carrier that waits and is not deeper in the stack of the host than a new one would be, or a new one."""
        hub = self.hub
        while hub.parked:
            carrier = hub.parked.pop()
            if carrier.frames <= hub.host_frames and not carrier.glet.dead:
                carrier.task = self
                carrier.glet.parent = hub.home
                carrier.glet.take(hub)
                return carrier
        return Carrier(self)

    def main(self) -> None:
        """The whole of it, as its carrier runs it."""
        hub, function = self.hub, self._function
        del self._function
        try:
            if self.pending is not None:
                self.abandon()
                raise self.taken()
            del self._release  # it knows the shell, and who waits for the task may know that for long
            self.status = function()
        except Killed as signal:
            self.status = KilledStatus.of(signal.signal, self.pid)
        except TaskEnd:
            self.status = 137
        except (LimitExceededError, Exception, KeyboardInterrupt) as error:
            if hub.failure is None:
                hub.failure = error
            self.status = 1
        finally:
            self.finish()

    def taken(self) -> BaseException:
        """What was thrown at it, for it to raise; a variable of the frame that does so would be held by it for long."""
        pending, self.pending = self.pending, None
        assert pending is not None
        return pending

    def abandon(self) -> None:
        """It will never begin."""
        self._release()

    def finish(self) -> None:
        """It has ended: who waits for it, or for its place, goes on. Done again when it was interrupted, or once too often."""
        self.done = True
        self._carrier = None
        hub = self.hub
        if self in hub.tasks:
            hub.tasks.discard(self)
            hub.budget.processes += 1
        for waiter in self.waiters:
            hub.wake(waiter)
        while hub.places and hub.budget.processes > 0:
            hub.wake(hub.places.popleft())

    @property
    def lost(self) -> bool:
        """Its greenlet ended before it could say so."""
        return not self.done and self._carrier is not None and self._carrier.glet.dead
