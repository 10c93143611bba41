"""Input schemas in the dialects of providers, and arguments back from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.define.schema import expand, types

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.tools.define.schema import Schema

_COMBINED = frozenset({"$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "enum", "const"})
_STRICT = frozenset(
    "type enum const description title format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems "
    "maxItems".split()
)
_BEYOND_STRICT = ("allOf", "oneOf", "not", "if", "patternProperties", "prefixItems", "dependentSchemas", "dependentRequired")


def object_schema(schema: Mapping[str, Any]) -> Schema:
    """A schema whose root is a plain object, as OpenAI, Anthropic and Gemini demand; calls are checked by the original."""
    plain = {key: value for key, value in schema.items() if key != "$schema"}
    if not _COMBINED.isdisjoint(plain):
        flat = expand(plain, plain)
        definitions = {key: plain[key] for key in ("$defs", "definitions") if key in plain}
        plain = {key: value for key, value in flat.items() if key not in _COMBINED} | definitions
    return {**plain, "type": "object", "properties": plain.get("properties", {})}


def strict_schema(schema: Mapping[str, Any]) -> Schema | None:
    """A schema for OpenAI's strict mode, in which every parameter is required and an optional one may be null.

    Keywords that the mode does not know are left out, because calls are checked by the original. None if the mode cannot express
    the schema, for instance an object with any members.
    """
    try:
        return _strict(object_schema(schema))
    except _TooLoose:
        return None


class _TooLoose(Exception):  # noqa: N818 - caught in this file alone
    """Strict mode cannot express a schema."""


def _strict(schema: Any) -> Schema:
    if not isinstance(schema, dict) or any(key in schema for key in _BEYOND_STRICT):
        raise _TooLoose
    found: Schema = {key: value for key, value in schema.items() if key in _STRICT}
    if "$ref" in schema:
        found["$ref"] = schema["$ref"]
    elif "anyOf" in schema:
        found["anyOf"] = [_strict(branch) for branch in schema["anyOf"]]
    elif types(schema):
        found.setdefault("type", _one_or_more(types(schema)))
    else:
        raise _TooLoose
    for key in ("$defs", "definitions"):
        if key in schema:
            found[key] = {name: _strict(part) for name, part in schema[key].items()}
    if "default" in schema:
        told = f"Default: {json_text.encode(schema['default'])}"
        found["description"] = f"{found['description'].rstrip('.')}. {told}" if found.get("description") else told
    if "items" in schema:
        found["items"] = _strict(schema["items"])
    elif "array" in types(schema):
        raise _TooLoose
    if "object" in types(schema):
        _close(found, schema)
    return found


def _close(found: Schema, schema: Schema) -> None:
    """Make an object's members required, and allow no others."""
    if "properties" not in schema or schema.get("additionalProperties") not in {None, False}:
        raise _TooLoose
    required = schema.get("required", ())
    found["properties"] = {
        name: _strict(part) if name in required else or_null(_strict(part)) for name, part in schema["properties"].items()
    }
    found["required"] = list(found["properties"])
    found["additionalProperties"] = False


def or_null(schema: Schema) -> Schema:
    """A schema that allows null, too."""
    kinds = types(schema)
    if "null" in kinds:
        return schema
    if "type" not in schema or "const" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    choices = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [*kinds, "null"], **choices}


def _one_or_more(kinds: tuple[str, ...]) -> str | list[str]:
    return kinds[0] if len(kinds) == 1 else list(kinds)


def without_nulls(value: Any, schema: Any, root: Schema | None = None) -> Any:
    """Arguments without the nulls of optional parameters that cannot be null: many models write them for "not given"."""
    whole: Schema = schema if root is None else root
    flat = expand(schema, whole)
    if isinstance(value, list):
        return [without_nulls(item, flat.get("items", {}), whole) for item in value]
    if not isinstance(value, dict):
        return value
    fields, required = flat.get("properties", {}), flat.get("required", ())
    found = {}
    for name, inner in value.items():
        part = expand(fields.get(name, {}), whole)
        if inner is None and name in fields and name not in required and types(part) and "null" not in types(part):
            continue
        found[name] = without_nulls(inner, part, whole)
    return found
