"""The output of background jobs in the order in which they were started, where they make calls that take their time.

``a & b & wait`` with calls of tools prints what ``a`` prints before what ``b`` prints, so that two runs print the same. A job's
output is kept from its first such call on, while an earlier job with such a call runs. A job that is the first of those left
writes through, and so does one that writes for long, or much.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING

from bashkit.fs import Stream
from bashkit.interp.runtime.control import SigPipe
from bashkit.interp.runtime.pipes import PipeWriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.limits import Budget

_MUCH = 1 << 18  # bytes of one job that are kept
_LONG = 10.0  # seconds for which a job writes that is kept waiting


class Turns:
    """The background jobs of one shell.

    Args:
        budget: Charged with what is kept.
    """

    __slots__ = ("_busy", "_turns", "budget")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._turns: list[Turn] = []
        self._busy = False

    def add(self, outer: Turn | None) -> Turn:
        """The turn of one more job, which another job starts, or none."""
        turn = Turn(self, outer)
        self._turns.append(turn)
        return turn

    def is_first(self, turn: Turn) -> bool:
        """Whether no earlier job is to be waited for; one that has left was the first, and what it started may still write."""
        return turn not in self._turns or next(one for one in self._turns if one.held or one is turn) is turn

    def settle(self, writes: Callable[[Stream], bool] = lambda _: True) -> None:
        """Write what is kept and has come first.

        Args:
            writes: Whether a stream may be written to now; what is kept for others is dropped.
        """
        if self._busy:  # another task is at it, and will see
            return
        self._busy = True
        try:
            while self._turns and (self._turns[0].finished or self._turns[0].kept):
                self._turns[0].flush(writes)
                if self._turns[0].finished and not self._turns[0].kept:
                    del self._turns[0]
        finally:
            self._busy = False


class Turn:
    """The place of a job among those of its shell.

    Args:
        turns: Those of the shell.
        outer: The turn of the job that starts it, or None.

    Attributes:
        held: It has begun a call, and has not ended.
        finished: It has ended.
        kept: What it has written and what waits: pieces with their streams.
    """

    __slots__ = ("_outer", "_since", "_size", "_through", "_turns", "finished", "held", "kept")

    def __init__(self, turns: Turns, outer: Turn | None) -> None:
        self._turns = turns
        self._outer = outer
        self.held = self.finished = False
        self.kept: deque[tuple[Stream, bytes]] = deque()
        self._size = 0
        self._since = 0.0
        self._through = False

    def hold(self) -> None:
        """From now on the job's output has its place."""
        self.held = not self.finished
        if self._outer is not None:
            self._outer.hold()

    def finish(self) -> None:
        """The job has ended: what waits for it is written."""
        self.finished, self.held = True, False
        self._turns.settle()

    def abandon(self) -> None:
        """The job was ended together with the script: what can be written at once is written."""
        self.finished, self.held = True, False
        self._turns.settle(lambda stream: not isinstance(stream, PipeWriter))

    def write(self, stream: Stream, data: bytes) -> None:
        """Write to a stream, or keep that until the turn has come."""
        if self._through or not (self.held or self.finished) or (not self.kept and self._turns.is_first(self)):
            stream.write(data)
            return
        self._turns.budget.hold(len(data))
        self.kept.append((stream.retain(), data))
        self._size += len(data)
        now = time.monotonic()
        self._since = self._since or now
        if self._size > _MUCH or now - self._since > _LONG:
            self._through = True
            self.flush(lambda _: True)

    def flush(self, writes: Callable[[Stream], bool]) -> None:
        """Write what is kept."""
        while self.kept:
            stream, data = self.kept.popleft()
            self._turns.budget.memory += len(data)
            try:
                if writes(stream):
                    stream.write(data)
            except (OSError, SigPipe):  # its reader is gone
                continue
            finally:
                stream.release()


class OrderedStream(Stream):
    """An output of a job, written when the job's turn has come.

    Args:
        stream: Where it goes; the reference is handed over.
        turn: The turn.
    """

    __slots__ = ("_stream", "_turn", "shown", "type")

    readable = False
    writable = True

    def __init__(self, stream: Stream, turn: Turn) -> None:
        super().__init__()
        self._stream = stream
        self._turn = turn
        self.shown = stream.shown
        self.type = stream.type

    def write(self, data: bytes) -> None:
        """Write ``data``, or keep it."""
        self._turn.write(self._stream, data)

    def broken(self) -> bool:
        """Whether the reader behind it is gone."""
        return self._stream.broken()

    def close(self) -> None:
        """Release the stream."""
        self._stream.release()
