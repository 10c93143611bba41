"""The trace of an execution: one record for every tool call."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_KEPT_TEXT = 4096  # maximum characters of an argument that are kept
_KEPT_LEVELS = 100  # as deep as arguments may be
_STREAMS = frozenset(["stdin", "stdout", "stderr"])


@dataclass(slots=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        tool: Its name.
        line: Line of the script, from 1; 0 if unknown.
        column: Column of the script, from 1; 0 if unknown.
        arguments: The parameters, or the words of a raw tool. Long texts are cut, secrets replaced.
        started: Seconds since the execution began.
        pipeline: Number of the pipeline that contains the call, or None.
        duration: Seconds; None while it runs.
        exit_code: None while it runs.
        stdin_bytes, stdout_bytes, stderr_bytes: The sizes of its input and outputs.
        error: The error that the script saw; "" if there was none.
        attempts: How often the callback was called: 0 if refused, more than 1 if retried.
        cached: Whether the result came from the cache.
        within: The script tool that made the call; "" for a call of the execution's own script. ``line`` and ``column`` are those
            of the outermost such tool.
        progress: How far it said it was: ``seconds`` since it began, ``done``, and where it said so ``total`` and ``message``.
        stdin, stdout, stderr: Its input and outputs, long texts cut, secrets replaced; None unless ``trace_streams`` of
            ScriptedTool asks for them.
        exception: The exception of the callback. For the host only; it is never written as JSON.
    """

    tool: str
    line: int
    column: int
    arguments: Any
    started: float
    pipeline: int | None = None
    duration: float | None = None
    exit_code: int | None = None
    stdin_bytes: int = 0
    stdout_bytes: int = 0
    stderr_bytes: int = 0
    error: str = ""
    attempts: int = 0
    cached: bool = False
    within: str = ""
    progress: list[dict[str, Any]] = field(default_factory=list)
    stdin: str | None = None
    stdout: str | None = None
    stderr: str | None = None
    exception: BaseException | None = field(default=None, repr=False, compare=False)

    def span(self, now: float) -> tuple[float, float]:
        """Begin and end in seconds since the execution began; a call that runs, or that was running in the end, ends ``now``."""
        begin = max(0.0, self.started)
        return begin, max(begin, now) if self.duration is None else begin + self.duration

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON-like data, without the exception, streams not kept, and an empty ``within`` or ``progress``; a byte
        that is not UTF-8 becomes U+FFFD.
        """
        kept = {name: json_text.clean_all(getattr(self, name)) for name in self.__slots__ if name != "exception"}
        return {
            name: value
            for name, value in kept.items()
            if (name not in _STREAMS or value is not None) and (value or name not in {"within", "progress"})
        }


class Trace:
    """The calls of one execution in call order, up to a maximum.

    Args:
        capacity: Maximum number of records; further calls are only counted, in ``dropped``.
    """

    __slots__ = ("_calls", "capacity", "dropped")

    def __init__(self, capacity: int = 10_000) -> None:
        self.capacity = capacity
        self.dropped = 0
        self._calls: list[ToolCall] = []

    def add(self, call: ToolCall) -> None:
        """Add a record, if there is room."""
        if len(self._calls) < self.capacity:
            self._calls.append(call)
        else:
            self.dropped += 1

    def __iter__(self) -> Iterator[ToolCall]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)

    def __getitem__(self, index: int) -> ToolCall:
        return self._calls[index]

    def json_lines(self) -> str:
        """One JSON object per line; a last line ``{"dropped": N}`` if calls were dropped."""
        lines = [json_text.encode(call.to_dict()) + "\n" for call in self._calls]
        if self.dropped:
            lines.append(json_text.encode({"dropped": self.dropped}) + "\n")
        return "".join(lines)


def stream_text(data: bytes, most: int, size: int | None = None) -> str:
    """The first ``most`` bytes of a stream as text, with a visible mark where it is cut.

    Args:
        data: Its beginning, or all of it.
        most: Bytes to show.
        size: Its length in bytes; by default that of ``data``.
    """
    size = len(data) if size is None else size
    text = data[:most].decode("utf-8", "surrogateescape")
    return text if size <= most else f"{text}… ({size} bytes)"


def keepable(value: Any, levels: int = _KEPT_LEVELS) -> Any:
    """Copy arguments, with long texts and what is nested deeper than ``levels`` cut at a visible mark."""
    if value.__class__ is int:
        return value
    if isinstance(value, str):
        return value if len(value) <= _KEPT_TEXT else f"{value[:_KEPT_TEXT]}… ({len(value)} characters)"
    if isinstance(value, (dict, list, tuple)) and not levels:
        return "…"
    if isinstance(value, dict):
        return {key: keepable(inner, levels - 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [keepable(inner, levels - 1) for inner in value]
    return value
