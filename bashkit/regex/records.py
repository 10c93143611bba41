"""Patterns for records that end with NUL (``grep -z``), in a text where NUL and newline have changed places."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.regex.charset import WITH_NEWLINE, CharSet
from bashkit.regex.syntax_tree import (
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Backreference,
    Concat,
    Conditional,
    Fold,
    Group,
    Keep,
    Literal,
    Look,
    Recursion,
    Repeat,
    Verb,
)

if TYPE_CHECKING:
    from bashkit.regex.syntax_tree import Node

_SWAPPED = {"\0": "\n", "\n": "\0"}


def exchange(node: Node, *, line_anchors: bool) -> Node:
    """The same pattern where a newline is written as NUL.

    Args:
        node: The pattern's tree.
        line_anchors: ``^`` and ``$`` hold at every line of a record.
    """
    match node:
        case Literal(char):
            return Literal(_SWAPPED.get(char, char))
        case CharSet():
            return _charset(node)
        case Assertion(kind) if line_anchors and kind in ("line_start", "line_end"):
            return Alternation((node, Look(Literal("\0"), ahead=kind == "line_end", negative=False)))
        case Concat(items):
            return Concat(tuple(exchange(item, line_anchors=line_anchors) for item in items))
        case Alternation(choices):
            return Alternation(tuple(exchange(choice, line_anchors=line_anchors) for choice in choices))
        case Conditional():
            yes, no = (exchange(item, line_anchors=line_anchors) for item in (node.yes, node.no))
            return Conditional(node.number, yes, no)
        case Repeat() | Group() | Look() | Atomic() | Fold():
            return replace(node, item=exchange(node.item, line_anchors=line_anchors))
        case AnyChar() | Assertion() | Backreference() | Keep() | Recursion() | Verb():
            return node


def _charset(node: CharSet) -> CharSet:
    newline = any(low <= "\n" <= high for low, high in node.ranges) or not WITH_NEWLINE.isdisjoint(node.classes)
    return replace(node, ranges=(*node.ranges, ("\0", "\0"))) if newline else node
