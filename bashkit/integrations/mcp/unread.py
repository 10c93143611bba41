"""Unread answers: what large answers take while clients read them, and who waits until there is room for the next one."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_MOST = 128 << 20  # bytes that the unread answers of one client take, and again as many of those that wait
_SHORT = 64 << 10  # bytes of an answer that has always room
_COPIES = 3  # of an answer, in the SDK and on the way to the client
_VALUE = 100  # bytes that a value takes, more or less, beside its text


@dataclass(slots=True)
class _Answers:
    """The large answers of one client.

    Attributes:
        unread: The bytes that those take that are on their way.
        waiting: The bytes of those that are not yet.
    """

    unread: int = 0
    waiting: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)


class UnreadAnswers:
    """The large answers of all clients."""

    def __init__(self) -> None:
        self._answers: defaultdict[str, _Answers] = defaultdict(_Answers)

    def too_many(self, owner: str) -> bool:
        """Whether so much waits to be read by a client that no more is answered."""
        return self._answers[owner].waiting > _MOST

    async def admit(self, owner: str, result: object, exchange: list[Callable[[], Awaitable[None]]]) -> None:
        """Wait until the client has read so much of its other answers that there is room for this one.

        Args:
            owner: The client.
            result: The answer, as what JSON is made of.
            exchange: What is called when the client has read it, or is gone.
        """
        size = _weight(result)
        if size <= _SHORT:
            return
        answers, over, taken = self._answers[owner], False, 0

        async def leave() -> None:
            nonlocal over
            over = True
            async with answers.changed:
                answers.unread -= taken
                answers.changed.notify_all()

        exchange.append(leave)
        answers.waiting += size
        try:
            async with answers.changed:
                await answers.changed.wait_for(lambda: over or not answers.unread or answers.unread + size * _COPIES <= _MOST)
                if not over:
                    taken = size * _COPIES
                    answers.unread += taken
        finally:
            answers.waiting -= size


def _weight(result: object) -> int:
    """The bytes that a value of JSON takes, more or less."""
    total, left = 0, [result]
    while left:
        value = left.pop()
        total += _VALUE
        if isinstance(value, str):
            total += len(value)
        elif isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
    return total
