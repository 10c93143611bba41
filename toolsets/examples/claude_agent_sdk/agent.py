"""The toolset as a server of the Claude Agent SDK (extra claude-agent-sdk); a model would call its tool as the last line does."""

import asyncio

from claude_agent_sdk import ClaudeAgentOptions

from bashkit.integrations.claude_agent_sdk import bash_tool, server

options = ClaudeAgentOptions(mcp_servers={"notes": server("../python/notes.yaml")}, allowed_tools=["mcp__notes__notes"])
print(list(options.mcp_servers), options.allowed_tools)
arguments = {"commands": "add_note --text milk > a; list_notes | jq length"}
print(asyncio.run(bash_tool("../python/notes.yaml").handler(arguments))["content"][0]["text"])
