"""Command lines from parameters: the tool reads the same parameters back."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.call.flags import FlagReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.tools import ToolCall, ToolDef

_NAME = re.compile(r"[^\s=.\-][^\s=.]*")  # a parameter that can be a flag, or one step of a dotted flag


def command_line(definition: ToolDef, params: Mapping[str, Any], stdin: str = "") -> str:
    """A call of a tool as a line of bash.

    Args:
        definition: The tool.
        params: Its parameters.
        stdin: The text to pipe into it, or "".
    """
    return _line(definition.name, words(definition, params), stdin)


def call_line(call: ToolCall, definition: ToolDef | None) -> str:
    """A recorded call as a line of bash; long texts stay cut and secrets masked, as in the record.

    Args:
        call: The record.
        definition: The tool, if it still exists.
    """
    given = call.arguments
    if not isinstance(given, dict):
        return _line(call.tool, [str(word) for word in given] if isinstance(given, (list, tuple)) else [str(given)], "")
    if definition is None:
        return _line(call.tool, [json_text.encode(given)] if given else [], "")
    return command_line(definition, given)


def _line(name: str, arguments: list[str], stdin: str) -> str:
    line = " ".join([name, *map(shlex.quote, arguments)])
    return f"printf %s {shlex.quote(stdin)} | {line}" if stdin else line


def words(definition: ToolDef, params: Mapping[str, Any]) -> list[str]:
    """The words after the tool's name: flags where the tool reads exactly these parameters from them, else one JSON object."""
    if not params:
        return []
    reader = FlagReader(definition.input_schema)
    found: list[str] = []
    for name, value in params.items():
        flags = next((candidate for candidate in _candidates(name, value) if _says(reader, candidate, {name: value})), None)
        if flags is None:
            break
        found += flags
    else:
        if _says(reader, found, params):
            return found
    return [json_text.encode(dict(params))]


def _says(reader: FlagReader, arguments: list[str], params: Mapping[str, Any]) -> bool:
    reading = reader.read(arguments)
    plain = not reading.problems and not reading.warnings
    return plain and json_text.encode(reading.params, sort=True) == json_text.encode(dict(params), sort=True)


def _candidates(name: str, value: Any) -> Iterator[list[str]]:
    """Ways to write one parameter, the best first; the schema decides which are right."""
    if not _NAME.fullmatch(name):
        return
    if isinstance(value, bool):
        yield [f"--{name}"] if value else [f"--no-{name}"]
        yield [f"--{name}={json_text.encode(value)}"]
    elif isinstance(value, list):
        yield [word for item in value for word in _flag(name, item)]
        yield [f"--{name}", json_text.encode(value)]
    elif isinstance(value, dict):
        dotted = list(_dotted(name, value))
        if dotted and all(_NAME.fullmatch(step) for path, _ in dotted for step in path.split(".")):
            yield [word for path, inner in dotted for word in _leaf(path, inner)]
        yield [f"--{name}", json_text.encode(value)]
    else:
        yield _flag(name, value)


def _leaf(path: str, value: Any) -> list[str]:
    """One field of an object as a flag."""
    if isinstance(value, bool):
        return [f"--{path}={json_text.encode(value)}"]
    return [f"--{path}", json_text.encode(value)] if isinstance(value, list) else _flag(path, value)


def _dotted(name: str, value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values inside nested objects with their dotted names; an empty object is a value."""
    for key, inner in value.items():
        if isinstance(inner, dict) and inner:
            yield from _dotted(f"{name}.{key}", inner)
        else:
            yield f"{name}.{key}", inner


def _flag(name: str, value: Any) -> list[str]:
    text = value if isinstance(value, str) else json_text.encode(value)
    return [f"--{name}={text}"] if text.startswith("-") or not text else [f"--{name}", text]
