"""The builtin functions of jq as far as they matter to what a program reads (jq 1.8 manual, Builtin operators and functions)."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from bashkit.commands.data.jq.direct import filters, values
from bashkit.commands.data.jq.direct.functions import PLAIN, WITH_ARGUMENTS
from bashkit.commands.data.jq.direct.values import NotHereError
from bashkit.tools import json_text
from bashkit.tools.hints import jq_program as tree
from bashkit.tools.hints.missing import Missing
from bashkit.tools.hints.unknown import UNKNOWN, FailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.tools.hints.jq_reading import Reader, Scope

    Builtin = Callable[[Reader, tuple[tree.Node, ...], Any, Scope], Iterator[Any]]

_BUILTINS: dict[tuple[str, int], Builtin] = {}
_DEEPEST = 20  # levels of JSON in a string


def builtin(reader: Reader, call: tree.Call, value: Any, scope: Scope) -> Iterator[Any]:
    """The results of a builtin function; ``UNKNOWN`` of one that is not followed."""
    known = _BUILTINS.get((call.name, len(call.arguments)))
    return _plain(reader, call, value, scope) if known is None else known(reader, call.arguments, value, scope)


def _is(*names: str, arguments: int = 0) -> Callable[[Builtin], Builtin]:
    def register(function: Builtin) -> Builtin:
        _BUILTINS.update({(name, arguments): function for name in names})
        return function

    return register


# -- functions of values -----------------------------------------------------------------------------------------------

_OF_VALUES = frozenset(
    {
        ("startswith", 1),
        ("endswith", 1),
        ("ltrimstr", 1),
        ("rtrimstr", 1),
        ("trimstr", 1),
        ("split", 1),
        ("split", 2),
        ("join", 1),
        ("test", 1),
        ("test", 2),
        ("match", 1),
        ("match", 2),
        ("capture", 1),
        ("capture", 2),
        ("scan", 1),
        ("scan", 2),
        ("splits", 1),
        ("sub", 2),
        ("sub", 3),
        ("gsub", 2),
        ("gsub", 3),
        ("index", 1),
        ("rindex", 1),
        ("indices", 1),
        ("contains", 1),
        ("inside", 1),
        ("has", 1),
        ("in", 1),
        ("strftime", 1),
        ("strptime", 1),
        ("pow", 2),
    }
)


def _plain(reader: Reader, call: tree.Call, value: Any, scope: Scope) -> Iterator[Any]:
    """A function of its input and of the values of its arguments, or one that is not followed."""
    form = call.name, len(call.arguments)
    if form[1] and form not in _OF_VALUES:
        yield UNKNOWN
        return
    made = PLAIN.get(call.name) if not form[1] else WITH_ARGUMENTS.get(form)
    given = [list(map(reader.use, reader.run(argument, value, scope))) for argument in call.arguments]
    _spread(reader, value)
    used = reader.use(value)
    if made is None or used is UNKNOWN or any(len(one) != 1 or one[0] is UNKNOWN for one in given):
        yield UNKNOWN
        return
    try:
        found = made if isinstance(made, filters.Filter) else made(*(_constant(one[0]) for one in given))
        yield from found.many([used], {})
    except (NotHereError, TypeError, ValueError):
        yield UNKNOWN


def _constant(value: Any) -> filters.Filter:
    return filters.Filter(1, lambda _value, _variables: value)


def _spread(reader: Reader, value: Any) -> None:
    """Note where the items of an array are, and the items of arrays in it, before they become parts of another array."""
    if value.__class__ is list:
        for part in reader.parts(value):
            if part.__class__ is list:
                list(reader.parts(part))


# -- questions ---------------------------------------------------------------------------------------------------------


@_is("select", arguments=1)
def _select(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    for test in reader.run(arguments[0], value, scope):
        if reader.truth(test):
            yield value


@_is("not")
def _not(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    yield UNKNOWN if value is UNKNOWN else not reader.truth(value)


@_is("type")
def _type(_reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    if value.__class__ is Missing:
        value.ask()
    yield UNKNOWN


_SCALARS = frozenset({type(None), bool, int, float, str, Missing})
_KINDS: dict[str, frozenset[type]] = {
    "values": frozenset({bool, int, float, str, list, dict}),
    "nulls": frozenset({type(None), Missing}),
    "booleans": frozenset({bool}),
    "numbers": frozenset({int, float}),
    "strings": frozenset({str}),
    "arrays": frozenset({list}),
    "objects": frozenset({dict}),
    "iterables": frozenset({list, dict}),
    "scalars": _SCALARS,
}


def _of_kind(kinds: frozenset[type]) -> Builtin:
    def function(_reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
        if value.__class__ is Missing:
            value.ask()
        if value is UNKNOWN or value.__class__ in kinds:
            yield value

    return function


_BUILTINS.update({(name, 0): _of_kind(kinds) for name, kinds in _KINDS.items()})


def _quantified(*, every: bool) -> Builtin:
    """``any`` or ``all``, of the items, of a test of the items, or of a test of given values."""

    def function(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
        items = reader.run(arguments[0], value, scope) if len(arguments) == 2 else reader.parts(value)
        known = True
        for item in items:
            for test in reader.run(arguments[-1], item, scope) if arguments else iter((item,)):
                known = known and test is not UNKNOWN
                if test is not UNKNOWN and reader.truth(test) is not every:
                    yield not every
                    return
        yield every if known else UNKNOWN

    return function


_BUILTINS.update({("any", number): _quantified(every=False) for number in range(3)})
_BUILTINS.update({("all", number): _quantified(every=True) for number in range(3)})


# -- parts -------------------------------------------------------------------------------------------------------------


@_is("empty", "halt")
def _empty(_reader: Reader, _arguments: tuple[tree.Node, ...], _value: Any, _scope: Scope) -> Iterator[Any]:
    return iter(())


@_is("error", "halt_error")
@_is("error", "halt_error", arguments=1)
def _error(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    for argument in arguments:
        for text in reader.run(argument, value, scope):
            reader.use(text)
    raise FailedError


@_is("debug", "stderr", "debug", "input_line_number")
@_is("debug", arguments=1)
def _same(_reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    yield value


@_is("first")
def _first(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    yield reader.part(value, 0)


@_is("last")
def _last(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    yield reader.part(value, -1)


@_is("nth", arguments=1)
def _nth(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    yield reader.part(value, reader.use(reader.value(arguments[0], value, scope)))


@_is("first", arguments=1)
def _first_of(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    yield from islice(reader.run(arguments[0], value, scope), 1)


@_is("last", arguments=1)
def _last_of(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    yield from list(reader.run(arguments[0], value, scope))[-1:]


@_is("limit", arguments=2)
def _limit(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    count = reader.value(arguments[0], value, scope)
    yield from islice(reader.run(arguments[1], value, scope), max(count, 0) if count.__class__ is int else None)


@_is("recurse")
def _recurse(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    pending = [value]
    while pending:
        item = pending.pop()
        yield item
        if item.__class__ is dict or item.__class__ is list:
            pending.extend(reversed(list(reader.parts(item))))


@_is("map", arguments=1)
def _map(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    yield [result for part in reader.parts(value) for result in reader.run(arguments[0], part, scope)]


@_is("map_values", arguments=1)
def _map_values(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    results = [list(islice(reader.run(arguments[0], part, scope), 1)) for part in reader.parts(value)]
    if value.__class__ is dict:
        yield {name: found[0] for name, found in zip(value, results, strict=True) if found}
    else:
        yield [item for found in results for item in found]


@_is("add")
def _add(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    parts = list(reader.parts(value)) if value.__class__ is not Missing else [reader.use(value)]
    for part in parts:
        _spread(reader, part)
    total: Any = None
    try:
        for part in map(reader.use, parts):
            total = UNKNOWN if part is UNKNOWN or total is UNKNOWN else values.add(total, part)
    except NotHereError:
        total = UNKNOWN
    yield total


# -- entries -----------------------------------------------------------------------------------------------------------


def _entries(reader: Reader, value: Any) -> Iterator[dict[str, Any]]:
    if value.__class__ is not dict:
        if value.__class__ is Missing:
            value.use()
        raise FailedError
    for name, part in zip(list(value), reader.parts(value), strict=True):
        yield {"key": name, "value": part}


@_is("to_entries")
def _to_entries(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    yield UNKNOWN if value is UNKNOWN else list(_entries(reader, value))


@_is("from_entries")
def _from_entries(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    yield _object(reader, reader.parts(value))


@_is("with_entries", arguments=1)
def _with_entries(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    if value is UNKNOWN:
        yield UNKNOWN
        return
    yield _object(reader, (found for entry in _entries(reader, value) for found in reader.run(arguments[0], entry, scope)))


def _object(reader: Reader, entries: Iterator[Any]) -> Any:
    """The object that ``from_entries`` makes."""
    made = {}
    for entry in entries:
        name = reader.use(entry["key"]) if entry.__class__ is dict and "key" in entry else UNKNOWN
        if name.__class__ is not str:
            return UNKNOWN
        made[name] = entry.get("value")
    return made


# -- order -------------------------------------------------------------------------------------------------------------


def _keyed(reader: Reader, argument: tree.Node, value: Any, scope: Scope) -> list[tuple[Any, Any]]:
    """The items of an array with the keys by which they are compared, in order; in their own order if that is not certain."""
    found = []
    for item in reader.parts(value):
        results = [reader.use(result) for result in reader.run(argument, item, scope)]
        try:
            key = tuple(map(values.key, results)) if not any(result is UNKNOWN for result in results) else None
        except NotHereError:
            key = None
        found.append((key, item))
    if any(key is None for key, _ in found):
        return [(place, item) for place, (_, item) in enumerate(found)]
    return sorted(found, key=lambda pair: pair[0])


@_is("sort_by", arguments=1)
def _sort_by(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    yield [item for _, item in _keyed(reader, arguments[0], value, scope)]


@_is("group_by", arguments=1)
def _group_by(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    groups: dict[Any, list[Any]] = {}
    for key, item in _keyed(reader, arguments[0], value, scope):
        groups.setdefault(key, []).append(item)
    yield list(groups.values())


@_is("unique_by", arguments=1)
def _unique_by(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    first: dict[Any, Any] = {}
    for key, item in _keyed(reader, arguments[0], value, scope):
        first.setdefault(key, item)
    yield list(first.values())


@_is("min_by", arguments=1)
def _min_by(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    yield next((item for _, item in _keyed(reader, arguments[0], value, scope)), None)


@_is("max_by", arguments=1)
def _max_by(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    yield next((item for _, item in reversed(_keyed(reader, arguments[0], value, scope))), None)


@_is("INDEX", arguments=1)
def _index(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, scope: Scope) -> Iterator[Any]:
    made: dict[str, Any] = {}
    for item in reader.parts(value):
        key = reader.use(reader.value(arguments[0], item, scope))
        made[key if key.__class__ is str else json_text.encode(key) if key is not UNKNOWN else ""] = item
    yield made


@_is("del", arguments=1)
def _del(reader: Reader, arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    names = list(_names(arguments[0]))
    if value.__class__ is not dict or None in names:
        yield UNKNOWN
        return
    yield reader.like({name: reader.inside(value, name, part) for name, part in value.items() if name not in names}, value)


def _names(node: tree.Node) -> Iterator[str | None]:
    """The fields of the input that a path expression names; None for anything else."""
    if isinstance(node, tree.Comma):
        yield from _names(node.left)
        yield from _names(node.right)
    elif isinstance(node, tree.Index) and isinstance(node.target, tree.Identity) and isinstance(node.key, tree.Literal):
        yield node.key.value
    else:
        yield None


# -- other inputs ------------------------------------------------------------------------------------------------------


@_is("input")
def _input(reader: Reader, _arguments: tuple[tree.Node, ...], _value: Any, _scope: Scope) -> Iterator[Any]:
    for item in reader.inputs:
        yield item
        return
    raise FailedError


@_is("inputs")
def _inputs(reader: Reader, _arguments: tuple[tree.Node, ...], _value: Any, _scope: Scope) -> Iterator[Any]:
    yield from reader.inputs


@_is("fromjson")
def _fromjson(reader: Reader, _arguments: tuple[tree.Node, ...], value: Any, _scope: Scope) -> Iterator[Any]:
    text = reader.use(value)
    if text.__class__ is not str:
        yield UNKNOWN
        return
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise FailedError from None
    yield UNKNOWN if json_text.deeper(found, _DEEPEST) else reader.decoded(found)
