"""Keeps full collections short and rare while scripts run.

Python's garbage collector looks at every object of the process in a full collection, and nothing else runs meanwhile. Scripts
that make many objects, and many scripts at once, have one made again and again, each longer than the last. So before one is due
the objects there are set aside, and the collection sees those made since. They come back when no script runs; and every so often
a collection looks at all of them, whatever runs, because some have become garbage.
"""

from __future__ import annotations

import gc

_DUE = 5  # collections of the middle generation after the last full one: the next full one comes after 10 by default
_IMMORTAL = 4096  # objects, and more than all that Python 3.12 by itself sets aside; a host that freezes has tens of thousands
_MOST = 32  # times that objects are set aside between two collections of everything


class Aside:
    """What all scripts of the process together have set aside."""

    __slots__ = ("_aside", "_full", "_hosts", "_running", "_times")

    def __init__(self) -> None:
        self._running = 0  # scripts that run, and do not wait for the host
        self._aside = False  # some objects are set aside
        self._times = 0  # since the last collection of everything
        self._full = -1  # the full collections so far when one of everything began to be waited for; -1 if none is
        self._hosts = -1  # the full collections so far when the host itself was found to have frozen some

    def begin(self) -> None:
        """A script runs."""
        self._running += 1

    def end(self) -> None:
        """A script has ended, or waits for the host, which may take long."""
        self._running -= 1
        if not self._running:
            self._give_back()

    def keep_short(self) -> None:
        """Set all objects aside if a full collection is due soon, unless the host itself has frozen some: they must stay so."""
        if gc.get_count()[2] < _DUE:
            return
        full = gc.get_stats()[2]["collections"]
        if self._times == _MOST:
            if self._full < 0:
                self._give_back()
                self._full = full
            elif full > self._full:
                self._full, self._times = -1, 0
        elif self._aside or self._is_free(full):
            gc.freeze()
            self._aside = True
            self._times += 1

    def _is_free(self, full: int) -> bool:
        """Whether the host has frozen nothing. To count takes long, so that is asked once between two full collections."""
        if self._hosts != full and gc.get_freeze_count() > _IMMORTAL:
            self._hosts = full
        return self._hosts != full

    def _give_back(self) -> None:
        """Let the next full collection look at all objects again."""
        if self._aside:
            self._aside = False
            gc.unfreeze()


ASIDE = Aside()
