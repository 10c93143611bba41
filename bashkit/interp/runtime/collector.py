"""Keeps the collections of garbage short and rare while scripts run.

Python's garbage collector looks at every object of the process in a full collection, and nothing else runs meanwhile. Scripts
that make many objects, and many scripts at once, have one made again and again, each longer than the last. So before one is due
the objects there are set aside, and the collection sees those made since. They come back when no script runs; and every so often
a collection looks at all of them, whatever runs, because some have become garbage.

By default objects are young until there are 700 of them: a thousand scripts make more in one turn of each, none of them garbage,
and a third of the time went into looking. So there may be more of them with many scripts, and what has been looked at once is set
aside.
"""

from __future__ import annotations

import gc

_DUE = 5  # collections of the middle generation after the last full one: the next full one comes after 10 by default
_MIDDLE_DUE = 8  # the same for collections of the young generation and the next one of the middle generation
_FEW = 16  # scripts for which the young generation stays as it is
_MANY = 1024  # those for which it is made largest: what it holds is looked at in some 20 ms
_EACH = 16  # objects for each of them
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
        _, middle, old = gc.get_count()
        if old < _DUE and (middle < _MIDDLE_DUE or not YOUNG.is_large):
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


class YoungGeneration:
    """How many objects may be young: what the host has set, or more with many scripts."""

    __slots__ = ("_hosts", "_ours", "_planned", "_scripts", "is_large")

    def __init__(self) -> None:
        self._scripts = 0  # under way, those that wait for the host included
        self._planned = _FEW  # the scripts that there is room for
        self._hosts = 0  # what the host has set
        self._ours = 0  # what was set here last
        self.is_large = False  # it is larger than that

    def enter(self) -> None:
        """A script begins, or waits until it may."""
        self._scripts += 1
        if self._planned < self._scripts <= _MANY:
            self._make_room(2 * self._planned)

    def leave(self) -> None:
        """A script is over."""
        self._scripts -= 1
        if self._scripts <= self._planned // 4 and self._planned > _FEW:
            self._make_room(self._planned // 2)

    def _make_room(self, scripts: int) -> None:
        """Let as many objects be young as so many scripts need, unless the host has set more, or wants no collections."""
        self._planned = scripts
        now, *older = gc.get_threshold()
        if now != self._ours:
            self._hosts = now
        needed = _EACH * scripts if scripts > _FEW else 0
        self._ours = max(self._hosts, needed) if self._hosts else 0
        self.is_large = self._ours > self._hosts
        gc.set_threshold(self._ours, *older)


ASIDE = Aside()
YOUNG = YoungGeneration()
