"""Reads ``.info`` files, which describe the files beside them (the manual of tree, .INFO FILES)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.ignorerules import IgnoreRule
from bashkit.commands._filesystem.lines import PATTERN, read_names
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

Notes = list[tuple[list[IgnoreRule], tuple[str, ...]]]


def read_notes(process: Process, stream: Stream, *, whole: bool = False) -> Notes:
    """Parse notes: lines with patterns, then the lines about the matching files, each after a tab.

    Args:
        process: The running tree.
        stream: The file.
        whole: Whether patterns match whole paths rather than names.
    """
    notes: Notes = []
    rules: list[IgnoreRule] = []
    lines: list[str] = []
    for line in paced(read_names(process, stream)):
        if line.startswith("\t"):
            lines.append(line[1:])
            continue
        if lines:
            notes.append((rules, tuple(lines)))
            rules, lines = [], []
        rule = IgnoreRule.read(f"/{line}" if whole and line else line)
        if rule is not None:
            process.hold(PATTERN)
            rules.append(rule)
    return [*notes, (rules, tuple(lines))] if lines else notes


def note_about(notes: Notes, path: list[str], *, is_directory: bool) -> tuple[str, ...]:
    """The lines about a file; none if it is not mentioned."""
    for rules, lines in notes:
        if any(rule.matches(path, is_directory=is_directory) for rule in rules):
            return lines
    return ()


def marks(count: int, *, ascii_only: bool) -> list[str]:
    """The text before each line of a note: a brace around all lines."""
    if ascii_only:
        return ["["] * count
    if count == 1:
        return ["{"]
    return ["⎧", *(["⎨"] if count > 2 else []), *["⎪"] * (count - 3), "⎩"]
