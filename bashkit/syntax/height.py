"""How deep a tree is: what running it needs of the interpreter's stack."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from bashkit.syntax.nodes import Assignment, Redirection, Word


def height(node: object) -> int:
    """The largest number of commands inside each other, words not counted: about the Python frames a run of it needs."""
    deepest = 0
    stack: list[tuple[object, int]] = [(node, 1)]
    while stack:
        item, depth = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(item, tuple):
            stack.extend((inner, depth) for inner in item)
        elif is_dataclass(item) and not isinstance(item, (Word, Redirection, Assignment)):
            stack.extend((getattr(item, field.name), depth + 1) for field in fields(item))
    return deepest
