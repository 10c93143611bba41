"""The one tool for a LangChain agent (extra langchain); a model would call it as the last line does."""

from bashkit.integrations.langchain import bash_tool

tool = bash_tool("../python/notes.yaml")
print(tool.name, list(tool.args))
print(tool.invoke({"commands": "add_note --text milk > a; list_notes | jq length"}))
