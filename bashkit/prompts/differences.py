"""Writes unified diffs in which the changed words of a line are marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(r"\w+|\s|[^\w\s]")
_ALIKE = 0.4  # minimum similarity for two pieces to count as one that was changed
_MOST_WORDS = 2_000  # maximum length of a piece that is compared word by word

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a unified diff.

    Attributes:
        kind: ``-``, ``+``, ``" "``, ``@`` (position), ``=`` (a file's name) or ``\\`` (a note).
        text: The line, with its first character as in the diff.
        changed: The columns of ``text`` with changed words: pairs of start and end, from 0, end excluded.
    """

    kind: str
    text: str
    changed: tuple[Span, ...] = ()

    def pieces(self) -> Iterator[tuple[str, bool]]:
        """The text in pieces, each with whether it is a changed part; pieces that are not may be empty."""
        column = 0
        for first, behind in self.changed:
            yield self.text[column:first], False
            yield self.text[first:behind], True
            column = behind
        yield self.text[column:], False


def diff_lines(diff: str) -> list[DiffLine]:
    """The lines of a unified diff of one file.

    Changed words are marked if the removed and the added lines of a place are similar.
    """
    plain = [DiffLine(_kind(index, text), text) for index, text in enumerate(diff.split("\n")[:-1])]
    found: list[DiffLine] = []
    for changing, group in groupby(plain, key=lambda line: line.kind in {"-", "+", "\\"}):
        lines = list(group)
        found += _marked(lines) if changing else lines
    return found


def _kind(index: int, text: str) -> str:
    return "=" if index < 2 else text[:1]


def _marked(block: list[DiffLine]) -> list[DiffLine]:
    removed = [line for line in block if line.kind == "-"]
    added = [line for line in block if line.kind == "+"]
    before, after = _words(removed), _words(added)
    if not before or not after or max(len(before), len(after)) > _MOST_WORDS:
        return block
    matcher = SequenceMatcher(None, [word for _, _, word in before], [word for _, _, word in after], autojunk=False)
    common = sum(_count(before[first : first + length]) for first, _, length in matcher.get_matching_blocks())
    if 2 * common < _ALIKE * (_count(before) + _count(after)):
        return block
    old: dict[int, list[Span]] = {}
    new: dict[int, list[Span]] = {}
    for operation, first, behind, other_first, other_behind in matcher.get_opcodes():
        if operation != "equal":
            _mark(old, before[first:behind])
            _mark(new, after[other_first:other_behind])
    spans = {id(line): old.get(index, []) for index, line in enumerate(removed)}
    spans |= {id(line): new.get(index, []) for index, line in enumerate(added)}
    return [DiffLine(line.kind, line.text, tuple(spans.get(id(line), ()))) for line in block]


def _words(lines: list[DiffLine]) -> list[tuple[int, int, str]]:
    """Every word with its line number and column; the end of a line is a word too."""
    found = []
    for index, line in enumerate(lines):
        found += [(index, match.start(), match[0]) for match in _WORD.finditer(line.text, 1)]
        found.append((index, len(line.text), "\n"))
    return found


def _count(words: list[tuple[int, int, str]]) -> int:
    return sum(1 for _, _, word in words if not word.isspace())


def _mark(spans: dict[int, list[Span]], words: list[tuple[int, int, str]]) -> None:
    for index, column, word in words:
        if word == "\n":
            continue
        known = spans.setdefault(index, [])
        if known and known[-1][1] == column:
            known[-1] = (known[-1][0], column + len(word))
        else:
            known.append((column, column + len(word)))
