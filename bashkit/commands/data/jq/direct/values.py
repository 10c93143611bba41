"""Implements jq's truth, order, equality and arithmetic of JSON values (jq 1.8 manual, Basic filters and Builtin operators).

Whole numbers are ``int``, others ``float``. A float of the input keeps its text (``1.0``) but a computed one does not (``1``), so
whole computed numbers become ``int``.
"""

from __future__ import annotations

from typing import Any

_LARGEST = 10**15  # from here on, numbers are written with exponents, or lose digits
_SMALLEST = 1e-4  # also below it
_RANKS = {type(None): 0, int: 3, float: 3, str: 4, list: 5, dict: 6}  # rank of types in jq's order; false is 1, true 2
_PLAIN = frozenset({int, float, str})  # types that Python compares as jq does


class NotHereError(Exception):
    """The request needs a worker."""


def truth(value: Any) -> bool:
    """Whether a value is neither ``false`` nor ``null``."""
    return value is not None and value is not False


def rank(value: Any) -> int:
    """The rank of a value's type in jq's order."""
    return 1 + value if value.__class__ is bool else _RANKS[value.__class__]


def key(value: Any) -> tuple[int, Any]:
    """A Python key that compares like a value without parts.

    Raises:
        NotHereError: It is an array or an object.
    """
    place = rank(value)
    if place > 4:
        raise NotHereError
    return place, value if place > 2 else 0


def equal(left: Any, right: Any) -> bool:
    """``left == right``."""
    if left.__class__ is right.__class__ and left.__class__ in _PLAIN:
        return bool(left == right)
    return key(left) == key(right) if rank(left) == rank(right) else False


def less(left: Any, right: Any) -> bool:
    """``left < right``."""
    if left.__class__ is right.__class__ and left.__class__ in _PLAIN:
        return bool(left < right)
    first, second = rank(left), rank(right)
    return key(left) < key(right) if first == second else first < second


def is_number(value: Any) -> bool:
    """Whether a value is a number."""
    return value.__class__ is int or value.__class__ is float


def computed(number: float) -> int | float:
    """A computed number as jq writes it.

    Raises:
        NotHereError: jq's form is not certain.
    """
    if number.__class__ is int:
        if -_LARGEST < number < _LARGEST:
            return number
    elif _SMALLEST <= abs(number) < _LARGEST:
        return int(number) if number.is_integer() else number
    elif str(number) == "0.0":  # not the negative zero
        return 0
    raise NotHereError


def add(left: Any, right: Any) -> Any:
    """``left + right``."""
    if is_number(left) and is_number(right):
        return computed(left + right)
    if left is None:
        return right
    if right is None:
        return left
    if left.__class__ is right.__class__ and left.__class__ in {str, list}:
        return left + right
    if left.__class__ is dict and right.__class__ is dict:
        return {**left, **right}
    raise NotHereError


def subtract(left: Any, right: Any) -> Any:
    """``left - right`` of numbers."""
    if is_number(left) and is_number(right):
        return computed(left - right)
    raise NotHereError


def multiply(left: Any, right: Any) -> Any:
    """``left * right`` of numbers; a result that may be -0 needs a worker."""
    if is_number(left) and is_number(right):
        if left and right:
            return computed(left * right)
        if left >= 0 and right >= 0 and (left or left.__class__ is int) and (right or right.__class__ is int):
            return 0
    raise NotHereError


def divide(left: Any, right: Any) -> Any:
    """``left / right`` of numbers or strings."""
    if is_number(left) and is_number(right) and right:
        if left:
            return computed(left / right)
        if right > 0 and left.__class__ is int:
            return 0
    if left.__class__ is str and right.__class__ is str:
        return split(left, right)
    raise NotHereError


def modulo(left: Any, right: Any) -> Any:
    """``left % right`` of whole numbers, with the sign of the left one."""
    if left.__class__ is int and right.__class__ is int and right:
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    raise NotHereError


def split(text: Any, separator: Any) -> list[str]:
    """Split a string into pieces."""
    if text.__class__ is not str or separator.__class__ is not str:
        raise NotHereError
    if not text:
        return []
    return list(text.split(separator) if separator else text)


def field(value: Any, name: Any) -> Any:
    """``value[name]``."""
    if name.__class__ is str:
        if value.__class__ is dict:
            return value.get(name)
        if value is None:
            return None
    elif name.__class__ is int:
        if value.__class__ is list:
            return value[name] if -len(value) <= name < len(value) else None
        if value is None:
            return None
    raise NotHereError


def part(value: Any, low: int | None, high: int | None) -> Any:
    """``value[low:high]``."""
    if value.__class__ in {list, str}:
        return value[low:high]
    if value is None:
        return None
    raise NotHereError


def each(value: Any) -> Any:
    """``value[]``."""
    if value.__class__ is list:
        return value
    if value.__class__ is dict:
        return value.values()
    raise NotHereError


def each_if_any(value: Any) -> Any:
    """``value[]?``."""
    return each(value) if value.__class__ in {list, dict} else ()
