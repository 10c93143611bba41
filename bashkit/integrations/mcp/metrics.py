"""Metrics: what was called, how long it took and what went wrong, in the text format of Prometheus; and a record of each call."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bashkit.integrations.mcp.endings import ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.tools.offer import Answer

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)  # seconds


@dataclass(frozen=True, slots=True)
class CallRecord:
    """How a call of a client went. Arguments and outputs are no part of it.

    Attributes:
        tool: The tool that the client has called.
        scripts: Whether the tool takes scripts.
        session: What stands for the client's session; "" if there is none.
        seconds: How long it took.
        exit_code: The exit status; None if nothing ran to an end.
        error: Why it did not run to its end, as in a ToolResponse; ``arguments``: they were wrong, and nothing has run; "".
        tools: The tools of the toolset that were called, and whether each call has failed.
    """

    tool: str
    scripts: bool
    session: str
    seconds: float
    exit_code: int | None
    error: str
    tools: tuple[tuple[str, bool], ...]

    @classmethod
    def of(
        cls, entry: Entry, answer: Answer | None, seconds: float, tools: Iterable[tuple[str, bool]], session: str
    ) -> CallRecord:
        """The record of a call; ``answer`` is None if it was ended from outside."""
        code, error = ending(answer)
        return cls(entry.name, entry.scripts, session, seconds, code, error or "", tuple(tools))

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON data, with the time at which the call has ended."""
        ended = datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
        return {
            "time": ended,
            "session": self.session,
            "tool": self.tool,
            "ms": round(self.seconds * 1000, 1),
            "exit_code": self.exit_code,
            "error": self.error or None,
            "calls": len(self.tools),
        }


class Metrics:
    """The counters of a server.

    Attributes:
        running: The calls that run now.
    """

    def __init__(self) -> None:
        self.running = 0
        self._scripts = 0
        self._requests: Counter[str] = Counter()
        self._calls: Counter[tuple[str, bool]] = Counter()
        self._errors: Counter[str] = Counter()
        self._buckets = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0
        self._session_bytes = 0

    def sessions_take(self, size: int) -> None:
        """Note how many bytes the sessions take together."""
        self._session_bytes = size

    def count(self, record: CallRecord) -> None:
        """Count a call that has ended."""
        self._scripts += record.scripts
        self._requests[record.tool] += 1
        self._calls.update(record.tools)
        if record.error:
            self._errors[record.error] += 1
        self._buckets[next((i for i, most in enumerate(BUCKETS) if record.seconds <= most), len(BUCKETS))] += 1
        self._seconds += record.seconds

    def text(self) -> str:
        """The metrics as Prometheus reads them (text format 0.0.4)."""
        lines = _family("bashkit_running_calls", "gauge", "Calls of clients that run now.", {(): self.running})
        lines += _family("bashkit_session_bytes", "gauge", "Memory that sessions take, more or less.", {(): self._session_bytes})
        lines += _family("bashkit_scripts_total", "counter", "Scripts that were run.", {(): self._scripts})
        requests = {(("tool", name),): number for name, number in self._requests.items()}
        lines += _family("bashkit_requests_total", "counter", "Calls of clients.", requests)
        calls = {
            (("tool", name), ("failed", "true" if failed else "false")): number for (name, failed), number in self._calls.items()
        }
        lines += _family("bashkit_tool_calls_total", "counter", "Calls of tools, by scripts and by themselves.", calls)
        errors = {(("kind", kind),): number for kind, number in self._errors.items()}
        lines += _family("bashkit_errors_total", "counter", "Calls of clients that did not run to their end.", errors)
        return "\n".join([*lines, *self._histogram()]) + "\n"

    def _histogram(self) -> list[str]:
        name = "bashkit_request_seconds"
        lines = [f"# HELP {name} How long calls of clients took.", f"# TYPE {name} histogram"]
        total = 0
        for most, number in zip((*map(str, BUCKETS), "+Inf"), self._buckets, strict=True):
            total += number
            lines.append(f'{name}_bucket{{le="{most}"}} {total}')
        return [*lines, f"{name}_sum {self._seconds:.6f}", f"{name}_count {total}"]


def _family(name: str, kind: str, about: str, values: Mapping[Any, int]) -> list[str]:
    """The lines of a metric; the keys of ``values`` are labels, as pairs of name and value."""
    lines = [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
    for labels, number in sorted(values.items()):
        written = ",".join(f'{label}="{_escaped(value)}"' for label, value in labels)
        lines.append(f"{name}{{{written}}} {number}" if written else f"{name} {number}")
    return lines


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
