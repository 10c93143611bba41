"""Recognizes common valid schemas in microseconds, because jsonschema takes a millisecond to check each of a thousand tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bashkit.tools.define.patterns import mistake

if TYPE_CHECKING:
    from collections.abc import Callable

    Test = Callable[[Any], bool]


def _is_number(value: Any) -> bool:
    return value.__class__ in {int, float}


def _is_size(value: Any) -> bool:
    return value.__class__ is int and value >= 0


def _is_text(value: Any) -> bool:
    return value.__class__ is str


def _is_type(value: Any) -> bool:
    if value.__class__ is list:
        return bool(value) and all(map(_is_text, value)) and _KINDS.issuperset(value) and len(set(value)) == len(value)
    return value.__class__ is str and value in _KINDS


def _are_names(value: Any) -> bool:
    return value.__class__ is list and all(map(_is_text, value)) and len(set(value)) == len(value)


def _is_flag(value: Any) -> bool:
    return value.__class__ is bool


def _is_pattern(value: Any) -> bool:
    return value.__class__ is str and not mistake(value)


_KINDS = frozenset(["string", "integer", "number", "boolean", "object", "array", "null"])
_BRANCHES = frozenset(["allOf", "anyOf", "oneOf"])
_DEEPEST = 20
_ESCAPED = re.compile(r"[^A-Za-z0-9_.-]")  # what a JSON pointer in a URI writes in another way
_CHECKS: dict[str, Test] = {
    "type": _is_type,
    "required": _are_names,
    "enum": lambda value: value.__class__ is list and bool(value),
    "default": lambda _: True,
    "const": lambda _: True,
    "examples": lambda value: value.__class__ is list,
    "pattern": _is_pattern,
    "multipleOf": lambda value: _is_number(value) and value > 0,
    **dict.fromkeys(["title", "description", "format"], _is_text),
    **dict.fromkeys(["uniqueItems", "deprecated", "readOnly", "writeOnly"], _is_flag),
    **dict.fromkeys(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], _is_number),
    **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], _is_size),
}


def obviously_valid(schema: Any, *, linked: bool = False) -> bool:
    """Whether a schema is certainly valid: it uses only common keywords, with correct values, and refers to its own ``$defs``.

    Args:
        schema: The schema.
        linked: References are known to have targets, wherever they are.
    """
    if schema.__class__ is not dict:
        return False
    defined = schema.get("$defs", {})
    if defined.__class__ is not dict or not all(_is_text(name) for name in defined):
        return False
    targets = None if linked else {f"#/$defs/{name}" for name in defined if not _ESCAPED.search(name)}
    return all(_valid(inner, 1, targets) for inner in defined.values()) and _valid(
        {key: value for key, value in schema.items() if key != "$defs"}, 0, targets
    )


def _valid(part: Any, depth: int, targets: set[str] | None) -> bool:
    """Whether part of a schema is certainly valid.

    Args:
        part: The part.
        depth: The number of schemas around it.
        targets: What a reference may say; None for whatever it says.
    """
    if part.__class__ is not dict or depth > _DEEPEST:
        return False
    for key, value in part.items():
        check = _CHECKS.get(key)
        if check is not None:
            if not check(value):
                return False
        elif key == "properties":
            if value.__class__ is not dict or not all(_valid(inner, depth + 1, targets) for inner in value.values()):
                return False
        elif key in _BRANCHES:
            if value.__class__ is not list or not value or not all(_valid(inner, depth + 1, targets) for inner in value):
                return False
        elif key == "$ref":
            if value.__class__ is not str or (targets is not None and value not in targets):
                return False
        elif key == "additionalProperties" and value.__class__ is bool:
            continue
        elif key not in {"items", "additionalProperties"} or not _valid(value, depth + 1, targets):
            return False
    return True
