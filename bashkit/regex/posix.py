"""Basic and extended regular expressions (POSIX XBD 9.3 and 9.4) with the extensions of GNU, read into a tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.limits import turn
from bashkit.regex.charset import BracketError, CharSet, parse_bracket
from bashkit.regex.syntax_tree import (
    MAX_DEPTH,
    MAX_REPEAT,
    Alternation,
    AnyChar,
    Assertion,
    Backreference,
    Concat,
    Group,
    Literal,
    RegexError,
    Repeat,
    character,
    concat,
)

if TYPE_CHECKING:
    from bashkit.regex import Syntax
    from bashkit.regex.syntax_tree import AssertionKind, Node

_WORD = ("word",)
_CLASSES: dict[str, CharSet] = {
    "w": CharSet(classes=_WORD),
    "W": CharSet(classes=_WORD, negated=True),
    "s": CharSet(classes=("space",)),
    "S": CharSet(classes=("space",), negated=True),
}
_NOT_NEWLINE = CharSet(ranges=(("\n", "\n"),), negated=True)
_ASSERTIONS: dict[str, AssertionKind] = {
    "b": "word_edge",
    "B": "no_word_edge",
    "<": "word_start",
    ">": "word_end",
    "`": "text_start",
    "'": "text_end",
}
_REFUSED = re.compile("|[0-9]*,[0-9]*,.*")  # an interval with no number, or with too many: it is not literal
_OPERATORS, _POSIX_OPERATORS = tuple("(){}|+?"), tuple("(){}")
CLASS_SYNTAX = "character class syntax is [[:space:]], not [:space:]"
_BRACKET_MESSAGES = {
    "unclosed": "Unmatched [, [^, [:, [., or [=",
    "empty": "Invalid regular expression",
    "class": "Invalid character class name",
    "collate": "Invalid collation character",
    "range": "Invalid range end",
}


class PosixParser:
    """Reads one pattern.

    Args:
        pattern: Its text.
        extended: ERE instead of BRE.
        lenient: As grep reads it: a repetition operator with nothing before it is ignored or literal instead of an error,
            a malformed interval is literal.
        groups: How many groups stand in patterns before this one; back-references count from there.
        syntax: See ``compile_any``.
        one_line: Neither ``.`` nor a negated bracket expression matches a newline (REG_NEWLINE).
    """

    def __init__(
        self,
        pattern: str,
        *,
        extended: bool,
        lenient: bool = False,
        groups: int = 0,
        syntax: Syntax = "gnu",
        one_line: bool = False,
    ) -> None:
        self.pattern = pattern
        self.extended = extended
        self.lenient = lenient
        self.gnu = syntax != "posix"
        self.sed = syntax == "sed"
        self.named_classes = lenient or syntax != "gnu"
        self.once = syntax != "gnu" and not extended  # a repeat is not repeated
        self.one_line = one_line
        self.index = 0
        self.groups = groups
        self._before = groups
        self.closed: set[int] = set()
        self.warnings: list[str] = []
        self.depth = 0

    def parse(self) -> Node:
        """The tree of the whole pattern."""
        node = self._alternation()
        if self.index < len(self.pattern):
            raise RegexError("Unmatched ) or \\)")
        return node

    def _operator(self) -> str:
        """The operator at the index, spelled as in ERE; "" when there is none (a character, or the end)."""
        pattern, index = self.pattern, self.index
        char = pattern[index : index + 1]
        if char == "\\":
            following = pattern[index + 1 : index + 2]
            return "" if self.extended or following not in (_OPERATORS if self.gnu else _POSIX_OPERATORS) else following
        if self.extended:
            return char if char and char in "(){|+?*" else ""
        return char if char == "*" else ""

    def _skip(self, operator: str) -> None:
        self.index += 1 if self.extended or operator == "*" else 2

    def _alternation(self) -> Node:
        before = self.closed.copy()
        choices = [self._sequence()]
        after = self.closed
        while self._operator() == "|":
            self._skip("|")
            self.closed = before.copy()  # a group of one alternative cannot be meant in another
            choices.append(self._sequence())
            after |= self.closed
        self.closed = after
        return choices[0] if len(choices) == 1 else Alternation(tuple(choices))

    def _sequence(self) -> Node:
        items: list[Node] = []
        while self.index < len(self.pattern):
            turn()
            operator = self._operator()
            if operator == "|":
                break
            if operator == ")" and (self.depth or self.sed or (not self.extended and self.gnu)):
                break
            if operator in ("*", "+", "?", "{") and operator and self._misplaced(operator, items):
                continue
            items.append(self._repeated(self._atom(items)))
        return concat(items)

    def _misplaced(self, operator: str, items: list[Node]) -> bool:
        """Deal with a repetition operator that has nothing to repeat; whether it is dealt with."""
        if items and not (not self.extended and items == [Assertion("line_start")] and operator == "*"):
            if not (self.extended and isinstance(items[-1], Assertion) and items[-1].kind == "line_start"):
                return False
        if not self.extended:
            if operator == "{" and not self.lenient:
                raise RegexError("Invalid preceding regular expression")
            return self._literal_operator(items, operator)
        if not self.lenient:
            raise RegexError("Invalid preceding regular expression")
        low = 0 if operator in "*?" else 1
        if operator == "{":
            found = self._interval(first=True)
            if found is None:
                return self._literal_operator(items, operator)
            low = found[0]
        else:
            self._skip(operator)
        self.warnings.append(f"{'{...}' if operator == '{' else operator} at start of expression")
        if items and not low:
            items.pop()  # an anchor that need not hold
        return True

    def _literal_operator(self, items: list[Node], operator: str) -> bool:
        self._skip(operator)
        literal = Literal(operator)
        items.append(literal if operator == "{" and self._operator() == "{" else self._repeated(literal))  # `{{x}}`
        return True

    def _repeated(self, item: Node) -> Node:
        if isinstance(item, Assertion) and item.kind == "line_start":
            return item
        repeated = False
        for _ in range(MAX_DEPTH):
            operator = self._operator()
            if repeated and self.once and operator in ("*", "{"):
                raise RegexError("Invalid preceding regular expression")
            repeated = True
            if operator == "{":
                found = self._interval()
                if found is None:
                    return item
                low, high = found
            elif operator and operator in "*+?":
                self._skip(operator)
                low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[operator]
            else:
                return item
            item = _repeat(item, low, high)
        raise RegexError("Regular expression too big")

    def _interval(self, *, first: bool = False) -> tuple[int, int | None] | None:
        """``{m,n}`` at the index, behind nothing if it is the ``first``, or None where the brace is a literal one."""
        start = self.index
        self._skip("{")
        closing = "}" if self.extended else "\\}"
        end = self.pattern.find(closing, self.index)
        body = self.pattern[self.index : end] if end >= 0 else self.pattern[self.index :]
        low_text, comma, high_text = body.partition(",")
        well_formed = all(not text or (text.isascii() and text.isdecimal()) for text in (low_text, high_text)) and body != ""
        if end < 0 or not well_formed:
            if self.extended and self.lenient and (first or end < 0 or not _REFUSED.fullmatch(body)):
                self.index = start
                return None
            raise RegexError("Invalid content of \\{\\}" if end >= 0 else "Unmatched \\{")
        low = int(low_text[:6] or "0")
        high = (int(high_text[:6]) if high_text else None) if comma else low
        if high is not None and low > high:
            raise RegexError("Invalid content of \\{\\}")
        if max(low, high or 0) > MAX_REPEAT:
            raise RegexError("Regular expression too big")
        self.index = end + len(closing)
        return low, high

    def _atom(self, items: list[Node]) -> Node:
        pattern = self.pattern
        operator = self._operator()
        if operator == "(":
            return self._group()
        char = pattern[self.index]
        if char == "[":
            return self._bracket()
        if char == "\\":
            return self._escape()
        self.index += 1
        if char == ".":
            return _NOT_NEWLINE if self.one_line else AnyChar()
        if char == "^" and (self.extended or not items):
            return Assertion("line_start")
        if char == "$" and (self.extended or self._at_end()):
            return Assertion("line_end")
        return character(char)

    def _at_end(self) -> bool:
        return self.index >= len(self.pattern) or self._operator() in (")", "|")

    def _group(self) -> Node:
        if self.depth >= MAX_DEPTH:
            raise RegexError("Regular expression too big")
        self._skip("(")
        self.groups += 1
        number = self.groups
        self.depth += 1
        inner = self._alternation()
        self.depth -= 1
        if self._operator() != ")":
            raise RegexError("Unmatched ( or \\(")
        self._skip(")")
        self.closed.add(number)
        return Group(inner, number)

    def _bracket(self) -> Node:
        if self.named_classes and self.pattern.startswith(":", self.index + 1):
            end = self.pattern.find("]", self.index + 2)
            if end > self.index + 2 and self.pattern[end - 1] == ":":
                raise RegexError(CLASS_SYNTAX)
        try:
            charset, self.index = parse_bracket(self.pattern, self.index)
        except BracketError as error:
            raise RegexError(_BRACKET_MESSAGES[error.kind]) from None
        if self.one_line and charset.negated:
            return CharSet((*charset.ranges, ("\n", "\n")), charset.classes, negated=True)
        return charset

    def _escape(self) -> Node:
        following = self.pattern[self.index + 1 : self.index + 2]
        if not following:
            raise RegexError("Trailing backslash")
        self.index += 2
        if following in _CLASSES and self.gnu:
            return _CLASSES[following]
        if following in _ASSERTIONS and self.gnu:
            return Assertion(_ASSERTIONS[following])
        if following in "123456789":
            number = self._before + int(following)
            if number not in self.closed:
                raise RegexError("Invalid back reference")
            return Backreference(number)
        return character(following)


def _repeat(item: Node, low: int, high: int | None) -> Node:
    """Repeat ``item``; operators upon operators (``a**``, ``a+?``) become one."""
    if isinstance(item, Assertion):
        return item if low else Concat(())
    if isinstance(item, Repeat):
        if (item.low, item.high) in ((0, None), (1, None), (0, 1)) and (low, high) in ((0, None), (1, None), (0, 1)):
            return Repeat(item.item, min(item.low, low), None if item.high is None or high is None else 1)
    return Repeat(item, low, high)
