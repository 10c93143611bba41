"""Pydantic AI: a toolset as an AbstractToolset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import MissingPackageError, offer, plain, tool_of
from bashkit.tools.offer.schemas import object_schema

try:
    from pydantic_ai import ModelRetry, RunContext, ToolDefinition
    from pydantic_ai.exceptions import ToolFailed
    from pydantic_ai.messages import ToolReturn
    from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
    from pydantic_core import SchemaValidator, core_schema
except ImportError:
    raise MissingPackageError("pydantic-ai-slim", "pydantic-ai") from None

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Offer

_UNCHECKED = SchemaValidator(core_schema.any_schema())  # the call is checked against the JSON Schema


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> BashkitToolset:
    """A toolset with the one tool that takes a bash script, in which every tool of ``toolset`` is a command.

    Wrong arguments ask the model to try again (ModelRetry), as often as the agent's ``retries`` allow; a call that fails is told
    to it (ToolFailed). The metadata of a result is the response as plain data, with its ``trace``, so that a run's messages can
    be saved.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The system prompt becomes instructions of the agent.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    tool = tool_of(toolset)
    instructions = tool.system_prompt() if with_prompt else None
    return BashkitToolset(tool.name, offer(tool, "bash", with_prompt=False), instructions)


def tools(toolset: Source) -> BashkitToolset:
    """A toolset with each tool of ``toolset`` by itself; see ``bash_tool``."""
    tool = tool_of(toolset)
    return BashkitToolset(f"{tool.name}_tools", offer(tool, "tools"), None)


class BashkitToolset(AbstractToolset[Any]):  # type: ignore[misc]  # the package's types are not followed
    """The tools of an offer.

    Args:
        name: Its identifier.
        offered: The tools.
        instructions: What the agent is told besides, or None.
    """

    def __init__(self, name: str, offered: Offer, instructions: str | None) -> None:
        self._name = name
        self._offer = offered
        self._instructions = instructions

    @property
    def id(self) -> str | None:
        """The name of the toolset."""
        return self._name

    async def get_instructions(self, ctx: RunContext[Any]) -> str | None:  # noqa: ARG002 - the framework's signature
        """The system prompt of the bash tool."""
        return self._instructions

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        """The tools by name."""
        return {
            offered.name: ToolsetTool(
                toolset=self,
                tool_def=ToolDefinition(
                    name=offered.name,
                    description=offered.description,
                    parameters_json_schema=object_schema(offered.input_schema),
                ),
                max_retries=ctx.max_retries,
                args_validator=_UNCHECKED,
            )
            for offered in self._offer.tools
        }

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]) -> Any:  # noqa: ARG002
        """Answer a call.

        Raises:
            ModelRetry: The arguments are wrong.
            ToolFailed: The call failed.
        """
        answer = await self._offer.call(name, tool_args)
        if answer.response is None:
            raise ModelRetry(answer.text)
        if answer.failed:
            raise ToolFailed(answer.text)
        value = answer.text if answer.structured is None else dict(answer.structured)
        return ToolReturn(return_value=value, metadata=plain(answer.response))
