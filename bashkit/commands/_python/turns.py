"""Threads in which Monty's turns run. What a turn gives is handed over directly, without the scheduler."""

from __future__ import annotations

import threading
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any

from bashkit.interp.runtime.inbox import Inbox

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_IDLE = 32
_idle: deque[TurnThread] = deque()


class TurnThread:
    """A thread that runs one function after another."""

    def __init__(self) -> None:
        self._functions: Inbox[Callable[[], Any] | None] = Inbox()
        self._outcomes: Inbox[tuple[Any, BaseException | None]] = Inbox()
        threading.Thread(target=self._work, name="bashkit-python", daemon=True).start()

    @classmethod
    def take(cls) -> TurnThread:
        """A thread that is free, or a new one."""
        try:
            return _idle.pop()
        except IndexError:
            return cls()

    def begin(self, function: Callable[[], Any]) -> None:
        """Have it call a function."""
        self._functions.put(function)

    def outcome(self, seconds: float | None = None) -> tuple[Any, BaseException | None] | None:
        """What the function has returned or raised; None if it is still running after so many seconds."""
        end = None if seconds is None else monotonic() + seconds
        while not self._outcomes.wait(None if end is None else end - monotonic()):
            if end is not None and monotonic() >= end:
                return None
        return self._outcomes.take()

    def give_back(self) -> None:
        """Let others use it. Its function has ended."""
        if len(_idle) < _MAX_IDLE:
            _idle.append(self)
        else:
            self.leave()

    def leave(self) -> None:
        """Let it end, after the function that it may still be running."""
        self._functions.put(None)

    def _next(self) -> Callable[[], Any] | None:
        while not self._functions.wait():
            pass
        return self._functions.take()

    def _work(self) -> None:
        while (function := self._next()) is not None:
            outcome: tuple[Any, BaseException | None]
            try:
                outcome = function(), None
            except BaseException as error:
                outcome = None, error
            del function
            self._outcomes.put(outcome)
            del outcome


def forget_threads() -> None:
    """After a fork there are none."""
    _idle.clear()
