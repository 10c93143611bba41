"""The tree of an awk program (POSIX XCU awk, Grammar)."""

from __future__ import annotations

from dataclasses import dataclass, field


class AwkError(Exception):
    """Ends an awk program with a message.

    Args:
        message: In gawk's words, without the command's name and the line.
        line: The line of the program, from 1; 0 if unknown.
        kind: ``fatal`` (while running) or ``error``.
        status: The exit status.
        context: The source line and the caret under it, for a syntax error.
        times: How often gawk says it.
    """

    def __init__(
        self,
        message: str,
        line: int = 0,
        *,
        kind: str = "fatal",
        status: int = 2,
        context: tuple[str, int] | None = None,
        times: int = 1,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.kind = kind
        self.status = status
        self.context = context
        self.times = times


class Expr:
    """An expression."""

    __slots__ = ()


@dataclass(slots=True, unsafe_hash=True)
class Number(Expr):
    """A numeric constant."""

    value: float


@dataclass(slots=True, unsafe_hash=True)
class String(Expr):
    """A string constant, its escapes resolved."""

    value: str


@dataclass(slots=True, unsafe_hash=True)
class Regex(Expr):
    """``/text/``: alone it matches ``$0``; ``strong`` is gawk's ``@/text/``."""

    text: str
    strong: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Name(Expr):
    """A variable, parameter or array."""

    name: str
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class Index(Expr):
    """``base[subscripts]``; the base is a Name, or an Index for an array inside an array."""

    base: Expr
    subscripts: tuple[Expr, ...]


@dataclass(slots=True, unsafe_hash=True)
class Field(Expr):
    """``$number``."""

    number: Expr


@dataclass(slots=True, unsafe_hash=True)
class Assign(Expr):
    """``target = value``, or with ``operator`` one of ``+ - * / % ^``."""

    operator: str
    target: Expr
    value: Expr


@dataclass(slots=True, unsafe_hash=True)
class Increment(Expr):
    """``++x``, ``x--`` and the like; ``delta`` is 1 or -1."""

    target: Expr
    delta: int
    prefix: bool


@dataclass(slots=True, unsafe_hash=True)
class Conditional(Expr):
    """``test ? yes : no``."""

    test: Expr
    yes: Expr
    no: Expr


@dataclass(slots=True, unsafe_hash=True)
class Logic(Expr):
    """``and`` or ``or`` of several operands."""

    operator: str
    operands: tuple[Expr, ...]


@dataclass(slots=True, unsafe_hash=True)
class In(Expr):
    """``(subscripts) in array``."""

    subscripts: tuple[Expr, ...]
    array: Expr


@dataclass(slots=True, unsafe_hash=True)
class Match(Expr):
    """``text ~ pattern``."""

    text: Expr
    pattern: Expr
    negated: bool


@dataclass(slots=True, unsafe_hash=True)
class Compare(Expr):
    """``left < right`` and the like."""

    operator: str
    left: Expr
    right: Expr


@dataclass(slots=True, unsafe_hash=True)
class Concat(Expr):
    """Strings beside each other."""

    parts: tuple[Expr, ...]


@dataclass(slots=True, unsafe_hash=True)
class Binary(Expr):
    """Arithmetic: ``+ - * / % ^``."""

    operator: str
    left: Expr
    right: Expr


@dataclass(slots=True, unsafe_hash=True)
class Unary(Expr):
    """``-x``, ``+x`` or ``!x``."""

    operator: str
    operand: Expr


@dataclass(slots=True, unsafe_hash=True)
class Group(Expr):
    """``(x)``: kept, because it decides how ``print`` and concatenation read."""

    inner: Expr


@dataclass(slots=True, unsafe_hash=True)
class Grouping(Expr):
    """``(a, b)``: the arguments of ``print``, or subscripts before ``in``."""

    items: tuple[Expr, ...]


@dataclass(slots=True, unsafe_hash=True)
class Call(Expr):
    """A call of a function of the program; ``indirect`` calls the one whose name a variable holds."""

    name: str
    arguments: tuple[Expr, ...]
    line: int
    indirect: bool = False


@dataclass(slots=True, unsafe_hash=True)
class Builtin(Expr):
    """A call of a function of awk."""

    name: str
    arguments: tuple[Expr, ...]
    line: int


@dataclass(slots=True, unsafe_hash=True)
class Getline(Expr):
    """``getline``; ``kind`` is ``main``, ``file``, ``command`` or ``coprocess``."""

    kind: str
    target: Expr | None
    source: Expr | None = None


class Stmt:
    """A statement."""

    __slots__ = ()


@dataclass(slots=True, unsafe_hash=True)
class Block(Stmt):
    """``{ … }``."""

    body: tuple[Stmt, ...]


@dataclass(slots=True, unsafe_hash=True)
class Simple(Stmt):
    """An expression as a statement."""

    value: Expr
    line: int


@dataclass(slots=True, unsafe_hash=True)
class Print(Stmt):
    """``print`` or ``printf``; ``redirection`` is "", ``>``, ``>>``, ``|`` or ``|&``."""

    arguments: tuple[Expr, ...]
    line: int
    formatted: bool = False
    redirection: str = ""
    destination: Expr | None = None


@dataclass(slots=True, unsafe_hash=True)
class If(Stmt):
    """``if``."""

    test: Expr
    yes: Stmt
    no: Stmt | None
    line: int


@dataclass(slots=True, unsafe_hash=True)
class While(Stmt):
    """``while``."""

    test: Expr
    body: Stmt
    line: int


@dataclass(slots=True, unsafe_hash=True)
class DoWhile(Stmt):
    """``do … while``."""

    body: Stmt
    test: Expr
    line: int


@dataclass(slots=True, unsafe_hash=True)
class For(Stmt):
    """``for (start; test; step)``."""

    start: Stmt | None
    test: Expr | None
    step: Stmt | None
    body: Stmt
    line: int


@dataclass(slots=True, unsafe_hash=True)
class ForIn(Stmt):
    """``for (variable in array)``."""

    variable: Expr
    array: Expr
    body: Stmt
    line: int


@dataclass(slots=True, unsafe_hash=True)
class Case:
    """One ``case``; ``label`` is None for ``default``."""

    label: Expr | None
    body: tuple[Stmt, ...]


@dataclass(slots=True, unsafe_hash=True)
class Switch(Stmt):
    """``switch``."""

    subject: Expr
    cases: tuple[Case, ...]
    line: int


@dataclass(slots=True, unsafe_hash=True)
class Jump(Stmt):
    """``break``, ``continue``, ``next`` or ``nextfile``."""

    word: str
    line: int


@dataclass(slots=True, unsafe_hash=True)
class Leave(Stmt):
    """``exit`` or ``return`` with its value."""

    word: str
    value: Expr | None
    line: int


@dataclass(slots=True, unsafe_hash=True)
class Delete(Stmt):
    """``delete array`` or, with an Index, one element."""

    target: Expr
    line: int


@dataclass(slots=True, unsafe_hash=True)
class Rule:
    """``pattern { action }``.

    Attributes:
        kind: ``BEGIN``, ``END``, ``BEGINFILE``, ``ENDFILE`` or ``record``.
        pattern: None for every record.
        until: The second pattern of a range.
        action: None prints the record.
    """

    kind: str
    pattern: Expr | None
    until: Expr | None
    action: Block | None
    line: int


@dataclass(slots=True)
class Function:
    """A function of the program."""

    name: str
    parameters: tuple[str, ...]
    body: Block
    line: int


@dataclass(slots=True)
class Program:
    """A whole program."""

    rules: list[Rule] = field(default_factory=list)
    functions: dict[str, Function] = field(default_factory=dict)

    def last_line(self) -> int:
        """The line that has most likely run when the next file is opened: the end of the last rule for records, or of BEGIN."""
        rules = [rule for rule in self.rules if rule.kind == "record"] or [rule for rule in self.rules if rule.kind == "BEGIN"]
        line, rest = (rules[-1].line, rules[-1].action) if rules else (0, None)
        statement: Stmt | None = rest
        while statement is not None:
            line = getattr(statement, "line", line)
            if isinstance(statement, Block):
                statement = statement.body[-1] if statement.body else None
            else:
                statement = (statement.no or statement.yes) if isinstance(statement, If) else None
        return line
