"""The processes in which Monty runs Python."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic_monty import Monty, MontyCrashedError

from bashkit.commands._python.turns import TurnThread, forget_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic_monty import MontySession

    from bashkit.interp.utility.process import Process

T = TypeVar("T")
_ALIVE = 32  # workers at once in this process
_SHORT = 0.001  # seconds that a turn may take while everything else waits for it
_STEPS = 100  # what a turn costs the budget: about as many microseconds
_lock = threading.Lock()
_pool: Monty | None = None
_forked = False  # from a process in which Monty has run: what it began there does not go on here, and hangs


class NoWorkerError(RuntimeError):
    """There can be no worker: the host has no room for a thread or a process."""


class ForkedError(NoWorkerError):
    """Python has run in the process from which this one was forked."""

    def __str__(self) -> str:
        return "this process was forked from one in which Python has run: start processes anew (spawn), or fork before"


def _checkout(**settings: Any) -> MontySession:
    """A session in a free worker, or in a new one.

    Raises:
        NoWorkerError: There can be none.
    """
    global _pool  # noqa: PLW0603 - one pool a process is the point
    with _lock:
        if _forked:
            raise ForkedError
        if _pool is None:
            pool = Monty(min_processes=0, max_processes=_ALIVE)
            with _telling():
                pool.__enter__()
            atexit.register(_close)
            _pool = pool
    session = _pool.checkout(**settings)
    with _telling():
        session.__enter__()
    return session


@contextmanager
def _telling() -> Iterator[None]:
    """Tell what keeps Monty from a thread or a process; it panics, or raises a RuntimeError."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, RuntimeError) or type(error).__name__ == "PanicException":
            raise NoWorkerError(str(error)) from error
        raise


def _close() -> None:
    """End the workers of this process."""
    if _pool is not None:
        _pool.__exit__(None, None, None)


def _confine(pid: int) -> None:
    """Have the kernel refuse a worker what none needs: further descriptors, so files and sockets, bytes in files, processes.

    On systems other than Linux nobody can do that to another process. Root may have processes all the same.
    """
    try:
        from resource import RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC, prlimit
    except ImportError:
        return
    with suppress(ProcessLookupError):  # that it has died is told by its next turn
        for kind in (RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC):
            prlimit(pid, kind, (0, 0))


def _after_fork() -> None:
    """The workers and the threads are the parent's."""
    global _pool, _lock, _forked  # noqa: PLW0603 - as above
    _forked = _forked or _pool is not None
    _pool, _lock = None, threading.Lock()
    forget_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Worker:
    """A worker that is lent to one command, with a thread for its turns.

    A turn that is over soon is waited for right here, since a change of tasks takes longer than most turns do; else the command's
    task waits, and others go on.

    Args:
        process: The command.
        settings: As for ``Monty.checkout``.
        meanwhile: Called in the task whenever it goes on before a turn is over.
    """

    def __init__(self, process: Process, settings: dict[str, Any], meanwhile: Callable[[], None]) -> None:
        self._process = process
        self._settings = settings
        self._meanwhile = meanwhile
        self._thread = TurnThread.take()
        self._busy = False
        self._abandoned = False
        self._pid: int | None = None
        self._session: MontySession | None = None

    @property
    def session(self) -> MontySession:
        """Where code runs; the first use waits for a free worker. Only functions of ``turn`` may ask for it."""
        if self._session is None:
            self._session = session = _checkout(**self._settings)
            self._pid = session.worker_pid  # nobody can ask while it is at work
            if self._pid is not None:
                _confine(self._pid)
        return self._session

    def turn(self, function: Callable[[], T]) -> T:
        """Have the worker go on, and wait for what it says.

        Raises:
            MontyError: What came of it.
            RuntimeError: The worker is gone.
        """

        def work() -> T:
            try:
                return function()
            finally:
                if self._abandoned:
                    self._leave()

        system = self._process.system
        self._process.budget.tick(_STEPS)
        self._busy = True
        self._thread.begin(work)
        outcome = system.call(lambda: self._thread.outcome(_SHORT), inline=True)
        if outcome is None:
            outcome = system.call(self._thread.outcome, meanwhile=self._meanwhile)
        assert outcome is not None
        self._busy = False
        value, error = outcome
        if error is not None:
            raise error
        return cast("T", value)

    def close(self) -> None:
        """Give the worker back; end one that is still at work."""
        if not self._busy:
            self._leave()
            self._thread.give_back()
            return
        self._abandoned = True
        self._thread.leave()
        if self._pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def _leave(self) -> None:
        if self._session is not None:
            try:
                self._session.__exit__(None, None, None)
            except MontyCrashedError:
                pass  # it was killed
