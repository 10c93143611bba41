"""Writes JSON values as YAML, JSON over several lines, properties, TOML and CSV."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any

from bashkit.commands.data.yq.reading import FormatError, scalar
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from bashkit.commands.data.yq.written import Written

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


def write_yaml(item: Any, indent: int, out: Written) -> None:
    """Write a value as a YAML document, without its separator."""
    _emit(item, 0, indent, out, "", "", "")


def _emit(item: Any, depth: int, indent: int, out: Written, start: str, margin: str, head: str) -> None:
    """Write the lines of a value.

    Args:
        item: The value.
        depth: How many values it is inside of.
        indent: The blanks before what a key is of.
        out: Where they are written to.
        start: What stands before the first line.
        margin: What stands before each other line.
        head: The first word of the first line: ``key:``, ``-``, or none.
    """
    if depth > _DEEPEST:
        raise FormatError("nesting too deep")
    if not isinstance(item, (dict, list)) or not item:
        text = _scalar(item, indent)
        first, *others = (f"{head} {text}".rstrip(" ") if head else text).split("\n")
        out.add(f"{start}{first}\n")
        for line in others:
            out.add(f"{margin}{line}\n" if line else "\n")
        return
    if head == "-":
        start, margin = start + "- ", margin + "  "
    elif head:
        out.add(f"{start}{head}\n")
        start = margin = margin + " " * indent
    if isinstance(item, dict):
        for name, child in item.items():
            _emit(child, depth + 1, indent, out, start, margin, f"{to_string(name, 0)}:")
            start = margin
    else:
        for child in item:
            _emit(child, depth + 1, indent, out, start, margin, "-")
            start = margin


def write_json(item: object, indent: int, out: Written, depth: int = 0, head: str = "") -> None:
    """Write a value as JSON over several lines, with numbers as they were spelled, behind a text on the first line."""
    if depth > _DEEPEST:
        raise FormatError("nesting too deep")
    if isinstance(item, Number):
        out.add(head + item)
        return
    if not isinstance(item, (dict, list)) or not item:
        out.add(head + json.dumps(item, ensure_ascii=False))
        return
    inner, outer = " " * indent * (depth + 1), " " * indent * depth
    between = f"{head}{'{' if isinstance(item, dict) else '['}\n{inner}"
    if isinstance(item, dict):
        for name, child in item.items():
            write_json(child, indent, out, depth + 1, f"{between}{json.dumps(name, ensure_ascii=False)}: ")
            between = f",\n{inner}"
    else:
        for child in item:
            write_json(child, indent, out, depth + 1, between)
            between = f",\n{inner}"
    out.add(f"\n{outer}{'}' if isinstance(item, dict) else ']'}")


def write_properties(item: object, path: list[str], out: Written) -> None:
    """Write a value as Java properties."""
    if isinstance(item, (dict, list)):
        for name, child in item.items() if isinstance(item, dict) else enumerate(item):
            write_properties(child, [*path, str(name)] if path or name != "" else path, out)
        return
    text = "" if item is None else ("true" if item else "false") if isinstance(item, bool) else str(item)
    out.add_path("", path, f" = {text}\n")


def _scalar(item: Any, indent: int) -> str:
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, Number):
        return str(item)
    if isinstance(item, str):
        return to_string(item, indent)
    return "{}" if isinstance(item, dict) else "[]"


def to_string(text: str, indent: int) -> str:
    """A string as a scalar: in block style where it has lines and ``indent`` is not 0."""
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


def write_table(item: Any, separator: str, out: Written) -> None:
    """Write rows from an array of arrays, or from objects with a header row of their names."""
    if not isinstance(item, list):
        raise FormatError(f"csv encoding only works for arrays, got: {_tag(item)}")
    rows = item if item and isinstance(item[0], (list, dict)) else [item]
    names: list[str] | None = None
    writer = csv.writer(_Lines(out), delimiter=separator, lineterminator="\n")
    if rows and isinstance(rows[0], dict):
        names = list(rows[0])
        writer.writerow(names)
    for index, row in enumerate(rows):
        if names is None and not isinstance(row, list):
            kind = f"child[{index}] is a {_tag(row)}"
            raise FormatError(f"csv encoding only works for arrays of scalars (string/numbers/booleans), {kind}")
        cells = row if names is None else [row.get(name) if isinstance(row, dict) else None for name in paced_if_many(names)]
        writer.writerow([_cell(cell) for cell in paced_if_many(cells)])


def _tag(item: Any) -> str:
    """The type of a value, as YAML has it."""
    if isinstance(item, Number):
        return "!!int" if item.lstrip("-").isdigit() else "!!float"
    return {dict: "!!map", list: "!!seq", bool: "!!bool", str: "!!str"}.get(type(item), "!!null")


class _Lines:
    """The file that a writer of rows writes to."""

    def __init__(self, out: Written) -> None:
        self.write = out.add


def _cell(item: Any) -> str:
    if item is None:
        return ""
    return ("true" if item else "false") if isinstance(item, bool) else item if isinstance(item, str) else json.dumps(item)


def write_toml(item: Any, out: Written) -> None:
    """Write a table as a TOML document (toml.io, v1.0.0)."""
    if not isinstance(item, dict):
        _toml_value(item, out, 0)
    if not isinstance(item, dict) or not _toml_table(item, [], out, ""):
        out.add("\n")


def _toml_table(table: dict[str, Any], path: list[str], out: Written, before: str) -> str:
    """Write a table.

    Args:
        table: The table.
        path: The names on the way to it.
        out: Where it is written to.
        before: What stands before a header.

    Returns:
        What stands before the next header.
    """
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
            before = "\n"
            out.add(f"{_toml_key(name)} = ")
            _toml_value(child, out, 0)
            out.add("\n")
    for name, child in nested.items():
        below = [*path, _toml_key(name)]
        out.add_path(f"{before}[", below, "]\n")
        before = _toml_table(child, below, out, "\n")
    for name, children in rows.items():
        below = [*path, _toml_key(name)]
        for child in children:
            out.add_path(f"{before}[[", below, "]]\n")
            before = _toml_table(child, below, out, "\n")
    return before


def _toml_key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else json.dumps(name)


def _toml_value(item: Any, out: Written, depth: int) -> None:
    """Write a value in one line."""
    if depth > _DEEPEST:
        raise FormatError("nesting too deep")
    if isinstance(item, list):
        out.add("[")
        for index, entry in enumerate(item):
            out.add(", " if index else "")
            _toml_value(entry, out, depth + 1)
        out.add("]")
    elif isinstance(item, dict):
        out.add("{ ")
        for index, (name, entry) in enumerate(item.items()):
            out.add(f"{', ' if index else ''}{_toml_key(name)} = ")
            _toml_value(entry, out, depth + 1)
        out.add(" }")
    elif isinstance(item, bool):
        out.add("true" if item else "false")
    elif isinstance(item, Number):
        out.add(item)
    else:
        out.add(json.dumps(item, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(item, str) else '""')
