"""Input schemas that are flat objects of scalars, as most tools have: right arguments are accepted without jsonschema.

An inline call takes a third of the time this way. Arguments that are not accepted here, and schemas that say more, go to
jsonschema, whose answer counts; a test compares the two on random schemas and arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Test = Callable[[Any], bool]

_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}
_NOTES = frozenset(["title", "description", "default", "examples", "example", "deprecated"])
_ROOT = _NOTES | {"type", "properties", "required", "additionalProperties", "$schema", "$id"}
_PART = _NOTES | {"type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}


class FlatSchema:
    """A flat object of scalars.

    Args:
        tests: By property, whether a value is right.
        needed: The required properties.
        defaults: The values of properties that are left out.
        closed: Whether other properties are refused.
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
        """Whether the arguments are surely right; False leaves the answer to jsonschema."""
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


def flat_schema(root: Mapping[str, Any]) -> FlatSchema | None:
    """The flat form of a schema, or None if the schema says more than a flat one can."""
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
    return FlatSchema(tests, tuple(needed), defaults, closed=root.get("additionalProperties") is False)


def _test(part: Any) -> Test | None:
    if not isinstance(part, dict) or not _PART.issuperset(part):
        return None
    if "enum" in part:
        choices = part["enum"]
        if (
            not all(isinstance(choice, str) for choice in choices)
            or part.get("type", "string") != "string"
            or not part.keys() - _NOTES <= {"type", "enum"}
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
