"""Rows that are children of other rows: the tree of a table, and JSON (util-linux column(1), --tree and --json)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands.records.column.table import Columns, columns_named
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.limits import Budget

_LINES = ("├─", "└─", "│ ", "  ")  # the marks before a child, before the last child, and for what is below either
_ASCII_LINES = ("|-", "`-", "| ", "  ")


@dataclass(slots=True, eq=False)
class Row:
    """A row with its position in the tree."""

    cells: list[str]
    parent: Row | None = None
    children: list[Row] = field(default_factory=list)

    def below(self, other: Row, budget: Budget) -> bool:
        """Whether it is ``other`` or below it."""
        row: Row | None = self
        while row is not None and row is not other:
            budget.tick()
            row = row.parent
        return row is not None


def roots(cells: list[list[str]], columns: Columns, arguments: Arguments, budget: Budget) -> list[Row]:
    """The rows without a parent; all rows if no tree is requested.

    Raises:
        UsageError: The options that define the tree are missing.
    """
    rows = [Row(row) for row in cells]
    if "r" not in arguments:
        return rows
    if "i" not in arguments or "p" not in arguments:
        raise UsageError("options --tree-id and --tree-parent are required for tree formatting", hint=False)
    _, identity, parent = (_only(arguments.get(key) or "", columns) for key in ("r", "i", "p"))
    by_parent: dict[str, list[Row]] = {}
    for row in rows:
        if parent < len(row.cells):
            by_parent.setdefault(row.cells[parent], []).append(row)
    for row in rows:
        for child in by_parent.get(row.cells[identity], []) if identity < len(row.cells) else []:
            budget.tick()
            if child is row or (child.children and row.below(child, budget)):
                continue
            if child.parent is not None:
                child.parent.children.remove(child)
            child.parent = row
            row.children.append(child)
    return [row for row in rows if row.parent is None]


def _only(name: str, columns: Columns) -> int:
    found = columns_named(name, columns.count, columns.headings)
    return found[0] if found else 0


def drawn(top: list[Row], columns: Columns, arguments: Arguments, budget: Budget, *, ascii_only: bool) -> list[list[str]]:
    """The cells of all rows, parents before children, with lines before the names in the column that shows the tree."""
    place = _only(arguments.get("r") or "", columns)
    child, last, below, blank = _ASCII_LINES if ascii_only else _LINES
    result = []
    pending = [(row, "", "") for row in reversed(top)]
    while pending:
        row, line, prefix = pending.pop()
        budget.string(len(prefix))
        budget.tick(1 + (len(prefix) >> 6))
        cells = [*row.cells, *[""] * (place + 1 - len(row.cells))]
        cells[place] = line + cells[place]
        result.append(cells)
        for index, other in enumerate(reversed(row.children)):
            pending.append((other, prefix + (child if index else last), prefix + (below if index else blank)))
    return result


def as_json(top: list[Row], columns: Columns, arguments: Arguments, budget: Budget) -> str:
    """Write the rows as objects, with children nested in their parents.

    Raises:
        UsageError: A column has no name.
    """
    if columns.count > len(columns.headings):
        raise UsageError(f"line 2: for JSON the name of the column {len(columns.headings) + 1} is required", hint=False)
    names = [json.dumps(name.lower(), ensure_ascii=False) for name in columns.headings]
    pieces = [f"{{\n   {json.dumps(arguments.get('n') or 'table')}: [\n      "]
    # The pending output: text, or a row and its depth.
    pending: list[str | tuple[Row, int]] = ["\n   ]\n}\n", *_between(top, 6)]
    size = 0
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            pieces.append(item)
            continue
        row, depth = item
        text = _object(row, names, columns, depth)
        size += len(text)
        budget.string(size)
        budget.tick()
        pieces.append(text)
        if row.children:
            gap = " " * depth
            pieces.append(f',\n{gap}   "children": [\n{gap}      ')
            pending += [f"\n{gap}   ]\n{gap}}}", *_between(row.children, depth + 6)]
        else:
            pieces.append(f"\n{' ' * depth}}}")
    return "".join(pieces)


def _between(rows: list[Row], depth: int) -> list[str | tuple[Row, int]]:
    """Rows in reverse, with a comma between each two."""
    result: list[str | tuple[Row, int]] = []
    for row in reversed(rows):
        result += [(row, depth), ","]
    return result[:-1]


def _object(row: Row, names: list[str], columns: Columns, depth: int) -> str:
    """The beginning of an object: its members, one a line."""
    cells = [
        json.dumps(row.cells[index], ensure_ascii=False) if row.cells[index : index + 1] not in ([], [""]) else "null"
        for index in range(columns.count)
    ]
    return "{\n" + ",\n".join(f"{' ' * (depth + 3)}{names[index]}: {cells[index]}" for index in columns.order)
