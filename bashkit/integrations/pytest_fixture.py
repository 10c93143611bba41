"""The fixture ``toolset``: a toolset file in a test, its callbacks replaced where the test says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.toolset import in_mode, load
from bashkit.toolset.stubs import Stub

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bashkit.tools import ScriptedTool, ToolCall, ToolResponse


class ToolsetUnderTest:
    """A toolset file in a test.

    Args:
        path: The file.

    Attributes:
        calls: Every call that a tool got in any ``run``, the first one first.

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
        """The one tool, as a model gets it."""
        if self._tool is None:
            entries = self._toolset.entries()
            tools = [(item.definition, self._callbacks.get(item.definition.name, item.callback)) for item in entries]
            self._tool = self._toolset.make_tool(tools=tools, on_start=self.calls.append)
        return self._tool

    def run(self, script: str) -> ToolResponse:
        """Run a script: in a fresh shell, unless the toolset says ``session: persistent``."""
        return self.tool.execute_sync(script)

    def stub(self, name: str | None = None, value: Any = None) -> ToolsetUnderTest:
        """Put something in the place of callbacks, for every further ``run``.

        Args:
            name: The tool; without it every tool that declares a ``stub`` in the file gives that.
            value: What each call gives; a function is called with the arguments, an exception is raised.

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
            raise LookupError(f"there is no tool {name!r}; there are {', '.join(tool.name for tool in self._toolset.tools)}")
        self._tool = None
        return self


def _callback(value: Any) -> Callable[..., Any]:
    if isinstance(value, BaseException):
        raised = value

        def fail(args: Any) -> Any:  # noqa: ARG001 - the callback's signature
            raise raised

        return fail
    return value if callable(value) else Stub(value)
