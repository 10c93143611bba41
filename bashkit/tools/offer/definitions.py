"""Definitions of tools, each in the form that a provider's API takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError
from bashkit.tools.offer.schemas import object_schema, strict_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bashkit.tools.define.definition import Effects
    from bashkit.tools.offer.offered import Offered

    Definitions = list[dict[str, Any]]


def definitions(tools: Sequence[Offered], form: str, *, strict: bool = False) -> Definitions:
    """The definitions of tools for a request to a provider.

    Args:
        tools: The tools.
        form: One of ``FORMS``.
        strict: Demand arguments that obey the schema exactly, of ``openai`` and ``openai-responses``; tools whose schema cannot
            be expressed that way stay as they are.

    Raises:
        BashkitError: There is no such form, or it has no strict mode.
    """
    if form not in FORMS:
        raise BashkitError(f"there is no format {form!r}: there are {', '.join(FORMS)}")
    if not strict:
        return FORMS[form](tools)
    if form not in _STRICT_FORMS:
        raise BashkitError(f"the format {form!r} has no strict mode: {' and '.join(_STRICT_FORMS)} have")
    return _STRICT_FORMS[form](tools)


def effect_hints(effects: Effects | None) -> dict[str, bool]:
    """What the Model Context Protocol calls annotations: hints about what a call does."""
    if effects == "read":
        return {"readOnlyHint": True}
    return {} if effects is None else {"readOnlyHint": False, "destructiveHint": effects == "destructive"}


def _function(tool: Offered, *, strict: bool) -> dict[str, Any]:
    """A function as OpenAI declares it."""
    closed = strict_schema(tool.input_schema) if strict else None
    parameters = object_schema(tool.input_schema) if closed is None else closed
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": parameters,
        **({"strict": closed is not None} if strict else {}),
    }


def _openai(tools: Sequence[Offered], *, strict: bool = False) -> Definitions:
    return [{"type": "function", "function": _function(tool, strict=strict)} for tool in tools]


def _openai_responses(tools: Sequence[Offered], *, strict: bool = False) -> Definitions:
    # the API assumes strict mode where nothing is said
    return [{"type": "function", "strict": False, **_function(tool, strict=strict)} for tool in tools]


def _anthropic(tools: Sequence[Offered]) -> Definitions:
    return [
        {"name": tool.name, "description": tool.description, "input_schema": object_schema(tool.input_schema)} for tool in tools
    ]


def _gemini(tools: Sequence[Offered]) -> Definitions:
    functions = [
        {"name": tool.name, "description": tool.description, "parametersJsonSchema": object_schema(tool.input_schema)}
        for tool in tools
    ]
    return [{"functionDeclarations": functions}]


def _mcp(tools: Sequence[Offered]) -> Definitions:
    return [_listed(tool) for tool in tools]


def _listed(tool: Offered) -> dict[str, Any]:
    found = {"name": tool.name, "description": tool.description, "inputSchema": undated(tool.input_schema)}
    if tool.output_schema is not None:
        found["outputSchema"] = undated(tool.output_schema)
    hints = effect_hints(tool.effects)
    return {**found, "annotations": hints} if hints else found


def _json_schema(tools: Sequence[Offered]) -> Definitions:
    return [{"title": tool.name, "description": tool.description, **tool.input_schema} for tool in tools]


def undated(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without the key that names its dialect, which some clients refuse."""
    return {key: value for key, value in schema.items() if key != "$schema"}


FORMS: Mapping[str, Callable[[Sequence[Offered]], Definitions]] = {
    "openai": _openai,
    "openai-responses": _openai_responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "mcp": _mcp,
    "json-schema": _json_schema,
}
_STRICT_FORMS: Mapping[str, Callable[[Sequence[Offered]], Definitions]] = {
    "openai": lambda tools: _openai(tools, strict=True),
    "openai-responses": lambda tools: _openai_responses(tools, strict=True),
}
