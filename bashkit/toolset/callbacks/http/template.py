"""Fills arguments and variables into the texts of an HTTP request, each escaped as its position requires."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bashkit.errors import ToolError
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# ${VAR}, ${VAR:-default}, $$ in texts with variables; {{ and }} for braces; {argument}, {argument|separator} and {argument|[]}
_VARIABLE = r"\$\$|\$\{(?P<variable>[A-Za-z_][A-Za-z0-9_]*)(?::-(?P<default>[^}]*))?\}|"
_ARGUMENT = r"\{\{|\}\}|\{(?P<argument>[^{}|]+)(?:\|(?P<separator>[^{}]*))?\}"
_PLAIN = re.compile(_ARGUMENT)
_FULL = re.compile(_VARIABLE + _ARGUMENT)
_LITERAL = {"$$": "$", "{{": "{", "}}": "}"}
_BRACKETS = "[]"  # in the place of a separator: the fields of an object as name[field], the items of an array as name[]
_HOLE = "\0"  # stands for an argument while only the fixed part of a URL is examined
MISSING = object()


@dataclass(frozen=True, slots=True)
class Values:
    """The values that fill a text.

    Attributes:
        arguments: The arguments of the call.
        variables: The environment and the secrets of the toolset.
    """

    arguments: Mapping[str, Any]
    variables: Mapping[str, str]

    def given(self, name: str) -> bool:
        """Whether the call has the argument, with a value other than null."""
        return self.arguments.get(name) is not None

    def variable(self, match: re.Match[str]) -> str:
        """The value of ``${VAR}``.

        Raises:
            ToolError: It is not set and has no default.
        """
        value = self.variables.get(match["variable"], "")
        if value or (match["default"] is None and match["variable"] in self.variables):
            return value
        if match["default"] is None:
            raise ToolError(f"the variable {match['variable']} is not set")
        return match["default"]


def placeholders(value: Any) -> Iterator[str]:
    """The names of the arguments that a text, or a JSON value of texts, contains."""
    if isinstance(value, str):
        yield from (match["argument"] for match in _FULL.finditer(value) if match["argument"] is not None)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from placeholders(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from placeholders(inner)


def literal(text: str) -> str:
    """Escape braces and dollar signs in a text."""
    return text.replace("$", "$$").replace("{", "{{").replace("}", "}}")


def url_of(template: str, values: Values) -> tuple[str, str]:
    """Return the URL with percent-encoded arguments (RFC 6570, 3.2.2), and the part before its path with a NUL for each argument.

    Raises:
        ToolError: An argument is missing, empty, or would lead to another path.
    """

    def filled(name: str, separator: str | None) -> str:
        if not values.given(name):
            raise ToolError(f"--{name} is required", 2)
        text = (separator or ",").join(quote(text, safe="") for text in _texts(values.arguments[name]))
        if not text:
            raise ToolError(f"--{name} is empty: it is a part of the address", 2)
        return text

    url = _fill(template, values, filled)
    fixed = _fill(template, values, lambda _name, _separator: _HOLE)
    scheme, slashes, rest = fixed.partition("://")
    if any(step in {".", ".."} for step in re.split(r"[?#]", url, maxsplit=1)[0].split("/")[3:]):
        raise ToolError("an argument would lead to another address: it is . or ..", 2)
    return url, scheme + slashes + re.split(r"[/?#]", rest, maxsplit=1)[0]


def has_holes(authority: str) -> bool:
    """Whether arguments decide which host is contacted."""
    return _HOLE in authority


def header_of(template: str, values: Values, *, parts: bool = False) -> str | None:
    """Fill a header's text; None if it contains arguments and all of them are missing.

    Args:
        template: The text.
        values: The values to fill in.
        parts: Fill each part between ``; `` separately, as in ``Cookie``.

    Raises:
        ToolError: The text would be more than one line, or a variable is not set.
    """
    pieces = template.split("; ") if parts else [template]
    texts = [text for piece in pieces if (text := _optional(piece, values)) is not None]
    if not texts:
        return None
    if any(char in text for text in texts for char in "\r\n\0"):
        raise ToolError("a header is one line", 2)
    return "; ".join(texts)


def basic_of(template: str, values: Values) -> str:
    """Fill the text ``user:password`` and encode it for a header (RFC 7617).

    Raises:
        ToolError: A variable is not set.
    """
    return b64encode(_filled(template, values).encode("utf-8", "surrogateescape")).decode("ascii")


def query_of(templates: Mapping[str, Any], values: Values) -> str:
    """The query of a URL, percent-encoded, without parameters that have no value."""
    pairs: list[str] = []
    for name, template in templates.items():
        if not isinstance(template, str):
            pairs.append(f"{_encoded(name)}={_encoded(_word(template))}")
            continue
        whole = _PLAIN.fullmatch(template)
        if whole is not None and whole["argument"] is not None:
            if values.given(whole["argument"]):
                pairs += _pairs(name, values.arguments[whole["argument"]], whole["separator"])
            continue
        text = _optional(template, values)
        if text is not None:
            pairs.append(f"{_encoded(name)}={_encoded(text)}")
    return "&".join(pairs)


def form_of(templates: Mapping[str, Any], values: Values) -> str:
    """A body that is a form: as a query, but an object is JSON (OpenAPI 3.1.1, Encoding Object)."""
    pairs: list[str] = []
    for name, template in templates.items():
        whole = _PLAIN.fullmatch(template) if isinstance(template, str) else None
        if whole is not None and whole["separator"] is not None:
            if values.given(whole["argument"]):
                pairs += _pairs(name, values.arguments[whole["argument"]], whole["separator"])
            continue
        value = body_of(template, values)
        items = value if isinstance(value, list) else [] if value is MISSING else [value]
        pairs += [f"{_encoded(name)}={_encoded(_word(item))}" for item in items]
    return "&".join(pairs).replace("%20", "+")


def _pairs(name: str, value: Any, separator: str | None) -> list[str]:
    """The pairs of a query parameter: an array is repeated or joined, an object gives its fields (OpenAPI: form, deepObject)."""
    if separator is None and isinstance(value, dict) and name.endswith(_BRACKETS):  # as imported files had it before {name|[]}
        name, separator = name.removesuffix(_BRACKETS), _BRACKETS
    if separator == _BRACKETS:
        return [f"{_encoded(key)}={_encoded(text)}" for key, text in _bracketed(name, value)]
    if separator is not None and isinstance(value, (list, dict)):
        return [f"{_encoded(name)}={_joint(separator).join(map(_encoded, _texts(value)))}"]
    if isinstance(value, list):
        return [f"{_encoded(name)}={_encoded(_word(item))}" for item in value]
    if isinstance(value, dict):
        return [f"{_encoded(key)}={_encoded(_word(item))}" for key, item in value.items()]
    return [f"{_encoded(name)}={_encoded(_word(value))}"]


def _bracketed(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """The pairs of deepObject; of what is nested, the specification says nothing, and this is what servers take."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _bracketed(f"{name}[{key}]", inner)
    elif isinstance(value, list):
        plain = not any(isinstance(item, (dict, list)) for item in value)
        for index, item in enumerate(value):
            yield from _bracketed(f"{name}[{'' if plain else index}]", item)
    else:
        yield name, _word(value)


def _joint(separator: str) -> str:
    return separator if separator == "," else _encoded(separator)


def body_of(template: Any, values: Values) -> Any:
    """Fill the body; ``"{name}"`` alone becomes the argument's value of any type. MISSING if there is nothing to send."""
    if isinstance(template, dict):
        found = {key: body_of(inner, values) for key, inner in template.items()}
        left = {key: value for key, value in found.items() if value is not MISSING}
        return left if left or not template else MISSING
    if isinstance(template, list):
        items = [body_of(inner, values) for inner in template]
        return [item for item in items if item is not MISSING]
    if not isinstance(template, str):
        return template
    whole = _PLAIN.fullmatch(template)
    if whole is not None and whole["argument"] is not None:
        value = values.arguments.get(whole["argument"], MISSING)
        return value if whole["separator"] is None or value is MISSING else whole["separator"].join(_texts(value))

    return _filled(template, values)


def _optional(template: str, values: Values) -> str | None:
    """Fill the placeholders of a text; None if it has arguments and all of them are missing."""
    names = list(placeholders(template))
    return None if names and not any(map(values.given, names)) else _filled(template, values)


def _filled(template: str, values: Values) -> str:
    """Fill the placeholders of a text; a missing argument becomes an empty text."""

    def filled(name: str, separator: str | None) -> str:
        if not values.given(name):
            return ""
        value = values.arguments[name]
        return (separator or ",").join(_texts(value)) if isinstance(value, list) or separator is not None else _word(value)

    return _fill(template, values, filled)


def _fill(template: str, values: Values, filled: Callable[[str, str | None], str]) -> str:
    def replace(match: re.Match[str]) -> str:
        if match["variable"] is not None:
            return values.variable(match)
        if match["argument"] is not None:
            return filled(match["argument"], match["separator"])
        return _LITERAL[match[0]]

    return _FULL.sub(replace, template)


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [_word(item) for item in value]
    if isinstance(value, dict):
        return [_word(part) for pair in value.items() for part in pair]
    return [_word(value)]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json_text.encode(value)


def _encoded(text: str) -> str:
    return quote(text, safe="", errors="replace")
