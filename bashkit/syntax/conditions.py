"""Parsing ``[[ … ]]`` (bash(1), Compound Commands)."""

from __future__ import annotations

import re
from typing import NoReturn

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
from bashkit.syntax.words import WordReader

UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
BINARY = frozenset(["=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"])
_TOKEN = re.compile(r"&&|\|\||!(?=[ \t\n(])|[<>](?!\()|[()]|\]\](?=[ \t\n;&|)<>]|\Z)")


class ConditionReader(WordReader):
    """Reads conditional expressions."""

    def read_condition(self) -> Condition:
        """The expression after ``[[``, up to and over ``]]``."""
        self.enter()
        condition = self._or()
        self._skip_lines()
        if self._token() != "]]":
            self._refuse()
        self.position += 2
        self.leave()
        return condition

    def _skip_lines(self) -> None:
        self.skip_blanks()
        while self.peek() == "\n":
            self.position += 1
            self.skip_blanks()

    def _token(self) -> str:
        if self.starts_with("]\\\n]"):
            self.replace_text(f"{self.text[: self.position]}\\\n]{self.text[self.position + 3 :]}")
            self.position += 2
        match = _TOKEN.match(self.text, self.position)
        return match.group() if match else ""

    def _refuse(self, message: str = "") -> NoReturn:
        if self.position >= len(self.text):
            self.fail("unexpected EOF while looking for `]]'", incomplete=True)
        if message:
            self.fail(message)
        token = self._token()
        if not token:
            start = self.position
            word = self.read_word()
            token = word.source if word else self.peek()
            self.position = start
        token = "newline" if token == "\n" else token
        self.fail(f"syntax error in conditional expression: unexpected token `{token}'")

    def _or(self) -> Condition:
        left = self._and()
        while True:
            self._skip_lines()
            if self._token() != "||":
                return left
            self.position += 2
            left = ConditionLogical("||", left, self._and())

    def _and(self) -> Condition:
        left = self._term()
        while True:
            self._skip_lines()
            if self._token() != "&&":
                return left
            self.position += 2
            left = ConditionLogical("&&", left, self._term())

    def _term(self) -> Condition:
        self._skip_lines()
        token = self._token()
        if token == "!":
            self.position += 1
            self.enter()
            operand = self._term()
            self.leave()
            return operand.operand if isinstance(operand, ConditionNot) else ConditionNot(operand)
        if token == "(":
            self.position += 1
            self.enter()
            inner = self._or()
            self._skip_lines()
            if self._token() != ")":
                self._refuse()
            self.position += 1
            self.leave()
            return ConditionGroup(inner)
        if token:
            self._refuse()
        return self._primary()

    def _primary(self) -> Condition:
        first = self.read_word()
        if first is None:
            self._refuse()
        self.skip_blanks()
        if first.literal in UNARY and not self._at_binary():
            if self._token() or self.peek() in {"\n", ""}:
                if self._token() in {"]]", "&&", "||", ")"}:
                    if first.literal in UNARY and self._token() in {"]]", ")"}:
                        self._refuse(f"unexpected argument `{self._token()}' to conditional unary operator")
                    return ConditionWord(first)
                self._refuse()
            operand = self.read_word()
            if operand is None:
                self._refuse()
            return ConditionUnary(first.literal or "", operand)
        operator = self._binary_operator()
        if not operator:
            if self._token() not in {"]]", "&&", "||", ")"} and self.peek() != "\n":
                if self.position >= len(self.text):
                    self._refuse()
                start = self.position
                word = self.read_word()
                self.position = start
                if word is not None:
                    self._refuse("conditional binary operator expected")
                self._refuse()
            return ConditionWord(first)
        self.skip_blanks()
        right = self._right_side(operator)
        return ConditionBinary(operator, first, right)

    def _at_binary(self) -> bool:
        start = self.position
        operator = self._binary_operator()
        followed = bool(operator)
        if followed and operator not in {"=~", "<", ">"}:
            self.skip_blanks()
            followed = self._token() not in {"]]", "&&", "||"} and self.peek() not in {"", "\n"}
        self.position = start
        return followed

    def _binary_operator(self) -> str:
        match = re.compile(r"(?:==|!=|=~|=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))(?=[ \t\n])|[<>](?!\()").match(self.text, self.position)
        if match is None:
            return ""
        self.position = match.end()
        return match.group()

    def _right_side(self, operator: str) -> Word:
        if operator in {"==", "=", "!="}:
            saved, self.extglob = self.extglob, True
            word = self.read_word()
            self.extglob = saved
        else:
            word = self.read_word(regex=operator == "=~")
        if word is None:
            if self.position < len(self.text):
                token = self._token() or self.peek()
                token = "newline" if token == "\n" else token
                self._refuse(f"unexpected argument `{token}' to conditional binary operator")
            self._refuse()
        return word
