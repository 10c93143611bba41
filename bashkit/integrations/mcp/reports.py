"""Reports: what a client is told while its call runs, as progress and log messages."""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bashkit.tools.json_text import clean, clean_all

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.context import ServerRequestContext
    from mcp.types import LoggingLevel

    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.execute.contract import ToolStatus

_MOST_TEXT = 2_000  # characters of output in one progress notification; of more, the end is told
_MOST_LOGS = 1_000  # log messages that wait for a client; further ones are dropped
_PAUSE = 0.05  # seconds between two notifications of progress, so that a talkative script does not flood the client
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


class Reports:
    """Collects what happens in a call, and sends it in order.

    The methods that collect may be called from any thread and never wait.

    Args:
        level: The least level of log messages that the client wants, if it has said so.
    """

    def __init__(self, level: str) -> None:
        self._level = level
        self._context: ServerRequestContext[Any, Any] | None = None
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._logs: deque[tuple[LoggingLevel, Any]] = deque(maxlen=_MOST_LOGS)
        self._output = ""
        self._number = 0
        self._over = asyncio.Event()

    def attach(self, context: ServerRequestContext[Any, Any] | None) -> None:
        """Send to the client of this request from now on; None: keep what is collected until there is another request."""
        self._context = context
        self._news.set()

    @property
    def wanted(self) -> bool:
        """Whether the client has asked for progress."""
        context = self._context
        return context is not None and bool(context.meta and context.meta.get("progress_token") is not None)

    # -- collecting ----------------------------------------------------------------------------------------------------

    def status(self, status: ToolStatus) -> None:
        """Note the progress of a script."""
        if status.output:
            self._output = (self._output + status.output)[-_MOST_TEXT:]
            self._tell()

    def started(self, call: ToolCall) -> None:
        """Note that a tool is called."""
        self._log("info", {"event": "call", "tool": call.tool, "line": call.line})

    def ended(self, call: ToolCall) -> None:
        """Note how a call has ended."""
        said: dict[str, Any] = {"event": "result", "tool": call.tool, "line": call.line, "exit_code": call.exit_code}
        if call.duration is not None:
            said["ms"] = round(call.duration * 1000, 1)
        if call.error or call.exit_code:
            self._log("warning", said | {"error": clean(call.error)})
        else:
            self._log("info", said)

    def _log(self, level: LoggingLevel, data: Mapping[str, Any]) -> None:
        self._logs.append((level, data))
        self._tell()

    def _tell(self) -> None:
        self._loop.call_soon_threadsafe(self._news.set)

    # -- sending -------------------------------------------------------------------------------------------------------

    async def send(self) -> None:
        """Send what is collected until ``finish`` is called."""
        while not self._over.is_set():
            await self._news.wait()
            self._news.clear()
            await self._flush()
            with suppress(TimeoutError):
                async with asyncio.timeout(_PAUSE):
                    await self._over.wait()
        await self._flush()

    def finish(self) -> None:
        """Let ``send`` return when it has sent the rest."""
        self._over.set()
        self._news.set()

    async def _flush(self) -> None:
        while self._logs and (context := self._context) is not None:
            await self._send_log(context, *self._logs.popleft())
        if self._output and (context := self._context) is not None:
            text, self._output = self._output, ""
            self._number += 1
            await context.session.report_progress(self._number, message=clean(text))

    async def _send_log(self, context: ServerRequestContext[Any, Any], level: LoggingLevel, data: Any) -> None:
        from mcp import types
        from mcp.server.connection import allowed_log_levels

        if level not in allowed_log_levels(context.protocol_version, context.meta):
            return
        if LEVELS.index(level) < LEVELS.index(self._level):
            return
        params = types.LoggingMessageNotificationParams(level=level, logger="bashkit", data=clean_all(data))
        await context.session.send_notification(types.LoggingMessageNotification(params=params), context.request_id)
