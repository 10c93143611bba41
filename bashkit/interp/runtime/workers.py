"""Threads for the host's functions: daemons that are reused, and that a time limit can leave behind."""

from __future__ import annotations

import inspect
import os
import threading
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Coroutine

_workers: _Workers | None = None
_MAX_IDLE = 128
_NO_THREAD = frozenset(
    {
        "can't start new thread",
        "can't create new thread at interpreter shutdown",
        "thread is not supported for isolated subinterpreters",
        "daemon threads are disabled in this (sub)interpreter",
    }
)  # what Python says
_lock = threading.Lock()
_loops: list[asyncio.AbstractEventLoop] = []
_of_the_parent: list[asyncio.AbstractEventLoop] = []  # kept, because the end of one would disturb the process that runs it


class _Signals:
    """Wakes one of the threads that wait, for each signal.

    A byte in a pipe does so: on a busy machine the system lets the thread that reads it run where the one that wrote it waits for
    the interpreter's lock. Two locks, which hand the turn to and fro, take three times as long there, and as long on an idle one.
    """

    def __init__(self) -> None:
        self._pipe = self._opened()
        self.wait: Callable[[], object]
        self.give: Callable[[], object]
        if self._pipe:
            reader, writer = self._pipe
            self.wait, self.give = partial(os.read, reader, 1), partial(os.write, writer, b"\0")
        else:
            waiting = threading.Semaphore(0)
            self.wait, self.give = waiting.acquire, waiting.release

    @staticmethod
    def _opened() -> tuple[int, ...]:
        """The two ends of a pipe; none if the process may open no more, or all threads are greenlets of one, as gevent has it."""
        if type(threading.Lock()).__module__ != "_thread":
            return ()
        try:
            return os.pipe()
        except OSError:
            return ()

    def close(self) -> None:
        """Nobody waits any more."""
        for descriptor in self._pipe:
            os.close(descriptor)
        self._pipe = ()


class _Workers:
    """Threads that are there for one job after the other."""

    def __init__(self) -> None:
        self._jobs: deque[Callable[[], None]] = deque()  # each for an idle thread that has its signal
        self._idle: deque[None] = deque()  # one entry for each of those without: its methods are atomic
        self.signals = _Signals()

    def run(self, job: Callable[[], None]) -> None:
        """Run a job in an idle thread, or a new one."""
        try:
            self._idle.pop()
        except IndexError:
            threading.Thread(target=self._work, args=([job],), name="bashkit-call", daemon=True).start()
        else:
            self._jobs.append(job)
            self.signals.give()

    def _work(self, first: list[Callable[[], None]]) -> None:
        job = first.pop()  # a list, because the thread knows its arguments until it ends
        while True:
            job()
            del job  # which knows an execution that may be over
            if len(self._idle) >= _MAX_IDLE or _workers is not self:  # as it is not where the job has forked
                return
            self._idle.append(None)
            self.signals.wait()
            job = self._jobs.popleft()


def is_shortage(error: BaseException) -> bool:
    """Whether the host could not start a thread: memory or the number of threads has a limit, or this is a subinterpreter."""
    return isinstance(error, RuntimeError) and str(error) in _NO_THREAD


def run_in_thread(job: Callable[[], None]) -> None:
    """Start ``job``, which must not raise, in a thread that is free or new."""
    global _workers  # noqa: PLW0603 - made at first use, and again in a forked process
    if _workers is None:
        with _lock:
            if _workers is None:
                _workers = _Workers()
    _workers.run(job)


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
    with _lock:
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


def run_on_loop(loop: asyncio.AbstractEventLoop, coroutine: Coroutine[Any, Any, None]) -> Callable[[], object]:
    """Start a coroutine at the next turn of a loop; the result cancels it, when it has begun."""
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
    global _lock, _workers  # noqa: PLW0603 - the lock may be held by a thread that is not here
    _of_the_parent.extend(_loops)
    if _workers is not None:
        _workers.signals.close()
        _workers = None
    _loops.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
