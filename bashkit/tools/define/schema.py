"""Reads JSON Schema (2020-12): types, fields and choices of a value, with references resolved."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from bashkit.tools.define.everyday_schema import obviously_valid
from bashkit.tools.define.patterns import mistake

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Schema = dict[str, Any]

_HINTS = {
    "properties": "object",
    "additionalProperties": "object",
    "items": "array",
    "prefixItems": "array",
    "minItems": "array",
    "maxItems": "array",
    "minimum": "number",
    "maximum": "number",
    "exclusiveMinimum": "number",
    "exclusiveMaximum": "number",
    "multipleOf": "number",
    "pattern": "string",
    "minLength": "string",
    "maxLength": "string",
    "format": "string",
}
TEXTS = "texts"  # of an expanded schema only: the choices among texts, where the other forms are no texts
_DATA = frozenset({"const", "enum", "default", "examples", "example"})  # their values are data, not schemas
_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_WORDS = {"True": "true", "False": "false", "None": "null"}  # of Python and of JSON
_SINGLE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties")


class CheckedSchema(dict[str, Any]):
    """A schema that was assembled from checked parts, so ``mistakes`` need not check it again."""


def mistakes(schema: Any) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The mistakes that make ``schema`` unfit for a tool, each as a path inside it and a message."""
    if not isinstance(schema, dict):
        yield (), f"a schema is an object, not {type_name(schema)}"
        return
    if isinstance(schema, CheckedSchema) or obviously_valid(schema):
        return
    wrong = list(_malformed(schema))
    yield from wrong
    if not wrong:
        yield from _dead_references(schema)
        yield from _bad_patterns(schema)


def mistakes_of_form(schema: Schema) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The mistakes in part of a schema, whose references lead out of it and are not checked."""
    if obviously_valid(schema, linked=True):
        return
    wrong = list(_malformed(schema))
    yield from wrong or _bad_patterns(schema)


def _malformed(schema: Schema) -> Iterator[tuple[tuple[str | int, ...], str]]:
    wrong = sorted(_meta().iter_errors(schema), key=lambda error: [str(step) for step in error.absolute_path])
    for error in map(_deepest, wrong):
        yield tuple(error.absolute_path), f"not a JSON Schema: {_in_json(error)}"


def _in_json(error: Any) -> str:
    """The message of an error, with values as the author has written them."""
    message: str = error.message
    words = _WORDS.get(repr(error.instance))
    return message if words is None else words + message.removeprefix(repr(error.instance))


@cache
def _meta() -> Any:
    """The validator of schemas, imported only for schemas that are not obviously valid, because the import is slow."""
    from jsonschema import Draft202012Validator

    return Draft202012Validator(Draft202012Validator.META_SCHEMA)


def _deepest(error: Any) -> Any:
    while error.context:
        error = max(error.context, key=lambda inner: len(inner.absolute_path))
    return error


def _dead_references(schema: Schema) -> Iterator[tuple[tuple[str | int, ...], str]]:
    references = [(path, part["$ref"]) for path, part in subschemas(schema) if isinstance(part.get("$ref"), str)]
    if not references:
        return
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    resolver = Registry().resolver_with_root(DRAFT202012.create_resource(schema))
    for path, reference in references:
        try:
            resolver.lookup(reference)
        except Unresolvable:
            remote = "is remote; only references inside the schema are followed"
            reason = "leads nowhere in this schema" if reference.startswith("#") else remote
            yield (*path, "$ref"), f"the reference {reference} {reason}"


def _bad_patterns(schema: Schema) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for path, part in subschemas(schema):
        places = [((*path, "pattern"), part["pattern"])] if "pattern" in part else []
        places += [((*path, "patternProperties", pattern), pattern) for pattern in part.get("patternProperties", ())]
        for place, pattern in places:
            wrong = mistake(pattern)
            if wrong:
                yield place, f"not a regular expression: {wrong}"


def subschemas(schema: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Schema]]:
    """``schema`` and every schema inside it, each with its path."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key in _MAPS:
        inner = schema.get(key)
        if isinstance(inner, dict):
            for name, part in inner.items():
                yield from subschemas(part, (*path, key, name))
    for key in _LISTS:
        inner = schema.get(key)
        if isinstance(inner, list):
            for index, part in enumerate(inner):
                yield from subschemas(part, (*path, key, index))
    for key in _SINGLE:
        yield from subschemas(schema.get(key), (*path, key))


def strict(schema: Any) -> Any:
    """A copy in which OpenAPI's ``nullable: true`` is replaced by JSON Schema's equivalent."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {key: value if key in _DATA else strict(value) for key, value in schema.items()}
    if copy.get("nullable") is True:
        if "type" in copy:
            copy["type"] = sorted({*_listed(copy["type"]), "null"})
        if isinstance(copy.get("enum"), list) and None not in copy["enum"]:
            copy["enum"] = [*copy["enum"], None]
    return copy


_MOST_REFERENCES = 2000  # that are followed for one description
FOLDED = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
OTHERS = frozenset({"additionalProperties", "unevaluatedProperties", "patternProperties"})  # what an object may have besides


def expand(schema: Any, root: Schema) -> Schema:
    """Fold ``$ref``, ``allOf``, ``anyOf`` and ``oneOf`` of a schema into one flat description. The result is for parsing flags
    and writing help, not for validation: where definitions refer to each other very many times, it lacks some.
    """
    left = iter(range(_MOST_REFERENCES))

    def expanded(schema: Any, seen: frozenset[str]) -> Schema:
        if not isinstance(schema, dict):
            return {}
        flat: Schema = {key: value for key, value in schema.items() if key not in FOLDED}
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference not in seen and next(left, None) is not None:
            _fold(flat, expanded(follow(reference, root), seen | {reference}))
        for branch in schema.get("allOf", ()):
            _fold(flat, expanded(branch, seen))
        for key in ("anyOf", "oneOf"):
            if schema.get(key):
                _choose(flat, [expanded(branch, seen) for branch in schema[key]])
        return flat

    return expanded(schema, frozenset())


def parameters(root: Mapping[str, Any]) -> Schema:
    """The properties of a schema of arguments, with those that it takes from references and branches."""
    if root.keys().isdisjoint(FOLDED):
        return fields(dict(root))  # nearly always, and for thousands of tools at once
    return fields(expand(dict(root), dict(root)))


def closed(root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of an object without members that it does not declare; unchanged if it declares none, or says itself what others
    are.
    """
    flat = expand(dict(root), dict(root))
    if not fields(flat) or not flat.keys().isdisjoint(OTHERS):
        return root
    combined = root.keys() & {*FOLDED, "if", "dependentSchemas"}
    return {**root, "unevaluatedProperties" if combined else "additionalProperties": False}


def follow(reference: str, root: Schema) -> Any:
    """The part of ``root`` that a JSON Pointer fragment names (RFC 6901); ``{}`` if it does not exist."""
    part: Any = root
    if not reference.startswith("#"):
        return {}
    for step in unquote(reference[1:]).split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(part, dict):
            part = part.get(step)
        elif isinstance(part, list) and step.isdecimal() and int(step) < len(part):
            part = part[int(step)]
        else:
            return {}
    return part


def _fold(flat: Schema, other: Schema) -> None:
    for key, value in other.items():
        if key == "properties" and isinstance(flat.get(key), dict):
            own = flat[key]
            flat[key] = {**value, **own, **{name: _both(own[name], value[name]) for name in own.keys() & value.keys()}}
        elif key == "items" and key in flat:
            flat[key] = _both(flat[key], value)
        elif key == "required" and isinstance(flat.get(key), list):
            flat[key] = [*flat[key], *(name for name in value if name not in flat[key])]
        else:
            flat.setdefault(key, value)


def _both(own: Any, other: Any) -> Any:
    """A schema for what two schemas say of one value."""
    return own if own == other else {"allOf": [own, other]}


def _choose(flat: Schema, branches: list[Schema]) -> None:
    kinds = [types(branch) for branch in branches]
    if all(kinds):
        flat.setdefault("type", sorted({kind for group in kinds for kind in group}))
    solid = [branch for branch, kind in zip(branches, kinds, strict=True) if kind != ("null",)]
    choices = [choices_of(branch) for branch in solid]
    texts: list[list[Any]] = [
        choices_of(branch) or branch.get(TEXTS, []) for branch, group in zip(branches, kinds, strict=True) if "string" in group
    ]
    if choices and all(choice is not None for choice in choices):
        flat.setdefault("enum", [value for choice in choices for value in choice or ()])
    elif texts and all(texts) and all(kinds):
        # texts that are written like a boolean mean it
        words = {"true", "false"} if any("boolean" in group for group in kinds) else set()
        flat.setdefault(TEXTS, [value for group in texts for value in group if value not in words])
    needed = [branch.get("required", []) for branch in solid]
    shared = [name for name in needed[0] if all(name in names for names in needed)] if needed else []
    if shared:
        flat.setdefault("required", shared)
    fields: Schema = {}
    for branch in solid:
        for name, part in branch.get("properties", {}).items():
            known = fields.setdefault(name, part)
            if known != part:
                fields[name] = {"anyOf": [known, part]}
        for key in ("items", "format", "description", "default"):
            if key in branch and (key != "description" or len(solid) == 1):
                flat.setdefault(key, branch[key])
    others = [branch.get("additionalProperties") for branch, group in zip(branches, kinds, strict=True) if "object" in group]
    if len(others) == 1 and isinstance(others[0], dict):
        flat.setdefault("additionalProperties", others[0])
    if fields:
        flat["properties"] = {**fields, **flat.get("properties", {})}


def types(flat: Schema) -> tuple[str, ...]:
    """The types that an expanded schema allows, sorted; empty if it does not restrict them."""
    if "type" in flat:
        return tuple(sorted({*_listed(flat["type"]), *(["null"] if flat.get("nullable") is True else [])}))
    choices = choices_of(flat)
    if choices is not None:
        return tuple(sorted({type_name(value) for value in choices}))
    return tuple(sorted({kind for key, kind in _HINTS.items() if key in flat}))


def choices_of(flat: Schema) -> list[Any] | None:
    """The values that ``enum`` or ``const`` allow, or None."""
    if isinstance(flat.get("enum"), list):
        return list(flat["enum"])
    return [flat["const"]] if "const" in flat else None


def fields(flat: Schema) -> Schema:
    """The properties of an expanded object schema."""
    found = flat.get("properties")
    return found if isinstance(found, dict) else {}


def required(flat: Schema) -> list[str]:
    """The required properties in the order in which they are declared."""
    needed = flat.get("required")
    names = needed if isinstance(needed, list) else []
    return [name for name in fields(flat) if name in names] + [name for name in names if name not in fields(flat)]


def type_name(value: Any) -> str:
    """The JSON type of a Python value."""
    if value is None:
        return "null"
    for kind, name in (
        (bool, "boolean"),
        (int, "integer"),
        (float, "number"),
        (str, "string"),
        (list, "array"),
        (dict, "object"),
    ):
        if isinstance(value, kind):
            return name
    return type(value).__name__


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [item for item in value if isinstance(item, str)]
