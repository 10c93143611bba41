"""Writes a run in the Trace Event Format, which Perfetto and chrome://tracing open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.runs.finished import FinishedRun
    from bashkit.tools import ToolCall

_PROCESS = 1
_SCRIPT = 0  # the row of the script; the lanes of its calls follow
_OF_CALL = ("exit_code", "attempts", "cached", "line", "column", "pipeline", "stdin_bytes", "stdout_bytes", "stderr_bytes")
_WHERE_GIVEN = ("within", "error", "progress")


def trace_events(run: FinishedRun) -> dict[str, Any]:
    """The run as the JSON object of the format: the script as the first row, and a row for each lane of concurrent calls."""
    lanes = run.lanes()
    names = {_SCRIPT: "script"} | {lane + 1: f"calls {lane + 1}" for lane in sorted(set(lanes))}
    script = {"script": run.script, "exit_code": run.exit_code, "error": run.error, "calls": len(run.calls) + run.dropped}
    events = [
        _metadata("process_name", _SCRIPT, {"name": run.toolset}),
        *(_metadata("thread_name", row, {"name": name}) for row, name in names.items()),
        *(_metadata("thread_sort_index", row, {"sort_index": row}) for row in names),
        _complete("script", "script", _SCRIPT, (0.0, run.seconds), script),
        *(
            _complete(call.tool, "call", lane + 1, run.span(call), _of_call(call))
            for call, lane in zip(run.calls, lanes, strict=True)
        ),
    ]
    return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": {"toolset": run.toolset, "dropped": run.dropped}}


def _metadata(name: str, row: int, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "ph": "M", "pid": _PROCESS, "tid": row, "args": arguments}


def _complete(name: str, category: str, row: int, span: tuple[float, float], arguments: dict[str, Any]) -> dict[str, Any]:
    begin, end = (_microseconds(seconds) for seconds in span)
    return {
        "name": name, "cat": category, "ph": "X", "pid": _PROCESS, "tid": row,
        "ts": begin, "dur": round(end - begin, 3), "args": arguments,
    }  # fmt: skip


def _microseconds(seconds: float) -> float:
    return round(seconds * 1_000_000, 3)


def _of_call(call: ToolCall) -> dict[str, Any]:
    known = {"arguments": call.arguments} | {name: getattr(call, name) for name in _OF_CALL}
    return known | {name: value for name in _WHERE_GIVEN if (value := getattr(call, name))}
