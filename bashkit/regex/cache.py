"""What is kept between executions: the patterns used last and the engines of re2, each within a number of bytes.

The libraries keep some by themselves, a number of them, whatever their size. Who makes large ones makes them drop all at times.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Key = TypeVar("Key")
Item = TypeVar("Item")
Rest = ParamSpec("Rest")
_SHORT = 2048  # characters of a text whose result is kept
_LONG_ONES = 1 << 21  # characters of long patterns that ``re`` may keep, in some ten bytes each


def for_short(
    maxsize: int, length: Callable[[Key], int]
) -> Callable[[Callable[Concatenate[Key, Rest], Item]], Callable[Concatenate[Key, Rest], Item]]:
    """Keep the results of a function for the arguments used last, except where the first one is long.

    Args:
        maxsize: How many results are kept.
        length: The characters of an argument.
    """

    def decorate(function: Callable[Concatenate[Key, Rest], Item]) -> Callable[Concatenate[Key, Rest], Item]:
        kept = lru_cache(maxsize)(function)

        @wraps(function)
        def call(key: Key, /, *rest: Rest.args, **named: Rest.kwargs) -> Item:
            return kept(key, *rest, **named) if length(key) <= _SHORT else function(key, *rest, **named)  # type: ignore[arg-type]  # hashable

        return call

    return decorate


def for_short_texts(maxsize: int) -> Callable[[Callable[Concatenate[str, Rest], Item]], Callable[Concatenate[str, Rest], Item]]:
    """As ``for_short``, for a function of a text."""
    return for_short(maxsize, len)


class Recent(Generic[Key, Item]):
    """The items used last.

    Args:
        capacity: How much they may weigh together, in bytes.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._items: OrderedDict[Key, tuple[Item, int]] = OrderedDict()
        self._weight = 0

    def get(self, key: Key) -> Item | None:
        """The item, which is then the one used last; None where it is not kept."""
        found = self._items.pop(key, None)
        if found is None:
            return None
        self._items[key] = found
        return found[0]

    def put(self, key: Key, item: Item, weight: int) -> None:
        """Keep an item; those used longest ago go."""
        if weight > self._capacity:
            return
        replaced = self._items.pop(key, None)
        self._weight += weight - (replaced[1] if replaced is not None else 0)
        self._items[key] = (item, weight)
        while self._weight > self._capacity:
            _, (_, gone) = self._items.popitem(last=False)
            self._weight -= gone


class Overflow:
    """Has a library drop what it keeps by itself whenever more was made than it may keep.

    Args:
        capacity: How much may be made meanwhile, in bytes or whatever ``note`` is told.
        purge: Drops all.
    """

    def __init__(self, capacity: int, purge: Callable[[], object]) -> None:
        self._capacity = capacity
        self._purge = purge
        self._made = 0

    def note(self, weight: int) -> None:
        """Something was made that is kept."""
        self._made += weight
        if self._made > self._capacity:
            self._made = 0
            self._purge()


_LONG = Overflow(_LONG_ONES, re.purge)


def compiled_by_re(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile``, for a pattern of any length."""
    found = re.compile(pattern, flags)
    if len(pattern) > _SHORT:
        _LONG.note(len(pattern))
    return found
