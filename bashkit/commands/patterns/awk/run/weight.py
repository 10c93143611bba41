"""Measures the memory that a running awk program's Python variables hold."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bashkit.limits import paced, turn

if TYPE_CHECKING:
    from bashkit.limits import Budget

CODE_NAME = "<awk program>"
ELEMENT = 100  # bytes of an array element besides its text
_TEXT = 50  # bytes of a string besides its text
_ARRAY = 250  # bytes of an array besides its elements


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
            budget.tick(len(value) >> 4)
            held += _ARRAY + ELEMENT * len(value)
            for key, item in paced(value.items()):
                held += len(key)
                if item.__class__ is not float:
                    values.append(item)
    return held
