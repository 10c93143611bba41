"""Tools as declarations of Python functions, as a stub file has them."""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING, Any

from bashkit.tools.define import schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools.define.definition import ToolDef

_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "object": "dict[str, Any]"}
INTROSPECTION_STUBS = {
    "help": "def help(*functions: Any) -> None: ...",
    "discover": (
        "def discover(*, search: str = ..., category: str = ..., tag: str = ..., limit: int = ..., categories: bool = False, "
        "json: bool = False) -> None: ..."
    ),
}  # they print what they find
_DEEPEST = 4  # types within types that are spelled out
_MOST = 12  # values of an enumeration that are listed
_LONGEST = 40  # characters of a default that is shown


def python_name(name: str) -> str:
    """A tool's or a parameter's name as Python can say it: ``list-users`` is ``list_users``, ``from`` is ``from_``."""
    legal = re.sub(r"\W", "_", name)
    if legal[:1].isdigit():
        legal = f"_{legal}"
    return f"{legal}_" if keyword.iskeyword(legal) else legal


def parameters(definition: ToolDef) -> dict[str, str]:
    """The parameters' names in the schema, by their names in Python; required ones first, as positional arguments take them."""
    flat = _expanded(definition.input_schema)
    required = set(schema.required(flat))
    names = sorted(schema.fields(flat), key=lambda name: name not in required)
    return {python_name(name): name for name in names}


def _expanded(root: Mapping[str, Any]) -> schema.Schema:
    return schema.expand(dict(root), dict(root))


def stub(definition: ToolDef) -> str:
    """The declaration of a tool as a stub file has it, on one line."""
    return f"{signature(definition)}: ..."


def signature(definition: ToolDef) -> str:
    """The first line of a tool's declaration, without its colon: ``def get_user(id: int) -> Any``.

    A raw tool takes the words of its command line. Any tool takes its standard input as ``stdin``, not shown where it has
    parameters of its own.
    """
    name = python_name(definition.name)
    if definition.raw:
        return f"def {name}(*words: str, stdin: str | None = None) -> Any"
    root = dict(definition.input_schema)
    properties, required = schema.fields(_expanded(root)), set(schema.required(_expanded(root)))
    texts = [parameter(legal, properties[own], root, needed=own in required) for legal, own in parameters(definition).items()]
    output = definition.output_schema
    result = "Any" if output is None else _type(output, dict(output), 0)
    return f"def {name}({', '.join(texts)}) -> {result}"


def parameter(name: str, part: Any, root: schema.Schema, *, needed: bool) -> str:
    """The declaration of a parameter: ``unit: Literal['l', 'ml'] = 'l'``.

    Args:
        name: Its name in Python.
        part: Its schema.
        root: The schema in which references are looked up.
        needed: Whether it is required.
    """
    text = f"{name}: {_type(part, root, 0)}"
    if needed:
        return text
    flat = schema.expand(part, root)
    default = repr(flat["default"]) if "default" in flat else "..."
    return f"{text} = {default if len(default) <= _LONGEST else '...'}"


def _type(part: Any, root: schema.Schema, depth: int) -> str:
    """The type of the values that a schema describes; ``Any`` where it says too much for one."""
    if not isinstance(part, dict) or depth > _DEEPEST:
        return "Any"
    if not part.keys().isdisjoint(("$ref", "allOf")):
        part = schema.expand(part, root)
    if "const" in part:
        return _literal([part["const"]])
    if isinstance(part.get("enum"), list):
        return _literal(part["enum"])
    kind = part.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(_type({**part, "type": one}, root, depth) for one in kind)) or "Any"
    if kind == "array":
        return f"list[{_type(part.get('items'), root, depth + 1)}]"
    for union in ("anyOf", "oneOf"):
        if isinstance(part.get(union), list):
            types = dict.fromkeys(_type(one, root, depth + 1) for one in part[union])
            return "Any" if "Any" in types or not types else " | ".join(types)
    return _TYPES.get(str(kind), "Any")


def _literal(values: list[Any]) -> str:
    if not values or len(values) > _MOST or not all(value is None or isinstance(value, (str, int, bool)) for value in values):
        return "Any"
    return f"Literal[{', '.join(map(repr, values))}]"


def stubs(definitions: Mapping[str, ToolDef]) -> dict[str, str]:
    """The declarations by function name; of two tools with the same one the first has it."""
    found: dict[str, str] = {}
    for definition in definitions.values():
        found.setdefault(python_name(definition.name), stub(definition))
    return found
