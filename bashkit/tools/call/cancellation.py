"""Lets a host cancel an execution and still get its output so far."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Cancellation:
    """Cancels the executions it was passed to; their responses have ``error="cancelled"`` and the output so far. Safe from any
    thread.
    """

    __slots__ = ("_lock", "_running", "cancelled")

    def __init__(self) -> None:
        self.cancelled = False
        self._lock = threading.Lock()
        self._running: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Cancel the executions."""
        with self._lock:
            self.cancelled = True
            running = list(self._running)
        for end in running:
            end()

    def add(self, end: Callable[[], None]) -> None:
        """Register a function to call on cancellation; it is called at once if already cancelled."""
        with self._lock:
            self._running.append(end)
            late = self.cancelled
        if late:
            end()

    def discard(self, end: Callable[[], None]) -> None:
        """Remove the function of an execution that has finished."""
        with self._lock:
            if end in self._running:
                self._running.remove(end)
