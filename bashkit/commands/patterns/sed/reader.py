"""Reads the text of a sed script: characters, numbers, words, delimited parts, and the positions of errors."""

from __future__ import annotations

from dataclasses import dataclass

from bashkit.commands.patterns.sed.script import ScriptError


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the script: one ``-e`` expression or one ``-f`` file.

    Attributes:
        text: Its text.
        file: The file's name, or "".
        extended: Its regular expressions are extended (``-E``); this and the following by the options before it.
        null_data: Lines end with NUL (``-z``), so the flag ``M`` finds no others inside them.
        posix: GNU's additions to POSIX are refused.
    """

    text: str
    file: str = ""
    extended: bool = False
    null_data: bool = False
    posix: bool = False


class Reader:
    """A position in one piece of a script.

    Args:
        octets: Each character stands for a byte.

    Attributes:
        text: The piece's text.
        index: The position in it.
    """

    def __init__(self, *, octets: bool) -> None:
        self.text = ""
        self.index = 0
        self._octets = octets
        self._file = ""
        self._expressions = 0

    def begin(self, piece: Piece) -> None:
        """Go to the start of a piece."""
        self.text, self.index = piece.text, 0
        self._file = piece.file
        self._expressions += not piece.file

    def fail(self, message: str) -> ScriptError:
        """Make the error ``message`` at the current position."""
        return ScriptError(f"{self.place(self.index)}: {message}")

    def place(self, offset: int) -> str:
        """Describe the position behind a character for messages: the byte of an expression, or the line of a file."""
        if self._file:
            return f"file {self._file} line {self.text.count(chr(10), 0, max(self.index - 1, 0)) + 1}"
        before = self.text[: max(offset - 1, 0)]
        wide = 0 if self._octets else len(before.encode("utf-8", "surrogateescape")) - len(before)
        return f"-e expression #{self._expressions}, char {offset + wide}"

    def peek(self) -> str:
        """The character at the index, or "" at the end."""
        return self.text[self.index : self.index + 1]

    def take(self) -> str:
        """The next character, or "" at the end."""
        char = self.peek()
        self.index += 1 if char else 0
        return char

    def skip(self, chars: str) -> None:
        """Skip all of these characters."""
        while self.index < len(self.text) and self.text[self.index] in chars:
            self.index += 1

    def number(self) -> int:
        """Read the digits at the index; 0 without any."""
        start = self.index
        while self.peek().isdecimal() and self.peek().isascii():
            self.index += 1
        return int(self.text[start : self.index][:18] or "0")

    def word(self, stops: str) -> str:
        """Read the text up to one of the characters that end it."""
        start = self.index
        while self.index < len(self.text) and self.text[self.index] not in stops:
            self.index += 1
        return self.text[start : self.index].rstrip()

    def delimiter(self) -> str:
        """Take the character that delimits the parts of a command, or "" at the end."""
        char = self.take()
        if char > "\x7f" and not self._octets and not _begins_no_character(char):
            raise self.fail("delimiter character is not a single-byte character")
        return char

    def delimited(self, delimiter: str, *, regular: bool) -> str | None:
        """Read the text up to the delimiter and unescape delimiters in it; None without an end.

        Args:
            delimiter: The character that ends it.
            regular: Whether it is a regular expression, in which a delimiter inside brackets is literal.
        """
        pieces: list[str] = []
        while self.index < len(self.text):
            char = self.text[self.index]
            self.index += 1
            if char == delimiter:
                return "".join(pieces)
            if char == "\n":
                self.index -= 1
                return None
            if char == "[" and regular:
                char += self._bracket()
            if char == "\\":
                following = self.text[self.index : self.index + 1]
                self.index += 1 if following else 0
                if following == delimiter:
                    char = following if regular or following != "&" else "\\" + following
                else:
                    char += following
            pieces.append(char)
        return None

    def _bracket(self) -> str:
        """Read the rest of a bracket expression."""
        start = self.index
        self.index += self.text.startswith("^", self.index)
        self.index += self.text.startswith("]", self.index)
        while self.index < len(self.text) and self.text[self.index] not in "]\n":
            mark = self.text[self.index + 1 : self.index + 2]
            if self.text[self.index] == "[" and mark and mark in ":.=":
                end = self.text.find(mark + "]", self.index + 2)
                self.index = end + 1 if end >= 0 else len(self.text) - 1
            self.index += 1
        self.index += self.text.startswith("]", self.index)
        return self.text[start : self.index]


def _begins_no_character(char: str) -> bool:
    """Whether it is a byte that is no part of UTF-8 text, nor looks like the beginning of a character."""
    return "\udc80" <= char <= "\udcff" and not "\udcc2" <= char <= "\udcfd"
