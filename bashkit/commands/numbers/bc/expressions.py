"""Compiles bc expressions to Python functions (POSIX XCU bc, Grammar; GNU bc manual, Expressions)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from bashkit.commands.numbers.bc.lexer import Fault, Token, Tokens
from bashkit.commands.numbers.bc.machine import RuntimeFailureError
from bashkit.commands.numbers.bc.numbers import ONE, ZERO, Num, compare, length, parse_number
from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.commands.numbers.bc.machine import Code, Function, Machine

COMPARISONS: dict[str, Callable[[int], bool]] = {
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}
ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "^=")
_BY_ZERO = {"/": "Divide by zero", "%": "Modulo by zero", "^": "divide by zero"}
LOOSER = (*COMPARISONS, "&&", "||")  # than assignments
SPECIALS = ("scale", "ibase", "obase", "last")
_MAX_DEPTH = 60


class ParseError(Exception):
    """A malformed line; the message names the position."""


class Target:
    """An assignable target: how to find its subscript once, read it and write it."""

    __slots__ = ("find", "read", "write")

    def __init__(self, find: Code, read: Callable[[Num], Num], write: Callable[[Num, Num], Num]) -> None:
        self.find = find
        self.read = read
        self.write = write


def _shown(byte: int) -> str:
    """A byte as a message names it: ``^A``, ``a``, ``\\351``."""
    return f"^{chr(byte + 64)}" if byte < 32 else chr(byte) if byte < 127 else f"\\{byte:03o}"


class ExpressionParser:
    """Parses the tokens of a program, and the expressions in it.

    Args:
        pieces: The program, in pieces of whole lines.
        machine: The machine on which its functions work.
        source: The file's name, for messages.
    """

    def __init__(self, pieces: Iterator[str], machine: Machine, source: str) -> None:
        self._tokens = Tokens(pieces, machine.process.hold)
        self._at = 0
        self._machine = machine
        self._source = source
        self._depth = self._loops = 0
        self._function: Function | None = None
        self.quits = False  # ``quit`` was read
        self._spoilt = False  # the line has an illegal character, and is not run
        self._void = False  # the last parsed expression is a bare call

    # -- tokens -----------------------------------------------------------------------------------------------------------

    @property
    def _token(self) -> Token:
        found = self._tokens.found
        token = found[self._at] if self._at < len(found) else self._tokens[self._at]
        if token.faults:
            self._complain(self._tokens.faults_before(self._at))
        return token

    def _complain(self, faults: tuple[Fault, ...]) -> None:
        for fault in faults:
            turn()
            if fault.text:
                for byte in fault.text.encode("utf-8", "surrogateescape"):
                    self._machine.complain(f"{self._source} {fault.line}: illegal character: {_shown(byte)}")
                self._spoilt = True
            else:
                self._machine.complain("EOF encountered in a comment.")

    def _take(self) -> Token:
        turn()
        token = self._token
        if token.kind != "end":
            self._at += 1
        return token

    def _accept(self, kind: str) -> bool:
        if self._token.kind != kind:
            return False
        self._at += 1
        return True

    def _fail(self, text: str = "syntax error") -> NoReturn:
        token = self._token
        # A line end has been read when it is refused; behind the last one, GNU bc counts anew.
        line = 1 if token.kind == "end" else token.line + (token.kind == "\n")
        raise ParseError(f"{self._source} {line}: {text}")

    def _expect(self, kind: str) -> None:
        if not self._accept(kind):
            self._fail()

    def _newlines(self) -> None:
        while self._accept("\n"):
            self._spoilt = False

    def _nest(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail("program nested too deeply")

    # -- expressions, from the loosest operator to the tightest (GNU bc manual, Expressions) -------------------------------

    def _expression(self) -> Code:
        self._nest()
        left = self._and()
        while self._accept("||"):
            left = _either(left, self._and())
        self._depth -= 1
        return left

    def _and(self) -> Code:
        left = self._not()
        while self._accept("&&"):
            left = _both(left, self._not())
        return left

    def _not(self) -> Code:
        if not self._accept("!"):
            return self._relation()
        self._nest()
        operand = self._not()
        self._depth -= 1
        return lambda: ZERO if operand().digits else ONE

    def _relation(self) -> Code:
        left = self._sum()
        while self._token.kind in COMPARISONS:
            holds = COMPARISONS[self._take().kind]
            left = _compared(left, self._sum(), holds)
        return left

    def _sum(self) -> Code:
        return self._chain(self._product, {"+", "-"})

    def _product(self) -> Code:
        return self._chain(self._power, {"*", "/", "%"})

    def _chain(self, operand: Callable[[], Code], operators: set[str]) -> Code:
        """Operands that are worked off from the left: one after the other, since a sum may have very many."""
        first = operand()
        rest: list[tuple[str, Code]] = []
        while self._token.kind in operators:
            operator = self._take().kind
            rest.append((operator, operand()))
        if len(rest) <= 1:
            return self._operation(rest[0][0], first, rest[0][1]) if rest else first
        apply = self._apply

        def work_off() -> Num:
            value = first()
            for operator, right in rest:
                value = apply(operator, value, right())
            return value

        return work_off

    def _power(self) -> Code:
        base = self._unary()
        if not self._accept("^"):
            return base
        self._nest()
        exponent = self._power()
        self._depth -= 1
        return self._operation("^", base, exponent)

    def _unary(self) -> Code:
        if not self._accept("-"):
            return self._postfix()
        self._nest()
        operand = self._unary()
        self._depth -= 1

        def negate() -> Num:
            number = operand()
            return Num(-number.digits, number.scale)

        return negate

    def _operation(self, operator: str, left: Code, right: Code) -> Code:
        apply = self._apply
        return lambda: apply(operator, left(), right())

    def _apply(self, operator: str, left: Num, right: Num) -> Num:
        machine = self._machine
        arithmetic, scale = machine.arithmetic, machine.scale
        machine.budget.tick()
        if operator == "+":
            return arithmetic.add(left, right)
        if operator == "-":
            return arithmetic.subtract(left, right)
        if operator == "*":
            return arithmetic.multiply(left, right, scale)
        try:
            if operator == "/":
                return arithmetic.divide(left, right, scale)
            if operator == "%":
                return arithmetic.modulo(left, right, scale)
            if right.scale:
                machine.complain(machine.located("warning", "non-zero scale in exponent"))
            if not left.digits and right.digits < 0:
                raise ZeroDivisionError
            return arithmetic.power(left, machine.whole(right), scale)
        except ZeroDivisionError:
            raise RuntimeFailureError(_BY_ZERO[operator]) from None
        except OverflowError:
            raise RuntimeFailureError("exponent too large in raise") from None

    def _postfix(self) -> Code:
        if self._token.kind in ("++", "--"):
            operator = self._take().kind[0]
            target = self._target()
            if target is None:
                self._fail()
            return self._changed(target, operator, lambda: ONE)
        target = self._target()
        if target is None:
            return self._primary()
        kind = self._token.kind
        if kind in ASSIGNMENTS:
            self._take()
            self._nest()
            value = self._sum()
            self._depth -= 1
            return self._changed(target, kind[:-1], value)
        if kind in ("++", "--"):
            self._take()
            return self._stepped(target, kind[0])
        read, find = target.read, target.find
        return lambda: read(find())

    def _changed(self, target: Target, operator: str, value: Code) -> Code:
        apply = self._apply

        def change() -> Num:
            place = target.find()
            if not operator:
                return target.write(place, value())
            before = target.read(place)
            return target.write(place, apply(operator, before, value()))

        return change

    def _stepped(self, target: Target, operator: str) -> Code:
        apply = self._apply

        def step() -> Num:
            place = target.find()
            before = target.read(place)
            target.write(place, apply(operator, before, ONE))
            return before

        return step

    def _target(self) -> Target | None:
        """Parse a variable, an element or a special name; None for anything else."""
        machine = self._machine
        token = self._token
        following = self._tokens[self._at + 1].kind
        if token.kind in SPECIALS or token.kind == ".":
            if token.kind == "scale" and following == "(":
                return None
            self._take()
            name = "last" if token.kind == "." else token.kind
            return Target(_nowhere, lambda _: machine.special(name), lambda _, value: machine.set_special(name, value))
        if token.kind != "name" or following == "(":
            return None
        self._take()
        name = token.text
        if self._token.kind != "[":
            variables = machine.variables
            return Target(_nowhere, lambda _: variables.get(name, ZERO), lambda _, value: _keep(variables, name, value))
        self._take()
        subscript = self._expression()
        self._expect("]")

        def read(place: Num) -> Num:
            return machine.array(name).get(machine.index(name, place), ZERO)

        def write(place: Num, value: Num) -> Num:
            return machine.put(machine.array(name), machine.index(name, place), value)

        return Target(subscript, read, write)

    def _primary(self) -> Code:
        token = self._token
        machine = self._machine
        if token.kind == "number":
            self._take()
            machine.arithmetic.room(len(token.text))
            return lambda: parse_number(token.text, machine.ibase)
        if token.kind == "(":
            self._take()
            inner = self._expression()
            self._expect(")")
            return inner
        if token.kind in ("length", "sqrt", "scale"):
            self._take()
            self._expect("(")
            operand = self._expression()
            self._expect(")")
            return self._builtin(token.kind, operand)
        if token.kind == "read":
            self._take()
            self._expect("(")
            self._expect(")")
            return machine.read
        if token.kind == "name":
            return self._call()
        if token.kind == "!":  # it takes all that binds tighter than itself, wherever it stands
            return self._not()
        return self._fail()

    def _builtin(self, name: str, operand: Code) -> Code:
        machine = self._machine
        if name == "length":
            return lambda: Num(length(operand()))
        if name == "scale":
            return lambda: Num(operand().scale)

        def root() -> Num:
            try:
                return machine.arithmetic.root(operand(), machine.scale)
            except ValueError:
                raise RuntimeFailureError("Square root of a negative number") from None

        return root

    def _call(self) -> Code:
        name = self._take().text
        self._expect("(")
        arguments: list[Code | str] = []
        while self._token.kind != ")":
            kinds = [self._tokens[self._at + ahead].kind for ahead in range(3)]
            if kinds == ["name", "[", "]"]:
                arguments.append(self._take().text)
                self._at += 2
            else:
                arguments.append(self._expression())
            if not self._accept(","):
                break
        self._expect(")")
        self._void = True
        machine = self._machine

        def call() -> Num:
            given = [argument if isinstance(argument, str) else argument() for argument in arguments]
            return machine.call(name, given)[0]

        return call


def _nowhere() -> Num:
    """The subscript of what has none."""
    return ZERO


def _keep(variables: dict[str, Num], name: str, value: Num) -> Num:
    variables[name] = value
    return value


def _both(left: Code, right: Code) -> Code:
    return lambda: ONE if left().digits and right().digits else ZERO


def _either(left: Code, right: Code) -> Code:
    return lambda: ONE if left().digits or right().digits else ZERO


def _compared(left: Code, right: Code, holds: Callable[[int], bool]) -> Code:
    return lambda: ONE if holds(compare(left(), right())) else ZERO
