"""The processes in which Monty runs Python."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from typing import TYPE_CHECKING, Any

from pydantic_monty import Monty, MontyCrashedError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic_monty import MontySession

    from bashkit.interp.utility.process import Process

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
        settings: As for ``Monty.checkout``.
        meanwhile: Called in the task whenever ``wake`` was called, until the turn is over.
    """

    def __init__(self, process: Process, settings: dict[str, Any], meanwhile: Callable[[], None]) -> None:
        self._process = process
        self._meanwhile = meanwhile
        self._abandoned = False
        self._busy = False
        self._pid: int | None = None
        self.session: MontySession = self._wait_for(lambda: _checkout(**settings))
        self._pid = self.session.worker_pid  # nobody can ask while it is at work

    def turn(self, function: Callable[[], Any]) -> Any:
        """Have the worker go on, and wait for what it says.

        Raises:
            MontyError: What came of it.
        """
        return self._wait_for(function)

    def _wait_for(self, function: Callable[[], Any]) -> Any:
        def work() -> Any:
            try:
                value = function()
            finally:
                if self._abandoned:
                    self._leave(getattr(self, "session", None))
            if self._abandoned and not hasattr(self, "session"):
                self._leave(value)
            return value

        self._busy = True
        value = self._process.system.call(work, meanwhile=self._meanwhile)
        self._busy = False
        return value

    def close(self) -> None:
        """Give the worker back; end one that is still at work."""
        session: MontySession | None = getattr(self, "session", None)
        if not self._busy:
            self._leave(session)
            return
        self._abandoned = True
        if self._pid is not None:
            os.kill(self._pid, signal.SIGKILL)

    @staticmethod
    def _leave(session: MontySession | None) -> None:
        if session is not None:
            try:
                session.__exit__(None, None, None)
            except MontyCrashedError:
                pass  # it was killed
