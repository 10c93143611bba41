"""Streams that keep what is written to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.runtime.tasks import Task
    from bashkit.limits import Budget


_FEW = 4096  # pieces of output that are kept apart


class Capture(Stream):
    """Keeps the output of an execution, as much of it as the budget allows.

    Args:
        budget: Charged with every byte; what fits is kept when it runs out.
        ordered: Somebody takes the pieces with their place in the order of all output.

    Attributes:
        written: Called after each write, or None.
    """

    __slots__ = ("_budget", "_chunks", "_order", "_ordered", "_taken", "written")

    readable = False
    writable = True
    shown = True

    def __init__(self, budget: Budget, *, ordered: bool = False) -> None:
        self.refs = 1  # as the base class has it; two for each execution are worth the line
        self._ahead = b""
        self._at = 0
        self._budget = budget
        self._ordered = ordered
        self._taken: list[bytes] = []  # in front of the chunks
        self._chunks: list[bytes] = []
        self._order: list[int] = []
        self.written: Callable[[], None] | None = None

    def write(self, data: bytes) -> None:
        """Keep ``data``.

        Raises:
            LimitExceededError: ``max_output_bytes`` is reached; what fits was kept.
        """
        fits = self._budget.write(len(data))
        self._chunks.append(data if fits == len(data) else data[:fits])
        if self._ordered:
            self._order.append(self._budget.output)
        elif len(self._chunks) > _FEW:
            self._join()
        if self.written is not None:
            self.written()
        if fits < len(data):
            self._budget.fail("max_output_bytes")

    def take(self) -> list[tuple[int, bytes]]:
        """What was written since the last time, each piece with its place in the order of all output."""
        pieces = [(-left, data) for left, data in zip(self._order, self._chunks, strict=True)]
        self._order.clear()
        self._join()
        return pieces

    def _join(self) -> None:
        """Keep as one what was written in pieces, each of which takes 40 bytes more than its text."""
        if self._chunks:
            self._taken.append(b"".join(self._chunks))
            self._chunks.clear()

    def value(self) -> bytes:
        """Everything written so far."""
        return b"".join([*self._taken, *self._chunks] if self._taken else self._chunks)


class Substitution(Stream):
    """Collects the output of a command substitution, bounded by ``max_string_bytes`` and charged while it lives."""

    __slots__ = ("_budget", "_data", "reader")

    readable = False
    writable = True

    def __init__(self, budget: Budget) -> None:
        self.refs = 1  # as in Capture
        self._ahead = b""
        self._at = 0
        self._budget = budget
        self._data = bytearray()
        self.reader: Task | None = None  # who waits for the last writer

    def write(self, data: bytes) -> None:
        """Keep ``data``."""
        self._budget.string(len(self._data) + len(data))
        self._budget.hold(len(data))
        self._data += data

    def release(self) -> None:
        """One writer fewer; the last but the reader's own reference wakes the reader."""
        super().release()
        if self.refs == 1 and self.reader is not None:
            self.reader.hub.wake(self.reader)

    def value(self) -> bytes:
        """Everything written so far."""
        return bytes(self._data)

    def __del__(self) -> None:
        if hasattr(self, "_data"):  # its making may have been interrupted
            self._budget.memory += len(self._data)
