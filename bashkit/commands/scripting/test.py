"""test and [: evaluate an expression (POSIX XCU test; GNU coreutils manual, test); those of the shell are builtins."""

from __future__ import annotations

import operator
import re
from decimal import Decimal
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.fs.conditions import descriptor_condition, file_condition, file_relation
from bashkit.interp.utility.command import Arguments, UsageError, command
from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_INTEGER = re.compile(r"[ \t-\r]*[-+]?[0-9]+[ \t]*")
_NUMERIC: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "-eq": operator.eq,
    "-ne": operator.ne,
    "-lt": operator.lt,
    "-le": operator.le,
    "-gt": operator.gt,
    "-ge": operator.ge,
}
_FILES = frozenset(["-nt", "-ot", "-ef"])
_BINARY = frozenset(["=", "==", "!=", *_FILES, *_NUMERIC])
_OF_FILES = frozenset("-" + letter for letter in "bcdefghkprsuwxGLNOS")
_DEEPEST = 200  # parentheses inside each other


def _wrong(message: str) -> UsageError:
    return UsageError(message, hint=False)


@command(
    "test",
    usage="EXPRESSION",
    summary="Exit with the status determined by EXPRESSION.",
    options=None,
    usage_status=2,
)
def main(process: Process, arguments: Arguments) -> int:
    """Return 0 for true, 1 for false, 2 for an error."""
    words = arguments.operands
    if process.name == "[":
        if words in (["--help"], ["--version"]):
            process.write(main.help() if words == ["--help"] else main.version().replace("test", "["))
            return 0
        if words[-1:] != ["]"]:
            raise _wrong(f"missing {mention(']')}")
        return int(not _Evaluator(process, words, len(words) - 1).evaluate())
    return int(not _Evaluator(process, words, len(words)).evaluate())


class _Evaluator:
    """Evaluates by the number of words, as POSIX demands, then by the grammar.

    Args:
        process: The utility.
        words: The expression, for ``[`` with its closing bracket.
        end: Where the expression ends among them.
    """

    def __init__(self, process: Process, words: list[str], end: int) -> None:
        self._process = process
        self._words = words
        self._end = end
        self._position = 0
        self._depth = 0

    def evaluate(self) -> bool:
        """The truth of the expression."""
        if not self._end:
            return False
        value = self._by_count(self._end)
        if self._position < self._end:
            raise _wrong(f"extra argument {mention(self._words[self._position])}")
        return value

    def _by_count(self, count: int) -> bool:
        """The truth of the next words, of which there are so many."""
        if count > 4:
            return self._or()
        words = self._words[self._position : self._position + count]
        if count == 1:
            return bool(self._text())
        if count == 3 and words[1] in _BINARY:
            return self._binary()
        if words[0] == "!":
            self._position += 1
            return not self._by_count(count - 1)
        if count == 2:
            if not _is_operator(words[0]):
                raise self._beyond()
            return self._unary()
        if words[0] == "(" and words[-1] == ")":
            self._position += 1
            value = self._by_count(count - 2)
            self._position += 1
            return value
        if count == 3 and words[1] not in {"-a", "-o"}:
            raise _wrong(f"{mention(words[1])}: binary operator expected")
        return self._or()

    def _beyond(self) -> UsageError:
        return _wrong(f"missing argument after {mention(self._words[self._end - 1])}")

    def _peek(self, ahead: int = 0) -> str | None:
        place = self._position + ahead
        return self._words[place] if place < self._end else None

    def _or(self) -> bool:
        value = self._and()
        while self._peek() == "-o":
            self._position += 1
            value |= self._and()
        return value

    def _and(self) -> bool:
        value = self._term()
        while self._peek() == "-a":
            self._position += 1
            value &= self._term()
        return value

    def _term(self) -> bool:
        turn()
        negated = False
        while self._peek() == "!":
            self._position += 1
            negated = not negated
        word = self._peek()
        if word is None:
            raise self._beyond()
        if word == "(":
            value = self._parenthesized()
        elif (word == "-l" and self._peek(2) in _BINARY and self._peek(3) is not None) or (
            self._peek(1) in _BINARY and self._peek(2) is not None
        ):
            value = self._binary()
        elif _is_operator(word):
            value = self._unary()
        else:
            self._position += 1
            value = bool(word)
        return value is not negated

    def _parenthesized(self) -> bool:
        self._position += 1
        if self._peek() is None:
            raise self._beyond()
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _wrong("expression nested too deeply")
        closing = next((count for count in range(1, 5) if self._peek(count) in {")", None}), self._end - self._position)
        value = self._by_count(closing)
        self._depth -= 1
        if self._peek() != ")":
            found = self._words[self._position :][:1]
            raise _wrong(f"{mention(')')} expected" + (f", found {mention(found[0])}" if found else ""))
        self._position += 1
        return value

    def _unary(self) -> bool:
        letter, operand = self._words[self._position], self._peek(1)
        if operand is None:
            raise self._beyond()
        self._position += 2
        if letter in {"-n", "-z"}:
            return bool(operand) is (letter == "-n")
        if letter == "-t":
            _integer(operand)
            return False
        if letter not in _OF_FILES:
            raise _wrong(f"{mention(letter)}: unary operator expected")
        process = self._process
        stream = process.descriptor(operand)
        if stream is not None:
            return descriptor_condition(letter, stream)
        return bool(operand) and file_condition(process.fs, letter, process.path(operand))

    def _binary(self) -> bool:
        left = self._operand(measured=self._peek(1) not in _BINARY)
        relation = self._text()
        measured = relation not in {"=", "==", "!="} and self._peek() == "-l" and self._peek(1) is not None
        right = self._operand(measured=measured)
        if relation in _NUMERIC:
            return _NUMERIC[relation](_integer(left), _integer(right))
        if relation not in _FILES:
            return (left == right) is (relation != "!=")
        if isinstance(left, int) or isinstance(right, int):
            raise _wrong(f"{relation} does not accept -l")
        return file_relation(self._process.fs, relation, self._process.path(left), self._process.path(right))

    def _operand(self, *, measured: bool) -> str | int:
        """An operand of a comparison; one that is ``measured`` is the word after ``-l``, of which the length counts."""
        if not measured:
            return self._text()
        self._position += 1
        return len(self._text().encode("utf-8", "surrogateescape"))

    def _text(self) -> str:
        self._position += 1
        return self._words[self._position - 1]


def _is_operator(word: str) -> bool:
    return len(word) == 2 and word[0] == "-"


def _integer(operand: str | int) -> Decimal:
    """An operand as an integer, of any length."""
    if isinstance(operand, str) and not _INTEGER.fullmatch(operand):
        raise _wrong(f"invalid integer {mention(operand)}")
    return Decimal(operand)
