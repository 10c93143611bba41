"""What the description of a tool says in every language: its purpose, a schema that is for scripts to read, and its rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.tools import json_text
from bashkit.tools.describe.notation import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.tools.define.definition import ToolDef


def purpose(definition: ToolDef) -> str:
    """The description, with a word about destructive effects."""
    text = definition.description.strip()
    return f"{text} (destructive)".lstrip() if definition.effects == "destructive" else text


def raw_schema(definition: ToolDef) -> str:
    """The input schema of a raw tool, whose arguments no flags stand for; "" if there is none to show."""
    if not definition.raw or not definition.input_schema:
        return ""
    return f"Schema: {json_text.encode(dict(definition.input_schema))}"


def call_limit(definition: ToolDef) -> str:
    """How often a script may call it; "" if there is no limit."""
    return "" if definition.max_calls is None else f"At most {counted(definition.max_calls, 'call')} in one script"


def introduction(definition: ToolDef) -> Iterator[str]:
    """The first sections of a tool's help: description, details, the schema of a raw tool."""
    yield from filter(None, (definition.description.rstrip(), definition.details.rstrip(), raw_schema(definition)))


def rules(definition: ToolDef) -> Iterator[str]:
    """The sections of a tool's help about its effects and how often it may be called."""
    if definition.effects:
        yield f"Effects: {definition.effects}"
    if definition.max_calls is not None:
        yield f"Calls: at most {definition.max_calls} in one script"
