"""Parses documents in YAML, TOML, CSV and JSON to JSON texts; numbers keep their spelling (YAML 1.2, Core Schema)."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import tomllib
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import yaml

from bashkit.limits import ask_room, paced, paced_if_many

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEEPEST = 500
_NULL = {"", "~", "null", "Null", "NULL"}
_BOOLEANS = {"true": "true", "True": "true", "TRUE": "true", "false": "false", "False": "false", "FALSE": "false"}
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?", re.ASCII)
_INTEGER = re.compile(r"[-+]?\d+|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?", re.ASCII)
_INFINITE = {
    ".inf": "1.7976931348623157e308",
    "+.inf": "1.7976931348623157e308",
    "-.inf": "-1.7976931348623157e308",
    ".nan": "null",
}
_SHORT_TOML, _LONGEST_TOML = 1 << 15, 1 << 21  # characters, for each of which tomllib takes up to half a microsecond
_NO_TEXT = re.compile("[\udc80-\udcff]")  # a byte that is not UTF-8
_LONGEST = 4000  # maximum digits of a number in another base


class FormatError(Exception):
    """A document cannot be read."""


def documents(data: bytes, form: str, process: Process) -> list[str]:
    """Parse the documents of a file, each to JSON text.

    Args:
        data: The file.
        form: ``yaml``, ``json``, ``toml``, ``csv`` or ``tsv``.
        process: Whose budget is charged for the result.

    Raises:
        FormatError: The file is not in the format.
    """
    budget = process.budget
    budget.tick(len(data) >> 2)
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    if form in {"csv", "tsv"}:
        return [_table(text, "\t" if form == "tsv" else ",", budget)]
    if form == "toml":
        if len(text) > _LONGEST_TOML:
            raise FormatError(f"toml: longer than {_LONGEST_TOML} characters")
        try:
            # tomllib asks nobody for its time: it reads a long text in a thread, beside the event loop.
            table = tomllib.loads(text) if len(text) < _SHORT_TOML else process.system.call(partial(tomllib.loads, text))
            return [json.dumps(table, ensure_ascii=False, default=_plain)]
        except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
            raise FormatError(f"toml: {error}") from None
    if form == "json" and text.lstrip()[:1] not in {"", "-"}:
        return [text]  # jq parses it and reports mistakes
    return _yaml(text, budget)


def _plain(item: Any) -> str:
    if isinstance(item, (dt.date, dt.time)):
        return item.isoformat().replace("+00:00", "Z")
    return str(item)


def scalar(text: str) -> str:
    """Write a plain scalar as JSON."""
    if text in _NULL:
        return "null"
    known = _BOOLEANS.get(text) or _INFINITE.get(text.lower())
    if known is not None:
        return known
    if _JSON_NUMBER.fullmatch(text):
        return text
    if len(text) < _LONGEST and _INTEGER.fullmatch(text):
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        return str(int(text[2:] if base != 10 else text, base))
    if len(text) < _LONGEST and _FLOAT.fullmatch(text):
        return repr(float(text))
    return json.dumps(text, ensure_ascii=False)


def _table(text: str, separator: str, budget: Budget) -> str:
    """Rows as objects named by the first row."""
    ask_room(text, (separator, "\n"), budget)
    try:
        rows = list(paced(csv.reader(io.StringIO(text, newline=""), delimiter=separator)))
    except csv.Error as error:
        raise FormatError(str(error)) from None
    budget.words(len(rows))
    if not rows:
        return "[]"
    names = [json.dumps(name, ensure_ascii=False) for name in paced_if_many(rows[0])]
    return (
        "["
        + ",".join(
            "{" + ",".join(f"{name}:{scalar(cell)}" for name, cell in zip(names, paced_if_many(row), strict=False)) + "}"
            for row in paced_if_many(rows[1:])
            if row
        )
        + "]"
    )


@dataclass(slots=True)
class _Built:
    """A finished node: its JSON, and for a mapping its entries."""

    text: str
    entries: dict[str, str] | None = None


@dataclass(slots=True)
class _Open:
    """A collection that is being read; a mapping also has its pending key."""

    mapping: bool
    anchor: str | None
    items: list[str] = field(default_factory=list)
    entries: dict[str, str] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)
    key: str | None = None
    sources: list[_Built] = field(default_factory=list)

    def add(self, node: _Built) -> None:
        """Add a child: an item, a key, or the value of the pending key."""
        if not self.mapping:
            self.items.append(node.text)
            self.sources.append(node)
        elif self.key is None:
            self.key = node.text if node.text.startswith('"') else json.dumps(node.text)
        else:
            if self.key == '"<<"':
                for source in node_sources(node):
                    for name, text in source.items():
                        self.merged.setdefault(name, text)
            else:
                self.entries[self.key] = node.text
            self.key = None

    def size(self) -> int:
        """How many characters the finished node may have; aliases make much of little."""
        texts = [*self.items, *self.entries, *self.entries.values(), *self.merged, *self.merged.values()]
        return sum(map(len, texts)) + len(texts) + 2

    def close(self) -> _Built:
        """Return the finished node."""
        if not self.mapping:
            built = _Built("[" + ",".join(self.items) + "]")
            if all(source.entries is not None for source in self.sources) and self.sources:
                merged: dict[str, str] = {}
                for source in self.sources:
                    for name, text in (source.entries or {}).items():
                        merged.setdefault(name, text)
                built.entries = merged  # so that a list of mappings can be merged
            return built
        entries = {**{name: text for name, text in self.merged.items() if name not in self.entries}, **self.entries}
        return _Built("{" + ",".join(f"{name}:{text}" for name, text in entries.items()) + "}", entries)


def node_sources(node: _Built) -> list[dict[str, str]]:
    """The entries that ``<<`` merges from a node."""
    return [node.entries] if node.entries is not None else []


def _yaml(text: str, budget: Budget) -> list[str]:
    found: list[str] = []
    stack: list[_Open] = []
    anchors: dict[str, _Built] = {}
    if _NO_TEXT.search(text):
        raise FormatError("yaml: invalid leading UTF-8 octet")
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            budget.tick(5)
            node: _Built | None = None
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                if len(stack) >= _DEEPEST:
                    raise FormatError("yaml: exceeded max nesting depth")
                stack.append(_Open(isinstance(event, yaml.MappingStartEvent), event.anchor))
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                done = stack.pop()
                budget.string(done.size())
                node = done.close()
                if done.anchor:
                    anchors[done.anchor] = node
            elif isinstance(event, yaml.ScalarEvent):
                node = _Built(_scalar_event(event))
                if event.anchor:
                    anchors[event.anchor] = node
            elif isinstance(event, yaml.AliasEvent):
                if event.anchor not in anchors:
                    raise FormatError(f"yaml: unknown anchor '{event.anchor}' referenced")
                node = anchors[event.anchor]
                budget.tick(len(node.text) >> 6)
            elif isinstance(event, yaml.DocumentStartEvent):
                anchors = {}
            if node is None:
                continue
            if stack:
                stack[-1].add(node)
            else:
                found.append(node.text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark is not None else ""
        raise FormatError(f"yaml: {where}{getattr(error, 'problem', None) or error}") from None
    return found


def _scalar_event(event: yaml.ScalarEvent) -> str:
    if event.tag == "!!str" or (event.tag or "").endswith(":str") or event.style in {"'", '"', "|", ">"}:
        return json.dumps(event.value, ensure_ascii=False)
    return scalar(event.value)
