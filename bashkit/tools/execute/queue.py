"""Runs the executions of a persistent session one after the other, with sync and async callers in one queue."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future


class ExecutionQueue:
    """The queue of one session."""

    __slots__ = ("_busy", "_lock", "_loop", "_waiting")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Future[None]] = deque()
        self._busy = False
        self._loop: asyncio.AbstractEventLoop | None = None  # the execution whose turn it is

    def _join(self) -> Future[None] | None:
        with self._lock:
            if not self._busy:
                self._busy = True
                return None
            from concurrent import futures

            turn: Future[None] = futures.Future()
            self._waiting.append(turn)
            return turn

    def take(self) -> None:
        """Wait for the caller's turn, blocking this thread.

        Raises:
            BashkitError: The turn would never come, because the current execution needs this thread's event loop.
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
        if turn is not None:
            turn.result()

    async def take_async(self) -> None:
        """Wait for the caller's turn."""
        import asyncio

        turn = self._join()
        if turn is not None:
            try:
                await asyncio.wrap_future(turn)
            except asyncio.CancelledError:
                self._leave(turn)
                raise
        self._loop = asyncio.get_running_loop()

    def _leave(self, turn: Future[None]) -> None:
        with self._lock:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return
        if not turn.cancelled():
            self.give()  # the turn came while its owner was cancelled

    def give(self) -> None:
        """Pass the turn to the next caller."""
        with self._lock:
            self._loop = None
            while self._waiting:
                if self._waiting[0].set_running_or_notify_cancel():
                    self._waiting.popleft().set_result(None)
                    return
                self._waiting.popleft()
            self._busy = False
