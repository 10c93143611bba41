"""How deep a tree is: what running it needs of the interpreter's stack."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticFor,
    Assignment,
    For,
    Group,
    If,
    Pipeline,
    Redirection,
    Select,
    Sequence,
    SimpleCommand,
    Subshell,
    While,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    _Values = Callable[[object], tuple[object, ...]]

_KINDS: Final[dict[type, _Values | None]] = {}
_FRAMES: Final = {
    AndOr: 2,
    ArithmeticFor: 2,
    For: 2,
    Group: 0,
    If: 2,
    Pipeline: 3,
    Select: 3,
    Subshell: 4,
    While: 3,
}  # of the compiled closure; anything else takes one


def height(node: object) -> int:
    """The Python frames that one run of a command needs at most, words and what it calls not counted."""
    deepest = 0
    stack: list[tuple[object, int]] = [(node, 0)]
    while stack:
        item, depth = stack.pop()
        if isinstance(item, tuple):
            stack.extend((inner, depth) for inner in item)
        elif (values := _values(item.__class__)) is not None and not isinstance(item, (Word, Redirection, Assignment)):
            depth += _frames(item)
            deepest = max(deepest, depth)
            if not isinstance(item, SimpleCommand):
                stack.extend((value, depth) for value in values(item))
    return deepest


def _values(kind: type) -> _Values | None:
    """What gives the values of the fields of a node of that kind; None for what is no node."""
    if kind not in _KINDS:
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else []
        one = names[0] if len(names) == 1 else ""
        _KINDS[kind] = (lambda node: (getattr(node, one),)) if one else attrgetter(*names) if names else None
    return _KINDS[kind]


def _frames(item: object) -> int:
    if isinstance(item, Sequence):
        return int(len(item.commands) > 1)
    if isinstance(item, SimpleCommand):
        return 7 if item.redirections or item.assignments else 4
    return _FRAMES.get(type(item), 1)
