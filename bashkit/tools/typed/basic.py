"""Annotations without pydantic: the basic types, enumerations, collections, dataclasses and typed dicts."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, Required, Union, get_args, get_origin, is_typeddict

from bashkit.errors import DefinitionError
from bashkit.tools.define.schema import type_name
from bashkit.tools.typed.hints import annotations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Schema = dict[str, Any]

_JSON: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
# by the names of their classes, so that none of their modules is imported here
_TEXTS: dict[str, tuple[str, Callable[[Any, str], Any]]] = {
    "datetime.datetime": ("date-time", lambda kind, text: kind.fromisoformat(text)),
    "datetime.date": ("date", lambda kind, text: kind.fromisoformat(text)),
    "datetime.time": ("time", lambda kind, text: kind.fromisoformat(text)),
    "uuid.UUID": ("uuid", lambda kind, text: kind(text)),
    "pathlib.Path": ("", lambda kind, text: kind(text)),
}


class Reader:
    """One annotation.

    Args:
        annotation: The type.

    Raises:
        DefinitionError: There is no JSON for it.
    """

    __slots__ = ("_annotation",)

    def __init__(self, annotation: Any) -> None:
        self._annotation = annotation
        _schema(annotation)

    def schema(self, *, output: bool = False) -> Schema:  # noqa: ARG002 - the two are the same here
        """The JSON Schema of its values."""
        return _schema(self._annotation)

    def read(self, value: Any) -> Any:
        """Convert a JSON value.

        Raises:
            ValueError: It does not fit; the message says where and why.
        """
        return _read(self._annotation, value, "")


def _schema(kind: Any, within: tuple[Any, ...] = ()) -> Schema:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Annotated, NotRequired, Required}:
        return _schema(inner[0], within)
    if kind is Any or kind is object:
        return {}
    if kind in _JSON:
        return {"type": _JSON[kind]}
    if origin is Literal:
        return {"type": _one_type(inner), "enum": list(inner)}
    if origin in {Union, types.UnionType}:
        return _union([_schema(part, within) for part in inner])
    if isinstance(kind, type) and issubclass(kind, Enum):
        values = [member.value for member in kind]
        return {"type": _one_type(values), "enum": values}
    name = _name(kind)
    if name in _TEXTS:
        form = _TEXTS[name][0]
        return {"type": "string", "format": form} if form else {"type": "string"}
    if name == "decimal.Decimal":
        return {"type": ["number", "string"]}
    members = _members(kind)
    if members is not None:
        if kind in within:
            raise DefinitionError(f"{kind.__name__} contains itself; install pydantic for such types")
        return _object({key: _schema(part, (*within, kind)) for key, part in members.items()}, _required(kind))
    return _collection(kind, origin or kind, inner, within)


def _collection(kind: Any, origin: Any, inner: tuple[Any, ...], within: tuple[Any, ...]) -> Schema:
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(inner[1], within)} if len(inner) == 2 else {"type": "object"}
    if isinstance(origin, type) and issubclass(origin, tuple) and inner and inner[-1] is not ...:
        parts = [_schema(part, within) for part in inner]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}
    if isinstance(origin, type) and issubclass(origin, (Sequence, AbstractSet)) and not issubclass(origin, bytes):
        unique = {"uniqueItems": True} if issubclass(origin, AbstractSet) else {}
        return {"type": "array", **({"items": _schema(inner[0], within)} if inner else {}), **unique}
    raise DefinitionError(f"there is no JSON Schema for {getattr(kind, '__name__', kind)}; install pydantic for further types")


def _object(properties: Schema, required: Iterable[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": [name for name in properties if name in set(required)]}


def _union(parts: list[Schema]) -> Schema:
    if all(part.keys() == {"type"} and isinstance(part["type"], str) for part in parts):
        return {"type": list(dict.fromkeys(part["type"] for part in parts))}
    return {"anyOf": parts}


def _one_type(values: Iterable[Any]) -> Any:
    found = list(dict.fromkeys(map(type_name, values)))
    return found[0] if len(found) == 1 else found


def _name(kind: Any) -> str:
    module = kind.__module__.removesuffix("._local") if isinstance(kind, type) else ""  # as Python 3.13 says of pathlib
    return f"{module}.{kind.__qualname__}" if isinstance(kind, type) else ""


def _members(kind: Any) -> dict[str, Any] | None:
    """The fields of a dataclass, a typed dict or a named tuple, with their annotations; None for any other type."""
    if isinstance(kind, type) and (is_dataclass(kind) or is_typeddict(kind) or hasattr(kind, "_fields")):
        found = annotations_of(kind)
        return {one.name: found[one.name] for one in fields(kind) if one.init} if is_dataclass(kind) else found
    return None


def _required(kind: Any) -> set[str]:
    if is_typeddict(kind):  # whose own __required_keys__ does not understand annotations that are text
        origins = {name: get_origin(part) for name, part in annotations_of(kind).items()}
        return {
            name
            for name in origins
            if origins[name] is not NotRequired and (origins[name] is Required or name in kind.__required_keys__)
        }
    if is_dataclass(kind):
        return {one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING}
    return set(kind._fields) - set(kind._field_defaults)


def _read(kind: Any, value: Any, path: str) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Annotated, NotRequired, Required}:
        return _read(inner[0], value, path)
    if origin in {Union, types.UnionType}:
        return _first(inner, value, path)
    if origin is Literal:
        return _fitting(value, value in inner, path, f"one of {', '.join(map(str, inner))}")
    if kind in _JSON:
        return _scalar(kind, value, path)
    if isinstance(kind, type) and issubclass(kind, Enum):
        values = [member.value for member in kind]
        return kind(_fitting(value, value in values, path, f"one of {', '.join(map(str, values))}"))
    name = _name(kind)
    if name in _TEXTS or name == "decimal.Decimal":
        return _of_text(kind, name, value, path)
    members = _members(kind)
    if members is not None:
        return _of_members(kind, members, value, path)
    return _items(origin or kind, inner, value, path)


def _first(choices: tuple[Any, ...], value: Any, path: str) -> Any:
    """The value as the first of several types that it fits; one that needs no conversion comes before all others."""
    exact = [choice for choice in choices if choice in _JSON and type(value) is choice]
    reasons: list[str] = []
    for choice in exact or choices:
        try:
            return _read(choice, value, path)
        except ValueError as error:
            reasons.append(str(error))
    raise ValueError(reasons[0])


def _scalar(kind: Any, value: Any, path: str) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    return _fitting(value, type(value) is kind, path, _JSON[kind])


def _of_text(kind: Any, name: str, value: Any, path: str) -> Any:
    try:
        return kind(str(value)) if name == "decimal.Decimal" else _TEXTS[name][1](kind, value)
    except (TypeError, ValueError, ArithmeticError):
        raise ValueError(f"{path}: expected {kind.__name__}, got {value!r}") from None


def _of_members(kind: Any, members: dict[str, Any], value: Any, path: str) -> Any:
    _fitting(value, isinstance(value, dict), path, "object")
    missing = [name for name in members if name in _required(kind) and name not in value]
    unknown = [name for name in value if name not in members]
    if missing or unknown:
        raise ValueError(f"{path}.{missing[0]}: is required" if missing else f"{path}.{unknown[0]}: is not a field")
    given = {name: _read(members[name], part, f"{path}.{name}") for name, part in value.items()}
    return given if is_typeddict(kind) else kind(**given)


def _items(origin: Any, inner: tuple[Any, ...], value: Any, path: str) -> Any:
    if not isinstance(origin, type):
        return value
    if issubclass(origin, Mapping):
        _fitting(value, isinstance(value, dict), path, "object")
        part = inner[1] if len(inner) == 2 else Any
        return {key: _read(part, item, f"{path}.{key}") for key, item in value.items()}
    if not issubclass(origin, (Sequence, AbstractSet)):
        return value
    _fitting(value, isinstance(value, list), path, "array")
    fixed = issubclass(origin, tuple) and inner and inner[-1] is not ...
    parts = inner if fixed else (inner[0] if inner else Any,) * len(value)
    if len(parts) != len(value):
        raise ValueError(f"{path}: expected {len(parts)} items, got {len(value)}")
    found = [_read(part, item, f"{path}[{index}]") for index, (part, item) in enumerate(zip(parts, value, strict=True))]
    made = {tuple: tuple, frozenset: frozenset}.get(origin, set if issubclass(origin, AbstractSet) else list)
    return made(found)


def _fitting(value: Any, fits: bool, path: str, expected: str) -> Any:
    if not fits:
        raise ValueError(f"{path}: expected {expected}, got {value!r}")
    return value
