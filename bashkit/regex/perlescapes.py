r"""Escapes and bracketed classes of Perl's expressions (pcre2pattern(3)): ``\d``, ``\x{…}``, ``\p{…}``, ``[…]``."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from bashkit.regex.charset import OF_PERL, CharSet
from bashkit.regex.properties import Ranges, outside, property_ranges
from bashkit.regex.syntax_tree import (
    Alternation,
    AnyChar,
    Assertion,
    AssertionKind,
    Atomic,
    Concat,
    Fold,
    Literal,
    Node,
    RegexError,
    Repeat,
    concat,
)

_DIGIT: Ranges = (("0", "9"),)
_WORD: Ranges = (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z"))
_SPACE: Ranges = (("\t", "\r"), (" ", " "))
_HORIZONTAL: Ranges = (
    ("\t", "\t"), (" ", " "), ("\xa0", "\xa0"), ("\u1680", "\u1680"), ("\u180e", "\u180e"), ("\u2000", "\u200a"),
    ("\u202f", "\u202f"), ("\u205f", "\u205f"), ("\u3000", "\u3000"),
)  # fmt: skip
_VERTICAL: Ranges = (("\n", "\r"), ("\x85", "\x85"), ("\u2028", "\u2029"))
_POSIX: dict[str, Ranges] = {
    "alnum": (("0", "9"), ("A", "Z"), ("a", "z")), "alpha": (("A", "Z"), ("a", "z")), "ascii": (("\0", "\x7f"),),
    "blank": (("\t", "\t"), (" ", " ")), "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")), "digit": _DIGIT, "graph": (("!", "~"),),
    "lower": (("a", "z"),), "print": ((" ", "~"),), "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "space": _SPACE, "upper": (("A", "Z"),), "word": _WORD, "xdigit": (("0", "9"), ("A", "F"), ("a", "f")),
}  # fmt: skip
_SHORT = {"d": (_DIGIT, "digit"), "w": (_WORD, "word"), "s": (_SPACE, "space"), "h": (_HORIZONTAL, ""), "v": (_VERTICAL, "")}
_PLACES: dict[str, AssertionKind] = {"A": "text_start", "z": "text_end", "Z": "last_newline", "G": "text_start"}
_WORD_EDGES: dict[str, AssertionKind] = {"[[:<:]]": "word_start", "[[:>:]]": "word_end"}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}
_NO_SUCH = "PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u"
_NOT_NEWLINE = CharSet(ranges=(("\n", "\n"),), negated=True)


@dataclass(frozen=True, slots=True)
class _Many:
    """Characters within brackets: ranges, and names of classes or of what is outside of them.

    Attributes:
        whole: The ranges are a class or a property, to which case makes no difference.
    """

    ranges: Ranges = ()
    classes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    whole: bool = False


class EscapeReader:
    """Reads escapes and bracketed classes at its index.

    Args:
        pattern: The whole pattern.
        unicode: ``\\w`` and its kin, ``\\b`` and the classes know more than ASCII.
        ignore_case: Letters match both cases.
    """

    def __init__(self, pattern: str, *, unicode: bool, ignore_case: bool) -> None:
        self.pattern = pattern
        self.unicode = unicode
        self.ignore_case = ignore_case
        self.folds = False
        self.index = 0

    def peek(self, text: str) -> bool:
        """Whether ``text`` stands at the index."""
        return self.pattern.startswith(text, self.index)

    def matched(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        """Go past what the expression matches at the index."""
        found = expression.match(self.pattern, self.index)
        if found is not None:
            self.index = found.end()
        return found

    # -- escapes --------------------------------------------------------------------------------------------------------

    def escape(self) -> Node | None:
        """The node of the escape at the index; None for one that names a group, left unread."""
        letter = self.pattern[self.index + 1 : self.index + 2]
        if not letter:
            raise RegexError("\\ at end of pattern")
        if letter in "gk" or (letter in "123456789" and not self._is_octal()):
            return None
        self.index += 2
        many = self._many(letter)
        if many is not None:
            return self._charset(many)
        if letter in "bB":
            wide, narrow = ("word_edge", "ascii_edge") if letter == "b" else ("no_word_edge", "no_ascii_edge")
            kind: AssertionKind = wide if self.unicode else narrow  # type: ignore[assignment]  # both are kinds
            return Assertion(kind)
        if letter in _PLACES:
            return Assertion(_PLACES[letter])
        if letter == "N" and not self.peek("{U+"):
            if self.peek("{"):
                raise RegexError(_NO_SUCH)
            return _NOT_NEWLINE
        if letter == "R":
            return Atomic(Alternation((concat([Literal("\r"), Literal("\n")]), CharSet(_VERTICAL))))
        if letter == "X":
            marks = property_ranges("M") or ()
            follow = Repeat(CharSet((*marks, ("\u200d", "\u200d"))), 0, None, possessive=True)
            return Atomic(Alternation((concat([Literal("\r"), Literal("\n")]), Concat((AnyChar(), follow)))))
        if letter == "C":
            return AnyChar()
        return Literal(self._character(letter))

    def _is_octal(self) -> bool:
        """Whether digits behind the backslash are a character: three octal ones, as there are never so many groups."""
        return re.compile("[0-3]?[0-7]{2}").match(self.pattern, self.index + 1) is not None

    def _character(self, letter: str) -> str:
        """The character of an escape whose letter was read."""
        if letter in _CONTROLS:
            return _CONTROLS[letter]
        if letter == "x":
            return self._hexadecimal()
        if letter == "o":
            return self._braced_octal()
        if letter == "N":
            self.index += 3
            return self._code(16, "non-hex character in \\x{} (closing brace missing?)")
        if letter in "01234567":
            digits = self.matched(re.compile("[0-7]{0,2}"))
            return chr(int(letter + (digits[0] if digits else ""), 8) & 0x1FF)
        if letter == "c":
            return self._control()
        if letter in "FLlUu":
            raise RegexError(_NO_SUCH)
        if letter.isalnum() and letter.isascii():
            raise RegexError("unrecognized character follows \\")
        return letter

    def _control(self) -> str:
        char = self.pattern[self.index : self.index + 1]
        if not char:
            raise RegexError("\\c at end of pattern")
        if not " " <= char <= "~":
            raise RegexError("\\c must be followed by a printable ASCII character")
        self.index += 1
        return chr(ord(char.upper()) ^ 0x40)

    def _hexadecimal(self) -> str:
        if not self.peek("{"):
            digits = self.matched(re.compile("[0-9a-fA-F]{0,2}"))
            return chr(int(digits[0] if digits and digits[0] else "0", 16))
        return self._code(16, "non-hex character in \\x{} (closing brace missing?)")

    def _braced_octal(self) -> str:
        if not self.peek("{"):
            raise RegexError("missing opening brace after \\o")
        return self._code(8, "non-octal character in \\o{} (closing brace missing?)")

    def _code(self, base: int, message: str) -> str:
        """The character whose number stands in braces, or behind ``U+`` and before a brace."""
        self.index += self.peek("{")
        digits = self.matched(re.compile("[0-9a-fA-F]*" if base == 16 else "[0-7]*"))
        text = digits[0] if digits else ""
        if not text and (self.index >= len(self.pattern) or self.peek("}")):
            raise RegexError("digits missing in \\x{} or \\o{} or \\N{U+}")
        if not self.peek("}"):
            raise RegexError(message)
        self.index += 1
        if len(text.lstrip("0")) > 8 or int(text, base) > sys.maxunicode:
            raise RegexError("character code point value in \\x{} or \\o{} is too large")
        return chr(int(text, base))

    def _many(self, letter: str) -> _Many | None:
        """What an escape for several characters means; None for any other escape."""
        if letter.lower() in _SHORT:
            ranges, name = _SHORT[letter.lower()]
            if name and self.unicode and name != "digit":
                return _Many(classes=(OF_PERL + name,)) if letter.islower() else _Many(without=(OF_PERL + name,))
            return _Many(ranges if letter.islower() else outside(ranges), whole=True)
        if letter in "pP":
            return _Many(self._property(negated=letter == "P"), whole=True)
        return None

    def _property(self, *, negated: bool) -> Ranges:
        found = self.matched(re.compile(r"\{\s*(\^?)\s*([^{}]*?)\s*\}|([A-Za-z])"))
        if found is None:
            raise RegexError("malformed \\P or \\p sequence")
        ranges = property_ranges(found[3] or found[2])
        if ranges is None:
            raise RegexError("unknown property after \\P or \\p")
        return outside(ranges) if negated != bool(found[1]) else ranges

    def _charset(self, many: _Many, *, negated: bool = False) -> Node:
        if len(many.without) == 1 and not (many.ranges or many.classes):
            return CharSet(classes=many.without, negated=not negated)
        charset = CharSet(many.ranges, many.classes, negated, many.without)
        if self.ignore_case and many.whole:
            self.folds = True
            return Fold(charset, ignore_case=False)
        return charset

    # -- classes --------------------------------------------------------------------------------------------------------

    def bracket(self) -> Node:
        """The class whose ``[`` stands at the index."""
        pattern = self.pattern
        mark = pattern[self.index + 1 : self.index + 2]
        if (
            mark in (":", ".", "=")
            and mark
            and re.compile(rf"\[{re.escape(mark)}[^]\\]*{re.escape(mark)}\]").match(pattern, self.index)
        ):
            raise RegexError("POSIX named classes are supported only within a class")
        for text, kind in _WORD_EDGES.items():
            if self.peek(text):
                self.index += len(text)
                return Assertion(kind)
        self.index += 1
        negated = self.peek("^")
        self.index += negated
        ranges: list[tuple[str, str]] = []
        classes: list[str] = []
        without: list[str] = []
        whole = False
        first = True
        while first or not self.peek("]"):
            first = False
            low = self._element()
            if isinstance(low, _Many):
                ranges += low.ranges
                classes += low.classes
                without += low.without
                whole = whole or low.whole
                if self.peek("-") and not self.peek("-]") and self.index + 1 < len(pattern):
                    raise RegexError("invalid range in character class")
                continue
            high: str | _Many = low
            if low and self.peek("-") and not self.peek("-]"):
                self.index += 1
                high = self._element()
            if isinstance(high, _Many):
                raise RegexError("invalid range in character class")
            if low > high:
                raise RegexError("range out of order in character class")
            if low:
                ranges += both_cases(low, high) if self.ignore_case else [(low, high)]
        self.index += 1
        return self._charset(_Many(tuple(ranges), tuple(classes), tuple(without), whole), negated=negated)

    def _element(self) -> str | _Many:
        r"""A character, several of them, or "" for what quotes (``\Q``, ``\E``)."""
        pattern = self.pattern
        if self.index >= len(pattern):
            raise RegexError("missing terminating ] for character class")
        char = pattern[self.index]
        if char == "[":
            named = self.matched(re.compile(r"\[:(\^?)((?:\\[]\\]|\[(?!:)|[^][])*?):\]"))
            if named is not None:
                return self._named(named[2], negated=bool(named[1]))
            if re.compile(r"\[([.=])[^]]*\1\]").match(pattern, self.index):
                raise RegexError("POSIX collating elements are not supported")
        if char != "\\":
            self.index += 1
            return char
        quoted = self.matched(re.compile(r"\\Q(.*?)(?:\\E|\Z)", re.DOTALL))
        if quoted is not None:
            return _Many(tuple((one, one) for one in quoted[1]))
        letter = pattern[self.index + 1 : self.index + 2]
        if not letter:
            raise RegexError("\\ at end of pattern")
        self.index += 2
        if letter == "E":
            return ""
        if letter == "b":
            return "\b"
        if letter in "BRX":
            raise RegexError("escape sequence is invalid in character class")
        if letter == "N" and not self.peek("{U+"):
            raise RegexError("\\N is not supported in a class")
        many = self._many(letter)
        return many if many is not None else self._character(letter)

    def _named(self, name: str, *, negated: bool) -> _Many:
        if name not in _POSIX:
            raise RegexError("unknown POSIX class name")
        if self.unicode and name not in ("digit", "xdigit", "ascii", "cntrl"):
            return _Many(without=(OF_PERL + name,)) if negated else _Many(classes=(OF_PERL + name,))
        return _Many(outside(_POSIX[name]) if negated else _POSIX[name], whole=negated)


def both_cases(low: str, high: str) -> list[tuple[str, str]]:
    """A range, and the letters of ASCII in it in the other case."""
    found = [(low, high)]
    for first, last in (("a", "z"), ("A", "Z")):
        start, end = max(low, first), min(high, last)
        if start <= end:
            found.append((start.swapcase(), end.swapcase()))
    if low == high and low.swapcase() != low and len(low.swapcase()) == 1:
        found.append((low.swapcase(), low.swapcase()))
    return found
