"""The fixture ``toolset``: opens a toolset file in a test, which can replace its callbacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.toolset import in_mode, load
from bashkit.toolset.stubs import Double, Stub
from bashkit.toolset.text.suggestions import instead

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bashkit.tools import ScriptedTool, ToolCall, ToolResponse


class ToolsetUnderTest:
    """A toolset file in a test.

    Args:
        path: The file.

    Attributes:
        calls: All tool calls of all ``run``s, in order.

    Raises:
        ToolsetError: The file has mistakes.
    """

    def __init__(self, path: Path) -> None:
        self._toolset = load(path)
        self._callbacks: dict[str, Callable[..., Any]] = {}
        self._tool: ScriptedTool | None = None
        self.calls: list[ToolCall] = []

    @property
    def tool(self) -> ScriptedTool:
        """The tool for the model."""
        if self._tool is None:
            entries = self._toolset.entries()
            tools = [(item.definition, self._callbacks.get(item.definition.name, item.callback)) for item in entries]
            self._tool = self._toolset.make_tool(tools=tools, on_start=self.calls.append)
        return self._tool

    def run(self, script: str) -> ToolResponse:
        """Run a script: in a fresh shell, unless the toolset says ``session: persistent``."""
        return self.tool.execute_sync(script)

    def stub(self, name: str | None = None, value: Any = None) -> ToolsetUnderTest:
        """Replace callbacks for every further ``run``.

        Args:
            name: The tool; without it every tool with a declared ``stub`` returns that.
            value: The result of each call; a function is called with the arguments, an exception is raised.

        Returns:
            This object, so that calls can follow each other.

        Raises:
            LookupError: There is no such tool.
        """
        if name is None:
            self._toolset = in_mode(self._toolset, "stub")
        elif any(tool.name == name for tool in self._toolset.tools):
            self._callbacks[name] = _callback(value)
        else:
            raise LookupError(f"there is no tool {name!r}: {instead(name, [tool.name for tool in self._toolset.tools])}")
        self._tool = None
        return self


def _callback(value: Any) -> Callable[..., Any]:
    if isinstance(value, BaseException):
        raised = value

        def fail(args: Any) -> Any:  # noqa: ARG001 - the callback's signature
            raise raised

        return Double(fail)
    return Double(value) if callable(value) else Stub(value)
