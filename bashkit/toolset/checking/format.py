"""Turns violations of the toolset format's JSON Schema into messages that an author can act on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.define.schema import type_name
from bashkit.toolset import callbacks, sources
from bashkit.toolset.schema.generation import validator
from bashkit.toolset.text.suggestions import suggestion
from bashkit.toolset.text.yaml_text import flow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jsonschema.exceptions import ValidationError

    from bashkit.toolset.callback import Callback
    from bashkit.toolset.source import Source
    from bashkit.toolset.text.document import Document, Path

# planned keys of the format that this version does not read: refused rather than ignored
_PLANNED = frozenset({"record", "replay"})
_DURATION = "a duration is a number of seconds, or one with a unit: 500ms, 30s, 2m, 1h"
_VARIABLE = "the name of a variable has letters, digits and _, and no digit first"
_PATTERNS = {
    "name": "a toolset's name starts with a letter or underscore and goes on with letters, digits, _ and -",
    **dict.fromkeys(("timeout", "backoff", "delay", "max_backoff", "cache"), _DURATION),
    **dict.fromkeys(("setup", "teardown"), "a Python function is a dotted path: module.function"),
    "input_schema": "an input schema is an object, or the word signature",
    "name in tests": "a test's name is one line that starts with a letter or digit",
    "env": _VARIABLE,
    "secrets": _VARIABLE,
    "prefix": "a prefix starts with a letter or underscore and goes on with letters, digits, _ . : and -",
    "url": "a URL begins with http:// or https://",
    "base_url": "a URL begins with http:// or https://",
    "at": "a mount is at an absolute path: /data",
}
_DURATIONS = frozenset({"timeout", "backoff", "delay", "max_backoff", "cache"})
_OWNERS = {
    "secrets": "a secret",
    "include": "an included file",
    "tools": "a tool",
    "mounts": "a mount",
    "tests": "a test",
    "examples": "an example",
}
_SYNONYMS = {  # the names of these keys in other formats
    "parameters": "input_schema", "params": "input_schema", "arguments": "input_schema", "schema": "input_schema",
    "inputSchema": "input_schema", "inputs": "input_schema", "returns": "output_schema", "outputSchema": "output_schema",
    "output": "output_schema", "handler": "callback", "function": "callback", "command": "callback", "run": "callback",
    "python": "callback", "mock": "stub", "mocks": "stubs", "environment": "env", "imports": "include", "includes": "include",
}  # fmt: skip
_TYPES = {
    "int": "integer", "long": "integer", "float": "number", "double": "number", "decimal": "number", "str": "string",
    "text": "string", "date": "string", "bool": "boolean", "list": "array", "tuple": "array", "dict": "object", "map": "object",
    "none": "null",
}  # fmt: skip
_JSON_TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"]
_TRUTHS = {
    "yes": "true",
    "on": "true",
    "true": "true",
    "y": "true",
    "1": "true",
    "no": "false",
    "off": "false",
    "false": "false",
    "n": "false",
    "0": "false",
}
_WRITTEN = {"tools": "name", "mounts": "directory"}
_LAYMANS = {
    "null": "nothing",
    "string": "text",
    "array": "a list",
    "integer": "a number",
    "number": "a number",
    "boolean": "true or false",
}


def check_format(document: Document) -> None:
    """Note every violation of the format's JSON Schema in a document."""
    if not isinstance(document.value, dict):
        message = f"a toolset is keys and values, not {_LAYMANS.get(type_name(document.value), type_name(document.value))}"
        document.at((), message, hint="write version: 1 on the first line")
        return
    for error in validator().iter_errors(document.value):
        path: Path = tuple(error.absolute_path)
        # the YAML reader has reported this value; only mistakes inside it are new
        if document.right(path) or error.validator in {"additionalProperties", "required", "not", "anyOf"}:
            _note(document, error, path)


def _note(document: Document, error: ValidationError, path: Path) -> None:
    keyword, value = error.validator, error.instance
    limit: Any = error.validator_value
    if keyword == "additionalProperties" and isinstance(value, dict):
        _unknown_keys(document, path, value, error.schema)
    elif keyword == "required" and isinstance(limit, list) and isinstance(value, dict):
        _missing(document, path, [name for name in limit if name not in value])
    elif keyword == "anyOf" and path[:1] == ("tests",):
        document.at(path, "a test needs a script", hint="add script: with bash, or python: with Python code")
    elif keyword == "anyOf":
        document.at(path, f"the tool {_name(value)} needs a callback", hint="add callback: {python: module.function}, or a stub")
    elif keyword == "not" and isinstance(value, str):
        _misplaced_key(document, path, value)
    elif keyword == "type":
        expected = " or ".join([limit] if isinstance(limit, str) else limit)
        hint = _conversion(expected, value, path) or _example(error.schema)
        document.at(path, f"expected {expected}, got {type_name(value)}", hint=hint)
    elif keyword in {"enum", "const"}:
        choices = limit if isinstance(limit, list) else [limit]
        words = [choice if isinstance(choice, str) else json_text.encode(choice) for choice in choices]
        hint = (
            f"write {words[0]} without quotes"
            if str(value) == words[0] and isinstance(value, str)
            else suggestion(str(value), words)
        )
        document.at(path, f"expected {' or '.join(words)}, got {_short(value)}", hint=hint)
    elif keyword == "pattern":
        _unfitting(document, path, value, str(limit), is_key="propertyNames" in error.absolute_schema_path)
    else:
        _out_of_bounds(document, path, str(keyword), value, limit, error.message)


def _unfitting(document: Document, path: Path, value: Any, pattern: str, *, is_key: bool) -> None:
    known = "name in tests" if path[:1] == ("tests",) else str(path[-1] if path[0] != "secrets" else "secrets")
    message = {**_PATTERNS, **_kind_patterns()}.get(known, f"{_short(value)} does not match {pattern}")
    document.at((*path, value) if is_key else path, message, key=is_key)


def _out_of_bounds(document: Document, path: Path, keyword: str, value: Any, limit: Any, message: str) -> None:
    if keyword == "uniqueItems":
        index = next(index for index, item in enumerate(value) if item in value[:index])
        document.at((*path, index), f"{_short(value[index])} is listed twice")
        return
    if keyword == "exclusiveMinimum" and path[-1] in _DURATIONS:
        document.at(path, "a duration is more than 0")
        return
    words = {
        "minimum": f"expected at least {limit}, got {_short(value)}",
        "exclusiveMinimum": f"expected more than {limit}, got {_short(value)}",
        "maximum": f"expected at most {limit}, got {_short(value)}",
        "minLength": f"expected some text, got {_short(value)}",
        "minItems": "expected at least one entry",
        "maxLength": f"expected at most {limit} characters, got {len(value) if isinstance(value, str) else 0}",
    }
    document.at(path, words.get(keyword, message))


def _unknown_keys(document: Document, path: Path, value: Mapping[str, Any], schema: Any) -> None:
    known = list(schema.get("properties", ()))
    for key in value:
        if key in known or key.startswith("x-"):
            continue
        if key in _PLANNED:
            document.at((*path, key), f"{key!r} is not supported yet", hint=f"write x-{key} to keep it in the file", key=True)
            continue
        synonym = _SYNONYMS.get(key, "")
        meant = f"did you mean {synonym}?" if synonym in known else suggestion(key, known)
        document.at((*path, key), f"unknown key {key!r}", hint=meant or f"known here: {', '.join(known)}", key=True)


def _misplaced_key(document: Document, path: Path, key: str) -> None:
    """Note a key that the declared kind of callback or source does not take."""
    around: Any = document.value
    for step in path:
        around = around[step]
    kinds: Sequence[type[Callback | Source]] = callbacks.kinds() if path[-1] == "callback" else sources.kinds()
    kind = next(kind for kind in kinds if kind.key in around)
    document.at((*path, key), f"{kind.noun} takes no {key!r}", key=True)


def _missing(document: Document, path: Path, names: list[str]) -> None:
    if not names:
        return
    if path[-1:] == ("callback",):
        kind = next((kind for kind in callbacks.kinds() if names[0] in kind.required), None)
        if kind is not None:
            document.at(path, f"{kind.noun} needs a {names[0]}: {kind.required[names[0]]}")
        elif not _mistyped(document, path, _callback_keys()):
            hint = f"callback: {{{_callback_keys()[0]}: module.function}}"
            document.at(path, f"a callback needs {_either(_callback_keys())}", hint=hint)
        return
    if path[-2:-1] == ("callback",):
        kind = callbacks.CALLBACKS.find(str(path[-1]))
        document.at(path, f"{kind.noun if kind is not None else path[-1]} needs a {names[0]}")
        return
    if path[:1] == ("sources",):
        if not _mistyped(document, path, _source_keys()):
            document.at(path, f"a source needs {_either(_source_keys())}")
        return
    step = "examples" if "examples" in path else str(path[0]) if path else ""
    for name in names:
        hint = "write version: 1 on the first line" if name == "version" else ""
        document.at(path, f"{_OWNERS.get(step, 'a toolset')} needs {repr(name) if name == 'at' else f'a {name}'}", hint=hint)


def _callback_keys() -> list[str]:
    return [kind.key for kind in callbacks.kinds()]


def _source_keys() -> list[str]:
    return [kind.key for kind in sources.kinds()]


def _kind_patterns() -> dict[str, str]:
    return {key: text for kind in callbacks.kinds() for key, text in kind.patterns.items()}


def _mistyped(document: Document, path: Path, keys: list[str]) -> bool:
    """Whether a key looks like a misspelled kind; that is reported instead of a missing kind."""
    value: Any = document.value
    for step in path:
        value = value[step]
    return any(suggestion(key, keys) for key in value)


def _either(keys: list[str]) -> str:
    *names, last = keys
    return f"{', '.join(names)} or {last}"


def schema_hint(schema: Any, path: Path, message: str) -> str:
    """The hint for an invalid JSON Schema."""
    value: Any = schema
    try:
        for step in path:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        return ""
    if not message.startswith("not a JSON Schema"):
        return ""
    if path[-1:] == ("required",) and isinstance(value, bool) and path[-3:-2] == ("properties",):
        name = f"[{path[-2]}]"
        return f"required of the object lists the names: required: {name}" if value else "leave it out: that is the default"
    if not isinstance(value, str):
        return ""
    if path[-1:] == ("type",):
        meant = _TYPES.get(value.casefold())
        return f"did you mean {meant}?" if meant else suggestion(value, _JSON_TYPES)
    if path[-2:-1] == ("properties",) or path[-1:] == ("items",):
        kind = _TYPES.get(value.casefold(), value)
        return f"write {{type: {kind}}}" if kind in _JSON_TYPES else ""
    return f"write [{value}]" if path[-1:] in {("required",), ("enum",)} else ""


def _conversion(expected: str, value: Any, path: Path) -> str:
    if value is None:
        return "give it a value, or leave the key out" if isinstance(path[-1], str) else ""
    if expected == "array":
        return f"write [{value}]" if isinstance(value, (str, int)) else "write each entry behind a hyphen"
    if expected == "string" and isinstance(value, (int, float, bool)):
        return f'write "{json_text.encode(value)}" in quotes'
    if expected == "boolean":
        truth = _TRUTHS.get(str(value).casefold())
        return f"write {truth}" if truth else ""
    if expected == "object" and isinstance(value, str):
        owner = path[-1] if isinstance(path[-1], str) else path[0] if len(path) == 2 else ""
        key = _main_key(str(owner))
        return f"write {{{key}: {value}}}" if key and "\n" not in value else ""
    return ""


def _example(schema: Any) -> str:
    """Keys and values that would be right, as an author writes them; "" if the schema shows none."""
    examples = schema.get("examples", ()) if isinstance(schema, dict) else ()
    return next((f"such as {flow(example)}" for example in examples if isinstance(example, dict)), "")


def _main_key(owner: str) -> str | None:
    """The key to which a text may belong that stands in the place of an object."""
    first = {"callback": _callback_keys()[0], "sources": _source_keys()[0]}
    kind = callbacks.CALLBACKS.find(owner)
    needed = kind.properties[owner].get("required") if kind is not None else None
    return first.get(owner) or _WRITTEN.get(owner) or (needed[0] if needed else None)


def _name(value: Any) -> str:
    return repr(value["name"]) if isinstance(value, dict) and "name" in value else "here"


def _short(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json_text.encode(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
