"""Parses the statements, rules and functions of an awk program (POSIX XCU awk, Grammar; gawk manual for its extensions)."""

from __future__ import annotations

from bashkit.commands.patterns.awk.syntax.expressions import ExpressionParser, is_lvalue
from bashkit.commands.patterns.awk.syntax.indirect import callable_builtins
from bashkit.commands.patterns.awk.syntax.signatures import BUILTINS, SPECIALS
from bashkit.commands.patterns.awk.syntax.tree import (
    AwkError,
    Block,
    Case,
    Delete,
    DoWhile,
    Expr,
    For,
    ForIn,
    Function,
    Grouping,
    If,
    Index,
    Jump,
    Leave,
    Name,
    Number,
    Print,
    Program,
    Regex,
    Rule,
    Simple,
    Stmt,
    String,
    Switch,
    Unary,
    While,
)

_SPECIAL_RULES = ("BEGIN", "END", "BEGINFILE", "ENDFILE")


class Parser(ExpressionParser):
    """Parses a whole program; see ``parse``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.program = Program()
        self.loops = self.switches = 0

    def parse(self) -> Program:
        """Parse the program.

        Raises:
            AwkError: A syntax error, in gawk's words.
        """
        self.skip_newlines()
        while self.tok.kind != "end":
            bare = False
            if self.tok.kind == "function":
                self._function()
            elif self.tok.kind == "@":
                self._directive()
            elif self.tok.kind == ";":
                raise AwkError("each rule must have a pattern or an action part", self.tok.line, kind="", status=1)
            else:
                self._rule()
                bare = self.program.rules[-1].action is None
            if not bare:  # a newline ends a bare pattern, but not an action
                self.skip_newlines()
            if self.tok.kind == ";":
                self.advance()
            self.skip_newlines()
        self._check_calls()
        self.program.functions.update({function.name: function for function in callable_builtins(self.calls)})
        return self.program

    def _directive(self) -> None:
        """Refuse ``@load`` and ``@namespace``; ``@include`` at the beginning of a line is none of the program's text."""
        directive = self.advance()
        word = self.advance()
        if word.kind != "name" or word.text not in ("load", "namespace") or self.tok.kind != "string":
            raise self.lexer.error("syntax error", word.start)
        message = f"cannot open shared library `{self.tok.text}' for reading: No such file or directory"
        if word.text == "namespace":
            message = "@namespace is not supported here: functions and variables have one name each"
        raise AwkError(message, directive.line, kind="error", status=1)

    def _check_calls(self) -> None:
        for call in self.calls:
            callee = self.program.functions.get(call.name)
            if call.indirect or callee is None:  # that one is not defined is said when it is called
                continue
            if len(call.arguments) > len(callee.parameters):
                self.warnings.append((call.line, f"function `{call.name}' called with more arguments than declared"))
        for name, line in self.spaced:
            if name in self.program.functions:
                message = f"function `{name}' called with space between name and `(',\nor used as a variable or an array"
                raise AwkError(message, line, kind="error", status=1)

    def _function(self) -> None:
        start = self.advance()
        name = self.advance()
        if name.text in BUILTINS:
            raise self.lexer.error(f"`{name.text}' is a built-in function, it cannot be redefined", name.start)
        if name.kind not in ("name", "call"):
            raise self.lexer.error("syntax error", name.start)
        self.expect("(")
        parameters: list[str] = []
        while parameters or self.tok.kind != ")":
            self.skip_newlines()
            parameter = self.advance()
            self._check_parameter(name.text, parameters, parameter.text, parameter.line)
            if parameter.kind != "name":
                raise self.lexer.error("syntax error", parameter.start)
            parameters.append(parameter.text)
            if self.tok.kind != ",":
                break
            self.advance()
            self.skip_newlines()
        self.expect(")")
        self.skip_newlines()
        if name.text in self.program.functions or name.text in SPECIALS:
            raise AwkError(f"function name `{name.text}' previously defined", start.line, kind="error", status=1)
        function = Function(name.text, tuple(parameters), Block(()), start.line)
        self.program.functions[name.text] = function
        self.function, self.rule = function, ""
        function.body = self.block()
        self.function = None

    @staticmethod
    def _check_parameter(function: str, before: list[str], name: str, line: int) -> None:
        message = ""
        if name == function:
            message = f"function `{function}': cannot use function name as parameter name"
        elif name in before:
            place = f"parameter #{len(before) + 1}, `{name}', duplicates parameter #{before.index(name) + 1}"
            message = f"function `{function}': {place}"
        elif name in SPECIALS:
            message = f"function `{function}': cannot use special variable `{name}' as a function parameter"
        if message:
            raise AwkError(message, line, kind="error", status=1)

    def _rule(self) -> None:
        line = self.tok.line
        kind, pattern, until = "record", None, None
        if self.tok.kind in _SPECIAL_RULES:
            kind = self.advance().kind
            if self.tok.kind in ("end", "\n", ";"):
                raise AwkError(f"{kind} blocks must have an action part", line, kind="", status=1)
            if self.tok.kind != "{":
                raise self.lexer.error("syntax error", self.tok.start)
        elif self.tok.kind != "{":
            pattern = self.expression()
            if self.tok.kind == ",":
                self.advance()
                self.skip_newlines()
                until = self.expression()
        action = None
        self.rule = kind
        if self.tok.kind == "{":
            action = self.block()
        self.program.rules.append(Rule(kind, pattern, until, action, line))

    # -- statements -----------------------------------------------------------------------------------------------------

    def block(self) -> Block:
        """``{ … }``."""
        self.expect("{")
        body: list[Stmt] = []
        self.skip_terminators()
        self.nest()
        while self.tok.kind != "}":
            body.append(self.statement())
            self.skip_terminators()
        self.depth -= 1
        self.advance()
        return Block(tuple(body))

    def statement(self) -> Stmt:
        """Parse a statement with its terminator."""
        kind = self.tok.kind
        if kind == "{":
            return self.block()
        if kind == ";":
            self.advance()
            return Block(())
        compound = {"if": self._if, "while": self._while, "do": self._do, "for": self._for, "switch": self._switch}.get(kind)
        self.nest()
        try:
            if compound is not None:
                return compound()
            found = self.simple()
            self._terminate()
            return found
        finally:
            self.depth -= 1

    def _terminate(self) -> None:
        if self.tok.kind in (";", "\n"):
            self.advance()
        elif self.tok.kind != "}":
            self.fail()

    def simple(self) -> Stmt:
        """Parse a statement that a ``for`` header may contain, or a jump."""
        token = self.tok
        kind, line = token.kind, token.line
        if kind in ("print", "printf"):
            return self._print()
        if kind in ("next", "nextfile", "break", "continue"):
            self.advance()
            self._check_jump(kind, line)
            return Jump(kind, line)
        if kind in ("exit", "return"):
            self.advance()
            if kind == "return" and self.function is None:
                raise self.lexer.error("`return' used outside function context", token.start)
            value = None if self._ended() else self.expression()
            return Leave(kind, value, line)
        if kind == "delete":
            self.advance()
            parenthesised = self.tok.kind == "("
            if parenthesised:
                self.advance()
            target = self.primary()
            if not isinstance(target, (Name, Index)):
                self.fail()
            if parenthesised:
                self.expect(")")
            return Delete(target, line)
        return Simple(self.expression(), line)

    def _check_jump(self, word: str, line: int) -> None:
        if word in ("next", "nextfile"):
            if self.function is None and self.rule != "record" and not (self.rule == "BEGINFILE" and word == "nextfile"):
                raise AwkError(f"`{word}' used in {self.rule} action", line, kind="error", status=1)
        elif not self.loops and not (word == "break" and self.switches):
            place = "a loop or switch" if word == "break" else "a loop"
            raise AwkError(f"`{word}' is not allowed outside {place}", line, kind="error", status=1, times=2)

    def _ended(self) -> bool:
        return self.tok.kind in (";", "\n", "}", "end")

    def _print(self) -> Stmt:
        token = self.advance()
        arguments: tuple[Expr, ...] = ()
        if not self._ended() and self.tok.kind not in (">", ">>", "|", "|&"):
            self.no_greater += 1
            self.list_start = self.tok.start
            items = [self.expression(grouping=True)]
            while self.tok.kind == ",":
                self.advance()
                self.skip_newlines()
                items.append(self.expression())
            self.no_greater -= 1
            first = items[0]
            arguments = first.items if len(items) == 1 and isinstance(first, Grouping) else tuple(items)
            if any(isinstance(item, Grouping) for item in arguments):
                self.fail()
        redirection, destination = "", None
        if self.tok.kind in (">", ">>", "|", "|&"):
            redirection = self.advance().kind
            self.no_greater += 1
            destination = self.concatenation(pipes=False)
            self.no_greater -= 1
        formatted = token.kind == "printf"
        return Print(arguments, token.line, formatted, redirection, destination)

    def _condition(self) -> Expr:
        self.expect("(")
        test = self.inside(self.expression)
        self.expect(")")
        return test

    def _body(self) -> Stmt:
        self.skip_newlines()
        return self.statement()

    def _looped(self) -> Stmt:
        self.loops += 1
        body = self._body()
        self.loops -= 1
        return body

    def _if(self) -> Stmt:
        line = self.advance().line
        test = self._condition()
        yes = self._body()
        at = self.tok.start
        self.skip_newlines()
        if self.tok.kind != "else":
            self.move(at)
            return If(test, yes, None, line)
        self.advance()
        return If(test, yes, self._body(), line)

    def _while(self) -> Stmt:
        line = self.advance().line
        test = self._condition()
        if self.tok.kind == ";":
            self.advance()
            return While(test, Block(()), line)
        return While(test, self._looped(), line)

    def _do(self) -> Stmt:
        line = self.advance().line
        body = self._looped()
        self.skip_newlines()
        self.expect("while")
        return DoWhile(body, self._condition(), line)

    def _for(self) -> Stmt:
        line = self.advance().line
        self.expect("(")
        outer, self.no_greater = self.no_greater, 0
        found = self._for_in(line)
        if found is not None:
            self.no_greater = outer
            return found
        start = None if self.tok.kind == ";" else self.simple()
        self.expect(";")
        self.skip_newlines()
        test = None if self.tok.kind == ";" else self.expression()
        self.expect(";")
        self.skip_newlines()
        step = None if self.tok.kind == ")" else self.simple()
        self.expect(")")
        self.no_greater = outer
        if self.tok.kind == ";":
            self.advance()
            return For(start, test, step, Block(()), line)
        return For(start, test, step, self._looped(), line)

    def _for_in(self, line: int) -> Stmt | None:
        """Parse ``variable in array)`` and its body; None if the parentheses contain something else."""
        begin = self.tok.start
        if self.tok.kind != "name" or self.peek().kind != "in":
            return None
        variable = self.primary()
        self.advance()
        if is_lvalue(variable) and self.tok.kind == "name":
            array = self.primary()
            if self.tok.kind == ")":
                self.advance()
                if self.tok.kind == ";":
                    self.advance()
                    return ForIn(variable, array, Block(()), line)
                return ForIn(variable, array, self._looped(), line)
        self.move(begin)
        return None

    def _switch(self) -> Stmt:
        line = self.advance().line
        subject = self._condition()
        self.skip_newlines()
        self.expect("{")
        self.skip_newlines()
        self.switches += 1
        cases: list[Case] = []
        while self.tok.kind != "}":
            word = self.tok
            label = self._label()
            self._check_label(label, cases, word.line)
            body: list[Stmt] = []
            self.skip_terminators()
            while self.tok.kind not in ("case", "default", "}"):
                body.append(self.statement())
                self.skip_terminators()
            cases.append(Case(label, tuple(body)))
        self.switches -= 1
        self.advance()
        return Switch(subject, tuple(cases), line)

    @staticmethod
    def _check_label(label: Expr | None, before: list[Case], line: int) -> None:
        """Refuse a second ``default``, and a second string or number with the same text."""
        text = _spelled(label)
        if isinstance(label, Regex) or all(isinstance(case.label, Regex) or _spelled(case.label) != text for case in before):
            return
        what = f"duplicate case values in switch body: {text}" if label else "duplicate `default' detected in switch body"
        raise AwkError(what, line, kind="error", status=1)

    def _label(self) -> Expr | None:
        word = self.advance()
        if word.kind == "default":
            self.expect(":")
            return None
        if word.kind != "case":
            raise self.lexer.error("syntax error", word.start)
        sign = self.advance().kind if self.tok.kind in ("-", "+") else ""
        if self.tok.kind not in ("number", "string", "/", "/=", "@") or (sign and self.tok.kind != "number"):
            self.fail()
        label = self.primary()
        if not isinstance(label, (Number, String, Regex)):
            self.fail()
        self.expect(":")
        return Unary(sign, label) if sign else label


def _spelled(label: Expr | None) -> str | None:
    """The text of a label that is no regular expression."""
    if isinstance(label, Unary):
        return label.operator.replace("+", "") + (_spelled(label.operand) or "")
    if isinstance(label, Number):
        return f"{label.value:.6g}" if label.value % 1 else f"{label.value:.0f}"
    return label.value if isinstance(label, String) else None
