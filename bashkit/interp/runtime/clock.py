"""VirtualClock: time that passes only when a script waits."""

from __future__ import annotations

from bashkit.errors import DefinitionError

_FIRST, _LAST = -6.2e10, 2.5e11  # seconds: the years of dates are from 1 to 9999


class VirtualClock:
    """A clock for ``Bash(clock=…)`` that stands still while a script computes and jumps ahead when it waits.

    ``sleep``, ``timeout``, ``read -t`` and ``wait`` take no real time then, and ``date``, ``$SECONDS`` and the time stamps of
    files see the time that they would have taken. With a seed besides, two runs of a script give the same output to the last
    digit. While a function of the host is running, time stands still: its answer comes first. The time limit of an execution
    counts real seconds.

    Args:
        start: Seconds since the epoch.
        tick: Seconds that pass at each look at the clock, for scripts that wait in a loop (``while ((SECONDS < 5))``).

    Raises:
        DefinitionError: A number is none, or no date.
    """

    __slots__ = ("now", "tick")

    def __init__(self, start: float = 0.0, *, tick: float = 0.0) -> None:
        for name, seconds, least in (("start", start, _FIRST), ("tick", tick, 0)):
            if not isinstance(seconds, (int, float)) or not least <= seconds <= _LAST:
                raise DefinitionError(f"{name} of a VirtualClock is {least:g} to {_LAST:g} seconds, not {seconds!r}")
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
