"""test and [ (bash(1), test; POSIX XCU test)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.registry import builtin
from bashkit.interp.arithmetic.parser import wrap
from bashkit.interp.run.conditional_expressions import NUMERIC, binary, compare_numbers, unary
from bashkit.limits import turn
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(["=", "==", "!=", "<", ">", "-nt", "-ot", "-ef", *NUMERIC])
_DESCRIPTOR = re.compile(r"\s*[+-]?[0-9]+\s*", re.ASCII)
_COMMON = frozenset(["=", "==", "!=", *NUMERIC])


class _SyntaxError(Exception):
    """An expression that test refuses."""


@builtin("test", usage="[expr]", summary="Evaluate conditional expression.")
def test(shell: Shell, arguments: list[str]) -> int:
    """Evaluate an expression: 0 true, 1 false, 2 wrong."""
    return _run(shell, arguments[0], arguments[1:])


@builtin("[", usage="arg... ]", summary="Evaluate conditional expression.")
def bracket(shell: Shell, arguments: list[str]) -> int:
    """As test, with a closing bracket."""
    if len(arguments) == 5 and arguments[4] == "]" and arguments[2] in _COMMON:
        left, operator, right = arguments[1:4]
        if operator in {"=", "=="}:
            return 0 if left == right else 1
        if operator == "!=":
            return 0 if left != right else 1
        if is_digits(left) and is_digits(right) and len(left) < 19 and len(right) < 19 and left.isascii() and right.isascii():
            return 0 if compare_numbers(operator, int(left), int(right)) else 1
    if arguments[-1] != "]":
        shell.complain("[", "missing `]'")
        return 2
    return _run(shell, "[", arguments[1:-1])


def _run(shell: Shell, name: str, words: list[str]) -> int:
    try:
        return 0 if _Evaluator(shell, words, "]" if name == "[" else None).evaluate() else 1
    except _SyntaxError as error:
        shell.complain(name, str(error))
        return 2


class _Evaluator:
    """Evaluates by the number of words, as POSIX demands, then by the grammar.

    Args:
        shell: Whose files and variables are tested.
        words: The expression.
        end: The word behind it, if any.
    """

    def __init__(self, shell: Shell, words: list[str], end: str | None) -> None:
        self._end = end
        self.shell = shell
        self.words = words
        self.position = 0

    def evaluate(self) -> bool:
        """The truth of the expression."""
        words = self.words
        if len(words) <= 4:
            decided = self._by_count(words)
            if decided is not None:
                return decided
        result = self._or()
        if self.position < len(words):
            unread = words[self.position]
            raise _SyntaxError(f"syntax error: `{unread}' unexpected" if unread.startswith("-") else "too many arguments")
        return result

    def _by_count(self, words: list[str]) -> bool | None:
        if not words:
            return False
        if len(words) == 1:
            return bool(words[0])
        if len(words) == 2:
            if words[0] == "!":
                return not words[1]
            if words[0] in _UNARY:
                return self._unary(words[0], words[1])
            raise _SyntaxError(f"{words[0]}: unary operator expected")
        if len(words) == 3:
            if words[1] in _BINARY:
                return self._binary(words[1], words[0], words[2])
            if words[1] in {"-a", "-o"}:
                return (bool(words[0]) and bool(words[2])) if words[1] == "-a" else (bool(words[0]) or bool(words[2]))
            if words[0] == "!":
                return not self._by_count(words[1:])
            if words[0][:1] == "(" and words[2][:1] == ")":
                return bool(words[1])
            raise _SyntaxError(f"{words[1]}: binary operator expected")
        if words[0] == "!":
            return not self._by_count(words[1:])
        if words[0] == "(" and words[3] == ")":
            return self._by_count(words[1:3])
        return None

    def _peek(self) -> str | None:
        return self.words[self.position] if self.position < len(self.words) else None

    def _next(self) -> str:
        word = self._peek()
        if word is None:
            raise _SyntaxError("argument expected")
        self.position += 1
        return word

    def _or(self) -> bool:
        value = self._and()
        while self._peek() == "-o":
            self.position += 1
            right = self._and()
            value = value or right
        return value

    def _and(self) -> bool:
        value = self._not()
        while self._peek() == "-a":
            self.position += 1
            right = self._not()
            value = value and right
        return value

    def _not(self) -> bool:
        negated = False
        while self._peek() == "!":
            self.position += 1
            negated = not negated
        return self._primary() is not negated

    def _primary(self) -> bool:
        turn()
        word = self._next()
        following = self._peek()
        if following in _BINARY and word != "(" and self.position + 1 < len(self.words):
            self.position += 1
            return self._binary(following or "", word, self._next())
        if word == "(":
            value = self._parenthesized()
            closing = self._peek() or self._end
            if closing != ")":
                raise _SyntaxError("`)' expected" + (f", found {closing}" if closing is not None else ""))
            self.position += 1
            return value
        if word == "-t" and not _DESCRIPTOR.fullmatch(following or ""):  # the number may be left out
            return self._unary("-t", "1")
        if word in _UNARY and following is not None:
            self.position += 1
            return self._unary(word, following)
        return bool(word)

    def _parenthesized(self) -> bool:
        self.shell.arithmetic_depth += 1
        try:
            if self.shell.arithmetic_depth > 200:
                raise _SyntaxError("expression nested too deeply")
            return self._or()
        finally:
            self.shell.arithmetic_depth -= 1

    def _unary(self, operator: str, operand: str) -> bool:
        return unary(self.shell, operator, operand)

    def _binary(self, operator: str, left: str, right: str) -> bool:
        if operator in NUMERIC:
            return compare_numbers(operator, self._integer(left), self._integer(right))
        return binary(self.shell, operator, left, right)

    @staticmethod
    def _integer(text: str) -> int:
        stripped = text.lstrip(" \t\n\v\f\r").rstrip(" \t")
        digits = stripped[1:] if stripped[:1] in {"-", "+"} else stripped
        if not is_digits(digits) or not digits.isascii():
            raise _SyntaxError(f"{text}: integer expression expected")
        number = int(stripped[:40])
        if wrap(number) != number:
            raise _SyntaxError(f"{text}: integer expression expected")
        return number
