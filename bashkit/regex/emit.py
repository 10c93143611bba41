"""Writes a tree as a pattern of stdlib ``re`` or of re2."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, assert_never

from bashkit.limits import turn
from bashkit.regex.charset import CharSet
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
    from bashkit.regex.analysis import Analysis
    from bashkit.regex.charset import Alphabet
    from bashkit.regex.syntax_tree import AssertionKind, Node

KEEP_GROUP = "keep"
_ANY = "(?s:.)"

_PLACES: dict[AssertionKind, str] = {
    "text_start": r"\A",
    "text_end": r"\Z",
    "last_newline": r"(?=\n?\Z)",
    "word_start": r"(?<!\w)(?=\w)",
    "word_end": r"(?<=\w)(?!\w)",
    "word_edge": r"\b",
    "no_word_before": r"(?<!\w)",
    "no_word_after": r"(?!\w)",
    "no_word_edge": r"(?:(?<=\w)(?=\w)|(?<!\w)(?!\w))",
    "ascii_edge": r"(?a:\b)",
    "no_ascii_edge": r"(?a:(?<=\w)(?=\w)|(?<!\w)(?!\w))",
}
_EDGE = r"(?:(?<!\w)(?=\w)|(?<=\w)(?!\w))"  # ``\b`` in terms of ``\w``
_RE2_PLACES: dict[AssertionKind, str] = {
    "text_start": r"\A", "text_end": r"\z", "word_edge": r"\b", "no_word_edge": r"\B",
    "ascii_edge": r"\b", "no_ascii_edge": r"\B",
}  # fmt: skip


_RE2_MAX_REPEAT = 1000  # higher numbers are written one after the other


class NotForRe2Error(Exception):
    """The tree holds something that re2 does not have."""


@cache
def _posix_place(kind: AssertionKind) -> str:
    """A place in a text with characters beyond ASCII, where the C library says which of them words consist of."""
    spelt = _EDGE if kind == "word_edge" else _PLACES[kind]
    return spelt.replace(r"\w", CharSet(classes=("word",)).regex("unicode"))


@dataclass(slots=True, unsafe_hash=True)
class Emitter:
    """How to write.

    Attributes:
        alphabet: The engine, and for ``re`` what the text holds.
        by_line: A newline is matched by nothing.
        line_anchors: ``^`` and ``$`` hold at every line.
        analysis: Makes repeats possessive that need not give back; None to leave them.
        no_bytes: The text holds bytes that are not UTF-8, which neither ``.`` nor a negated set matches.
        posix: Words consist of what the C library says, and not of what ``\\w`` of ``re`` has.
    """

    alphabet: Alphabet
    by_line: bool
    line_anchors: bool
    analysis: Analysis | None = None
    no_bytes: bool = False
    posix: bool = False

    def write(self, node: Node, follow: int = 0) -> str:
        """The pattern for ``node``, given the characters that can come after it."""
        turn()
        match node:
            case Literal(char):
                return self._literal(char) if char != "\n" or not self.by_line else CharSet().regex(self.alphabet)
            case AnyChar():
                if self.no_bytes:
                    return CharSet(negated=True).regex(self.alphabet, no_newline=self.by_line, no_bytes=True)
                return "[^\\n]" if self.by_line else _ANY
            case CharSet():
                return node.regex(self.alphabet, no_newline=self.by_line, no_bytes=self.no_bytes)
            case Assertion(kind):
                return self._place(kind)
            case Concat(items):
                if self.analysis is None:
                    return "".join(self._item(item, 0) for item in items)
                return "".join(self._item(item, after) for item, after in self.analysis.with_follow(node, follow))
            case Alternation(choices):
                return "|".join(self.write(choice, follow) for choice in choices)
            case Repeat():
                return self._repeat(node, follow)
            case Group(item, _, name):
                label = f"?P<{name}>" if name and self.alphabet != "re2" else ""
                return f"({label}{self.write(item, follow)})"
            case Backreference(number):
                return self._only_re(f"(?:\\{number})")
            case Look(item, ahead, negative):
                sign = ("" if ahead else "<") + ("!" if negative else "=")
                return self._only_re(f"(?{sign}{self.write(item)})")
            case Atomic(item):
                return self._only_re(f"(?>{self.write(item)})")
            case Keep():
                return self._only_re(f"(?P<{KEEP_GROUP}>)")
            case Fold(item, ignore_case):
                return f"(?{'' if ignore_case else '-'}i:{self.write(item)})"
            case Recursion() | Conditional() | Verb():
                raise NotForRe2Error  # nor for re
            case _:
                assert_never(node)

    def _only_re(self, text: str) -> str:
        if self.alphabet == "re2":
            raise NotForRe2Error
        return text

    def _literal(self, char: str) -> str:
        if self.alphabet == "re2":
            return (
                "\\" + char if char < "\x80" and not char.isalnum() and char not in "_\n\0" else "\\x00" if char == "\0" else char
            )
        return re.escape(char)

    def _item(self, node: Node, follow: int) -> str:
        text = self.write(node, follow)
        return f"(?:{text})" if isinstance(node, Alternation) else text

    def _place(self, kind: AssertionKind) -> str:
        if self.line_anchors and kind in ("line_start", "line_end"):
            return {"line_start": "(?m:^)", "line_end": "(?m:$)"}[kind]
        if self.by_line and kind in ("text_start", "text_end", "last_newline"):
            return "(?m:^)" if kind == "text_start" else "(?m:$)"
        if kind == "line_start":
            kind = "text_start"
        elif kind == "line_end":
            kind = "text_end"
        if self.alphabet == "unicode" and self.posix:
            return _posix_place(kind)
        if self.alphabet != "re2":
            return _PLACES[kind]
        if kind not in _RE2_PLACES:
            raise NotForRe2Error
        return _RE2_PLACES[kind]

    def _repeat(self, node: Repeat, follow: int) -> str:
        analysis = self.analysis
        inner_follow = 0 if analysis is None else follow | (0 if node.high == 1 else analysis.shape(node.item).first)
        body = self.write(node.item, inner_follow)
        single = isinstance(node.item, (Literal, AnyChar, CharSet, Group))
        if not single or body.startswith("(?:"):
            body = f"(?:{body})"
        if self.alphabet == "re2" and max(node.low, node.high or 0) > _RE2_MAX_REPEAT and "(" not in body.replace("(?:", ""):
            return _repeated_often(body, node)
        counts = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((node.low, node.high))
        if counts is None:
            counts = f"{{{node.low}}}" if node.low == node.high else f"{{{node.low},{'' if node.high is None else node.high}}}"
        if node.possessive:
            return self._only_re(_possessive(body, counts))
        if node.lazy:
            return f"{body}{counts}?"
        if analysis is not None and node.low != node.high and analysis.mask(node.item) is not None:
            if not analysis.shape(node.item).first & follow:
                return _possessive(body, counts)
        return body + counts


def _possessive(body: str, counts: str) -> str:
    """A repeat that never gives back; before Python 3.11.5 one of a group is wrong unless the group never does (gh-106052)."""
    if body.startswith("(?:"):
        body = "(?>" + body[3:]
    elif body.startswith("(") and body != _ANY:  # which is no group but one character: re takes all of them at once
        body = f"(?>{body})"
    return f"{body}{counts}+"


def _repeated_often(body: str, node: Repeat) -> str:
    lazy = "?" if node.lazy else ""
    text = _rows(body, node.low, "{%d}", "")
    return f"{text}{body}*{lazy}" if node.high is None else text + _rows(body, node.high - node.low, "{0,%d}", lazy)


def _rows(body: str, count: int, form: str, lazy: str) -> str:
    often, rest = divmod(count, _RE2_MAX_REPEAT)
    return (body + form % _RE2_MAX_REPEAT + lazy) * often + (body + form % rest + lazy if rest else "")
