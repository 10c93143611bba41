"""Styles unified diffs for the terminal: removed and added lines, and the words that differ in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bashkit.cli.terminal_text import visible
from bashkit.prompts.differences import diff_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.prompts.differences import DiffLine

_COLOURS = {"+": "green", "-": "red", "@": "cyan", "\\": "cyan"}


def styled(diff: str) -> Iterator[str]:
    """The lines of a unified diff of one text."""
    for line in diff_lines(diff):
        yield _styled(line)


def _styled(line: DiffLine) -> str:
    colour = _COLOURS.get(line.kind)
    bold = True if line.kind == "=" else None
    return "".join(
        click.style(visible(text), fg=colour, bold=bold, reverse=True if changed else None) for text, changed in line.pieces()
    )
