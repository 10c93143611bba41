"""How the scripts on one event loop share it.

Those that have begun take turns: each runs for a slice, and the loop goes on. If all begin that come, each of a thousand gets a
thousandth, so that all are late and some run out of time. So only a few begin at once, in the order in which they came. One that
waits for a callback, an approval or a timer leaves its place to the next, and so does one that has run for long: short scripts do
not wait for long ones.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from bashkit.interp.runtime.hub import Hub

_PLACES = 8  # short scripts that run at once
_SHORT = 0.1  # seconds of processor time that a short script takes at most
_SLICE = 0.004  # seconds a task may run before the host's event loop gets its turn
_SHORTEST = 0.0005  # the same when many scripts share the loop, so that a round of all of them stays short


class Sharing:
    """The scripts on one event loop. All of it is called in the loop's thread."""

    __slots__ = ("_all", "_places", "_queue", "_running")

    def __init__(self) -> None:
        self._all: set[Hub] = set()
        self._queue: OrderedDict[Hub, None] = OrderedDict()  # not begun
        self._running: set[Hub] = set()  # begun, and not waiting for the host
        self._places: set[Hub] = set()  # the short ones of those

    @property
    def slice_length(self) -> float:
        """Seconds for which a script may run before it gives way."""
        return max(_SHORTEST, _SLICE / (1 + len(self._running) // 8))

    @property
    def crowded(self) -> bool:
        """Whether there is more than one script."""
        return len(self._all) > 1

    def enter(self, hub: Hub) -> bool:
        """Let a script begin, or put it into the queue. Returns whether it may begin; otherwise it is called by ``hub.hear``."""
        self._all.add(hub)
        if self._queue or len(self._places) >= _PLACES:
            self._queue[hub] = None
            return False
        self.go_on(hub)
        return True

    def has_begun(self, hub: Hub) -> bool:
        """Whether it is the turn of a script that was put into the queue."""
        return hub in self._running

    def go_on(self, hub: Hub) -> None:
        """A script has something to do; one that has begun need not ask for a place."""
        self._running.add(hub)
        if hub.used <= _SHORT:
            self._places.add(hub)

    def rest(self, hub: Hub) -> None:
        """A script waits for the host."""
        self._running.discard(hub)
        self._leave_place(hub)

    def note(self, hub: Hub) -> None:
        """A script has used up a slice."""
        if hub.used > _SHORT:
            self._leave_place(hub)

    def leave(self, hub: Hub) -> None:
        """A script has ended, or waits no longer for its turn."""
        self._all.discard(hub)
        self._queue.pop(hub, None)
        self.rest(hub)

    def _leave_place(self, hub: Hub) -> None:
        self._places.discard(hub)
        while self._queue and len(self._places) < _PLACES:
            following, _ = self._queue.popitem(last=False)
            self.go_on(following)
            following.hear()


_SHARINGS: WeakKeyDictionary[AbstractEventLoop, Sharing] = WeakKeyDictionary()


def sharing_of(loop: AbstractEventLoop) -> Sharing:
    """How the scripts on an event loop share it."""
    found = _SHARINGS.get(loop)
    if found is None:
        found = _SHARINGS.setdefault(loop, Sharing())
    return found
