"""Tools as declarations of Python functions, as a stub file has them."""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING, Any

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
    schema = definition.input_schema
    required = set(schema.get("required", ()))
    names = sorted(schema.get("properties", ()), key=lambda name: name not in required)
    return {python_name(name): name for name in names}


def stub(definition: ToolDef) -> str:
    """The declaration of a tool, on one line.

    A raw tool takes the words of its command line. Any tool takes its standard input as ``stdin``, not shown where it has
    parameters of its own.
    """
    name = python_name(definition.name)
    if definition.raw:
        return f"def {name}(*words: str, stdin: str | None = None) -> Any: ..."
    schema = definition.input_schema
    properties = schema.get("properties", {})
    required = set(schema.get("required", ()))
    texts = [parameter(legal, properties[own], needed=own in required) for legal, own in parameters(definition).items()]
    result = "Any" if definition.output_schema is None else _type(definition.output_schema, 0)
    return f"def {name}({', '.join(texts)}) -> {result}: ..."


def parameter(name: str, schema: Any, *, needed: bool) -> str:
    """The declaration of a parameter: ``unit: Literal['l', 'ml'] = 'l'``."""
    text = f"{name}: {_type(schema, 0)}"
    if needed:
        return text
    default = repr(schema["default"]) if isinstance(schema, dict) and "default" in schema else "..."
    return f"{text} = {default if len(default) <= _LONGEST else '...'}"


def _type(schema: Any, depth: int) -> str:
    """The type of the values that a schema describes; ``Any`` where it says too much for one."""
    if not isinstance(schema, dict) or depth > _DEEPEST:
        return "Any"
    if "const" in schema:
        return _literal([schema["const"]])
    if isinstance(schema.get("enum"), list):
        return _literal(schema["enum"])
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(_type({**schema, "type": one}, depth) for one in kind)) or "Any"
    if kind == "array":
        return f"list[{_type(schema.get('items'), depth + 1)}]"
    for union in ("anyOf", "oneOf"):
        if isinstance(schema.get(union), list):
            types = dict.fromkeys(_type(one, depth + 1) for one in schema[union])
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
