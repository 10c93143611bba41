"""Runs the executions of a persistent session one after the other, with sync and async callers in one queue."""

from __future__ import annotations

import os
import threading
from collections import deque
from contextvars import ContextVar
from typing import TYPE_CHECKING
from weakref import WeakSet

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future

_queues: WeakSet[ExecutionQueue] = WeakSet()


class _Turn:
    """A turn at a queue, from when it comes until it is passed on."""

    __slots__ = ("over",)

    def __init__(self) -> None:
        self.over = False


# the turns that the running code is part of: its own, and those of the scripts that it is a callback of
_TURNS: ContextVar[tuple[_Turn, ...]] = ContextVar("_TURNS", default=())


class ExecutionQueue:
    """The queue of one session."""

    __slots__ = ("__weakref__", "_lock", "_loop", "_turn", "_waiting")

    def __init__(self) -> None:
        self.begin_anew()
        _queues.add(self)

    def begin_anew(self) -> None:
        """Forget all turns: in a forked process nobody is there who would pass them on."""
        self._lock = threading.Lock()
        self._waiting: deque[Future[None]] = deque()
        self._turn: _Turn | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # the execution whose turn it is

    def _join(self) -> Future[None] | None:
        with self._lock:
            if self._turn is None:
                self._turn = _Turn()
                return None
            if self._turn in _TURNS.get():
                raise BashkitError(
                    "the session is running the script whose callback this is; a script within it needs a tool of its own"
                )
            from concurrent import futures

            turn: Future[None] = futures.Future()
            self._waiting.append(turn)
            return turn

    def take(self) -> None:
        """Wait for the caller's turn, blocking this thread.

        Raises:
            BashkitError: The turn would never come, because the current execution needs this thread's event loop or waits for the
                caller, which is one of its callbacks.
        """
        from asyncio import get_running_loop

        try:
            loop: asyncio.AbstractEventLoop | None = get_running_loop()
        except RuntimeError:
            loop = None
        if loop is not None and self._loop is loop:
            raise BashkitError(
                "the session is running a script on this event loop; await execute instead of calling execute_sync"
            )
        turn = self._join()
        try:
            if turn is not None:
                turn.result()
            self._enter()
        except BaseException:
            self._leave(turn)
            raise

    def _enter(self) -> None:
        """The caller's turn has come."""
        assert self._turn is not None
        _TURNS.set((*(turn for turn in _TURNS.get() if not turn.over), self._turn))

    async def take_async(self) -> None:
        """Wait for the caller's turn.

        Raises:
            BashkitError: The turn would never come, because the caller is a callback of the current execution.
        """
        import asyncio

        turn = self._join()
        try:
            if turn is not None:
                await asyncio.wrap_future(turn)
            self._loop = asyncio.get_running_loop()
            self._enter()
        except BaseException:
            self._leave(turn)
            raise

    def _leave(self, turn: Future[None] | None) -> None:
        """Wait no longer, after a cancellation or an interrupt, or pass on the turn if it has come; None came at once."""
        if turn is not None:
            with self._lock:
                if turn in self._waiting:
                    self._waiting.remove(turn)
                    return
        if turn is None or not turn.cancelled():
            self.give()

    def give(self) -> None:
        """Pass the turn to the next caller."""
        with self._lock:
            self._loop = None
            if self._turn is not None:
                self._turn.over = True
            self._turn = _Turn()
            while self._waiting:
                if self._waiting[0].set_running_or_notify_cancel():
                    self._waiting.popleft().set_result(None)
                    return
                self._waiting.popleft()
            self._turn = None


def _after_fork() -> None:
    for queue in _queues:
        queue.begin_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
