"""Lines: where calls run. A line serves one call at a time, so that what its tool says is known to be of that call."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from bashkit.integrations.mcp.catalog import offer
from bashkit.tools.call.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bashkit.bash.snapshot import Snapshot
    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.tools.call.policy import PlannedCall
    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.execute.contract import ToolStatus
    from bashkit.tools.offer import Answer
    from bashkit.toolset.toolset import Toolset


class Caller(Protocol):
    """Who is told about a call, and asked."""

    def started(self, call: ToolCall, /) -> None:
        """A tool is called."""
        ...

    def ended(self, call: ToolCall, /) -> None:
        """The call of a tool has ended."""
        ...

    @property
    def approve(self) -> Callable[[PlannedCall], Awaitable[bool]] | None:
        """Asks for an approval; None if nobody can be asked."""
        ...

    @property
    def status(self) -> Callable[[ToolStatus], None] | None:
        """Called with the progress of a script; None if nobody wants to know."""
        ...


class Line:
    """A tool of a toolset for one call at a time.

    Args:
        toolset: The toolset.
        options: Further arguments of ScriptedTool.

    Attributes:
        toolset: The toolset.
    """

    def __init__(self, toolset: Toolset, options: Mapping[str, Any]) -> None:
        self.toolset = toolset
        self._tool = toolset.make_tool(**{"persistent": False, **options}, on_start=self._started, on_call=self._ended)
        self._policy = self._tool.policy
        self._offered = offer(self._tool)
        self._caller: Caller | None = None

    async def call(self, entry: Entry, arguments: object, caller: Caller) -> Answer:
        """Answer a call. The caller sees to it that no other call runs on this line."""
        self._caller = caller
        approve = caller.approve
        # without a policy a call that has no effects is not even asked about, which is quicker
        self._tool.policy = self._policy if approve is None else replace(self._policy or Policy(), approve=approve)
        try:
            return await self._offered[entry.place].call(arguments, caller.status)
        finally:
            self._caller = None

    def snapshot(self) -> Snapshot:
        """The shell between two calls of a persistent tool, with what Python code has left in it."""
        return self._tool.snapshot()

    def restore(self, saved: Snapshot) -> None:
        """Go on from a snapshot, before a call of a persistent tool begins."""
        self._tool.restore(saved)

    def reset(self) -> None:
        """Drop the shell of a persistent tool, which is free at once."""
        self._tool.reset()

    def _started(self, call: ToolCall) -> None:
        if self._caller is not None:
            self._caller.started(call)

    def _ended(self, call: ToolCall) -> None:
        if self._caller is not None:
            self._caller.ended(call)


class Lines:
    """The idle lines of the calls that have no session.

    Args:
        options: Makes the further arguments of ScriptedTool for a toolset.
    """

    def __init__(self, options: Callable[[Toolset], Mapping[str, Any]]) -> None:
        self._options = options
        self._idle: dict[int, list[Line]] = {}  # by the identity of the toolset

    async def call(self, entry: Entry, arguments: object, caller: Caller) -> Answer:
        """Answer a call on a line of its own."""
        idle = self._idle.setdefault(id(entry.toolset), [])
        line = idle.pop() if idle else Line(entry.toolset, self._options(entry.toolset))
        answer = await line.call(entry, arguments, caller)
        idle.append(line)  # only the line of a call that has ended by itself
        return answer

    def clear(self) -> None:
        """Forget the lines: their toolsets have changed."""
        self._idle = {}
