"""The builtin functions of jq that are answered without a worker (jq 1.8 manual, Builtin operators and functions)."""

from __future__ import annotations

import math
import re
from functools import reduce
from itertools import groupby
from typing import TYPE_CHECKING, Any

from bashkit.commands.data.jq.direct import filters, values
from bashkit.commands.data.jq.direct.filters import Filter
from bashkit.commands.data.jq.direct.text import compact
from bashkit.commands.data.jq.direct.values import NotHereError, is_number, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.data.jq.direct.filters import Variables

SPLIT = filters.UNIT + 1  # growth of a string that is split into characters
WRITTEN = 6  # growth of a value that is written as JSON: a control character takes six
_WHOLE = re.compile(r"-?[1-9][0-9]{0,14}|0", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z0-9 _@,:;/=<>!%&'\"#~-]+", re.ASCII)  # a regular expression without special characters
_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_UPPER = {lower: upper for upper, lower in _LOWER.items()}
_TSV = str.maketrans({"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\", "\0": "\\0"})


def _only(kind: type, value: Any) -> Any:
    if value.__class__ is not kind:
        raise NotHereError
    return value


def _length(value: Any) -> Any:
    if value is None:
        return 0
    if is_number(value):
        return abs(value)
    if value.__class__ is bool:
        raise NotHereError
    return len(value)


def _keys(value: Any) -> list[Any]:
    return list(range(len(value))) if value.__class__ is list else sorted(_only(dict, value))


def _keys_unsorted(value: Any) -> list[Any]:
    return list(_only(dict, value))


def _type(value: Any) -> str:
    return ("null", "boolean", "boolean", "number", "string", "array", "object")[values.rank(value)]


def _add(value: Any) -> Any:
    items = list(values.each(value))
    if items and all(item.__class__ is str for item in items):
        return "".join(items)
    return reduce(values.add, items, None)


def _any(value: Any) -> bool:
    return any(map(truth, values.each(value)))


def _all(value: Any) -> bool:
    return all(map(truth, values.each(value)))


def _flatten(value: Any) -> list[Any]:
    found: list[Any] = []
    for item in _only(list, value):
        found += _flatten(item) if item.__class__ is list else [item]
    return found


def tostring(value: Any) -> str:
    """A string unchanged, any other value as JSON text."""
    return value if value.__class__ is str else str(value) if value.__class__ is int else compact(value)


def _tonumber(value: Any) -> Any:
    if is_number(value):
        return value
    if not _WHOLE.fullmatch(_only(str, value)):
        raise NotHereError
    return int(value)


def _floor(value: Any) -> Any:
    return value if value.__class__ is int else values.computed(math.floor(_only(float, value)))


def _ceil(value: Any) -> Any:
    if value.__class__ is float and -1 < value < 0:
        raise NotHereError  # -0
    return value if value.__class__ is int else values.computed(math.ceil(_only(float, value)))


def _round(value: Any) -> Any:
    if value.__class__ is int:
        return value
    size = abs(_only(float, value))
    whole = math.floor(size)
    whole += size - whole >= 0.5
    if not whole:
        raise NotHereError  # it may be -0
    return values.computed(whole if value > 0 else -whole)


def _to_entries(value: Any) -> list[Any]:
    return [{"key": name, "value": item} for name, item in _only(dict, value).items()]


def _from_entries(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for entry in _only(list, value):
        if entry.__class__ is not dict or entry.get("key").__class__ is not str or "value" not in entry:
            raise NotHereError
        found[entry["key"]] = entry["value"]
    return found


def _sort(value: Any) -> list[Any]:
    return sorted(_only(list, value), key=values.key)


def _unique(value: Any) -> list[Any]:
    return [next(group) for _, group in groupby(_sort(value), values.key)]


def _min(value: Any) -> Any:
    return min(_only(list, value), key=values.key, default=None)


def _max(value: Any) -> Any:
    return max(reversed(_only(list, value)), key=values.key, default=None)  # the last of equal maxima


def _csv_cell(value: Any) -> str:
    if value.__class__ is str:
        return '"' + value.replace('"', '""').replace("\0", "\\0") + '"'
    return "" if value is None else _scalar(value)


def _tsv_cell(value: Any) -> str:
    if value.__class__ is str:
        return str(value.translate(_TSV))
    return "" if value is None else _scalar(value)


def _scalar(value: Any) -> str:
    if value.__class__ in {list, dict}:
        raise NotHereError
    return tostring(value)


def _csv(value: Any) -> str:
    return ",".join(map(_csv_cell, _only(list, value)))


def _tsv(value: Any) -> str:
    return "\t".join(map(_tsv_cell, _only(list, value)))


def _is(*kinds: type) -> Filter:
    return Filter(1, None, lambda items, _: [item for item in items if item.__class__ in kinds])


PLAIN: dict[str, Filter] = {
    "not": filters.of(lambda value: not truth(value)),
    "true": filters.constant(True),
    "false": filters.constant(False),
    "null": filters.constant(None),
    "empty": filters.nothing,
    "values": Filter(1, None, lambda items, _: [item for item in items if item is not None]),
    "nulls": _is(type(None)),
    "booleans": _is(bool),
    "numbers": _is(int, float),
    "strings": _is(str),
    "arrays": _is(list),
    "objects": _is(dict),
    "iterables": _is(list, dict),
    "scalars": _is(type(None), bool, int, float, str),
    **{
        name: filters.of(function)
        for name, function in {
            "length": _length,
            "keys": _keys,
            "keys_unsorted": _keys_unsorted,
            "type": _type,
            "add": _add,
            "any": _any,
            "all": _all,
            "flatten": _flatten,
            "reverse": lambda value: _only(list, value)[::-1],
            "first": lambda value: values.field(value, 0),
            "last": lambda value: values.field(value, -1),
            "tonumber": _tonumber,
            "floor": _floor,
            "ceil": _ceil,
            "round": _round,
            "ascii_downcase": lambda value: _only(str, value).translate(_LOWER),
            "ascii_upcase": lambda value: _only(str, value).translate(_UPPER),
            "from_entries": _from_entries,
            "sort": _sort,
            "unique": _unique,
            "min": _min,
            "max": _max,
        }.items()
    },
    **{name: filters.of(tostring, WRITTEN) for name in ("tostring", "@text")},
    **{name: filters.of(compact, WRITTEN) for name in ("tojson", "@json")},
    "@csv": filters.of(_csv, 2),
    "@tsv": filters.of(_tsv, 2),
    "to_entries": filters.of(_to_entries, 5),  # an object with two more keys for each key
}


# ------------------------------------------------------------------------------------------------------- with arguments


def _by(function: Callable[[list[Any], Callable[[Any], Any]], Any]) -> Callable[[Filter], Filter]:
    """A function of an array and of the keys by which its items are compared."""

    def make(argument: Filter) -> Filter:
        call = argument.single

        def one(value: Any, variables: Variables) -> Any:
            return function(_only(list, value), lambda item: values.key(call(item, variables)))

        return Filter(2, one, peak=2 + argument.peak)

    return make


def _groups(items: list[Any], key: Callable[[Any], Any]) -> list[list[Any]]:
    return [list(group) for _, group in groupby(sorted(items, key=key), key)]


def _joined(value: Any, separator: str) -> str:
    return separator.join(
        ["" if item is None else item if item.__class__ is str else _scalar(item) for item in _only(list, value)]
    )


def _has(value: Any, name: Any) -> bool:
    if value.__class__ is dict and name.__class__ is str:
        return name in value
    if value.__class__ is list and name.__class__ is int:
        return bool(0 <= name < len(value))
    raise NotHereError


def _strings(function: Callable[[str, str], Any]) -> Callable[[Any, Any], Any]:
    return lambda value, argument: function(_only(str, value), _only(str, argument))


def _test(text: str, pattern: str) -> bool:
    if not _PLAIN.fullmatch(pattern):
        raise NotHereError
    return pattern in text


def _with_argument(function: Callable[[Any, Any], Any], growth: float = 1) -> Callable[[Filter], Filter]:
    return lambda argument: filters.binary(function, filters.identity, argument, growth)


def _question(function: Callable[[Any, Any], bool]) -> Callable[[Filter], Filter]:
    return lambda argument: filters.asked(function, filters.identity, argument)


def _quantified(quantifier: Callable[[Any], bool]) -> Callable[[Filter], Filter]:
    def make(argument: Filter) -> Filter:
        call = argument.single
        one: filters.One = lambda value, variables: quantifier(truth(call(item, variables)) for item in values.each(value))  # noqa: E731 - to have a type
        return Filter(1, one, peak=1 + argument.peak)

    return make


def joined(separator: str) -> Filter:
    """``join`` with a literal separator."""
    return filters.of(lambda value: _joined(value, separator), WRITTEN + len(separator) / filters.UNIT)


WITH_ARGUMENTS: dict[tuple[str, int], Callable[..., Filter]] = {
    ("select", 1): filters.selected,
    ("first", 1): filters.first,
    ("map", 1): filters.mapped,
    ("map_values", 1): filters.mapped_values,
    ("with_entries", 1): lambda inner: filters.piped(
        filters.piped(PLAIN["to_entries"], filters.mapped(inner)), PLAIN["from_entries"]
    ),
    ("sort_by", 1): _by(lambda items, key: sorted(items, key=key)),
    ("group_by", 1): _by(_groups),
    ("unique_by", 1): _by(lambda items, key: [group[0] for group in _groups(items, key)]),
    ("min_by", 1): _by(lambda items, key: min(items, key=key, default=None)),
    ("max_by", 1): _by(lambda items, key: max(reversed(items), key=key, default=None)),
    ("any", 1): _quantified(any),
    ("all", 1): _quantified(all),
    ("has", 1): _question(_has),
    ("split", 1): _with_argument(values.split, SPLIT),
    ("startswith", 1): _question(_strings(str.startswith)),
    ("endswith", 1): _question(_strings(str.endswith)),
    ("ltrimstr", 1): _with_argument(_strings(str.removeprefix)),
    ("rtrimstr", 1): _with_argument(_strings(str.removesuffix)),
    ("contains", 1): _question(_strings(lambda text, other: other in text)),
    ("test", 1): _question(_strings(_test)),
}
