"""VirtualClock: time that passes only when a script waits."""

from __future__ import annotations


class VirtualClock:
    """A clock for ``Bash(clock=…)`` that stands still while a script computes and jumps ahead when it waits.

    ``sleep``, ``timeout``, ``read -t`` and ``wait`` take no real time then, and ``date``, ``$SECONDS`` and the time stamps of
    files see the time that they would have taken. With a seed besides, two runs of a script give the same output to the last
    digit. While a function of the host is running, time stands still: its answer comes first. The time limit of an execution
    counts real seconds.

    Args:
        start: Seconds since the epoch.
        tick: Seconds that pass at each look at the clock, for scripts that wait in a loop (``while ((SECONDS < 5))``).
    """

    __slots__ = ("now", "tick")

    def __init__(self, start: float = 0.0, *, tick: float = 0.0) -> None:
        self.now = start
        self.tick = tick

    def __call__(self) -> float:
        """Seconds since the epoch."""
        now = self.now
        self.now = now + self.tick
        return now

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds
