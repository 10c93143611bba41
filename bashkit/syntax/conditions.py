"""Parsing ``[[ … ]]`` (bash(1), Compound Commands)."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax.digits import is_digits
from bashkit.syntax.nodes import (
    Condition,
    ConditionBinary,
    ConditionGroup,
    ConditionLogical,
    ConditionNot,
    ConditionUnary,
    ConditionWord,
    Word,
)
from bashkit.syntax.parameters import ParameterReader
from bashkit.syntax.source import OPERATOR, UnshownSyntaxError

UNARY: Final = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
BINARY: Final = frozenset(["=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"])
_END_OF_FILE: Final = chr(0xDCFF)  # the byte that bash prints for it
_BEGIN_TOKEN: Final = frozenset("&|!<>()]")
_END: Final = r"\]\](?=(?>\\\n)*+(?:[ \t\n;&|()<>]|\Z))"
_TOKEN: Final = re.compile(rf"&&|\|\||!(?=(?>\\\n)*+[ \t\n();&|<>])|[<>](?!\()|[()]|{_END}")


_BROKEN: Final = re.compile(r"[-=!~&|\]a-z]{1,8}+(\\\n)(?:[-=!~&|\]a-z]|\\\n){0,64}")
_WHOLE: Final = re.compile(r"&&|\|\||=~|[=!]?=|-[a-z]{2}|\]\]")
_BINARY_OPERATOR: Final = re.compile(
    r"(?:==|!=|=~|=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=(?>\\\n)*+(?:[ \t\n]|\Z))|<(?![(<>&])|>(?![(>&|])"
)
_BEGIN_REFUSED: Final = frozenset("&|;()\n<>]")
_REFUSED: Final = re.compile(rf"\n|(?![<>]\()(?:{OPERATOR.pattern})|{_END}")


class ConditionReader(ParameterReader):
    """Reads conditional expressions."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        super().__init__(text, first_line)
        self._groups: list[int] = []  # the lines of the open parentheses

    def read_condition(self) -> Condition:
        """The expression after ``[[``, up to and over ``]]``."""
        self.enter()
        groups, self._groups = self._groups, []
        start = self.position
        condition = self._or()
        self.skip_lines()
        if self._token() != "]]":
            self._refuse_end(start)
        self.position += 2
        self._groups = groups
        self.leave()
        return condition

    def _mend(self) -> bool:
        """Join an operator that line continuations break; whether it was broken."""
        broken = _BROKEN.match(self.text, self.position) if self.continued else None
        return broken is not None and self._join(_BROKEN, _WHOLE, broken.start(1))

    def _token(self) -> str:
        begins = self.continued or self.text[self.position : self.position + 1] in _BEGIN_TOKEN
        match = _TOKEN.match(self.text, self.position) if begins else None
        if match is None:
            return self._token() if self._mend() else ""
        return match[0]

    def _refused(self) -> str:
        """What stands where something else should be, as messages name it; empty for a word."""
        if self.position >= len(self.text):
            return "EOF"
        if self.text[self.position] not in _BEGIN_REFUSED:
            return ""
        operator = _REFUSED.match(self.text, self.position)
        if operator is None:
            return ""
        return "newline" if operator[0] == "\n" else operator[0]

    def _refused_token(self, message: str = "", line: int = 0) -> str:
        """As ``_refused``, where no word should be either: one that is malformed in itself is refused as such.

        Args:
            message: What bash says besides where the text ends inside the word.
            line: The line that it says this of, if not the last one.
        """
        token = self._refused()
        if not token:
            start = self.position
            self._word(message, line)
            self.position = start
        return token

    def _word(self, message: str, line: int = 0, *, regex: bool = False) -> Word | None:
        """A word, with the messages that bash has besides where the text ends inside it."""
        try:
            return self.read_word(regex=regex)
        except ScriptSyntaxError as error:
            if error.incomplete and not error.notes:
                notes = ((line or self.last_line(), message),) if message else ()
                error.notes = notes + self._open_groups()
            raise

    def _open_groups(self) -> tuple[tuple[int, str], ...]:
        """What bash says of the parentheses that are open."""
        return tuple((line, "expected `)'") for line in reversed(self._groups))

    def _refuse(self, message: str, *, silent: bool = False, at: int | None = None) -> NoReturn:
        line = self.last_line() if "`EOF'" in message else self.line_at(self.position if at is None else at)
        error = UnshownSyntaxError(message, line, self.column_at(self.position))
        error.at_end = not self.text[self.position :].strip()
        error.incomplete = "newline" not in message and self.position >= len(self.text)
        error.silent = silent
        error.notes = self._open_groups()
        error.following = self.error_in_line()
        raise error

    def error_in_line(self) -> ScriptSyntaxError | None:
        """What else is wrong in the rest of the line, or in the next one, which bash reads before it gives up."""
        self.position += self.peek() == "\n"
        try:
            while self.text[self.position : self.position + 1] not in {"", "\n"}:
                self.skip_blanks()
                if self.read_word() is None and self.peek() != "\n":
                    self.position += 1  # an operator
        except ScriptSyntaxError as error:
            return error
        return None

    def _refuse_end(self, start: int) -> NoReturn:
        """Refuse what stands in place of ``]]``."""
        message = "unexpected EOF while looking for `]]'"
        token = self._refused_token(message, self.line_at(start))
        if token == "EOF":
            self._refuse(message, at=start)
        self._refuse("syntax error in conditional expression" + (f": unexpected token `{token}'" if token else ""), at=start)

    def _refuse_operand(self) -> NoReturn:
        """Refuse what stands in place of a term."""
        token = self._refused()
        if token == "]]":
            self._refuse("syntax error in conditional expression: unexpected token `]]'", silent=True)
        self._refuse(f"unexpected token `{token}' in conditional command")

    def _refuse_argument(self, kind: str, word: Word | None = None) -> NoReturn:
        if word is not None:
            self._refuse(f"unexpected argument to conditional {kind} operator")
        token = self._refused()
        if token == "EOF":
            token = "newline"  # the line ends before the text does
        self._refuse(f"unexpected argument `{token}' to conditional {kind} operator")

    def _refuse_regex(self, token: str) -> NoReturn:
        """Refuse what stands in place of a regular expression, which the line ends or an operator."""
        if token in {"EOF", "newline", "]]"}:
            self._refuse_argument("binary")
        self._refuse(f"syntax error in conditional expression: unexpected token `{token}'", silent=token == "&&")

    def _or(self) -> Condition:
        left = self._and()
        while True:
            self.skip_lines()
            if self._token() != "||":
                return left
            self.position += 2
            left = ConditionLogical("||", left, self._and())

    def _and(self) -> Condition:
        left = self._term()
        while True:
            self.skip_lines()
            if self._token() != "&&":
                return left
            self.position += 2
            left = ConditionLogical("&&", left, self._term())

    def _term(self) -> Condition:
        self.skip_lines()
        token = self._token()
        if token == "!" and not (self.extglob and self.starts_with("!(")):
            self.position += 1
            self.enter()
            operand = self._term()
            self.leave()
            return operand.operand if isinstance(operand, ConditionNot) else ConditionNot(operand)
        if token == "(":
            self.position += 1
            self.enter()
            self._groups.append(self.line_at(self.position))
            inner = self._or()
            self.skip_lines()
            line = self._groups.pop()
            if self._token() != ")":
                token = self._refused_token("expected `)'", line)
                self._refuse(f"unexpected token `{token}', expected `)'" if token else "expected `)'")
            self.position += 1
            self.leave()
            return ConditionGroup(inner)
        return self._primary()

    def _primary(self) -> Condition:
        first = None if self._refused() else self._word(f"unexpected token `{_END_OF_FILE}' in conditional command")
        if first is None:
            self._refuse_operand()
        if self.begins_redirection(first.source):
            self._refuse(f"unexpected token {284 if is_digits(first.source) else 283} in conditional command")
        self.skip_blanks()
        if first.literal in UNARY:
            operand = None if self._refused() else self._argument("unary")
            if operand is None or self.begins_redirection(operand.source):
                self._refuse_argument("unary", operand)
            return ConditionUnary(first.literal or "", operand)
        operator = self._binary_operator()
        if not operator:
            if self._token() in {"]]", "&&", "||", ")"}:
                return ConditionWord(first)
            token = self._refused_token("conditional binary operator expected")
            token = "newline" if token == "EOF" else token  # the line ends before the text does
            self._refuse((f"unexpected token `{token}', " if token else "") + "conditional binary operator expected")
        self.skip_blanks()
        return ConditionBinary(operator, first, self._right_side(operator))

    def _argument(self, kind: str, *, regex: bool = False) -> Word | None:
        """The word behind an operator."""
        return self._word(f"unexpected argument to conditional {kind} operator", regex=regex)

    def _binary_operator(self) -> str:
        match = _BINARY_OPERATOR.match(self.text, self.position)
        if match is None:
            return self._binary_operator() if self._mend() else ""
        self.position += len(match[0])
        return match[0]

    def _right_side(self, operator: str) -> Word:
        token = self._refused()
        if token and operator != "=~":
            self._refuse_argument("binary")
        if token and self.peek() not in {"(", "|"}:
            self._refuse_regex(token)
        if operator in {"==", "=", "!="}:
            saved, self.extglob = self.extglob, True
            word = self._argument("binary")
            self.extglob = saved
        else:
            word = self._argument("binary", regex=operator == "=~")
        if word is None or self.begins_redirection(word.source):
            self._refuse_argument("binary", word)
        return word
