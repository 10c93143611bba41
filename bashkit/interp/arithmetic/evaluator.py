"""Arithmetic evaluation (bash(1), ARITHMETIC EVALUATION): expression trees to closures, 64-bit and wrapping."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.parser import (
    Assign,
    Binary,
    Comma,
    Conditional,
    Expression,
    Logical,
    Name,
    Number,
    Operand,
    Refusal,
    Step,
    Unary,
    blame,
    parse_expression,
    parse_refused,
    wrap,
)
from bashkit.interp.runtime.control import ExpansionError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell

    Evaluator = Callable[["Shell"], int]

LONG = 500  # characters from which an expression is not kept
_PER_CHARACTER = 1000  # bytes that parsing one may take
_MAX_RECURSION = 100  # variables whose values name variables
LOW, HIGH = -0x8000000000000000, 0x7FFFFFFFFFFFFFFF


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
        ExpansionError: The text is not an expression, divides by zero, or recurses without end.
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
    shell.budget.tick()  # values that name values that name values take long without a command or a turn of a loop
    shell.arithmetic_depth += 1
    try:
        if shell.arithmetic_depth > _MAX_RECURSION:
            raise ExpansionError(f'{text}: expression recursion level exceeded (error token is "{text}")')
        return compile_expression(text)(shell)
    finally:
        shell.arithmetic_depth -= 1


def compile_expression(text: str) -> Evaluator:
    """The closure that evaluates ``text``; a syntax error is raised when it is called."""
    return _short(text) if len(text) < LONG else _long(text)


@lru_cache(maxsize=4096)
def _short(text: str) -> Evaluator:
    return _compile(text)


def _long(text: str) -> Evaluator:
    """An expression that is not kept, and for which the budget is asked before it is parsed."""

    def run(shell: Shell) -> int:
        shell.budget.room(_PER_CHARACTER * len(text))
        shell.budget.tick(len(text))
        return _compile(text)(shell)

    return run


def _compile(text: str) -> Evaluator:
    try:
        tree = parse_expression(text)
    except ExpansionError:
        tree = parse_refused(text)
    return _Compiler(text).compile(tree)


def compile_template(text: str) -> Evaluator:
    """As compile_expression, for text in which ``\\x01N\\x01`` stands for operand N of ``shell.operands``.

    ``[\\x02N\\x02]`` stands for operand N as a subscript.

    Raises:
        ExpansionError: The text is not an expression.
    """
    return _short_template(text) if len(text) < LONG else _template(text)


@lru_cache(maxsize=4096)
def _short_template(text: str) -> Evaluator:
    return _template(text)


def _template(text: str) -> Evaluator:
    return _Compiler(text).compile(parse_expression(text, template=True))


# ------------------------------------------------------------------------------------------------------------- operators


def divide(left: int, right: int) -> int:
    """C division: towards zero."""
    quotient = abs(left) // abs(right)
    return wrap(quotient if (left < 0) == (right < 0) else -quotient)


def remainder(left: int, right: int) -> int:
    """C remainder: the sign of the dividend."""
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def power(left: int, right: int) -> int:
    """``**``; ValueError for a negative exponent."""
    if right < 0:
        raise ValueError
    return wrap(pow(left, right, 1 << 64))


BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: wrap(a + b),
    "-": lambda a, b: wrap(a - b),
    "*": lambda a, b: wrap(a * b),
    "/": divide,
    "%": remainder,
    "**": power,
    "<<": lambda a, b: wrap(a << (b & 63)),
    ">>": lambda a, b: a >> (b & 63),
    "&": lambda a, b: a & b,
    "^": lambda a, b: a ^ b,
    "|": lambda a, b: a | b,
}


def step(shell: Shell, target: Name, by: int, *, before: bool) -> int:
    """``++`` or ``--`` applied to a variable; the value of the expression."""
    subscript = shell.settle_subscript(target.name, target.subscript)
    old = read_number(shell, shell.fetch_operand(target.name, subscript))
    new = wrap(old + by)
    shell.store_number(target.name, subscript, new)
    return new if before else old


# -------------------------------------------------------------------------------------------------------------- compiling


class _Compiler:
    """Turns trees into closures.

    Args:
        text: The expression's text, for messages.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def compile(self, tree: Expression) -> Evaluator:
        """The closure for a tree."""
        if isinstance(tree, Number):
            number = tree.value
            return lambda shell: number  # noqa: ARG005
        if isinstance(tree, Name):
            return _variable(tree)
        if isinstance(tree, Operand):
            index = tree.index
            return lambda shell: shell.operands[index]
        if isinstance(tree, Binary):
            return self._binary(tree)
        if isinstance(tree, Unary):
            return _unary(tree.operator, self.compile(tree.operand))
        if isinstance(tree, Step):
            return _step(tree)
        if isinstance(tree, Assign):
            return self._assign(tree)
        if isinstance(tree, Refusal):
            return _refusal(tree.message)
        return self._composed(tree)

    def _composed(self, tree: Logical | Conditional | Comma) -> Evaluator:
        if isinstance(tree, Conditional):
            test, yes, no = self.compile(tree.test), self.compile(tree.yes), self.compile(tree.no)
            return lambda shell: yes(shell) if test(shell) else no(shell)
        left, right = self.compile(tree.left), self.compile(tree.right)
        if isinstance(tree, Comma):

            def both(shell: Shell) -> int:
                left(shell)
                return right(shell)

            return both
        if tree.operator == "&&":
            return lambda shell: 1 if left(shell) and right(shell) else 0
        return lambda shell: 1 if left(shell) or right(shell) else 0

    def _binary(self, tree: Binary) -> Evaluator:
        operator, left = tree.operator, self.compile(tree.left)
        if isinstance(tree.right, Number) and operator in _WITH_CONSTANT:
            return _WITH_CONSTANT[operator](left, tree.right.value)
        right = self.compile(tree.right)
        if operator in _COMPARE:
            return _COMPARE[operator](left, right)
        combine = BINARY[operator]
        return self._guarded(lambda shell: combine(left(shell), right(shell)), operator, tree.rest)

    def _assign(self, tree: Assign) -> Evaluator:
        name, plain, subscript = tree.target.name, tree.target.subscript is None, _written(tree.target.subscript)
        value = self.compile(tree.value)
        if not tree.operator:

            def store(shell: Shell) -> int:
                number = value(shell)
                shell.store_number(name, None if plain else subscript(shell), number)
                return number

            return store
        combine = BINARY[tree.operator]

        def update(shell: Shell) -> int:
            settled = None if plain else shell.settle_subscript(name, subscript(shell))
            old = read_number(shell, shell.fetch_operand(name, settled))
            number = combine(old, value(shell))
            shell.store_number(name, settled, number)
            return number

        return self._guarded(update, tree.operator, tree.rest)

    def _guarded(self, evaluator: Evaluator, operator: str, rest: str) -> Evaluator:
        """Division by zero and negative exponents as errors of the expression."""
        if operator not in {"/", "%", "**"}:
            return evaluator
        text = self.text

        def run(shell: Shell) -> int:
            try:
                return evaluator(shell)
            except ZeroDivisionError:
                raise ExpansionError(blame(text, "division by 0", rest)) from None
            except ValueError:
                raise ExpansionError(blame(text, "exponent less than 0", rest)) from None

        return run


def _refusal(message: str) -> Evaluator:
    def fail(shell: Shell) -> int:  # noqa: ARG001 - an Evaluator
        raise ExpansionError(message)

    return fail


def _written(subscript: str | None) -> Callable[[Shell], str | None]:
    """What gives the text of a subscript: that which is written, or an operand of a template."""
    if subscript is None or subscript[:1] != "\x02":
        return lambda shell: subscript  # noqa: ARG005
    index = int(subscript[1:-1])
    return lambda shell: shell.operands[index]


def _variable(target: Name) -> Evaluator:
    name, written = target.name, _written(target.subscript)
    if target.subscript is not None:
        return lambda shell: read_number(shell, shell.fetch_operand(name, written(shell)))

    def read(shell: Shell) -> int:
        value = shell.variables.get(name)
        if value.__class__ is str:
            text: str = value  # pyright: ignore[reportAssignmentType]  # narrowed by __class__, which is quicker than isinstance
            if text.isdecimal() and len(text) < 19 and text[0] != "0" and text.isascii():
                return int(text)
            return read_number(shell, text)
        return read_number(shell, shell.fetch_operand(name, None))

    return read


def _unary(operator: str, operand: Evaluator) -> Evaluator:
    if operator == "!":
        return lambda shell: 0 if operand(shell) else 1
    if operator == "~":
        return lambda shell: ~operand(shell)
    return lambda shell: wrap(-operand(shell))


def _step(tree: Step) -> Evaluator:
    target, by, before = tree.target, tree.by, tree.before
    name = target.name

    def run_plain(shell: Shell) -> int:
        value = shell.variables.get(name)
        if value.__class__ is str and not shell.options.allexport:
            text: str = value  # pyright: ignore[reportAssignmentType]  # narrowed by __class__, which is quicker than isinstance
            if text.isdecimal() and len(text) < 18 and text.isascii() and (text[0] != "0" or text == "0"):
                old = int(text)
                shell.variables[name] = str(old + by)
                return old + by if before else old
        return step(shell, target, by, before=before)

    written = _written(target.subscript)
    return run_plain if target.subscript is None else lambda shell: step(shell, Name(name, written(shell)), by, before=before)


_COMPARE: dict[str, Callable[[Evaluator, Evaluator], Evaluator]] = {
    "<": lambda left, right: lambda shell: 1 if left(shell) < right(shell) else 0,
    ">": lambda left, right: lambda shell: 1 if left(shell) > right(shell) else 0,
    "<=": lambda left, right: lambda shell: 1 if left(shell) <= right(shell) else 0,
    ">=": lambda left, right: lambda shell: 1 if left(shell) >= right(shell) else 0,
    "==": lambda left, right: lambda shell: 1 if left(shell) == right(shell) else 0,
    "!=": lambda left, right: lambda shell: 1 if left(shell) != right(shell) else 0,
}


def _add_constant(left: Evaluator, number: int) -> Evaluator:
    def add(shell: Shell) -> int:
        total = left(shell) + number
        return total if LOW <= total <= HIGH else wrap(total)

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
