"""The syntax tree: the vocabulary of the whole interpreter (terms of bash(1) and POSIX XCU 2).

What a script has very many of has an ``__init__`` of its own: mypyc does not compile the one that ``dataclass`` writes.
When it is compiled, it is no concern of the garbage collector either: no node has another one that is around it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from bashkit.syntax.compiling import mypyc_attr

# ---------------------------------------------------------------------------------------------------------------- words


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Literal:
    """Unquoted text."""

    text: str

    def __init__(self, text: str) -> None:
        self.text = text


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Quoted:
    """Text that quoting protects; ``style`` is ``'``, ``\\`` or ``$'``, and ``text`` is what it stands for."""

    text: str
    style: str

    def __init__(self, text: str, style: str = "'") -> None:
        self.text = text
        self.style = style


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class DoubleQuoted:
    """``"…"``, or the translated string ``$"…"``."""

    parts: tuple[WordPart, ...]

    def __init__(self, parts: tuple[WordPart, ...]) -> None:
        self.parts = parts


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class ParameterExpansion:
    """``$name`` or ``${…}``.

    Attributes:
        name: The parameter: a name, digits, or one special character.
        subscript: What stands between brackets, or None.
        operator: ``:-``, ``#``, ``//``, ``:`` (substring), ``@`` …, or empty.
        argument: The word after the operator; the pattern of a substitution; the offset of a substring.
        second: The replacement of a substitution; the length of a substring; how an unknown transformation begins.
        length: ``${#name}``.
        indirect: ``${!name}``.
        listing: ``${!prefix*}`` and ``${!prefix@}`` (the character), or empty.
        source: The text as written, for messages.
    """

    name: str
    subscript: Word | None
    operator: str
    argument: Word | None
    second: Word | None
    length: bool
    indirect: bool
    listing: str
    source: str

    def __init__(
        self,
        name: str,
        subscript: Word | None = None,
        operator: str = "",
        argument: Word | None = None,
        second: Word | None = None,
        length: bool = False,
        indirect: bool = False,
        listing: str = "",
        source: str = "",
    ) -> None:
        self.name = name
        self.subscript = subscript
        self.operator = operator
        self.argument = argument
        self.second = second
        self.length = length
        self.indirect = indirect
        self.listing = listing
        self.source = source


@dataclass(slots=True, unsafe_hash=True)
class CommandSubstitution:
    """``$(…)``, parsed; or backquotes, whose text is parsed when it is expanded."""

    body: Sequence | None
    text: str
    line: int


@dataclass(slots=True, unsafe_hash=True)
class ArithmeticExpansion:
    """``$((…))``; the word is expanded as inside double quotes before it is evaluated."""

    expression: Word


@dataclass(slots=True, unsafe_hash=True)
class ExpressionSubscript:
    """``[…]`` with expansions inside, in an expression: it is expanded by itself, and its text then protected."""

    word: Word


@dataclass(slots=True, unsafe_hash=True)
class ProcessSubstitution:
    """``<(…)`` or ``>(…)``."""

    direction: str
    body: Sequence
    text: str = ""
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class ExtendedGlob:
    """``?(…) *(…) +(…) @(…) !(…)``: the parts between the parentheses, bars included as Literal."""

    operator: str
    parts: tuple[WordPart, ...]


WordPart: TypeAlias = (
    Literal
    | Quoted
    | DoubleQuoted
    | ParameterExpansion
    | CommandSubstitution
    | ArithmeticExpansion
    | ExpressionSubscript
    | ProcessSubstitution
    | ExtendedGlob
)


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Word:
    """A word: its parts in order, and the text as written."""

    parts: tuple[WordPart, ...]
    source: str

    def __init__(self, parts: tuple[WordPart, ...], source: str = "") -> None:
        self.parts = parts
        self.source = source

    @property
    def literal(self) -> str | None:
        """The text when the word is one unquoted literal (or empty), else None."""
        if not self.parts:
            return ""
        if len(self.parts) == 1 and isinstance(self.parts[0], Literal):
            return self.parts[0].text
        return None


@dataclass(slots=True, unsafe_hash=True)
class ArrayElement:
    """One element of an array literal: ``value`` or ``[subscript]=value``."""

    value: Word
    subscript: Word | None = None
    append: bool = False


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Assignment:
    """``name=value``, ``name+=value``, ``name[subscript]=value`` or ``name=(…)``."""

    name: str
    value: Word | tuple[ArrayElement, ...]
    subscript: Word | None
    append: bool
    source: str

    def __init__(
        self,
        name: str,
        value: Word | tuple[ArrayElement, ...],
        subscript: Word | None = None,
        append: bool = False,
        source: str = "",
    ) -> None:
        self.name = name
        self.value = value
        self.subscript = subscript
        self.append = append
        self.source = source


# --------------------------------------------------------------------------------------------------------- redirections


@dataclass(slots=True, unsafe_hash=True)
class HereDocument:
    """The body of a here-document; filled in when the parser reaches the line after the command, and so no part of the hash."""

    delimiter: str
    quoted: bool
    strip_tabs: bool
    body: Word = field(default_factory=lambda: Word(()), hash=False)


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Redirection:
    """``[fd]operator target``; ``variable`` is the name in ``{name}>file``."""

    operator: str
    target: Word
    fd: int | None
    variable: str
    here: HereDocument | None

    def __init__(
        self,
        operator: str,
        target: Word,
        fd: int | None = None,
        variable: str = "",
        here: HereDocument | None = None,
    ) -> None:
        self.operator = operator
        self.target = target
        self.fd = fd
        self.variable = variable
        self.here = here


# ------------------------------------------------------------------------------------------------------------- commands


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class SimpleCommand:
    """Assignments, words and redirections; ``words`` of a declaration builtin may hold Assignments."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word | Assignment, ...]
    redirections: tuple[Redirection, ...]
    line: int
    column: int
    source: str

    def __init__(
        self,
        assignments: tuple[Assignment, ...],
        words: tuple[Word | Assignment, ...],
        redirections: tuple[Redirection, ...],
        line: int,
        column: int,
        source: str = "",
    ) -> None:
        self.assignments = assignments
        self.words = words
        self.redirections = redirections
        self.line = line
        self.column = column
        self.source = source


@dataclass(slots=True, unsafe_hash=True)
class Pipeline:
    """Commands joined by ``|``; ``|&`` is a redirection of the command before it."""

    commands: tuple[Command, ...]
    negated: bool = False
    timed: str = ""  # "", "bash" or "posix" (time -p)
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class AndOr:
    """Pipelines joined by ``&&`` and ``||``, evaluated from the left."""

    first: Command
    rest: tuple[tuple[str, Command], ...]


@dataclass(slots=True, unsafe_hash=True)
class Background:
    """A command followed by ``&``."""

    command: Command
    source: str
    line: int = 0


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Sequence:
    """Commands separated by ``;`` or newlines.

    Attributes:
        commands: Those.
        broken: The indices of commands behind which a line ends; known inside a substitution only, which bash prints so.
    """

    commands: tuple[Command, ...]
    broken: frozenset[int]

    def __init__(self, commands: tuple[Command, ...], broken: frozenset[int] = frozenset()) -> None:
        self.commands = commands
        self.broken = broken


@dataclass(slots=True, unsafe_hash=True)
class Group:
    """``{ …; }``"""

    body: Sequence


@dataclass(slots=True, unsafe_hash=True)
class Subshell:
    """``( … )``"""

    body: Sequence
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class If:
    """``if``/``elif`` branches as (condition, body), and the ``else`` body."""

    branches: tuple[tuple[Sequence, Sequence], ...]
    otherwise: Sequence | None


@dataclass(slots=True, unsafe_hash=True)
class While:
    """``while``, or ``until`` with ``until=True``."""

    condition: Sequence
    body: Sequence
    until: bool = False


@dataclass(slots=True, unsafe_hash=True)
class For:
    """``for name in words``; ``words`` is None when it iterates over the positional parameters."""

    name: str
    words: tuple[Word, ...] | None
    body: Sequence
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class Select:
    """``select name in words``."""

    name: str
    words: tuple[Word, ...] | None
    body: Sequence
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class ArithmeticFor:
    """``for ((initial; condition; step))``."""

    initial: Word
    condition: Word
    step: Word
    body: Sequence
    line: int = 0


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class CaseItem:
    """One clause of ``case``; ``terminator`` is ``;;``, ``;&`` or ``;;&``."""

    patterns: tuple[Word, ...]
    body: Sequence
    terminator: str

    def __init__(self, patterns: tuple[Word, ...], body: Sequence, terminator: str) -> None:
        self.patterns = patterns
        self.body = body
        self.terminator = terminator


@dataclass(slots=True, unsafe_hash=True)
class Case:
    """``case subject in … esac``."""

    subject: Word
    items: tuple[CaseItem, ...]
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class ArithmeticCommand:
    """``((expression))``."""

    expression: Word
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class ConditionalCommand:
    """``[[ expression ]]``."""

    expression: Condition
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class FunctionDefinition:
    """``name () body``.

    Attributes:
        steps: The words, parts of words and commands of the body.
        length: The characters of its text.
        documents: The here-documents whose text follows the definition.
        end: The line where the body ends.
    """

    name: str
    body: Command
    line: int = 0
    steps: int = 0
    length: int = 0
    documents: tuple[HereDocument, ...] = ()
    end: int = 0


@dataclass(slots=True, unsafe_hash=True)
class Coprocess:
    """``coproc [NAME] command``."""

    name: str
    command: Command
    line: int = 0


@dataclass(slots=True, unsafe_hash=True)
class Redirected:
    """A compound command with redirections."""

    command: Command
    redirections: tuple[Redirection, ...]
    line: int = 0


Command: TypeAlias = (
    SimpleCommand
    | Pipeline
    | AndOr
    | Background
    | Sequence
    | Group
    | Subshell
    | If
    | While
    | For
    | Select
    | ArithmeticFor
    | Case
    | ArithmeticCommand
    | ConditionalCommand
    | FunctionDefinition
    | Coprocess
    | Redirected
)

# ------------------------------------------------------------------------------------------------ conditional expressions


@dataclass(slots=True, unsafe_hash=True)
class ConditionWord:
    """A lone word: true when it is not empty."""

    word: Word


@dataclass(slots=True, unsafe_hash=True)
class ConditionUnary:
    """``-f word`` and its kin."""

    operator: str
    operand: Word


@dataclass(slots=True, unsafe_hash=True)
class ConditionBinary:
    """``left == right`` and its kin."""

    operator: str
    left: Word
    right: Word


@dataclass(slots=True, unsafe_hash=True)
class ConditionNot:
    """``! condition``"""

    operand: Condition


@dataclass(slots=True, unsafe_hash=True)
class ConditionGroup:
    """``( condition )``"""

    inner: Condition


@dataclass(slots=True, unsafe_hash=True)
class ConditionLogical:
    """``left && right`` or ``left || right``."""

    operator: str
    left: Condition
    right: Condition


Condition: TypeAlias = ConditionWord | ConditionUnary | ConditionBinary | ConditionNot | ConditionGroup | ConditionLogical
