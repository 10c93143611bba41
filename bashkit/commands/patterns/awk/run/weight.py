"""Measures the memory that a running awk program's Python variables hold."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from bashkit.commands.patterns.awk.run.values import Uninitialized
from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.limits import Budget

T = TypeVar("T")

_NUMBERS = {float, Uninitialized}
CODE_NAME = "<awk program>"
ELEMENT = 100  # bytes of an array element besides its text
_TEXT = 50  # bytes of a string besides its text
_ARRAY = 250  # bytes of an array besides its elements
_ROW = 4096  # elements between two looks at the budget


def program_variables() -> list[object]:
    """The values of all variables of the running program and its functions."""
    found: list[object] = []
    frame = sys._getframe(1)  # noqa: SLF001 - the only way to see a program's variables
    while frame is not None and frame.f_back is not None:
        code = frame.f_code
        if code.co_filename == CODE_NAME:
            found.extend(value for name, value in frame.f_locals.items() if name.startswith("v_"))
            if code.co_name == "program":
                break
        frame = frame.f_back
    return found


def program_line(lines: tuple[int, ...]) -> int:
    """The running line of the awk program; 0 if none is running.

    Args:
        lines: The awk line of each line of Python.
    """
    frame = sys._getframe(1)  # noqa: SLF001 - as above
    while frame.f_back is not None:
        if frame.f_code.co_filename == CODE_NAME:
            return lines[frame.f_lineno - 1]
        frame = frame.f_back
    return 0


def weigh(values: list[object], budget: Budget) -> int:
    """The bytes of values, including those in arrays.

    Raises:
        LimitExceededError: An array has too many elements.
    """
    held = 0
    seen: set[int] = set()
    while values:
        turn()
        value = values.pop()
        if isinstance(value, str):
            held += _TEXT + len(value)
        elif isinstance(value, dict) and id(value) not in seen:
            seen.add(id(value))
            budget.words(len(value))
            held += _ARRAY + ELEMENT * len(value)
            for keys in _rows(value, budget):
                held += sum(map(len, keys))
            for items in _rows(value.values(), budget):
                if not set(map(type, items)) <= _NUMBERS:
                    values += [item for item in items if item.__class__ is not float]
    return held


def _rows(items: Iterable[T], budget: Budget) -> Iterator[list[T]]:
    """The items, many at a time."""
    source = iter(items)
    while row := list(islice(source, _ROW)):
        budget.tick(len(row) >> 4)
        yield row
