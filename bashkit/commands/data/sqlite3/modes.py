"""The output modes of the sqlite3 shell (sqlite.org/cli.html, Changing Output Formats)."""

from __future__ import annotations

import html
import json
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands.data.sqlite3.wording import identifier, tcl_string

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.commands.data.sqlite3.database import Row, Value

MODES = (
    "ascii",
    "box",
    "column",
    "csv",
    "html",
    "insert",
    "json",
    "line",
    "list",
    "markdown",
    "qbox",
    "quote",
    "table",
    "tabs",
    "tcl",
)
_SEPARATORS = {  # of columns, and of rows if the mode changes them
    "csv": (",", None), "tabs": ("\t", None), "ascii": ("\x1f", "\x1e"), "quote": (",", None),
}  # fmt: skip
_SEPARATORS_OF_COMMAND = {  # ``.mode`` changes more of them than an option does
    **_SEPARATORS, "csv": (",", "\r\n"), "quote": (",", "\n"), "list": ("|", "\n"), "tcl": (" ", "\n"),
}  # fmt: skip
_BREAK = re.compile(r"\r\n|[\x01-\x1f]")
_CSV_SPECIAL = frozenset(map(chr, range(33))) | {'"', "'", "\x7f"}


@dataclass(slots=True)
class Layout:
    """How results are shown.

    Attributes:
        mode: One of MODES.
        headers: Show the names of the columns.
        separator, ending: The texts between columns and after rows, in the modes that use them.
        null: The text for NULL.
        table: The table of ``insert``.
        widths: The widths of the columns from ``.width``; negative to align right.
    """

    mode: str = "list"
    headers: bool = False
    separator: str = "|"
    ending: str = "\n"
    null: str = ""
    table: str = "table"
    widths: list[int] = field(default_factory=list)

    def choose(self, mode: str, *, by_command: bool = False) -> None:
        """Change the mode and its separators, by an option or by ``.mode``."""
        self.mode = mode
        separator, ending = (_SEPARATORS_OF_COMMAND if by_command else _SEPARATORS).get(mode, (self.separator, None))
        self.separator, self.ending = separator, ending or self.ending


def real(number: float, digits: int = 15) -> str:
    """Write a number with a fraction as SQLite does."""
    if math.isinf(number):
        return "Inf" if number > 0 else "-Inf"
    text = format(number or 0.0, f".{digits}g")
    mantissa, mark, exponent = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + mark + exponent


def plain(item: Value, null: str) -> str:
    """Write a value as text."""
    if item is None:
        return null
    if isinstance(item, float):
        return real(item)
    if isinstance(item, bytes):
        return item.split(b"\0")[0].decode("utf-8", "surrogateescape")
    return str(item).split("\0", maxsplit=1)[0]


def literal(item: Value) -> str:
    """Write a value as an SQL literal."""
    if item is None:
        return "NULL"
    if isinstance(item, bytes):
        return f"X'{item.hex()}'"
    if isinstance(item, float):
        return real(item, 20) if math.isfinite(item) else ("1e999" if item > 0 else "-1e999")
    return str(item) if isinstance(item, int) else "'" + item.replace("'", "''") + "'"


def line_literal(item: Value) -> str:
    """Write a value as an SQL expression without line ends."""
    text = literal(item)
    if not isinstance(item, str):
        return text
    for end, name, code in (("\r", "\\r", 13), ("\n", "\\n", 10)):
        if end in item:
            mark = name if name not in item else f"\\{code:03o}"
            text = f"replace({text.replace(end, mark)},'{mark}',char({code}))"
    return text


def show(names: list[str], rows: list[Row], layout: Layout, *, first: bool = True) -> str:
    """Write a result as text.

    Args:
        names: The columns.
        rows: The result, or a part of it in modes that do not need all rows.
        layout: The layout.
        first: Whether this is the first part.
    """
    if layout.mode in _TABLES:
        return _TABLES[layout.mode](names, rows, layout) if rows else ""
    head = layout.headers and first and bool(rows)
    if layout.mode == "json":
        return _json(names, rows)
    if layout.mode == "line":
        room = max(5, *map(len, names)) if names else 5
        blocks = [
            "".join(f"{name:>{room}} = {plain(item, layout.null)}\n" for name, item in zip(names, row, strict=True))
            for row in rows
        ]
        return ("" if first else "\n") + "\n".join(blocks) if blocks else ""
    if layout.mode == "html":
        text = _html(names, "TH") if head else ""
        return text + "".join(_html([plain(item, layout.null) for item in row], "TD") for row in rows)
    if layout.mode == "insert":
        table = identifier(layout.table)
        columns = f"({','.join(map(identifier, names))})" if layout.headers else ""
        return "".join(f"INSERT INTO {table}{columns} VALUES({','.join(map(line_literal, row))});\n" for row in rows)
    cell: Callable[[Value], str] = lambda item: plain(item, layout.null)  # noqa: E731 - one of several
    name_cell: Callable[[str], str] = str
    if layout.mode == "csv":
        cell = lambda item: _csv(item, layout)  # noqa: E731
        name_cell = cell
    elif layout.mode == "quote":
        cell = literal
        name_cell = literal
    elif layout.mode == "tcl":
        cell = lambda item: tcl_string(plain(item, layout.null))  # noqa: E731
        name_cell = cell
    lines = [layout.separator.join(map(name_cell, names))] if head else []
    lines += [layout.separator.join(map(cell, row)) for row in rows]
    return "".join(line + layout.ending for line in lines)


def _csv(item: Value, layout: Layout) -> str:
    if item is None:
        return layout.null
    text = plain(item, "")
    if isinstance(item, (int, float)):
        return text
    special = not text or layout.separator in text or not text.isascii() or not _CSV_SPECIAL.isdisjoint(text)
    return '"' + text.replace('"', '""') + '"' if special else text


def _html(cells: Sequence[str], tag: str) -> str:
    return "<TR>" + "\n".join(f"<{tag}>{html.escape(cell).replace('&#x27;', '&#39;')}</{tag}>" for cell in cells) + "\n</TR>\n"


def _json(names: list[str], rows: list[Row]) -> str:
    if not rows:
        return ""

    def text(item: Value) -> str:
        if isinstance(item, float):
            return real(item, 20) if math.isfinite(item) else ("1e999" if item > 0 else "-1e999")
        if isinstance(item, bytes):
            item = item.decode("latin-1")
        return json.dumps(item, ensure_ascii=False)

    keys = [json.dumps(name, ensure_ascii=False) for name in names]
    shown = ["{" + ",".join(f"{key}:{text(item)}" for key, item in zip(keys, row, strict=True)) + "}" for row in rows]
    return "[" + ",\n".join(shown) + "]\n"


def _cells(names: list[str], rows: list[Row], layout: Layout) -> tuple[list[list[list[str]]], list[int]]:
    """The lines of every cell, and the widths of the columns."""
    limits = [*(abs(size) for size in layout.widths), *[0] * len(names)][: len(names)]
    table = [[_wrapped(plain(item, layout.null), limit) for item, limit in zip(row, limits, strict=True)] for row in rows]
    widths = [
        limit or max([len(name), *(len(line) for row in table for line in row[column])])
        for column, (name, limit) in enumerate(zip(names, limits, strict=True))
    ]
    return table, widths


def _wrapped(text: str, limit: int) -> list[str]:
    text = text.removesuffix("\n").expandtabs() if "\t" in text else text.removesuffix("\n")
    lines = _BREAK.split(text)
    if not limit:
        return lines
    return [line[start : start + limit] for line in lines for start in range(0, max(len(line), 1), limit)]


def _has_tall(table: list[list[list[str]]]) -> bool:
    """Whether a row has several lines, so that rows are separated."""
    return any(len(cell) > 1 for row in table for cell in row)


def _padded(text: str, size: int) -> str:
    return text + " " * (size - len(text))


def _centred(text: str, size: int) -> str:
    space = size - len(text)
    return " " * (space // 2) + text + " " * (space - space // 2)


def _columns(names: list[str], rows: list[Row], layout: Layout) -> str:
    table, widths = _cells(names, rows, layout)
    lines = []
    if layout.headers:
        lines.append("  ".join(_padded(name[:size], size) for name, size in zip(names, widths, strict=True)))
        lines.append("  ".join("-" * size for size in widths))
    tall = _has_tall(table)
    for number, row in enumerate(table):
        lines += [""] if number and tall else []
        cells = [(column, cell, size) for column, (cell, size) in enumerate(zip(row, widths, strict=True))]
        lines += [
            "  ".join(_aligned(cell, line, size, layout, column) for column, cell, size in cells)
            for line in range(max(map(len, row)))
        ]
    return "".join(line + "\n" for line in lines)


def _aligned(cell: list[str], line: int, size: int, layout: Layout, column: int) -> str:
    text = cell[line] if line < len(cell) else ""
    right = column < len(layout.widths) and layout.widths[column] < 0
    return " " * (size - len(text)) + text if right else _padded(text, size)


def _framed(names: list[str], rows: list[Row], layout: Layout, marks: tuple[str, str, str, str, str]) -> str:
    """Write a table in a frame: vertical and horizontal bars, then the joints of the top, middle and bottom lines."""
    upright, level, top, middle, bottom = marks
    table, widths = _cells(names, rows, layout)

    def rule(joints: str) -> str:
        return joints[0] + joints[1].join(level * (size + 2) for size in widths) + joints[2] + "\n"

    def line(cells: list[str]) -> str:
        return f"{upright} " + f" {upright} ".join(cells) + f" {upright}\n"

    text = rule(top) if top else ""
    text += line([_centred(name[:size], size) for name, size in zip(names, widths, strict=True)]) + rule(middle)
    between = rule(middle) if bottom and _has_tall(table) else ""
    for index, row in enumerate(table):
        text += between if index else ""
        for number in range(max(map(len, row))):
            text += line(
                [
                    _aligned(cell, number, size, layout, column)
                    for column, (cell, size) in enumerate(zip(row, widths, strict=True))
                ]
            )
    return text + (rule(bottom) if bottom else "")


_TABLES: dict[str, Callable[[list[str], list[Row], Layout], str]] = {
    "column": _columns,
    "table": lambda names, rows, layout: _framed(names, rows, layout, ("|", "-", "+++", "+++", "+++")),
    "markdown": lambda names, rows, layout: _framed(names, rows, layout, ("|", "-", "", "|||", "")),
    "box": lambda names, rows, layout: _framed(names, rows, layout, ("│", "─", "┌┬┐", "├┼┤", "└┴┘")),
    "qbox": lambda names, rows, layout: _framed(
        names, [[literal(item) for item in row] for row in rows], layout, ("│", "─", "┌┬┐", "├┼┤", "└┴┘")
    ),
}
