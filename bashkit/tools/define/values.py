"""Writes Python's own values as JSON: models, dataclasses, dates, decimals, sets, rows and frames, at any depth.

Nothing is imported for a kind of value: a value is recognized by the names of its classes, or by the methods that it has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields
from os import PathLike, fsdecode
from typing import TYPE_CHECKING, Any

from bashkit.limits import ask
from bashkit.tools import json_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

_SCALARS = frozenset({str, int, float, bool, type(None)})
_HOLDERS = frozenset({dict, list})
_DEEPEST = 1000  # levels of arrays and objects
_MANY = 1000  # values that are written at once
LONGEST = 64 << 20  # characters of what a callback returns
EXPECTED = (
    "expected text, bytes, JSON data, a model, a dataclass, a date, a decimal, a set, an iterator of these, ToolResult or None"
)


def encode(value: Any) -> str:
    """Write a value as JSON on one line.

    Raises:
        TypeError: A type in it has no form in JSON.
        ValueError: It is nested too deeply, contains NaN or an infinity, or takes too many characters.
    """
    return _in_pieces(value) if _weight(value) > _MANY else _at_once(value)


def _at_once(value: Any) -> str:
    try:
        if _is_plain(value):
            return json_text.encode(value)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except TypeError:  # an object's key is neither text nor a number
        pass
    return _written(value, 0)


def _in_pieces(value: Any) -> str:
    """The same for what has many members: the encoder lets nothing else run, so it gets some of them at a time."""
    pieces: list[str] = []
    size = 0
    try:
        for piece in _pieces(value, 0):
            ask(_MANY >> 2)
            pieces.append(piece)
            size += len(piece)
            if size > LONGEST:
                raise ValueError(f"it takes more than {LONGEST >> 20} Mi characters")
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return "".join(pieces)


def _pieces(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    is_object = value.__class__ is dict
    before, end = "{}" if is_object else "[]"
    some: list[Any] = []  # members that are written together
    weight = 0
    for member in value.items() if is_object else value:
        inner: Any = member[1] if is_object else member
        more = _weight(inner)
        if some and weight + more > _MANY:
            yield before + _at_once(dict(some) if is_object else some)[1:-1]
            before, some, weight = ",", [], 0
        if more > _MANY:
            yield before + (_at_once({member[0]: 0})[1:-2] if is_object else "")
            yield from _pieces(inner, depth + 1)
            before = ","
        else:
            some.append(member)
            weight += more
    yield (before + _at_once(dict(some) if is_object else some)[1:-1] if some else "") + end


def _weight(value: Any) -> int:
    """How many values there are in a plain array or object, itself included; where there are many, no more are counted."""
    count = 1
    holders: list[Any] = [value] if value.__class__ in _HOLDERS else []
    for holder in holders:  # which grows
        count += len(holder)
        if count > _MANY:
            break
        members = holder.values() if holder.__class__ is dict else holder
        holders += [inner for inner in members if inner.__class__ in _HOLDERS]
    return count


def line(value: Any) -> str:
    """Write a value on one line with its newline: a date, a time, a UUID or a path as plain text, anything else as JSON.

    Raises:
        TypeError, ValueError: As for ``encode``.
    """
    if isinstance(value, (dict, list, tuple, int, float)):
        return encode(value) + "\n"
    simple = simpler(value)
    return (simple if isinstance(simple, str) else _written(simple, 0)) + "\n"


def simpler(value: Any) -> Any:
    """Replace a value by a simpler one: an object or an array whose members may need the same, a text, a number or None.

    Raises:
        TypeError: Its type has no form in JSON.
    """
    kind = type(value)
    if hasattr(kind, "model_dump"):
        return value.model_dump(mode="json")
    for base in kind.__mro__:
        simplify = _KINDS.get(f"{base.__module__}.{base.__qualname__}")
        if simplify is not None:
            return simplify(value)
    if isinstance(value, Mapping):
        return dict(value.items())
    if hasattr(kind, "__dataclass_fields__"):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if hasattr(kind, "_asdict"):
        return value._asdict()
    if isinstance(value, PathLike):
        return fsdecode(value)
    if isinstance(value, AbstractSet):
        return _in_order(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"no JSON stands for {kind.__name__} inside of data; decode them")
    if isinstance(value, (Sequence, Iterator)):
        return list(value)
    raise TypeError(f"no JSON stands for {kind.__name__}; {EXPECTED}")


def _is_plain(value: Any) -> bool:
    """Whether a value consists of exactly the types that JSON has. A named tuple does not: the encoder would make it an array."""
    kind = type(value)
    if kind is dict:
        value = value.values()
    elif kind is not list and kind is not tuple:
        return kind in _SCALARS
    for item in value:  # noqa: SIM110 - takes half the time of all() with a generator
        if type(item) not in _SCALARS and not _is_plain(item):
            return False
    return True


def _written(value: Any, depth: int) -> str:
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if value is None or isinstance(value, (str, int, float)):
        return json_text.encode(value)
    if isinstance(value, dict):
        members = [f"{json_text.encode(_key(key))}:{_written(inner, depth + 1)}" for key, inner in value.items()]
        return "{" + ",".join(members) + "}"
    if isinstance(value, list) or type(value) is tuple:
        return "[" + ",".join([_written(item, depth + 1) for item in value]) + "]"
    return value.digits if isinstance(value, _Number) else _written(simpler(value), depth + 1)


def _key(key: Any) -> str:
    """The name of an object's member."""
    simple = key if isinstance(key, str) else key if key is None or isinstance(key, (int, float)) else simpler(key)
    if isinstance(simple, _Number):
        return simple.digits
    if simple is None or isinstance(simple, (str, int, float)):
        return simple if isinstance(simple, str) else json_text.encode(simple)
    raise TypeError(f"{type(key).__name__} cannot be the name of an object's member; expected text, a number or a date")


class _Number:
    """A number that is written with all of its digits."""

    __slots__ = ("digits",)

    def __init__(self, digits: str) -> None:
        self.digits = digits


# -- kinds of values ---------------------------------------------------------------------------------------------------


def _decimal(value: Any) -> _Number:
    if not value.is_finite():
        raise ValueError(f"{value} is not JSON")
    return _Number(str(value))


def _duration(value: timedelta) -> str:
    """A duration in the notation of ISO 8601: ``P1DT2H30M``, ``-PT0.5S``."""
    sign, value = ("-", -value) if value.days < 0 else ("", value)
    minutes, seconds = divmod(value.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f".{value.microseconds:06}".rstrip("0") if value.microseconds else ""
    parts = [
        f"{hours}H" if hours else "",
        f"{minutes}M" if minutes else "",
        f"{seconds}{fraction}S" if seconds or fraction else "",
    ]
    date, time = f"{value.days}D" if value.days else "", "".join(parts)
    return f"{sign}P{date}T{time}" if time else f"{sign}P{date or 'T0S'}"


def _in_order(items: AbstractSet[Any]) -> list[Any]:
    """The members of a set, sorted: by themselves if they can be compared, else by their JSON."""
    try:
        return sorted(items)
    except TypeError:
        return sorted(items, key=encode)


def _isoformat(value: Any) -> str | None:
    text: str = value.isoformat()
    return None if text == "NaT" else text  # what pandas has in the place of a missing date


def _row(value: Any) -> dict[str, Any]:
    """A row of sqlite3."""
    return dict(zip(value.keys(), value, strict=True))


def _pandas_frame(value: Any) -> list[dict[str, Any]]:
    """The records of a frame of pandas, in which labels of its rows are columns as well; what is missing becomes null."""
    if _has_labels(value.index):
        taken = {*value.columns, None}
        names = [f"index_{level}" if name in taken else name for level, name in enumerate(value.index.names)]
        value = value.reset_index(names=["index" if names == ["index_0"] and "index" not in taken else name for name in names])
    records: list[dict[str, Any]] = value.astype(object).where(value.notna(), None).to_dict("records")
    return records


def _pandas_series(value: Any) -> Any:
    """The values of a series of pandas by their labels, its records if they have several each, or a list if they are numbered."""
    if value.index.nlevels > 1:
        return _pandas_frame(value.to_frame("value" if value.name is None else value.name))
    value = value.astype(object).where(value.notna(), None)
    return value.to_dict() if _has_labels(value.index) else value.to_list()


def _pandas_array(value: Any) -> list[Any]:
    return [None if missing else item for item, missing in zip(value.tolist(), value.isna(), strict=True)]


def _has_labels(index: Any) -> bool:
    """Whether the index of a frame or series says more than which row it is."""
    return any(name is not None for name in index.names) or not (index.inferred_type == "integer" or index.empty)


_KINDS: dict[str, Callable[[Any], Any]] = {
    "datetime.date": _isoformat,
    "datetime.time": _isoformat,
    "datetime.timedelta": _duration,
    "decimal.Decimal": _decimal,
    "enum.Enum": lambda member: member.value,
    "ipaddress._IPAddressBase": str,
    "numpy.generic": lambda number: number.item(),
    "numpy.ndarray": lambda array: array.tolist(),
    "pandas.DataFrame": _pandas_frame,
    "pandas.Index": _pandas_array,
    "pandas.Series": _pandas_series,
    "pandas._libs.missing.C_NAType": lambda _: None,
    "pandas.api.extensions.ExtensionArray": _pandas_array,
    "pandas.core.arrays.base.ExtensionArray": _pandas_array,
    "pandas.core.frame.DataFrame": _pandas_frame,
    "pandas.core.indexes.base.Index": _pandas_array,
    "pandas.core.series.Series": _pandas_series,
    "polars.dataframe.frame.DataFrame": lambda frame: frame.to_dicts(),
    "polars.series.series.Series": lambda series: series.to_list(),
    "sqlite3.Row": _row,
    "uuid.UUID": str,
}
