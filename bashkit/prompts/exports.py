"""Exports the tool as the APIs of models declare tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.tools.execute.contract import Tool
    from bashkit.tools.execute.scripted import ScriptedTool


def openai(tool: ScriptedTool) -> list[dict[str, Any]]:
    """The ``tools`` of a request to OpenAI's chat completions."""
    return [
        {"type": "function", "function": {**_named(item), "parameters": _schema(item.input_schema())}} for item in tool.tools()
    ]


def anthropic(tool: ScriptedTool) -> list[dict[str, Any]]:
    """The ``tools`` of a request to Anthropic's messages."""
    return [{**_named(item), "input_schema": _schema(item.input_schema())} for item in tool.tools()]


def mcp(tool: ScriptedTool) -> list[dict[str, Any]]:
    """The ``tools`` that a server of the Model Context Protocol lists."""
    return [
        {**_named(item), "inputSchema": _schema(item.input_schema()), "outputSchema": _schema(item.output_schema())}
        for item in tool.tools()
    ]


FORMS: dict[str, Callable[[ScriptedTool], list[dict[str, Any]]]] = {"openai": openai, "anthropic": anthropic, "mcp": mcp}


def export(tool: ScriptedTool, form: str) -> str:
    """Write one of ``FORMS`` as indented JSON."""
    return json_text.encode(FORMS[form](tool), indent=2) + "\n"


def _named(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description()}


def _schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without the key that names its dialect, which some APIs refuse."""
    return {key: value for key, value in schema.items() if key != "$schema"}
