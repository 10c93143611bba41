"""expr: evaluate expressions (POSIX XCU expr)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands._notation.locale import OCTETS, as_octets, encoding
from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, HelpRequested, UsageError, command
from bashkit.regex import RegexError
from bashkit.regex import compile as compile_regex

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process

_INTEGER = re.compile(r"-?\d+", re.ASCII)
_LONGEST = 4000  # digits of a number that is calculated with
_MAX_DIGITS = 10_000
_MAX_NESTING = 200
_HELP = """\
Usage: expr EXPRESSION
Print the value of EXPRESSION to standard output.

  ARG1 | ARG2       ARG1 if it is neither null nor 0, otherwise ARG2
  ARG1 & ARG2       ARG1 if neither argument is null or 0, otherwise 0
  ARG1 < ARG2       also <= = == != >= >: comparison of integers, or of strings
  ARG1 + ARG2       also -: arithmetic sum and difference
  ARG1 * ARG2       also / %: arithmetic product, quotient and remainder
  STRING : REGEXP   anchored pattern match of REGEXP in STRING
  match STRING REGEXP        same as STRING : REGEXP
  substr STRING POS LENGTH   substring of STRING, POS counted from 1
  index STRING CHARS         index in STRING where any CHARS is found, or 0
  length STRING              length of STRING
  + TOKEN                    interpret TOKEN as a string, even if it is a keyword
  ( EXPRESSION )             value of EXPRESSION

Exit status is 0 if EXPRESSION is neither null nor 0, 1 if EXPRESSION is null or 0, 2 if EXPRESSION is
syntactically invalid, and 3 if an error occurred.
"""

_LEVELS: tuple[tuple[str, ...], ...] = (
    ("|",),
    ("&",),
    ("<", "<=", "=", "==", "!=", ">=", ">"),
    ("+", "-"),
    ("*", "/", "%"),
    (":",),
)


@command(
    "expr",
    usage="EXPRESSION",
    summary="Evaluate an expression and print its value.",
    options=None,
    usage_status=2,
    write_status=3,
)
def main(process: Process, arguments: Arguments) -> int:
    """Print the value; 0 if it is neither null nor 0, 1 if it is, 2 for a syntax error, 3 for another error."""
    words = arguments.operands
    if words == ["--help"]:
        process.write(_HELP)
        return 0
    if words == ["--version"]:
        raise HelpRequested(main.version())
    if words[:1] == ["--"]:
        words = words[1:]
    if not words:
        raise UsageError("missing operand")
    parser = _Parser(process, words)
    try:
        text = parser.value(0, wanted=True)
        if parser.peek() is not None:
            raise UsageError(f"syntax error: unexpected argument {mention(parser.peek() or '')}", hint=False)
    except RegexError as error:
        raise UsageError(str(error), hint=False) from None
    process.write(text + "\n")
    return 1 if _is_null(text) else 0


def _is_null(text: str) -> bool:
    return not text or (_INTEGER.fullmatch(text) is not None and not text.lstrip("-").strip("0") and text != "-")


class _Parser:
    """Evaluates during parsing; ``wanted`` is false in a branch that ``|`` or ``&`` skips."""

    def __init__(self, process: Process, words: list[str]) -> None:
        self._process = process
        self._octets = encoding(process.env) == OCTETS
        self._words = list(map(as_octets, words)) if self._octets else words
        self._next = 0
        self._nesting = 0

    def peek(self) -> str | None:
        """The next word."""
        return self._words[self._next] if self._next < len(self._words) else None

    def _take(self) -> str:
        word = self.peek()
        if word is None:
            raise UsageError(f"syntax error: missing argument after {mention(self._words[self._next - 1])}", hint=False)
        self._next += 1
        return word

    def value(self, level: int, *, wanted: bool) -> str:
        """The value of an expression whose operators bind at least as tightly as ``level``."""
        if level == len(_LEVELS):
            return self._primary(wanted=wanted)
        left = self.value(level + 1, wanted=wanted)
        while (operator := self.peek()) in _LEVELS[level]:
            assert operator is not None
            self._next += 1
            self._process.budget.tick(5)
            if operator == "|":
                right = self.value(level + 1, wanted=wanted and _is_null(left))
                left = left if not _is_null(left) else "0" if _is_null(right) else right
            elif operator == "&":
                right = self.value(level + 1, wanted=wanted and not _is_null(left))
                left = "0" if _is_null(left) or _is_null(right) else left
            else:
                right = self.value(level + 1, wanted=wanted)
                left = self._apply(operator, left, right) if wanted else ""
        return left

    def _apply(self, operator: str, left: str, right: str) -> str:
        if operator == ":":
            return self._match(left, right)
        if operator in _COMPARISONS:
            return "1" if _compare(operator, left, right) else "0"
        return self._arithmetic(operator, left, right)

    def _primary(self, *, wanted: bool) -> str:
        word = self._take()
        if word == "(":
            self._nesting += 1
            if self._nesting > _MAX_NESTING:
                raise UsageError("expression is nested too deeply", hint=False, status=3)
            text = self.value(0, wanted=wanted)
            closing = self.peek()
            if closing is None:
                raise UsageError(f"syntax error: expecting ')' after {mention(self._words[-1])}", hint=False)
            if closing != ")":
                raise UsageError(f"syntax error: expecting ')' instead of {mention(closing)}", hint=False)
            self._next += 1
            self._nesting -= 1
            return text
        if word == ")":
            raise UsageError("syntax error: unexpected ')'", hint=False)
        if word == "+":
            return self._take()
        if word == "length":
            return str(len(self._primary(wanted=wanted)))
        if word == "match":
            text, pattern = self._primary(wanted=wanted), self._primary(wanted=wanted)
            return self._match(text, pattern) if wanted else ""
        if word == "index":
            text, characters = self._primary(wanted=wanted), self._primary(wanted=wanted)
            return str(min((text.find(char) + 1 for char in characters if char in text), default=0))
        if word == "substr":
            text, start, length = (self._primary(wanted=wanted) for _ in range(3))
            return _substring(text, start, length)
        return word

    def _match(self, text: str, pattern: str) -> str:
        compiled = compile_regex(pattern.removeprefix("^"), "basic", budget=self._process.budget, octets=self._octets)
        found = compiled.match(text)
        if found is None:
            return "" if compiled.groups else "0"
        return (found.group(1) or "") if compiled.groups else str(found.end() - found.start())

    def _arithmetic(self, operator: str, left: str, right: str) -> str:
        if _INTEGER.fullmatch(left) is None or _INTEGER.fullmatch(right) is None:
            raise UsageError("non-integer argument", hint=False)
        if len(left) + len(right) > _MAX_DIGITS // 4:
            self._process.budget.string((len(left) + len(right)) << 12)
        if len(left) > _LONGEST or len(right) > _LONGEST or (operator == "*" and len(left) + len(right) > _LONGEST):
            raise UsageError("number too large", hint=False, status=3)
        first, second = int(left), int(right)
        if operator in {"/", "%"}:
            if second == 0:
                raise UsageError("division by zero", hint=False)
            quotient = abs(first) // abs(second) * (1 if (first < 0) == (second < 0) else -1)
            return str(quotient if operator == "/" else first - quotient * second)
        return str({"+": first + second, "-": first - second, "*": first * second}[operator])


_COMPARISONS: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    "=": lambda order: order == 0,
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
    ">=": lambda order: order >= 0,
    ">": lambda order: order > 0,
}


def _compare(operator: str, left: str, right: str) -> bool:
    if _INTEGER.fullmatch(left) and _INTEGER.fullmatch(right) and len(left) < _LONGEST and len(right) < _LONGEST:
        first, second = int(left), int(right)
        order = (first > second) - (first < second)
    else:
        a, b = left.encode("utf-8", "surrogateescape"), right.encode("utf-8", "surrogateescape")
        order = (a > b) - (a < b)
    return _COMPARISONS[operator](order)


def _substring(text: str, start: str, length: str) -> str:
    if _INTEGER.fullmatch(start) is None or _INTEGER.fullmatch(length) is None or len(start) > 18 or len(length) > 18:
        return ""
    first, count = int(start), int(length)
    return text[first - 1 : first - 1 + count] if first > 0 and count > 0 else ""
