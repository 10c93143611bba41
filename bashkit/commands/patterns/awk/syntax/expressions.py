"""Parses the expressions of awk (POSIX XCU awk, Expressions in awk), from the loosest operator to the tightest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from bashkit.commands.patterns.awk.syntax.lexer import Lexer, Token
from bashkit.commands.patterns.awk.syntax.signatures import BUILTINS
from bashkit.commands.patterns.awk.syntax.tree import (
    Assign,
    AwkError,
    Binary,
    Builtin,
    Call,
    Compare,
    Concat,
    Conditional,
    Expr,
    Field,
    Function,
    Getline,
    Group,
    Grouping,
    In,
    Increment,
    Index,
    Logic,
    Match,
    Name,
    Number,
    Regex,
    String,
    Unary,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_ASSIGNMENTS = {"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "^=": "^"}
_COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")
_LIST_ENDS = frozenset([">", ">>", "|", "|&", ";", "\n", "}", "end"])  # what may stand behind the list of ``print``
_STARTS = ("number", "string", "name", "call", "$", "(", "!", "-", "+", "++", "--", "@")
_MAX_DEPTH = 150  # the nesting that Python's compiler accepts in the generated code


def is_lvalue(expr: Expr) -> bool:
    """Whether an expression can be assigned to."""
    return isinstance(expr, (Name, Index, Field))


def _is_constant(expr: Expr) -> bool:
    """Whether gawk computes an expression while it parses; ``sub`` then takes it for its target, and changes nothing."""
    match expr:
        case Unary(operand=operand):
            return _is_constant(operand)
        case Binary(left=left, right=right):
            return _is_constant(left) and _is_constant(right)
        case Concat(parts=parts):
            return all(_is_constant(part) for part in parts)
    return isinstance(expr, (Number, String))


class ExpressionParser:
    """Parses expressions from a token stream with one current token.

    Attributes:
        tok: The current token.
        list_start: Where an expression of ``print`` begins, which may be a list in parentheses.
        no_greater: Above 0 where ``>`` redirects (inside ``print`` and outside parentheses).
        calls: Every call of a function of the program.
        spaced: Names followed by a blank and ``(``, for a message.
        depth: How deeply expressions and statements are nested.
        rule: The kind of the rule that is parsed; empty in a function.
        function: The function that is parsed.
    """

    def __init__(self, text: str) -> None:
        self.warnings: list[tuple[int, str]] = []
        self.lexer = Lexer(text, self.warnings)
        self.tok = self.lexer.token(0)
        self.no_greater = 0
        self.list_start = -1
        self.calls: list[Call] = []
        self.spaced: list[tuple[str, int]] = []
        self.depth = 0
        self.rule = ""
        self.function: Function | None = None
        self._operand = -1  # where the innermost operand of a comparison begins

    # -- tokens ---------------------------------------------------------------------------------------------------------

    def advance(self) -> Token:
        """Take the current token."""
        token = self.tok
        self.tok = self.lexer.token(token.end)
        return token

    def peek(self) -> Token:
        """The token after the current one."""
        known = len(self.warnings)
        token = self.lexer.token(self.tok.end)
        del self.warnings[known:]
        return token

    def move(self, index: int) -> None:
        """Return to an index."""
        self.tok = self.lexer.token(index)

    def fail(self) -> NoReturn:
        """Report a syntax error at the current token."""
        ended = self.tok.kind in ("end", "\n")
        raise self.lexer.error("unexpected newline or end of string" if ended else "syntax error", self.tok.start)

    def expect(self, kind: str) -> None:
        """Take a token of a kind."""
        matches = self.tok.kind == kind or (kind == "(" and self.tok.kind == "(")
        if not matches:
            self.fail()
        self.advance()

    def skip_newlines(self) -> None:
        """Skip newlines where the grammar allows them."""
        while self.tok.kind == "\n":
            self.advance()

    def skip_terminators(self) -> None:
        """Skip newlines and semicolons."""
        while self.tok.kind in ("\n", ";"):
            self.advance()

    def nest(self) -> None:
        """Enter a nesting level; the caller leaves it."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise AwkError("program nested too deeply", self.tok.line)

    def inside(self, parse: Callable[[], Expr]) -> Expr:
        """Parse the content of parentheses, where ``>`` compares again."""
        outer, self.no_greater = self.no_greater, 0
        found = parse()
        self.no_greater = outer
        return found

    # -- operators ------------------------------------------------------------------------------------------------------

    def expression(self, *, grouping: bool = False) -> Expr:
        """Parse a whole expression.

        Args:
            grouping: Whether the ``(a, b)`` of ``print`` is allowed.
        """
        self.nest()
        test = self._or()
        if self.tok.kind == "?":
            self.advance()
            self.skip_newlines()
            yes = self.expression()
            self.skip_newlines()
            self.expect(":")
            self.skip_newlines()
            # A chain of conditionals counts as one nesting level.
            self.depth -= 1
            test = Conditional(test, yes, self.expression())
            self.depth += 1
        self.depth -= 1
        if isinstance(test, Grouping) and not grouping:
            self.fail()
        return test

    def _or(self) -> Expr:
        return self._logic("||", "or", self._and)

    def _and(self) -> Expr:
        return self._logic("&&", "and", self._in)

    def _logic(self, symbol: str, operator: str, operand: Callable[[], Expr]) -> Expr:
        first = operand()
        if self.tok.kind != symbol:
            return first
        operands = [first]
        while self.tok.kind == symbol:
            self.advance()
            self.skip_newlines()
            operands.append(operand())
        return Logic(operator, tuple(operands))

    def _in(self) -> Expr:
        left = self._match()
        while self.tok.kind == "in":
            left = self._matched(self._compared(self._element((left,))))
        return left

    def _match(self) -> Expr:
        return self._matched(self._compare())

    def _matched(self, left: Expr) -> Expr:
        while self.tok.kind in ("~", "!~"):
            negated = self.advance().kind == "!~"
            left = Match(left, self._compare(), negated)
        return left

    def _compare(self) -> Expr:
        return self._compared(self.concatenation())

    def _compared(self, left: Expr) -> Expr:
        if self._compares():
            left = Compare(self.advance().kind, left, self.concatenation())
            if self._compares():  # `a < b < c` means nothing
                self.fail()
        return left

    def _compares(self) -> bool:
        kind = self.tok.kind
        return kind in _COMPARISONS and not (kind == ">" and self.no_greater > 0)

    def concatenation(self, *, pipes: bool = True) -> Expr:
        """Parse concatenated sums, and ``command | getline``.

        Args:
            pipes: Whether a ``|`` may lead to ``getline``.
        """
        self._operand = self.tok.start
        parts: list[Expr] = [self._sum()]
        while True:
            kind = self.tok.kind
            if kind in ("|", "|&") and pipes and not self.no_greater and self.peek().kind == "getline":
                self.advance()
                self.advance()
                source = parts[0] if len(parts) == 1 else Concat(tuple(parts))
                way = "command" if kind == "|" else "coprocess"
                parts = [self._sum(Getline(way, self._getline_target(), source))]
            elif kind in _STARTS and kind not in ("-", "+") and not isinstance(parts[-1], Grouping):
                parts.append(self._sum())
            else:
                return parts[0] if len(parts) == 1 else Concat(tuple(parts))

    def _sum(self, first: Expr | None = None) -> Expr:
        left = self._product(first)
        while self.tok.kind in ("+", "-"):
            operator = self.advance().kind
            left = Binary(operator, left, self._product())
        return left

    def _product(self, first: Expr | None = None) -> Expr:
        left = first or self._unary()
        while self.tok.kind in ("*", "/", "%"):
            operator = self.advance().kind
            left = Binary(operator, left, self._unary())
        return left

    def _unary(self) -> Expr:
        if self.tok.kind in ("!", "-", "+"):
            self.nest()
            operator = self.advance().kind
            found = Unary(operator, self._unary())
            self.depth -= 1
            return found
        return self._power()

    def _power(self) -> Expr:
        base = self._postfix()
        if self.tok.kind != "^":
            return base
        self.advance()
        self.nest()
        exponent = self._unary()
        self.depth -= 1
        return Binary("^", base, exponent)

    def _postfix(self) -> Expr:
        begins = self.tok.start == self._operand
        found = self.primary()
        if not is_lvalue(found):
            return found
        kind = self.tok.kind
        if kind in ("++", "--"):
            self.advance()
            return Increment(found, 1 if kind == "++" else -1, prefix=False)
        if kind in _ASSIGNMENTS and begins:  # behind `1 +` or another string nothing is assigned
            self.advance()
            self.skip_newlines()
            return Assign(_ASSIGNMENTS[kind], found, self.expression())
        return found

    # -- operands -------------------------------------------------------------------------------------------------------

    def primary(self) -> Expr:
        """Parse an operand without the operators after it."""
        token = self.tok
        kind = token.kind
        if kind == "number":
            self.advance()
            return Number(token.value)
        if kind == "string":
            return self._string()
        if kind in ("/", "/="):
            return self._regex(token.start)
        if kind == "$":
            return self._field()
        if kind in ("++", "--"):
            self.advance()
            operand = self.primary()
            if not is_lvalue(operand):
                self.fail()
            return Increment(operand, 1 if kind == "++" else -1, prefix=True)
        if kind in ("name", "call"):
            return self._name()
        if kind == "(":
            return self._group()
        if kind == "getline":
            self.advance()
            target = self._getline_target()
            if self.tok.kind != "<":
                if self.rule in ("BEGINFILE", "ENDFILE"):
                    message = f"non-redirected `getline' invalid inside `{self.rule}' rule"
                    raise AwkError(message, token.line, kind="error", status=1)
                return Getline("main", target)
            self.advance()
            return Getline("file", target, self._source())
        if kind == "@":
            return self._at()
        return self.fail()

    def _string(self) -> Expr:
        return String(self.advance().text)

    def _regex(self, start: int, *, strong: bool = False) -> Expr:
        token = self.lexer.regex(start)
        self.tok = self.lexer.token(token.end)
        return Regex(token.text, strong)

    def _at(self) -> Expr:
        """Parse ``@/regex/`` or the indirect call ``@name(…)``."""
        following = self.peek()
        if following.kind in ("/", "/="):
            return self._regex(following.start, strong=True)
        self.advance()
        if self.tok.kind != "call":
            self.fail()
        name = self.advance()
        return self._call(name, indirect=True)

    def _call(self, name: Token, *, indirect: bool = False) -> Call:
        arguments = self._arguments()
        self.advance()
        for number, argument in enumerate(arguments, 1):
            if isinstance(argument, Regex) and not argument.strong:
                self.warnings.append((name.line, f"regexp constant for parameter #{number} yields boolean value"))
        call = Call(name.text, arguments, name.line, indirect)
        self.calls.append(call)
        return call

    def _field(self) -> Expr:
        self.advance()
        self.nest()
        number = self._unary() if self.tok.kind in ("-", "+", "!") else self.primary()
        if isinstance(number, Field) and self.tok.kind in ("++", "--"):  # `$$1++` is `$($1++)`
            number = Increment(number, 1 if self.advance().kind == "++" else -1, prefix=False)
        self.depth -= 1
        return Field(Number(number.value // 1) if isinstance(number, Number) and number.value - number.value == 0 else number)

    def _source(self) -> Expr:
        """Parse the file of ``getline <``: one operand, so that a concatenation is not part of it."""
        found = self.primary()
        if is_lvalue(found) and self.tok.kind in ("++", "--"):
            return Increment(found, 1 if self.advance().kind == "++" else -1, prefix=False)
        return found

    def _getline_target(self) -> Expr | None:
        if self.tok.kind == "$" or (self.tok.kind == "name" and self.tok.text not in BUILTINS):
            return self.primary()
        return None

    def _group(self) -> Expr:
        start = self.advance().start
        self.nest()
        self.skip_newlines()
        outer, self.no_greater = self.no_greater, 0
        items = [self.expression()]
        while self.tok.kind == ",":
            self.advance()
            self.skip_newlines()
            items.append(self.expression())
        self.skip_newlines()
        self.no_greater = outer
        self.expect(")")
        self.depth -= 1
        if len(items) == 1:
            return Group(items[0])
        if self.tok.kind == "in":
            return self._element(tuple(items))
        if start != self.list_start or self.tok.kind not in _LIST_ENDS:
            self.fail()
        return Grouping(tuple(items))

    def _element(self, subscripts: tuple[Expr, ...]) -> Expr:
        """Parse ``in array``."""
        self.advance()
        if self.tok.kind != "name":
            self.fail()
        return In(subscripts, self.primary())

    def _arguments(self) -> tuple[Expr, ...]:
        self.expect("(")
        outer, self.no_greater = self.no_greater, 0
        self.skip_newlines()
        items: list[Expr] = []
        while self.tok.kind != ")":
            items.append(self.expression())
            self.skip_newlines()
            if self.tok.kind != ",":
                break
            self.advance()
            self.skip_newlines()
        self.no_greater = outer
        if self.tok.kind != ")":
            self.fail()
        return tuple(items)

    def _name(self) -> Expr:
        token = self.advance()
        name = token.text
        if name in BUILTINS:
            return self._builtin(token)
        own = self.function is not None and name in self.function.parameters
        if token.kind == "call" and own:
            raise AwkError(f"attempt to use non-function `{name}' in function call", token.line, kind="error", status=1)
        if token.kind == "call":
            return self._call(token)
        found: Expr = Name(name, token.line)
        if self.tok.kind == "(" and not own:
            self.spaced.append((name, token.line))
        while self.tok.kind == "[":
            self.advance()
            subscripts = [self.expression()]
            while self.tok.kind == ",":
                self.advance()
                self.skip_newlines()
                subscripts.append(self.expression())
            self.expect("]")
            found = Index(found, tuple(subscripts))
        return found

    def _builtin(self, token: Token) -> Expr:
        name = token.text
        if self.tok.kind != "(":
            if name == "length":
                return Builtin("length", (), token.line)
            self.fail()
        arguments = self._arguments()
        fewest, most = BUILTINS[name]
        if not fewest <= len(arguments) <= most:
            raise self.lexer.error(f"{len(arguments)} is invalid as number of arguments for {name}", self.tok.start)
        if name in ("sub", "gsub") and not all(is_lvalue(target) or _is_constant(target) for target in arguments[2:]):
            raise self.lexer.error(f"{name} third parameter is not a changeable object", self.tok.start)
        self.advance()
        return Builtin(name, arguments, token.line)
