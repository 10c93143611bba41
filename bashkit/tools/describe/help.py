"""Writes the output of ``TOOL --help``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.define import schema
from bashkit.tools.describe import facts
from bashkit.tools.describe.notation import counted, expectation, flag_usage, output_of, usage

if TYPE_CHECKING:
    from bashkit.tools.define.definition import Example, ToolDef

_COLUMN = 26
_OTHERS = (("--help", "print this help"), ("--dry-run", "print the parsed arguments as JSON and call nothing"))


def tool_help(definition: ToolDef) -> str:
    """Write usage, each parameter with its type, default, choices and description, the shape of the output, and examples."""
    sections = [f"Usage: {usage(definition)}", *facts.introduction(definition)]
    if not definition.raw:
        parameters = _parameters(dict(definition.input_schema))
        if parameters:
            sections.append("Parameters:\n" + "\n".join(parameters))
        own = {f"--{name.replace('_', '-')}" for name in definition.input_schema.get("properties", ())}
        others = [aligned(flag, text) for flag, text in _OTHERS if flag not in own]
        if others:
            sections.append("\n".join(["Other flags:", *others]))
    shape = output_of(definition)
    if shape:
        sections.append(f"Output:\n  {shape}")
    if definition.stdin == "json":
        sections.append("Standard input:\n  a JSON object of further parameters; flags take precedence")
    sections += facts.rules(definition)
    if definition.examples:
        sections.append("Examples:\n" + "\n".join(_example(example) for example in definition.examples))
    return "\n\n".join(sections) + "\n"


def _parameters(root: schema.Schema) -> list[str]:
    flat = schema.expand(root, root)
    needed = schema.required(flat)
    ordered = needed + [name for name in schema.fields(flat) if name not in needed]
    lines = []
    for name in ordered:
        part = schema.expand(schema.fields(flat).get(name), root)
        lines.append(aligned(flag_usage(name, part, root, required=name in needed), about(part, required=name in needed)))
    return lines


def about(part: schema.Schema, *, required: bool) -> str:
    """Describe a parameter: what it means, its type, whether it is required, its default and bounds."""
    notes = [expectation(part), "required" if required else ""]
    if "default" in part:
        default = part["default"]
        notes.append(f"default {default if isinstance(default, str) else json_text.encode(default)}")
    notes.extend(_bounds(part))
    text = ", ".join(note for note in notes if note)
    description = " ".join(str(part.get("description", "")).split())
    return f"{description} ({text})" if description else text


def _bounds(part: schema.Schema) -> list[str]:
    words = {"minimum": "at least", "maximum": "at most", "exclusiveMinimum": "more than", "exclusiveMaximum": "less than"}
    bounds = [f"{word} {part[key]}" for key, word in words.items() if key in part]
    for low, high, what in (("minLength", "maxLength", "character"), ("minItems", "maxItems", "item")):
        bounds += [f"at least {counted(part[low], what)}"] if part.get(low) else []
        bounds += [f"at most {counted(part[high], what)}"] if high in part else []
    return bounds + ([f"matches {part['pattern']}"] if "pattern" in part else [])


def aligned(left: str, right: str) -> str:
    """An entry of a list in two columns."""
    left = f"  {left}"
    gap = " " * (_COLUMN - len(left)) if len(left) < _COLUMN - 1 else "\n" + " " * _COLUMN
    return left + gap + right


def _example(example: Example) -> str:
    lines = [f"  # {example.description}"] if example.description else []
    lines.extend(f"  {line}" for line in example.command.rstrip("\n").split("\n"))
    if example.output is not None:
        text: Any = example.output if isinstance(example.output, str) else json_text.encode(example.output)
        lines.extend(f"    {line}" for line in text.rstrip("\n").split("\n"))
    return "\n".join(lines)
