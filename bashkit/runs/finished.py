"""FinishedRun: what is known of a script that has ended, for the files that tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.tools import ToolCall


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """One run of a script. Its texts and calls are free of secrets.

    Attributes:
        toolset: The toolset's name.
        script: The text of the script.
        stdout, stderr: What it printed.
        exit_code: Its exit status; None when it was cancelled.
        error: What ended it, or None: ``parse``, ``timeout``, ``limit:<name>``, ``cancelled``, ``internal``.
        seconds: How long it ran.
        calls: Its tool calls, in the order they began.
        dropped: The number of further calls that were not recorded.
    """

    toolset: str
    script: str
    stdout: str
    stderr: str
    exit_code: int | None
    error: str | None
    seconds: float
    calls: Sequence[ToolCall]
    dropped: int = 0

    @property
    def outcome(self) -> str:
        """How it ended, in words: ``exit status 0``, ``exit status 124, timeout``."""
        status = "no exit status" if self.exit_code is None else f"exit status {self.exit_code}"
        return status if self.error is None else f"{status}, {self.error}"

    def span(self, call: ToolCall) -> tuple[float, float]:
        """Begin and end of a call, in seconds since the script began; one that had not ended lasts until the script's end."""
        return call.span(self.seconds)

    def lanes(self) -> list[int]:
        """A lane for each call, from 0: the first in which no other call is running. There are as many as ever ran at once."""
        ends: list[float] = []
        found = [0] * len(self.calls)
        spans = [self.span(call) for call in self.calls]
        for index in sorted(range(len(spans)), key=lambda one: spans[one][0]):
            begin, end = spans[index]
            lane = next((number for number, free in enumerate(ends) if free <= begin), len(ends))
            ends[lane : lane + 1] = [end]
            found[index] = lane
        return found
