"""jq filters as Python functions: over one value where there is exactly one result, over many values in any case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.commands.jq.direct.values import NotHereError, each, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    Variables = dict[str, Any]
    One = Callable[[Any, Variables], Any]
    Many = Callable[[list[Any], Variables], list[Any]]

_MOST_VALUES = 10_000  # more than it got, that a filter makes


class Filter:
    """A compiled filter.

    Args:
        one: The result for one value; None where there may be any number of results.
        many: All results for some values; made of ``one`` when left out.

    Attributes:
        one: As above.
        many: As above.
    """

    __slots__ = ("many", "one")

    def __init__(self, one: One | None, many: Many | None = None) -> None:
        self.one = one
        if many is None:
            if one is None:
                raise NotHereError
            function = one
            many = lambda values, variables: [function(value, variables) for value in values]  # noqa: E731 - it stands for the argument
        self.many = many

    @property
    def single(self) -> One:
        """What gives the one result.

        Raises:
            NotHereError: There may be any number of results.
        """
        if self.one is None:
            raise NotHereError
        return self.one


identity = Filter(lambda value, _: value, lambda values, _: values)
nothing = Filter(None, lambda _values, _: [])


def constant(value: Any) -> Filter:
    """A literal."""
    return Filter(lambda _value, _: value)


def of(function: Callable[[Any], Any]) -> Filter:
    """A builtin function without arguments."""
    return Filter(lambda value, _: function(value), lambda values, _: list(map(function, values)))


def variable(name: str) -> Filter:
    """``$name``."""
    return Filter(lambda _, variables: variables[name])


def piped(first: Filter, second: Filter) -> Filter:
    """``first | second``."""
    if first is identity:
        return second
    if second is identity:
        return first
    left, right = first.many, second.many

    def many(values: list[Any], variables: Variables) -> list[Any]:
        found = left(values, variables)
        if len(found) > len(values) + _MOST_VALUES:
            raise NotHereError
        return right(found, variables)

    one, two = first.one, second.one
    if one is None or two is None:
        return Filter(None, many)
    return Filter(lambda value, variables: two(one(value, variables), variables), many)


def together(filters: list[Filter]) -> Filter:
    """``a, b``: all results of the one, then all of the other."""
    if len(filters) == 1:
        return filters[0]
    calls = [item.many for item in filters]

    def many(values: list[Any], variables: Variables) -> list[Any]:
        found = [result for value in values for call in calls for result in call([value], variables)]
        if len(found) > len(values) + _MOST_VALUES:
            raise NotHereError
        return found

    return Filter(None, many)


def binary(function: Callable[[Any, Any], Any], first: Filter, second: Filter) -> Filter:
    """An operator."""
    left, right = first.single, second.single
    return Filter(lambda value, variables: function(left(value, variables), right(value, variables)))


def iterated(inner: Filter) -> Filter:
    """``inner[]``."""
    call = inner.many
    return Filter(None, lambda values, variables: [item for value in call(values, variables) for item in each(value)])


def collected(inner: Filter) -> Filter:
    """``[inner]``."""
    call = inner.many
    return Filter(lambda value, variables: list(call([value], variables)))


def selected(test: Filter) -> Filter:
    """``select(test)``."""
    call = test.single
    return Filter(None, lambda values, variables: [value for value in values if truth(call(value, variables))])


def mapped(inner: Filter) -> Filter:
    """``map(inner)``."""
    call = inner.many
    return Filter(lambda value, variables: list(call(list(each(value)), variables)))


def mapped_values(inner: Filter) -> Filter:
    """``map_values(inner)``."""
    call = inner.single

    def one(value: Any, variables: Variables) -> Any:
        if value.__class__ is dict:
            return {name: call(item, variables) for name, item in value.items()}
        return [call(item, variables) for item in each(value)]

    return Filter(one)


def either(first: Filter, second: Filter) -> Filter:
    """``first // second``."""
    left = first.single
    right = second.many
    other = second.one

    def many(values: list[Any], variables: Variables) -> list[Any]:
        found: list[Any] = []
        for value in values:
            result = left(value, variables)
            if truth(result):
                found.append(result)
            else:
                found += right([value], variables)
        return found

    if other is None:
        return Filter(None, many)

    def one(value: Any, variables: Variables) -> Any:
        result = left(value, variables)
        return result if truth(result) else other(value, variables)

    return Filter(one)


def conjunction(first: Filter, second: Filter) -> Filter:
    """``first and second``."""
    left, right = first.single, second.single
    return Filter(lambda value, variables: truth(left(value, variables)) and truth(right(value, variables)))


def disjunction(first: Filter, second: Filter) -> Filter:
    """``first or second``."""
    left, right = first.single, second.single
    return Filter(lambda value, variables: truth(left(value, variables)) or truth(right(value, variables)))


def conditional(test: Filter, yes: Filter, no: Filter) -> Filter:
    """``if test then yes else no end``."""
    asks = test.single
    then, otherwise = yes.one, no.one
    if then is not None and otherwise is not None:
        return Filter(lambda value, variables: then(value, variables) if truth(asks(value, variables)) else otherwise(value, variables))

    def many(values: list[Any], variables: Variables) -> list[Any]:
        return [result for value in values for result in (yes if truth(asks(value, variables)) else no).many([value], variables)]

    return Filter(None, many)


def constructed(entries: list[tuple[Filter, Filter]]) -> Filter:
    """``{name: value}``."""
    made = [(name.single, value.single) for name, value in entries]

    def one(value: Any, variables: Variables) -> Any:
        found = {}
        for name, item in made:
            key = name(value, variables)
            if key.__class__ is not str:
                raise NotHereError
            found[key] = item(value, variables)
        return found

    return Filter(one)
