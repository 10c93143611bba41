"""Writes JSON values as YAML, TOML and CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

from bashkit.commands.data.yq.reading import FormatError, scalar

if TYPE_CHECKING:
    from bashkit.limits import Budget

_DEEPEST = 500
_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?:](?=[^\s,\[\]{}])")  # what a plain scalar begins with
_OLD_BOOLEANS = {"yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF", "<<", "="}  # the words of YAML 1.1
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


class Number(str):
    """A number with its spelling."""

    __slots__ = ()


def parse(text: str) -> Any:
    """Parse a JSON text; numbers stay text."""
    try:
        return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)
    except RecursionError:
        raise FormatError("nesting too deep") from None


def to_yaml(item: Any, indent: int, budget: Budget) -> str:
    """Write a value as a YAML document, without its separator."""
    lines: list[str] = []
    _emit(item, 0, indent, lines, "", budget)
    return "\n".join(lines) + "\n"


def _emit(item: Any, depth: int, indent: int, lines: list[str], head: str, budget: Budget) -> None:
    """Append the lines of a value; ``head`` is the start of the first line: ``key:`` or ``-``."""
    if depth > _DEEPEST:
        raise FormatError("nesting too deep")
    budget.tick()
    if isinstance(item, dict) and item:
        nested = head and not head.endswith("-")
        if nested:
            lines.append(head)
        width = indent if nested else 2 if head else 0
        for name, child in item.items():
            inner: list[str] = []
            _emit(child, depth + 1, indent, inner, f"{_string(name, 0)}:", budget)
            lines += _hung(inner, " " * width if nested or not head else None, head)
            if head and not nested:
                head = " " * len(head)
    elif isinstance(item, list) and item:
        nested = head and not head.endswith("-")
        if nested:
            lines.append(head)
        width = indent if nested else 0
        for child in item:
            inner = []
            _emit(child, depth + 1, indent, inner, "-", budget)
            lines += _hung(inner, " " * width if nested or not head else None, head)
            if head and not nested:
                head = " " * len(head)
    else:
        text = _scalar(item, indent)
        lines += f"{head} {text}".rstrip(" ").split("\n") if head else text.split("\n")


def _hung(inner: list[str], prefix: str | None, head: str) -> list[str]:
    """Indent lines by a prefix, the first one after the dash of a sequence."""
    if prefix is not None:
        return [prefix + line if line else line for line in inner]
    return [
        f"{head} {line}" if not index else (" " * (len(head) + 1) + line if line else line) for index, line in enumerate(inner)
    ]


def _scalar(item: Any, indent: int) -> str:
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, Number):
        return str(item)
    if isinstance(item, str):
        return _string(item, indent)
    return "{}" if isinstance(item, dict) else "[]"


def _string(text: str, indent: int) -> str:
    if "\n" in text and indent and text.replace("\n", "").replace("\t", "").isprintable() and not text.startswith((" ", "\n")):
        chomp = "" if text.endswith("\n") and not text.endswith("\n\n") else "+" if text.endswith("\n") else "-"
        body = text.removesuffix("\n").split("\n")
        return "\n".join([f"|{chomp}", *(" " * indent + line if line else "" for line in body)])
    if not text:
        return '""'
    if not text.isprintable():
        return json.dumps(text, ensure_ascii=False)
    if scalar(text) != json.dumps(text, ensure_ascii=False) or text in _OLD_BOOLEANS:
        return f'"{text}"'
    ends = ": " in text or " #" in text or text.endswith((" ", ":"))
    if _PLAIN.match(text) and not ends and not text.startswith("---"):
        return text
    return "'" + text.replace("'", "''") + "'"


def to_table(item: Any, separator: str) -> str:
    """Write rows from an array of arrays, or from objects with a header row of their names."""
    if not isinstance(item, list):
        raise FormatError("csv encoding only works for arrays, got: " + ("!!map" if isinstance(item, dict) else "!!str"))
    rows = item if item and isinstance(item[0], (list, dict)) else [item]
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=separator, lineterminator="\n")
    if rows and isinstance(rows[0], dict):
        names = list(rows[0])
        writer.writerow(names)
        rows = [[row.get(name) if isinstance(row, dict) else None for name in names] for row in rows]
    for row in rows:
        writer.writerow([_cell(cell) for cell in row])
    return buffer.getvalue()


def _cell(item: Any) -> str:
    if item is None:
        return ""
    return ("true" if item else "false") if isinstance(item, bool) else item if isinstance(item, str) else json.dumps(item)


def to_toml(item: Any) -> str:
    """Write a table as a TOML document (toml.io, v1.0.0)."""
    if not isinstance(item, dict):
        return _toml_value(item) + "\n"
    lines: list[str] = []
    _toml_table(item, [], lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _toml_table(table: dict[str, Any], path: list[str], lines: list[str]) -> None:
    if len(path) > _DEEPEST:
        raise FormatError("nesting too deep")
    nested = {name: child for name, child in table.items() if isinstance(child, dict)}
    rows = {
        name: child
        for name, child in table.items()
        if isinstance(child, list) and child and all(isinstance(entry, dict) for entry in child)
    }
    for name, child in table.items():
        if name not in nested and name not in rows and child is not None:
            lines.append(f"{_toml_key(name)} = {_toml_value(child)}")
    for name, child in nested.items():
        lines += ["", f"[{'.'.join(map(_toml_key, [*path, name]))}]"]
        _toml_table(child, [*path, name], lines)
    for name, children in rows.items():
        for child in children:
            lines += ["", f"[[{'.'.join(map(_toml_key, [*path, name]))}]]"]
            _toml_table(child, [*path, name], lines)


def _toml_key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name)


def _toml_value(item: Any) -> str:
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, Number):
        return str(item)
    if isinstance(item, str):
        return json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(item, list):
        return "[" + ", ".join(_toml_value(entry) for entry in item) + "]"
    if isinstance(item, dict):
        return "{ " + ", ".join(f"{_toml_key(name)} = {_toml_value(entry)}" for name, entry in item.items()) + " }"
    return '""'
