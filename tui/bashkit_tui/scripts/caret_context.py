"""The context of the cursor in an unfinished script: the command, the word, the open quotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from bashkit.syntax import RESERVED

Kind = Literal["command", "argument", "variable", "redirection", "nothing"]

_NAME = re.compile(r"[A-Za-z_]\w*")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=")
_HERE = re.compile(r"<<(-?)[ \t]*(?:'([^'\n]*)'|\"([^\"\n]*)\"|\\?([^\s;&|<>()]+))")
_BEFORE_COMMANDS = frozenset(["if", "then", "elif", "else", "while", "until", "do", "{", "!", "time", "coproc"])
_FAR = 50_000  # characters before the cursor that are read


@dataclass(frozen=True, slots=True)
class CaretContext:
    """The context of the cursor.

    Attributes:
        kind: The kind of word that belongs here; ``nothing`` in comments and other texts.
        start: The offset of the word's part before the cursor; for a variable, after the dollar.
        prefix: That part of the word, without quotes.
        words: The earlier words of the command.
        quote: The open quotes: ``'``, ``"`` or "".
    """

    kind: Kind
    start: int
    prefix: str
    words: tuple[str, ...] = ()
    quote: str = ""


@dataclass(slots=True)
class _Frame:
    """A list of commands: the script itself, or one inside parentheses or backticks.

    Attributes:
        closing: The character that ends it.
        words: The words of the command so far.
        start, word: The current word; ``start`` is -1 between words.
        redirected: Whether the word is the target of a redirection.
        quoted: Whether it is inside double quotes of the outer frame.
    """

    closing: str
    words: list[str] = field(default_factory=list)
    start: int = -1
    word: str = ""
    redirected: bool = False
    quoted: bool = False


def caret_context(script: str, offset: int) -> CaretContext:
    """The context of the cursor.

    Args:
        script: The text.
        offset: The cursor's place in it.
    """
    first = 0
    if offset > _FAR:  # from the start of a line; quotes opened before it are missed
        first = script.find("\n", offset - _FAR) + 1
    return _Scanner(script[first:offset], first).run()


class _Scanner:
    """Reads the text before the cursor, once."""

    def __init__(self, text: str, first: int) -> None:
        self._text = text
        self._first = first
        self._place = 0
        self._frames = [_Frame("")]
        self._here: list[tuple[str, bool]] = []

    @property
    def _frame(self) -> _Frame:
        return self._frames[-1]

    def run(self) -> CaretContext:
        """Read to the cursor."""
        text = self._text
        while self._place < len(text):
            found = self._step(text[self._place])
            if found is not None:
                return replace(found, start=found.start + self._first)
        frame = self._frame
        begun = frame.start >= 0
        kind: Kind = "redirection" if frame.redirected else "argument" if frame.words else "command"
        if kind == "command" and (assigned := _ASSIGNMENT.match(frame.word)):
            return CaretContext("argument", self._first + frame.start + assigned.end(), frame.word[assigned.end() :], ("=",))
        start = frame.start if begun else len(text)
        return CaretContext(kind, self._first + start, frame.word, tuple(frame.words))

    # -- one character -------------------------------------------------------------------------------------------------

    def _step(self, letter: str) -> CaretContext | None:
        if letter == "\n":
            return self._newline()
        if letter in " \t":
            self._end_word()
        elif letter == "#" and self._frame.start < 0:
            return self._comment()
        elif letter == "\\":
            self._take(self._text[self._place + 1 : self._place + 2], 2)
            return None
        elif letter == "'":
            return self._single()
        elif letter == '"':
            return self._double()
        elif letter == "$":
            return self._dollar()
        elif letter == "`":
            self._backtick()
            return None
        elif letter in "<>":
            self._redirection()
            return None
        elif letter in ";&|":
            self._end_command()
        elif letter == "(":
            self._end_word()
            self._push(")")
            return None
        elif letter == ")":
            self._pop(")")
            return None
        else:
            self._take(letter, 1)
            return None
        self._place += 1
        return None

    def _take(self, text: str, length: int) -> None:
        frame = self._frame
        if frame.start < 0:
            frame.start = self._place
        frame.word += text
        self._place += length

    def _end_word(self) -> None:
        frame = self._frame
        if frame.start < 0:
            return
        word, frame.start, frame.word = frame.word, -1, ""
        if frame.redirected:
            frame.redirected = False
        elif not frame.words and (word in _BEFORE_COMMANDS or _ASSIGNMENT.match(word)):
            return
        elif not frame.words and word in RESERVED and word not in {"for", "case", "select", "[[", "in", "function"}:
            return
        else:
            frame.words.append(word)

    def _end_command(self) -> None:
        self._end_word()
        self._frame.words.clear()
        self._frame.redirected = False

    def _push(self, closing: str) -> None:
        self._frames.append(_Frame(closing))
        self._place += 1

    def _pop(self, closing: str) -> None:
        self._end_command()
        if len(self._frames) > 1 and self._frame.closing == closing:
            quoted = self._frames.pop().quoted
            self._place += 1
            if quoted:
                self._double(again=True)
        else:  # the pattern of a case: a command follows
            self._place += 1

    # -- longer things -------------------------------------------------------------------------------------------------

    def _newline(self) -> CaretContext | None:
        self._end_command()
        self._place += 1
        while self._here:
            delimiter, tabs = self._here.pop(0)
            while True:
                end = self._text.find("\n", self._place)
                line = self._text[self._place : end if end >= 0 else len(self._text)]
                if end < 0:
                    return CaretContext("nothing", len(self._text), "")
                self._place = end + 1
                if (line.lstrip("\t") if tabs else line) == delimiter:
                    break
        return None

    def _comment(self) -> CaretContext | None:
        end = self._text.find("\n", self._place)
        if end < 0:
            return CaretContext("nothing", len(self._text), "")
        self._place = end
        return None

    def _single(self) -> CaretContext | None:
        end = self._text.find("'", self._place + 1)
        if end < 0:
            return self._open("'", self._place + 1)
        self._take(self._text[self._place + 1 : end], end + 1 - self._place)
        return None

    def _double(self, *, again: bool = False) -> CaretContext | None:
        """Read from the opening quote, or from the end of a substitution inside the quotes, to the closing quote."""
        text, frame = self._text, self._frame
        if not again:
            if frame.start < 0:
                frame.start = self._place
            self._place += 1
        begin = self._place
        while self._place < len(text):
            letter = text[self._place]
            if letter == '"':
                self._place += 1
                return None
            if letter == "\\":
                frame.word += text[self._place + 1 : self._place + 2]
                self._place += 2
            elif letter == "$":
                inner = self._dollar(quoted=True)
                if inner is not None or self._frame is not frame:
                    return inner
            else:
                frame.word += letter
                self._place += 1
        return self._open('"', begin)

    def _open(self, quote: str, begin: int) -> CaretContext:
        """The context of a cursor inside quotes."""
        frame = self._frame
        kind: Kind = "redirection" if frame.redirected else "argument" if frame.words else "nothing"
        return CaretContext(kind, begin, self._text[begin:], tuple(frame.words), quote)

    def _dollar(self, *, quoted: bool = False) -> CaretContext | None:
        text, place = self._text, self._place
        if text.startswith("$((", place):
            end = text.find("))", place)
            if end < 0:
                name = re.search(r"\w*$", text)
                return CaretContext("variable", name.start() if name else len(text), name[0] if name else "")
            self._take(text[place : end + 2], end + 2 - place)
            return None
        if text.startswith("$(", place):
            self._take("$()", 1)
            self._push(")")
            self._frame.quoted = quoted
            return None
        if text.startswith("$'", place) and not quoted:
            self._take("", 1)
            return None
        brace = text.startswith("${", place)
        begin = place + (2 if brace else 1)
        if brace and text[begin : begin + 1] in {"#", "!"}:
            begin += 1
        name = _NAME.match(text, begin)
        end = name.end() if name else begin
        if end == len(text):
            return CaretContext("variable", begin, text[begin:end])
        if brace:
            closing = text.find("}", end)
            end = closing + 1 if closing >= 0 else len(text)
            if closing < 0:
                return CaretContext("nothing", len(text), "")
        elif not name:
            end = begin + 1
        self._take(text[place:end], end - place)
        return None

    def _backtick(self) -> None:
        if self._frame.closing == "`":
            self._pop("`")
        else:
            self._take("``", 0)
            self._push("`")

    def _redirection(self) -> None:
        text, place = self._text, self._place
        here = _HERE.match(text, place)
        if here and not text.startswith("<<<", place) and here.end() < len(text):
            self._end_word()
            delimiter = next(group for group in here.groups()[1:] if group is not None)
            self._here.append((delimiter, here[1] == "-"))
            self._place = here.end()
            return
        frame = self._frame
        if frame.word.isdecimal():
            frame.start, frame.word = -1, ""
        self._end_word()
        if text.startswith(("<(", ">("), place):
            self._take("<()", 1)
            self._push(")")
            return
        while self._place < len(text) and text[self._place] in "<>&|":
            self._place += 1
        frame.redirected = True
