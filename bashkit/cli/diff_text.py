"""Styles unified diffs for the terminal: removed and added lines, and the words that differ in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bashkit.prompts.differences import diff_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.prompts.differences import DiffLine

_COLOURS = {"+": "green", "-": "red", "@": "cyan", "\\": "cyan"}
_CONTROLS = {
    code: f"\\x{code:02x}" for code in [*range(9), *range(10, 32), *range(127, 160)]
}  # a text must not control the terminal


def styled(diff: str) -> Iterator[str]:
    """The lines of a unified diff of one text."""
    for line in diff_lines(diff):
        yield _styled(line)


def _styled(line: DiffLine) -> str:
    colour = _COLOURS.get(line.kind)
    text, parts, column = line.text, [], 0
    for first, behind in line.changed:
        parts += [
            click.style(printable(text[column:first]), fg=colour),
            click.style(printable(text[first:behind]), fg=colour, reverse=True),
        ]
        column = behind
    return "".join([*parts, click.style(printable(text[column:]), fg=colour, bold=True if line.kind == "=" else None)])


def printable(text: str) -> str:
    """A text with control characters, and bytes that are no UTF-8, as escapes."""
    return text.translate(_CONTROLS).encode("utf-8", "backslashreplace").decode()
