"""Translates jq programs to filters, as far as they can be answered without a worker (jq 1.8 manual)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bashkit.commands.data.jq.direct import filters, values
from bashkit.commands.data.jq.direct.filters import Filter
from bashkit.commands.data.jq.direct.functions import PLAIN, SPLIT, WITH_ARGUMENTS, WRITTEN, joined, tostring
from bashkit.commands.data.jq.direct.values import NotHereError

if TYPE_CHECKING:
    from collections.abc import Callable

_TOKEN = re.compile(
    r"""[ \t\n]*(?:
    (?P<number>[0-9]{1,15}(?:\.[0-9]{1,15})?(?![\w.]))
  | (?P<field>\.[A-Za-z_]\w*)
  | (?P<variable>\$[A-Za-z_]\w*)
  | (?P<name>@?[A-Za-z_]\w*)
  | (?P<sign>//(?!=)|==|!=|<=|>=|[|+*/%-](?!=)|\.(?!\.)|[<>,:;()\[\]{}?"])
  | (?P<end>\Z)
    )""",
    re.VERBOSE | re.ASCII,
)
_RESERVED = frozenset(
    {
        "def",
        "if",
        "then",
        "elif",
        "else",
        "end",
        "as",
        "reduce",
        "foreach",
        "try",
        "catch",
        "label",
        "import",
        "include",
        "and",
        "or",
        "__loc__",
    }
)
_CHUNK = re.compile(r'[^"\\\x00-\x1f\x7f]+')
_ESCAPE = re.compile(r'\\(?:(?P<letter>["\\/bfnrt])|u(?P<code>[0-9a-fA-F]{4})|(?P<inner>\())')
_SIMPLE_STRING = re.compile(r'([^"\\\x00-\x1f\x7f]*)"[ \t\n]*\)')
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_INPUT = re.compile(r"\.(?![0-9])|\$")
_ENDS = frozenset({"", ")", "]", "}", ",", "|", ";"})

_COMPARISONS: dict[str, Callable[[object, object], bool]] = {
    "==": values.equal,
    "!=": lambda left, right: not values.equal(left, right),
    "<": values.less,
    ">": lambda left, right: values.less(right, left),
    "<=": lambda left, right: not values.less(right, left),
    ">=": lambda left, right: not values.less(left, right),
}
_SUMS = {"+": values.add, "-": values.subtract}
_PRODUCTS = {"*": values.multiply, "/": values.divide, "%": values.modulo}
_DIVIDED = {"/": SPLIT}  # growth
LONGEST_VARIABLE = 200  # characters


class Parser:
    """Parses a program.

    Args:
        text: The program.
        variables: The names of the defined variables, without their ``$``.
    """

    def __init__(self, text: str, variables: frozenset[str]) -> None:
        self._text = text
        self._variables = variables
        self._at = 0
        self._next()

    def program(self) -> Filter:
        """Parse the whole program.

        Raises:
            NotHereError: Part of it needs a worker.
            RecursionError: It is nested too deeply.
        """
        found = self._pipe()
        if self._kind != "end":
            raise NotHereError
        return found

    # -- tokens ------------------------------------------------------------------------------------------------------

    def _next(self) -> None:
        match = _TOKEN.match(self._text, self._at)
        if match is None or match.lastgroup is None:
            raise NotHereError
        self._at = match.end()
        self._kind: str = match.lastgroup
        self._token: str = match[self._kind]

    def _is(self, sign: str) -> bool:
        return self._token == sign and self._kind in {"sign", "name"}

    def _take(self, sign: str) -> bool:
        found = self._is(sign)
        if found:
            self._next()
        return found

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise NotHereError

    # -- operators, the loosest first --------------------------------------------------------------------------------

    def _pipe(self) -> Filter:
        left = self._comma()
        return filters.piped(left, self._pipe()) if self._take("|") else left

    def _comma(self) -> Filter:
        found = [self._alternative()]
        while self._take(","):
            found.append(self._alternative())
        return filters.together(found)

    def _alternative(self) -> Filter:
        left = self._disjunction()
        return filters.either(left, self._alternative()) if self._take("//") else left

    def _disjunction(self) -> Filter:
        left = self._conjunction()
        while self._take("or"):
            left = filters.disjunction(left, self._conjunction())
        return left

    def _conjunction(self) -> Filter:
        left = self._comparison()
        while self._take("and"):
            left = filters.conjunction(left, self._comparison())
        return left

    def _comparison(self) -> Filter:
        left = self._sum()
        if self._token not in _COMPARISONS:
            return left
        function = _COMPARISONS[self._token]
        self._next()
        found = filters.asked(function, left, self._sum())
        if self._token in _COMPARISONS:
            raise NotHereError
        return found

    def _sum(self) -> Filter:
        left = self._product()
        while self._token in _SUMS:
            function = _SUMS[self._token]
            self._next()
            left = filters.binary(function, left, self._product())
        return left

    def _product(self) -> Filter:
        left = self._postfix()
        while self._token in _PRODUCTS:
            function, growth = _PRODUCTS[self._token], _DIVIDED.get(self._token, 1)
            self._next()
            left = filters.binary(function, left, self._postfix(), growth)
        return left

    # -- terms -------------------------------------------------------------------------------------------------------

    def _postfix(self) -> Filter:
        found = self._term()
        while True:
            if self._kind == "field":
                found = filters.piped(found, self._field())
            elif self._is("["):
                found = self._bracket(found)
            elif self._is("."):
                self._next()
                found = self._quoted(found) if self._is('"') else self._bracket(found)
            else:
                return found

    def _term(self) -> Filter:
        kind, token = self._kind, self._token
        if kind == "field":
            return self._field()
        if kind == "number":
            self._next()
            return filters.constant(_number(token))
        if kind == "variable":
            if token[1:] not in self._variables:
                raise NotHereError
            self._next()
            return filters.variable(token[1:], LONGEST_VARIABLE)
        if kind == "name":
            return self._called()
        if token == '"':
            return self._string()
        if kind != "sign":
            raise NotHereError
        self._next()
        if token == ".":
            return self._quoted(filters.identity) if self._is('"') else filters.identity
        if token == "(":
            found = self._pipe()
            self._expect(")")
            return found
        if token == "[":
            return self._array()
        if token == "{":
            return self._object()
        if token == "-":
            return self._negative()
        raise NotHereError

    def _field(self) -> Filter:
        name = self._token[1:]
        self._next()
        return filters.lenient(name) if self._take("?") else _named(name)

    def _negative(self) -> Filter:
        token = self._token
        if self._kind != "number" or not token.strip("0."):
            raise NotHereError
        self._next()
        if self._token not in _ENDS:
            raise NotHereError  # the precedence of a minus differs between versions
        return filters.constant(-_number(token))

    def _called(self) -> Filter:
        name = self._token
        if name == "if":
            return self._conditional()
        if name in _RESERVED:
            raise NotHereError
        self._next()
        if name.startswith("@") and self._is('"'):
            raise NotHereError
        if not self._take("("):
            if name not in PLAIN:
                raise NotHereError
            return PLAIN[name]
        if name == "join":
            return self._joined()
        arguments = [self._pipe()]
        while self._take(";"):
            arguments.append(self._pipe())
        self._expect(")")
        make = WITH_ARGUMENTS.get((name, len(arguments)))
        if make is None:
            raise NotHereError
        return make(*arguments)

    def _joined(self) -> Filter:
        """Parse the argument of ``join(``: only a literal, because it appears in the result many times."""
        literal = _SIMPLE_STRING.match(self._text, self._at) if self._token == '"' else None
        if literal is None:
            raise NotHereError
        self._string()
        self._expect(")")
        return joined(literal[1])

    def _conditional(self) -> Filter:
        self._next()
        test = self._pipe()
        self._expect("then")
        yes = self._pipe()
        if self._is("elif"):
            return filters.conditional(test, yes, self._conditional())
        no = self._pipe() if self._take("else") else filters.identity
        self._expect("end")
        return filters.conditional(test, yes, no)

    def _array(self) -> Filter:
        if self._take("]"):
            return Filter(1, lambda _value, _: [])
        found = self._pipe()
        self._expect("]")
        return filters.collected(found)

    def _object(self) -> Filter:
        entries: list[tuple[Filter, Filter]] = []
        while not self._take("}"):
            entries.append(self._entry())
            if not self._is("}"):
                self._expect(",")
                if self._is("}"):
                    raise NotHereError
        return filters.constructed(entries)

    def _entry(self) -> tuple[Filter, Filter]:
        kind, token = self._kind, self._token
        if kind == "variable":
            value = self._term()
            return filters.constant(token[1:]), value
        if token == "(":
            start = self._at
            self._next()
            name = self._pipe()
            if not _INPUT.search(self._text, start, self._at) or "|" in self._text[start : self._at]:
                raise NotHereError  # libjq refuses constants that are not strings before it runs, also those at the end of a pipe
            self._expect(")")
            self._expect(":")
            return name, self._value()
        if kind == "name" and not token.startswith("@"):
            self._next()
            name = filters.constant(token)
        elif token == '"':
            name = self._string()
        else:
            raise NotHereError
        if self._take(":"):
            return name, self._value()
        if token in _RESERVED:
            raise NotHereError
        return name, filters.binary(values.field, filters.identity, name)

    def _value(self) -> Filter:
        left = self._alternative()
        return filters.piped(left, self._value()) if self._take("|") else left

    def _bracket(self, inner: Filter) -> Filter:
        """Parse ``[]``, ``[index]`` or ``[low:high]`` after a term."""
        self._expect("[")
        if self._take("]"):
            return filters.iterated(inner, values.each_if_any if self._take("?") else values.each)
        if self._is(":"):
            low: int | None = None
        else:
            start = self._at - len(self._token)
            index = self._pipe()
            if self._take("]"):
                return _indexed(inner, index)
            low = _whole(self._text[start : self._at - len(self._token)])
        self._expect(":")
        start = self._at - len(self._token)
        high = None
        if not self._is("]"):
            self._pipe()
            high = _whole(self._text[start : self._at - len(self._token)])
        self._expect("]")
        return filters.piped(inner, filters.of(lambda value: values.part(value, low, high)))

    def _quoted(self, inner: Filter) -> Filter:
        return filters.piped(inner, filters.binary(values.field, filters.identity, self._string()))

    def _string(self) -> Filter:
        """Parse a string with interpolations; the current token is the opening quote."""
        pieces: list[Filter] = []
        literal = ""
        while True:
            chunk = _CHUNK.match(self._text, self._at)
            if chunk is not None:
                literal += chunk[0]
                self._at = chunk.end()
            elif self._text.startswith('"', self._at):
                self._at += 1
                self._next()
                break
            else:
                escape = _ESCAPE.match(self._text, self._at)
                if escape is None:
                    raise NotHereError
                self._at = escape.end()
                if escape["inner"]:
                    pieces += [filters.constant(literal), self._interpolated()]
                    literal = ""
                else:
                    literal += _character(escape)
        if not pieces:
            return filters.constant(literal)
        return filters.interpolated([*pieces, filters.constant(literal)], tostring, WRITTEN)

    def _interpolated(self) -> Filter:
        self._next()
        found = self._pipe()
        if not self._is(")"):  # the string continues directly after it
            raise NotHereError
        return found


def _named(name: str) -> Filter:
    def one(value: Any, _: object) -> Any:
        return value.get(name) if value.__class__ is dict else values.field(value, name)

    def many(items: list[Any], _: object) -> list[Any]:
        return [item.get(name) if item.__class__ is dict else values.field(item, name) for item in items]

    return Filter(1, one, many)


def _indexed(inner: Filter, index: Filter) -> Filter:
    """``inner[index]``."""
    if inner.one is not None:
        return filters.binary(values.field, inner, index)
    call, place = inner.many, index.single

    def many(items: list[Any], variables: filters.Variables) -> list[Any]:
        return [values.field(value, place(item, variables)) for item in items for value in call([item], variables)]

    return Filter(inner.growth + index.growth, None, many, inner.peak + index.peak)


def _number(text: str) -> int | float:
    if "." not in text:
        if text != str(int(text)):
            raise NotHereError
        return int(text)
    value = float(text)
    if repr(value) != text:
        raise NotHereError
    return value


def _whole(text: str) -> int:
    text = text.strip()
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise NotHereError
    return int(text)


def _character(escape: re.Match[str]) -> str:
    if escape["letter"]:
        return _ESCAPED.get(escape["letter"], escape["letter"])
    code = int(escape["code"], 16)
    if 0xD800 <= code < 0xE000 or not code:
        raise NotHereError
    return chr(code)
