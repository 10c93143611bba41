"""Calls that wait for a person, between the request that has begun them and the request that brings the answer.

Since 2026-07-28 a server asks by ending the request with a question (``input_required``); the client makes the request again,
with the answer. The call runs on meanwhile.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.integrations.mcp.running import Question, RunningCall

PATIENCE = 600.0  # seconds that a person has to answer
MOST = 256  # calls that wait at the same time


@dataclass(frozen=True, slots=True)
class _Parked:
    call: RunningCall
    question: Question
    alarm: asyncio.TimerHandle


class ParkedCalls:
    """The calls that wait for a person, by a text that only the client knows to whom the question went."""

    def __init__(self) -> None:
        self._calls: dict[str, _Parked] = {}
        self._ends: set[asyncio.Task[None]] = set()

    @property
    def full(self) -> bool:
        """Whether there is no room for another call."""
        return len(self._calls) >= MOST

    def park(self, call: RunningCall, question: Question) -> str:
        """Keep a call until its question is answered, or time is over and the call ends; return the text to take it again."""
        key = secrets.token_urlsafe(24)
        alarm = asyncio.get_running_loop().call_later(PATIENCE, self._end, key)
        self._calls[key] = _Parked(call, question, alarm)
        return key

    def take(self, key: str, name: str, arguments: dict[str, Any]) -> tuple[RunningCall, Question] | None:
        """Take back a call; None if there is no such call, or it was another one."""
        found = self._calls.get(key)
        if found is None or (found.call.entry.name, found.call.arguments) != (name, arguments):
            return None
        del self._calls[key]
        found.alarm.cancel()
        return found.call, found.question

    async def close(self) -> None:
        """End all calls that wait."""
        for key in list(self._calls):
            self._end(key)
        if self._ends:
            await asyncio.wait(self._ends)

    def _end(self, key: str) -> None:
        found = self._calls.pop(key)
        found.alarm.cancel()
        ending = asyncio.create_task(found.call.stop())
        self._ends.add(ending)
        ending.add_done_callback(self._ends.discard)
