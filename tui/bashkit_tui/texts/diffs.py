"""Diffs as coloured text: unified or side by side, with changed words marked."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from textual.content import Content

from bashkit_tui.texts.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.prompts.differences import DiffLine

_STYLES = {"+": "$text-success", "-": "$text-error", "@": "$text-primary", "\\": "$foreground-muted", "=": "bold"}
_GUTTER = " │ "
_LEAST = 20  # columns of a side below which the diff is unified instead


def unified(lines: Sequence[DiffLine]) -> Content:
    """Every line with its sign; changed words reversed."""
    return Content("\n").join(_line(line) for line in lines)


def side_by_side(lines: Sequence[DiffLine], width: int) -> Content:
    """The snapshot on the left, the current text on the right, each wrapped into its half of ``width`` columns."""
    half = (width - len(_GUTTER)) // 2
    if half < _LEAST:
        return unified(lines)
    rows: list[Content] = []
    pending: tuple[list[DiffLine], list[DiffLine]] = ([], [])
    for line in lines:
        if line.kind in {"-", "+"}:
            pending[line.kind == "+"].append(line)
            continue
        rows += _pairs(pending, half)
        pending = ([], [])
        if line.kind == " ":
            rows += _row(_line(line)[1:], _line(line)[1:], half)
        elif line.kind != "=":
            rows += _line(line).wrap(width)
    return Content("\n").join([*_heads(half), *rows, *_pairs(pending, half)])


def _heads(half: int) -> list[Content]:
    return _row(Content.styled("kept", "bold"), Content.styled("now", "bold"), half)


def _pairs(pending: tuple[list[DiffLine], list[DiffLine]], half: int) -> list[Content]:
    """The removed lines of a place beside the added ones."""
    found: list[Content] = []
    for old, new in zip_longest(*pending):
        found += _row(_line(old)[1:] if old else Content(""), _line(new)[1:] if new else Content(""), half)
    return found


def _row(left: Content, right: Content, half: int) -> list[Content]:
    """One line of each side, as many rows as the longer one needs."""
    empty = Content("")
    return [
        Content.assemble(one.pad_right(half - one.cell_length), (_GUTTER, "$foreground-muted"), two)
        for one, two in zip_longest(left.wrap(half) or [empty], right.wrap(half) or [empty], fillvalue=empty)
    ]


def _line(line: DiffLine) -> Content:
    style = _STYLES.get(line.kind, "")
    pieces = [(_shown(text), f"reverse {style}" if changed else style) for text, changed in line.pieces()]
    return Content.assemble(*pieces)


def _shown(text: str) -> str:
    return printable(text).replace("\t", "    ").replace("\n", "␊")
