"""The one tool for an agent of the OpenAI Agents SDK (extra openai-agents); a model would call it as the last line does."""

import asyncio
import json

from agents import Agent

from bashkit.integrations.openai_agents import bash_tool

agent = Agent(name="notes", tools=[bash_tool("../python/notes.yaml")])
arguments = {"commands": "add_note --text milk > a; list_notes | jq length"}
print(asyncio.run(agent.tools[0].on_invoke_tool(None, json.dumps(arguments))))
