"""What other threads hand to one thread.

``queue.SimpleQueue`` is no such thing: in CPython up to 3.12 its ``get(timeout=…)`` waits forever when the time is up
before it has begun to wait, which a busy machine makes of any short time.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")
_LONGEST = 1.0  # seconds; a signal that comes just before a thread begins to wait does not end its wait


class Inbox(Generic[T]):
    """A queue that one thread takes from. Whatever thread may put, also within a ``put``: in a signal handler or a destructor."""

    __slots__ = ("_bell", "_items")

    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._bell = threading.Lock()  # open after something was put
        self._bell.acquire()

    def __bool__(self) -> bool:
        return bool(self._items)

    def put(self, item: T) -> None:
        """Put an item."""
        self._items.append(item)
        try:
            self._bell.release()
        except RuntimeError:
            pass  # it is open already

    def take(self) -> T:
        """Take the first item; there must be one."""
        return self._items.popleft()

    def close(self) -> None:
        """Forget the items, and drop what is put from now on."""
        self._items = deque(maxlen=0)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until there is an item, or the time is up, or for no reason at all; whether there is one.

        Args:
            seconds: The time; None for any.
        """
        if not self._items:
            self._bell.acquire(timeout=-1 if seconds is None else min(max(seconds, 0.0), _LONGEST))
        return bool(self._items)
