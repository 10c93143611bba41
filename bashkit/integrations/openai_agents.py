"""The OpenAI Agents SDK: a toolset as FunctionTools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import MissingPackageError, offer, one
from bashkit.tools.offer.calls import decoded
from bashkit.tools.offer.schemas import object_schema, strict_schema

try:
    from agents import FunctionTool
except ImportError:
    raise MissingPackageError("openai-agents", "openai-agents") from None

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Offered


def bash_tool(toolset: Source, *, with_prompt: bool = True, strict: bool = True) -> FunctionTool:
    """The one tool that takes a bash script, in which every tool of the toolset is a command.

    A call that fails is told to the model, and the run goes on.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the agent's instructions have it.
        strict: Have the API enforce the schema, where its strict mode can express it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return _function(one(toolset, with_prompt=with_prompt), strict)


def tools(toolset: Source, *, strict: bool = True) -> list[FunctionTool]:
    """The tools of a toolset, one FunctionTool each; see ``bash_tool``."""
    return [_function(offered, strict) for offered in offer(toolset, "tools").tools]


def _function(offered: Offered, strict: bool) -> FunctionTool:
    async def invoke(context: Any, arguments: str) -> str:  # noqa: ARG001 - the framework's signature
        return (await offered.call(decoded(arguments))).text

    closed = strict_schema(offered.input_schema) if strict else None
    return FunctionTool(
        name=offered.name,
        description=offered.description,
        params_json_schema=object_schema(offered.input_schema) if closed is None else closed,
        on_invoke_tool=invoke,
        strict_json_schema=closed is not None,
    )
