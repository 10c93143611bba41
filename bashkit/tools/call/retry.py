"""Retry and ResultCache: declared behaviour for calls that fail temporarily or repeat themselves."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.limits import check_count, check_seconds
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.tools.define.result import ToolResult

_KEPT_RESULTS = 256  # results of one tool
KEPT_BYTES = 1 << 20  # bytes of one result


@dataclass(frozen=True, slots=True)
class Retry:
    """Calls a tool again if its callback raises or takes too long. A ToolError is an answer: it is not retried unless its exit
    code is listed.

    Attributes:
        attempts: Maximum number of calls, including the first.
        backoff: Seconds before the second call.
        factor: Factor by which each further wait is longer.
        max_backoff: The longest wait, in seconds.
        exit_codes: Exit codes, of a ToolError or a result, that justify a retry.
    """

    attempts: int = 3
    backoff: float = 0.5
    factor: float = 2.0
    max_backoff: float = 30.0
    exit_codes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_count("attempts of a retry", self.attempts)
        check_seconds("backoff of a retry", self.backoff, zero=True)
        check_seconds("max_backoff of a retry", self.max_backoff, zero=True)
        if not isinstance(self.factor, (int, float)) or isinstance(self.factor, bool) or not 1 <= self.factor < inf:
            raise DefinitionError(f"factor of a retry must be a number of at least 1, not {self.factor!r}")
        if not isinstance(self.exit_codes, (tuple, list)):
            raise DefinitionError(f"exit_codes of a retry is a tuple of numbers, not {self.exit_codes!r}")
        for code in self.exit_codes:
            check_count("an exit code of a retry", code)

    def wait(self, attempt: int) -> float:
        """Seconds to wait after the call number ``attempt``, counted from 1."""
        try:
            return min(self.max_backoff, self.backoff * self.factor ** (attempt - 1))
        except OverflowError:
            return self.max_backoff


class ResultCache:
    """Caches results of one tool by its arguments; the least recently used is dropped first.

    Args:
        seconds: How long a result is valid.
        clock: Monotonic seconds.
    """

    __slots__ = ("_clock", "_results", "_seconds")

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._results: OrderedDict[str, tuple[float, ToolResult]] = OrderedDict()

    @staticmethod
    def key(arguments: Any, stdin: str | None) -> str:
        """The cache key of a call: calls with equal keys may share a result."""
        return json_text.encode([arguments, stdin], sort=True)

    def get(self, key: str) -> ToolResult | None:
        """The cached result under ``key``, if it is still valid."""
        found = self._results.get(key)
        if found is None:
            return None
        if found[0] < self._clock():
            self._results.pop(key, None)
            return None
        self._results.move_to_end(key)
        return found[1]

    def put(self, key: str, result: ToolResult) -> None:
        """Cache a successful result, unless it is very large."""
        if result.exit_code or len(result.stdout) + len(result.stderr) > KEPT_BYTES:
            return
        self._results[key] = (self._clock() + self._seconds, result)
        while len(self._results) > _KEPT_RESULTS:
            self._results.popitem(last=False)

    def clear(self) -> None:
        """Drop all results."""
        self._results.clear()
