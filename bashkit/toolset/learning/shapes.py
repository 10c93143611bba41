"""The JSON Schema that describes some values, and how it differs from a declared one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bashkit.tools.define import schema
from bashkit.tools.define.schema import type_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_DEEPEST = 12  # levels of a value that are described
_MOST = 200  # items of an array that are looked at
_DATUM = re.compile(r"[0-9][0-9a-fA-F_.:-]*|[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}")  # a key that is data: an ID, a date


def schema_of(values: Sequence[Any], depth: int = 0) -> dict[str, Any]:
    """The schema that all of the values match.

    A field is required if all of several objects have it. Objects whose keys are data (IDs, dates) are maps.
    """
    kinds = {type_name(value) for value in values}
    if {"integer", "number"} <= kinds:
        kinds.remove("integer")
    if not kinds or depth == _DEEPEST:
        return {}
    names = sorted(kinds - {"null"}) + (["null"] if "null" in kinds else [])
    found: dict[str, Any] = {"type": names[0] if len(names) == 1 else names}
    objects = [value for value in values if isinstance(value, dict)]
    if objects:
        found |= _object(objects, depth)
    items = [item for value in values if isinstance(value, list) for item in value[:_MOST]]
    if items:
        found["items"] = schema_of(items, depth + 1)
    return found


def _object(objects: list[dict[str, Any]], depth: int) -> dict[str, Any]:
    names = list(dict.fromkeys(name for value in objects for name in value))
    if names and all(map(_DATUM.fullmatch, names)):
        return {"additionalProperties": schema_of([part for value in objects for part in value.values()], depth + 1)}
    properties = {name: schema_of([value[name] for value in objects if name in value], depth + 1) for name in names}
    required = [name for name in names if all(name in value for value in objects)]
    found: dict[str, Any] = {"properties": properties} if properties else {}
    return found | ({"required": required} if required and len(objects) > 1 else {})


def undeclared(declared: Mapping[str, Any], values: Sequence[Any]) -> Iterator[str]:
    """The paths of fields that values have and a declared schema does not mention, in jq's notation."""
    root = dict(declared)
    yield from dict.fromkeys(path for value in values for path in _unmentioned(value, schema.expand(root, root), root, "", 0))


def _unmentioned(value: Any, part: schema.Schema, root: schema.Schema, path: str, depth: int) -> Iterator[str]:
    if depth == _DEEPEST:
        return
    if isinstance(value, list):
        items = part.get("items")
        if isinstance(items, dict):
            for item in value[:_MOST]:
                yield from _unmentioned(item, schema.expand(items, root), root, f"{path}[]", depth + 1)
    elif isinstance(value, dict) and schema.fields(part) and schema.OTHERS.isdisjoint(part):
        for name, inner in value.items():
            known = schema.fields(part).get(name)
            if known is None:
                yield f"{path or ''}.{name}"
            else:
                yield from _unmentioned(inner, schema.expand(known, root), root, f"{path}.{name}", depth + 1)
