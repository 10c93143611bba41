"""Splits bc source into tokens (POSIX XCU bc, Lexical Conventions)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_FINISHED = re.compile(r'(?:[^"/#\\]|"[^"]*"|/\*.*?\*/|/(?!\*)|#[^\n]*|\\(?!\n\Z))*+', re.DOTALL)
_OPERATOR = re.compile(r"\+\+|--|&&|\|\||[-+*/%^<>=!]=|[-+*/%^<>=!(){}\[\],;.&\n]")


class Token(NamedTuple):
    """One token: its kind (``number``, ``name``, ``string``, ``bad``, ``end``, or the keyword or operator itself) and line."""

    kind: str
    text: str
    line: int


class Tokens:
    """The tokens of a program, of which no more is read than the parser asks for.

    Args:
        pieces: The program in pieces of whole lines; the next may be long in coming, as from a pipe.
    """

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._found: list[Token] = []
        self._line = 1
        self._unfinished = ""

    def __getitem__(self, index: int) -> Token:
        """A token by its number; behind the last one is the token of kind ``end``."""
        while index >= len(self._found) and not (self._found and self._found[-1].kind == "end"):
            self._read()
        return self._found[min(index, len(self._found) - 1)]

    def _read(self) -> None:
        """Split the next piece; one that ends in a string, a comment or a continued line waits for what follows."""
        piece = next(self._pieces, None)
        text = self._unfinished + (piece or "")
        if piece is not None and _FINISHED.fullmatch(text) is None:
            self._unfinished = text
            return
        self._unfinished = ""
        found = _split(text, self._line)
        self._line = found[-1].line
        self._found.extend(found if piece is None else found[:-1])


def _split(text: str, line: int) -> list[Token]:
    """Split a text into tokens, with ``end`` behind them; a character that begins none becomes a token of kind ``bad``.

    Args:
        text: The text.
        line: The number of its first line.
    """
    found: list[Token] = []
    index = 0
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
