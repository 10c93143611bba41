"""XPath expressions compiled to closures (XPath 1.0)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands.data.xmllint.tree import HTML, declares_namespace, namespace_of
from bashkit.interp.runtime.sorting import ordered
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.commands.data.xmllint.tree import Node
    from bashkit.limits import Budget

    Value = list[Node] | str | float | bool
    Code = Callable[["Context"], Value]
    Axis = Callable[[Node], Iterable[Node]]

_TOKEN = re.compile(
    r"\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)|(\"[^\"]*\"|'[^']*')|(\.\.|::|//|!=|<=|>=|[()\[\].@,/|+\-=<>*$])"
    r"|([^\W\d][\w.\-]*(?::(?!:)(?:[^\W\d][\w.\-]*|\*))?))"
)
_DEEPEST = 100
_DIGITS, _LARGEST_INTEGER, _SMALLEST, _LARGEST = 15, 2**31 - 1, 1e-5, 1e9  # of numbers as they are written
_NODE_TYPES = {"node", "text", "comment", "processing-instruction"}


class XPathError(Exception):
    """A malformed expression, or one that cannot be evaluated.

    Args:
        message: What is wrong.
        place: Where in the expression, if that is told.
        before: What is told before the message.
    """

    def __init__(self, message: str, place: int | None = None, before: str = "") -> None:
        super().__init__(message)
        self.place = place
        self.before = before


@dataclass(slots=True)
class Context:
    """The context of an evaluation: a node, its position among the candidates, and their number, which are 0 outside of
    predicates.
    """

    node: Node
    position: int
    size: int
    budget: Budget


def text_of(item: Value) -> str:
    """Convert a value to a string (XPath 1.0, 4.2)."""
    if isinstance(item, list):
        return min(item, key=lambda node: node.order).text() if item else ""
    if isinstance(item, str):
        return item
    if isinstance(item, bool):
        return "true" if item else "false"
    if math.isnan(item):
        return "NaN"
    if math.isinf(item):
        return "Infinity" if item > 0 else "-Infinity"
    return _digits(item)


def _digits(number: float) -> str:
    """A number as libxml2 writes it: 15 digits, with an exponent where it is very large or small."""
    if number == int(number) and abs(number) < _LARGEST_INTEGER:
        return str(int(number))
    if not _SMALLEST <= abs(number) <= _LARGEST:
        mantissa, _, exponent = f"{number:.14e}".partition("e")
        return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}"
    places = int(math.log10(abs(number)))
    return f"{number:.{_DIGITS - places - (places > 0)}f}".rstrip("0").rstrip(".")


def number_of(item: Value) -> float:
    """Convert a value to a number."""
    if isinstance(item, (bool, float)):
        return float(item)
    text = text_of(item).strip()
    return float(text) if re.fullmatch(r"-?(?:\d+(?:\.\d*)?|\.\d+)", text) else math.nan


def truth_of(item: Value) -> bool:
    """Convert a value to a boolean."""
    return bool(item) and item == item  # noqa: PLR0124 - NaN is false


def _descendants(node: Node) -> Iterable[Node]:
    pending = list(reversed(node.children))
    while pending:
        found = pending.pop()
        yield found
        pending.extend(reversed(found.children))


def _with_descendants(node: Node) -> Iterable[Node]:
    yield node
    yield from _descendants(node)


def _ancestors(node: Node) -> Iterable[Node]:
    above = node.parent
    while above is not None:
        yield above
        above = above.parent


def _siblings(node: Node, *, after: bool) -> list[Node]:
    if node.parent is None or node.kind == "attribute":
        return []
    family = node.parent.children
    place = family.index(node)
    return family[place + 1 :] if after else family[:place][::-1]


def _following(node: Node) -> Iterable[Node]:
    for one in [node, *_ancestors(node)]:
        for sibling in _siblings(one, after=True):
            yield sibling
            yield from _descendants(sibling)


def _preceding(node: Node) -> Iterable[Node]:
    for one in [node, *_ancestors(node)]:
        for sibling in _siblings(one, after=False):
            yield from reversed(list(paced(_descendants(sibling))))
            yield sibling


def _attributes(node: Node) -> list[Node]:
    """The attributes of an element, of which the declarations of namespaces are none."""
    if any(map(declares_namespace, node.attributes)) and node.document().name != HTML:
        return [one for one in node.attributes if not declares_namespace(one)]
    return node.attributes


_AXES: dict[str, Axis] = {
    "child": lambda node: node.children,
    "attribute": _attributes,
    "self": lambda node: [node],
    "parent": lambda node: [node.parent] if node.parent else [],
    "descendant": _descendants,
    "descendant-or-self": _with_descendants,
    "ancestor": _ancestors,
    "ancestor-or-self": lambda node: [node, *_ancestors(node)],
    "following-sibling": lambda node: _siblings(node, after=True),
    "preceding-sibling": lambda node: _siblings(node, after=False),
    "following": _following,
    "preceding": _preceding,
}


def _test(kind: str, name: str, axis: str) -> Callable[[Node], bool]:
    """A node test, by type or by name (``*`` for any)."""
    principal = "attribute" if axis == "attribute" else "element"
    if kind == "node":
        return lambda _: True
    if kind == "text":
        return lambda node: node.kind in {"text", "cdata"}
    if kind == "comment":
        return lambda node: node.kind == "comment"
    if kind == "processing-instruction":
        return lambda node: node.kind == "instruction" and name in {"", node.name}
    if name == "*":
        return lambda node: node.kind == principal
    prefix, colon, local = name.rpartition(":")
    if not colon:
        return lambda node: node.kind == principal and node.name.rpartition(":")[2] == name and not namespace_of(node)
    if prefix != "xml":
        return _undefined
    return lambda node: node.kind == principal and node.name.startswith("xml:") and local in {"*", node.name[4:]}


def _undefined(_: Node) -> bool:
    raise XPathError("Undefined namespace prefix")


def _compare(operator: str, left: Value, right: Value) -> bool:
    """A comparison (XPath 1.0, 3.4); of node-sets, any of their nodes."""
    if isinstance(left, list) or isinstance(right, list):
        if isinstance(left, bool) or isinstance(right, bool):
            return _plain(operator, truth_of(left), truth_of(right))
        firsts: list[Value] = [node.text() for node in left] if isinstance(left, list) else [left]
        seconds: list[Value] = [node.text() for node in right] if isinstance(right, list) else [right]
        if operator in {"=", "!="} and len(firsts) > 1 and len(seconds) > 1 and operator == "=":
            return not {text_of(one) for one in firsts}.isdisjoint(text_of(one) for one in seconds)
        return any(_plain(operator, first, second) for first in firsts for second in seconds)
    return _plain(operator, left, right)


def _plain(operator: str, left: Value, right: Value) -> bool:
    if operator in {"=", "!="}:
        if isinstance(left, bool) or isinstance(right, bool):
            same = truth_of(left) == truth_of(right)
        elif isinstance(left, float) or isinstance(right, float):
            same = number_of(left) == number_of(right)
        else:
            same = text_of(left) == text_of(right)
        return same == (operator == "=")
    first, second = number_of(left), number_of(right)
    return {"<": first < second, ">": first > second, "<=": first <= second, ">=": first >= second}[operator]


def _arithmetic(operator: str, left: float, right: float) -> float:
    if operator in {"+", "-", "*"}:
        return {"+": left + right, "-": left - right, "*": left * right}[operator]
    if operator == "div":
        if right:
            return left / right
        return math.nan if not left or math.isnan(left) else math.copysign(math.inf, left)
    return math.fmod(left, right) if right and not math.isinf(left) else math.nan


def _substring(items: list[Value]) -> str:
    text = text_of(items[0])
    start = _rounded(number_of(items[1]))
    end = start + _rounded(number_of(items[2])) if len(items) > 2 else math.inf
    return "".join(char for place, char in enumerate(text, 1) if start <= place < end)


def _rounded(number: float) -> float:
    return float(math.floor(number + 0.5)) if math.isfinite(number) else number


def _translate(items: list[Value]) -> str:
    text, source, target = map(text_of, items)
    table: dict[int, str | None] = {}
    for place, char in enumerate(source):
        table.setdefault(ord(char), target[place] if place < len(target) else None)
    return text.translate(table)


def _nodes(item: Value) -> list[Node]:
    if not isinstance(item, list):
        raise XPathError("Invalid type")
    return item


_FUNCTIONS: dict[str, tuple[int, int, Callable[[list[Value]], Value]]] = {
    "count": (1, 1, lambda items: float(len(_nodes(items[0])))),
    "sum": (1, 1, lambda items: float(sum(number_of(node.text()) for node in _nodes(items[0])))),
    "concat": (2, 99, lambda items: "".join(map(text_of, items))),
    "contains": (2, 2, lambda items: text_of(items[1]) in text_of(items[0])),
    "starts-with": (2, 2, lambda items: text_of(items[0]).startswith(text_of(items[1]))),
    "substring-before": (
        2,
        2,
        lambda items: text_of(items[0]).partition(text_of(items[1]))[0] if text_of(items[1]) in text_of(items[0]) else "",
    ),
    "substring-after": (2, 2, lambda items: text_of(items[0]).partition(text_of(items[1]))[2]),
    "substring": (2, 3, _substring),
    "translate": (3, 3, _translate),
    "boolean": (1, 1, lambda items: truth_of(items[0])),
    "not": (1, 1, lambda items: not truth_of(items[0])),
    "true": (0, 0, lambda _: True),
    "false": (0, 0, lambda _: False),
    "floor": (1, 1, lambda items: float(math.floor(number_of(items[0])))),
    "ceiling": (1, 1, lambda items: float(math.ceil(number_of(items[0])))),
    "round": (1, 1, lambda items: _rounded(number_of(items[0]))),
}
_OF_CONTEXT: dict[str, Callable[[Value], Value]] = {
    "string": text_of,
    "number": number_of,
    "string-length": lambda item: float(len(text_of(item))),
    "normalize-space": lambda item: " ".join(text_of(item).split()),
    "name": lambda item: min(item, key=lambda node: node.order).name if isinstance(item, list) and item else "",
    "local-name": lambda item: (
        min(item, key=lambda node: node.order).name.rpartition(":")[2] if isinstance(item, list) and item else ""
    ),
    "namespace-uri": lambda item: namespace_of(min(item, key=lambda node: node.order)) if isinstance(item, list) and item else "",
}


def _has_language(node: Node, language: str) -> bool:
    """Whether the nearest ``xml:lang`` says a language, or a dialect of it."""
    for one in [node, *_ancestors(node)]:
        for attribute in one.attributes:
            if attribute.name == "xml:lang":
                return (attribute.value.lower() + "-").startswith(language.lower() + "-")
    return False


def _identified(context: Context, item: Value) -> list[Node]:
    """The elements whose ID is one of those in a text; a document without declarations has them in ``xml:id``."""
    names = (node.text() for node in item) if isinstance(item, list) else [text_of(item)]
    wanted = {word for name in names for word in name.split()}
    document = context.node.document()
    key = "id" if document.name == HTML else "xml:id"
    found = []
    for node in _descendants(document):
        context.budget.tick()
        if any(one.name == key and one.value in wanted for one in node.attributes):
            found.append(node)
    return found


def _position(context: Context) -> float:
    if not context.position:
        raise XPathError("Invalid context position")
    return float(context.position)


def _size(context: Context) -> float:
    if not context.size:
        raise XPathError("Invalid context size")
    return float(context.size)


class Parser:
    """Compiles an expression.

    Args:
        text: The expression.

    Raises:
        XPathError: It is malformed.
    """

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        self._places: list[int] = []
        position = 0
        while text[position:].strip():
            found = _TOKEN.match(text, position)
            if found is None:
                raise XPathError("Invalid expression", len(text) - len(text[position:].lstrip()))
            token = found[0].strip()
            self._tokens.append(token)
            position = found.end()
            self._places.append(position - len(token))
        self._at = 0
        self._depth = 0
        self.code = self._or()
        if self._at < len(self._tokens):
            raise self._wrong()

    def _wrong(self) -> XPathError:
        """The error about the token that comes next, which libxml2 has gone past if it is a slash."""
        told = self._at < len(self._places) and self._peek() not in {"/", "//"}
        return XPathError("Invalid expression", self._places[self._at] if told else None)

    def _peek(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead] if self._at + ahead < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        token = self._peek()
        if not token or (wanted and token not in wanted):
            raise self._wrong()
        self._at += 1
        return token

    def _or(self) -> Code:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise XPathError("Expression too complex")
        left = self._and()
        while self._peek() == "or":
            self._at += 1
            left = _either(left, self._and(), until=True)
        self._depth -= 1
        return left

    def _and(self) -> Code:
        left = self._binary(0)
        while self._peek() == "and":
            self._at += 1
            left = _either(left, self._binary(0), until=False)
        return left

    _LEVELS = (("=", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "div", "mod"))

    def _binary(self, level: int) -> Code:
        if level == len(self._LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in self._LEVELS[level]:
            left = _operation(self._take(), left, self._binary(level + 1))
        return left

    def _unary(self) -> Code:
        negative = False
        while self._peek() == "-":
            self._at += 1
            negative = not negative
        code = self._union()
        return (lambda context: -number_of(code(context))) if negative else code

    def _union(self) -> Code:
        left = self._path()
        while self._peek() == "|":
            self._at += 1
            left = _joined(left, self._path())
        return left

    def _path(self) -> Code:
        token = self._peek()
        following = self._peek(1)
        is_function = following == "(" and token not in _NODE_TYPES and re.match(r"[^\W\d]", token)
        if token in {"(", "$"} or token[:1] in {'"', "'"} or re.match(r"\.?\d", token) or is_function:
            code = self._filtered(self._primary())
            if self._peek() not in {"/", "//"}:
                return code
            return self._steps(code)
        if token in {"/", "//"}:
            if token == "/" and not self._begins_step(1):
                self._at += 1
                return _root
            return self._steps(_root)
        return self._steps(None)

    def _begins_step(self, ahead: int) -> bool:
        token = self._peek(ahead)
        return token in {".", "..", "@", "*"} or bool(re.match(r"[^\W\d]", token))

    def _primary(self) -> Code:
        token = self._take()
        if token == "(":
            code = self._or()
            self._take(")")
            return code
        if token == "$":
            self._at += 1
            return _failing(XPathError("Undefined variable"))
        if token[0] in "\"'":
            text = token[1:-1]
            return lambda _: text
        if token[0] in ".0123456789":
            number = float(token)
            return lambda _: number
        return self._call(token)

    def _call(self, name: str) -> Code:
        self._take("(")
        given: list[Code] = []
        while self._peek() != ")":
            given.append(self._or())
            if self._peek() != ")":
                self._take(",")
        self._take(")")
        if name in {"position", "last"} and not given:
            return _position if name == "position" else _size
        if name in {"lang", "id"} and len(given) == 1:
            (text,) = given
            if name == "id":
                return lambda context: _identified(context, text(context))
            return lambda context: _has_language(context.node, text_of(text(context)))
        if name in _OF_CONTEXT and len(given) <= 1:
            function = _OF_CONTEXT[name]
            argument = given[0] if given else lambda context: [context.node]
            return lambda context: function(argument(context))
        if name not in _FUNCTIONS:
            return _failing(XPathError("Unregistered function", before=f"xmlXPathCompOpEval: function {name} not found\n"))
        least, most, table_function = _FUNCTIONS[name]
        if not least <= len(given) <= most:
            raise XPathError("Invalid number of arguments")
        return lambda context: table_function([code(context) for code in given])

    def _filtered(self, code: Code) -> Code:
        while self._peek() == "[":
            predicate = self._predicate()
            code = _filter(code, predicate)
        return code

    def _predicate(self) -> Code:
        self._take("[")
        code = self._or()
        self._take("]")
        return code

    def _steps(self, start: Code | None) -> Code:
        code: Code = start or (lambda context: [context.node])
        if start is None:
            code = self._step(code)
        while self._peek() in {"/", "//"}:
            if self._take() == "//":
                code = _step(code, "descendant-or-self", _test("node", "", ""), [])
            code = self._step(code)
        return code

    def _step(self, code: Code) -> Code:
        token = self._peek()
        if token in {".", ".."}:
            self._at += 1
            return _step(code, "self" if token == "." else "parent", _test("node", "", ""), [])
        axis = "child"
        if token == "@":
            self._at += 1
            axis = "attribute"
        elif self._peek(1) == "::":
            axis = self._take()
            self._take("::")
        if axis not in _AXES:
            raise self._wrong()
        if self._peek() != "*" and not re.match(r"[^\W\d]", self._peek()):
            raise self._wrong()
        name = self._take()
        kind = ""
        if name in _NODE_TYPES and self._peek() == "(":
            self._at += 1
            kind, name = name, ""
            if self._peek() != ")":
                name = self._take()[1:-1]
            self._take(")")
        elif self._peek() == "(":
            self._at += 1
            raise self._wrong()
        predicates = []
        while self._peek() == "[":
            predicates.append(self._predicate())
        return _step(code, axis, _test(kind, name, axis), predicates)


def _root(context: Context) -> Value:
    return [context.node.document()]


def _failing(error: XPathError) -> Code:
    def run(_: Context) -> Value:
        raise error

    return run


def _either(left: Code, right: Code, *, until: bool) -> Code:
    def run(context: Context) -> bool:
        return until if truth_of(left(context)) == until else truth_of(right(context))

    return run


def _operation(operator: str, left: Code, right: Code) -> Code:
    if operator in {"+", "-", "*", "div", "mod"}:
        return lambda context: _arithmetic(operator, number_of(left(context)), number_of(right(context)))
    return lambda context: _compare(operator, left(context), right(context))


def _joined(left: Code, right: Code) -> Code:
    def run(context: Context) -> list[Node]:
        return _in_order([*_nodes(left(context)), *_nodes(right(context))], context.budget)

    return run


def _filter(code: Code, predicate: Code) -> Code:
    return lambda context: _chosen(_nodes(code(context)), predicate, context.budget)


def _chosen(nodes: list[Node], predicate: Code, budget: Budget) -> list[Node]:
    kept = []
    for position, node in enumerate(nodes, 1):
        budget.tick(2)
        verdict = predicate(Context(node, position, len(nodes), budget))
        if position == verdict if isinstance(verdict, float) else truth_of(verdict):
            kept.append(node)
    return kept


def _step(code: Code, axis: str, test: Callable[[Node], bool], predicates: list[Code]) -> Code:
    walk = _AXES[axis]

    def run(context: Context) -> list[Node]:
        if test is _undefined:
            raise XPathError("Undefined namespace prefix")
        found: list[Node] = []
        for start in _nodes(code(context)):
            candidates = []
            for node in walk(start):
                context.budget.tick()
                if test(node):
                    candidates.append(node)
            for predicate in predicates:
                candidates = _chosen(candidates, predicate, context.budget)
            found += candidates
        return _in_order(found, context.budget)

    return run


def _in_order(nodes: list[Node], budget: Budget) -> list[Node]:
    """Each node once, in the order of the document."""
    found = {id(node): node for node in paced(nodes)}
    return list(paced(ordered(list(paced(found.values())), budget, key=lambda node: node.order)))
