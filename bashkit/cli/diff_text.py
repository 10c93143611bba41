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
    text, parts, column = line.text, [], 0
    for first, behind in line.changed:
        parts += [
            click.style(visible(text[column:first]), fg=colour),
            click.style(visible(text[first:behind]), fg=colour, reverse=True),
        ]
        column = behind
    return "".join([*parts, click.style(visible(text[column:]), fg=colour, bold=True if line.kind == "=" else None)])
