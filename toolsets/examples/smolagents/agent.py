"""The one tool for an agent of smolagents (extra smolagents); its code would call it as the last line does."""

from bashkit.integrations.smolagents import bash_tool

tool = bash_tool("../python/notes.yaml")
print(tool.name, list(tool.inputs))
print(tool(commands="add_note --text milk > a; list_notes | jq length"))
