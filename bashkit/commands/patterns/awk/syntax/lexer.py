"""Splits awk source into tokens; the parser decides where a slash begins a regular expression (POSIX XCU awk, Lexical
Conventions).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.limits import turn

KEYWORDS = frozenset(
    "BEGIN END BEGINFILE ENDFILE function func if else while for do break continue next nextfile exit return delete in"
    " getline print printf switch case default".split()
)
_BLANK = re.compile(r"(?:[ \t\r]+|\\\r?\n|#[^\n]*)+")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_OCTAL = re.compile(r"0[0-7]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OPERATOR = re.compile(r"\*\*=|\|&|\+\+|--|\+=|-=|\*=|/=|%=|\^=|\*\*|==|<=|>=|!=|!~|>>|&&|\|\||[-{}()\[\];,+*/%^!<>|?:~$=\n@]")
_SPELLED = {"**": "^", "**=": "^="}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "/": "/", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_CODE = re.compile(r"([0-7]{1,3})|x([0-9a-fA-F]{1,2})")

_REGEX_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_UNKNOWN_IN_REGEX = frozenset(' !"#%&,:;=@ACDEFGHIJKLMNOPQRTUVXYZ_cdeghijklmopquz~')


@dataclass(slots=True)
class Token:
    """One token.

    Attributes:
        kind: ``number``, ``string``, ``regex``, ``name``, ``call`` (a name directly followed by ``(``), ``end``, or the
            operator or keyword itself.
        text: Its text.
        start: Index of its first character.
        end: Index after it.
        line: Its line, from 1.
        value: The value of a number.
    """

    kind: str
    text: str
    start: int
    end: int
    line: int
    value: float = 0.0


_OCTET = re.compile("[\udc80-\udcff]")


def unescape(text: str, warnings: list[str] | None = None) -> str:
    """Resolve the escape sequences in a string; octal and hexadecimal ones are bytes of UTF-8.

    Args:
        text: The text between the quotes.
        warnings: Collects complaints about unknown sequences.
    """
    if "\\" not in text:
        return text
    pieces: list[str] = []
    index = 0
    while (cut := text.find("\\", index)) >= 0:
        turn()
        pieces.append(text[index:cut])
        following = text[cut + 1 : cut + 2]
        code = _CODE.match(text, cut + 1)
        index = cut + 2
        if code is not None:
            byte = int(code[1], 8) & 0xFF if code[1] else int(code[2], 16)
            pieces.append(chr(byte) if byte < 0x80 else chr(0xDC00 + byte))
            index = code.end()
        elif following == "\n":
            continue
        elif text.startswith("\r\n", cut + 1):
            index += 1
        elif following in _ESCAPES and following != "/":
            pieces.append(_ESCAPES[following])
        else:
            if warnings is not None and following:
                plain = f"escape sequence `\\{following}' treated as plain `{following}'"
                warnings.append("no hex digits in `\\x' escape sequence" if following == "x" else plain)
            pieces.append(following or "\\")
    pieces.append(text[index:])
    joined = "".join(pieces)
    if joined.isascii() or _OCTET.search(text):  # a program in which each octet is a character
        return joined
    return joined.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")


class Lexer:
    """Splits a program into tokens.

    Args:
        text: Its source.
        warnings: Collects complaints, each with its line.
    """

    def __init__(self, text: str, warnings: list[tuple[int, str]]) -> None:
        self.text = text
        self.warnings = warnings
        self._line_at = 0
        self._line = 1

    def line(self, index: int) -> int:
        """The line of an index, from 1; indexes in rising order cost nothing."""
        if index < self._line_at:
            self._line_at, self._line = 0, 1
        self._line += self.text.count("\n", self._line_at, index)
        self._line_at = index
        return self._line

    def error(self, message: str, index: int) -> AwkError:
        """A syntax error at an index, with the source line and a caret."""
        text = self.text
        line = self.line(min(index, len(text)))
        begin = text.rfind("\n", 0, index) + 1
        end = text.find("\n", begin)
        source = text[begin : end if end >= 0 else len(text)]
        return AwkError(message, line, kind="", status=1, context=(source, index - begin))

    def token(self, index: int) -> Token:
        """Read the token at ``index`` or after blanks there."""
        turn()
        text = self.text
        blank = _BLANK.match(text, index)
        start = blank.end() if blank else index
        line = self.line(start)
        char = text[start : start + 1]
        if not char:
            return Token("end", "", start, start, line)
        if char == '"':
            return self._string(start, line)
        name = _NAME.match(text, start)
        if name is not None:
            word = name[0]
            if word in KEYWORDS:
                return Token("function" if word == "func" else word, word, start, name.end(), line)
            kind = "call" if text.startswith("(", name.end()) else "name"
            return Token(kind, word, start, name.end(), line)
        number = _NUMBER.match(text, start)
        if number is not None:
            return self._number(number, line)
        operator = _OPERATOR.match(text, start)
        if operator is None:
            raise self.error(_refusal(char), start)
        spelled = _SPELLED.get(operator[0], operator[0])
        return Token(spelled, operator[0], start, operator.end(), line)

    def _number(self, found: re.Match[str], line: int) -> Token:
        written = found[0]
        if written[:2] in ("0x", "0X"):
            value = float(int(written[:300], 16))
        elif _OCTAL.fullmatch(written):
            value = float(int(written[:300], 8))
        else:
            value = float(written)
        return Token("number", written, found.start(), found.end(), line, value)

    def _string(self, start: int, line: int) -> Token:
        text, index = self.text, start + 1
        while True:
            char = text[index : index + 1]
            if char == '"':
                break
            if char in ("", "\n"):
                raise self.error("unterminated string", start)
            index += 1 if char != "\\" else 3 if text.startswith("\r\n", index + 1) else 2
        complaints: list[str] = []
        value = unescape(text[start + 1 : index], complaints)
        self._warn(line, complaints)
        return Token("string", value, start, index + 1, line)

    def regex(self, start: int) -> Token:
        """Read the regular expression whose slash is at ``start``; a slash inside brackets does not end it."""
        text, index = self.text, start + 1
        line = self.line(start)
        bracket = -1
        while True:
            char = text[index : index + 1]
            if char in ("", "\n"):
                raise self.error("unterminated regexp", start + 1)
            if char == "\\":
                index += 3 if text.startswith("\r\n", index + 1) else 2
                continue
            if bracket >= 0:
                if char == "]" and index > bracket:
                    bracket = -1
                elif char == "[" and text[index + 1 : index + 2] in (":", ".", "="):
                    close = text.find(text[index + 1] + "]", index + 2)
                    newline = text.find("\n", index)
                    if close >= 0 and (newline < 0 or close < newline):
                        index = close + 1
            elif char == "[":
                bracket = index + 2 if text[index + 1 : index + 2] == "^" else index + 1
            elif char == "/":
                break
            index += 1
        body = text[start + 1 : index].replace("\\\n", "").replace("\\\r\n", "")
        self._check_escapes(body, line)
        return Token("regex", body, start, index + 1, line)

    def _check_escapes(self, body: str, line: int) -> None:
        """Warn about escape sequences that regular expressions do not have."""
        unknown = [found[1] for found in _REGEX_ESCAPE.finditer(body) if found[1] in _UNKNOWN_IN_REGEX]
        self._warn(line, [f"regexp escape sequence `\\{char}' is not a known regexp operator" for char in unknown])

    def _warn(self, line: int, complaints: list[str]) -> None:
        """Note complaints, each once for the whole program."""
        for complaint in complaints:
            if all(known != complaint for _, known in self.warnings):
                self.warnings.append((line, complaint))


def _refusal(char: str) -> str:
    """What is wrong with a character that begins no token; of one that is several bytes, the first is named."""
    if char == "\\":
        return "backslash not last character on line"
    if char == ".":
        return "syntax error"
    if not char.isascii():
        char = char.encode("utf-8", "surrogateescape")[:1].decode("ascii", "surrogateescape")
    return f"invalid char '{char}' in expression"
