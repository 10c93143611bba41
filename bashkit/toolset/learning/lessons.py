"""What collected outputs teach about each tool: a schema for those without, mistakes in those that are declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.call.validation import OutputChecker
from bashkit.toolset.learning.shapes import schema_of, undeclared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.toolset.learning.outputs import Outputs
    from bashkit.toolset.toolset import DeclaredTool, Toolset

_SHOWN = 5  # differences of a tool that are told


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learned of one tool.

    Attributes:
        tool: The tool.
        outputs: How many outputs there were.
        schema: The schema of these outputs if none is declared and they are JSON; else None.
        drift: How they differ from the declared schema.
    """

    tool: DeclaredTool
    outputs: int
    schema: dict[str, Any] | None = None
    drift: tuple[str, ...] = ()


def lessons(toolset: Toolset, outputs: Outputs) -> Iterator[Lesson]:
    """What the outputs teach about each tool that the toolset's file declares."""
    for item in toolset.declared:
        texts = outputs.get(item.definition.name, [])
        declared = item.definition.output_schema
        if declared is not None:
            yield Lesson(item, len(texts), drift=tuple(_drift(dict(declared), texts)))
            continue
        values = list(filter(lambda value: value is not None, map(_value, texts)))
        yield Lesson(item, len(texts), schema_of(values) if values and len(values) == len(texts) else None)


def _value(text: str) -> Any:
    """An array or object; None for anything else, which has no shape to tell of."""
    try:
        value = json_text.decode(text)
    except ValueError:
        return None
    return value if isinstance(value, (dict, list)) else None


def _drift(declared: dict[str, Any], texts: list[str]) -> list[str]:
    checker = OutputChecker(declared)
    wrong = [complaint for text in texts for complaint in checker.complaints(text)]
    values = [value for value in map(_value, texts) if value is not None]
    new = [f"{path}: not in output_schema" for path in undeclared(declared, values)]
    return list(dict.fromkeys([*wrong, *new]))[:_SHOWN]
