"""The one tool for a model of the library llm (extra llm); the model would call it as the last line does."""

from bashkit.integrations.llm import bash_tool

tool = bash_tool("../python/notes.yaml")
print(tool.name, list(tool.input_schema["properties"]))
print(tool.implementation(commands="add_note --text milk > a; list_notes | jq length"))
