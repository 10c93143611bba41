"""Keeps full collections short while a script runs.

Python's garbage collector looks at every object of the process in a full collection, and nothing else runs meanwhile. A script
that makes many objects has one made again and again, each longer than the last. So before one is due the objects there are
set aside, and the collection sees those made since. They come back when the script ends.
"""

from __future__ import annotations

import gc

_DUE = 5  # collections of the middle generation after the last full one: the next full one comes after 10 by default
_MOST = 32  # times that objects are set aside before all are looked at: some may be garbage by now


class Aside:
    """What one execution has set aside."""

    __slots__ = ("_times",)

    def __init__(self) -> None:
        self._times = 0  # -1 while a collection of everything is waited for

    def keep_short(self) -> None:
        """Set all objects aside if a full collection is due soon, unless the host itself has frozen some: they must stay so."""
        due = gc.get_count()[2] >= _DUE
        if self._times < 0:
            self._times = -due
        elif due and self._times == _MOST:
            self.give_back()
            self._times = -1
        elif due and (self._times or not gc.get_freeze_count()):
            gc.freeze()
            self._times += 1

    def give_back(self) -> None:
        """Let the next full collection look at all objects again."""
        if self._times > 0:
            gc.unfreeze()
        self._times = 0
