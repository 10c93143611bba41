"""Anthropic's API as it is: definitions for a request, and the message that answers its calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import answering, offer
from bashkit.tools.offer.calls import items_of

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.execute.contract import Tool
    from bashkit.toolset.toolset import Toolset


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> dict[str, Any]:
    """The definition of the one tool that takes a bash script, in which every tool of the toolset is a command.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the request's ``system`` has it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return offer(toolset, "bash", with_prompt=with_prompt).definitions("anthropic")[0]


def tools(toolset: Source) -> list[dict[str, Any]]:
    """The definitions of the tools of a toolset, one each; see ``bash_tool``."""
    return offer(toolset, "tools").definitions("anthropic")


async def replies(toolset: Toolset | Tool, message: object) -> list[dict[str, Any]]:
    """Answer all calls of a message, side by side.

    Args:
        toolset: A Toolset, a ScriptedTool, a BashTool or another Tool; no path: its session lasts from message to message.
        message: What ``client.messages.create`` returned, or the same as a dict.

    Returns:
        The messages to send after it: one of the user with every result, or none if it has no calls.

    Raises:
        BashkitError: It is no message, or the toolset is a path.
    """
    offered = answering(toolset)
    calls = items_of(message, "tool_use", within="content")
    results = await asyncio.gather(*(offered.ahandle(call) for call in calls))
    return [{"role": "user", "content": list(results)}] if results else []
