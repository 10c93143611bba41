"""Converts the text of a flag to the JSON value that the schema expects."""

from __future__ import annotations

import re
from typing import Any

from bashkit.tools import json_text
from bashkit.tools.define import schema
from bashkit.tools.describe.notation import expectation

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0"})
_INSTANT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ]([0-9]{2}:[0-9]{2})(:[0-9]{2}(?:\.[0-9]+)?)?)?")
_INTEGER = re.compile(r"[+-]?[0-9]+(\.0+)?")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NONE = object()  # means "this type does not fit", because None is a value


def coerce(text: str, part: schema.Schema, root: schema.Schema) -> Any:
    """Convert ``text`` to a value of an expanded schema. A text that fits no type stays a string, which the validator then
    rejects.

    Args:
        text: The flag's argument.
        part: The parameter's schema, expanded.
        root: The whole input schema, for references.

    Raises:
        ValueError: The text of an array or object starts like JSON but is malformed, or it is ``null`` and the schema allows
            no null.
    """
    texts = part.get(schema.TEXTS)
    choices = schema.choices_of(part) if texts is None else texts
    chosen = _NONE if choices is None else _choice(text, choices)
    if chosen is not _NONE:
        return chosen
    kinds = schema.types(part)
    if not kinds:
        return _any(text)
    if text == "null":
        return null(kinds, part)
    textual = "string" in kinds and texts is None
    if textual and part.get("format") == "date-time":
        return _instant(text)
    for kind, reader in (("boolean", _boolean), ("integer", _integer), ("number", _number)):
        if kind in kinds:
            value = reader(text, textual)
            if value is not _NONE:
                return value
    return _compound(text, kinds, part, root, textual=textual)


def null(kinds: tuple[str, ...], part: schema.Schema) -> None:
    """Read the word ``null``, which is what jq prints for a field that is not there.

    Raises:
        ValueError: The types do not include null.
    """
    if "null" not in kinds:
        raise ValueError(f"expected {expectation(part)}, got null: what printed this value has not found it")


def _instant(text: str) -> str:
    """A date, or a date and a time without a zone, as a date-time (RFC 3339) in UTC; any other text as it is."""
    found = _INSTANT.fullmatch(text)
    return f"{found[1]}T{found[2] or '00:00'}{found[3] or ':00'}Z" if found else text


def _choice(text: str, choices: list[Any]) -> Any:
    """The choice that a text means; the case of letters counts only between choices that differ in nothing else."""
    written = [choice if isinstance(choice, str) else json_text.encode(choice) for choice in choices]
    if text in written:
        return choices[written.index(text)]
    folded = [word.casefold() for word in written]
    return choices[folded.index(text.casefold())] if folded.count(text.casefold()) == 1 else _NONE


def _compound(text: str, kinds: tuple[str, ...], part: schema.Schema, root: schema.Schema, *, textual: bool) -> Any:
    opening = text.lstrip()[:1]
    if "object" in kinds and (opening == "{" or (not textual and "array" not in kinds)):
        return _object(text, part, root)
    if "array" in kinds and (opening == "[" or not textual):
        return _array(text, part, root)
    return text


def _any(text: str) -> Any:
    try:
        return json_text.decode(text)
    except ValueError:
        return text


def _boolean(text: str, textual: bool) -> Any:
    if textual:
        return {"true": True, "false": False}.get(text, _NONE)
    word = text.lower()
    if word in _TRUE:
        return True
    return False if word in _FALSE else _NONE


def _integer(text: str, textual: bool) -> Any:
    if not _INTEGER.fullmatch(text):
        return _NONE
    try:
        value = int(text.partition(".")[0])
    except ValueError:  # more digits than Python converts
        return _NONE
    return value if not textual or str(value) == text else _NONE  # if strings are allowed, 007 stays a string


def _number(text: str, textual: bool) -> Any:
    if not _NUMBER.fullmatch(text):
        return _NONE
    whole = _integer(text, textual) if "." not in text else _NONE
    if whole is not _NONE:
        return whole
    value = float(text)
    if value in {float("inf"), float("-inf")}:
        return _NONE
    return value if not textual or repr(value) == text else _NONE


def _array(text: str, part: schema.Schema, root: schema.Schema) -> list[Any]:
    if text.lstrip().startswith("["):
        value = _json(text, "array")
        assert isinstance(value, list)
        return value
    if not text:
        return []
    first = part.get("prefixItems", ())
    items = schema.expand(part.get("items"), root)
    kinds = schema.types(items)
    if not first and ("object" in kinds or "array" in kinds) and ("string" not in kinds or text.lstrip().startswith("{")):
        return [coerce(text, items, root)]
    values: list[Any] = []
    for index, piece in enumerate(text.split(",")):
        item = schema.expand(first[index], root) if index < len(first) else items
        typed = kinds if item is items else schema.types(item)
        values.append(coerce(piece.strip(), item, root) if typed else piece.strip())
    return values


def _object(text: str, part: schema.Schema, root: schema.Schema) -> dict[str, Any]:
    if text.lstrip().startswith("{"):
        value = _json(text, "object")
        assert isinstance(value, dict)
        return value
    pairs: list[list[str]] = []
    for piece in text.split(","):
        key, equals, argument = piece.partition("=")
        if equals:
            pairs.append([key.strip(), argument])
        elif pairs:  # a comma inside a value
            pairs[-1][1] += "," + piece
        else:
            raise ValueError(f"expected a JSON object or key=value pairs, got {text!r}")
    properties = schema.fields(part)
    other = part.get("additionalProperties", {"type": "string"})
    return {key: coerce(argument, schema.expand(properties.get(key, other), root), root) for key, argument in pairs}


def _json(text: str, kind: str) -> Any:
    try:
        return json_text.decode(text)
    except ValueError as error:
        raise ValueError(f"not valid JSON for an {kind}: {error}") from None
