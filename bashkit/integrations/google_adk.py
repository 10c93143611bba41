"""Google's Agent Development Kit: a toolset as its tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import MissingPackageError, offer, one
from bashkit.tools.offer.calls import gemini_response
from bashkit.tools.offer.schemas import object_schema

try:
    from google.adk.tools.base_tool import BaseTool
    from google.genai.types import FunctionDeclaration
except ImportError:
    raise MissingPackageError("google-adk", "google-adk") from None

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Offered


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> ToolsetTool:
    """The one tool that takes a bash script, in which every tool of the toolset is a command.

    A call that fails is told to the model as ``{"error": …}``, a script's as its streams and exit status.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the agent's instruction has it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return ToolsetTool(one(toolset, with_prompt=with_prompt))


def tools(toolset: Source) -> list[ToolsetTool]:
    """The tools of a toolset, one each; see ``bash_tool``."""
    return [ToolsetTool(offered) for offered in offer(toolset, "tools").tools]


class ToolsetTool(BaseTool):  # type: ignore[misc]  # the package's types are not followed
    """A tool of an offer."""

    def __init__(self, offered: Offered) -> None:
        super().__init__(name=offered.name, description=offered.description)
        self._offered = offered

    def _get_declaration(self) -> FunctionDeclaration:
        schema = object_schema(self._offered.input_schema)
        return FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> dict[str, Any]:  # noqa: ARG002 - the framework's
        """Answer a call."""
        return gemini_response(await self._offered.call(args))
