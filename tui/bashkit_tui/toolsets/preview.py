"""A preview of a toolset file: the names of its tools, before the file is validated.

Only YAML is needed for it; ``bashkit.toolset`` and its schemas take ten times as long to import.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit import host_files

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_EFFECTS = {"read", "write", "destructive"}


@dataclass(frozen=True, slots=True)
class ToolPreview:
    """The facts about a tool that the tree shows."""

    name: str
    description: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    effects: str | None = None


def preview_tools(path: Path) -> tuple[ToolPreview, ...]:
    """The tools that a file seems to declare; () when it cannot be read, which the reader reports."""
    try:
        import yaml

        text = host_files.read_text(path)
        return tuple(_tools(iter(yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))))
    except Exception:  # the reader reports the same mistake with its line
        return ()


def _tools(events: Iterator[Any]) -> Iterator[ToolPreview]:
    """The tools of a document, from its events: to make its values takes five times as long."""
    from yaml.events import MappingStartEvent, SequenceEndEvent, SequenceStartEvent

    if not any(isinstance(event, MappingStartEvent) for event in events):
        return
    for key, value in _entries(events):
        if key != "tools" or not isinstance(value, SequenceStartEvent):
            _pass(value, events)
            continue
        for item in events:
            if isinstance(item, SequenceEndEvent):
                break
            if not isinstance(item, MappingStartEvent):
                _pass(item, events)
            elif (tool := _tool(events)) is not None:
                yield tool


def _tool(events: Iterator[Any]) -> ToolPreview | None:
    """A tool whose mapping has begun; None if it has no name."""
    from yaml.events import ScalarEvent

    facts: dict[str, str] = {}
    for key, value in _entries(events):
        if isinstance(value, ScalarEvent):
            facts[key] = value.value
        else:
            _pass(value, events)
    if not facts.get("name", "")[:1].isalpha():  # no name, or one that is no text
        return None
    effects = facts.get("effects")
    return ToolPreview(
        facts["name"],
        description=facts.get("description", ""),
        category=facts.get("category", ""),
        effects=effects if effects in _EFFECTS else None,
    )


def _entries(events: Iterator[Any]) -> Iterator[tuple[str, Any]]:
    """The keys of a mapping that has begun, each with the first event of its value, of which the caller takes the rest."""
    from yaml.events import MappingEndEvent, ScalarEvent

    for key in events:
        if isinstance(key, MappingEndEvent):
            return
        if not isinstance(key, ScalarEvent):
            _pass(key, events)
        yield (key.value if isinstance(key, ScalarEvent) else ""), next(events)


def _pass(first: Any, events: Iterator[Any]) -> None:
    """Take the rest of a value that begins with an event."""
    from yaml.events import CollectionEndEvent, CollectionStartEvent

    depth = int(isinstance(first, CollectionStartEvent))
    while depth:
        event = next(events)
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
