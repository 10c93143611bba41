"""Reads a YAML file as plain values, with the position of every key and value."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from bashkit.errors import Problem
from bashkit.toolset.text.scalars import plain, tagged

if TYPE_CHECKING:
    from collections.abc import Callable

Path = tuple["str | int", ...]

MAX_CHARS = 4 << 20  # of a file
_MAX_DEPTH = 64
MAX_NODES = 100_000  # an alias counts each time it is used
_MERGE = "<<"
_ENDS = re.compile("[\x85\u2028\u2029]")  # of lines, for YAML alone
_RESERVED = frozenset("@`%")  # the first characters that a plain text cannot have


class Mark(NamedTuple):
    """A position: line and column from 1, and the width in columns. Documents have very many of them."""

    line: int
    column: int
    width: int = 1


@dataclass(slots=True)
class Document:
    """One YAML file.

    Attributes:
        file: Its path as the author wrote it.
        text: Its content.
        value: The document as JSON-like data; None if it could not be read.
        values: The position of every value, by its path.
        keys: The position of every key, by the path of its value.
        problems: The mistakes found in it.
        prefix: What the names of its tools begin with in the toolset that includes it.
    """

    file: str
    text: str
    value: Any = None
    values: dict[Path, Mark] = field(default_factory=dict)
    keys: dict[Path, Mark] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    prefix: str = ""
    _lines: list[str] = field(default_factory=list)

    def report(self, message: str, mark: Mark, *, hint: str = "", path: Path = ()) -> None:
        """Note a problem at a position."""
        self.problems.append(self._problem(message, mark, hint, path))

    def at(self, path: Path, message: str, *, hint: str = "", key: bool = False) -> None:
        """Note a problem with the value at ``path``, or with its key."""
        self.problems.append(self.problem(path, message, hint=hint, key=key))

    def problem(self, path: Path, message: str, *, hint: str = "", key: bool = False) -> Problem:
        """A problem with the value at ``path`` or its key; if that is missing, at the closest value around it."""
        return self._problem(message, self.mark(path, key=key), hint, path)

    def warning(
        self, path: Path, code: str, message: str, *, hint: str = "", key: bool = False, mark: Mark | None = None
    ) -> Problem:
        """A warning about the value at ``path`` or its key, or at a position.

        Args:
            path: The path of the value.
            code: The rule.
            message: What could be better.
            hint: How to improve it.
            key: The warning is about the key, not its value.
            mark: The position, if it is not that of ``path``.
        """
        found = self._problem(message, mark or self.mark(path, key=key), hint, path)
        return replace(found, severity="warning", code=code)

    def right(self, path: Path) -> bool:
        """Whether no problem is noted for the value at ``path`` or anything inside it."""
        start = dotted(path)
        inside = (f"{start}.", f"{start}[")
        return not any(problem.path == start or problem.path.startswith(inside) for problem in self.problems)

    def _problem(self, message: str, mark: Mark, hint: str, path: Path) -> Problem:
        source = self.line(mark.line)
        width = max(1, min(mark.width, len(source) - mark.column + 1))
        return Problem(self.file, mark.line, mark.column, message, hint, source, width, dotted(path))

    def line(self, number: int) -> str:
        """The text of a line, counted from 1; "" after the last line."""
        if not self._lines:
            self._lines = self.text.split("\n")
        return self._lines[number - 1].rstrip("\r") if number <= len(self._lines) else ""

    def mark(self, path: Path, *, key: bool = False) -> Mark:
        """The position of the value at ``path`` or of its key, or of the closest value around it."""
        first, second = (self.keys, self.values) if key else (self.values, self.keys)
        while path:
            found = first.get(path) or second.get(path)
            if found:
                return found
            path = path[:-1]
        return self.values.get((), Mark(1, 1))


def dotted(path: Path) -> str:
    """Write a path in dots and brackets: ``tools[2].input_schema.type``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


class _Refused(Exception):  # noqa: N818 - ends the reading of one document, never leaves this module
    """Reading the document cannot continue; the problem is noted."""


def read(text: str, file: str) -> Document:
    """Read one YAML document. Mistakes are collected in ``problems``; nothing is raised."""
    document = Document(file, text)
    if len(text) > MAX_CHARS:
        document.report(f"the file is larger than {MAX_CHARS >> 20} MB", Mark(1, 1))
        return document
    try:
        _Composer(document).compose()
    except _Refused:
        document.value = None
    except yaml.YAMLError as error:
        _syntax(document, error)
        document.value = None
    return document


def _syntax(document: Document, error: yaml.YAMLError) -> None:
    if isinstance(error, yaml.reader.ReaderError):
        before = document.text[: error.position]
        mark = Mark(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
        code = ord(error.character) if isinstance(error.character, str) else error.character
        document.report(f"YAML: {error.reason}: U+{code:04X}", mark)
        return
    place = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    mark = Mark(place.line + 1, place.column + 1) if place else Mark(1, 1)
    words = [getattr(error, "context", None), getattr(error, "problem", None)]
    message = ", ".join(word for word in words if word) or str(error)
    line = document.text.splitlines()[mark.line - 1] if mark.line <= len(document.text.splitlines()) else ""
    document.report(f"YAML: {message}", mark, hint=_syntax_hint(line, mark.column, message))


def _syntax_hint(line: str, column: int, message: str) -> str:
    if "\t" in line[:column]:
        return "indent with spaces: YAML does not allow tabs"
    if "mapping values are not allowed" in message or (
        "cannot start any token" in message and line[column - 1 : column] in _RESERVED
    ):
        return "put the text in quotes"
    return "write \\\\ for a backslash, or use single quotes" if "unknown escape" in message else ""


class _Composer:
    """Turns the events of libyaml into values."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._mark = _marking(document.text)
        self._next: Callable[[], Any] = yaml.CSafeLoader(document.text).get_event
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._open: set[str] = set()
        self._nodes = 0

    def compose(self) -> None:
        self._next()  # the start of the stream
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            self._document.report("the file is empty", Mark(1, 1))
            return
        self._document.value, _ = self._node(self._next(), (), 0)
        self._next()  # the end of the document
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            self._document.report("a toolset is one document", self._mark(event), hint="remove what follows ---")

    def _refuse(self, message: str, event: Any, path: Path) -> None:
        self._document.report(message, self._mark(event), path=path)
        raise _Refused

    def _count(self, nodes: int, event: Any, path: Path) -> None:
        self._nodes += nodes
        if self._nodes > MAX_NODES:
            self._refuse(f"the document has more than {MAX_NODES} nodes with its aliases expanded", event, path)

    def _node(self, event: Any, path: Path, depth: int) -> tuple[Any, int]:
        """Build the value that starts with ``event``; return it with its number of nodes."""
        kind = event.__class__
        if kind is yaml.ScalarEvent and not event.anchor:  # the fast path for most nodes
            self._nodes += 1
            if self._nodes > MAX_NODES:
                self._count(0, event, path)
            self._document.values[path] = self._mark(event)
            return self._scalar(event, path), 1
        if depth > _MAX_DEPTH:
            self._refuse(f"nested deeper than {_MAX_DEPTH} levels", event, path)
        self._document.values[path] = self._mark(event)
        if kind is yaml.AliasEvent:
            return self._alias(event, path)
        self._count(1, event, path)
        anchor = event.anchor
        if anchor:
            self._open.add(anchor)
        before = self._nodes
        if kind is yaml.ScalarEvent:
            value = self._scalar(event, path)
        elif kind is yaml.SequenceStartEvent:
            self._collection_tag(event, "seq", path)
            value = self._sequence(path, depth)
        else:
            self._collection_tag(event, "map", path)
            value = self._mapping(path, depth)
        size = self._nodes - before + 1
        if anchor:
            self._open.discard(anchor)
            self._anchors[anchor] = (value, size)
        return value, size

    def _alias(self, event: Any, path: Path) -> tuple[Any, int]:
        if event.anchor in self._open:
            self._refuse(f"*{event.anchor} contains itself", event, path)
        if event.anchor not in self._anchors:
            self._refuse(f"*{event.anchor} is not defined before", event, path)
        value, size = self._anchors[event.anchor]
        self._count(size, event, path)
        return value, size

    def _scalar(self, event: Any, path: Path) -> Any:
        try:
            if event.tag is not None:
                return tagged(event.value, event.tag)
            return plain(event.value) if event.implicit[0] else event.value
        except ValueError as error:
            self._document.report(str(error), self._mark(event), path=path)
            return event.value

    def _collection_tag(self, event: Any, kind: str, path: Path) -> None:
        if event.tag not in {None, "!", f"tag:yaml.org,2002:{kind}"}:
            self._document.report(f"the tag {event.tag} is not supported", self._mark(event), path=path)

    def _sequence(self, path: Path, depth: int) -> list[Any]:
        items: list[Any] = []
        while (event := self._next()).__class__ is not yaml.SequenceEndEvent:
            items.append(self._node(event, (*path, len(items)), depth + 1)[0])
        return items

    def _mapping(self, path: Path, depth: int) -> dict[str, Any]:
        items: dict[str, Any] = {}
        merged: list[Any] = []
        while (event := self._next()).__class__ is not yaml.MappingEndEvent:
            if event.__class__ is not yaml.ScalarEvent:
                self._refuse("a key is a plain word", event, path)
            key: str = event.value
            inner = (*path, key)
            if key in items:
                first = self._document.keys[inner]
                self._document.report(
                    f"the key {key!r} appears twice",
                    self._mark(event),
                    hint=f"it was first given on line {first.line}",
                    path=inner,
                )
            else:
                self._document.keys[inner] = self._mark(event)
            value, _ = self._node(self._next(), inner, depth + 1)
            if key == _MERGE and event.implicit[0]:
                merged.extend(value if isinstance(value, list) else [value])
            else:
                items[key] = value
        for value in merged:
            if isinstance(value, dict):
                items = {**value, **items}
            else:
                self._document.at((*path, _MERGE), "<< takes a mapping or a list of mappings")
        return items


def _marking(text: str) -> Callable[[Any], Mark]:
    """What gives the position of an event. For YAML further characters end a line (NEL, LS, PS), for editors they do not."""
    if _ENDS.search(text) is None:
        return _mark
    ends = [found.start() for found in re.finditer("\n", text)]

    def mark(event: Any) -> Mark:
        start, end = event.start_mark.index, event.end_mark.index
        line = bisect_left(ends, start)
        same = bisect_left(ends, end) == line
        return Mark(line + 1, start - (ends[line - 1] if line else -1), max(1, end - start) if same else 1)

    return mark


def _mark(event: Any) -> Mark:
    start, end = event.start_mark, event.end_mark
    line, column = start.line, start.column
    width = end.column - column if end.line == line else 1
    return Mark(line + 1, column + 1, width if width > 0 else 1)
