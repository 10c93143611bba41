"""Cancellation: how a host ends an execution from outside and still gets what it has printed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Cancellation:
    """Ends the executions it was given to; their responses have ``error="cancelled"`` and the output so far. Safe from any thread."""

    __slots__ = ("_lock", "_running", "cancelled")

    def __init__(self) -> None:
        self.cancelled = False
        self._lock = threading.Lock()
        self._running: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """End them."""
        with self._lock:
            self.cancelled = True
            running = list(self._running)
        for end in running:
            end()

    def add(self, end: Callable[[], None]) -> None:
        """Have ``end`` called when it is cancelled, at once if it is already."""
        with self._lock:
            self._running.append(end)
            late = self.cancelled
        if late:
            end()

    def discard(self, end: Callable[[], None]) -> None:
        """The execution is over."""
        with self._lock:
            if end in self._running:
                self._running.remove(end)
