"""Puts the keys of a toolset file in the order of its schema. Whole lines are moved, so comments and notation stay as they are.

The comment lines directly above a key move with it; empty lines stay where they are. Mappings in braces are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolsetError
from bashkit.toolset.schema.generation import toolset_schema
from bashkit.toolset.text import document as documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.toolset.text.document import Document
    from bashkit.toolset.text.document import Path as DocumentPath

_LISTS = {"tools": "tool", "sources": "source", "tests": "test", "mounts": "mount"}  # the lists whose items have a schema


def ordered_text(text: str, file: str) -> str:
    """The text of a toolset file with its keys in order; the same text if they are.

    Args:
        text: The file's content.
        file: Its path, for messages.

    Raises:
        ToolsetError: It is no YAML, or says something else in another order, as anchors may.
    """
    document = _read(text, file)
    for places in (_inner(document.value), [()]):  # what is inside moves before what is around it
        lines = text.split("\n")
        for place in places:
            _order(lines, document, place)
        text = "\n".join(lines)
        document = _read(text, file, original=document)
    return text


def _read(text: str, file: str, original: Document | None = None) -> Document:
    found = documents.read(text, file)
    if original is not None and (found.problems or found.value != original.value):
        raise ToolsetError([original.problem((), "the keys cannot be put in order: the file would say something else")])
    if found.problems:
        raise ToolsetError(found.problems)
    return found


def _inner(value: Any) -> list[DocumentPath]:
    """The mappings inside a file that have an order of their own."""
    if not isinstance(value, dict):
        return []
    found: list[DocumentPath] = []
    for key in _LISTS:
        items = value.get(key)
        found += [(key, index) for index, item in enumerate(items if isinstance(items, list) else ()) if isinstance(item, dict)]
    profiles = value.get("profiles")
    named = profiles if isinstance(profiles, dict) else {}
    return found + [("profiles", name) for name, settings in named.items() if isinstance(settings, dict)]


def _rank(place: DocumentPath) -> dict[str, int]:
    """The order of the keys of a mapping."""
    schema = toolset_schema()
    part = schema if len(place) == 0 or place[0] == "profiles" else schema["$defs"][_LISTS[str(place[0])]]
    return {key: index for index, key in enumerate(part["properties"])}


@dataclass(slots=True)
class _Block:
    """The lines of one key: the comments above it, its own line, and those of its value."""

    key: str
    comments: list[str]
    lines: list[str]


def _order(lines: list[str], document: Document, place: DocumentPath) -> None:
    """Put the keys of one mapping in order, in place; the number of lines stays the same."""
    marks = sorted((mark.line - 1, mark.column - 1, str(path[-1])) for path, mark in document.keys.items() if path[:-1] == place)
    rank = _rank(place)
    columns = {column for _, column, _ in marks}
    if len(columns) != 1 or len({line for line, _, _ in marks}) != len(marks):
        return  # in braces, or merged
    wanted = sorted(marks, key=lambda mark: rank.get(mark[2], len(rank)))
    if wanted == marks:
        return
    column = columns.pop()
    starts = [line for line, _, _ in marks]
    ends = [*starts[1:], _end(lines, starts[-1] + 1, column)]
    gaps: list[list[str]] = []
    blocks: dict[str, _Block] = {}
    for index, (start, _, key) in enumerate(marks):
        above = _above(lines, start, column, starts[index - 1] + 1) if index else start
        below = ends[index] if index + 1 == len(marks) else _above(lines, ends[index], column, start + 1)
        last = max((number for number in range(start, below) if lines[number].strip()), default=start) + 1
        blocks[key] = _Block(key, lines[above:start], lines[start:last])
        gaps.append(lines[last:below])
    prefix = lines[starts[0]][:column]
    blocks[marks[0][2]].lines[0] = " " * column + lines[starts[0]][column:]
    first, end = starts[0], ends[-1]
    result: list[str] = []
    for position, (_, _, key) in enumerate(wanted):
        block = blocks[key]
        if not position:
            block.lines[0] = prefix + block.lines[0][column:]
        result += [*block.comments, *block.lines, *gaps[position]]
    lines[first:end] = result


def _above(lines: list[str], start: int, column: int, lowest: int) -> int:
    """The first of the comment lines directly above a line."""
    while start > lowest and lines[start - 1].startswith(" " * column + "#"):
        start -= 1
    return start


def _end(lines: list[str], start: int, column: int) -> int:
    """The line after a value whose key is in ``column``; empty lines and comments at its end are not part of it."""
    end = start
    for number in range(start, len(lines)):
        for belongs in _belongs(lines[number], column):
            if not belongs:
                return end
            end = number + 1
    return end


def _belongs(line: str, column: int) -> Iterator[bool]:
    """Whether a line is part of a value; nothing for one that only what follows can tell."""
    text = line.lstrip(" ")
    indent = len(line) - len(text)
    if not text.strip() or (text.startswith("#") and indent <= column):
        return
    yield indent > column or (indent == column and text.startswith("- "))
