"""The Claude Agent SDK: a toolset as its tools, and as an MCP server in the process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.integrations.offering import MissingPackageError, offer, one, tool_of
from bashkit.tools.offer.definitions import effect_hints, undated

try:
    from claude_agent_sdk import McpSdkServerConfig, SdkMcpTool, create_sdk_mcp_server
    from mcp.types import ToolAnnotations
except ImportError:
    raise MissingPackageError("claude-agent-sdk", "claude-agent-sdk") from None

if TYPE_CHECKING:
    from bashkit.integrations.offering import Source
    from bashkit.tools.offer import Exposure, Offered


def bash_tool(toolset: Source, *, with_prompt: bool = True) -> SdkMcpTool[Any]:
    """The one tool that takes a bash script, in which every tool of the toolset is a command; for ``create_sdk_mcp_server``.

    A call that fails is a result with ``is_error``. What only reads says so, and Claude may call it side by side with others.

    Args:
        toolset: The path of a toolset file, a Toolset, a ScriptedTool, a BashTool or another Tool.
        with_prompt: The description is the system prompt; pass False if the agent's prompt has it.

    Raises:
        ToolsetError: The file has mistakes, or a source of it cannot be read.
    """
    return _tool(one(toolset, with_prompt=with_prompt))


def tools(toolset: Source) -> list[SdkMcpTool[Any]]:
    """The tools of a toolset, one each; see ``bash_tool``."""
    return [_tool(offered) for offered in offer(toolset, "tools").tools]


def server(toolset: Source, expose: Exposure = "bash") -> McpSdkServerConfig:
    """A server for ``ClaudeAgentOptions(mcp_servers={…})``.

    Args:
        toolset: As for ``bash_tool``.
        expose: ``bash``, ``tools``, ``both``, ``discovery`` or ``all``, as for ``bashkit.Offer``.
    """
    tool = tool_of(toolset)
    found = [_tool(offered) for offered in offer(tool, expose).tools]
    return create_sdk_mcp_server(tool.name, tool.version, found)


def _tool(offered: Offered) -> SdkMcpTool[Any]:
    async def handle(arguments: dict[str, Any]) -> dict[str, Any]:
        answer = await offered.call(arguments)
        return {"content": [{"type": "text", "text": answer.text}], "is_error": answer.failed}

    hints = ToolAnnotations.model_validate(effect_hints(offered.effects))
    return SdkMcpTool(offered.name, offered.description, undated(offered.input_schema), handle, hints)
