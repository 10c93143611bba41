"""Threads for the host's functions: daemons that are reused, and that a time limit can leave behind."""

from __future__ import annotations

import inspect
import os
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

_idle: deque[_Worker] = deque()
_MAX_IDLE = 128
_NO_THREAD = frozenset(
    {
        "can't start new thread",
        "can't create new thread at interpreter shutdown",
        "thread is not supported for isolated subinterpreters",
        "daemon threads are disabled in this (sub)interpreter",
    }
)  # what Python says
_loop_lock = threading.Lock()
_loops: list[asyncio.AbstractEventLoop] = []
_of_the_parent: list[asyncio.AbstractEventLoop] = []  # kept, because the end of one would disturb the process that runs it


class _Worker:
    """A thread that runs one job at a time."""

    def __init__(self) -> None:
        self.wanted = threading.Lock()  # open when there is a job
        self.wanted.acquire()
        self.job: Callable[[], None] | None = None
        threading.Thread(target=self._work, name="bashkit-call", daemon=True).start()

    def _work(self) -> None:
        while True:
            self.wanted.acquire()
            if self.job is None:
                return
            self.job()
            self.job = None
            if len(_idle) >= _MAX_IDLE:
                return
            _idle.append(self)


def is_shortage(error: BaseException) -> bool:
    """Whether the host could not start a thread: memory or the number of threads has a limit, or this is a subinterpreter."""
    return isinstance(error, RuntimeError) and str(error) in _NO_THREAD


def run_in_thread(job: Callable[[], None]) -> None:
    """Start ``job``, which must not raise, in a thread that is free or new."""
    try:
        worker = _idle.pop()
    except IndexError:
        worker = _Worker()
    worker.job = job
    worker.wanted.release()


def run_to_the_end(job: Callable[[], None]) -> None:
    """Start ``job``, which must not raise, in a thread for which the process waits when it exits.

    It is for C++ that runs without the interpreter's lock: a daemon that comes back from there at the exit aborts the process.
    """
    threading.Thread(target=job, name="bashkit-aside", daemon=False).start()


def background_loop() -> asyncio.AbstractEventLoop:
    """The event loop on which ``execute_sync`` awaits: one a process, in a thread of its own, made at first use.

    An async callback that calls ``execute_sync`` blocks the loop on which it runs itself: what it waits for has the next one.
    """
    from asyncio import get_running_loop, new_event_loop

    try:
        running = get_running_loop()
    except RuntimeError:
        running = None
    with _loop_lock:
        place = _loops.index(running) + 1 if running in _loops else 0
        if place == len(_loops):
            loop = new_event_loop()
            threading.Thread(target=_keep_running, args=(loop,), name="bashkit-loop", daemon=True).start()
            _loops.append(loop)
        return _loops[place]


def _keep_running(loop: asyncio.AbstractEventLoop) -> None:
    """Run a loop for all of its users, whichever of them stops it."""
    while not loop.is_closed():
        loop.run_forever()


def run_on_background_loop(coroutine: Coroutine[Any, Any, None]) -> Callable[[], object]:
    """Start a coroutine on the background loop; the result cancels it, when it has begun."""
    loop = background_loop()
    tasks: list[asyncio.Task[None]] = []

    def cancel() -> None:
        loop.call_soon(tasks[0].cancel)  # behind its first step

    loop.call_soon_threadsafe(lambda: tasks.append(loop.create_task(coroutine)))
    return lambda: loop.call_soon_threadsafe(cancel)


def forget(awaitable: object) -> None:
    """Close a coroutine that has not begun, and never will."""
    if inspect.iscoroutine(awaitable) and inspect.getcoroutinestate(awaitable) == inspect.CORO_CREATED:
        awaitable.close()


def _after_fork() -> None:
    """A forked process has none of the threads."""
    global _loop_lock  # noqa: PLW0603 - it may be held by a thread that is not here
    _of_the_parent.extend(_loops)
    _idle.clear()
    _loops.clear()
    _loop_lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
