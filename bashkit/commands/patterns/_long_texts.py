"""Changes of texts of any length, which ask for time in between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.limits import ask, running_budget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.limits import Budget

FEW = 6  # pieces of a replacement that are no much longer text than the longest of them
_PART = 1 << 16  # characters between two looks at the clock


def replaced(text: str, literal: str, replacement: str, budget: Budget) -> str:
    """``text.replace(literal, replacement)``.

    Raises:
        LimitExceededError: The result is longer than ``max_string_bytes``.
    """
    done: list[str] = []
    size, rest, begins = len(text), "", len(literal) - 1
    for start in range(0, len(text), _PART):
        *pieces, last = (rest + text[start : start + _PART]).split(literal)
        size += len(pieces) * (len(replacement) - len(literal))
        budget.string(size)
        budget.tick(1 + (len(pieces) >> 2))
        rest = last[max(0, len(last) - begins) :]  # a match may begin here
        done.append(replacement.join([*pieces, last[: len(last) - len(rest)]]))
    return "".join([*done, rest])


def filled(pieces: Sequence[str | int], group: Callable[[int], str | None]) -> str:
    """The pieces of a replacement that has many of them, as one text.

    Args:
        pieces: Texts, and the numbers of groups.
        group: The text of a group, which may be long: it is asked for once.

    Raises:
        LimitExceededError: The text is longer than ``max_string_bytes``.
    """
    groups = {number: group(number) or "" for number in {piece for piece in pieces if not isinstance(piece, str)}}
    made = [piece if isinstance(piece, str) else groups[piece] for piece in pieces]
    check_length(sum(map(len, made)))
    return "".join(made)


def check_length(length: int) -> None:
    """Ask the running task's budget for a string of a length.

    Raises:
        LimitExceededError: It is longer than ``max_string_bytes``.
    """
    budget = running_budget()
    if budget is not None:
        budget.string(length)


def translated(text: str, table: dict[int, str]) -> str:
    """``text.translate(table)``."""
    if len(text) <= _PART:
        return text.translate(table)
    done: list[str] = []
    for start in range(0, len(text), _PART):
        done.append(text[start : start + _PART].translate(table))
        ask(_PART >> 7)
    return "".join(done)
