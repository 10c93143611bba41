"""Exports the tool as the APIs of models declare tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.tools import json_text
from bashkit.tools.offer import Offer

if TYPE_CHECKING:
    from bashkit.tools.execute.scripted import ScriptedTool

FORMS = ("openai", "anthropic", "mcp")  # those that have a snapshot


def export(tool: ScriptedTool, form: str) -> str:
    """Write the definitions in the form of a provider as indented JSON; the system prompt is a document of its own."""
    return json_text.encode(Offer(tool, with_prompt=False).definitions(form), indent=2) + "\n"
