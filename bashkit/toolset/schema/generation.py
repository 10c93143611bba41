"""Assembles the JSON Schema of toolset files from the base document and the kinds of callbacks and sources.

``bashkit schema > schemas/toolset.schema.json`` writes the file that is shipped; a test compares the two.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bashkit.toolset import callbacks, sources
from bashkit.toolset.schema.root import PROPERTIES
from bashkit.toolset.schema.tool import MOUNT, STUB_CASE, TEST, TOOL
from bashkit.toolset.schema_fragments import PREFIX, call_timeout, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bashkit.toolset.callback import Callback
    from bashkit.toolset.source import Source

_SOURCE: Mapping[str, Any] = {  # the keys common to all kinds of sources
    "timeout": call_timeout(default="30s", examples=["10s"]),
    "prefix": PREFIX,
    "include": {
        "title": "Include",
        "description": "Only tools whose names in the source match one of these are taken.",
        "type": "array",
        "items": {"description": "A name; * stands for any characters, ? for one.", "type": "string", "minLength": 1},
        "examples": [["list_*", "get_*"]],
    },
    "exclude": {
        "title": "Exclude",
        "description": "Tools whose names in the source match one of these are left out.",
        "type": "array",
        "items": {"description": "A name; * stands for any characters, ? for one.", "type": "string", "minLength": 1},
        "default": [],
        "examples": [["delete_*"]],
    },
}


def toolset_schema() -> dict[str, Any]:
    """The JSON Schema of the toolset format, with all registered kinds."""
    return _schema(callbacks.kinds(), sources.kinds())


def schema_text() -> str:
    """The JSON Schema as the text of a file."""
    return json.dumps(toolset_schema(), indent=2) + "\n"


def validator() -> Any:
    """The validator of documents against the schema."""
    return _validator(callbacks.kinds(), sources.kinds())


@lru_cache(maxsize=4)
def _validator(callback_kinds: tuple[type[Callback], ...], source_kinds: tuple[type[Source], ...]) -> Any:
    from jsonschema import Draft202012Validator
    from referencing import Registry

    return Draft202012Validator(_schema(callback_kinds, source_kinds), registry=Registry())


@lru_cache(maxsize=4)
def _schema(callback_kinds: tuple[type[Callback], ...], source_kinds: tuple[type[Source], ...]) -> dict[str, Any]:
    definitions = {"tool": TOOL, "callback": _callback(callback_kinds), "source": _source(source_kinds)}
    definitions |= {"test": TEST, "mount": MOUNT, "stub_case": STUB_CASE}
    for declared in (*(kind.definitions for kind in callback_kinds), *(kind.definitions for kind in source_kinds)):
        definitions |= declared
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:bashkit:toolset.schema.json",
        "required": ["version", "name"],
        **table(
            "bashkit toolset, version 1", "Tools that a language model may call as commands of one virtual bash.", PROPERTIES
        ),
        "$defs": definitions,
    }


def _callback(kinds: Sequence[type[Callback]]) -> dict[str, Any]:
    own = {key: part for kind in kinds for key, part in kind.schemas().items()}
    properties: dict[str, Any] = {}
    for kind in kinds:
        for key in (*kind.properties, *kind.shared):
            notes = [other.shared[key] for other in kinds if key in other.shared]
            properties.setdefault(key, {**own[key], "description": " ".join([own[key]["description"], *notes])})
    *summaries, last = [kind.summary for kind in kinds]
    return {
        **table("Callback", f"What runs: {', '.join(summaries)}, or {last}.", properties),
        **_one_of([(kind.key, {*kind.schemas(), *kind.shared}, list(kind.required)) for kind in kinds], list(properties)),
    }


def _source(kinds: Sequence[type[Source]]) -> dict[str, Any]:
    own = {kind.key: kind.properties[kind.key] for kind in kinds}
    own |= {key: part for kind in kinds for key, part in kind.schemas().items()}
    *summaries, last = [kind.summary for kind in kinds]
    return {
        **table("Source", f"A place where tools are found: {', '.join(summaries)} or {last}.", {**own, **_SOURCE}),
        **_one_of([(kind.key, {*kind.schemas()}, []) for kind in kinds], list(own)),
    }


def _one_of(kinds: Sequence[tuple[str, set[str], list[str]]], keys: list[str]) -> dict[str, Any]:
    """Require exactly one kind with its own keys, as a chain of if, then and else, whose errors have exact positions.

    Args:
        kinds: For each kind its key, the keys that it reads, and the keys that it requires.
        keys: The keys of all kinds.
    """
    chain: dict[str, Any] = {"required": [kinds[0][0]]}
    ordered = sorted(kinds, key=lambda kind: any(kind[0] in reads for key, reads, _ in kinds if key != kind[0]))
    for key, reads, needed in reversed(ordered):
        then: dict[str, Any] = {"propertyNames": {"not": {"enum": [other for other in keys if other not in reads]}}}
        if needed:
            then["required"] = needed
        chain = {"if": {"required": [key]}, "then": then, "else": chain}
    return chain
