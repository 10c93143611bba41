"""Hints at misspelled field names in jq programs, for which jq itself silently returns null."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bashkit.interp.utility.observing import observed
from bashkit.tools import json_text
from bashkit.tools.define import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bashkit.interp.utility.command import Command
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.define.definition import ToolDef

_FIELD = re.compile(r"""(\$\w+)?\.(?:\[\s*)?(?:"([^"\\]+)"|([A-Za-z_]\w*))""")
_STRING = re.compile(r'"(?:[^"\\]|\\(?!\()|\\\((?:[^()]|\([^()]*\))*\))*"')
_MADE = re.compile(r"""["']?([A-Za-z_]\w*)["']?\s*:|[{,]\s*([A-Za-z_]\w*)\s*(?=[,}])|\.([A-Za-z_]\w*)\s*(?:[-+*/|]?=(?!=))""")
_OTHER_DATA = re.compile(
    r"entries|fromjson|capture|match|\binput_|getpath|setpath|\benv\b|--(?:slurpfile|argjson|rawfile|from-file)|@base64d|splits?\b"
)
_LIKELY = 0.6
_LONGEST_PROGRAM = 2_000  # maximum characters of a jq program
_OBJECTS = 200  # objects of the input that are examined


def hinting(jq: Command, calls: CallContext) -> Command:
    """Wrap ``jq`` to hint, once per script, at a path to a field that the tool behind its input does not have."""
    return observed(jq, _JqObserver(calls))


@dataclass(frozen=True, slots=True)
class _JqObserver:
    """Compares the fields that a program reads with those of the tools that the script has called.

    Attributes:
        calls: The state of the calls.
    """

    calls: CallContext

    def wants(self, words: list[str]) -> bool:
        """Whether the program reads fields, and no hint was given."""
        return self.calls.hints and not self.calls.hinted and bool(_read_by(words))

    def __call__(self, words: list[str], beginning: Callable[[], bytes]) -> str:
        """The hint, or ""."""
        calls = self.calls
        tools = list(calls.called.values())  # the earlier commands of the pipeline have been called by now
        known = {name for tool in tools for shape in _shapes(tool) for name in shape}
        wanted = [name for name in _read_by(words) if name not in known]
        hint = _hint(wanted, beginning(), tools) if wanted and tools and not calls.hinted else ""
        calls.hinted = calls.hinted or bool(hint)
        return hint


@lru_cache(maxsize=256)
def fields_of(program: str) -> tuple[str, ...]:
    """The fields of its input that a jq program reads, as far as can be told; fields that it creates are excluded."""
    if len(program) > _LONGEST_PROGRAM or _OTHER_DATA.search(program):
        return ()
    plain = _STRING.sub(_interpolations, program)
    made = {name for match in _MADE.finditer(plain) for name in (match[1], match[3]) if name}
    shorthand = [match[2] for match in _MADE.finditer(plain) if match[2]]  # {name} reads .name
    read = [match[2] or match[3] for match in _FIELD.finditer(plain) if match[1] is None]
    return tuple(dict.fromkeys(name for name in [*read, *shorthand] if name not in made))


def _interpolations(match: re.Match[str]) -> str:
    """Extract the code inside a string; a string that is a field's name is kept."""
    text = match[0]
    before = match.string[: match.start()].rstrip()
    if before.endswith((".", ".[")):
        return text
    return " ".join(inner for inner in re.findall(r"\\\(((?:[^()]|\([^()]*\))*)\)", text)) or " "


def _read_by(words: list[str]) -> tuple[str, ...]:
    """The fields that a command line reads."""
    if any(word.startswith("--") and _OTHER_DATA.search(word) for word in words):
        return ()
    program = next((word for word in words if word[:1] not in {"-", ""} and not word.isidentifier()), "")
    return fields_of(program)


def _shapes(tool: ToolDef) -> list[tuple[str, ...]]:
    """The field names of every object in the output of a tool, the outermost first."""
    root = dict(tool.output_schema or {})
    shapes: list[tuple[str, ...]] = []
    pending = [(schema.expand(root, root), 0)]
    for part, depth in pending:  # the list grows during the loop
        names = schema.fields(part)
        if names:
            shapes.append(tuple(names))
        if depth < 6:
            pending += [
                (schema.expand(inner, root), depth + 1)
                for inner in [*names.values(), part.get("items")]
                if isinstance(inner, dict)
            ]
    return shapes


def _hint(wanted: list[str], data: bytes, tools: list[ToolDef]) -> str:
    objects = list(_objects(data))
    if not objects:
        return ""
    present = {key for item in objects for key in item}
    for name in wanted:
        if name in present:
            continue
        for tool in reversed(tools):
            shapes = _shapes(tool)
            if not any(item and any(item.keys() <= set(shape) for shape in shapes) for item in objects):
                continue
            shape = next((shape for shape in shapes if _near(name, shape)), None)
            if shape is not None:
                return f'hint: {tool.name} has no field "{name}"; fields: {", ".join(shape)}\n'
    return ""


def _near(name: str, names: Iterable[str]) -> bool:
    plain = {_plain(other) for other in names}
    wanted = _plain(name)
    inside = any(len(other) > 2 and len(wanted) > 2 and (other in wanted or wanted in other) for other in plain)
    return inside or bool(get_close_matches(wanted, plain, 1, _LIKELY))


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def _objects(data: bytes) -> Iterator[dict[str, Any]]:
    """The first objects in a stream of JSON values, at any depth."""
    import json

    text = data.decode("utf-8", "replace")
    decoder = json.JSONDecoder()
    place, count = 0, 0
    pending: list[Any] = []
    while count < _OBJECTS:
        while pending and count < _OBJECTS:
            value = pending.pop()
            if isinstance(value, dict):
                count += 1
                yield value
            if isinstance(value, (dict, list)) and not json_text.deeper(value, 20):
                pending.extend(value.values() if isinstance(value, dict) else value)
        rest = re.compile(r"\s*").match(text, place)
        place = rest.end() if rest else place
        try:
            value, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return
        pending = [value]
