"""What is known about a pattern: whether one character decides each choice, and whether the match of stdlib ``re`` is POSIX's.

``re`` goes back and tries again, and takes the first match it finds. That is linear and leftmost-longest at the same time
where the next character alone decides how to go on (a deterministic, or one-unambiguous, expression). A few more shapes
are known to be right, such as ``.*foo``. The rest is for re2.

Sets of characters are integers here: bit ``c`` for ASCII character ``c``, bit 128 for everything beyond ASCII.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from bashkit.limits import turn
from bashkit.regex.cache import for_short
from bashkit.regex.charset import CharSet
from bashkit.regex.syntax_tree import (
    Alternation,
    AnyChar,
    Assertion,
    Atomic,
    Backreference,
    Concat,
    Fold,
    Group,
    Keep,
    Literal,
    Look,
    Node,
    Repeat,
    Verb,
)

NON_ASCII = 1 << 128
EVERYTHING = (1 << 129) - 1
NEWLINE = 1 << 10
_ENDS = frozenset(["text_end", "line_end"])


def _ranges(charset: CharSet) -> int:
    return len(charset.ranges)


@for_short(512, _ranges)
def _charset_mask(charset: CharSet) -> int:
    accepts = re.compile(charset.regex("ascii")).match
    mask = sum(1 << code for code in range(128) if accepts(chr(code)))
    if charset.negated or charset.classes or charset.without or any(high > "\x7f" for _, high in charset.ranges):
        mask |= NON_ASCII
    return mask


@dataclass(slots=True, unsafe_hash=True)
class Shape:
    """What is known about a node.

    Attributes:
        first: The characters it can begin with.
        nullable: It can match nothing.
        width: How many characters it always matches, or None when that varies.
    """

    first: int
    nullable: bool
    width: int | None


class Analysis:
    """Looks at one tree.

    Args:
        ignore_case: Letters stand for both cases.
        by_line: A newline is matched by nothing, and anchors hold at every line.
        multiline: Anchors hold at every line.
    """

    def __init__(self, *, ignore_case: bool, by_line: bool, multiline: bool) -> None:
        self._ignore_case = ignore_case
        self._by_line = by_line
        self._line_anchors = by_line or multiline
        self._shapes: dict[int, Shape] = {}
        self._widths: dict[int, int | None] = {}  # of the groups seen
        self._decided: dict[tuple[int, int], bool] = {}

    def mask(self, node: Node) -> int | None:
        """The characters that a node of exactly one character matches; None for any other node."""
        if isinstance(node, Literal):
            mask = 1 << ord(node.char) if node.char < "\x80" else NON_ASCII
        elif isinstance(node, AnyChar):
            mask = EVERYTHING
        elif isinstance(node, CharSet):
            mask = _charset_mask(node)
        elif isinstance(node, Fold):
            return self.mask(node.item)
        else:
            return None
        if self._ignore_case and not isinstance(node, AnyChar):
            letters = mask & _LETTERS
            mask |= ((letters & _UPPER) << 32) | ((letters & _LOWER) >> 32)
            if letters:
                mask |= NON_ASCII  # the long s and the Kelvin sign fold to ASCII letters
        return mask & ~NEWLINE if self._by_line else mask

    def shape(self, node: Node) -> Shape:
        """What is known about ``node``."""
        found = self._shapes.get(id(node))
        if found is None:
            turn()
            found = self._shapes[id(node)] = self._shape(node)
        return found

    def _shape(self, node: Node) -> Shape:
        mask = self.mask(node)
        if mask is not None:
            return Shape(mask, nullable=False, width=1)
        if isinstance(node, Group):
            inner = self.shape(node.item)
            self._widths[node.number] = inner.width
            return inner
        if isinstance(node, Atomic):
            return self.shape(node.item)
        if isinstance(node, Concat):
            first, nullable = 0, True
            width: int | None = 0
            for item in node.items:
                inner = self.shape(item)
                if nullable:
                    first |= inner.first
                nullable = nullable and inner.nullable
                width = None if width is None or inner.width is None else width + inner.width
            return Shape(first, nullable, width)
        if isinstance(node, Alternation):
            shapes = [self.shape(choice) for choice in node.choices]
            first = 0
            for inner in shapes:
                first |= inner.first
            widths = {inner.width for inner in shapes}
            return Shape(first, any(inner.nullable for inner in shapes), widths.pop() if len(widths) == 1 else None)
        if isinstance(node, Repeat):
            inner = self.shape(node.item)
            total = inner.width * node.low if node.low == node.high and inner.width is not None else None
            return Shape(inner.first, inner.nullable or node.low == 0, total)
        if isinstance(node, Assertion):
            return Shape(self._assertion_mask(node), nullable=True, width=0)
        if isinstance(node, (Look, Keep)):
            return Shape(EVERYTHING, nullable=True, width=0)
        if isinstance(node, Verb) and node.kind != "accept":
            return Shape(0, nullable=True, width=0)
        if isinstance(node, Backreference):
            width = self._widths.get(node.number)
            return Shape(EVERYTHING, nullable=not width, width=width)
        return Shape(EVERYTHING, nullable=True, width=None)  # recursion and the like

    def _assertion_mask(self, node: Assertion) -> int:
        """The characters in front of which it can hold while the text goes on."""
        if node.kind == "text_end":
            return 0
        if node.kind == "line_end":
            return NEWLINE if self._line_anchors else 0
        return NEWLINE if node.kind == "last_newline" else EVERYTHING

    def deterministic(self, node: Node, follow: int) -> bool:
        """Whether one character decides each choice within ``node``, given the characters that can come after it."""
        key = (id(node), follow)
        if key not in self._decided:
            self._decided[key] = self._deterministic(node, follow)
        return self._decided[key]

    def _deterministic(self, node: Node, follow: int) -> bool:
        turn()
        if isinstance(node, (Group, Atomic)):
            return self.deterministic(node.item, follow)
        if isinstance(node, Concat):
            return all(self.deterministic(item, after) for item, after in self.with_follow(node, follow))
        if isinstance(node, Alternation):
            return self.decided(node, follow) and all(self.deterministic(choice, follow) for choice in node.choices)
        if isinstance(node, Repeat):
            inner = self.shape(node.item)
            if inner.nullable or node.lazy or (node.low != node.high and inner.first & follow):
                return False
            return self.deterministic(node.item, follow if node.high == 1 else follow | inner.first)
        return isinstance(node, (Assertion, Keep)) or self.mask(node) is not None

    def decided(self, node: Alternation, follow: int) -> bool:
        """Whether one character, or the end, decides which of the choices it can be, given the characters that can follow."""
        seen, ends = 0, False
        for choice in node.choices[:-1]:
            shape = self.shape(choice)
            at_end = isinstance(choice, Assertion) and choice.kind in _ENDS
            if (shape.nullable and not at_end) or shape.first & seen:
                return False
            seen |= shape.first
            ends = ends or at_end
        last = self.shape(node.choices[-1])
        if ends and last.nullable:
            return False
        return not (last.first | (follow if last.nullable else 0)) & seen

    def with_follow(self, node: Concat, follow: int) -> list[tuple[Node, int]]:
        """Each item of a row with the characters that can come after it."""
        result: list[tuple[Node, int]] = []
        for item in reversed(node.items):
            result.append((item, follow))
            shape = self.shape(item)
            follow = shape.first | follow if shape.nullable else shape.first
        return result[::-1]

    def beginning(self, node: Node) -> re.Pattern[str] | None:
        """What finds a character that a match can begin with; None where it can begin with any, or be empty."""
        shape = self.shape(node)
        if shape.nullable or shape.first == EVERYTHING:
            return None
        chars = "".join(re.escape(chr(code)) for code in range(128) if shape.first >> code & 1)
        return re.compile(f"[{chars}{chr(128) + '-' + chr(sys.maxunicode) if shape.first & NON_ASCII else ''}]")

    def sees_bytes(self, node: Node) -> bool:
        """Whether it holds what matches any character but some: it matches no byte that is not UTF-8."""
        turn()
        if isinstance(node, CharSet):
            return node.negated
        if isinstance(node, (Repeat, Group, Atomic, Look, Fold)):
            return self.sees_bytes(node.item)
        if isinstance(node, (Concat, Alternation)):
            return any(map(self.sees_bytes, node.items if isinstance(node, Concat) else node.choices))
        return isinstance(node, AnyChar)

    def has_newline(self, node: Node) -> bool:
        """Whether a newline can be a part of what it matches."""
        turn()
        mask = self.mask(node)
        if mask is not None:
            return bool(mask & NEWLINE)
        if isinstance(node, (Repeat, Group, Atomic)):
            return self.has_newline(node.item)
        if isinstance(node, (Concat, Alternation)):
            return any(map(self.has_newline, node.items if isinstance(node, Concat) else node.choices))
        return not isinstance(node, (Assertion, Look, Keep, Verb))

    def _plain_repeat(self, node: Node) -> bool:
        return isinstance(node, Repeat) and self.mask(node.item) is not None and node.low <= 1

    def longest(self, node: Node) -> bool:
        """Whether the first match that ``re`` finds is also the longest one from there."""
        if self.shape(node).width is not None or self._choices(node) <= 1 or self.deterministic(node, 0):
            return True
        items = flatten(node)
        for index, (item, follow) in enumerate(self.with_follow(Concat(tuple(items)), 0)):
            if not self.deterministic(item, follow):
                return self._longest_from(item, items[index + 1 :])
        return True

    def _choices(self, node: Node) -> int:
        """How many parts can be of several lengths; with one, greedy, the first match found is the longest."""
        turn()
        if isinstance(node, Alternation):
            return 0 if self.shape(node).width is not None else 2
        if isinstance(node, Repeat):
            inner = self._choices(node.item)
            return 2 * inner + (2 if node.lazy else node.low != node.high)
        if isinstance(node, Concat):
            return sum(map(self._choices, node.items))
        if isinstance(node, (Group, Atomic)):
            return self._choices(node.item)
        return 0

    def _longest_from(self, item: Node, rest: list[Node]) -> bool:
        """The same for a choice and what stands behind it."""
        if isinstance(item, Alternation):
            widths = [self.shape(choice).width for choice in item.choices]
            fixed = [width for width in widths if width is not None]
            return (
                len(fixed) == len(widths)
                and fixed == sorted(fixed, reverse=True)
                and all(self.shape(after).width is not None and not isinstance(after, Alternation) for after in rest)
            )
        if not isinstance(item, Repeat) or self.mask(item.item) is None or item.lazy:
            return False
        for after in rest[:-1]:
            if self.shape(after).width is None and not self._any_star(after):
                return False
            if isinstance(after, Alternation):
                return False
        last = rest[-1] if rest else None
        if last is None or self.shape(last).width is not None or self._any_star(last):
            return not isinstance(last, Alternation)
        # Behind it only fixed places and at the very end a run of one set: any choice reaches the end of that run.
        return self._plain_repeat(last) and isinstance(last, Repeat) and last.high is None and last.low == 0 and not last.lazy

    def _any_star(self, node: Node) -> bool:
        return isinstance(node, Repeat) and isinstance(node.item, AnyChar) and node.high is None and not node.lazy


def flatten(node: Node) -> list[Node]:
    """The items of a row, with the walls of the groups in it taken down."""
    turn()
    if isinstance(node, Group):
        return flatten(node.item)
    if isinstance(node, Concat):
        return [inner for item in node.items for inner in flatten(item)]
    return [node]


_UPPER = sum(1 << code for code in range(65, 91))
_LOWER = sum(1 << code for code in range(97, 123))
_LETTERS = _UPPER | _LOWER
