"""Plain schemas: flat objects of scalars, which most tools take, checked in microseconds; whatever is not plain is left to jsonschema."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Test = Callable[[Any], bool]

_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
_NOTES = frozenset(["title", "description", "default", "examples", "example", "deprecated"])
_ROOT = _NOTES | {"type", "properties", "required", "additionalProperties", "$schema", "$id"}
_PART = _NOTES | {"type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}


class PlainSchema:
    """A flat object of scalars.

    Args:
        tests: What tells whether the value of a property is right.
        needed: The required properties.
        closed: Other properties are refused.
        defaults: The values of properties that are left out.
    """

    __slots__ = ("_closed", "_defaults", "_needed", "_tests")

    def __init__(self, tests: Mapping[str, Test], needed: tuple[str, ...], defaults: Mapping[str, Any], *, closed: bool) -> None:
        self._tests = tests
        self._needed = needed
        self._closed = closed
        self._defaults = defaults

    def fill(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """A copy with the defaults of what is missing, in the order in which full filling adds them."""
        filled = dict(params)
        for name, value in self._defaults.items():
            if name not in filled:
                filled[name] = value
        return filled

    def fits(self, params: Mapping[str, Any]) -> bool:
        """Whether the arguments are right; False when that takes a closer look."""
        for name in self._needed:
            if name not in params:
                return False
        tests = self._tests
        for name, value in params.items():
            test = tests.get(name)
            if test is None:
                if self._closed or value.__class__ not in {str, bool}:
                    return False
            elif not test(value):
                return False
        return True


def plain(root: Mapping[str, Any]) -> PlainSchema | None:
    """The plain form of a schema; None when it says more than a plain one can."""
    properties, needed = root.get("properties", {}), root.get("required", [])
    if (
        not _ROOT.issuperset(root)
        or root.get("type", "object") != "object"
        or not isinstance(root.get("additionalProperties", True), bool)
    ):
        return None
    tests: dict[str, Test] = {}
    for name, part in properties.items():
        test = _test(part)
        if test is None:
            return None
        tests[name] = test
    defaults = {name: part["default"] for name, part in properties.items() if "default" in part}
    if any(isinstance(value, (dict, list)) for value in defaults.values()):
        return None
    return PlainSchema(tests, tuple(needed), defaults, closed=root.get("additionalProperties") is False)


def _test(part: Any) -> Test | None:
    if not isinstance(part, dict) or not _PART.issuperset(part):
        return None
    if "enum" in part:
        choices = part["enum"]
        if (
            not all(isinstance(choice, str) for choice in choices)
            or part.get("type", "string") != "string"
            or len(part.keys() - _NOTES) > 2
        ):
            return None
        allowed = frozenset(choices)
        return lambda value: value.__class__ is str and value in allowed
    types = _TYPES.get(part["type"]) if isinstance(part.get("type"), str) else None
    if types is None:
        return None
    low, high = part.get("minimum"), part.get("maximum")
    above, below = part.get("exclusiveMinimum"), part.get("exclusiveMaximum")
    short, long = part.get("minLength"), part.get("maxLength")
    if part["type"] in {"string", "boolean"}:
        if not (low is high is above is below is None):
            return None
        if short is None and long is None:
            return lambda value: value.__class__ in types
        if part["type"] != "string":
            return None
        return lambda value: (
            value.__class__ is str and (short is None or len(value) >= short) and (long is None or len(value) <= long)
        )
    if not (short is long is None):
        return None
    if low is high is above is below is None:
        return lambda value: value.__class__ in types
    return lambda value: (
        value.__class__ in types
        and (low is None or value >= low)
        and (high is None or value <= high)
        and (above is None or value > above)
        and (below is None or value < below)
    )


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
    try:
        return value.__class__ is str and re.compile(value) is not None
    except (re.error, RecursionError, OverflowError):
        return False


_KINDS = frozenset(["string", "integer", "number", "boolean", "object", "array", "null"])
_BRANCHES = frozenset(["allOf", "anyOf", "oneOf"])
_DEEPEST = 20
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
    **dict.fromkeys(["uniqueItems", "deprecated"], _is_flag),
    **dict.fromkeys(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], _is_number),
    **dict.fromkeys(["minLength", "maxLength", "minItems", "maxItems"], _is_size),
}


def obviously_valid(part: Any, depth: int = 0, *, linked: bool = False) -> bool:
    """Whether a schema is JSON Schema for sure: it uses nothing but the everyday keywords, rightly.

    Args:
        part: The schema.
        depth: How many schemas it is inside of.
        linked: References are known to lead somewhere; without that, a schema with one is not obviously valid.
    """
    if part.__class__ is not dict or depth > _DEEPEST:
        return False
    for key, value in part.items():
        check = _CHECKS.get(key)
        if check is not None:
            if not check(value):
                return False
        elif key == "properties":
            if value.__class__ is not dict or not all(
                obviously_valid(inner, depth + 1, linked=linked) for inner in value.values()
            ):
                return False
        elif key in _BRANCHES:
            if (
                value.__class__ is not list
                or not value
                or not all(obviously_valid(inner, depth + 1, linked=linked) for inner in value)
            ):
                return False
        elif key == "$ref" and linked:
            if value.__class__ is not str:
                return False
        elif key == "additionalProperties" and value.__class__ is bool:
            continue
        elif key not in {"items", "additionalProperties"} or not obviously_valid(value, depth + 1, linked=linked):
            return False
    return True
