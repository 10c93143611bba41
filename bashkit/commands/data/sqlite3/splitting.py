"""Splits a text into statements as SQLite's shell does (sqlite.org/c3ref/complete.html), in time linear in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.limits import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.limits import Budget

_TOKEN = re.compile(r"""[ \t\n\f\r]+|--[^\n]*|/\*|['"`\[]|;|[A-Za-z0-9_$\x80-\U0010ffff]+|[^\w\s'"`\[;/-]+|.""", re.DOTALL)
_CLOSING = {"/*": "*/", "[": "]"}
_BLANK = re.compile(r"(?>--[^\n]*+|[\s;]{1,512}+){1,512}+")  # a part of what may be long, so that the clock can be looked at
# A trigger has statements in it: it ends with ";", END and ";". The states of a statement follow from its first words.
_START, _PLAIN, _EXPLAIN, _CREATE, _TRIGGER, _SEMICOLON, _END = range(7)
_NEXT = {
    (_START, "EXPLAIN"): _EXPLAIN,
    (_START, "CREATE"): _CREATE,
    (_EXPLAIN, "CREATE"): _CREATE,
    (_CREATE, "TEMP"): _CREATE,
    (_CREATE, "TEMPORARY"): _CREATE,
    (_CREATE, "TRIGGER"): _TRIGGER,
    (_TRIGGER, ";"): _SEMICOLON,
    (_SEMICOLON, ";"): _SEMICOLON,
    (_SEMICOLON, "END"): _END,
}
_IN_TRIGGER = {_TRIGGER, _SEMICOLON, _END}
_WORDS = {
    word for _, word in _NEXT
}  # those that mean something anywhere: EXPLAIN is followed by any others, as in EXPLAIN QUERY PLAN


class Splitter:
    """Collects a text that comes in pieces, which may end anywhere but within a word or a mark of two characters.

    Args:
        budget: Charged for each word.

    Attributes:
        statements: The complete statements so far.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self.statements: list[str] = []
        self._state = _START
        self._closing = ""  # what ends the quoted text or comment that is open
        self._parts: list[str] = []  # of the statement that is not complete

    def feed(self, text: str) -> bool:
        """Add a piece; return whether the text so far is complete: it ends with a statement's semicolon."""
        start = position = 0
        while position < len(text):
            self._budget.tick()
            if self._closing:
                end = text.find(self._closing, position)
                if end < 0:
                    break
                position = end + len(self._closing)
                self._closing = ""
                continue
            found = _TOKEN.match(text, position)
            assert found is not None  # the last alternative takes any character
            token, position = found[0], found.end()
            if token in {"'", '"', "`", "[", "/*"}:
                self._closing = _CLOSING.get(token, token)
                self._follow("" if token != "/*" else " ")
            elif self._follow(token):
                self.statements.append("".join([*self._parts, text[start:position]]))
                self._parts = []
                start = position
        self._parts.append(text[start:])
        return self._state == _START and not self._closing

    def _follow(self, token: str) -> bool:
        """Change the state; return whether the token ends a statement."""
        if token[:1] in {" ", "\t", "\n", "\f", "\r"} or token.startswith("--"):
            return False
        state = self._state
        if token == ";" and state not in {_TRIGGER, _SEMICOLON}:
            self._state = _START
            return True
        if state == _PLAIN:
            return False
        word = token.upper()
        usual = _TRIGGER if state in _IN_TRIGGER else _EXPLAIN if state == _EXPLAIN and word not in _WORDS else _PLAIN
        self._state = _NEXT.get((state, word), usual)
        return False

    @property
    def rest(self) -> str:
        """What comes after the last complete statement."""
        return "".join(self._parts)


def statements(text: str, budget: Budget) -> Iterator[str]:
    """The statements of a text; the last one may lack its semicolon."""
    splitter = Splitter(budget)
    splitter.feed(text)
    yield from splitter.statements
    if not is_blank(splitter.rest):
        yield splitter.rest


def is_blank(text: str) -> bool:
    """Whether a text contains only blanks, comments and semicolons."""
    place = 0
    while place < len(text):
        start = place
        if text.startswith("/*", place):
            place = (text.find("*/", place + 2) + 1 or len(text)) + 1
        elif (found := _BLANK.match(text, place)) is not None:
            place = found.end()
        else:
            return False
        ask(1 + (place - start >> 8))
    return True
