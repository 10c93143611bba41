"""Parses a sed script (POSIX XCU sed, GNU sed manual)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit import regex
from bashkit.commands._notation.locale import as_octets, joined
from bashkit.commands.patterns.sed.escapes import control, convert, split_replacement
from bashkit.commands.patterns.sed.reader import Reader
from bashkit.commands.patterns.sed.script import Address, Command, Script, ScriptError, Substitution
from bashkit.limits import turn
from bashkit.regex.cache import Recent
from bashkit.regex.posix import CLASS_SYNTAX
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.commands.patterns.sed.reader import Piece
    from bashkit.regex import Dialect, Pattern

_BLANK = " \t"
_SPACE = " \t\n\r\v\f"
_ONE_ADDRESS = "qQ"
_ONE_ADDRESS_POSIX = "qai=rl"
_TEXT = "aic"
_LABELS = "btT"
_FILES = "rRwW"
_PLAIN = "dDgGhHnNpPxzF="
_GNU = "eFvzQTRW"  # commands that POSIX does not have
_VERSION = (4, 9, 0)
_LONGEST = 1 << 16  # characters of a script: reading it takes 10 microseconds for each
_SCRIPT_BYTES, _CHARACTER_BYTES = 2048, 100  # what a script holds, and what each of its characters adds, at the most
_SCRIPTS: Recent[tuple[object, ...], Script] = Recent(2 << 20)

_SANDBOXED = "e/r/w commands disabled in sandbox mode"


def parse(pieces: tuple[Piece, ...], *, sandbox: bool = False, marked: bool = False, octets: bool = False) -> Script:
    """Parse a script; the scripts used last are kept.

    Args:
        pieces: Its parts in order.
        sandbox: Refuse the commands that read and write files.
        marked: Keep labels and closing braces as commands, for ``--debug``.
        octets: Each byte is a character.

    Raises:
        ScriptError: It is malformed.
    """
    length = sum(len(piece.text) for piece in pieces)
    if length > _LONGEST:
        raise ScriptError(f"script longer than {_LONGEST} characters")
    key = (pieces, sandbox, marked, octets)
    script = _SCRIPTS.get(key)
    if script is None:
        parser = _Parser(sandbox=sandbox, marked=marked, octets=octets)
        script = parser.script(tuple(replace(piece, text=as_octets(piece.text)) for piece in pieces) if octets else pieces)
        _SCRIPTS.put(key, script, _SCRIPT_BYTES + _CHARACTER_BYTES * length)
    return script


class _Parser(Reader):
    def __init__(self, *, sandbox: bool, marked: bool, octets: bool) -> None:
        super().__init__(octets=octets)
        self.dialect: Dialect = "basic"
        self.null_data = self.posix = False
        self.sandbox = sandbox
        self.marked = marked
        self.octets = octets
        self.commands: list[Command] = []
        self.blocks: list[tuple[int, str]] = []  # the open braces: index of the command, position in the script
        self.labels: dict[str, int] = {}
        self.files: dict[str, None] = {}
        self.leading: list[str] = []  # the files of ``0r``
        self.unfinished: Command | None = None  # the command's text continues in the next piece

    # -- the script -----------------------------------------------------------------------------------------------------

    def begin(self, piece: Piece) -> None:
        """Go to the start of a piece, which is read by the options before it."""
        super().begin(piece)
        self.dialect = "extended" if piece.extended else "basic"
        self.null_data, self.posix = piece.null_data, piece.posix

    def script(self, pieces: tuple[Piece, ...]) -> Script:
        try:
            return self._script(pieces)
        except ScriptError as error:
            error.files = tuple(self.files)
            raise

    def _script(self, pieces: tuple[Piece, ...]) -> Script:
        for piece in pieces:
            self.begin(piece)
            if self.unfinished is not None:
                command, self.unfinished = self.unfinished, None
                command.text += self.text_lines(command)
            while True:
                self.skip(_SPACE + ";")
                if self.index >= len(self.text):
                    break
                self.command()
        if self.blocks:
            raise ScriptError(f"{self.blocks[-1][1]}: unmatched `{{'")
        for command in reversed(self.commands):
            if command.name in _LABELS:
                if command.text and command.text not in self.labels:
                    raise ScriptError(f"can't find label for jump to `{command.text}'", status=4)
                command.target = self.labels[command.text] if command.text else len(self.commands)
        quiet = pieces[0].text.startswith("#n")
        return Script(tuple(self.commands), quiet, tuple(self.files), tuple(self.leading))

    def command(self) -> None:
        turn()
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
        self.check_zero(command)
        while self.peek() == "!":
            if command.negated:
                self.index += 1
                raise self.fail("multiple `!'s")
            self.index += 1
            command.negated = True
            self.skip(_BLANK)
        command.name = self.take()
        if not command.name:
            raise self.fail("missing command")
        if command.second is not None and command.name in (_ONE_ADDRESS_POSIX if self.posix else _ONE_ADDRESS):
            raise self.fail("command only uses one address")
        self.body(command)

    def check_zero(self, command: Command) -> None:
        """Check that line 0 is used only in ``0,/regex/`` and ``0r``."""
        first, second = command.first, command.second
        if first is None or not first.is_zero:
            return
        fine = self.peek() == "r" if second is None else second.kind == "regex"
        if self.posix or not fine:
            self.index += bool(self.peek())
            raise self.fail("invalid usage of line address 0")

    def unknown(self, name: str) -> ScriptError:
        """The error of a command that there is none of; it is named by its first byte."""
        byte = name if self.octets else name.encode("utf-8", "surrogateescape")[:1].decode("utf-8", "surrogateescape")
        return self.fail(f"unknown command: `{byte}'")

    def body(self, command: Command) -> None:
        """Parse the rest of a command after its letter."""
        name = command.name
        if self.posix and name in _GNU:
            raise self.unknown(name)
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
            self.blocks.append((len(self.commands), self.place(0)))
            self.commands.append(command)
            return
        if name == "}":
            self.close(command)
            return
        if name in _TEXT:
            command.text = self.text_argument(command)
        elif name in _LABELS:
            self.skip(_BLANK)
            command.text = self.word(stops="\n;}" + _BLANK)
        elif name in _FILES:
            self.file(command)
            if command.first is not None and command.first.is_zero and command.second is None:
                self.leading.append(command.text)
                return
        elif name in "qQl":
            self.skip(_BLANK)
            if is_digits(self.peek()) and not self.posix:
                command.number = self.number()
            self.end()
        elif name == "s":
            self.substitute(command)
        elif name == "y":
            self.transliterate(command)
        elif name in _PLAIN:
            self.end()
        elif name == "v":
            self.version()
            return
        elif name == "e":
            self.command_argument(command)
        else:
            raise self.unknown(name)
        self.commands.append(command)

    def end(self) -> None:
        """Parse the end of a command: nothing, ``;``, a newline, ``}`` or a comment."""
        self.skip(_BLANK)
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
        name = self.word(stops="\n;}" + _BLANK)
        if not name:
            raise self.fail('":" lacks a label')
        self.skip(_BLANK)
        self.labels[name] = len(self.commands)
        if self.marked:
            self.commands.append(Command(":", text=name))

    def version(self) -> None:
        """``v``: the oldest version of sed that the script accepts."""
        self.skip(_BLANK)
        wanted = self.word(stops="\n;}" + _BLANK)
        numbers = wanted.split(".")
        if wanted and (not all(map(str.isdecimal, numbers)) or tuple(int(number[:9]) for number in numbers) > _VERSION):
            raise self.fail("expected newer version of sed")

    def close(self, command: Command) -> None:
        if not self.blocks:
            raise self.fail("unexpected `}'")
        if command.first is not None:
            raise self.fail("`}' doesn't want any addresses")
        opening, _ = self.blocks.pop()
        self.commands[opening].target = len(self.commands)
        if self.marked:
            self.commands.append(Command("}"))
        self.end()

    def command_argument(self, command: Command) -> None:
        """Parse what ``e`` runs, which is written as the text of ``a`` is; nothing for the pattern space."""
        if self.sandbox:
            raise self.fail(_SANDBOXED)
        self.skip(_BLANK)
        if self.index < len(self.text) and self.peek() != "\n":
            command.text = self.text_argument(command)

    def file(self, command: Command) -> None:
        """Parse a file's name, the rest of the line, which is not for a sandbox."""
        if self.sandbox:
            raise self.fail(_SANDBOXED)
        self.skip(_BLANK)
        end = self.text.find("\n", self.index)
        end = len(self.text) if end < 0 else end
        command.text = joined(self.text[self.index : end])
        self.index = end
        if not command.text:
            self.index += bool(self.peek())
            raise self.fail("missing filename in r/R/w/W commands")
        if command.name in "wW":
            self.files[command.text] = None

    def text_argument(self, command: Command) -> str:
        """Parse the text of ``a``, ``i`` and ``c``, on one line or after a backslash."""
        self.skip(_BLANK)
        if self.index >= len(self.text) or (self.posix and self.peek() != "\\"):
            self.index += bool(self.peek())
            raise self.fail("expected \\ after `a', `c' or `i'")
        if self.peek() == "\\":
            self.index += 1
            if self.index >= len(self.text):
                self.go_on(command)
                return ""
            if self.peek() == "\n":
                self.index += 1
        return self.text_lines(command)

    def go_on(self, command: Command) -> None:
        """Handle a backslash at the end of a piece: the command's text continues in the next one."""
        if self.posix:
            raise self.fail("incomplete command")
        self.unfinished = command

    def text_lines(self, command: Command) -> str:
        """Parse lines up to the first one that ends without a backslash."""
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
                self.go_on(command)
                continue
            pieces.append(char)
        return "".join(pieces) + "\n"

    # -- addresses ------------------------------------------------------------------------------------------------------

    def address(self, *, second: bool) -> Address | None:
        char = self.peek()
        if is_digits(char):
            number = self.number()
            self.skip(_BLANK)
            if self.peek() == "~" and not self.posix:
                self.index += 1
                return Address("step", number, self.number())
            return Address("line", number)
        if char and char in "+~" and not self.posix:
            self.index += 1
            number = self.number()
            if second:
                return Address("plus" if char == "+" else "multiple", number)
            if number:
                raise self.fail("invalid usage of +N or ~N as first address")
            return None
        if char == "$":
            self.index += 1
            return Address("last")
        if char in ("/", "\\"):
            self.index += 1
            delimiter = char if char == "/" else self.delimiter()
            body = self.delimited(delimiter, regular=True)
            if body is None:
                raise self.fail("unterminated address regex")
            flags = self.flags()
            pattern, by_line = self.pattern(body, flags), self.by_line(body, flags)
            return Address("regex", pattern=pattern, by_line=by_line, source=convert(body, octets=self.octets), modifiers=flags)
        return None

    def flags(self) -> str:
        found = ""
        self.skip(_BLANK)
        while self.peek() and self.peek() in "IM" and not self.posix:
            found += self.take()
            self.skip(_BLANK)
        return found

    def converted(self, body: str) -> str:
        return convert(body, posix=self.posix, octets=self.octets)

    def pattern(self, body: str, flags: str) -> Pattern | None:
        if not body:
            if flags:
                raise self.fail("cannot specify modifiers on empty regexp")
            return None
        try:
            compiled = regex.compile(
                self.converted(body),
                self.dialect,
                ignore_case="I" in flags,
                multiline="M" in flags and not self.null_data,
                syntax="posix" if self.posix else "sed",
                octets=self.octets,
            )
        except regex.RegexError as error:
            raise (ScriptError(error.message, status=4) if error.message == CLASS_SYNTAX else self.fail(error.message)) from None
        return compiled

    def by_line(self, body: str, flags: str) -> Pattern | None:
        """The expression for a block of lines; None if it could match across lines."""
        text = self.converted(body)
        if not body or "\n" in text or "M" in flags:
            return None
        return regex.compile_any(
            (text,),
            self.dialect,
            ignore_case="I" in flags,
            by_line=True,
            syntax="posix" if self.posix else "sed",
            octets=self.octets,
        )

    # -- s and y --------------------------------------------------------------------------------------------------------

    def substitute(self, command: Command) -> None:
        delimiter = self.delimiter()
        body = self.delimited(delimiter, regular=True) if delimiter not in ("", "\n") else None
        replacement = None if body is None else self.delimited(delimiter, regular=False)
        if body is None or replacement is None:
            raise self.fail("unterminated `s' command")
        flags, number, file = self.substitute_flags()
        modifiers = "".join(flag for flag in "IM" if flag in flags.upper())
        pattern = self.pattern(body, modifiers)
        parts = split_replacement(replacement, posix=self.posix)
        highest = max((part for part in parts if isinstance(part, int)), default=0)
        if pattern is not None and highest > pattern.groups:
            if self.posix:
                parts = tuple(part for part in parts if not isinstance(part, int) or part <= pattern.groups)
            else:
                raise self.fail(f"invalid reference \\{highest} on `s' command's RHS")
        by_line = self.by_line(body, modifiers)
        source = convert(body, octets=self.octets)
        command.substitution = Substitution(
            pattern, parts, number or 1, "g" in flags, "p" in flags, file, by_line, source, modifiers, "e" in flags
        )

    def substitute_flags(self) -> tuple[str, int, str]:
        """Parse the letters, the number and the file after ``s``."""
        flags, number = "", 0
        while True:
            char = self.take()
            if not char or char in "\n;":
                return flags, number, ""
            if char in "}#":
                self.index -= 1
                return flags, number, ""
            if char in "gp" or (char in "iImM" and not self.posix):
                if char in "gp" and char in flags:
                    raise self.fail(f"multiple `{char}' options to `s' command")
                flags += char
            elif is_digits(char):
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
            elif char == "e" and not self.posix:
                if self.sandbox:
                    raise self.fail(_SANDBOXED)
                flags += char
            elif char not in _BLANK + "\r":
                raise self.fail("unknown option to `s'")

    def transliterate(self, command: Command) -> None:
        delimiter = self.delimiter()
        usable = delimiter not in ("", "\n")
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
