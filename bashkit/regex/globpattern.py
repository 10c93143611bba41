"""The elements of a shell pattern, and reading them (bash(1), Pattern Matching)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.regex.charset import BracketError, CharSet, parse_bracket

if TYPE_CHECKING:
    from bashkit.limits import Budget


@dataclass(frozen=True, slots=True)
class AnyChar:
    """``?``."""


@dataclass(frozen=True, slots=True)
class Star:
    """``*``."""


@dataclass(frozen=True, slots=True)
class Extended:
    """``op(alternatives)``, where ``op`` is one of ``? * + @ !``."""

    operator: str
    alternatives: tuple[tuple[Element, ...], ...]


Element = str | AnyChar | Star | CharSet | Extended  # a str is one literal character


class _UnclosedError(Exception):
    """An extended pattern has no end."""


class GlobParser:
    """Splits a pattern into elements; whatever is not well formed stands for itself."""

    def __init__(self, pattern: str, *, extglob: bool, budget: Budget | None = None) -> None:
        self.pattern = pattern
        self.budget = budget
        self.extglob = extglob
        self.depth = 0

    def sequence(self, index: int, stops: str) -> tuple[tuple[Element, ...], int]:
        """The elements from ``index`` up to one of ``stops`` or the end."""
        pattern = self.pattern
        elements: list[Element] = []
        budget = self.budget
        nested = 0  # parentheses in an extended pattern that are only text
        while index < len(pattern):
            if budget is not None:
                run = _ORDINARY.match(pattern, index)
                if run is not None:
                    elements.extend(run.group())
                    index = run.end()
                    budget.tick(len(run.group()) >> 4)
                    continue
                budget.tick()
            char = pattern[index]
            if char in stops and not nested:
                break
            if self.extglob and char in "?*+@!" and pattern.startswith("(", index + 1):
                if self.depth >= _MAX_DEPTH:
                    raise _UnclosedError
                try:
                    element, index = self._extended(char, index + 2)
                except _UnclosedError:
                    if self.depth:
                        raise
                    elements.extend(pattern[index:])  # undocumented: all the rest stands for itself
                    return tuple(elements), len(pattern)
                elements.append(element)
                continue
            index += 1
            if char == "*":
                if not elements or not isinstance(elements[-1], Star):
                    elements.append(Star())
            elif char == "?":
                elements.append(AnyChar())
            elif char == "[":
                try:
                    charset, index = parse_bracket(pattern, index - 1, glob=True)
                    elements.append(charset)
                except BracketError:
                    if self.depth:
                        raise _UnclosedError from None  # the parentheses around it are in the open bracket
                    elements.append("[")
            elif char == "\\" and index < len(pattern):
                elements.append(pattern[index])
                index += 1
            else:
                if stops:
                    nested += (char == "(") - (char == ")")
                elements.append(char)
        return tuple(elements), index

    def _extended(self, operator: str, index: int) -> tuple[Extended, int]:
        self.depth += 1
        alternatives: list[tuple[Element, ...]] = []
        try:
            while True:
                elements, index = self.sequence(index, "|)")
                alternatives.append(elements)
                if index >= len(self.pattern):
                    raise _UnclosedError
                index += 1
                if self.pattern[index - 1] == ")":
                    return Extended(operator, tuple(alternatives)), index
        finally:
            self.depth -= 1


_ORDINARY = re.compile(r"[^\\*?\[+@!|()]+")
_MAX_DEPTH = 50  # groups inside each other; deeper ones stand for themselves


def reverse(elements: tuple[Element, ...]) -> tuple[Element, ...]:
    """The pattern that matches the reversed texts."""
    return tuple(
        Extended(element.operator, tuple(reverse(inner) for inner in element.alternatives))
        if isinstance(element, Extended)
        else element
        for element in reversed(elements)
    )
