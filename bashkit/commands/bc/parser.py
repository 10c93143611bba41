"""bc statements and expressions to Python functions, one line of the program at a time (POSIX XCU bc, Grammar)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from bashkit.commands.bc.lexer import Token, tokens
from bashkit.commands.bc.machine import Function, Leave, RuntimeFailureError
from bashkit.commands.bc.numbers import ONE, ZERO, Num, compare, length, parse_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.bc.machine import Code, Machine, Step

_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "q": '"', "r": "\r", "t": "\t", "\\": "\\"}
_COMPARISONS: dict[str, Callable[[int], bool]] = {
    "==": lambda order: order == 0,
    "!=": lambda order: order != 0,
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}
_ASSIGNMENTS = ("=", "+=", "-=", "*=", "/=", "%=", "^=")
_SPECIALS = ("scale", "ibase", "obase", "last")
_MAX_DEPTH = 60
_LIMITS = """BC_BASE_MAX     = 2147483647
BC_DIM_MAX      = 16777215
BC_SCALE_MAX    = 2147483647
BC_STRING_MAX   = 2147483647
MAX Exponent    = 9223372036854775807
Number of vars  = 32767
"""


class ParseError(Exception):
    """A line that is no bc; its text names the place."""


class Target:
    """What can be assigned to: how it is found once, read and written."""

    __slots__ = ("find", "read", "write")

    def __init__(
        self, find: Callable[[], object], read: Callable[[object], Num], write: Callable[[object, Num], Num]
    ) -> None:
        self.find = find
        self.read = read
        self.write = write


class Parser:
    """Reads a text line by line.

    Args:
        text: The program.
        machine: What its functions work on.
        source: The file's name, for messages.
    """

    def __init__(self, text: str, machine: Machine, source: str) -> None:
        self._tokens = tokens(text)
        self._at = 0
        self._machine = machine
        self._source = source
        self._depth = self._loops = 0
        self._function: Function | None = None
        self.quits = False  # ``quit`` was read
        self._void = False  # the expression parsed last is a bare call

    # -- tokens -----------------------------------------------------------------------------------------------------------

    @property
    def _token(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._tokens[self._at]
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
        if token.kind == "bad":
            self._machine.complain(f"{self._source} {token.line}: illegal character: {token.text}")
        raise ParseError(f"{self._source} {token.line}: {text}")

    def _expect(self, kind: str) -> None:
        if not self._accept(kind):
            self._fail()

    def _newlines(self) -> None:
        while self._accept("\n"):
            pass

    def _nest(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail("program nested too deeply")

    def skip_line(self) -> None:
        """Go to the line behind the present one, after a mistake."""
        self._depth = self._loops = 0
        self._function = None
        while self._token.kind not in ("\n", "end"):
            self._take()

    def read_number(self) -> Num:
        """read(): an expression on the next line of the program."""
        while self._token.kind not in ("\n", "end"):
            self._take()
        self._newlines()
        return self._expression()() if self._token.kind != "end" else ZERO

    # -- lines ------------------------------------------------------------------------------------------------------------

    def line(self) -> list[Step] | None:
        """What the next line does; None at the end, or at ``quit``.

        Raises:
            ParseError: It is no bc.
        """
        self._newlines()
        if self._token.kind == "end":
            return None
        if self._token.kind == "define":
            self._define()
            return []
        steps: list[Step] = []
        while True:
            if self._token.kind == "quit":
                self.quits = True
                return None
            if self._token.kind not in (";", "\n", "end"):
                steps.append(self._statement())
            if self._token.kind in ("\n", "end"):
                return steps
            self._expect(";")
            if self._token.kind == "define":
                return steps

    def _define(self) -> None:
        self._take()
        void = self._accept("void")
        name = self._take()
        if name.kind != "name":
            self._fail()
        self._expect("(")
        function = Function(name.text, self._names(")"), void=void)
        self._expect(")")
        self._newlines()
        self._expect("{")
        self._newlines()
        self._function = function
        if self._accept("auto"):
            function.automatic = self._names("\n")
            if self._token.kind not in (";", "\n"):
                self._fail()
        function.body = self._until_brace()
        self._function = None
        self._machine.functions[name.text] = function

    def _names(self, end: str) -> list[str]:
        """Parameters or automatic variables."""
        found: list[str] = []
        while self._token.kind != end:
            star = "*" if self._accept("*") else ""
            name = self._take()
            if name.kind != "name":
                self._at -= 1
                self._fail()
            brackets = ""
            if self._accept("["):
                self._expect("]")
                brackets = "[]"
            found.append(star + name.text + brackets)
            if not self._accept(","):
                break
        return found

    def _until_brace(self) -> Step:
        """Statements up to the closing brace."""
        steps: list[Step] = []
        while not self._accept("}"):
            if self._token.kind not in (";", "\n"):
                steps.append(self._statement())
                if self._token.kind not in (";", "\n", "}"):
                    self._fail()
            else:
                self._at += 1
        return _sequence(steps)

    # -- statements -------------------------------------------------------------------------------------------------------

    def _statement(self) -> Step:
        self._nest()
        try:
            kind = self._token.kind
            known: dict[str, Callable[[], Step]] = {
                "{": self._block,
                "if": self._if,
                "while": self._while,
                "for": self._for,
                "print": self._print,
                "string": self._string,
                "return": self._return,
            }
            if kind in known:
                return known[kind]()
            if kind in ("break", "continue", "halt", "quit", "limits", "warranty"):
                return self._word()
            return self._shown()
        finally:
            self._depth -= 1

    def _block(self) -> Step:
        self._take()
        return self._until_brace()

    def _word(self) -> Step:
        word = self._token.kind
        if word in ("break", "continue") and not self._loops:
            self._fail(f"{word.capitalize()} outside a for" + ("/while" if word == "break" else ""))
        self._take()
        if word in ("limits", "warranty"):
            text = _LIMITS if word == "limits" else "No warranty.\n"
            return lambda: self._machine.write(text)

        def leave() -> None:
            raise Leave("halt" if word == "quit" else word)

        return leave

    def _string(self) -> Step:
        text = self._take().text
        return lambda: self._machine.write(text)

    def _print(self) -> Step:
        self._take()
        steps: list[Step] = []
        machine = self._machine
        while True:
            if self._token.kind == "string":
                text = _unescape(self._take().text)
                steps.append(lambda text=text: machine.write(text))  # type: ignore[misc]  # bound now, not later
            else:
                value = self._expression()
                steps.append(lambda value=value: machine.write_number(value()))  # type: ignore[misc]  # as above
            if not self._accept(","):
                return _sequence(steps)

    def _shown(self) -> Step:
        """An expression: its value is printed unless it is an assignment."""
        start = self._at
        self._void = False
        value = self._expression()
        machine = self._machine
        if self._assigned(start):
            return lambda: _drop(value())
        call = self._void and self._at - start > 2 and self._tokens[self._at - 1].kind == ")"
        name = self._tokens[start].text

        def show() -> None:
            found = value()
            function = machine.functions.get(name)
            if call and function is not None and function.void:
                return
            machine.write_number(found)
            machine.write("\n")

        return show

    def _assigned(self, start: int) -> bool:
        """Whether the tokens from ``start`` on begin with an assignment."""
        level = 0
        for index in range(start, self._at):
            kind = self._tokens[index].kind
            level += (kind in ("(", "[")) - (kind in (")", "]"))
            if not level and kind in _ASSIGNMENTS:
                return True
            if not level and kind not in ("name", "]", *_SPECIALS, "."):
                return False
        return False

    def _return(self) -> Step:
        if self._function is None:
            self._fail("Return outside of a function.")
        self._take()
        value = None if self._token.kind in (";", "\n", "}") else self._expression()

        def leave() -> None:
            raise Leave("return", ZERO if value is None else value())

        return leave

    def _condition(self) -> Code:
        self._expect("(")
        test = self._expression()
        self._expect(")")
        return test

    def _if(self) -> Step:
        self._take()
        test = self._condition()
        self._newlines()
        yes = self._statement()
        no: Step | None = None
        behind = self._at
        self._accept(";")
        if self._accept("else"):
            self._newlines()
            no = self._statement()
        else:
            self._at = behind

        def run() -> None:
            if test().digits:
                yes()
            elif no is not None:
                no()

        return run

    def _looped(self) -> Step:
        self._newlines()
        self._loops += 1
        body = self._statement()
        self._loops -= 1
        return body

    def _while(self) -> Step:
        self._take()
        test = self._condition()
        return self._loop(test, self._looped(), None)

    def _for(self) -> Step:
        self._take()
        self._expect("(")
        start = None if self._token.kind == ";" else self._expression()
        self._expect(";")
        test = None if self._token.kind == ";" else self._expression()
        self._expect(";")
        step = None if self._token.kind == ")" else self._expression()
        self._expect(")")
        loop = self._loop(test, self._looped(), step)

        def run() -> None:
            if start is not None:
                start()
            loop()

        return run

    def _loop(self, test: Code | None, body: Step, step: Code | None) -> Step:
        budget = self._machine.budget

        def run() -> None:
            while test is None or test().digits:
                budget.tick()
                try:
                    body()
                except Leave as leave:
                    if leave.word == "break":
                        return
                    if leave.word != "continue":
                        raise
                if step is not None:
                    step()

        return run

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
        while self._token.kind in _COMPARISONS:
            holds = _COMPARISONS[self._take().kind]
            left = _compared(left, self._sum(), holds)
        return left

    def _sum(self) -> Code:
        left = self._product()
        while self._token.kind in ("+", "-"):
            operator = self._take().kind
            left = self._operation(operator, left, self._product())
        return left

    def _product(self) -> Code:
        left = self._power()
        while self._token.kind in ("*", "/", "%"):
            operator = self._take().kind
            left = self._operation(operator, left, self._power())
        return left

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
            if right.scale and right.digits % 10**right.scale:
                machine.complain(machine.located("warning", "non-zero scale in exponent"))
            return arithmetic.power(left, machine.whole(right), scale)
        except ZeroDivisionError:
            raise RuntimeFailureError("Modulo by zero" if operator == "%" else "Divide by zero") from None

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
        if kind in _ASSIGNMENTS:
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
            amount = value()
            return target.write(place, apply(operator, target.read(place), amount))

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
        """A variable, an element or a special name; None where something else stands."""
        machine = self._machine
        token = self._token
        following = self._tokens[min(self._at + 1, len(self._tokens) - 1)].kind
        if token.kind in _SPECIALS or token.kind == ".":
            if token.kind == "scale" and following == "(":
                return None
            self._take()
            name = "last" if token.kind == "." else token.kind
            return Target(lambda: None, lambda _: machine.special(name), lambda _, value: machine.set_special(name, value))
        if token.kind != "name" or following == "(":
            return None
        self._take()
        name = token.text
        if self._token.kind != "[":
            variables = machine.variables
            return Target(lambda: None, lambda _: variables.get(name, ZERO), lambda _, value: _keep(variables, name, value))
        self._take()
        subscript = self._expression()
        self._expect("]")

        def read(place: object) -> Num:
            return machine.array(name).get(place, ZERO)  # type: ignore[call-overload,no-any-return]  # an index, see find

        def write(place: object, value: Num) -> Num:
            return machine.put(machine.array(name), place, value)  # type: ignore[arg-type]  # as above

        return Target(lambda: machine.index(subscript()), read, write)

    def _primary(self) -> Code:
        token = self._token
        machine = self._machine
        if token.kind == "number":
            self._take()
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
            kinds = [token.kind for token in self._tokens[self._at : self._at + 3]]
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


def _sequence(steps: list[Step]) -> Step:
    if len(steps) == 1:
        return steps[0]

    def run() -> None:
        for step in steps:
            step()

    return run


def _drop(value: Num) -> None:
    """Forget the value of an assignment."""
    del value


def _keep(variables: dict[str, Num], name: str, value: Num) -> Num:
    variables[name] = value
    return value


def _both(left: Code, right: Code) -> Code:
    return lambda: ONE if left().digits and right().digits else ZERO


def _either(left: Code, right: Code) -> Code:
    return lambda: ONE if left().digits or right().digits else ZERO


def _compared(left: Code, right: Code, holds: Callable[[int], bool]) -> Code:
    return lambda: ONE if holds(compare(left(), right())) else ZERO


def _unescape(text: str) -> str:
    pieces = text.split("\\")
    made = [pieces[0]]
    index = 1
    while index < len(pieces):
        piece = pieces[index]
        if not piece and index + 1 < len(pieces):
            made.append("\\" + pieces[index + 1])
            index += 2
            continue
        made.append(_ESCAPES.get(piece[:1], "") + piece[1:])
        index += 1
    return "".join(made)
