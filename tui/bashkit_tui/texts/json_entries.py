"""The entries of a JSON value as a tree shows them, made for the positions that are asked for; and a search among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LONGEST = 160  # the most characters of a text on one line

Place = tuple[int, ...]  # the position among the entries of the outermost value, then of the one inside, and so on


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """One entry.

    Attributes:
        key: A name, an index, or None.
        value: The JSON value.
        line: A line of a long text, in place of the value.
        folded: The positions of the entries that this one stands for.
    """

    key: str | int | None
    value: Any = None
    line: str | None = None
    folded: range | None = None


def opens(value: Any) -> bool:
    """Whether a value has entries: it is an array or object that is not empty, or a text that does not fit on one line."""
    if isinstance(value, str):
        return len(value) > LONGEST or "\n" in value.rstrip("\n")
    return isinstance(value, (dict, list)) and bool(value)


class Entries:
    """The entries inside a value.

    Args:
        value: An array or object; or a text, whose entries are its lines, long ones in pieces.
    """

    def __init__(self, value: Any) -> None:
        self._make: Callable[[int], JsonEntry]
        if isinstance(value, dict):
            items = list(value.items())
            self._count, self._make = len(items), lambda place: JsonEntry(str(items[place][0]), items[place][1])
        elif isinstance(value, list):
            self._count, self._make = len(value), lambda place: JsonEntry(place, value[place])
        else:
            lines = list(_pieces(str(value)))
            self._count, self._make = len(lines), lambda place: JsonEntry(None, line=lines[place])

    def __len__(self) -> int:
        return self._count

    def at(self, places: range) -> Iterator[JsonEntry]:
        """The entries at some positions."""
        return map(self._make, places)


def _pieces(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        for start in range(0, max(1, len(line)), LONGEST):
            yield line[start : start + LONGEST]


def places_of(value: Any, matches: Callable[[str], bool], most: int) -> list[Place]:
    """Where a key, or a value that is no array or object, matches: the first places, in the order of the tree.

    Args:
        value: The value to search.
        matches: Decides about the text of a key or value.
        most: The most places to find.
    """
    found: list[Place] = []
    waiting: list[Iterator[tuple[Place, str | None, Any]]] = [_inside(value, ())]
    while waiting and len(found) < most:
        item = next(waiting[-1], None)
        if item is None:
            waiting.pop()
            continue
        place, key, inner = item
        nested = isinstance(inner, (dict, list))
        if (key is not None and matches(key)) or (not nested and matches(_text(inner))):
            found.append(place)
        if nested:
            waiting.append(_inside(inner, place))
    return found


def _inside(value: Any, place: Place) -> Iterator[tuple[Place, str | None, Any]]:
    if isinstance(value, dict):
        return (((*place, index), str(key), inner) for index, (key, inner) in enumerate(value.items()))
    if isinstance(value, list):
        return (((*place, index), None, inner) for index, inner in enumerate(value))
    return iter([((*place, 0), None, value)])


def _text(value: Any) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
