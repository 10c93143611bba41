"""Tables of aligned fields, cut or wrapped if a line is too short (util-linux column(1), -t)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from bashkit.commands._notation.encoding import width
from bashkit.interp.utility.command import UsageError
from bashkit.limits import paced, paced_if_many
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bashkit.interp.utility.command import Arguments
    from bashkit.limits import Budget

_PAINT = re.compile(r"\x1b\[[0-9;]*m")  # what colours the text that follows


@dataclass(frozen=True, slots=True)
class Columns:
    """The settings of the columns, which count from 0.

    Attributes:
        headings: Their names, if given.
        count: Their number.
        order: The shown columns, in their order.
        right: The columns that are aligned to the right.
        cut: The columns whose cells are cut if there is no room.
        wrapped: The columns whose cells are wrapped if there is no room.
    """

    headings: list[str]
    count: int
    order: list[int]
    right: set[int]
    cut: set[int]
    wrapped: set[int]

    @classmethod
    def of(cls, arguments: Arguments, rows: list[list[str]]) -> Columns:
        """Read the options.

        Raises:
            UsageError: An option names an unknown column.
        """
        named = arguments.get("N")
        headings = named.split(",") if named is not None else []
        places = places_of(headings)
        count = max(map(len, [*rows, headings]), default=0)

        def chosen(key: str) -> set[int]:
            text = arguments.get(key)
            return (
                set()
                if text is None
                else {index for part in paced(set(text.split(","))) for index in columns_named(part, count, places)}
            )

        unnamed = set(range(len(headings), count))
        hidden = unnamed if arguments.get("H") == "-" else chosen("H")
        order = [index for index in paced(range(count)) if index not in hidden]
        ordered = arguments.get("O")
        if ordered is not None:
            parts = paced(dict.fromkeys(ordered.split(",")))
            named_first = dict.fromkeys(index for part in parts for index in columns_named(part, count, places))
            shown = set(order)
            order = [index for index in named_first if index in shown] + [index for index in order if index not in named_first]
        return cls(headings, count, order, chosen("R"), chosen("T"), chosen("W"))


def places_of(headings: list[str]) -> dict[str, int]:
    """The first column of each name."""
    return {name: index for index, name in reversed(list(enumerate(headings)))}


def columns_named(part: str, count: int, places: Mapping[str, int]) -> Iterable[int]:
    """The columns that a name, a number, or 0 (all columns) means.

    Raises:
        UsageError: The name is unknown.
    """
    if part in places:
        return [places[part]]
    if is_digits(part):
        number = int(part[:9])
        return range(count) if number == 0 else [number - 1]
    if part:
        raise UsageError(f"undefined column name '{part}'", hint=False)
    return []


def table(rows: list[list[str]], columns: Columns, joint: str, limit: int, budget: Budget) -> str:
    """Align the columns of the rows.

    Args:
        rows: The cells; the headings, if shown, are the first row.
        columns: The settings of the columns.
        joint: The text between two columns.
        limit: The width of a line, which only affects columns that may be cut or wrapped.
        budget: Charged for the size of the result.
    """
    widths = [
        max((_shown_width(row[index]) for row in paced([columns.headings, *rows]) if index < len(row)), default=0)
        for index in range(columns.count)
    ]
    _narrow(widths, columns, len(joint) * (len(columns.order) - 1), limit, budget)
    budget.string((sum(widths) + len(joint) * columns.count) * len(rows))
    result: list[str] = []
    if not (columns.cut or columns.wrapped):
        return "".join(
            [
                _line([row[index] if index < len(row) else "" for index in columns.order], widths, columns, joint)
                for row in paced(rows, 2)
            ]
        )
    for row in paced(rows, 1 + columns.count):
        cells = [_pieces(row[index] if index < len(row) else "", index, widths[index], columns) for index in columns.order]
        height = max(map(len, cells), default=1)
        lines = zip_longest(*cells, fillvalue="") if cells else [()]
        result += [_line(line, widths, columns, joint) for line in (paced(lines) if height > 1 else lines)]
    text = "".join(result)
    budget.string(len(text))
    return text


def _narrow(widths: list[int], columns: Columns, between: int, limit: int, budget: Budget) -> None:
    """Narrow the columns that may be narrower, by one in turn, until a line fits."""
    surplus = sum(widths[index] for index in columns.order) + between - limit
    narrowing = [index for index in sorted(columns.order) if index in columns.cut or index in columns.wrapped]
    while surplus > 0 and (narrowing := [index for index in narrowing if widths[index] > 1]):
        budget.tick(len(narrowing))
        step = max(1, min(surplus // len(narrowing), min(widths[index] for index in narrowing) - 1))
        for index in narrowing:
            taken = min(step, surplus)
            widths[index] -= taken
            surplus -= taken


def _shown_width(cell: str) -> int:
    """The number of columns of a cell, in which colours take none."""
    return width(_PAINT.sub("", cell) if "\x1b" in cell else cell)


def _pieces(cell: str, index: int, room: int, columns: Columns) -> list[str]:
    """The lines of a cell."""
    if _shown_width(cell) <= room or not (index in columns.cut or index in columns.wrapped):
        return [cell]
    pieces, piece, taken = [], "", 0
    for char in paced_if_many(cell):
        size = width(char)
        if taken + size > room and (piece or index in columns.cut):
            pieces.append(piece)
            piece, taken = "", 0
        piece += char
        taken += size
    pieces.append(piece)
    return pieces if index in columns.wrapped else pieces[:1]


def _line(cells: Sequence[str], widths: list[int], columns: Columns, joint: str) -> str:
    right, last = columns.right, columns.order[-1] if columns.order else -1
    shown = []
    for index, cell in zip(columns.order, cells, strict=False):
        if index == last and (index not in right or not cell):
            shown.append(cell)
        else:
            gap = " " * (widths[index] - _shown_width(cell))
            shown.append(gap + cell if index in right else cell + gap)
    return joint.join(shown) + "\n"
