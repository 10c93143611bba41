r"""The part of Perl's regular expressions that ``grep -P`` needs (pcre2pattern(3)), read into a tree.

Groups (plain, named, non-capturing, atomic), lookaround, lazy and possessive repeats, ``\d \w \s \h \v \R \N`` and their
complements, ``\b \B \A \z \Z \K``, ``\Q…\E``, ``\x{…}``, octal, back-references by number and name, and ``(?imsx)`` at the
start. Recursion, conditions and ``\p`` properties beyond the general categories are refused.
"""

from __future__ import annotations

from bashkit.regex.charset import BracketError, CharSet, parse_bracket
from bashkit.regex.nodes import (
    MAX_DEPTH,
    Alternation,
    AnyChar,
    Assertion,
    AssertionKind,
    Atomic,
    Backreference,
    Concat,
    Group,
    Keep,
    Literal,
    Look,
    Node,
    RegexError,
    Repeat,
    concat,
)

_CLASSES = {
    "d": CharSet(classes=("digit",)),
    "w": CharSet(classes=("word",)),
    "s": CharSet(classes=("space",)),
    "h": CharSet(classes=("blank",)),
    "v": CharSet(ranges=(("\n", "\r"), ("\x85", "\x85"), ("\u2028", "\u2029"))),
}
_PLACES: dict[str, AssertionKind] = {
    "b": "word_edge",
    "B": "no_word_edge",
    "A": "text_start",
    "z": "text_end",
    "Z": "last_newline",
    "G": "text_start",
}
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}
_PROPERTIES = {"L": "alpha", "Lu": "upper", "Ll": "lower", "N": "digit", "Nd": "digit", "P": "punct", "Z": "space", "Zs": "blank"}
_MISPLACED = "quantifier does not follow a repeatable item"


class PerlParser:
    """Reads one pattern.

    Attributes:
        ignore_case, dot_all, line_anchors: What ``(?i)``, ``(?s)`` and ``(?m)`` at the start asked for.
    """

    def __init__(self, pattern: str, groups: int = 0) -> None:
        self.pattern = pattern
        self.index = 0
        self.groups = groups
        self.names: dict[str, int] = {}
        self.depth = 0
        self.ignore_case = False
        self.dot_all = False
        self.line_anchors = False
        self.extended = False

    def parse(self) -> Node:
        """The tree of the whole pattern."""
        node = self._alternation()
        if self.index < len(self.pattern):
            raise RegexError("unmatched closing parenthesis")
        return node

    def _peek(self, text: str) -> bool:
        return self.pattern.startswith(text, self.index)

    def _alternation(self) -> Node:
        choices = [self._sequence()]
        while self._peek("|"):
            self.index += 1
            choices.append(self._sequence())
        return choices[0] if len(choices) == 1 else Alternation(tuple(choices))

    def _sequence(self) -> Node:
        items: list[Node] = []
        while self.index < len(self.pattern) and self.pattern[self.index] not in "|)":
            if self._peek("\\Q"):
                end = self.pattern.find("\\E", self.index)
                end = len(self.pattern) if end < 0 else end
                quoted = self.pattern[self.index + 2 : end]
                items.extend(Literal(char) for char in quoted)
                self.index = end + 2
                if quoted:
                    items.append(self._repeated(items.pop()))
            elif self._peek("\\E"):
                self.index += 2
            elif self.extended and self.pattern[self.index] in " \t\n#":
                comment = self.pattern[self.index] == "#"
                end = self.pattern.find("\n", self.index) if comment else self.index
                self.index = len(self.pattern) if end < 0 else end + 1
            else:
                atom = self._atom()
                if atom is not None:
                    items.append(self._repeated(atom))
        return concat(items)

    def _repeated(self, item: Node) -> Node:
        bounds = self._bounds()
        if bounds is None:
            return item
        lazy, possessive = self._peek("?"), self._peek("+")
        self.index += lazy or possessive
        if self._bounds() is not None:
            raise RegexError(_MISPLACED)
        return Repeat(item, *bounds, lazy=lazy, possessive=possessive)

    def _bounds(self) -> tuple[int, int | None] | None:
        char = self.pattern[self.index : self.index + 1]
        if char and char in "*+?":
            self.index += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        if char != "{":
            return None
        body, closed, _ = self.pattern[self.index + 1 :].partition("}")
        low, comma, high = body.partition(",")
        if not closed or not low.isdecimal() or (high and not high.isdecimal()):
            return None
        if max(len(low), len(high)) > 5 or int(low) > 65535 or int(high or 0) > 65535:
            raise RegexError("number too big in {} quantifier")
        if high and int(low) > int(high):
            raise RegexError("numbers out of order in {} quantifier")
        self.index += len(body) + 2
        return int(low), (int(high) if high else None) if comma else int(low)

    def _atom(self) -> Node | None:
        char = self.pattern[self.index]
        if self._bounds() is not None:
            raise RegexError(_MISPLACED)
        if char == "(":
            return self._group()
        if char == "[":
            return self._bracket()
        if char == "\\":
            return self._escape()
        self.index += 1
        if char == ".":
            return AnyChar() if self.dot_all else CharSet(ranges=(("\n", "\n"),), negated=True)
        if char == "^":
            return Assertion("line_start")
        if char == "$":
            return Assertion("line_end")
        return Literal(char)

    def _group(self) -> Node | None:
        if self.depth >= MAX_DEPTH:
            raise RegexError("parentheses are too deeply nested")
        self.index += 1
        wrap = self._opening()
        if wrap is None:
            return None
        self.depth += 1
        inner = self._alternation()
        self.depth -= 1
        if not self._peek(")"):
            raise RegexError("missing closing parenthesis")
        self.index += 1
        kind, number = wrap
        if kind == "group":
            name = next((name for name, value in self.names.items() if value == number), "")
            return Group(inner, number, name)
        if kind == "plain":
            return Concat((inner,))
        if kind == "atomic":
            return Atomic(inner)
        return Look(inner, ahead="behind" not in kind, negative=kind.startswith("not"))

    def _opening(self) -> tuple[str, int] | None:
        """What kind of group begins here; None for a group that holds nothing (a comment, flags)."""
        openings = {"?:": "plain", "?>": "atomic", "?=": "ahead", "?!": "not ahead", "?<=": "behind", "?<!": "not behind"}
        for text, kind in openings.items():
            if self._peek(text):
                self.index += len(text)
                return kind, 0
        if self._peek("?#"):
            self.index = self.pattern.find(")", self.index) + 1 or len(self.pattern)
            return None
        if not self._peek("?"):
            self.groups += 1
            return "group", self.groups
        for opener, closer in (("?P<", ">"), ("?<", ">"), ("?'", "'")):
            if self._peek(opener):
                name, closed, _ = self.pattern[self.index + len(opener) :].partition(closer)
                if not closed or not name.isidentifier():
                    raise RegexError("syntax error in subpattern name (missing terminator?)")
                self.index += len(opener) + len(name) + 1
                self.groups += 1
                self.names[name] = self.groups
                return "group", self.groups
        return self._flags()

    def _flags(self) -> tuple[str, int] | None:
        flags, closed, _ = self.pattern[self.index + 1 :].partition(")")
        scoped = flags.endswith(":") or ":" in flags
        letters = flags.partition(":")[0]
        if not closed or not letters or any(letter not in "imsx" for letter in letters):
            raise RegexError("unrecognized character after (? or (?-")
        self.ignore_case |= "i" in letters
        self.dot_all |= "s" in letters
        self.line_anchors |= "m" in letters
        self.extended |= "x" in letters
        self.index += len(letters) + 2
        return ("plain", 0) if scoped else None

    def _bracket(self) -> Node:
        try:
            return self._charset()
        except BracketError as error:
            messages = {
                "unclosed": "missing terminating ] for character class",
                "class": "unknown POSIX class name",
                "range": "range out of order in character class",
                "collate": "POSIX collating elements are not supported",
            }
            raise RegexError(messages[error.kind]) from None

    def _charset(self) -> CharSet:
        pattern = self.pattern
        if pattern.startswith(("[:", "[."), self.index) and pattern.find(pattern[self.index + 1] + "]", self.index + 2) > 0:
            raise RegexError("POSIX named classes are supported only within a class")
        index = self.index + 1
        negated = pattern.startswith("^", index)
        index += negated
        first = index
        ranges: list[tuple[str, str]] = []
        classes: list[str] = []
        without: list[str] = []
        while True:
            if index >= len(pattern):
                raise BracketError("unclosed")
            if pattern[index] == "]" and index > first:
                self.index = index + 1
                return CharSet(tuple(ranges), tuple(classes), negated, tuple(without))
            if pattern.startswith("[:", index) and ":]" in pattern[index:]:
                inner, _ = parse_bracket("[" + pattern[index : pattern.index(":]", index) + 2].replace("[:^", "[:") + "]", 0)
                (without if pattern.startswith("[:^", index) else classes).extend(inner.classes)
                index = pattern.index(":]", index) + 2
                continue
            low, index = self._in_charset(index)
            if isinstance(low, CharSet):
                classes.extend(low.classes)
                ranges.extend(() if low.negated else low.ranges)
                continue
            if isinstance(low, tuple):
                without.append(low[0])
                continue
            high: str | CharSet | tuple[str] = low
            if pattern.startswith("-", index) and not pattern.startswith("-]", index):
                high, index = self._in_charset(index + 1)
            if not isinstance(high, str):
                raise RegexError("invalid range in character class")
            if low > high:
                raise BracketError("range")
            ranges.append((low, high))

    def _in_charset(self, index: int) -> tuple[str | CharSet | tuple[str], int]:
        """A character, a class, or (as a tuple) the class whose complement it is."""
        pattern = self.pattern
        if index >= len(pattern):
            raise BracketError("unclosed")
        if pattern[index] != "\\":
            return pattern[index], index + 1
        letter = pattern[index + 1 : index + 2]
        if letter == "b":
            return "\b", index + 2
        if letter in _CLASSES and letter:
            return _CLASSES[letter], index + 2
        if letter.lower() in _CLASSES and letter and _CLASSES[letter.lower()].classes:
            return (_CLASSES[letter.lower()].classes[0],), index + 2
        self.index = index
        node = self._escape()
        return (node.char if isinstance(node, Literal) else letter), self.index

    def _escape(self) -> Node:
        letter = self.pattern[self.index + 1 : self.index + 2]
        if not letter:
            raise RegexError("\\ at end of pattern")
        self.index += 2
        if letter in _CLASSES:
            return _CLASSES[letter]
        if letter.lower() in _CLASSES and letter.isalpha():
            inner = _CLASSES[letter.lower()]
            return CharSet(inner.ranges, inner.classes, negated=True)
        if letter in _PLACES:
            return Assertion(_PLACES[letter])
        if letter in _CONTROLS:
            return Literal(_CONTROLS[letter])
        if letter == "K":
            return Keep()
        if letter == "N":
            return CharSet(ranges=(("\n", "\n"),), negated=True)
        if letter == "R":
            return Alternation((concat([Literal("\r"), Literal("\n")]), _CLASSES["v"]))
        if letter in "pP":
            return self._property(negated=letter == "P")
        if letter == "x":
            return self._hexadecimal()
        if letter.isdecimal() or letter in "gk":
            return self._reference(letter)
        if letter.isalpha() and letter.isascii():
            raise RegexError("unrecognized character follows \\")
        return Literal(letter)

    def _braced(self) -> str | None:
        if not self._peek("{"):
            return None
        body, closed, _ = self.pattern[self.index + 1 :].partition("}")
        if not closed:
            raise RegexError("missing terminating }")
        self.index += len(body) + 2
        return body

    def _property(self, *, negated: bool) -> Node:
        name = self._braced()
        if name is None:
            name = self.pattern[self.index : self.index + 1]
            self.index += 1
        if name.removeprefix("^") not in _PROPERTIES:
            raise RegexError("unknown property after \\P or \\p")
        return CharSet(classes=(_PROPERTIES[name.removeprefix("^")],), negated=negated != name.startswith("^"))

    def _hexadecimal(self) -> Node:
        digits = self._braced()
        if digits is None:
            digits = self.pattern[self.index : self.index + 2]
            while digits and not _is_hexadecimal(digits):
                digits = digits[:-1]
            self.index += len(digits)
        elif not _is_hexadecimal(digits) or len(digits) > 6 or int(digits, 16) > 0x10FFFF:
            raise RegexError("non-hex character in \\x{} (closing brace missing?)")
        return Literal(chr(int(digits or "0", 16)))

    def _reference(self, letter: str) -> Node:
        if letter == "0":
            digits = self.pattern[self.index : self.index + 2]
            while digits and not all(digit in "01234567" for digit in digits):
                digits = digits[:-1]
            self.index += len(digits)
            return Literal(chr(int(digits or "0", 8)))
        name = letter
        if letter in "gk":
            name = self._braced() or ""
            closer = {"<": ">", "'": "'"}.get(self.pattern[self.index : self.index + 1])
            if not name and closer is not None:
                name = self.pattern[self.index + 1 :].partition(closer)[0]
                self.index += len(name) + 2
            elif not name:
                name = self.pattern[self.index : self.index + 1]
                self.index += 1
        if name in self.names:
            return Backreference(self.names[name])
        number = int(name) if name.isascii() and name.removeprefix("-").isdecimal() else 0
        number = self.groups + 1 + number if number < 0 else number
        if not 0 < number <= self.groups:
            raise RegexError("reference to non-existent subpattern")
        return Backreference(number)


def _is_hexadecimal(digits: str) -> bool:
    return bool(digits) and all(digit in "0123456789abcdefABCDEF" for digit in digits)
