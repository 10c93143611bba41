"""Checks a call's arguments against the input schema, with messages that name the flag, the value and what was expected."""

from __future__ import annotations

import copy
import re
from datetime import datetime, time
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry

from bashkit.limits import COMPARED, paced
from bashkit.tools import json_text
from bashkit.tools.call.flat_schema import flat_schema
from bashkit.tools.define import schema
from bashkit.tools.define.patterns import matcher
from bashkit.tools.describe.notation import SHOWN, counted, expectation, show

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FORMATS = FormatChecker(["date", "email", "ipv4", "ipv6", "idn-email", "regex", "uuid"])
_BEGINNING = 2048  # characters of an address that are read: ``urlsplit`` keeps what it was asked last, however long
_MAX_DEPTH = 100  # maximum nesting of arrays and objects
_MAX_PROBLEMS = 20
_CHOICES = frozenset({"enum", "const"})
_EXPECTED = _CHOICES | {"type", "format"}  # the keywords that an expectation tells
_FORMS = 3  # maximum forms whose mistakes are told


@_FORMATS.checks("date-time", raises=ValueError)
def _date_time(value: object) -> bool:
    return not isinstance(value, str) or ("T" in value.upper() and datetime.fromisoformat(value).tzinfo is not None)


@_FORMATS.checks("time", raises=ValueError)
def _time(value: object) -> bool:
    return not isinstance(value, str) or bool(time.fromisoformat(value))


@_FORMATS.checks("uri", raises=ValueError)
def _uri(value: object) -> bool:
    return not isinstance(value, str) or (bool(urlsplit(value[:_BEGINNING]).scheme) and not re.search(r"[\s<>\"{}|\\^`]", value))


def _pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """Check ``pattern`` with our matcher."""
    if isinstance(value, str) and not matcher(pattern).search(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Mapping[str, Any], value: Any, _schema: Any) -> Iterator[ValidationError]:
    """Check ``patternProperties`` with our matcher."""
    if isinstance(value, dict):
        for pattern, part in patterns.items():
            for key in filter(matcher(pattern).search, value):
                yield from validator.descend(value[key], part, path=key, schema_path=pattern)


def _additional_properties(validator: Any, part: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    """Check ``additionalProperties`` with our matcher."""
    extra = _extra(value, schema) if isinstance(value, dict) else []
    if isinstance(part, dict):
        for key in extra:
            yield from validator.descend(value[key], part, path=key)
    elif extra and not part:
        yield ValidationError(f"{', '.join(extra)[:SHOWN]} not expected")


def _extra(value: Mapping[str, Any], part: Any) -> list[str]:
    """The keys that neither ``properties`` nor ``patternProperties`` cover."""
    known = part.get("properties", {})
    matchers = [matcher(pattern) for pattern in part.get("patternProperties", ())]
    return [key for key in value if key not in known and not any(matcher.search(key) for matcher in matchers)]


def _multiple_of(_validator: Any, unit: float, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """Check ``multipleOf`` by the digits as they are written: as binary fractions 19.99 is no multiple of 0.01."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return
    if not isfinite(value) or _exact(value) % _exact(unit):
        yield ValidationError(f"{value!r} is not a multiple of {unit!r}")


def _exact(number: float) -> Fraction:
    return Fraction(number) if isinstance(number, int) else Fraction(repr(number))


def _unique(_validator: Any, wanted: bool, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """Check ``uniqueItems`` in linear time; jsonschema's own check compares every pair."""
    if wanted and isinstance(value, list) and len({_key(item) for item in value}) < len(value):
        yield ValidationError("the items are not unique")


def _key(value: Any) -> str:
    """A key that is equal for values that are equal in JSON, where 1 and 1.0 are the same number."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{key!r}:{_key(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_key, value)) + "]"
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)


_extend: Any = extend  # jsonschema leaves it untyped
_Validator = _extend(
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique,
        "multipleOf": _multiple_of,
    },
)


class ArgumentChecker:
    """Fills in defaults and validates the arguments of one tool.

    Args:
        input_schema: The tool's schema, which must be valid JSON Schema.
    """

    __slots__ = ("_flat", "_made", "_parts", "_root")

    _MISSING = "is required"
    _MEMBER = "a parameter"

    def __init__(self, input_schema: Mapping[str, Any]) -> None:
        self._root: schema.Schema = schema.strict(dict(input_schema))
        self._flat = flat_schema(self._root)
        self._made: Any = None
        self._parts: dict[int, schema.Schema] = {}

    @property
    def _validator(self) -> Any:
        """The validator, made at the first use because a script calls few of many tools."""
        if self._made is None:
            self._made = _Validator(self._root, registry=Registry(), format_checker=_FORMATS)
        return self._made

    def fill(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Copy the arguments and fill in the schema's defaults.

        What is nested too deeply is left as it is; ``problems`` refuses it.
        """
        if self._flat is not None:
            return self._flat.fill(params)
        if json_text.deeper(dict(params), _MAX_DEPTH):
            return dict(params)
        filled = self._filled(dict(params), self._expanded(self._root))
        assert isinstance(filled, dict)
        return filled

    def _expanded(self, part: Any) -> schema.Schema:
        """Expand a part of the schema, with its references folded in, once."""
        found = self._parts.get(id(part))
        if found is None:
            found = self._parts[id(part)] = schema.expand(part, self._root)
        return found

    def _filled(self, value: Any, part: schema.Schema) -> Any:
        if isinstance(value, dict):
            result = dict(value)
            for name, inner in schema.fields(part).items():
                flat = self._expanded(inner)
                if name in value:
                    result[name] = self._filled(value[name], flat)
                elif "default" in flat:
                    result[name] = copy.deepcopy(flat["default"])
            return result
        if isinstance(value, list) and "items" in part:
            items = self._expanded(part["items"])
            return [self._filled(item, items) for item in value]
        return value

    def problems(self, params: Mapping[str, Any]) -> list[str]:
        """One sentence for each mistake in the arguments, for the first few of very many; empty if they are valid."""
        if self._flat is not None and self._flat.fits(params):
            return []
        if json_text.deeper(dict(params), _MAX_DEPTH):
            return [f"the arguments are nested deeper than {_MAX_DEPTH} levels"]
        return self._found(dict(params))

    def _found(self, value: Any) -> list[str]:
        errors = sorted(islice(self._validator.iter_errors(value), _MAX_PROBLEMS), key=_order)
        return list(dict.fromkeys(sentence for error in errors for sentence in self._sentences(error)))[:_MAX_PROBLEMS]

    def _sentences(self, error: ValidationError) -> list[str]:
        flag = self._name(list(error.absolute_path))
        value, wanted = error.instance, cast("Any", error.validator_value)
        part = schema.expand(error.schema, self._root)
        keyword = str(error.validator)
        if keyword == "required" and isinstance(wanted, list) and isinstance(value, dict):
            return [self._missing(name, part, error) for name in wanted if name not in value]
        if keyword in {"additionalProperties", "unevaluatedProperties"} and isinstance(value, dict):
            return self._unknown(value, part, error)
        if keyword in {"anyOf", "oneOf"}:
            return self._no_form(error, part)
        if keyword == "dependentRequired" and isinstance(wanted, dict) and isinstance(value, dict):
            needed = [(name, key) for key, names in wanted.items() if key in value for name in names]
            return [self._missing(name, part, error, beside=key) for name, key in needed if name not in value]
        if keyword in _EXPECTED:
            return [f"{flag}: expected {expectation(part)}, got {show(value)}{_suggest(value, part)}"]
        if keyword == "not":
            return [self._excluded(flag, error)]
        expected = _expected(keyword, wanted)
        if expected:
            return [f"{flag}: expected {expected}, got {show(value)}"]
        return [f"{flag}: {error.message[:200]}"]

    @staticmethod
    def _name(path: list[Any]) -> str:
        """The name of the value at ``path`` in messages."""
        return flag_name(path)

    def _no_form(self, error: ValidationError, part: schema.Schema) -> list[str]:
        """What is wrong with a value that has none of the forms of ``anyOf`` or ``oneOf``, or several of ``oneOf``."""
        place, value = list(error.absolute_path), error.instance
        flag, forms = self._name(place), _forms(error)
        if not error.context:
            return [self._several(place, error)]
        lacked = [_lacks(form) for form in forms]
        if lacked and all(lacked):
            shared = [name for name in lacked[0] if all(name in names for names in lacked)]
            choices = dict.fromkeys(self._together(place, names) for names in lacked)
            return [self._missing(name, {}, error) for name in shared] or [f"{' or '.join(choices)} {self._MISSING}"]
        tags = [tag for form in forms if (tag := next(filter(_is_tag, form), None)) is not None]
        if 1 < len(forms) == len(tags) and len({tuple(tag.path) for tag in tags}) == 1:
            return [self._unknown_tag(place, tags)]
        closest = _closest(forms)
        if closest and any(one.path or one.validator not in _CHOICES for one in closest):
            return [sentence for inner in sorted(closest, key=_order) for sentence in self._sentences(inner)]
        if any(one.validator not in _EXPECTED for form in forms for one in form):
            reasons = "; or ".join(dict.fromkeys(self._sentences(min(form, key=_telling))[0] for form in forms[:_FORMS]))
            return [f"{flag}: {show(value)} fits no form: {reasons}"]
        declared = [part] if schema.choices_of(part) else cast("list[Any]", error.validator_value)
        expected = " or ".join(dict.fromkeys(expectation(schema.expand(form, self._root)) for form in declared))
        return [f"{flag}: expected {expected}, got {show(value)}{_suggest(value, part)}"]

    def _several(self, place: list[Any], error: ValidationError) -> str:
        """What is wrong with a value that has several of the forms of ``oneOf``."""
        wanted: Any = error.validator_value
        names = [form["required"] for form in wanted if isinstance(form, dict) and form.keys() == {"required"}]
        if len(names) == len(wanted):
            return f"only one may be given of {' and '.join(self._together(place, group) for group in names)}"
        return f"{self._name(place)}: {show(error.instance)} fits several forms, and may fit only one"

    def _unknown_tag(self, place: list[Any], tags: list[ValidationError]) -> str:
        """What is wrong with the member by which forms are told from each other."""
        value, choices = tags[0].instance, [choice for tag in tags for choice in schema.choices_of(cast("Any", tag.schema)) or ()]
        part = {"enum": choices}
        return f"{self._name([*place, *tags[0].path])}: expected {expectation(part)}, got {show(value)}{_suggest(value, part)}"

    def _together(self, place: list[Any], names: list[str]) -> str:
        return " with ".join(self._name([*place, name]) for name in names)

    def _excluded(self, flag: str, error: ValidationError) -> str:
        """What is wrong with a value that ``not`` excludes."""
        excluded, value = error.validator_value, error.instance
        names = excluded.get("required") if isinstance(excluded, dict) and excluded.keys() <= {"required", "type"} else None
        if names and isinstance(value, dict):
            return f"{' and '.join(self._name([*error.absolute_path, name]) for name in names)} exclude each other"
        choices = schema.choices_of(schema.expand(excluded, self._root))
        expected = f"anything but {', '.join(map(show, choices))}" if choices else "what the schema does not exclude"
        return f"{flag}: expected {expected}, got {show(value)}"

    def _missing(self, name: str, part: schema.Schema, error: ValidationError, beside: str = "") -> str:
        path = [*error.absolute_path, name]
        inner = schema.expand(schema.fields(part).get(name), self._root) or self._declared(path)
        given = f" with {self._name([*error.absolute_path, beside])}" if beside else ""
        return f"{self._name(path)} {self._MISSING}{given}{f': expected {expectation(inner)}' if inner else ''}"

    def _declared(self, path: list[Any]) -> schema.Schema:
        """What the schema says of the value at ``path``; ``{}`` where it is silent."""
        part = self._expanded(self._root)
        for step in path:
            part = schema.expand(part.get("items") if isinstance(step, int) else schema.fields(part).get(step), self._root)
        return part

    def _unknown(self, value: Mapping[str, Any], part: schema.Schema, error: ValidationError) -> list[str]:
        known = list(schema.fields(part))
        sentences = []
        for key in _extra(value, part)[:_MAX_PROBLEMS]:
            close = get_close_matches(key[:SHOWN].replace("-", "_"), paced(known, COMPARED), 1)
            hint = f" (did you mean {self._name([*error.absolute_path, close[0]])}?)" if close else ""
            sentences.append(f"{self._name([*error.absolute_path, key[:SHOWN]])} is not {self._MEMBER}{hint}")
        return sentences or [error.message[:200]]


class JsonChecker(ArgumentChecker):
    """Validates arguments that come as JSON: its messages name members, not flags."""

    __slots__ = ()

    @staticmethod
    def _name(path: list[Any]) -> str:
        return flag_name(path).removeprefix("--")


class OutputChecker(ArgumentChecker):
    """Validates the output of a tool.

    Args:
        output_schema: The tool's schema, which must be valid JSON Schema.
    """

    __slots__ = ()

    _MISSING = "is missing"
    _MEMBER = "in the schema"

    def complaints(self, text: str) -> list[str]:
        """The mistakes in an output, which is one JSON value, or text if the schema allows a string."""
        try:
            value = json_text.decode(text)
        except ValueError:
            value = text.removesuffix("\n")
            if "string" not in (schema.types(schema.expand(self._root, self._root)) or ("string",)):
                return ["it is not JSON"]
        if json_text.deeper(value, _MAX_DEPTH):
            return [f"it is nested deeper than {_MAX_DEPTH} levels"]
        return self._found(value)

    @staticmethod
    def _name(path: list[Any]) -> str:
        """A path in jq's notation: ``.orders[0].total``."""
        text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
        return text if text.startswith(".") else f".{text}"


def _forms(error: ValidationError) -> list[list[ValidationError]]:
    """The mistakes by each branch of ``anyOf`` or ``oneOf`` that allows the value's type."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    return [found for found in branches.values() if not any(one.validator == "type" and not one.path for one in found)]


def _lacks(form: list[ValidationError]) -> list[str]:
    """The members that a value lacks by a branch that it fits otherwise."""
    lacked: dict[str, None] = {}
    for one in form:
        wanted, value = cast("Any", (one.validator_value, one.instance))
        if one.validator != "required" or one.path:
            return []
        lacked |= dict.fromkeys(name for name in wanted if name not in value)
    return list(lacked)


def _closest(forms: list[list[ValidationError]]) -> list[ValidationError]:
    """The mistakes by the branch whose members a value has; [] where that could be several branches."""
    others = [sum(not one.path or _is_tag(one) for one in form) for form in forms]
    return forms[others.index(min(others))] if others and others.count(min(others)) == 1 else []


def _is_tag(error: ValidationError) -> bool:
    """Whether a mistake is that a member is not the value, or none of the values, by which a form is told from others."""
    return error.validator in _CHOICES and len(error.path) == 1


def _order(error: ValidationError) -> tuple[list[str], bool]:
    return [str(step) for step in error.absolute_path], error.validator != "required"


def _telling(error: ValidationError) -> tuple[bool, list[str], bool]:
    """The order of mistakes by what they tell about a form: the member that names it comes first."""
    return error.validator not in _CHOICES, *_order(error)


def flag_name(path: list[Any]) -> str:
    """The flag that sets the value at ``path``: ``--address.city``, ``--tags[0]``."""
    if not path:
        return "arguments"
    text = "--" + str(path[0])
    for step in path[1:]:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text


def _suggest(value: Any, part: schema.Schema) -> str:
    choices = {choice.casefold(): choice for choice in schema.choices_of(part) or () if isinstance(choice, str)}
    text = value.casefold() if isinstance(value, str) and len(value) <= SHOWN else ""
    close = get_close_matches(text, paced(choices, COMPARED), 1) if text else []
    return f" (did you mean {choices[close[0]]}?)" if close else ""


def _expected(keyword: str, limit: Any) -> str:
    return {
        "minimum": f"at least {limit}",
        "maximum": f"at most {limit}",
        "exclusiveMinimum": f"more than {limit}",
        "exclusiveMaximum": f"less than {limit}",
        "multipleOf": f"a multiple of {limit}",
        "minLength": f"at least {counted(limit, 'character')}",
        "maxLength": f"at most {counted(limit, 'character')}",
        "pattern": f"text that matches {limit}",
        "minItems": f"at least {counted(limit, 'item')}",
        "maxItems": f"at most {counted(limit, 'item')}",
        "uniqueItems": "items that differ",
        "minProperties": f"at least {counted(limit, 'field')}",
        "maxProperties": f"at most {counted(limit, 'field')}",
    }.get(keyword, "")
