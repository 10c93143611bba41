"""Splits bc source into tokens (POSIX XCU bc, Lexical Conventions)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bashkit.limits import Charge, ask, turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEYWORDS = frozenset(
    (
        "define auto return if else while for break continue quit halt print void length sqrt scale ibase obase last read "
        "limits warranty"
    ).split()
)
_LEXEME = re.compile(
    r"(?P<number>(?>[0-9A-Z](?:\\\n)?){1,512}+(?:\.(?>(?:\\\n)?[0-9A-Z]){0,512}+)?|\.(?>(?:\\\n)?[0-9A-Z]){1,512}+)"
    r"|(?P<name>[a-z][a-z0-9_]*)"
    r'|(?P<string>"[^"]*")'
    r"|(?P<operator>\+\+|--|&&|\|\||[-+*/%^<>=!]=|[-+*/%^<>=!(){}\[\],;.&\n])"
)
_TOKEN = 180  # bytes of a token
_LONG = 512  # characters from which a number may be longer than what is matched
# Each of these takes a part of what may be long, so that the clock can be looked at.
_BLANK = re.compile(r"(?>[ \t]{1,512}+|\\\n|/\*.*?\*/|#[^\n]*){1,1024}+", re.DOTALL)
_BLANK_BEGINS = frozenset(" \t\\/#")
_WHOLE = re.compile(r"(?>[0-9A-Z]{1,512}+(?:\\\n)?){1,1024}+")
_FRACTION = re.compile(r"(?>(?:\\\n)?[0-9A-Z]{1,512}+){1,1024}+")
_FINISHED = re.compile(r'(?>[^"/#\\]{1,512}+|"[^"]*"|/\*.*?\*/|/(?!\*)|#[^\n]*|\\(?!\n\Z)){1,1024}+', re.DOTALL)


class Fault(NamedTuple):
    """A character that begins no token, "" for a comment without an end, and its line."""

    text: str
    line: int


class Token(NamedTuple):
    """One token.

    Attributes:
        kind: ``number``, ``name``, ``string``, ``end``, or the keyword or operator itself.
        text: What it says.
        line: The number of its line.
        faults: What stands before it and is no token.
    """

    kind: str
    text: str
    line: int
    faults: tuple[Fault, ...] = ()


class Tokens:
    """The tokens of a program, of which no more is read than the parser asks for.

    Args:
        pieces: The program in pieces of whole lines; the next may be long in coming, as from a pipe.
        hold: Charges what the tokens take.

    Attributes:
        found: Those that are read.
    """

    def __init__(self, pieces: Iterator[str], hold: Callable[[int], None]) -> None:
        self._pieces = pieces
        self.found: list[Token] = []
        self._hold = hold
        self._line = 1
        self._unfinished = ""
        self._faults: list[Fault] = []  # for the next token

    def __getitem__(self, index: int) -> Token:
        """A token by its number; behind the last one is the token of kind ``end``."""
        while index >= len(self.found) and not (self.found and self.found[-1].kind == "end"):
            self._read()
        return self.found[min(index, len(self.found) - 1)]

    def faults_before(self, index: int) -> tuple[Fault, ...]:
        """What stands before a token and is none, the first time that it is asked for."""
        token = self.found[index]
        self.found[index] = token._replace(faults=())
        return token.faults

    def _read(self) -> None:
        """Split the next piece; one that ends in a string, a comment or a continued line waits for what follows."""
        piece = next(self._pieces, None)
        text = self._unfinished + (piece or "")
        if piece is not None and _run(_FINISHED, text, 0) < len(text):
            self._unfinished = text
            return
        self._unfinished = ""
        found = _split(text, self._line, self._faults)
        self._line = found[-1].line
        if piece is not None:
            self._faults += found.pop().faults
        self.found += found
        self._hold(_TOKEN * len(found))


def _run(pattern: re.Pattern[str], text: str, index: int) -> int:
    """Where a row of matches that begins at an index ends."""
    while (found := pattern.match(text, index)) is not None:
        ask(found.end() - index >> 8)
        index = found.end()
    return index


def _number(text: str, index: int) -> int:
    """Where a number that begins at an index ends; the index where there is none."""
    end = _run(_WHOLE, text, index)
    if not text.startswith(".", end):
        return end
    last = _run(_FRACTION, text, end + 1)
    return index if last == index + 1 else last


def _split(text: str, line: int, faults: list[Fault]) -> list[Token]:
    """Split a text into tokens, with ``end`` behind them.

    Args:
        text: The text.
        line: The number of its first line.
        faults: What was found before it; the next token takes it.
    """
    found: list[Token] = []
    charge = Charge()
    index = 0

    def add(kind: str, word: str) -> None:
        found.append(Token(kind, word, line, tuple(faults)))
        if not len(found) & 255:
            charge.reach(_TOKEN * len(found))
        faults.clear()

    while True:
        turn()
        if text[index : index + 1] in _BLANK_BEGINS:
            blank = _run(_BLANK, text, index)
            line += text.count("\n", index, blank)
            index = blank
        if index >= len(text):
            add("end", "")
            return found
        if text.startswith("/*", index):
            faults.append(Fault("", line))
            index = len(text)
            continue
        match = _LEXEME.match(text, index)
        if match is None:
            faults.append(Fault(text[index], line))
            index += 1
            continue
        kind, end = match.lastgroup or "", match.end()
        if kind == "number" and end - index >= _LONG:
            end = _number(text, index)
        whole = text[index:end]
        if kind == "number":
            add(kind, whole.replace("\\\n", ""))
        elif kind == "string":
            add(kind, whole[1:-1])
        else:
            add(whole if kind == "operator" or whole in KEYWORDS else kind, whole)
        line += whole.count("\n")
        index = end
