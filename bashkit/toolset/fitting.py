"""Whether a document fits the JSON Schema of the toolset format, told quickly: jsonschema takes over to say why one does not.

The format's schema is compiled once into nested functions. A keyword that is not known here makes whatever has it unfit, so that the two
can only disagree in the harmless direction.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from bashkit.toolset.package_data import toolset_schema

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Test = Callable[[Any], bool]

_NOTES = frozenset({"$schema", "$id", "$defs", "title", "description", "default", "examples"})
_CLASSES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,), "integer": (int,), "number": (int, float), "null": (type(None),),
}  # fmt: skip


def fits(value: Any) -> bool:
    """Whether a document has the format of a toolset."""
    return _root()(value)


@cache
def _root() -> Test:
    return _Compiler(toolset_schema()).test(toolset_schema())


class _Compiler:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._definitions: Mapping[str, Any] = root.get("$defs", {})
        self._made: dict[str, Test] = {}

    def test(self, schema: Any) -> Test:
        """What tells whether a value fits a schema."""
        if schema is True:
            return _anything
        if not isinstance(schema, dict):
            return _nothing
        tests: list[Test] = (
            [_type(self, schema["type"])] if "type" in schema else []
        )  # first: the wrong type need not be looked at
        done = {*_NOTES, "type"}
        if {"properties", "additionalProperties", "patternProperties"} & schema.keys():
            tests.append(self._members(schema))
            done |= {"properties", "additionalProperties", "patternProperties"}
        if "if" in schema:
            tests.append(self._choice(schema))
            done |= {"if", "then", "else"}
        for keyword, limit in schema.items():
            if keyword not in done:
                make = _MAKERS.get(keyword)
                tests.append(make(self, limit) if make is not None else _nothing)
        return tests[0] if len(tests) == 1 else _all(tests)

    def reference(self, reference: str) -> Test:
        """The test of a definition, made when it is first asked for."""
        name = reference.removeprefix("#/$defs/")
        if name not in self._made:
            self._made[name] = self.test(self._definitions[name])
        return self._made[name]

    def _members(self, schema: Mapping[str, Any]) -> Test:
        known = {name: self.test(part) for name, part in schema.get("properties", {}).items()}
        patterns = [
            (re.compile(pattern).search, self.test(part)) for pattern, part in schema.get("patternProperties", {}).items()
        ]
        further = self.test(schema["additionalProperties"]) if schema.get("additionalProperties") is not False else _nothing
        if "additionalProperties" not in schema:
            further = _anything

        def fits(value: Any) -> bool:
            if value.__class__ is not dict:
                return True
            for name, item in value.items():
                test = known.get(name)
                if test is not None:
                    if not test(item):
                        return False
                    continue
                matching = [inner for search, inner in patterns if search(name)]
                if not all(inner(item) for inner in matching) or (not matching and not further(item)):
                    return False
            return True

        return fits

    def _choice(self, schema: Mapping[str, Any]) -> Test:
        condition = self.test(schema["if"])
        then, otherwise = self.test(schema.get("then", True)), self.test(schema.get("else", True))
        return lambda value: then(value) if condition(value) else otherwise(value)


def _anything(_: Any) -> bool:
    return True


def _nothing(_: Any) -> bool:
    return False


def _all(tests: list[Test]) -> Test:
    if not tests:
        return _anything

    def fits(value: Any) -> bool:
        for test in tests:  # noqa: SIM110 - a generator would cost more than the tests
            if not test(value):
                return False
        return True

    return fits


def _type(_: _Compiler, limit: Any) -> Test:
    names = [limit] if isinstance(limit, str) else limit
    exact = frozenset(kind for name in names for kind in _CLASSES[name])
    return lambda value: value.__class__ in exact


def _enum(_: _Compiler, limit: Any) -> Test:
    texts = frozenset(choice for choice in limit if isinstance(choice, str))
    others = [choice for choice in limit if not isinstance(choice, str)]
    return lambda value: (
        value in texts if value.__class__ is str else any(value == one and value.__class__ is one.__class__ for one in others)
    )


def _const(compiler: _Compiler, limit: Any) -> Test:
    return _enum(compiler, [limit])


def _required(_: _Compiler, limit: Any) -> Test:
    return lambda value: value.__class__ is not dict or all(name in value for name in limit)


def _items(compiler: _Compiler, limit: Any) -> Test:
    test = compiler.test(limit)
    return lambda value: value.__class__ is not list or all(map(test, value))


def _pattern(_: _Compiler, limit: str) -> Test:
    search = re.compile(limit).search
    return lambda value: value.__class__ is not str or search(value) is not None


def _property_names(compiler: _Compiler, limit: Any) -> Test:
    test = compiler.test(limit)
    return lambda value: value.__class__ is not dict or all(map(test, value))


def _not(compiler: _Compiler, limit: Any) -> Test:
    test = compiler.test(limit)
    return lambda value: not test(value)


def _any_of(compiler: _Compiler, limit: Any) -> Test:
    tests = [compiler.test(part) for part in limit]
    return lambda value: any(test(value) for test in tests)


def _is_number(value: Any) -> bool:
    return value.__class__ is int or value.__class__ is float


_MAKERS: dict[str, Callable[[_Compiler, Any], Test]] = {
    "enum": _enum,
    "const": _const,
    "required": _required,
    "items": _items,
    "pattern": _pattern,
    "propertyNames": _property_names,
    "not": _not,
    "anyOf": _any_of,
    "$ref": lambda compiler, limit: compiler.reference(limit),
    "minLength": lambda _, limit: lambda value: value.__class__ is not str or len(value) >= limit,
    "maxLength": lambda _, limit: lambda value: value.__class__ is not str or len(value) <= limit,
    "minItems": lambda _, limit: lambda value: value.__class__ is not list or len(value) >= limit,
    "uniqueItems": lambda _, limit: lambda value: value.__class__ is not list or not limit or _distinct(value),
    "minimum": lambda _, limit: lambda value: not _is_number(value) or value >= limit,
    "maximum": lambda _, limit: lambda value: not _is_number(value) or value <= limit,
    "exclusiveMinimum": lambda _, limit: lambda value: not _is_number(value) or value > limit,
}


def _distinct(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values) and len(set(values)) == len(values)
