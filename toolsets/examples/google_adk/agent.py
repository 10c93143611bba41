"""The one tool for an agent of Google's ADK (extra google-adk); a model would call it as the last line does."""

import asyncio

from google.adk.agents import LlmAgent

from bashkit.integrations.google_adk import bash_tool

agent = LlmAgent(name="notes", model="gemini-flash-latest", tools=[bash_tool("../python/notes.yaml")])
arguments = {"commands": "add_note --text milk > a; list_notes | jq length"}
print(asyncio.run(agent.tools[0].run_async(args=arguments, tool_context=None)))
