"""Gives the tools of an included file their prefix, also where its own scripts and examples call them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bashkit.syntax.reading import read_script

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def prefixed(tool: Mapping[str, Any], prefix: str, names: Iterable[str]) -> dict[str, Any]:
    """A tool as the including file has it.

    Args:
        tool: The declaration, which fits the schema.
        prefix: The prefix.
        names: The names of all tools, those of the included file with the prefix.
    """
    renamed = {name[len(prefix) :]: name for name in names if name.startswith(prefix)}
    found = {**tool, "name": prefix + tool["name"]}
    if "examples" in tool:
        found["examples"] = [_example(example, renamed) for example in tool["examples"]]
    callback = tool.get("callback", {})
    if "script" in callback and "skill" not in callback:
        found["callback"] = {**callback, "script": with_names(callback["script"], renamed)}
    return found


def _example(example: str | Mapping[str, Any], renamed: Mapping[str, str]) -> str | dict[str, Any]:
    if isinstance(example, str):
        return with_names(example, renamed)
    return {**example, "command": with_names(example["command"], renamed)}


def with_names(script: str, renamed: Mapping[str, str]) -> str:
    """A script that calls commands by new names.

    Args:
        script: The script.
        renamed: The new names by the old ones; what the script itself defines as a function keeps its name.
    """
    read = read_script(script)
    starts = [0, *(match.end() for match in re.finditer("\n", script))]
    places: dict[int, str] = {}
    for command in read.commands:
        name = command.name
        if name is not None and name in renamed and name not in read.functions:
            word = re.compile(rf"(?<![\w./-]){re.escape(name)}(?![\w./-])")
            found = word.search(script, starts[command.line - 1] + command.column - 1)
            if found is not None:
                places[found.start()] = name
    for start in sorted(places, reverse=True):
        script = script[:start] + renamed[places[start]] + script[start + len(places[start]) :]
    return script
