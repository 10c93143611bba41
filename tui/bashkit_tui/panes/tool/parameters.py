"""The parameters of a tool in words: the rows of the table in the Tool pane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.define import schema
from bashkit.tools.describe.notation import placeholder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools import ToolDef


@dataclass(frozen=True, slots=True)
class Parameter:
    """A row of the table of parameters: the schema of one flag in words."""

    name: str
    type: str
    required: bool
    default: str
    choices: tuple[str, ...]
    description: str


def parameters(definition: ToolDef) -> list[Parameter]:
    """The parameters of a tool: the required ones first, as in its usage line."""
    root = dict(definition.input_schema)
    flat = schema.expand(root, root)
    needed = schema.required(flat)
    names = needed + [name for name in schema.fields(flat) if name not in needed]
    return [_parameter(name, schema.expand(schema.fields(flat).get(name), root), required=name in needed) for name in names]


def _parameter(name: str, part: dict[str, Any], *, required: bool) -> Parameter:
    choices = schema.choices_of(part)
    return Parameter(
        name,
        _type(part),
        required,
        _word(part["default"]) if "default" in part else "",
        tuple(_word(choice) for choice in choices or ()),
        " ".join([" ".join(str(part.get("description", "")).split()), *_bounds(part)]).strip(),
    )


def _type(part: Mapping[str, Any]) -> str:
    kinds = [kind for kind in schema.types(dict(part)) if kind != "null"]
    if kinds == ["array"]:
        items = part.get("items")
        inner = placeholder(items) if isinstance(items, dict) and "type" in items else ""
        return f"{inner}[]" if inner else "array"
    text = str(part["format"]) if kinds == ["string"] and part.get("format") else " or ".join(kinds) or "any"
    return f"{text} or null" if "null" in schema.types(dict(part)) else text


def _bounds(part: Mapping[str, Any]) -> list[str]:
    """The limits of a value, each in parentheses."""
    low, high = part.get("minimum"), part.get("maximum")
    found = []
    if low is not None and high is not None:
        found.append(f"({low} to {high})")
    elif low is not None or high is not None:
        found.append(f"(at least {low})" if low is not None else f"(at most {high})")
    if "pattern" in part:
        found.append(f"(matches {part['pattern']})")
    return found


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json_text.encode(value)
