"""Keeps full collections short while a script runs.

Python's garbage collector looks at every object of the process in a full collection, and nothing else runs meanwhile. A script that
makes many objects has one made again and again, each longer than the last. So before one is due the objects that are there are set
aside, and the collection sees those made since. They come back when the script ends.
"""

from __future__ import annotations

import gc

_DUE = 5  # collections of the middle generation after the last full one: the next full one comes after 10 by default


class Aside:
    """What one execution has set aside."""

    __slots__ = ("_any",)

    def __init__(self) -> None:
        self._any = False

    def keep_short(self) -> None:
        """Set all objects aside if a full collection is due soon; not where the host itself has frozen some, which must stay so."""
        if gc.get_count()[2] >= _DUE and (self._any or not gc.get_freeze_count()):
            gc.freeze()
            self._any = True

    def give_back(self) -> None:
        """Let the next full collection look at all objects again."""
        if self._any:
            gc.unfreeze()
            self._any = False
