"""Writes everything that a model may read about a toolset, as the files of its snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.prompts.exports import FORMS, export
from bashkit.tools import json_text
from bashkit.tools.describe.catalog import to_dict

if TYPE_CHECKING:
    from bashkit.tools.execute.scripted import ScriptedTool

SYSTEM_PROMPT = "system-prompt.md"
HELP = "help.md"
SCHEMA = "schema.json"


def documents(tool: ScriptedTool) -> dict[str, str]:
    """The text of every document, by its file name.

    ``help.md`` leaves out the footer's version number, so that a release of bashkit changes no snapshot.
    """
    found = {
        SYSTEM_PROMPT: tool.system_prompt(),
        HELP: tool.help().rpartition(f"\n\nbashkit {tool.version}")[0] + "\n",
        SCHEMA: schema(tool),
    }
    found |= {f"{form}.json": export(tool, form) for form in FORMS}
    for definition in tool.definitions:
        found[tool_file(definition.name)] = tool.dialect.help(definition)
    return found


def markdown(tool: ScriptedTool) -> str:
    """The system prompt and the help of every tool, as one page."""
    pages = [f"## {definition.name}\n\n```text\n{tool.dialect.help(definition)}```\n" for definition in tool.definitions]
    return "\n".join([tool.system_prompt().rstrip("\n") + "\n", *pages])


def tool_file(name: str) -> str:
    """The file name of the help of the tool ``name``."""
    return f"tool.{name.replace(':', '%3A')}.help.md"  # some systems forbid colons in file names


def schema(tool: ScriptedTool) -> str:
    """The declaration for hosts that use JSON: the request, the response and the tools, as indented JSON."""
    value = {
        "name": tool.name,
        "description": tool.description(),
        "input_schema": tool.input_schema(),
        "output_schema": tool.output_schema(),
        "tools": [to_dict(definition) for definition in tool.definitions],
    }
    return json_text.encode(value, indent=2) + "\n"
