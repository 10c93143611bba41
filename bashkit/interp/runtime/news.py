"""What a script on an event loop waits for.

It is no ``asyncio.Event`` with a timer for every wait: there is one who waits, mostly for the answer to a callback, long before
its time is up. So a timer that was set for one wait stays for the next, and who is woken for nothing waits again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio

_CLOSE = 0.0005  # seconds by which a timer may come late


class News:
    """Wakes who waits when something is new. Who waits looks before that, and afterwards, whether there is anything.

    Args:
        loop: The event loop, in whose thread all of it is called.
    """

    __slots__ = ("_due", "_loop", "_timer", "_waiter")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = math.inf  # by the loop's clock; when the timer rings

    def come(self) -> None:
        """Something is new."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def wait(self, seconds: float = math.inf) -> None:
        """Wait until something is new, or for so many seconds at most, or for no reason at all."""
        if seconds != math.inf:
            self._set_timer(self._loop.time() + seconds)
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def close(self) -> None:
        """Nobody waits any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self, due: float) -> None:
        if self._due > due + _CLOSE:
            self.close()
            self._due, self._timer = due, self._loop.call_at(due, self._ring)

    def _ring(self) -> None:
        self._due, self._timer = math.inf, None
        self.come()
