"""Splits bc source into tokens (POSIX XCU bc, Lexical Conventions)."""

from __future__ import annotations

import re
from typing import NamedTuple

from bashkit.limits import turn

KEYWORDS = frozenset(
    (
        "define auto return if else while for break continue quit halt print void length sqrt scale ibase obase last read "
        "limits warranty"
    ).split()
)
_BLANK = re.compile(r"(?:[ \t\r\f\v]+|\\\n|/\*.*?\*/|#[^\n]*)++", re.DOTALL)
_NUMBER = re.compile(r"(?:[0-9A-F](?:\\\n)?)++(?:\.(?:(?:\\\n)?[0-9A-F])*+)?|\.(?:(?:\\\n)?[0-9A-F])++")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_STRING = re.compile(r'"[^"]*"')
_OPERATOR = re.compile(r"\+\+|--|&&|\|\||[-+*/%^<>=!]=|[-+*/%^<>=!(){}\[\],;.&\n]")


class Token(NamedTuple):
    """One token: its kind (``number``, ``name``, ``string``, ``bad``, ``end``, or the keyword or operator itself) and line."""

    kind: str
    text: str
    line: int


def tokens(text: str) -> list[Token]:
    """Split a text into tokens; a character that begins none becomes a token of kind ``bad``."""
    found: list[Token] = []
    index, line = 0, 1
    while True:
        turn()
        blank = _BLANK.match(text, index)
        if blank is not None:
            line += blank[0].count("\n")
            index = blank.end()
        if index >= len(text):
            found.append(Token("end", "", line))
            return found
        for kind, pattern in (("number", _NUMBER), ("name", _NAME), ("string", _STRING), ("", _OPERATOR)):
            match = pattern.match(text, index)
            if match is not None:
                word = match[0]
                if kind == "number":
                    word = word.replace("\\\n", "")
                elif kind == "string":
                    word = word[1:-1]
                found.append(Token(word if not kind or (kind == "name" and word in KEYWORDS) else kind, word, line))
                line += match[0].count("\n")
                index = match.end()
                break
        else:
            found.append(Token("bad", text[index], line))
            index += 1
