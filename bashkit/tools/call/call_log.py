"""Logs tool calls as JSON lines ``tool_dispatch``, ``tool_result`` and ``tool_error``, as they happen."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.tools.call.trace import ToolCall


class CallLog:
    """Writes a line when a call begins and one when it ends; ``started`` and ``ended`` are hooks of ScriptedTool.

    Args:
        write: Called with each line, including its newline.
        clock: Seconds since the epoch.
    """

    __slots__ = ("_clock", "_write")

    def __init__(self, write: Callable[[str], object], clock: Callable[[], float] = time.time) -> None:
        self._write = write
        self._clock = clock

    def started(self, call: ToolCall) -> None:
        """Log the beginning of a call: ``tool_dispatch`` with its arguments and its position in the script."""
        self._line("tool_dispatch", call, {"arguments": call.arguments, "line": call.line, "column": call.column})

    def ended(self, call: ToolCall) -> None:
        """Log the end of a call: ``tool_result``, or ``tool_error`` if its exit status is not 0."""
        rest: dict[str, Any] = {"exit_code": call.exit_code, "duration": call.duration, "stdout_bytes": call.stdout_bytes}
        if call.exit_code == 0:
            self._line("tool_result", call, rest)
        else:
            self._line("tool_error", call, rest | {"error": call.error})

    def _line(self, event: str, call: ToolCall, rest: dict[str, Any]) -> None:
        self._write(json_text.encode({"event": event, "time": round(self._clock(), 6), "tool": call.tool} | rest) + "\n")
