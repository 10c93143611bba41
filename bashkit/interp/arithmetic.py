"""Arithmetic evaluation (bash(1), ARITHMETIC EVALUATION): text to closures, 64-bit and wrapping."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn
from weakref import WeakKeyDictionary

from bashkit.interp.control import ExpansionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.shell import Shell

    Evaluator = Callable[["Shell"], int]

_TOKEN = re.compile(
    r"[ \t\n\r]*+(?:(?P<number>[0-9][0-9A-Za-z_@#]*)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<operand>\x01[0-9]+\x01)"
    r"|(?P<operator><<=|>>=|\*\*|\+\+|--|<=|>=|==|!=|&&|\|\||<<|>>|[-+*/%&^|]=|[-+*/%<>=!~&^|?:,()])|(?P<bad>.))",
    re.DOTALL,
)
_DIGITS = {**{str(n): n for n in range(10)}, **{chr(97 + n): 10 + n for n in range(26)}, **{chr(65 + n): 36 + n for n in range(26)}}
_DIGITS |= {"@": 62, "_": 63}
_LEVELS: tuple[frozenset[str], ...] = tuple(
    frozenset(level.split()) for level in ("|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
)
_MAX_DEPTH = 200  # parentheses inside each other
_MAX_RECURSION = 100  # variables whose values name variables


def wrap(number: int) -> int:
    """The number as a signed 64-bit integer."""
    return ((number + 0x8000000000000000) & 0xFFFFFFFFFFFFFFFF) - 0x8000000000000000


def plain_integer(text: str) -> int | None:
    """The value of an ordinary decimal number, or None for anything that needs the evaluator."""
    if text.isdecimal() and text.isascii() and len(text) < 19 and (text[0] != "0" or text == "0"):
        return int(text)
    if text[:1] == "-" and text[1:].isdecimal() and text.isascii() and len(text) < 19 and text[1] != "0":
        return int(text)
    return None


def evaluate(shell: Shell, text: str) -> int:
    """The value of an expression.

    Raises:
        ExpansionError: It is none, divides by zero, or recurses without end.
    """
    number = plain_integer(text)
    return compile_expression(text)(shell) if number is None else number


def read_number(shell: Shell, text: str) -> int:
    """The value of a variable's text, which may itself be an expression."""
    number = plain_integer(text)
    if number is not None:
        return number
    if not text:
        return 0
    shell.arithmetic_depth += 1
    try:
        if shell.arithmetic_depth > _MAX_RECURSION:
            raise ExpansionError(f'{text}: expression recursion level exceeded (error token is "{text}")')
        return compile_expression(text)(shell)
    finally:
        shell.arithmetic_depth -= 1


@lru_cache(maxsize=4096)
def compile_expression(text: str) -> Evaluator:
    """The closure that evaluates ``text``; a syntax error is raised when it is called."""
    try:
        return _Compiler(text).compile()
    except ExpansionError as error:
        message = error.message

        def fail(shell: Shell) -> int:  # noqa: ARG001 - an Evaluator
            raise ExpansionError(message)

        return fail


@lru_cache(maxsize=4096)
def compile_template(text: str) -> Evaluator:
    """As compile_expression, for text in which ``\\x01N\\x01`` stands for operand N of ``shell.operands``."""
    return _Compiler(text).compile()


def parse_integer(token: str) -> int:
    """A constant: decimal, 0octal, 0xhex or base#digits.

    Raises:
        ValueError: With bash's words for what is wrong.
    """
    if token.isdecimal() and token[0] != "0":
        return wrap(int(token[:40]))
    if "#" in token:
        base_text, _, digits = token.partition("#")
        base = int(base_text) if base_text.isdecimal() else 0
        if not 2 <= base <= 64:
            raise ValueError("invalid arithmetic base")
        if not digits:
            raise ValueError("invalid integer constant")
    elif token[:2] in {"0x", "0X"}:
        base, digits = 16, token[2:]
    elif token[0] == "0":
        base, digits = 8, token[1:]
    else:
        base, digits = 10, token
    number = 0
    for digit in digits:
        figure = _DIGITS.get(digit, 99)
        if base <= 36 and figure >= 36 and digit.isalpha():
            figure -= 26
        if figure >= base:
            raise ValueError("value too great for base" if figure < 99 else "invalid number")
        number = wrap(number * base + figure)
    return number


class _Compiler:
    """Parses by precedence climbing and returns closures."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.kind: str | None = None
        self.token = ""
        self.start = 0
        self.last = 0
        self.depth = 0
        self.next()

    def next(self) -> None:
        """Step to the next token; kind None at the end."""
        self.last = self.start
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            self.kind, self.token = None, ""
            self.start = len(self.text)
            return
        self.kind = match.lastgroup
        assert self.kind is not None
        self.token = match.group(self.kind)
        self.start = match.start(self.kind)
        self.position = match.end()

    def fail(self, message: str, start: int | None = None) -> NoReturn:
        """Refuse the expression at a token."""
        rest = self.text[self.start if start is None else start :]
        raise ExpansionError(f'{self.text.lstrip()}: {message} (error token is "{rest}")')

    def compile(self) -> Evaluator:
        """The whole expression; an empty one is 0."""
        if self.kind is None:
            return lambda shell: 0  # noqa: ARG005
        evaluator = self.comma()
        if self.kind is not None:
            if self.kind == "operator" and self.token in {"=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>="}:
                self.fail("attempted assignment to non-variable")
            if self.kind == "bad" and self.token not in "$`'\"#@.\\{}[];":
                self.fail("syntax error: invalid arithmetic operator")
            self.fail("syntax error in expression" if self.kind != "bad" else "syntax error: invalid arithmetic operator")
        return evaluator

    def take(self, token: str) -> bool:
        """Step over an operator if it comes now."""
        if self.kind == "operator" and self.token == token:
            self.next()
            return True
        return False

    def comma(self) -> Evaluator:
        """``a, b``"""
        left = self.assignment()
        while self.take(","):
            right = self.assignment()

            def both(shell: Shell, left: Evaluator = left, right: Evaluator = right) -> int:
                left(shell)
                return right(shell)

            left = both
        return left

    def assignment(self) -> Evaluator:
        """``name op= value`` or a conditional."""
        if self.kind == "name":
            saved = (self.position, self.kind, self.token, self.start, self.last)
            target = self.target()
            if self.kind == "operator" and self.token.endswith("=") and self.token not in {"==", "!=", "<=", ">="}:
                operator = self.token[:-1]
                self.next()
                return self._assign(target, operator, self.assignment())
            self.position, self.kind, self.token, self.start, self.last = saved
        return self.conditional()

    def target(self) -> tuple[str, str | None]:
        """A name with its subscript's text."""
        name = self.token
        if self.text[self.position : self.position + 1] == "[":
            depth = 0
            for index in range(self.position, len(self.text)):
                depth += {"[": 1, "]": -1}.get(self.text[index], 0)
                if depth == 0:
                    subscript = self.text[self.position + 1 : index]
                    self.position = index + 1
                    self.next()
                    return name, subscript
            self.fail("bad array subscript")
        self.next()
        return name, None

    @staticmethod
    def _assign(target: tuple[str, str | None], operator: str, value: Evaluator) -> Evaluator:
        name, subscript = target
        if not operator:

            def store(shell: Shell) -> int:
                number = value(shell)
                shell.store_number(name, subscript, number)
                return number

            return store
        combine = _BINARY[operator]

        def update(shell: Shell) -> int:
            old = read_number(shell, shell.fetch_operand(name, subscript))
            number = combine(old, value(shell))
            shell.store_number(name, subscript, number)
            return number

        if operator in {"/", "%"}:
            return _guard_division(update, str(name))
        return update

    def conditional(self) -> Evaluator:
        """``a ? b : c``"""
        test = self.logical_or()
        if not self.take("?"):
            return test
        if self.kind == "operator" and self.token == ":":
            self.fail("expression expected")
        yes = self.comma()
        if not self.take(":"):
            self.fail("`:' expected for conditional expression", self.start if self.kind else self.last)
        if self.kind is None:
            self.fail("expression expected", self.last)
        no = self.conditional()
        return lambda shell: yes(shell) if test(shell) else no(shell)

    def logical_or(self) -> Evaluator:
        """``a || b``"""
        left = self.logical_and()
        while self.take("||"):
            right = self.logical_and()
            left = _either(left, right)
        return left

    def logical_and(self) -> Evaluator:
        """``a && b``"""
        left = self.binary(0)
        while self.take("&&"):
            right = self.binary(0)
            left = _both(left, right)
        return left

    def binary(self, level: int) -> Evaluator:
        """The left-associative operators from ``level`` up."""
        if level == len(_LEVELS):
            return self.power()
        left = self.binary(level + 1)
        while self.kind == "operator" and self.token in _LEVELS[level]:
            operator = self.token
            self.next()
            start = self.start
            right = self.binary(level + 1)
            left = _combine(operator, left, right)
            if operator in {"/", "%"}:
                left = _guard_division(left, self.text, start)
        return left

    def power(self) -> Evaluator:
        """``a ** b``, right-associative."""
        base = self.unary()
        if not (self.kind == "operator" and self.token == "**"):
            return base
        self.next()
        start = self.start
        exponent = self.power()
        text = self.text

        def raise_to(shell: Shell) -> int:
            left, right = base(shell), exponent(shell)
            if right < 0:
                raise ExpansionError(f'{text.lstrip()}: exponent less than 0 (error token is "{text[start:]}")')
            return wrap(pow(left, right, 1 << 64))

        return raise_to

    def unary(self) -> Evaluator:
        """``! ~ + -`` and the prefix steps."""
        if self.kind != "operator":
            return self.postfix()
        operator = self.token
        if operator in {"++", "--"}:
            self.next()
            if self.kind == "name":
                return self._step(self.target(), 1 if operator == "++" else -1, before=True)
            return self.unary()  # ++5 and --5: two signs
        if operator not in {"!", "~", "+", "-"}:
            return self.postfix()
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            self.fail("expression recursion level exceeded")
        self.next()
        operand = self.unary()
        self.depth -= 1
        if operator == "!":
            return lambda shell: 0 if operand(shell) else 1
        if operator == "~":
            return lambda shell: ~operand(shell)
        if operator == "-":
            return lambda shell: wrap(-operand(shell))
        return operand

    def postfix(self) -> Evaluator:
        """A primary, maybe followed by ``++`` or ``--``."""
        if self.kind == "name":
            target = self.target()
            if self.kind == "operator" and self.token in {"++", "--"}:
                step = 1 if self.token == "++" else -1
                self.next()
                return self._step(target, step, before=False)
            return _variable(*target)
        return self.primary()

    @staticmethod
    def _step(target: tuple[str, str | None], step: int, *, before: bool) -> Evaluator:
        name, subscript = target

        def run_plain(shell: Shell) -> int:
            value = shell.variables.get(name)
            if value.__class__ is str and value.isdecimal() and len(value) < 18 and value.isascii() and not shell.allexport:
                if value[0] != "0" or value == "0":
                    old = int(value)
                    shell.variables[name] = str(old + step)
                    return old + step if before else old
            return run(shell)

        def run(shell: Shell) -> int:
            old = read_number(shell, shell.fetch_operand(name, subscript))
            new = wrap(old + step)
            shell.store_number(name, subscript, new)
            return new if before else old

        return run_plain if subscript is None else run

    def primary(self) -> Evaluator:
        """A number, a parenthesis, or a template's operand."""
        kind, token, start = self.kind, self.token, self.start
        if kind == "number":
            try:
                number = parse_integer(token)
            except ValueError as error:
                self.fail(str(error))
            self.next()
            return _constant(number)
        if kind == "operand":
            index = int(token[1:-1])
            self.next()
            return lambda shell: shell.operands[index]
        if kind == "operator" and token == "(":
            self.depth += 1
            if self.depth > _MAX_DEPTH:
                self.fail("expression recursion level exceeded")
            self.next()
            inner = self.comma()
            if not self.take(")"):
                self.fail("missing `)'", self.start if self.kind else self.last)
            self.depth -= 1
            return inner
        return self.fail("syntax error: operand expected", self.last if kind is None else start)


_constants: WeakKeyDictionary[Evaluator, int] = WeakKeyDictionary()  # what evaluators that are constants give


def _constant(number: int) -> Evaluator:
    def constant(shell: Shell) -> int:  # noqa: ARG001 - an Evaluator
        return number

    _constants[constant] = number
    return constant


def _variable(name: str, subscript: str | None) -> Evaluator:
    if subscript is not None:
        return lambda shell: read_number(shell, shell.fetch_operand(name, subscript))
    return _plain_variable(name)


def _plain_variable(name: str) -> Evaluator:
    def read(shell: Shell) -> int:
        value = shell.variables.get(name)
        if value.__class__ is str:
            if value.isdecimal() and len(value) < 19 and value[0] != "0" and value.isascii():
                return int(value)
            return read_number(shell, value)
        return read_number(shell, shell.fetch_operand(name, None))

    return read


def _either(left: Evaluator, right: Evaluator) -> Evaluator:
    return lambda shell: 1 if left(shell) or right(shell) else 0


def _both(left: Evaluator, right: Evaluator) -> Evaluator:
    return lambda shell: 1 if left(shell) and right(shell) else 0


def divide(left: int, right: int) -> int:
    """C division: towards zero."""
    quotient = abs(left) // abs(right)
    return wrap(quotient if (left < 0) == (right < 0) else -quotient)


def remainder(left: int, right: int) -> int:
    """C remainder: the sign of the dividend."""
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: wrap(a + b),
    "-": lambda a, b: wrap(a - b),
    "*": lambda a, b: wrap(a * b),
    "/": divide,
    "%": remainder,
    "<<": lambda a, b: wrap(a << (b & 63)),
    ">>": lambda a, b: a >> (b & 63),
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b,
}
_LOW, _HIGH = -0x8000000000000000, 0x7FFFFFFFFFFFFFFF


def _combine(operator: str, left: Evaluator, right: Evaluator) -> Evaluator:
    number = _constants.get(right)
    if number is not None and operator in _WITH_CONSTANT:
        return _WITH_CONSTANT[operator](left, number)
    if operator in {"<", ">", "<=", ">=", "==", "!="}:
        return _compare(operator, left, right)
    if operator == "+":

        def add(shell: Shell) -> int:
            number = left(shell) + right(shell)
            return number if _LOW <= number <= _HIGH else wrap(number)

        return add
    if operator == "-":

        def subtract(shell: Shell) -> int:
            number = left(shell) - right(shell)
            return number if _LOW <= number <= _HIGH else wrap(number)

        return subtract
    combine = _BINARY[operator]
    return lambda shell: combine(left(shell), right(shell))


def _compare(operator: str, left: Evaluator, right: Evaluator) -> Evaluator:
    if operator == "<":
        return lambda shell: 1 if left(shell) < right(shell) else 0
    if operator == ">":
        return lambda shell: 1 if left(shell) > right(shell) else 0
    if operator == "<=":
        return lambda shell: 1 if left(shell) <= right(shell) else 0
    if operator == ">=":
        return lambda shell: 1 if left(shell) >= right(shell) else 0
    if operator == "==":
        return lambda shell: 1 if left(shell) == right(shell) else 0
    return lambda shell: 1 if left(shell) != right(shell) else 0


def _add_constant(left: Evaluator, number: int) -> Evaluator:
    def add(shell: Shell) -> int:
        total = left(shell) + number
        return total if _LOW <= total <= _HIGH else wrap(total)

    return add


_WITH_CONSTANT: dict[str, Callable[[Evaluator, int], Evaluator]] = {
    "+": _add_constant,
    "-": lambda left, number: _add_constant(left, -number),
    "<": lambda left, number: lambda shell: 1 if left(shell) < number else 0,
    ">": lambda left, number: lambda shell: 1 if left(shell) > number else 0,
    "<=": lambda left, number: lambda shell: 1 if left(shell) <= number else 0,
    ">=": lambda left, number: lambda shell: 1 if left(shell) >= number else 0,
    "==": lambda left, number: lambda shell: 1 if left(shell) == number else 0,
    "!=": lambda left, number: lambda shell: 1 if left(shell) != number else 0,
}


def _guard_division(evaluator: Evaluator, text: str, start: int = 0) -> Evaluator:
    def run(shell: Shell) -> int:
        try:
            return evaluator(shell)
        except ZeroDivisionError:
            rest = text[start:]
            raise ExpansionError(f'{text.lstrip()}: division by 0 (error token is "{rest}")') from None

    return run
