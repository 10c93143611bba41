"""Arithmetic expressions: text to a tree (bash(1), ARITHMETIC EVALUATION)."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.interp.runtime.control import ExpansionError
from bashkit.limits import turn
from bashkit.syntax.digits import is_digits
from bashkit.syntax.source import BLANKS

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(
    r"[ \t\n]*+(?:(?P<number>[0-9][0-9A-Za-z_@#]*)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<operand>\x01[0-9]+\x01)"
    r"|(?P<operator><<=|>>=|\*\*|\+\+|--|<=|>=|==|!=|&&|\|\||<<|>>|[-+*/%&^|]=|[-+*/%<>=!~&^|?:,()])|(?P<bad>.))",
    re.DOTALL,
)
_IN_SUBSCRIPT = re.compile(r"""\\.|'[^']*+'|"(?>[^"\\]|\\.)*+"|[\[\]'"\\]""", re.DOTALL)  # brackets, and quoting around them
_NAME_FOLLOWS = re.compile(r"[ \t\n]*[A-Za-z_]")
_DIGITS = {
    **{str(n): n for n in range(10)},
    **{chr(97 + n): 10 + n for n in range(26)},
    **{chr(65 + n): 36 + n for n in range(26)},
}
_DIGITS |= {"@": 62, "_": 63}
_LEVELS: tuple[frozenset[str], ...] = tuple(
    frozenset(level.split()) for level in ("|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %")
)
_FOLDING: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_ASSIGNING = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=", ">>="])
_MAX_DEPTH = 200  # parentheses inside each other


# ------------------------------------------------------------------------------------------------------------------- tree


@dataclass(slots=True, frozen=True)
class Number:
    """A constant."""

    value: int


@dataclass(slots=True, frozen=True)
class Operand:
    """A place for a number that is known when the expression is evaluated."""

    index: int


@dataclass(slots=True, frozen=True)
class Name:
    """A variable, or an element of an array.

    Attributes:
        name: Its name.
        subscript: The text between the brackets, or None.
    """

    name: str
    subscript: str | None = None


@dataclass(slots=True, frozen=True)
class Unary:
    """``! ~ -`` before an operand."""

    operator: str
    operand: Expression


@dataclass(slots=True, frozen=True)
class Binary:
    """Two operands and what combines them.

    Attributes:
        operator: ``+ - * / % ** << >> < > <= >= == != & ^ |``.
        left: The first operand.
        right: The second operand.
        rest: The expression's text from the token on which bash blames a bad second operand.
    """

    operator: str
    left: Expression
    right: Expression
    rest: str = ""


@dataclass(slots=True, frozen=True)
class Logical:
    """``&&`` and ``||``: the right side is evaluated only where the left does not decide."""

    operator: str
    left: Expression
    right: Expression


@dataclass(slots=True, frozen=True)
class Conditional:
    """``test ? yes : no``"""

    test: Expression
    yes: Expression
    no: Expression


@dataclass(slots=True, frozen=True)
class Assign:
    """``target = value`` or ``target op= value``.

    Attributes:
        target: What is assigned.
        operator: The binary operator before ``=``, or "".
        value: The new value, or the operator's right side.
        rest: As for Binary.
    """

    target: Name
    operator: str
    value: Expression
    rest: str = ""


@dataclass(slots=True, frozen=True)
class Step:
    """``++`` and ``--``.

    Attributes:
        target: What is stepped.
        by: 1 or -1.
        before: The value of the expression is the new one.
    """

    target: Name
    by: int
    before: bool


@dataclass(slots=True, frozen=True)
class Comma:
    """``left, right``"""

    left: Expression
    right: Expression


@dataclass(slots=True, frozen=True)
class Refusal:
    """Where an expression stops to be one: bash complains when it gets there, after what it has evaluated before.

    Attributes:
        message: The complaint.
    """

    message: str


Expression = Number | Operand | Name | Unary | Binary | Logical | Conditional | Assign | Step | Comma | Refusal
ZERO = Number(0)


# ---------------------------------------------------------------------------------------------------------------- numbers


def wrap(number: int) -> int:
    """The number as a signed 64-bit integer."""
    return ((number + 0x8000000000000000) & 0xFFFFFFFFFFFFFFFF) - 0x8000000000000000


def whole_number(text: str) -> int:
    """Decimal digits, maybe with a sign, as an integer; what a C long cannot hold becomes its largest value."""
    if len(text) < 19:
        return int(text)
    digits = text.lstrip("+-0") or "0"
    number = min(int(digits[:20]), 0x7FFFFFFFFFFFFFFF)
    return -number if text[0] == "-" else number


def parse_integer(token: str) -> int:
    """A constant: decimal, 0octal, 0xhex or base#digits.

    Raises:
        ValueError: With bash's words for what is wrong.
    """
    if is_digits(token) and token[0] != "0":
        return wrap(int(token[:40]))
    if "#" in token:
        base_text, _, digits = token.partition("#")
        base = int(base_text) if is_digits(base_text) else 0
        if base_text[0] == "0":
            octal = is_digits(base_text) and ("8" in base_text or "9" in base_text)
            raise ValueError("value too great for base" if octal else "invalid number")
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


# ----------------------------------------------------------------------------------------------------------------- parser


def parse_expression(text: str, *, template: bool = False) -> Expression:
    """The tree of an expression; an empty one is 0.

    Args:
        text: The expression.
        template: In it ``\\x01N\\x01`` stands for operand N.

    Raises:
        ExpansionError: The text is not an expression; the message is bash's.
    """
    return _Parser(text, template=template).parse()


def parse_refused(text: str) -> Expression:
    """The tree of what is no expression: what bash evaluates before it finds that out, and then the refusal."""
    parser = _Parser(text, template=False, recovers=True)
    tree = parser.parse()
    return tree if parser.refusal is None else Comma(tree, parser.refusal)


def _folded(sign: str, left: Expression, right: Expression) -> Number | None:
    """The sum, difference or product of two numbers; a long row of them (``seq -s+ 10000``) is then no deep tree."""
    if sign not in _FOLDING or not isinstance(left, Number) or not isinstance(right, Number):
        return None
    return Number(wrap(_FOLDING[sign](left.value, right.value)))


class _Parser:
    """Parses by precedence climbing.

    Args:
        text: The expression.
        template: As for parse_expression.
        recovers: A mistake is a Refusal in the tree, with which the text ends; otherwise it is raised.
    """

    def __init__(self, text: str, *, template: bool, recovers: bool = False) -> None:
        self.recovers = recovers
        self.refusal: Refusal | None = None
        self.text = text
        self.template = template
        self.position = 0
        self.kind: str | None = None
        self.token = ""
        self.start = 0
        self.last = 0
        self.depth = 0
        self.next()

    def next(self) -> None:
        """Step to the next token; kind None at the end."""
        turn()
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

    def fail(self, message: str, start: int | None = None) -> Refusal:
        """Refuse the expression at a token, or at what bash finds before: a malformed number, or a bad character behind names."""
        position, kind, token, begin, last = self.position, self.kind, self.token, self.start, self.last
        while self.kind == "name":
            self.target()
        if self.kind == "number":
            self.number()
        if self.refusal is not None:
            return self.refusal
        self.position, self.kind, self.token, self.start, self.last = position, kind, token, begin, last
        return self.refuse(blame(self.text, message, self.text[self.start if start is None else start :]))

    def missing(self, message: str) -> Refusal:
        """Refuse the expression where something else should stand; characters that are no operator are told of first."""
        if self.kind == "bad":
            return self._unknown()
        return self.fail(message, self.start if self.kind else self.last)

    def refuse(self, message: str) -> Refusal:
        """Raise a complaint, or note it and end the text."""
        if not self.recovers:
            raise ExpansionError(message)
        self.refusal = self.refusal or Refusal(message)
        self.start = self.position = len(self.text)
        self.kind = None
        return self.refusal

    def parse(self) -> Expression:
        """The whole expression."""
        if self.kind is None:
            return ZERO
        tree = self.comma()
        if self.kind is not None:
            if self.kind in {"bad", "operand"}:
                self._unknown()
            self.fail("syntax error in expression")
        return tree

    def _unknown(self) -> Refusal:
        """Refuse characters that are no operator; behind a parenthesis bash looks for an operand (undocumented)."""
        closed = self.text.startswith(")", self.last)
        return self.fail(f"syntax error: {'operand expected' if closed else 'invalid arithmetic operator'}")

    def take(self, token: str) -> bool:
        """Step over an operator if it comes now."""
        if self.kind == "operator" and self.token == token:
            self.next()
            return True
        return False

    def rest(self) -> str:
        """The text from the current token on; the last token at the end."""
        return self.text[self.start if self.kind else self.last :]

    def deeper(self) -> None:
        """Enter a nested operand."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            self.fail("expression recursion level exceeded")

    def comma(self) -> Expression:
        """``a, b``"""
        left = self.assignment()
        while self.take(","):
            left = Comma(left, self.assignment())
        return left

    def assignment(self) -> Expression:
        """``name op= value`` or a conditional."""
        if self.kind == "name":
            saved = (self.position, self.kind, self.token, self.start, self.last)
            target = self.target()
            if self.kind == "operator" and self.token in _ASSIGNING:
                operator = self.token[:-1]
                self.next()
                value = self.assignment()
                if self.refusal is not None:  # nothing is assigned that is no expression
                    return Comma(value, self.refusal)
                return Assign(target, operator, value, self.rest())
            self.position, self.kind, self.token, self.start, self.last = saved
        value = self.conditional()
        if self.kind == "operator" and self.token in _ASSIGNING:
            return Comma(value, self.fail("attempted assignment to non-variable"))
        return value

    def target(self) -> Name:
        """A name with its subscript's text."""
        name = self.token
        if self.text[self.position : self.position + 1] == "[":
            end = subscript_end(self.text, self.position)
            if end > 0:
                subscript = self.text[self.position + 1 : end]
                self.position = end + 1
                self.read_on()
                return Name(name, subscript)
            self.refuse(blame(self.text, "bad array subscript", self.text[self.start :]))
        self.read_on()
        return Name(name)

    def read_on(self) -> None:
        """Step to the token behind an operand; what is no token is refused before anything is done with that."""
        self.next()
        if self.kind == "bad":
            self._unknown()

    def conditional(self) -> Expression:
        """``a ? b : c``"""
        test = self.logical_or()
        if not self.take("?"):
            return test
        if self.kind is None or (self.kind == "operator" and self.token == ":"):
            self.fail("expression expected", self.start if self.kind else self.last)
        yes = self.comma()
        if not self.take(":"):
            missing = self.missing("`:' expected for conditional expression")
            return Comma(Conditional(test, yes, ZERO), missing)
        if self.kind is None:
            self.fail("expression expected", self.last)
        return Conditional(test, yes, self.conditional())

    def logical_or(self) -> Expression:
        """``a || b``"""
        left = self.logical_and()
        while self.take("||"):
            left = Logical("||", left, self.logical_and())
        return left

    def logical_and(self) -> Expression:
        """``a && b``"""
        left = self.binary(0)
        while self.take("&&"):
            left = Logical("&&", left, self.binary(0))
        return left

    def binary(self, level: int) -> Expression:
        """The left-associative operators from ``level`` up."""
        if level == len(_LEVELS):
            return self.power()
        left = self.binary(level + 1)
        while self.kind == "operator" and self.token in _LEVELS[level]:
            sign = self.token
            self.next()
            rest = self.text[self.start :] if sign in {"/", "%"} else ""
            right = self.binary(level + 1)
            left = _folded(sign, left, right) or Binary(sign, left, right, rest)
        return left

    def power(self) -> Expression:
        """``a ** b``, right-associative."""
        base = self.unary()
        if not (self.kind == "operator" and self.token == "**"):
            return base
        self.next()
        return Binary("**", base, self.power(), self.rest())

    def unary(self) -> Expression:
        """``! ~ + -`` and the prefix steps."""
        if self.kind != "operator":
            return self.postfix()
        sign = self.token
        if sign in {"++", "--"}:
            if _NAME_FOLLOWS.match(self.text, self.position):
                self.next()
                step = Step(self.target(), 1 if sign == "++" else -1, before=True)
                if self.kind == "operator" and self.token in {"++", "--"}:
                    return Comma(step, self.fail(f"{self.token}: assignment requires lvalue"))
                return step
            self.token = sign = sign[0]  # ++5 and +++i: a sign, and what stands behind it
            self.position -= 1
        if sign not in {"!", "~", "+", "-"}:
            return self.postfix()
        self.deeper()
        self.next()
        operand = self.unary()
        self.depth -= 1
        return operand if sign == "+" else Unary(sign, operand)

    def postfix(self) -> Expression:
        """A primary, maybe followed by ``++`` or ``--``."""
        if self.kind != "name":
            operand = self.primary()
            self.split_signs()
            return operand
        target = self.target()
        if self.refusal is not None:
            return self.refusal
        if self.kind == "operator" and self.token in {"++", "--"}:
            by = 1 if self.token == "++" else -1
            self.next()
            self.split_signs()
            return Step(target, by, before=False)
        return target

    def split_signs(self) -> None:
        """Take ``++`` or ``--`` behind an operand for two signs where no name follows: ``5--3``, ``i++--3``."""
        if self.kind == "operator" and self.token in {"++", "--"} and not _NAME_FOLLOWS.match(self.text, self.position):
            self.token = self.token[0]
            self.position -= 1

    def primary(self) -> Expression:
        """A number, a parenthesis, or a template's operand."""
        kind, token, start = self.kind, self.token, self.start
        if kind == "number":
            return self.number()
        if kind == "operand" and self.template:
            self.next()
            return Operand(int(token[1:-1]))
        if kind == "operator" and token == "(":
            self.deeper()
            self.next()
            inner = self.comma()
            if self.kind == "operator" and self.token == ")":
                self.read_on()
            else:
                inner = Comma(inner, self.missing("missing `)'"))
            self.depth -= 1
            return inner
        return self.fail("syntax error: operand expected", self.last if kind is None else start)

    def number(self) -> Expression:
        """A constant; of an expression with a malformed one bash shows what stands before its end."""
        try:
            number = parse_integer(self.token)
        except ValueError as error:
            return self.refuse(blame(self.text[: self.start + len(self.token)], str(error), self.token))
        self.read_on()
        return Number(number)


def subscript_end(text: str, start: int) -> int:
    """The position of the bracket that closes the one at ``start``, quotes respected; -1 when there is none."""
    depth = 0
    for match in _IN_SUBSCRIPT.finditer(text, start):
        turn()
        character = match.group()
        depth += (character == "[") - (character == "]")
        if depth == 0:
            return match.start()
        if character in {"'", '"', "\\"}:  # not closed
            break
    return -1


def blame(text: str, message: str, rest: str) -> str:
    """Bash's message about an expression and the token at which it went wrong."""
    return f'{text.lstrip(BLANKS)}: {message} (error token is "{rest}")'
