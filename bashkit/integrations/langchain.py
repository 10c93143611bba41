"""LangChain and LangGraph: a toolset as StructuredTools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import MissingPackageError, offer, one, plain
from bashkit.tools.offer.schemas import object_schema

try:
    from langchain_core.tools import StructuredTool, ToolException
except ImportError:
    raise MissingPackageError("langchain-core", "langchain") from None

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Answer, Offered


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> StructuredTool:
    """The one tool that takes a bash script, in which every tool of the toolset is a command.

    Whatever fails becomes a message with the status ``error``; the artifact of any other message is the response as plain data,
    with its ``trace``, which checkpoints can keep. The asynchronous form never blocks the event loop; the synchronous form works
    where a loop is running, too.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the host puts ``tool.system_prompt()`` into its own.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return _structured(one(toolset, with_prompt=with_prompt))


def tools(toolset: Source) -> list[StructuredTool]:
    """The tools of a toolset, one StructuredTool each; see ``bash_tool``. Every call is independent, and the policy holds."""
    return [_structured(offered) for offered in offer(toolset, "tools").tools]


create_langchain_tools = tools


class ToolsetTool(StructuredTool):
    """A StructuredTool that passes its arguments as one object, so that they may have any names."""

    def _parse_input(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> str | dict[str, Any]:
        # LangChain passes arguments by name, where one called "config" or "self" would be lost
        found = super()._parse_input(tool_input, tool_call_id)
        return found if isinstance(found, str) else {"params": found}


def _structured(offered: Offered) -> StructuredTool:
    def run(params: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
        return _told(offered.call_sync(params))

    async def arun(params: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
        return _told(await offered.call(params))

    schema = {"title": offered.name, "description": offered.description, **object_schema(offered.input_schema)}
    return ToolsetTool(
        name=offered.name,
        description=offered.description,
        args_schema=schema,
        func=run,
        coroutine=arun,
        tags=list(offered.tags) or None,
        metadata={key: value for key, value in (("category", offered.category), ("effects", offered.effects)) if value} or None,
        handle_tool_error=True,
        response_format="content_and_artifact",
    )


def _told(answer: Answer) -> tuple[str, dict[str, Any] | None]:
    if answer.failed:
        raise ToolException(answer.text)
    return answer.text, None if answer.response is None else plain(answer.response)
