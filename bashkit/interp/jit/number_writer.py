"""Arithmetic as Python expressions (bash(1), ARITHMETIC EVALUATION).

A variable that is read as a number has two locals: ``sN``, the text that the shell's dictionary held when it was last looked at,
and ``nN``, the number it stands for. As long as the dictionary still holds that very object the number is right, even if
something else has written the variable in between; so nothing needs to be invalidated.
"""

from __future__ import annotations

from bashkit.interp.arithmetic.parser import (
    Assign,
    Binary,
    Comma,
    Conditional,
    Expression,
    Logical,
    Name,
    Number,
    Operand,
    Refusal,
    Step,
    Unary,
    parse_expression,
)
from bashkit.interp.jit.source import Writer
from bashkit.interp.jit.support import NAMES
from bashkit.interp.runtime.control import ExpansionError

STATUSES = "PIPESTATUS"  # what the shell knows only after a flush
_MAX_DEPTH = 20  # operators inside each other; Python's own parser has limits too
_COMPARISONS = frozenset(["<", ">", "<=", ">=", "==", "!="])
_LOW, _HIGH = "-9223372036854775808", "9223372036854775807"
_CHECKED = {"/": "quotient", "%": "modulo", "**": "raised"}


def fits(tree: Expression, depth: int = 0) -> bool:
    """Whether a tree can be written as one Python expression: it is shallow enough, and needs no flush."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(tree, (Binary, Logical, Comma)):
        return fits(tree.left, depth + 1) and fits(tree.right, depth + 1)
    if isinstance(tree, Unary):
        return fits(tree.operand, depth + 1)
    if isinstance(tree, Conditional):
        return fits(tree.test, depth + 1) and fits(tree.yes, depth + 1) and fits(tree.no, depth + 1)
    if isinstance(tree, Assign):
        return _fits_subscript(tree.target, depth, once=not tree.operator) and fits(tree.value, depth + 1)
    return not isinstance(tree, Name) or (tree.name != STATUSES and _fits_subscript(tree, depth, once=False))


def _fits_subscript(target: Name, depth: int, *, once: bool) -> bool:
    """Whether a subscript can be written where it may be evaluated more than ``once``: an element is looked for in two ways."""
    inner = None if target.subscript is None else subscript_tree(target.subscript)
    return inner is None or (fits(inner, depth + 2) and (once or is_pure(inner)))


def is_pure(tree: Expression) -> bool:
    """Whether evaluating a tree twice is the same as once."""
    if isinstance(tree, (Assign, Step)):
        return False
    if isinstance(tree, (Binary, Logical, Comma)):
        return is_pure(tree.left) and is_pure(tree.right)
    if isinstance(tree, Unary):
        return is_pure(tree.operand)
    if isinstance(tree, Conditional):
        return is_pure(tree.test) and is_pure(tree.yes) and is_pure(tree.no)
    if isinstance(tree, Name) and tree.subscript is not None:
        inner = subscript_tree(tree.subscript)
        return inner is not None and is_pure(inner)
    return not isinstance(tree, Name) or not tree.name.endswith("RANDOM")


def subscript_tree(text: str) -> Expression | None:
    """The expression that a subscript is when the array is indexed; None where quoting or expansion has to be done first."""
    if not text.strip() or any(character in "$'`\"\\" for character in text):
        return None
    try:
        return parse_expression(text)
    except ExpansionError:
        return None


class NumberWriter:
    """Writes expressions.

    Attributes:
        out: Where they go.
        text: The text of the expression being written, for messages.
    """

    def __init__(self) -> None:
        self.out = Writer(dict(NAMES))
        self.source = ""
        self._slots: dict[str, int] = {}

    def slot(self, name: str) -> int:
        """The number of the pair of locals that caches a variable."""
        return self._slots.setdefault(name, len(self._slots))

    def head(self) -> list[str]:
        """The lines that begin the function: the caches are empty."""
        return [line for slot in range(len(self._slots)) for line in (f"s{slot} = missing", f"n{slot} = 0")]

    # -- reading -------------------------------------------------------------------------------------------------------

    def maybe(self, name: str) -> str:
        """The number that a variable plainly is, or None."""
        slot = self.slot(name)
        known = f"n{slot} if (v := G('{name}')) is s{slot}"
        return f"({known} else (n{slot} := m) if (m := plain(v)) is not None and (s{slot} := v) is v else None)"

    def read(self, name: str) -> str:
        """The value of a variable."""
        slot = self.slot(name)
        return (
            f"(n{slot} if (v := G('{name}')) is s{slot} else (n{slot} := m)"
            f" if (m := plain(v)) is not None and (s{slot} := v) is v else operand(S, '{name}'))"
        )

    def value(self, tree: Expression) -> str:
        """The expression's value as a Python expression."""
        text, exact = self._loose(tree)
        if exact:
            return text
        wide = self.out.temporary()
        return f"({wide} if {_LOW} <= ({wide} := {text}) <= {_HIGH} else wrap({wide}))"

    def truth(self, tree: Expression) -> str:
        """Whether the expression is not zero."""
        if isinstance(tree, Binary) and tree.operator in _COMPARISONS:
            return f"({self.value(tree.left)} {tree.operator} {self.value(tree.right)})"
        if isinstance(tree, Logical):
            return f"({self.truth(tree.left)} {'and' if tree.operator == '&&' else 'or'} {self.truth(tree.right)})"
        if isinstance(tree, Unary) and tree.operator == "!":
            return f"(not {self.truth(tree.operand)})"
        return self.value(tree)

    def _loose(self, tree: Expression) -> tuple[str, bool]:
        """A Python expression, and whether it is sure to be within 64 bits."""
        if isinstance(tree, Number):
            return (str(tree.value) if tree.value >= 0 else f"({tree.value})"), True
        if isinstance(tree, Name):
            return (self.read(tree.name) if tree.subscript is None else self._element(tree)), True
        if isinstance(tree, Binary):
            return self._binary(tree)
        if isinstance(tree, Unary):
            if tree.operator == "!":
                return f"(0 if {self.truth(tree.operand)} else 1)", True
            return f"({tree.operator}{self.value(tree.operand)})", tree.operator == "~"
        assert not isinstance(tree, (Operand, Refusal))  # parse_expression gives neither
        return self._composed(tree), True

    def _composed(self, tree: Logical | Conditional | Assign | Step | Comma) -> str:
        if isinstance(tree, Logical):
            return f"(1 if {self.truth(tree)} else 0)"
        if isinstance(tree, Conditional):
            return f"({self.value(tree.yes)} if {self.truth(tree.test)} else {self.value(tree.no)})"
        if isinstance(tree, Comma):
            return f"({self.value(tree.left)}, {self.value(tree.right)})[1]"
        name, subscript = tree.target.name, self._bound(tree.target.subscript)
        if isinstance(tree, Step):
            return f"step_name(S, '{name}', {subscript}, {tree.by}, {tree.before})"
        return f"store(S, '{name}', {subscript}, {self.value(self.assigned(tree))})"

    def _bound(self, subscript: str | None) -> str:
        return "None" if subscript is None else self.out.text(subscript)

    @staticmethod
    def assigned(tree: Assign) -> Expression:
        """What an assignment stores."""
        return Binary(tree.operator, tree.target, tree.value, tree.rest) if tree.operator else tree.value

    def _element(self, tree: Name) -> str:
        name, subscript = tree.name, tree.subscript
        assert subscript is not None
        index = subscript_tree(subscript)
        general = f"operand_element(S, '{name}', {self.out.text(subscript)})"
        if index is None:
            return general
        return (
            f"(element(S, v, '{name}', {self.value(index)}, {self.out.text(subscript)})"
            f" if (v := G('{name}')).__class__ is Variable and v.value.__class__ is IndexedArray else {general})"
        )

    def _binary(self, tree: Binary) -> tuple[str, bool]:
        operator, right = tree.operator, tree.right
        if operator in {"+", "-"}:
            return f"({self.value(tree.left)} {operator} {self.value(right)})", False
        left = self.value(tree.left)
        if operator in _COMPARISONS:
            return f"(1 if {left} {operator} {self.value(right)} else 0)", True
        if operator in {"&", "^", "|"}:
            return f"({left} {operator} {self.value(right)})", True
        if operator == "*":
            return f"({left} * {self.value(right)})", False
        if operator in {"<<", ">>"}:
            count = str(right.value & 63) if isinstance(right, Number) else f"({self.value(right)} & 63)"
            return f"({left} {operator} {count})", operator == ">>"
        if operator != "**" and isinstance(right, Number) and right.value > 0:
            operation = "//" if operator == "/" else "%"
            kept = self.out.temporary()
            return (
                f"({kept} {operation} {right.value} if ({kept} := {left}) >= 0 else -(-{kept} {operation} {right.value}))",
                True,
            )
        return (
            f"{_CHECKED[operator]}({left}, {self.value(right)}, {self.out.text(self.source)}, {self.out.text(tree.rest)})",
            True,
        )

    # -- statements ----------------------------------------------------------------------------------------------------

    def statement(self, tree: Expression) -> str:
        """Write an expression that is evaluated for what it does; gives the Python expression of its truth afterwards."""
        if isinstance(tree, Comma):
            self.statement(tree.left)
            return self.statement(tree.right)
        if isinstance(tree, Step) and tree.target.subscript is None:
            return self._step(tree)
        if isinstance(tree, Assign):
            value = self.out.temporary()
            self.out.emit(f"{value} = {self.value(self.assigned(tree))}")
            self.store(tree.target, value)
            return value
        result = self.out.temporary()
        self.out.emit(f"{result} = {self.truth(tree)}")
        return result

    def _step(self, tree: Step) -> str:
        name, slot, result = tree.target.name, self.slot(tree.target.name), self.out.temporary()
        emit = self.out.emit
        with self.out.block(f"if (v := G('{name}')) is not s{slot} and (m := plain(v)) is not None"):
            emit(f"s{slot} = v")
            emit(f"n{slot} = m")
        with self.out.block(f"if v is s{slot}"):
            if not tree.before:
                emit(f"{result} = n{slot}")
            emit(f"n{slot} {'+' if tree.by > 0 else '-'}= 1")
            with self.out.block(f"if n{slot} > {_HIGH}" if tree.by > 0 else f"if n{slot} < {_LOW}"):
                emit(f"n{slot} = wrap(n{slot})")
            if tree.before:
                emit(f"{result} = n{slot}")
            emit(f"V['{name}'] = s{slot} = str(n{slot})")
        with self.out.block("else"):
            emit(f"{result} = step_name(S, '{name}', None, {tree.by}, {tree.before})")
        return result

    def store(self, target: Name, value: str) -> None:
        """Write the assignment of a number.

        Args:
            target: What is assigned.
            value: The name of a local that holds the number.
        """
        name, subscript = target.name, target.subscript
        emit = self.out.emit
        if subscript is None:
            slot = self.slot(name)
            with self.out.block(f"if (v := G('{name}')) is s{slot} or v is None or v.__class__ is str"):
                emit(f"n{slot} = {value}")
                emit(f"V['{name}'] = s{slot} = str({value})")
            with self.out.block("else"):
                emit(f"S.assign('{name}', str({value}))")
            return
        index = subscript_tree(subscript)
        if index is None:
            emit(f"store(S, '{name}', {self.out.text(subscript)}, {value})")
            return
        with self.out.block(f"if (v := G('{name}')).__class__ is Variable and v.value.__class__ is IndexedArray"):
            emit(f"store_element(S, v, '{name}', {self.value(index)}, {self.out.text(subscript)}, str({value}))")
        with self.out.block("else"):
            emit(f"store(S, '{name}', {self.out.text(subscript)}, {value})")
