"""Bracket expressions and character classes (POSIX XBD 9.3.5), and how the engines underneath spell them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from typing import Literal

from bashkit.regex.character_types import beyond_ascii

Alphabet = Literal["ascii", "unicode", "re2"]

_ASCII_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\r\\x0b\\x0c",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
    "word": "0-9A-Za-z_",
    "ascii": "\\x00-\\x7f",
}
_OF_PATTERNS = {"word", "ascii"}  # classes that shell patterns know, and regular expressions do not
OF_PERL = "perl "  # before the name of a class: its members beyond ASCII are those of Unicode's properties, as for PCRE
_RE2_WIDER = {
    "alnum": "\\pL\\pN",
    "alpha": "\\pL",
    "lower": "\\p{Ll}",
    "upper": "\\p{Lu}",
    "punct": "\\pP\\pS",
    "graph": "\\pL\\pN\\pP\\pS\\pM",
    "print": "\\pL\\pN\\pP\\pS\\pM",
    "space": "\\pZ",
    "blank": "\\p{Zs}",
    "word": "\\pL\\pN\\pM",
}
_WIDER = {
    "alnum": str.isalnum,
    "alpha": str.isalpha,
    "lower": str.islower,
    "upper": str.isupper,
    "punct": lambda char: char.isprintable() and not char.isalnum() and not char.isspace(),
    "graph": lambda char: char.isprintable() and not char.isspace(),
    "print": str.isprintable,
    "space": str.isspace,
    "blank": lambda char: char.isspace() and char.isprintable(),
    "word": str.isalnum,
}
WITH_NEWLINE = frozenset(("cntrl", "space", f"{OF_PERL}space"))  # classes that a newline belongs to
_LAST_ASSIGNED = 0x323B0  # above it there are no letters, only private use

_COLLATING = {
    "NUL": "\0", "tab": "\t", "newline": "\n", "carriage-return": "\r", "space": " ", "hyphen": "-", "hyphen-minus": "-",
    "period": ".", "full-stop": ".", "slash": "/", "solidus": "/", "comma": ",", "colon": ":", "semicolon": ";",
    "asterisk": "*", "backslash": "\\", "underscore": "_", "low-line": "_", "circumflex": "^", "dollar-sign": "$",
    "left-square-bracket": "[", "right-square-bracket": "]", "exclamation-mark": "!", "question-mark": "?",
}  # fmt: skip


class BracketError(Exception):
    """A malformed bracket expression.

    Args:
        kind: ``unclosed``, ``empty`` (nothing behind the bracket), ``class`` (unknown character class), ``collate`` (unknown
            collating element), ``range`` (its ends in the wrong order) or ``syntax`` (a class outside brackets).
    """

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


@cache
def _wider_ranges(name: str) -> str:
    """The characters beyond ASCII in a class of Perl, as ranges inside ``[...]`` of stdlib ``re``."""
    predicate = _WIDER.get(name)
    if predicate is None:
        return ""
    pieces: list[str] = []
    start = -1
    for code in range(0x80, _LAST_ASSIGNED + 1):
        if predicate(chr(code)):
            if start < 0:
                start = code
        elif start >= 0:
            pieces.append(f"{chr(start)}-{chr(code - 1)}")
            start = -1
    return "".join(pieces)


def undecodable(alphabet: Alphabet) -> str:
    """The bytes that are not UTF-8 as they stand inside ``[...]``; for re2 they are private characters."""
    return "\\x{10ff80}-\\x{10ffff}" if alphabet == "re2" else "\udc80-\udcff"


def escape_in_set(char: str) -> str:
    """One character as it stands inside ``[...]``."""
    return "\\" + char if char in "\\]^-[&~|" else char


def class_ranges(name: str, alphabet: Alphabet) -> str:
    """A character class as it stands inside ``[...]`` for one of the engines."""
    plain = name.removeprefix(OF_PERL)
    if alphabet == "ascii":
        extra = ""
    elif plain == name:
        extra = beyond_ascii(name)
    else:
        extra = _RE2_WIDER.get(plain, "") if alphabet == "re2" else _wider_ranges(plain)
    return _ASCII_CLASSES[plain] + extra


@dataclass(slots=True, unsafe_hash=True)
class CharSet:
    r"""A set of characters.

    Attributes:
        ranges: Pairs of first and last character.
        classes: Names of character classes.
        negated: The set is everything else.
        without: Names of classes whose complement belongs to the set (``[\D\S]`` of Perl).
    """

    ranges: tuple[tuple[str, str], ...] = ()
    classes: tuple[str, ...] = ()
    negated: bool = False
    without: tuple[str, ...] = ()

    def regex(self, alphabet: Alphabet, *, no_newline: bool = False, no_bytes: bool = False) -> str:
        """The set as a pattern of stdlib ``re`` or of re2.

        Args:
            alphabet: What the text holds: ``ascii`` or ``unicode`` for ``re``, ``re2`` for re2.
            no_newline: A newline never belongs to it.
            no_bytes: A byte that is not UTF-8 never belongs to it.
        """
        body = "".join(
            escape_in_set(low) if low == high else f"{escape_in_set(low)}-{escape_in_set(high)}" for low, high in self.ranges
        )
        body += "".join(class_ranges(name, alphabet) for name in self.classes)
        for name in self.without:
            body += complement(class_ranges(name, alphabet))
        if no_newline and self.negated:
            body += "\\n"
        if no_bytes and self.negated:
            body += undecodable(alphabet)
        if not body:
            return (
                "[\\x00-\\U0010ffff]" if self.negated else "[^\\x00-\\U0010ffff]" if alphabet != "re2" else "[^\\x00-\\x{10ffff}]"
            )
        if no_newline and not self.negated and self._has_newline():
            return f"(?:(?!\\n)[{body}])" if alphabet != "re2" else f"[{_drop_newline(body)}]"
        return f"[{'^' if self.negated else ''}{body}]"

    def caseless_regex(self, alphabet: Alphabet) -> str:
        """As ``regex``, where the pattern ignores case: ``[:upper:]`` and ``[:lower:]`` still tell cases apart, as in bash."""
        cased = tuple(name for name in self.classes if name in {"lower", "upper"})
        if not cased:
            return self.regex(alphabet)
        others = CharSet(
            self.ranges, tuple(name for name in self.classes if name not in cased), negated=False, without=self.without
        )
        members = f"(?-i:{CharSet(classes=cased).regex(alphabet)})|{others.regex(alphabet)}"
        return f"(?:(?!{members})[\\x00-\\U0010ffff])" if self.negated else f"(?:{members})"

    def _has_newline(self) -> bool:
        return not WITH_NEWLINE.isdisjoint(self.classes) or bool(self.without) or any(a <= "\n" <= b for a, b in self.ranges)


def _drop_newline(body: str) -> str:
    return body.replace("\\t\\n\\r", "\\t\\r").replace("\\x00-\\x1f", "\\x00-\\x09\\x0b-\\x1f")


@cache
def complement(ranges: str) -> str:
    """The characters outside ``[ranges]``, as ranges inside ``[...]`` of stdlib ``re``."""
    import re

    inside = re.compile(f"[{ranges}]")
    pieces: list[str] = []
    start = -1
    for code in range(_LAST_ASSIGNED + 1):
        if inside.match(chr(code)) is None:
            start = code if start < 0 else start
        elif start >= 0:
            pieces.append(f"{escape_in_set(chr(start))}-{escape_in_set(chr(code - 1))}")
            start = -1
    return "".join(pieces) + f"{chr(max(start, 0))}-{chr(sys.maxunicode)}"


def parse_bracket(pattern: str, start: int, *, glob: bool = False) -> tuple[CharSet, int]:
    """Read the bracket expression whose ``[`` stands at ``start``.

    Args:
        pattern: The whole pattern.
        start: Index of the ``[``.
        glob: Rules of shell patterns: ``!`` negates too, a backslash quotes, an inverted range or an unknown class
            matches nothing instead of being an error.

    Returns:
        The set, and the index behind its ``]``.

    Raises:
        BracketError: It is not a bracket expression.
    """
    index = start + 1
    negated = pattern[index : index + 1] in (("^", "!") if glob else ("^",))
    index += negated
    first = index
    ranges: list[tuple[str, str]] = []
    classes: list[str] = []
    while True:
        char = pattern[index : index + 1]
        if not char:
            raise BracketError("empty" if index == start + 1 else "unclosed")
        if char == "]" and index > first:
            return CharSet(tuple(ranges), tuple(classes), negated), index + 1
        if char == "[" and pattern[index + 1 : index + 2] == ":":
            end = pattern.find(":]", index + 2)
            name = pattern[index + 2 : end] if end >= 0 else ""
            if glob and "\\" in name:
                name = name.replace("\\", "")  # its letters may be quoted
            if end >= 0 and name in _ASCII_CLASSES and (glob or name not in _OF_PATTERNS):
                classes.append(name)
                index = end + 2
                _end_range(pattern, index, glob=glob)
                continue
            if not glob:
                raise BracketError("class" if end >= 0 else "unclosed")
            index = end + 2 if end >= 0 else index + 1  # undocumented: the bracket of a class that is not closed is left out
            continue
        begin = index
        low, index = _element(pattern, index, glob=glob)
        high = low
        if pattern[index : index + 1] == "-" and pattern[index + 1 : index + 2] not in ("]", ""):
            if not glob and (pattern.startswith("[=", begin) or pattern.startswith(("[=", "[:"), index + 1)):
                raise BracketError("range")
            high, index = _element(pattern, index + 1, glob=glob)
            _end_range(pattern, index, glob=glob)
        if low <= high:
            ranges.append((low, high))
        elif not glob:
            raise BracketError("range")


def _end_range(pattern: str, index: int, *, glob: bool) -> None:
    """Behind a range or a class a hyphen may only be the last character."""
    if not glob and pattern.startswith("-", index) and pattern[index + 1 : index + 2] not in ("]", ""):
        raise BracketError("range")


def _element(pattern: str, index: int, *, glob: bool) -> tuple[str, int]:
    """One end of a range: a character, ``[.x.]`` or ``[=x=]``."""
    char = pattern[index]
    mark = pattern[index + 1 : index + 2]
    if char == "[" and mark in (".", "=") and mark:
        end = pattern.find(mark + "]", index + 2)
        name = pattern[index + 2 : end] if end >= 0 else ""
        if len(name) == 1:
            return name, end + 2
        if glob and name in _COLLATING:
            return _COLLATING[name], end + 2
        if not glob:
            raise BracketError("collate" if end >= 0 else "unclosed")
    if glob and char == "\\" and mark:
        return mark, index + 2
    return char, index + 1
