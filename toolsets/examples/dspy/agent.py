"""The one tool for a DSPy program (extra dspy); a model would call it as the last line does."""

import asyncio

import dspy

from bashkit.integrations.dspy import bash_tool

program = dspy.ReAct("question -> answer", tools=[bash_tool("../python/notes.yaml")])
print(list(program.tools))
print(asyncio.run(program.tools["notes"].acall(commands="add_note --text milk > a; list_notes | jq length")))
