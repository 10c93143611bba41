"""The compact notation of usage lines and outputs: ``get_user --id <integer>``, ``{id: integer, orders: [{id, total}]}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.define import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools.define.definition import ToolDef

_DEPTH = 4  # maximum nesting of objects that are written out
_WIDTH = 20  # maximum fields of an object that are written out
_INPUT_DEPTH = 3  # maximum nesting of objects in a usage line
_INPUT_WIDTH = 12  # maximum fields of an object in a usage line
_SENTENCE = 90  # maximum characters of a first sentence
SHOWN = 60  # maximum characters of a value in a message


def usage(definition: ToolDef) -> str:
    """Write a tool's usage: required parameters first, optional ones in brackets, choices spelled out."""
    if definition.raw:
        return f"{definition.name} [ARGUMENT]..."
    root = dict(definition.input_schema)
    flat = schema.expand(root, root)
    needed = schema.required(flat)
    names = needed + [name for name in schema.fields(flat) if name not in needed]
    words = [definition.name]
    for name in names:
        if name == definition.rest:
            continue
        text = flag_usage(name, schema.expand(schema.fields(flat).get(name), root), root, required=name in needed)
        words.append(text if name in needed else f"[{text}]")
    if definition.rest:
        words.append("[WORD]...")
    return " ".join(words)


def flag_usage(name: str, part: Mapping[str, Any], root: schema.Schema | None = None, *, required: bool = False) -> str:
    """Write a flag for a usage line: ``--id <integer>``; a switch alone, ``--verbose``, or ``--no-color`` if it is on by
    default; the fields of objects, ``--address {street, zip?}``, where ``?`` marks what may be left out.

    Args:
        name: The parameter.
        part: Its schema, expanded.
        root: The schema in which references are looked up; None for ``part`` itself.
        required: Whether the parameter is required.
    """
    if schema.types(dict(part)) == ("boolean",):
        switch = f"--no-{name}" if part.get("default") is True else f"--{name}"
        return f"--{name} <boolean>" if required else switch
    shape = _input(dict(part), dict(part) if root is None else root, 0)
    return f"--{name} {shape}" if shape else f"--{name} <{placeholder(part)}>"


def input_shape(part: Any, root: schema.Schema) -> str:
    """The fields of a parameter that is an object, or a list of objects: ``{street, zip?}``; "" for anything else."""
    return _input(schema.expand(part, root), root, 0)


def _input(part: schema.Schema, root: schema.Schema, depth: int) -> str:
    """The fields of an object, or of the objects in an array; "" for anything else."""
    kinds = _kinds(part)
    if kinds == ["array"]:
        inner = _input(schema.expand(part.get("items"), root), root, depth)
        return f"[{inner}]" if inner else ""
    if kinds != ["object"] or not schema.fields(part) or depth == _INPUT_DEPTH:
        return ""
    needed = schema.required(part)
    names = needed + [name for name in schema.fields(part) if name not in needed]
    written = []
    for name in names[:_INPUT_WIDTH]:
        inner = _input(schema.expand(schema.fields(part).get(name), root), root, depth + 1)
        written.append(name + ("" if name in needed else "?") + (f": {inner}" if inner else ""))
    return f"{{{', '.join(written)}{', ...' if len(names) > _INPUT_WIDTH else ''}}}"


def _kinds(part: schema.Schema) -> list[str]:
    """The types that an expanded schema allows beside null, with the choices among texts in the place of ``string``."""
    kinds = [kind for kind in schema.types(part) if kind != "null"]
    if schema.TEXTS not in part:
        return kinds
    return [kind for kind in kinds if kind != "string"] + [text for text in part[schema.TEXTS] if text]


def placeholder(part: Mapping[str, Any]) -> str:
    """The text between the angle brackets: the choices, the format of a string, or the type."""
    flat = dict(part)
    choices = schema.choices_of(flat)
    if choices is not None:
        return "|".join(
            choice if isinstance(choice, str) else json_text.encode(choice) for choice in choices if choice is not None
        )
    kinds = _kinds(flat)
    if kinds == ["string"] and part.get("format"):
        return str(part["format"])
    if kinds == ["array"]:
        items, first = part.get("items"), part.get("prefixItems", ())
        if first and all(isinstance(item, dict) and {"type", "enum", "const"} & item.keys() for item in first):
            return ",".join(map(placeholder, first))
        inner = placeholder(items) if isinstance(items, dict) and ("type" in items or "enum" in items) else ""
        return f"{inner},..." if inner and inner not in {"object", "array"} else "array"
    return "|".join(kinds) or "value"


def output(output_schema: Mapping[str, Any]) -> str:
    """Write an output schema on one line: the types of the outermost fields, the names of the inner ones."""
    root = dict(output_schema)
    return _output(schema.expand(root, root), root, 0, named=False)


def _output(part: schema.Schema, root: schema.Schema, depth: int, *, named: bool) -> str:
    kinds = [kind for kind in schema.types(part) if kind != "null"]
    suffix = " or null" if "null" in schema.types(part) and not named else ""
    if "object" in kinds and schema.fields(part) and depth < _DEPTH:
        written = []
        for name, inner in list(schema.fields(part).items())[:_WIDTH]:
            flat = schema.expand(inner, root)
            text = _output(flat, root, depth + 1, named=depth > 0)
            written.append(f"{name}: {text}" if text else name)
        if len(schema.fields(part)) > _WIDTH:
            written.append("...")
        return f"{{{', '.join(written)}}}{suffix}"
    if "array" in kinds:
        items = _output(schema.expand(part.get("items"), root), root, depth, named=named) if depth < _DEPTH else ""
        return f"[{items}]{suffix}"
    if named:
        return ""
    return (placeholder(part).replace("|", " | ") if schema.choices_of(part) else " or ".join(kinds) or "value") + suffix


def sample(value: Any) -> str:
    """Write an example of an output in the same notation, derived from the value."""
    return output(_described(value, 0))


def _described(value: Any, depth: int) -> dict[str, Any]:
    if isinstance(value, dict) and depth < _DEPTH:
        return {"type": "object", "properties": {str(key): _described(inner, depth + 1) for key, inner in value.items()}}
    if isinstance(value, list) and depth < _DEPTH:
        return {"type": "array", "items": _described(value[0], depth + 1) if value else {}}
    return {"type": schema.type_name(value)}


def output_of(definition: ToolDef) -> str:
    """Describe the output of a tool from its output schema, else from an example with an output; "" without either."""
    if definition.output_schema:
        return output(definition.output_schema)
    for example in definition.examples:
        if isinstance(example.output, str):
            value = json_text.decode_object(example.output)
            return sample(value) if value is not None else "text"
        if example.output is not None:
            return sample(example.output)
    return ""


def first_sentence(definition: ToolDef) -> str:
    """The first sentence of a tool's description, truncated."""
    first = next(iter(definition.description.strip().splitlines()), "").strip()
    sentence = first.partition(". ")[0].rstrip(".") if ". " in first else first
    return sentence if len(sentence) <= _SENTENCE else f"{sentence[: _SENTENCE - 1].rstrip()}…"


def takes_objects(definition: ToolDef) -> bool:
    """Whether a tool takes an object or a list of objects."""
    root = dict(definition.input_schema)
    properties = schema.fields(schema.expand(root, root))
    return not definition.raw and any(input_shape(part, root) for part in properties.values())


def expectation(part: Mapping[str, Any]) -> str:
    """Describe what an expanded schema expects: ``integer``, ``one of open, closed``, ``string or null``."""
    choices = schema.choices_of(dict(part))
    if choices is not None:
        words = [choice if isinstance(choice, str) and choice else json_text.encode(choice) for choice in choices]
        return f"one of {', '.join(words)}" if len(words) > 1 else words[0]
    kinds = _kinds(dict(part))
    nullable = "null" in schema.types(dict(part))
    if nullable and not kinds:
        return "null"
    text = " or ".join(kinds) or "value"
    if part.get("format"):
        text += f" ({part['format']})"
    return f"{text} or null" if nullable else text


def show(value: Any) -> str:
    """Quote a value for a message: strings in quotes, other values as JSON, both truncated."""
    try:
        text = repr(value) if isinstance(value, str) else json_text.encode(value)
    except (TypeError, ValueError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def counted(number: Any, noun: str) -> str:
    """A number of things: ``1 item``, ``2 items``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
