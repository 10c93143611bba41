"""Compiles bc statements to Python functions, one line of the program at a time (POSIX XCU bc, Grammar)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.numbers.bc.expressions import ASSIGNMENTS, COMPARISONS, LOOSER, SPECIALS, ExpressionParser, ParseError
from bashkit.commands.numbers.bc.machine import Function, Leave
from bashkit.commands.numbers.bc.numbers import ZERO, Num
from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.numbers.bc.machine import Code, Step

__all__ = ["STANDARD_INPUT", "ParseError", "Parser"]

STANDARD_INPUT = "(standard_in)"
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "q": '"', "r": "\r", "t": "\t", "\\": "\\"}
_LIMITS = """BC_BASE_MAX     = 2147483647
BC_DIM_MAX      = 16777215
BC_SCALE_MAX    = 2147483647
BC_STRING_MAX   = 2147483647
MAX Exponent    = 9223372036854775807
Number of vars  = 32767
"""


class Parser(ExpressionParser):
    """Parses a program line by line."""

    def skip_line(self) -> None:
        """Skip the rest of the current line after a mistake."""
        self._depth = self._loops = 0
        self._function = None
        while self._token.kind not in ("\n", "end"):
            turn()
            self._take()
        self._spoilt = False

    def read_number(self) -> Num:
        """Parse the expression on the next line of the program, for read()."""
        while self._token.kind not in ("\n", "end"):
            self._take()
        self._newlines()
        return self._expression()() if self._token.kind != "end" else ZERO

    # -- lines ------------------------------------------------------------------------------------------------------------

    def line(self) -> list[Step] | None:
        """Compile the next line; None at the end, or at ``quit``.

        Raises:
            ParseError: It is malformed.
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
                if self._token.kind == "end" and self._source == STANDARD_INPUT:
                    self._fail()  # the last line, too, has an end; a file without one continues with the next file
                spoilt, self._spoilt = self._spoilt, False
                return [] if spoilt else steps
            self._expect(";")

    def _define(self) -> None:
        line = self._take().line
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
        if repeated := _repeated(function):
            raise ParseError(f"{self._source} {line}: {repeated}")
        self._machine.functions[name.text] = function

    def _names(self, end: str) -> list[str]:
        """Parse parameters or automatic variables."""
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
        """Parse statements up to the closing brace."""
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
        if word == "quit":  # it ends bc when it is read, wherever it stands
            raise Leave(word)
        self._take()
        if word in ("limits", "warranty"):
            text = _LIMITS if word == "limits" else "No warranty.\n"
            return lambda: self._machine.write(text)

        def leave() -> None:
            raise Leave(word)

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
        """Compile an expression whose value is printed unless it is an assignment."""
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
        """Whether the tokens from ``start`` on are an assignment, which binds tighter than a comparison."""
        level, found, negated = 0, False, False
        for index in range(start, self._at):
            kind = self._tokens[index].kind
            level += (kind in ("(", "[")) - (kind in (")", "]"))
            if level:
                continue
            if kind in ASSIGNMENTS:
                found = True
            elif found and kind == "!":
                negated = True  # and a comparison behind it belongs to it
            elif (kind in LOOSER and not (negated and kind in COMPARISONS)) or (
                not found and kind not in ("name", "]", *SPECIALS, ".")
            ):
                return False
        return found

    def _return(self) -> Step:
        self._take()
        value = None if self._token.kind in (";", "\n", "}", "end") else self._expression()
        if self._function is None:
            self._fail("Return outside of a function.")

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


def _sequence(steps: list[Step]) -> Step:
    if len(steps) == 1:
        return steps[0]

    def run() -> None:
        for step in steps:
            step()

    return run


def _drop(value: Num) -> None:
    """Discard the value of an assignment."""
    del value


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


def _repeated(function: Function) -> str:
    """What is wrong with the names of parameters and automatic variables, if anything."""
    parameters, automatic = function.parameters, function.automatic
    if len({*parameters}) < len(parameters):
        return "duplicate parameter names"
    if len({*automatic}) < len(automatic):
        return "duplicate auto variable names"
    return "variable in both parameter and auto lists" if {*parameters} & {*automatic} else ""
