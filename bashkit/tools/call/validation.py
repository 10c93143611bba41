"""Checks a call's arguments against the input schema, with messages that name the flag, the value and what was expected."""

from __future__ import annotations

import copy
import re
from datetime import datetime, time
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import re2
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from referencing import Registry

from bashkit.tools import json_text
from bashkit.tools.call.flat_schema import flat_schema
from bashkit.tools.define import schema
from bashkit.tools.describe.notation import SHOWN, expectation, show

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_FORMATS = FormatChecker(["date", "email", "ipv4", "ipv6", "idn-email", "regex", "uuid"])
_MAX_DEPTH = 100  # maximum nesting of arrays and objects
_MAX_PROBLEMS = 20
_MEMBERS = frozenset({"required", "additionalProperties", "unevaluatedProperties"})  # keywords about which members there are


@_FORMATS.checks("date-time", raises=ValueError)
def _date_time(value: object) -> bool:
    return not isinstance(value, str) or ("T" in value.upper() and datetime.fromisoformat(value).tzinfo is not None)


@_FORMATS.checks("time", raises=ValueError)
def _time(value: object) -> bool:
    return not isinstance(value, str) or bool(time.fromisoformat(value))


@_FORMATS.checks("uri", raises=ValueError)
def _uri(value: object) -> bool:
    return not isinstance(value, str) or (bool(urlsplit(value).scheme) and not re.search(r"[\s<>\"{}|\\^`]", value))


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> Any:
    """Compile a pattern for a matcher that takes linear time where possible, because the value comes from an untrusted script."""
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:  # look-around and back-references: only Python's matcher supports them
        return re.compile(pattern)


def _pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    """Check ``pattern`` with our matcher."""
    if isinstance(value, str) and not _matcher(pattern).search(value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Mapping[str, Any], value: Any, _schema: Any) -> Iterator[ValidationError]:
    """Check ``patternProperties`` with our matcher."""
    if isinstance(value, dict):
        for pattern, part in patterns.items():
            for key in filter(_matcher(pattern).search, value):
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
    matchers = [_matcher(pattern) for pattern in part.get("patternProperties", ())]
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
        """Copy the arguments and fill in the schema's defaults. Arguments that are nested too deeply stay as they are;
        ``problems`` rejects them.

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
        value = error.instance
        part = schema.expand(error.schema, self._root)
        keyword = str(error.validator)
        if keyword == "required" and isinstance(error.validator_value, list) and isinstance(value, dict):
            return [self._missing(name, part, error) for name in error.validator_value if name not in value]
        if keyword == "dependentRequired" and isinstance(value, dict):
            dependents: Any = error.validator_value
            needed = {name for given, names in dependents.items() if given in value for name in names}
            return [self._missing(name, part, error) for name in sorted(needed - value.keys())]
        if keyword in {"additionalProperties", "unevaluatedProperties"} and isinstance(value, dict):
            return self._unknown(value, part, error)
        if keyword in {"anyOf", "oneOf"} and isinstance(value, (dict, list)):
            sentences = self._alternatives(error)
            if sentences:
                return sentences
        if keyword in {"type", "enum", "const", "anyOf", "oneOf", "format"}:
            return [f"{flag}: expected {expectation(part)}, got {show(value)}{_suggest(value, part)}"]
        expected = _expected(keyword, error.validator_value)
        if expected:
            return [f"{flag}: expected {expected}, got {show(value)}"]
        return [f"{flag}: {error.message[:200]}"]

    @staticmethod
    def _name(path: list[Any]) -> str:
        """The name of the value at ``path`` in messages."""
        return flag_name(path)

    def _missing(self, name: str, part: schema.Schema, error: ValidationError) -> str:
        declared = schema.fields(part).get(name)
        if declared is None:  # by a part of the schema that only says what is required
            declared = schema.fields(self._part_at(error.absolute_path)).get(name)
        inner = schema.expand(declared, self._root)
        return f"{self._name([*error.absolute_path, name])} {self._MISSING}: expected {expectation(inner)}"

    def _part_at(self, path: Iterable[Any]) -> schema.Schema:
        """The expanded schema of the value at ``path``."""
        part = self._expanded(self._root)
        for step in path:
            part = schema.expand(schema.fields(part).get(step) if isinstance(step, str) else part.get("items"), self._root)
        return part

    def _alternatives(self, error: Any) -> list[str]:
        """What is wrong with an array or object that is none of ``anyOf`` or ``oneOf``, or several of ``oneOf``; [] if nothing
        better can be said than what was expected.
        """
        place, branches = list(error.absolute_path), _fitting(error)
        if len(branches) == 1:
            return [sentence for inner in sorted(branches[0], key=_order) for sentence in self._sentences(inner)]
        tags = [one for found in branches for one in found if _is_tag(one) and one.path == branches[0][0].path]
        if tags:
            value, choices = tags[0].instance, [choice for tag in tags for choice in schema.choices_of(tag.schema) or ()]
            flag = self._name([*place, *tags[0].path])
            return [f"{flag}: expected {expectation({'enum': choices})}, got {show(value)}{_suggest(value, {'enum': choices})}"]
        groups = [_missing_names(found) for found in branches]
        if groups and all(groups):
            shared = [name for name in groups[0] if all(name in group for group in groups)]
            together = " or ".join(self._together(place, group) for group in groups)
            return [self._missing(name, {}, error) for name in shared] or [f"{together} {self._MISSING}"]
        if error.context:
            return []
        several = [part["required"] for part in error.validator_value if isinstance(part, dict) and part.keys() == {"required"}]
        if len(several) == len(error.validator_value):
            return [f"only one may be given of {' and '.join(self._together(place, group) for group in several)}"]
        return [f"{self._name(place)}: {show(error.instance)} fits more than one of the alternatives"]

    def _together(self, place: list[Any], names: list[str]) -> str:
        return " with ".join(self._name([*place, name]) for name in names)

    def _unknown(self, value: Mapping[str, Any], part: schema.Schema, error: ValidationError) -> list[str]:
        known = list(schema.fields(part))
        sentences = []
        for key in _extra(value, part)[:_MAX_PROBLEMS]:
            close = get_close_matches(key[:SHOWN].replace("-", "_"), known, 1)
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


def _fitting(error: ValidationError) -> list[list[Any]]:
    """The mistakes by the branches of ``anyOf`` or ``oneOf`` that may be meant: those that allow the value's type, and of these
    the ones whose tags are right, and of these the ones whose members are there; all of them if that leaves none.
    """
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    fitting = [found for found in branches.values() if not any(one.validator == "type" and not one.path for one in found)]
    for found in fitting:
        found.sort(key=_is_tag, reverse=True)
    tagged = [found for found in fitting if not _is_tag(found[0])] or fitting
    return [found for found in tagged if not any(one.validator in _MEMBERS and not one.path for one in found)] or tagged


def _is_tag(error: ValidationError) -> bool:
    """Whether a mistake is that a member is not the value, or none of the values, by which a branch is told from others."""
    return error.validator in {"const", "enum"} and len(error.path) == 1


def _missing_names(found: list[Any]) -> list[str]:
    """The members that are missing, if nothing else is wrong; else []."""
    if any(error.validator != "required" or error.path for error in found):
        return []
    return list(dict.fromkeys(name for error in found for name in error.validator_value if name not in error.instance))


def _order(error: ValidationError) -> tuple[list[str], bool]:
    return [str(step) for step in error.absolute_path], error.validator != "required"


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
    close = get_close_matches(value.casefold(), choices, 1) if isinstance(value, str) and len(value) <= SHOWN else []
    return f" (did you mean {choices[close[0]]}?)" if close else ""


def _expected(keyword: str, limit: Any) -> str:
    return {
        "minimum": f"at least {limit}",
        "maximum": f"at most {limit}",
        "exclusiveMinimum": f"more than {limit}",
        "exclusiveMaximum": f"less than {limit}",
        "multipleOf": f"a multiple of {limit}",
        "minLength": f"at least {limit} characters",
        "maxLength": f"at most {limit} characters",
        "pattern": f"text that matches {limit}",
        "minItems": f"at least {limit} items",
        "maxItems": f"at most {limit} items",
        "uniqueItems": "items that differ",
        "minProperties": f"at least {limit} fields",
        "maxProperties": f"at most {limit} fields",
    }.get(keyword, "")
