"""OpenAI's API as it is: definitions for a request, and the messages that answer its calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from bashkit.integrations.offering import answering, offer
from bashkit.tools.offer.calls import items_of

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.execute.contract import Tool
    from bashkit.toolset.toolset import Toolset

    Form = Literal["openai", "openai-responses"]


def bash_tool(toolset: Source, *, form: Form = "openai", strict: bool = False, with_prompt: bool = True) -> dict[str, Any]:
    """The definition of the one tool that takes a bash script, in which every tool of the toolset is a command.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        form: ``openai`` for chat completions, ``openai-responses`` for responses.
        strict: Have the API enforce the schema.
        with_prompt: The description is the system prompt; pass False if the instructions have it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return offer(toolset, "bash", with_prompt=with_prompt).definitions(form, strict=strict)[0]


def tools(toolset: Source, *, form: Form = "openai", strict: bool = False) -> list[dict[str, Any]]:
    """The definitions of the tools of a toolset, one each; see ``bash_tool``."""
    return offer(toolset, "tools").definitions(form, strict=strict)


async def replies(toolset: Toolset | Tool, message: object) -> list[dict[str, Any]]:
    """Answer all calls of a message, side by side.

    Args:
        toolset: A Toolset, a ScriptedTool, a BashTool or another Tool; no path: its session lasts from message to message.
        message: ``completion.choices[0].message`` or a response, or the same as a dict.

    Returns:
        The messages to send after it; [] if it has no calls.

    Raises:
        BashkitError: It is no message, or the toolset is a path.
    """
    calls = items_of(message, "", within="tool_calls") or items_of(message, "function_call", within="output")
    offered = answering(toolset)
    return list(await asyncio.gather(*(offered.ahandle(call) for call in calls)))
