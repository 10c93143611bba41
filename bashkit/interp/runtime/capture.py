"""Streams that keep what is written to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs import Stream

if TYPE_CHECKING:
    from bashkit.interp.runtime.tasks import Task
    from bashkit.limits import Budget


class Capture(Stream):
    """Keeps the output of an execution, as much of it as the budget allows.

    Args:
        budget: Charged with every byte; what fits is kept when it runs out.
    """

    __slots__ = ("_budget", "_chunks", "_order", "_taken")

    readable = False
    writable = True

    def __init__(self, budget: Budget) -> None:
        super().__init__()
        self._budget = budget
        self._chunks: list[bytes] = []
        self._order: list[int] = []
        self._taken = 0

    def write(self, data: bytes) -> None:
        """Keep ``data``.

        Raises:
            LimitExceededError: ``max_output_bytes`` is reached; what fits was kept.
        """
        fits = self._budget.write(len(data))
        if fits < len(data):
            self._chunks.append(data[:fits])
            self._order.append(self._budget.output)
            self._budget.fail("max_output_bytes")
        self._chunks.append(data)
        self._order.append(self._budget.output)

    def take(self) -> list[tuple[int, bytes]]:
        """What was written since the last time, each piece with its place in the order of all output."""
        start, self._taken = self._taken, len(self._chunks)
        return [(-left, data) for left, data in zip(self._order[start:], self._chunks[start:], strict=True)]

    def value(self) -> bytes:
        """Everything written so far."""
        return b"".join(self._chunks)


class Substitution(Stream):
    """Collects the output of a command substitution, bounded by ``max_string_bytes``."""

    __slots__ = ("_budget", "_chunks", "_size", "reader")

    readable = False
    writable = True

    def __init__(self, budget: Budget) -> None:
        super().__init__()
        self._budget = budget
        self._chunks: list[bytes] = []
        self._size = 0
        self.reader: Task | None = None  # who waits for the last writer

    def write(self, data: bytes) -> None:
        """Keep ``data``."""
        self._size += len(data)
        self._budget.string(self._size)
        self._chunks.append(data)

    def release(self) -> None:
        """One writer fewer; the last but the reader's own reference wakes the reader."""
        super().release()
        if self.refs == 1 and self.reader is not None:
            self.reader.hub.wake(self.reader)

    def value(self) -> bytes:
        """Everything written so far."""
        return b"".join(self._chunks)
