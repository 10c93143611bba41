"""Parses jq programs to a tree (jq 1.8 manual), for those who must know what a program reads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bashkit.regex.cache import for_short_texts

_TOKEN = re.compile(
    r"""(?:[ \t\r\n]|\#[^\n]*)*(?:
    (?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?)
  | (?P<field>\.[A-Za-z_]\w*)
  | (?P<variable>\$(?:\w+::)*[A-Za-z_]\w*)
  | (?P<format>@\w+)
  | (?P<name>(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*)
  | (?P<sign>\?//=?|//=|\|=|[-+*/%]=|==|!=|<=|>=|//|\.\.|[-+*/%|<>=,.:;()\[\]{}?"])
  | (?P<end>\Z)
    )""",
    re.VERBOSE | re.ASCII,
)
_CHUNK = re.compile(r'[^"\\]+')
_ESCAPE = re.compile(r'\\(?:(?P<letter>["\\/bfnrt])|u(?P<code>[0-9a-fA-F]{4})|(?P<inner>\())')
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ASSIGNMENTS = frozenset({"=", "|=", "+=", "-=", "*=", "/=", "%=", "//="})
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_LONGEST = 4_000  # maximum characters of a program
_NOT_READ = frozenset({"import", "include", "module"})


class UnreadableError(ValueError):
    """The text is not a jq program, or is one that is not read here."""


class Node:
    """A part of a program. Two parts are equal only if they are the same part."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Identity(Node):
    """``.``."""


@dataclass(frozen=True, slots=True, eq=False)
class Literal(Node):
    """A number or a string without interpolation."""

    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class Text(Node):
    r"""A string with interpolations ``\(…)``."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Index(Node):
    """``target.key`` or ``target[key]``."""

    target: Node
    key: Node


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Node):
    """``target[low:high]``."""

    target: Node
    low: Node | None
    high: Node | None


@dataclass(frozen=True, slots=True, eq=False)
class Iterate(Node):
    """``target[]``."""

    target: Node


@dataclass(frozen=True, slots=True, eq=False)
class Try(Node):
    """``body?`` or ``try body catch handler``."""

    body: Node
    handler: Node | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Variable(Node):
    """``$name``."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Call(Node):
    """A call of a function, or a format such as ``@csv``."""

    name: str
    arguments: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Pipe(Node):
    """``left | right``."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True, eq=False)
class Comma(Node):
    """``left, right``."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True, eq=False)
class Operation(Node):
    """A binary operator that is neither ``|`` nor ``,``."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True, eq=False)
class Assignment(Node):
    """``target = value`` and the operators that end with ``=``."""

    sign: str
    target: Node
    value: Node


@dataclass(frozen=True, slots=True, eq=False)
class Negation(Node):
    """``-inner``."""

    inner: Node


@dataclass(frozen=True, slots=True, eq=False)
class Array(Node):
    """``[body]``."""

    body: Node | None


@dataclass(frozen=True, slots=True, eq=False)
class Object(Node):
    """``{key: value}``."""

    entries: tuple[tuple[Node, Node], ...]


@dataclass(frozen=True, slots=True, eq=False)
class If(Node):
    """``if test then yes else no end``."""

    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True, eq=False)
class Binding(Node):
    """``source as pattern | body``; with ``?//`` there are several patterns."""

    source: Node
    patterns: tuple[Pattern, ...]
    body: Node


@dataclass(frozen=True, slots=True, eq=False)
class Fold(Node):
    """``reduce`` (``extract`` is None) or ``foreach``."""

    source: Node
    patterns: tuple[Pattern, ...]
    start: Node
    update: Node
    extract: Node | None


@dataclass(frozen=True, slots=True, eq=False)
class Definition(Node):
    """``def name(parameters): body; rest``."""

    name: str
    parameters: tuple[str, ...]
    body: Node
    rest: Node


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """What ``as`` binds.

    Attributes:
        name: The variable for the whole value, or "".
        parts: The patterns of the value's parts, each with what names the part.
    """

    name: str
    parts: tuple[tuple[Node, Pattern], ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A program.

    Attributes:
        root: Its tree.
        readings: The parts that read a field whose name the program spells out.
    """

    root: Node
    readings: tuple[Index, ...]


@for_short_texts(64)
def parse(program: str) -> Program:
    """Parse a program.

    Raises:
        UnreadableError: It is not a program, too long, nested too deeply, or uses modules.
    """
    if len(program) > _LONGEST:
        raise UnreadableError("the program is too long")
    try:
        return _Parser(program).program()
    except RecursionError:
        raise UnreadableError("the program is nested too deeply") from None


class _Parser:
    """Parses by recursive descent: one method for each level of precedence."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._readings: list[Index] = []
        self._next()

    def program(self) -> Program:
        """Parse the whole text; definitions alone are a program, too."""
        found = self._pipe()
        if self._kind != "end":
            raise UnreadableError(f"unexpected {self._token}")
        return Program(found, tuple(self._readings))

    # -- tokens --------------------------------------------------------------------------------------------------------

    def _next(self) -> None:
        match = _TOKEN.match(self._text, self._at)
        if match is None or match.lastgroup is None:
            raise UnreadableError(f"unexpected {self._text[self._at : self._at + 1]}")
        self._at = match.end()
        self._kind: str = match.lastgroup
        self._token: str = match[self._kind]

    def _is(self, *tokens: str) -> bool:
        return self._token in tokens and self._kind in {"sign", "name"}

    def _take(self, token: str) -> bool:
        found = self._is(token)
        if found:
            self._next()
        return found

    def _expect(self, token: str) -> None:
        if not self._take(token):
            raise UnreadableError(f"expected {token}")

    def _word(self, kind: str) -> str:
        if self._kind != kind:
            raise UnreadableError(f"expected a {kind}")
        token = self._token
        self._next()
        return token

    # -- operators, the loosest first ----------------------------------------------------------------------------------

    def _pipe(self) -> Node:
        if self._is("def"):
            return self._definition()
        if self._take("label"):
            self._word("variable")
            self._expect("|")
            return self._pipe()
        if self._kind == "end":
            return Identity()
        left = self._comma()
        return Pipe(left, self._pipe()) if self._take("|") else left

    def _definition(self) -> Node:
        self._next()
        name = self._word("name")
        parameters: list[str] = []
        if self._take("("):
            while not self._take(")"):
                parameters.append(self._word("variable" if self._kind == "variable" else "name"))
                if not self._is(")"):
                    self._expect(";")
        self._expect(":")
        body = self._pipe()
        self._expect(";")
        return Definition(name, tuple(parameters), body, self._pipe())

    def _comma(self) -> Node:
        left = self._alternative()
        while self._take(","):
            left = Comma(left, self._alternative())
        return left

    def _alternative(self) -> Node:
        left = self._assignment()
        return Operation("//", left, self._alternative()) if self._take("//") else left

    def _assignment(self) -> Node:
        left = self._binary(0)
        if not self._is(*_ASSIGNMENTS):
            return left
        sign = self._token
        self._next()
        return Assignment(sign, left, self._alternative())

    _LEVELS = (frozenset({"or"}), frozenset({"and"}), _COMPARISONS, frozenset("+-"), frozenset("*/%"))

    def _binary(self, level: int) -> Node:
        if level == len(self._LEVELS):
            return self._postfix()
        left = self._binary(level + 1)
        while self._is(*self._LEVELS[level]):
            sign = self._token
            self._next()
            left = Operation(sign, left, self._binary(level + 1))
        return left

    # -- terms ---------------------------------------------------------------------------------------------------------

    def _postfix(self) -> Node:
        if self._take("-"):
            return Negation(self._postfix())
        found = self._suffixes(self._term())
        if not self._take("as"):
            return found
        patterns = self._patterns()
        self._expect("|")
        return Binding(found, patterns, self._pipe())

    def _suffixes(self, found: Node) -> Node:
        while True:
            if self._kind == "field":
                found = self._reading(found, Literal(self._word("field")[1:]))
            elif self._is("["):
                found = self._bracket(found)
            elif self._is("."):
                self._next()
                found = self._reading(found, self._string()) if self._is('"') else self._bracket(found)
            elif self._take("?"):
                found = Try(found)
            else:
                return found

    def _reading(self, target: Node, key: Node) -> Index:
        """``target[key]``."""
        found = Index(target, key)
        if isinstance(key, Literal) and isinstance(key.value, str):
            self._readings.append(found)
        return found

    def _bracket(self, target: Node) -> Node:
        self._expect("[")
        if self._take("]"):
            return Iterate(target)
        low = None if self._is(":") else self._pipe()
        if self._take("]"):
            assert low is not None
            return self._reading(target, low)
        self._expect(":")
        high = None if self._is("]") else self._pipe()
        self._expect("]")
        return Slice(target, low, high)

    def _term(self) -> Node:
        kind, token = self._kind, self._token
        if kind == "field":
            return self._reading(Identity(), Literal(self._word("field")[1:]))
        if kind == "number":
            self._next()
            return Literal(_number(token))
        if kind == "variable":
            self._next()
            return Variable(token[1:])
        if kind == "format":
            self._next()
            return self._string(token) if self._is('"') else Call(token)
        if kind == "name":
            return self._named()
        if token == '"' and kind == "sign":
            return self._string()
        return self._signed()

    def _signed(self) -> Node:
        if self._take(".."):
            return Call("recurse")
        if self._take("."):
            return self._reading(Identity(), self._string()) if self._is('"') else Identity()
        if self._take("("):
            found = self._pipe()
            self._expect(")")
            return found
        if self._take("["):
            body = None if self._is("]") else self._pipe()
            self._expect("]")
            return Array(body)
        if self._take("{"):
            return self._object()
        raise UnreadableError(f"unexpected {self._token}")

    def _named(self) -> Node:
        name = self._word("name")
        if name in _NOT_READ:
            raise UnreadableError("modules are not read")
        if name == "if":
            return self._conditional()
        if name == "try":
            body = self._suffixes(self._term())
            return Try(body, self._suffixes(self._term()) if self._take("catch") else None)
        if name in {"reduce", "foreach"}:
            return self._fold(name)
        if name == "break":
            self._word("variable")
            return Call("empty")
        if name == "def":
            raise UnreadableError("a definition stands before an expression")
        arguments: list[Node] = []
        if self._take("("):
            arguments.append(self._pipe())
            while self._take(";"):
                arguments.append(self._pipe())
            self._expect(")")
        return Call(name, tuple(arguments))

    def _conditional(self) -> Node:
        test = self._pipe()
        self._expect("then")
        yes = self._pipe()
        if self._take("elif"):
            return If(test, yes, self._conditional())
        no = self._pipe() if self._take("else") else Identity()
        self._expect("end")
        return If(test, yes, no)

    def _fold(self, name: str) -> Node:
        source = self._suffixes(self._term())
        self._expect("as")
        patterns = self._patterns()
        self._expect("(")
        start = self._pipe()
        self._expect(";")
        update = self._pipe()
        extract: Node | None = Identity() if name == "foreach" else None
        if name == "foreach" and self._take(";"):
            extract = self._pipe()
        self._expect(")")
        return Fold(source, patterns, start, update, extract)

    def _object(self) -> Node:
        entries = []
        while not self._take("}"):
            entries.append(self._entry())
            if not self._is("}"):
                self._expect(",")
        return Object(tuple(entries))

    def _entry(self) -> tuple[Node, Node]:
        kind, token = self._kind, self._token
        if kind == "variable":
            self._next()
            return Literal(token[1:]), Variable(token[1:])
        key = self._key()
        if self._take(":"):
            return key, self._value()
        return key, self._reading(Identity(), key)

    def _key(self) -> Node:
        """Parse what stands before the colon in an object or in a pattern."""
        kind, token = self._kind, self._token
        if kind in {"name", "number"}:
            self._next()
            return Literal(token)
        if kind == "format":
            self._next()
            return self._string(token)
        if self._is('"'):
            return self._string()
        self._expect("(")
        found = self._pipe()
        self._expect(")")
        return found

    def _value(self) -> Node:
        left = self._alternative()
        return Pipe(left, self._value()) if self._take("|") else left

    def _patterns(self) -> tuple[Pattern, ...]:
        found = [self._pattern()]
        while self._take("?//"):
            found.append(self._pattern())
        return tuple(found)

    def _pattern(self) -> Pattern:
        if self._kind == "variable":
            return Pattern(self._word("variable")[1:])
        parts: list[tuple[Node, Pattern]] = []
        if self._take("["):
            while not self._take("]"):
                parts.append((Literal(len(parts)), self._pattern()))
                if not self._is("]"):
                    self._expect(",")
            return Pattern("", tuple(parts))
        self._expect("{")
        while not self._take("}"):
            parts += self._member()
            if not self._is("}"):
                self._expect(",")
        return Pattern("", tuple(parts))

    def _member(self) -> list[tuple[Node, Pattern]]:
        """Parse ``$name``, ``$name: pattern`` or ``key: pattern``."""
        found: list[tuple[Node, Pattern]] = []
        if self._kind == "variable":
            name = self._word("variable")[1:]
            key: Node = Literal(name)
            found.append((key, Pattern(name)))
            if not self._take(":"):
                return found
        else:
            key = self._key()
            self._expect(":")
        return [*found, (key, self._pattern())]

    # -- strings -------------------------------------------------------------------------------------------------------

    def _string(self, form: str = "") -> Node:
        """Parse a string; the current token is the opening quote. ``form`` is the format of its interpolations."""
        parts: list[Node] = []
        literal = ""
        while not self._text.startswith('"', self._at):
            chunk = _CHUNK.match(self._text, self._at)
            if chunk is not None:
                literal += chunk[0]
                self._at = chunk.end()
                continue
            escape = _ESCAPE.match(self._text, self._at)
            if escape is None:
                raise UnreadableError("a string does not end")
            self._at = escape.end()
            if escape["inner"]:
                parts += [Literal(literal), self._interpolated(form)]
                literal = ""
            else:
                literal += _ESCAPED.get(escape["letter"], escape["letter"]) if escape["letter"] else chr(int(escape["code"], 16))
        self._at += 1
        self._next()
        return Text((*parts, Literal(literal))) if parts else Literal(literal)

    def _interpolated(self, form: str) -> Node:
        self._next()
        found = self._pipe()
        if not self._is(")"):  # the string goes on directly behind it
            raise UnreadableError("expected )")
        return Pipe(found, Call(form)) if form else found


def _number(text: str) -> int | float:
    try:
        return int(text) if text.isdecimal() else float(text)
    except ValueError:  # more digits than Python converts
        raise UnreadableError("a number is too long") from None
