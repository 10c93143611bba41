"""Reads a sed script (POSIX XCU sed, GNU sed manual)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands.sed.escapes import control, convert, split_replacement
from bashkit.commands.sed.nodes import Address, Command, Script, ScriptError, Substitution

if TYPE_CHECKING:
    from bashkit.regex import Dialect, Pattern

_BLANK = " \t"
_SPACE = " \t\n\r\v\f"
_ONE_ADDRESS = "qQ"
_TEXT = "aic"
_LABELS = "btT"
_FILES = "rRwW"
_PLAIN = "dDgGhHnNpPxzF="


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the script: one ``-e`` expression or one ``-f`` file.

    Attributes:
        text: Its text.
        file: The file's name, or "".
    """

    text: str
    file: str = ""


@lru_cache(maxsize=256)
def parse(pieces: tuple[Piece, ...], dialect: Dialect, *, sandbox: bool = False, null_data: bool = False) -> Script:
    """Read a script; the result is cached by its text.

    Args:
        pieces: Its parts in order.
        dialect: The dialect of its regular expressions.
        sandbox: Refuse the commands that read and write files.
        null_data: Lines end with NUL (``-z``), so the flag ``M`` finds no others inside them.

    Raises:
        ScriptError: It is wrong.
    """
    return _Parser(pieces, dialect, sandbox=sandbox, null_data=null_data).script()


class _Parser:
    def __init__(self, pieces: tuple[Piece, ...], dialect: Dialect, *, sandbox: bool, null_data: bool) -> None:
        self.pieces = pieces
        self.text = "\n".join(piece.text for piece in pieces)
        self.dialect = dialect
        self.sandbox = sandbox
        self.null_data = null_data
        self.index = 0
        self.commands: list[Command] = []
        self.blocks: list[tuple[int, int]] = []  # the open braces: index of the command, place in the text
        self.labels: dict[str, int] = {}
        self.files: dict[str, None] = {}

    # -- places ---------------------------------------------------------------------------------------------------------

    def fail(self, message: str, at: int | None = None) -> ScriptError:
        """The error ``message`` at the index, or another place."""
        offset = self.index if at is None else at
        expressions = 0
        for piece in self.pieces:
            expressions += not piece.file
            if offset <= len(piece.text):
                if piece.file:
                    line = piece.text.count("\n", 0, max(offset - 1, 0)) + 1
                    return ScriptError(f"file {piece.file} line {line}: {message}")
                return ScriptError(f"-e expression #{expressions}, char {offset}: {message}")
            offset -= len(piece.text) + 1
        return ScriptError(f"-e expression #{max(expressions, 1)}, char {offset}: {message}")

    def peek(self) -> str:
        return self.text[self.index : self.index + 1]

    def take(self) -> str:
        """The next character; past the end "" is returned and counted, as GNU's positions do."""
        char = self.peek()
        self.index += 1 if char else 0
        return char

    def skip(self, chars: str) -> None:
        while self.index < len(self.text) and self.text[self.index] in chars:
            self.index += 1

    def number(self) -> int:
        start = self.index
        while self.peek().isdecimal() and self.peek().isascii():
            self.index += 1
        return int(self.text[start : self.index][:18] or "0")

    # -- the script -----------------------------------------------------------------------------------------------------

    def script(self) -> Script:
        quiet = self.text.startswith("#n")
        while True:
            self.skip(_SPACE + ";")
            if self.index >= len(self.text):
                break
            self.command()
        if self.blocks:
            raise self.fail("unmatched `{'", 0)
        for command in self.commands:
            if command.name in _LABELS:
                if command.text and command.text not in self.labels:
                    raise ScriptError(f"can't find label for jump to `{command.text}'", status=4)
                command.target = self.labels[command.text] if command.text else len(self.commands)
        return Script(tuple(self.commands), quiet, tuple(self.files))

    def command(self) -> None:
        command = Command("")
        command.first = self.address(second=False)
        if command.first is not None:
            self.skip(_BLANK)
            if self.peek() == ",":
                self.index += 1
                self.skip(_BLANK)
                command.second = self.address(second=True)
                if command.second is None:
                    self.index += bool(self.peek())
                    raise self.fail("unexpected `,'")
        self.skip(_BLANK)
        while self.peek() == "!":
            if command.negated:
                self.index += 1
                raise self.fail("multiple `!'s")
            self.index += 1
            command.negated = True
            self.skip(_BLANK)
        command.name = self.take()
        if not command.name or command.name in "\n;":
            raise self.fail("missing command")
        if command.first is not None and command.first.kind == "line" and command.first.number == 0:
            if command.second is None or command.second.kind != "regex":
                raise self.fail("invalid usage of line address 0")
        if command.second is not None and command.name in _ONE_ADDRESS:
            raise self.fail("command only uses one address")
        self.body(command)

    def body(self, command: Command) -> None:
        """Read what follows the letter of a command."""
        name = command.name
        if name == "#":
            if command.first is not None:
                raise self.fail("comments don't accept any addresses")
            end = self.text.find("\n", self.index)
            self.index = len(self.text) if end < 0 else end
            return
        if name == ":":
            self.label(command)
            return
        if name == "{":
            self.blocks.append((len(self.commands), self.index))
            self.commands.append(command)
            return
        if name == "}":
            self.close(command)
            return
        if name in _TEXT:
            command.text = self.text_argument()
        elif name in _LABELS:
            self.skip(_BLANK)
            command.text = self.word(stops="\n;}" + _BLANK)
            self.end()
        elif name in _FILES:
            self.file(command)
        elif name in "qQlL":
            self.skip(_BLANK)
            if self.peek().isdecimal():
                command.number = self.number()
            self.end()
        elif name == "s":
            self.substitute(command)
        elif name == "y":
            self.transliterate(command)
        elif name in _PLAIN:
            self.end()
        elif name == "v":
            self.word(stops="\n;")
            return
        elif name == "e":
            raise self.fail("the `e' command is not available here")
        else:
            raise self.fail(f"unknown command: `{name}'")
        self.commands.append(command)

    def end(self) -> None:
        """What may stand behind a command: nothing, ``;``, a newline, ``}`` or a comment."""
        self.skip(_BLANK + "\r")
        char = self.peek()
        if char and char in "}#":
            return
        if char and char not in "\n;":
            self.index += 1
            raise self.fail("extra characters after command")
        self.index += bool(char)

    def label(self, command: Command) -> None:
        if command.first is not None:
            raise self.fail(": doesn't want any addresses")
        self.skip(_BLANK)
        name = self.word(stops="\n;" + _BLANK)
        if not name:
            raise self.fail('":" lacks a label')
        self.skip(_BLANK)
        self.labels[name] = len(self.commands)

    def word(self, stops: str) -> str:
        start = self.index
        while self.index < len(self.text) and self.text[self.index] not in stops:
            self.index += 1
        return self.text[start : self.index].rstrip()

    def close(self, command: Command) -> None:
        if command.first is not None:
            raise self.fail("unexpected `}'")
        if not self.blocks:
            raise self.fail("unexpected `}'")
        opening, _ = self.blocks.pop()
        self.commands[opening].target = len(self.commands)
        self.end()

    def file(self, command: Command) -> None:
        if self.sandbox:
            raise self.fail("e/r/w commands disabled in sandbox mode")
        self.skip(_BLANK)
        end = self.text.find("\n", self.index)
        end = len(self.text) if end < 0 else end
        command.text = self.text[self.index : end]
        self.index = end
        if not command.text:
            raise self.fail("missing filename in r/R/w/W commands")
        if command.name in "wW":
            self.files[command.text] = None

    def text_argument(self) -> str:
        """The text of ``a``, ``i`` and ``c``, one line or after a backslash."""
        self.skip(_BLANK)
        if self.index >= len(self.text):
            raise self.fail("expected \\ after `a', `c' or `i'")
        if self.peek() == "\\":
            self.index += 1
            rest = self.index
            self.skip(_BLANK)
            if self.peek() == "\n":
                self.index += 1
            else:
                self.index = rest
            if self.index >= len(self.text):
                return ""
        pieces: list[str] = []
        while self.index < len(self.text):
            char = self.text[self.index]
            self.index += 1
            if char == "\n":
                break
            if char == "\\" and self.index < len(self.text):
                following = self.text[self.index]
                found = control(self.text, self.index)
                if found is not None:
                    char, self.index = found
                else:
                    char = following
                    self.index += 1
            elif char == "\\":
                continue
            pieces.append(char)
        return "".join(pieces) + "\n"

    # -- addresses ------------------------------------------------------------------------------------------------------

    def address(self, *, second: bool) -> Address | None:
        char = self.peek()
        if char.isdecimal() and char.isascii():
            number = self.number()
            self.skip(_BLANK)
            if self.peek() == "~" and not second:
                self.index += 1
                return Address("step", number, self.number())
            return Address("line", number)
        if char and char in "+~" and second:
            self.index += 1
            return Address("plus" if char == "+" else "multiple", self.number())
        if char == "$":
            self.index += 1
            return Address("last")
        if char in ("/", "\\"):
            self.index += 1
            delimiter = char if char == "/" else self.take()
            body = self.delimited(delimiter, regular=True)
            if body is None:
                raise self.fail("unterminated address regex")
            flags = self.flags()
            return Address("regex", pattern=self.pattern(body, flags), by_line=self.by_line(body, flags))
        return None

    def flags(self) -> str:
        found = ""
        while self.peek() and self.peek() in "IM":
            found += self.take()
        return found

    def pattern(self, body: str, flags: str) -> Pattern | None:
        if not body:
            if flags:
                raise self.fail("cannot specify modifiers on empty regexp")
            return None
        try:
            compiled = regex.compile(convert(body), self.dialect, ignore_case="I" in flags, multiline="M" in flags and not self.null_data)
        except regex.RegexError as error:
            raise self.fail(error.message) from None
        return compiled

    def by_line(self, body: str, flags: str) -> Pattern | None:
        """The expression for a block of lines; None where it could see more than one of them."""
        text = convert(body)
        if not body or "\n" in text or "M" in flags:
            return None
        return regex.compile_any((text,), self.dialect, ignore_case="I" in flags, by_line=True)

    def delimited(self, delimiter: str, *, regular: bool) -> str | None:
        """The text up to the delimiter, escaped delimiters bared; None when it never ends."""
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
                char += self.bracket()
            if char == "\\":
                following = self.text[self.index : self.index + 1]
                self.index += 1 if following else 0
                if following == delimiter:
                    char = following if regular or following != "&" else "\\" + following
                else:
                    char += following
            pieces.append(char)
        return None

    def bracket(self) -> str:
        """The rest of a bracket expression: a delimiter in it ends nothing."""
        start = self.index
        self.index += self.text.startswith("^", self.index)
        self.index += self.text.startswith("]", self.index)
        while self.index < len(self.text) and self.text[self.index] != "]":
            mark = self.text[self.index + 1 : self.index + 2]
            if self.text[self.index] == "[" and mark and mark in ":.=":
                end = self.text.find(mark + "]", self.index + 2)
                self.index = end + 1 if end >= 0 else self.index
            self.index += 1
        return self.text[start : self.index]

    # -- s and y --------------------------------------------------------------------------------------------------------

    def substitute(self, command: Command) -> None:
        delimiter = self.take()
        body = self.delimited(delimiter, regular=True) if delimiter not in ("", "\n", "\\") else None
        replacement = None if body is None else self.delimited(delimiter, regular=False)
        if body is None or replacement is None:
            raise self.fail("unterminated `s' command")
        flags, number, file = self.substitute_flags()
        pattern = self.pattern(body, "".join(flag for flag in flags.upper() if flag in "IM"))
        parts = split_replacement(replacement)
        highest = max((part for part in parts if isinstance(part, int)), default=0)
        if pattern is not None and highest > pattern.groups:
            raise self.fail(f"invalid reference \\{highest} on `s' command's RHS")
        by_line = self.by_line(body, flags.upper())
        command.substitution = Substitution(pattern, parts, number or 1, "g" in flags, "p" in flags, file, by_line)

    def substitute_flags(self) -> tuple[str, int, str]:
        """The letters, the number and the file behind ``s``."""
        flags, number = "", 0
        while True:
            char = self.take()
            if not char or char in "\n;":
                return flags, number, ""
            if char in "}#":
                self.index -= 1
                return flags, number, ""
            if char in "iImMgp":
                if char in "gp" and char in flags:
                    raise self.fail(f"multiple `{char}' options to `s' command")
                flags += char
            elif char.isdecimal():
                if number:
                    raise self.fail("multiple number options to `s' command")
                self.index -= 1
                number = self.number()
                if not number:
                    raise self.fail("number option to `s' command may not be zero")
            elif char == "w":
                command = Command("w")
                self.file(command)
                return flags, number, command.text
            elif char == "e":
                raise self.fail("the `e' option is not available here")
            elif char not in _BLANK + "\r":
                raise self.fail("unknown option to `s'")

    def transliterate(self, command: Command) -> None:
        delimiter = self.take()
        usable = delimiter not in ("", "\n", "\\")
        source = self.delimited(delimiter, regular=False) if usable else None
        target = None if source is None else self.delimited(delimiter, regular=False)
        if source is None or target is None:
            raise self.fail("unterminated `y' command")
        old, new = self.characters(source), self.characters(target)
        if len(old) != len(new):
            raise self.fail("strings for `y' command are different lengths")
        for char, replacement in zip(old, new, strict=True):
            command.table.setdefault(ord(char), replacement)
        self.end()

    def characters(self, text: str) -> list[str]:
        result: list[str] = []
        index = 0
        while index < len(text):
            char = text[index]
            index += 1
            if char == "\\" and index < len(text):
                found = control(text, index)
                if found is not None:
                    char, index = found
                else:
                    char = text[index]
                    index += 1
            result.append(char)
        return result
