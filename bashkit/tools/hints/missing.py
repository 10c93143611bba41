"""Fields that a program reads and that are not there."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any

from bashkit.tools.hints.field_paths import Path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KEPT = 20  # objects without a field that are kept for the message
_SHOWN = 12  # maximum keys of an object that are all shown
_NEAREST = 5  # the number of keys that are shown of more
_CONSIDERED = 1000  # keys among which the nearest are looked for
_LONGEST = 60  # maximum characters of a key
_SEARCHED = 200  # objects in which a key is searched
_SIMILAR = 0.7
_RUNS = 8  # runs of one command line that are followed
_OUTPUTS = 8  # outputs of tools in which a key is looked for
_LARGEST = 1 << 18  # bytes of such an output
_MOST = 5  # sentences in one script
_ALL_STEPS = 200_000  # steps of following programs in one script


@dataclass(slots=True, eq=False)
class Place:
    """What is known of one reading of a field in a program.

    Attributes:
        name: The field.
        found: Whether an object had it.
        asked: Whether the program asked on purpose.
        lacking: The first objects that did not have it, with their paths.
    """

    name: str
    found: bool = False
    asked: bool = False
    lacking: list[tuple[Path, dict[str, Any]]] = field(default_factory=list)

    @property
    def wrong(self) -> bool:
        """Whether the program relied on the field, and no object had it."""
        return bool(self.lacking) and not self.found and not self.asked

    @property
    def settled(self) -> bool:
        """Whether no more can be told of it."""
        return self.found or self.asked or bool(self.lacking)

    @property
    def keys(self) -> list[str]:
        """The keys of the objects that did not have it."""
        return list(dict.fromkeys(key for _, holder in self.lacking for key in holder))


@dataclass(frozen=True, slots=True)
class Missing:
    """The null that comes of a field that is not there.

    Attributes:
        place: Where the program reads it.
        path: The path of the object.
        holder: The object.
    """

    place: Place
    path: Path
    holder: dict[str, Any]

    def ask(self) -> None:
        """Note that the program asks whether it is there."""
        self.place.asked = True

    def use(self) -> None:
        """Note that the program relies on it."""
        if len(self.place.lacking) < _KEPT:
            self.place.lacking.append((self.path, self.holder))


def sentence(place: Place) -> str:
    """What to say of a field that is not there: where, what is there, and what was probably meant."""
    every = len({path for path, _ in place.lacking}) > 1
    path, holder = place.lacking[0]
    keys = place.keys
    near = nearest(place.name, keys)
    meant = f" (did you mean {path.then(near).text(every=every)}?)" if near else ""
    other = "" if near else _elsewhere(place.name, holder, path)
    where = path.text(every=every)
    return f"{path.then(place.name[:_LONGEST]).text(every=every)}: no such key{meant}; {where} {having(place.name, keys)}{other}"


def having(name: str, keys: list[str]) -> str:
    """What an object without the key ``name`` has: all of its keys, or the nearest of many."""
    if not keys:
        return "is an empty object"
    shown = [_short(key) for key in keys[:_CONSIDERED]]
    if len(keys) <= _SHOWN:
        return f"has {', '.join(shown)}"
    close = get_close_matches(name[:_LONGEST], shown, _NEAREST, 0.3) or shown[:_NEAREST]
    return f"has {len(keys)} keys, the nearest are {', '.join(close)}"


def nearest(name: str, keys: Iterable[str]) -> str | None:
    """The key that a wrong name probably means: one that is spelled alike, or of which the name is a part."""
    plain = {_plain(key): key for key in islice(keys, _CONSIDERED) if len(key) <= _LONGEST}
    wanted = _plain(name)
    if len(name) > _LONGEST or not wanted:
        return None
    if wanted in plain:
        return plain[wanted]
    inside = [key for key in plain if len(key) > 2 and len(wanted) > 2 and (key in wanted or wanted in key)]
    close = get_close_matches(wanted, inside or plain, 1, 0 if inside else _SIMILAR)
    return plain[close[0]] if close else None


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


def _short(key: str) -> str:
    return key if len(key) <= _LONGEST else f"{key[:_LONGEST]}…"


def _elsewhere(name: str, holder: dict[str, Any], path: Path) -> str:
    """Where inside an object the key is."""
    for number, (inner, where) in enumerate(_objects(holder, path)):
        if number and name in inner:
            return f"; there is {where.then(name).text(every=True)}"
    return ""


def _objects(value: Any, path: Path) -> Iterator[tuple[dict[str, Any], Path]]:
    """The objects in a value, the outermost first, not very many."""
    pending: list[tuple[Any, Path]] = [(value, path)]
    for number, (item, where) in enumerate(pending):  # the list grows during the loop
        if number == _SEARCHED:
            return
        if isinstance(item, dict):
            yield item, where
        steps = item.items() if isinstance(item, dict) else enumerate(item[:_KEPT])
        pending += [(part, where.then(step)) for step, part in steps if isinstance(part, (dict, list))]


@dataclass(slots=True)
class Told:
    """What a script has been told.

    Attributes:
        places: What is known of each reading of a field, by the part of the program that reads.
        given: The fields that were told of, with the keys that were there.
        settled: The command lines of which no more can be told.
        runs: How often each command line was followed.
        steps: The steps that are left for following programs.
        outputs: What tools have printed last, with their names.
    """

    places: dict[Any, Place] = field(default_factory=dict)
    given: set[tuple[str, ...]] = field(default_factory=set)
    settled: set[tuple[str, ...]] = field(default_factory=set)
    runs: dict[tuple[str, ...], int] = field(default_factory=dict)
    steps: int = _ALL_STEPS
    outputs: deque[tuple[str, bytes]] = field(default_factory=lambda: deque(maxlen=_OUTPUTS))

    @property
    def open(self) -> bool:
        """Whether more may be told."""
        return len(self.given) < _MOST and self.steps > 0

    def settle(self, words: tuple[str, ...], readings: Iterable[Any]) -> None:
        """Note that a command line was followed, whose program has these readings."""
        self.runs[words] = self.runs.get(words, 0) + 1
        if self.runs[words] == _RUNS or all(one in self.places and self.places[one].settled for one in readings):
            self.settled.add(words)

    def remember(self, tool: str, output: bytes) -> None:
        """Keep what a tool has printed."""
        if len(output) <= _LARGEST:
            self.outputs.append((tool, output))

    def key_error(self, key: str) -> str:
        """The line for a key that some object lacks; which one is not known, so those are searched that tools have printed. ""
        without any.
        """
        best: tuple[int, str, Place] | None = None
        for tool, output in reversed(self.outputs):
            try:
                value = json.loads(output)
            except (ValueError, RecursionError):
                continue
            for holder, path in _objects(value, Path()):
                if key in holder:
                    continue
                rank = 0 if nearest(key, holder) else 1 if _elsewhere(key, holder, path) else 2
                if best is None or rank < best[0]:
                    best = rank, tool, Place(key, lacking=[(path, holder)])
        return "" if best is None else f"hint: {best[1]}: {sentence(best[2])}\n"

    def tell(self, place: Place) -> str:
        """The line for a field, or "" if it was given before or enough was told."""
        about = (place.name, *place.keys)
        if about in self.given or not self.open:
            return ""
        self.given.add(about)
        return f"hint: {sentence(place)}\n"
