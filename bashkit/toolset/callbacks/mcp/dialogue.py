"""What an MCP server says and asks while a call runs, brought from the thread of its session to the loop of the caller."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bashkit.tools.define.arguments import ToolArgs


@dataclass(slots=True)
class Dialogue:
    """The caller's end of one call.

    Attributes:
        args: The arguments of the call, through which the host is reached.
        loop: The caller's event loop.
        clock: The time limit of the call, which stands still while a person thinks.
        notes: What the script should know: what was refused to the server, that it has forgotten everything.
    """

    args: ToolArgs
    loop: asyncio.AbstractEventLoop
    clock: asyncio.Timeout | None = None
    notes: list[str] = field(default_factory=list)

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Pass on how far the call is; called in the session's thread."""
        with suppress(RuntimeError):  # the caller is gone
            self.loop.call_soon_threadsafe(self.args.progress, done, total, message or "")

    async def elicit(self, question: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
        """Ask for an approval, and return the answers, or None if the server gets none; called in the session's thread."""
        asked = asyncio.run_coroutine_threadsafe(self._asked(question, schema), self.loop)
        return await asyncio.wrap_future(asked)

    def note(self, what: str) -> None:
        """Note what the script should know."""
        self.notes.append(what)

    async def _asked(self, question: str, schema: Mapping[str, Any]) -> dict[str, Any] | None:
        left = self._stop_clock()
        answer = await self.args.ask(question, schema)
        self._start_clock(left)
        if answer is None or answer is False:
            why = "nobody can be asked" if answer is None else "it was not approved"
            self.note(f"the server asked: {question}: {why}")
            return None
        content = dict(answer) if isinstance(answer, Mapping) else _defaults(schema)
        missing = [name for name in schema.get("required") or () if name not in content]
        if missing:
            self.note(f"the server asked: {question}: the approval has no {', '.join(missing)}")
            return None
        return content

    def _stop_clock(self) -> float | None:
        when = self.clock.when() if self.clock is not None else None
        if self.clock is None or when is None:
            return None
        self.clock.reschedule(None)
        return when - self.loop.time()

    def _start_clock(self, left: float | None) -> None:
        if self.clock is not None and left is not None:
            self.clock.reschedule(self.loop.time() + left)


def _defaults(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The answers that a plain approval gives: the defaults of the schema."""
    properties = schema.get("properties")
    parts = properties.items() if isinstance(properties, dict) else ()
    return {name: part["default"] for name, part in parts if isinstance(part, dict) and "default" in part}
