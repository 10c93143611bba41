"""The watchdog: hurries a task that keeps the event loop waiting, and ends one that is past its time and does not ask the budget.

Everything that loops asks the budget for its time, and a task that asks is ended there. What forgets to ask is ended from
outside: a thread looks at the running slices and has the interpreter raise ``Overdue`` in one that is late. A slice is the time
from when the hub resumes a task until that task returns to the hub. Nothing is ever raised outside of one: not in the hub, not
in the event loop, not in a function of the host. A call of a C function is not interrupted: what it may take is bounded before.

A task asks after so many steps of work, and steps are counted, not timed. When they take longer than they should, and the event
loop wants its turn, the thread has the task ask at its next step.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from bashkit.errors import Passage

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.runtime.tasks import Task
    from bashkit.limits import Budget

T = TypeVar("T")
GRACE = 0.2  # seconds after its time in which a task may still ask by itself
LOOK = 0.02  # seconds between two looks
LINGER = 50  # looks without a script after which the thread sleeps until it is woken

_watched: set[weakref.ref[Slices]] = set()  # weak: an interrupt may come before anybody can close them
_wanted = threading.Semaphore(0)
_starting = threading.Lock()
_aiming = threading.Lock()  # held while a shot is fired, so that a slice that sees the aim waits for it
_thread: threading.Thread | None = None
_asleep = False


class Overdue(Passage):
    """A task is past its time; raised in the midst of it, and handled by the hub alone."""


class Slices:
    """The slices of one hub, as the watchdog sees them.

    Two threads meet here. The hub writes ``task`` and then reads ``aimed``; the watchdog writes ``aimed`` and then reads
    ``task``. So one of them always sees the other: the watchdog finds no task, or the hub waits for the shot and takes it. A shot
    is felt where the interpreter lets other threads run: at a call, and at the end of a loop's turn.

    Args:
        budget: Its deadline is that of every task.

    Attributes:
        task: The one whose slice runs; None between slices, and while a function of the host runs.
        aimed: The watchdog is raising ``Overdue``, or has raised it, and the slice has not ended since.
        thread: Which thread runs them.
        due: When every task must have ended for another reason than the deadline: a cancellation, or the end of the execution.
        turn: When the event loop wants its turn.
    """

    __slots__ = ("__weakref__", "_budget", "aimed", "due", "task", "thread", "turn")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.thread = 0
        self.task: Task | None = None
        self.aimed = False
        self.due = math.inf
        self.turn = math.inf

    def open(self) -> None:
        """Let the watchdog look at what this thread runs from now on.

        Raises:
            RuntimeError: The host can start no thread for it.
        """
        self.thread = threading.get_ident()
        _watched.add(weakref.ref(self, _watched.discard))
        if _asleep or _thread is None:
            try:
                _wake()
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """There will be no more slices."""
        _watched.discard(weakref.ref(self))

    def look(self, now: float) -> None:
        """End the running task if it should have ended by itself; hurry it if the event loop waits. The watchdog calls this."""
        if self._late(now):
            self.shoot()
        elif now > self.turn:
            self._budget.hurry()

    def _late(self, now: float) -> bool:
        task = self.task
        return task is not None and now > min(self._budget.deadline, self.due, task.deadline) + GRACE

    def shoot(self) -> None:
        """Raise ``Overdue`` in the running slice. Only the watchdog calls this."""
        with _aiming:
            self.aimed = True
            if self.task is not None:
                _raise_in(self.thread)

    def lower(self) -> None:
        """The slice has ended: take a shot that has not been felt, here where it hurts nobody.

        It is not withdrawn: up to Python 3.12 that would leave the whole interpreter looking for an exception that is not there,
        and a function that starts under a profiler or a debugger would look for ever. Whether or not it was felt, another is
        fired, and only one can be on its way.
        """
        while True:
            try:
                self.task = None
                if self.aimed:
                    with _aiming:
                        self.aimed = False
                        _raise_in(self.thread)
                    while True:  # until it arrives
                        pass
            except Overdue:
                continue
            return

    def spare(self, function: Callable[[], T]) -> T:
        """Call a function of the host in the midst of a slice: it is not shot at."""
        task = self.task
        self.task = None
        if self.aimed:
            self.lower()
        try:
            return function()
        finally:
            self.task = task


def _raise_in(thread: int) -> None:
    """Have a thread raise ``Overdue`` at its next chance."""
    import ctypes  # few processes ever come here

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Overdue))


def _wake() -> None:
    """Start the thread, or end its sleep."""
    global _thread, _asleep  # noqa: PLW0603 - one thread a process is the point
    with _starting:
        if _thread is None:
            _keep_quiet()
            thread = threading.Thread(target=_look, name="bashkit-watchdog", daemon=True)
            thread.start()  # may fail, and is tried again then
            _thread = thread
        elif _asleep:
            _asleep = False
            _wanted.release()


def _keep_quiet() -> None:
    """Have Python not report a shot that was felt in a place where exceptions are only reported, such as ``__del__``; as long as
    the task is late, another follows.
    """
    report = sys.unraisablehook

    def unless_shot(unraisable: Any) -> None:
        if unraisable.exc_type is not Overdue:
            report(unraisable)

    sys.unraisablehook = unless_shot


def _look() -> None:
    """What the thread does: look, wait, look again."""
    global _asleep  # noqa: PLW0603 - as above
    idle = 0
    while True:
        time.sleep(LOOK)
        _look_at_all(time.monotonic())
        idle = 0 if _watched else idle + 1
        if idle > LINGER:
            _asleep = True
            if not _watched:  # else a script began just now, and may not have seen that nobody looks
                _wanted.acquire()
            _asleep = False
            idle = 0


def _look_at_all(now: float) -> None:
    """Look at every script; what stands in the frame of the thread while it sleeps would stay in memory."""
    for reference in _watched.copy():
        slices = reference()
        if slices is not None and slices.task is not None:
            slices.look(now)


def _after_fork() -> None:
    """A forked process has no such thread, and whatever other threads were doing was not for it."""
    global _thread, _asleep, _wanted, _starting, _aiming
    _thread, _asleep = None, False
    _wanted, _starting, _aiming = threading.Semaphore(0), threading.Lock(), threading.Lock()
    here = threading.get_ident()
    for reference in _watched.copy():
        slices = reference()
        if slices is not None and slices.thread != here:
            slices.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
