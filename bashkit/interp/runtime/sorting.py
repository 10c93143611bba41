"""Sorts long lists in pieces, so that no single call takes long."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.limits import Budget

Item = TypeVar("Item")

PIECE = 1 << 14  # items that are sorted in one call, in some 10 ms
_SAMPLES = 16  # of each piece, to find where to part
_STEPS = 4096  # microseconds charged for one piece


def ordered(
    items: Sequence[Item], budget: Budget, *, key: Callable[[Item], Any] | None = None, reverse: bool = False
) -> Sequence[Item]:
    """The items in order; equal ones stay in theirs.

    Pieces are sorted first. What lies between two limits in all of them is then sorted together: that is a merge of sorted runs.

    Args:
        items: What to sort. Numbers that come as a range or an array leave as an array, which takes an eighth of a list.
        budget: Pays for each piece.
        key: As for ``sorted``.
        reverse: The largest first; equal ones stay in their order still.
    """
    if len(items) <= 2 * PIECE:
        return sorted(items, key=key, reverse=reverse)  # type: ignore[type-var,arg-type]  # the caller's items compare
    if reverse:
        return ordered(items[::-1], budget, key=key)[::-1]
    keep = _keeper(items)
    runs = []
    for start in range(0, len(items), PIECE):
        runs.append(keep(sorted(items[start : start + PIECE], key=key)))
        budget.tick(_STEPS)
    measure = key or (lambda item: item)
    del items
    samples: list[Any] = sorted(measure(item) for run in runs for item in run[:: PIECE // _SAMPLES])
    result = keep([])
    places = [0] * len(runs)
    for limit in samples[_SAMPLES::_SAMPLES]:
        ends = [bisect_left(run, limit, place, key=key) for run, place in zip(runs, places, strict=True)]
        result += keep(_merged(runs, places, ends, key))
        places = ends
        budget.tick(_STEPS)
        ends = [bisect_right(run, limit, place, key=key) for run, place in zip(runs, places, strict=True)]
        for run, start, end in zip(runs, places, ends, strict=True):  # those that are equal to the limit may be very many
            result += run[start:end]
            budget.tick(end - start >> 4)
        places = ends
    result += keep(_merged(runs, places, list(map(len, runs)), key))
    kept: Sequence[Item] = result
    return kept


def _keeper(items: Sequence[Any]) -> Callable[[list[Any]], Any]:
    """What keeps a part of the items in the way that all of them are kept."""
    if isinstance(items, array):
        return partial(array, items.typecode)
    return partial(array, "I") if isinstance(items, range) else _as_it_is


def _as_it_is(part: list[Any]) -> list[Any]:
    return part


def _merged(runs: list[Sequence[Item]], starts: list[int], ends: list[int], key: Callable[[Item], Any] | None) -> list[Item]:
    together: list[Item] = []
    for run, start, end in zip(runs, starts, ends, strict=True):
        together += run[start:end]
    together.sort(key=key)  # pyright: ignore[reportArgumentType]  # None is a key, too
    return together
