"""The processes in which Monty runs Python."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic_monty import Monty, MontyCrashedError, MontyError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_monty import MontySession

    from bashkit.interp.utility.process import Process

T = TypeVar("T")
_ALIVE = 32  # workers at once in this process
_lock = threading.Lock()
_pool: Monty | None = None


def _checkout(**settings: Any) -> MontySession:
    """A session in a free worker, or in a new one."""
    global _pool  # noqa: PLW0603 - one pool a process is the point
    with _lock:
        if _pool is None:
            pool = Monty(min_processes=0, max_processes=_ALIVE)
            pool.__enter__()
            atexit.register(pool.__exit__, None, None, None)
            _pool = pool
    session = _pool.checkout(**settings)
    session.__enter__()
    return session


def _after_fork() -> None:
    """The workers are the parent's."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Worker:
    """A worker that is lent to one command. Each turn runs in a thread; the command's task waits, and others go on.

    Args:
        process: The command.
        meanwhile: Called in the task whenever it goes on before a turn is over.

    """

    def __init__(self, process: Process, meanwhile: Callable[[], None]) -> None:
        self._process = process
        self._meanwhile = meanwhile
        self._busy = False
        self._abandoned = False
        self._pid: int | None = None
        self._session: MontySession | None = None

    def open(self, **settings: Any) -> MontySession:
        """Wait for a free worker; what it returns runs code in it.

        Args:
            settings: As for ``Monty.checkout``.
        """

        def take() -> MontySession:
            self._session = session = _checkout(**settings)
            self._pid = session.worker_pid  # nobody can ask while it is at work
            return session

        return self.turn(take)

    def turn(self, function: Callable[[], T]) -> T:
        """Have the worker go on, and wait for what it says.

        Raises:
            MontyError: What came of it.
        """

        def work() -> T:
            try:
                return function()
            finally:
                if self._abandoned:
                    self._leave()

        self._busy = True
        try:
            value = self._process.system.call(work, meanwhile=self._meanwhile)
        except MontyError:
            self._busy = False
            raise
        self._busy = False
        return value

    def close(self) -> None:
        """Give the worker back; end one that is still at work."""
        if not self._busy:
            self._leave()
            return
        self._abandoned = True
        if self._pid is not None:
            os.kill(self._pid, signal.SIGKILL)

    def _leave(self) -> None:
        if self._session is not None:
            try:
                self._session.__exit__(None, None, None)
            except MontyCrashedError:
                pass  # it was killed
