"""The tree of a regular expression, whatever dialect it was written in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as OneOf

from bashkit.regex.charset import CharSet

AssertionKind = OneOf[
    "line_start",
    "line_end",
    "text_start",
    "text_end",
    "last_newline",
    "word_start",
    "word_end",
    "word_edge",
    "no_word_edge",
    "no_word_before",
    "no_word_after",
    "ascii_edge",
    "no_ascii_edge",
]


class RegexError(Exception):
    """A malformed pattern; the message is in the words of GNU regcomp, or of PCRE for Perl's dialect."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(slots=True, unsafe_hash=True)
class Literal:
    """One character."""

    char: str


@dataclass(slots=True, unsafe_hash=True)
class AnyChar:
    """``.``"""


@dataclass(slots=True, unsafe_hash=True)
class Assertion:
    """A place, not a character."""

    kind: AssertionKind


@dataclass(slots=True, unsafe_hash=True)
class Concat:
    """One after the other; empty for the empty pattern."""

    items: tuple[Node, ...]


@dataclass(slots=True, unsafe_hash=True)
class Alternation:
    """One of several."""

    choices: tuple[Node, ...]


@dataclass(slots=True, unsafe_hash=True)
class Repeat:
    """``low`` to ``high`` times (None: any number).

    Attributes:
        lazy: As few as possible first (Perl ``*?``).
        possessive: Never give back (Perl ``*+``).
    """

    item: Node
    low: int
    high: int | None
    lazy: bool = False
    possessive: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Group:
    """A capturing group, numbered from 1."""

    item: Node
    number: int
    name: str = ""


@dataclass(slots=True, unsafe_hash=True)
class Backreference:
    """What a group matched."""

    number: int


@dataclass(slots=True, unsafe_hash=True)
class Look:
    """A lookaround of Perl's."""

    item: Node
    ahead: bool
    negative: bool


@dataclass(slots=True, unsafe_hash=True)
class Atomic:
    """``(?>...)``"""

    item: Node


@dataclass(slots=True, unsafe_hash=True)
class Keep:
    r"""``\K``: what was matched before is not part of the match."""


@dataclass(slots=True, unsafe_hash=True)
class Fold:
    """One character with or without regard to case, where that differs from the rest of the pattern."""

    item: Node
    ignore_case: bool


@dataclass(slots=True, unsafe_hash=True)
class Recursion:
    """``(?1)``: what a group's expression matches, anew; 0 for the whole pattern."""

    number: int


@dataclass(slots=True, unsafe_hash=True)
class Conditional:
    """``(?(1)…|…)``: one of two, by whether a group took part; 0 asks for recursion, which is never on at the top."""

    number: int
    yes: Node
    no: Node


VerbKind = OneOf["accept", "commit", "prune", "skip"]


@dataclass(slots=True, unsafe_hash=True)
class Verb:
    """``(*SKIP)`` and its kin: what happens when the matcher comes back past it."""

    kind: VerbKind


Node = (
    Literal | AnyChar | CharSet | Assertion | Concat | Alternation | Repeat | Group | Backreference | Look | Atomic | Keep
    | Fold | Recursion | Conditional | Verb
)  # fmt: skip

MAX_REPEAT = 32767  # RE_DUP_MAX of glibc
MAX_DEPTH = 200  # groups inside each other


@lru_cache(maxsize=1024)
def character(char: str) -> Literal:
    """One character; the same object each time, so that what is known about it is looked up."""
    return Literal(char)


def concat(items: list[Node]) -> Node:
    """The items one after the other, without a needless Concat around one."""
    return items[0] if len(items) == 1 else Concat(tuple(items))
