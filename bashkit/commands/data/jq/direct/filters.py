"""jq filters as Python functions: of one value if there is exactly one result, and of many values in any case.

No budget is charged while they run, so each knows in advance how much it can make its input grow. The size of a value is 16 for
itself, for each of its parts and for each key, and 1 for each character; shared parts count as often as they would be written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit.commands.data.jq.direct.values import NotHereError, each, truth

if TYPE_CHECKING:
    from collections.abc import Callable

    Variables = dict[str, Any]
    One = Callable[[Any, Variables], Any]
    Many = Callable[[list[Any], Variables], list[Any]]

UNIT = 16  # the part of a value's size for the value itself


class Filter:
    """A compiled filter.

    Args:
        growth: The maximum size of all its results, as a multiple of its input's size.
        one: The result for one value; None if the number of results varies.
        many: All results for some values; by default derived from ``one``.
        peak: Like ``growth``, for all intermediate values.

    Attributes:
        growth: As above, like ``one``, ``many`` and ``peak``.
    """

    __slots__ = ("growth", "many", "one", "peak")

    def __init__(self, growth: float, one: One | None, many: Many | None = None, peak: float = 0) -> None:
        self.growth = growth
        self.peak = max(growth, peak)
        self.one = one
        if many is not None:
            self.many = many
        elif one is not None:
            self.many = lambda values, variables: [one(value, variables) for value in values]
        else:
            raise NotHereError

    @property
    def single(self) -> One:
        """The function for exactly one result.

        Raises:
            NotHereError: The number of results varies.
        """
        if self.one is None:
            raise NotHereError
        return self.one


def _growth(*parts: Filter) -> float:
    return sum(part.growth for part in parts)


def _peak(*parts: Filter) -> float:
    return sum(part.peak for part in parts)


identity = Filter(1, lambda value, _: value, lambda values, _: values)
nothing = Filter(1, None, lambda _values, _: [])


def constant(value: str | float | None) -> Filter:
    """A literal."""
    return Filter(1 + len(value) / UNIT if isinstance(value, str) else 1, lambda _value, _: value)


def of(function: Callable[[Any], Any], growth: float = 1) -> Filter:
    """A builtin function without arguments."""
    return Filter(growth, lambda value, _: function(value), lambda values, _: list(map(function, values)))


def variable(name: str, longest: int) -> Filter:
    """``$name``, whose text has at most ``longest`` characters."""
    return Filter(1 + longest, lambda _, variables: variables[name])


def piped(first: Filter, second: Filter) -> Filter:
    """``first | second``."""
    if first is identity:
        return second
    if second is identity:
        return first
    growth = first.growth * second.growth
    peak = max(first.peak, first.growth * second.peak)
    left, right = first.many, second.many

    def many(values: list[Any], variables: Variables) -> list[Any]:
        return right(left(values, variables), variables)

    one, two = first.one, second.one
    if one is None or two is None:
        return Filter(growth, None, many, peak)
    return Filter(growth, lambda value, variables: two(one(value, variables), variables), many, peak)


def together(filters: list[Filter]) -> Filter:
    """``a, b``: all results of the first, then all of the second."""
    if len(filters) == 1:
        return filters[0]
    calls = [item.many for item in filters]
    singles = [item.one for item in filters if item.one is not None]

    def many(values: list[Any], variables: Variables) -> list[Any]:
        if len(singles) == len(calls):
            return [call(value, variables) for value in values for call in singles]
        return [result for value in values for call in calls for result in call([value], variables)]

    return Filter(_growth(*filters), None, many, _peak(*filters))


def binary(function: Callable[[Any, Any], Any], first: Filter, second: Filter, growth: float = 1) -> Filter:
    """An operator, or a function of the input and an argument.

    Args:
        function: Computes the result.
        first: Its left side.
        second: Its right side.
        growth: The maximum size of the result, as a multiple of both sides' size.
    """
    left, right = first.single, second.single
    one: One = lambda value, variables: function(left(value, variables), right(value, variables))  # noqa: E731 - to have a type
    return Filter(_growth(first, second) * growth, one, peak=_peak(first, second))


def asked(function: Callable[[Any, Any], bool], first: Filter, second: Filter) -> Filter:
    """A comparison, or a test of the input and an argument."""
    left, right = first.single, second.single
    return Filter(
        1, lambda value, variables: function(left(value, variables), right(value, variables)), peak=_peak(first, second)
    )


def iterated(inner: Filter, parts: Callable[[Any], Any]) -> Filter:
    """``inner[]``; ``parts`` returns the parts of a value."""
    call = inner.many
    return Filter(
        inner.growth,
        None,
        lambda values, variables: [item for value in call(values, variables) for item in parts(value)],
        inner.peak,
    )


def lenient(name: str) -> Filter:
    """``.name?``."""

    def many(values: list[Any], _: Variables) -> list[Any]:
        return [None if value is None else value.get(name) for value in values if value is None or value.__class__ is dict]

    return Filter(1, None, many)


def first(inner: Filter) -> Filter:
    """``first(inner)``."""
    call = inner.many
    return Filter(
        inner.growth,
        None,
        lambda values, variables: [item for value in values for item in call([value], variables)[:1]],
        inner.peak,
    )


def collected(inner: Filter) -> Filter:
    """``[inner]``."""
    call = inner.many
    return Filter(1 + inner.growth, lambda value, variables: list(call([value], variables)), peak=1 + inner.peak)


def selected(test: Filter) -> Filter:
    """``select(test)``."""
    call = test.single
    return Filter(1, None, lambda values, variables: [value for value in values if truth(call(value, variables))], 1 + test.peak)


def mapped(inner: Filter) -> Filter:
    """``map(inner)``."""
    call = inner.many
    return Filter(1 + inner.growth, lambda value, variables: list(call(list(each(value)), variables)), peak=1 + inner.peak)


def mapped_values(inner: Filter) -> Filter:
    """``map_values(inner)``."""
    call = inner.single

    def one(value: Any, variables: Variables) -> Any:
        if value.__class__ is dict:
            return {name: call(item, variables) for name, item in value.items()}
        return [call(item, variables) for item in each(value)]

    return Filter(1 + inner.growth, one, peak=1 + inner.peak)


def either(first: Filter, second: Filter) -> Filter:
    """``first // second``."""
    growth, peak = _growth(first, second), _peak(first, second)
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
        return Filter(growth, None, many, peak)

    def one(value: Any, variables: Variables) -> Any:
        result = left(value, variables)
        return result if truth(result) else other(value, variables)

    return Filter(growth, one, peak=peak)


def conjunction(first: Filter, second: Filter) -> Filter:
    """``first and second``."""
    left, right = first.single, second.single
    return Filter(
        1, lambda value, variables: truth(left(value, variables)) and truth(right(value, variables)), peak=_peak(first, second)
    )


def disjunction(first: Filter, second: Filter) -> Filter:
    """``first or second``."""
    left, right = first.single, second.single
    return Filter(
        1, lambda value, variables: truth(left(value, variables)) or truth(right(value, variables)), peak=_peak(first, second)
    )


def conditional(test: Filter, yes: Filter, no: Filter) -> Filter:
    """``if test then yes else no end``."""
    growth, peak = max(yes.growth, no.growth), _peak(test, yes, no)
    asks = test.single
    then, otherwise = yes.one, no.one
    if then is not None and otherwise is not None:
        return Filter(
            growth, lambda value, variables: (then if truth(asks(value, variables)) else otherwise)(value, variables), peak=peak
        )

    def many(values: list[Any], variables: Variables) -> list[Any]:
        return [result for value in values for result in (yes if truth(asks(value, variables)) else no).many([value], variables)]

    return Filter(growth, None, many, peak)


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

    parts = [part for entry in entries for part in entry]
    return Filter(1 + _growth(*parts), one, peak=1 + _peak(*parts))


def interpolated(pieces: list[Filter], tostring: Callable[[Any], str], growth: float) -> Filter:
    r"""A string with interpolations ``\(…)``, from its pieces; ``growth`` is that of ``tostring``."""
    calls = [piece.single for piece in pieces]
    one: One = lambda value, variables: "".join([tostring(call(value, variables)) for call in calls])  # noqa: E731 - to have a type
    return Filter(1 + _growth(*pieces) * growth, one, peak=_peak(*pieces))
