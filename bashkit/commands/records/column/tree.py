"""Rows that are children of other rows: the tree of a table, and JSON (util-linux column(1), --tree and --json)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands.records.column.table import Columns, columns_named, places_of
from bashkit.interp.utility.command import UsageError
from bashkit.limits import Charge, paced, paced_if_many

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.interp.utility.command import Arguments
    from bashkit.limits import Budget

_LINES = ("├─", "└─", "│ ", "  ")  # the marks before a child, before the last child, and for what is below either
_LINE = 2  # bytes of a character of such lines
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
    rows = [Row(row) for row in paced(cells)]
    if "r" not in arguments:
        return rows
    if "i" not in arguments or "p" not in arguments:
        raise UsageError("options --tree-id and --tree-parent are required for tree formatting", hint=False)
    _, identity, parent = (_only(arguments.get(key) or "", columns) for key in ("r", "i", "p"))
    by_parent: dict[str, list[Row]] = {}
    for row in paced(rows):
        if parent < len(row.cells):
            by_parent.setdefault(row.cells[parent], []).append(row)
    for row in paced(rows):
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
    found = columns_named(name, columns.count, places_of(columns.headings))
    return next(iter(found), 0)


def drawn(top: list[Row], columns: Columns, arguments: Arguments, budget: Budget, *, ascii_only: bool) -> list[list[str]]:
    """The cells of all rows, parents before children, with lines before the names in the column that shows the tree."""
    held = Charge(budget)
    size = 0
    place = _only(arguments.get("r") or "", columns)
    child, last, below, blank = _ASCII_LINES if ascii_only else _LINES
    result = []
    pending = [(row, "", "") for row in reversed(top)]
    while pending:
        row, line, prefix = pending.pop()
        budget.string(len(prefix))
        budget.tick(1 + (len(prefix) >> 6))
        size += len(line) * _LINE
        held.reach(size)
        cells = [*row.cells, *[""] * (place + 1 - len(row.cells))]
        cells[place] = line + cells[place]
        result.append(cells)
        for index, other in enumerate(reversed(row.children)):
            pending.append((other, prefix + (child if index else last), prefix + (below if index else blank)))
    return result


def as_json(top: list[Row], columns: Columns, arguments: Arguments, budget: Budget) -> Iterator[str]:
    """Write the rows as objects, with children nested in their parents.

    Raises:
        UsageError: A column has no name.
    """
    if columns.count > len(columns.headings):
        raise UsageError(f"line 2: for JSON the name of the column {len(columns.headings) + 1} is required", hint=False)
    names = [json.dumps(name.lower(), ensure_ascii=False) for name in paced_if_many(columns.headings)]
    yield f"{{\n   {json.dumps((arguments.get('n') or 'table').lower())}: [\n      "
    levels = [iter(top)]  # the rows that are still to be written, of the top and of each row whose children are
    between = ""
    while levels:
        depth = 6 * len(levels)
        row = next(levels[-1], None)
        if row is None:
            levels.pop()
            gap = " " * (depth - 3)
            yield f"\n{gap}]\n{' ' * (depth - 6)}}}"
            between = ","
            continue
        budget.tick(columns.count)
        yield between + _object(row, names, columns, depth)
        gap = " " * depth
        if row.children:
            yield f',\n{gap}   "children": [\n{gap}      '
            levels.append(iter(row.children))
            between = ""
        else:
            yield f"\n{gap}}}"
            between = ","
    yield "\n"


def _object(row: Row, names: list[str], columns: Columns, depth: int) -> str:
    """The beginning of an object: its members, one a line."""
    cells = [
        json.dumps(row.cells[index], ensure_ascii=False) if row.cells[index : index + 1] not in ([], [""]) else "null"
        for index in range(columns.count)
    ]
    return "{\n" + ",\n".join(f"{' ' * (depth + 3)}{names[index]}: {cells[index]}" for index in columns.order)
