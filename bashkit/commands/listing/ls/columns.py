"""Lays out names in columns, as ``ls -C``, ``-x`` and ``-m`` do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP = 2
_NARROWEST = 3


def columns(cells: Sequence[str], widths: Sequence[int], line: int, *, across: bool, tab: int = 8, end: str = "\n") -> str:
    """Lay out cells in as many columns as fit.

    Args:
        cells: The texts.
        widths: The columns that each cell takes on the screen.
        line: The width of the screen.
        across: Fill rows first (``-x``) rather than columns (``-C``).
        tab: The distance of tab stops used between columns; 0 for spaces only.
        end: The text at the end of a line.
    """
    if not cells:
        return ""
    count = _best_count(widths, line, across=across)
    rows = -(-len(cells) // count)
    taken = _column_widths(widths, count, across=across)
    lines = []
    for row in range(rows):
        indices = range(row * count, min((row + 1) * count, len(cells))) if across else range(row, len(cells), rows)
        text, position, start = "", 0, 0
        for column, index in enumerate(indices):
            text += _gap(position, start, tab) + cells[index]
            position = start + widths[index]
            start += taken[column] + _GAP
        lines.append(text)
    return end.join(lines) + end


def _column_widths(widths: Sequence[int], count: int, *, across: bool) -> list[int]:
    rows = -(-len(widths) // count)
    if across:
        return [max(widths[column::count], default=0) for column in range(count)]
    return [max(widths[start : start + rows], default=0) for start in range(0, len(widths), rows)]


def _best_count(widths: Sequence[int], line: int, *, across: bool) -> int:
    if line == 0:
        return len(widths)
    most = min(len(widths), max(1, -(-line // _NARROWEST)))
    for count in range(most, 1, -1):
        taken = _column_widths(widths, count, across=across)
        needed = [width + (_GAP if column + 1 < len(taken) else 0) for column, width in enumerate(taken)]
        fits = max(needed) <= _NARROWEST or sum(max(_NARROWEST, width) for width in needed) < line
        if len(taken) <= count and fits:
            return count
    return 1


def _gap(position: int, start: int, tab: int) -> str:
    text = ""
    while position < start:
        if tab and start // tab > (position + 1) // tab:
            text += "\t"
            position += tab - position % tab
        else:
            text += " "
            position += 1
    return text


def commas(cells: Sequence[str], widths: Sequence[int], line: int, *, end: str = "\n") -> str:
    """Cells separated by commas, in lines no longer than ``line``."""
    text, position = "", 0
    for index, cell in enumerate(cells):
        if index:
            fits = line == 0 or position + 2 + widths[index] + 1 < line + 1
            text += ", " if fits else "," + end
            position = position + 2 if fits else 0
        text += cell
        position += widths[index]
    return text + end if cells else ""
