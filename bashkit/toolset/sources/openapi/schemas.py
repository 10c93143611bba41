"""Translates the schemas of an OpenAPI document to self-contained JSON Schema 2020-12: references become ``$defs``."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.tools.define.patterns import mistake
from bashkit.tools.define.schema import CheckedSchema, mistakes_of_form, type_name
from bashkit.toolset.sources.openapi.spec import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.toolset.sources.openapi.spec import Spec
    from bashkit.toolset.text.document import Path as DocumentPath

_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas"})
_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SINGLE = frozenset({
    "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
    "unevaluatedProperties", "unevaluatedItems",
})  # fmt: skip
# keywords that say nothing to a validator or reader, or mean something else outside of the document
_LEFT_OUT = frozenset({
    "example", "xml", "externalDocs", "discriminator", "readOnly", "writeOnly", "nullable", "$id", "$schema", "$anchor", "$defs",
    "definitions", "$comment",
})  # fmt: skip
_SAME_VALUE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})
_MAX_CHAIN = 32  # maximum chain of references
_COMPONENTS = "#/components/schemas/"


@dataclass(frozen=True, slots=True)
class _Definition:
    """A translated schema of the document.

    Attributes:
        schema: The translated schema.
        uses: The names of the definitions that it refers to.
        in_place: Those of them that the same value must match.
        size: Its length as JSON, in characters.
    """

    schema: Any
    uses: set[str]
    in_place: frozenset[str]
    size: int


@dataclass(slots=True)
class Translator:
    """Translates schemas for one direction: for requests or for responses.

    Attributes:
        spec: The document.
        hidden: Properties to leave out: ``readOnly`` in requests, ``writeOnly`` in responses.
        room: About how many characters the definitions of one schema may take; the farthest are left out. None: any number.
        unchecked: The patterns that no matcher here can read, which are left out, each with its first place.
    """

    spec: Spec
    hidden: str
    room: int | None = None
    unchecked: dict[str, DocumentPath] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)  # by reference
    _places: dict[str, tuple[Any, DocumentPath]] = field(default_factory=dict)
    _definitions: dict[str, _Definition] = field(default_factory=dict)
    _broken: dict[str, SpecError] = field(default_factory=dict)

    def translate(self, schema: Any, path: DocumentPath, uses: set[str]) -> Any:
        """Translate a schema and add the names of the definitions that it refers to to ``uses``.

        Raises:
            SpecError: It is malformed, or has a reference that cannot be followed.
        """
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            raise SpecError(path, f"a schema is an object, not {type_name(schema)}")
        if isinstance(schema.get("$ref"), str):
            reference = {"$ref": f"#/$defs/{self._name(schema['$ref'], (*path, '$ref'), uses)}"}
            if self.spec.old or len(schema) == 1:
                return reference  # OpenAPI 3.0 allows nothing beside a reference
            return self._parts({key: value for key, value in schema.items() if key != "$ref"}, path, uses) | reference
        return self._parts(schema, path, uses)

    def resolved(self, schema: Any) -> Any:
        """A translated schema, or the definition that it refers to.

        Raises:
            SpecError: The definition is malformed.
        """
        for _ in range(_MAX_CHAIN):
            if not isinstance(schema, dict) or "$ref" not in schema:
                return schema
            schema = self._definition(schema["$ref"].removeprefix("#/$defs/")).schema
        return schema

    def whole(self, schema: dict[str, Any], uses: set[str], path: DocumentPath) -> CheckedSchema:
        """Translate a schema and add the definitions that it needs.

        Raises:
            SpecError: It is not JSON Schema.
        """
        _check(schema, path)
        found, left = self._definitions_for(uses)
        if left:
            schema = _unlinked(schema, left)
        if found:
            schema = schema | {"$defs": {name: _unlinked(found[name].schema, left) for name in sorted(found)}}
        return CheckedSchema(schema)

    def _definitions_for(self, uses: set[str]) -> tuple[dict[str, _Definition], set[str]]:
        """The definitions that a schema needs, the closest first, and the names of those that there is no room for."""
        found: dict[str, _Definition] = {}
        wanted, size = deque(sorted(uses)), 0
        while wanted and (self.room is None or size <= self.room):
            name = wanted.popleft()
            if name not in found:
                found[name] = self._definition(name)
                size += found[name].size
                wanted += sorted(found[name].uses)
        return found, set(wanted) - found.keys()

    def _definition(self, name: str) -> _Definition:
        """The entry of ``$defs`` under a name, translated at its first use."""
        if name in self._broken:
            raise self._broken[name]
        if name not in self._definitions:
            target, place = self._places[name]
            uses: set[str] = set()
            try:
                schema = self.translate(target, place, uses)
                _check(schema, place)
                size = 0 if self.room is None else len(json.dumps(schema, default=str))
                self._definitions[name] = _Definition(schema, uses, frozenset(_in_place(schema)), size)
                self._see_an_end(name, place)
            except SpecError as error:
                self._broken[name] = error
                raise
        return self._definitions[name]

    def _see_an_end(self, name: str, place: DocumentPath) -> None:
        """Refuse a definition that consists only of itself, because checking a value against it would never end."""
        seen: set[str] = set()
        pending = [name]
        while pending:
            for inner in self._definitions[pending.pop()].in_place:
                if inner == name:
                    raise SpecError(place, "the reference goes in a circle")
                if inner not in seen and inner in self._definitions:
                    seen.add(inner)
                    pending.append(inner)

    def _name(self, reference: str, path: DocumentPath, uses: set[str]) -> str:
        """The name in ``$defs`` of a reference's target."""
        name = self._names.get(reference)
        if name is None:
            place = self.spec.lookup(reference, path)
            name = _word(reference.rpartition("/")[2] if reference.startswith(_COMPONENTS) else reference.lstrip("#/"))
            while name in self._places:
                name += "_"
            self._names[reference], self._places[name] = name, place
        uses.add(name)
        return name

    def _parts(self, schema: dict[str, Any], path: DocumentPath, uses: set[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in schema.items():
            inner = (*path, key)
            if key in _LEFT_OUT or key.startswith("x-"):
                continue
            if key == "pattern" and isinstance(value, str) and mistake(value):
                self.unchecked.setdefault(value, inner)
            elif key in _MAPS and isinstance(value, dict):
                found[key] = {
                    name: self.translate(part, (*inner, name), uses)
                    for name, part in value.items()
                    if not (isinstance(part, dict) and part.get(self.hidden) is True)
                }
            elif key in _LISTS and isinstance(value, list):
                found[key] = [self.translate(part, (*inner, index), uses) for index, part in enumerate(value)]
            elif key in _SINGLE:
                found[key] = self.translate(value, inner, uses)
            else:
                found[key] = value
        self._required(schema, found)
        _open(found)
        _fit(found)
        return _modern(found, nullable=schema.get("nullable") is True) if self.spec.old else found

    def _required(self, schema: dict[str, Any], found: dict[str, Any]) -> None:
        """Remove from ``required`` the properties that are left out, and what is named twice."""
        names = found.get("required")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            return
        found["required"] = list(dict.fromkeys(names))
        properties = schema.get("properties")
        if isinstance(properties, dict):
            hidden = [name for name in properties if name not in found["properties"]]
            found["required"] = [name for name in found["required"] if name not in hidden]
            if not found["required"]:
                del found["required"]


def _in_place(schema: Any) -> Iterator[str]:
    """The definitions that a value of ``schema`` itself must match, without those inside it."""
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("$ref"), str):
        yield schema["$ref"].removeprefix("#/$defs/")
    for key in _SAME_VALUE & schema.keys():
        for part in schema[key] if isinstance(schema[key], list) else [schema[key]]:
            yield from _in_place(part)


def _unlinked(schema: Any, names: set[str]) -> Any:
    """A schema without its references to the definitions ``names``: any value may stand there."""
    if not names:
        return schema
    if isinstance(schema, list):
        return [_unlinked(part, names) for part in schema]
    if not isinstance(schema, dict):
        return schema
    reference = schema.get("$ref")
    leads = isinstance(reference, str) and reference.removeprefix("#/$defs/") in names
    return {key: _unlinked(part, names) for key, part in schema.items() if not leads or key != "$ref"}


def _check(schema: Any, path: DocumentPath) -> None:
    for inner, message in mistakes_of_form(schema) if isinstance(schema, dict) else ():
        where = ".".join(map(str, inner))
        raise SpecError(path, f"{where}: {message}" if where else message)


def _open(found: dict[str, Any]) -> None:
    """Let a value have several of the forms of ``oneOf``. Documents list forms in it that are not told apart by what they allow;
    only where they say nothing but which fields are required they mean that no others are.
    """
    forms = found.get("oneOf")
    if isinstance(forms, list) and "anyOf" not in found:
        if not all(isinstance(form, dict) and form.keys() <= {"required", "not", "title", "description"} for form in forms):
            found["anyOf"] = found.pop("oneOf")


def _fit(found: dict[str, Any]) -> None:
    """Bring the choices of a schema and its type together: many documents have numbers for texts or texts for numbers, and the
    choices of an array's items beside them. A type that no choice can have is left out.
    """
    kind, choices = found.get("type"), found.get("enum")
    if (
        not isinstance(kind, str)
        or not isinstance(choices, list)
        or all(choice is None or _is_a(choice, kind) for choice in choices)
    ):
        return
    if kind == "array" and not any(isinstance(choice, list) for choice in choices):
        items = found.get("items", {})
        if isinstance(items, dict) and "enum" not in items:
            found["items"] = items | {"enum": found.pop("enum")}
            _fit(found["items"])
        return
    found["enum"] = [_fitted(choice, kind) for choice in choices]
    if not any(_is_a(choice, kind) for choice in found["enum"]):
        del found["type"]


def _fitted(choice: Any, kind: str) -> Any:
    """A choice as a value of a type, if there is such a value."""
    if kind == "string" and isinstance(choice, (bool, int, float)):
        return json.dumps(choice)
    if kind in {"integer", "number", "boolean"} and isinstance(choice, str):
        try:
            value = json.loads(choice)
        except (ValueError, RecursionError):
            return choice
        return value if _is_a(value, kind) else choice
    return choice


def _is_a(value: Any, kind: str) -> bool:
    return type_name(value) == kind or (kind == "number" and type_name(value) == "integer")


def _modern(found: dict[str, Any], *, nullable: bool) -> dict[str, Any]:
    """Translate a schema of OpenAPI 3.0 to JSON Schema 2020-12."""
    for word, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(found.get(word), bool):
            if found.pop(word) and limit in found:
                found[word] = found.pop(limit)
    if not nullable:
        return found
    if "type" in found:
        kinds = found["type"] if isinstance(found["type"], list) else [found["type"]]
        found["type"] = [*kinds, "null"]
        if isinstance(found.get("enum"), list) and None not in found["enum"]:
            found["enum"] = [*found["enum"], None]
        return found
    if found.keys() & {"allOf", "anyOf", "oneOf"}:
        about: dict[str, Any] = {key: found.pop(key) for key in ("description", "default", "title") if key in found}
        return {**about, "anyOf": [found, {"type": "null"}]}
    return found


def _word(text: str) -> str:
    """A name that a JSON Pointer can contain without escapes."""
    return "".join(char if char.isalnum() or char in "._-" else "_" for char in text)
