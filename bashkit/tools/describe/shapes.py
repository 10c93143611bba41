"""Outputs of tools in a prompt: a shape that several tools print is written once, with a name for the others to refer to."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from bashkit.tools.describe.notation import output_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.tools.define.definition import ToolDef

_SHORT = 24  # characters up to which a shape is repeated rather than named
_SHAPE = re.compile(r"(\[*)(\{.*\})(\]*)( or null)?", re.DOTALL)
_REFERENCE = re.compile(r"#/(?:\$defs|definitions)/(.+)")
_VERBS = frozenset(
    "add all browse cancel check close create delete describe edit fetch find get index insert latest list load lookup make "
    "merge new open post put query read remove replace search select send set show sync update upsert view".split()
)


def outputs(definitions: Sequence[ToolDef]) -> list[str]:
    """The outputs of tools in the notation of ``output_of``, each shape of an object once: the first tool that prints it has
    ``User {id: integer, name: string}``, the others ``User`` or ``[User]``; "" where nothing is known.
    """
    texts = [output_of(definition) for definition in definitions]
    found = [_SHAPE.fullmatch(text) for text in texts]
    counts = Counter(match[2] for match in found if match is not None)
    names: dict[str, str] = {}
    written = []
    for definition, text, match in zip(definitions, texts, found, strict=True):
        if match is None or counts[match[2]] == 1 or len(match[2]) <= _SHORT:
            written.append(text)
            continue
        shape = match[2]
        first = shape not in names
        if first:
            names[shape] = _name(definition, frozenset(names.values()))
        written.append(f"{match[1]}{names[shape]}{f' {shape}' if first else ''}{match[3]}{match[4] or ''}")
    return written


def _name(definition: ToolDef, taken: frozenset[str]) -> str:
    """A name for what a tool prints: that of the schema, or the noun in the tool's own name."""
    declared = _declared(definition.output_schema)
    words = re.findall(r"[A-Za-z0-9]+", declared or definition.name)
    if not declared:
        words = [word for word in words if word.casefold() not in _VERBS] or words
        words[-1] = _singular(words[-1])
    name = "".join(word[:1].upper() + word[1:] for word in words)
    numbered = [name, *(f"{name}{number}" for number in range(2, len(taken) + 2))]
    return next(one for one in numbered if one not in taken)


def _declared(schema: object) -> str:
    """The title of a schema, or the name in its reference; "" without them."""
    while isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            return str(schema["title"])
        reference = _REFERENCE.fullmatch(str(schema.get("$ref", "")))
        if reference is not None:
            return reference[1]
        schema = schema.get("items")
    return ""


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word
