"""Infers the type of each variable of an awk program, to avoid conversions of variables that are always numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bashkit.commands.patterns.awk.compile.scope import ARRAY, MIXED, UNKNOWN, Scope, children
from bashkit.commands.patterns.awk.syntax.signatures import ARRAY_ARGUMENTS, SPECIALS
from bashkit.commands.patterns.awk.syntax.tree import (
    Assign,
    Binary,
    Builtin,
    Call,
    Compare,
    Concat,
    Conditional,
    Expr,
    Field,
    ForIn,
    Function,
    Getline,
    Group,
    In,
    Increment,
    Index,
    Leave,
    Logic,
    Match,
    Name,
    Number,
    Regex,
    String,
    Unary,
)
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from bashkit.commands.patterns.awk.compile.scope import Symbol

Key = TypeVar("Key", str, tuple[str, str])

# The possible types of a value, as a sum; INT, BOOL and FIELD occur only until a value is stored.
NUM = 1  # a float
NONE = 2  # UNINIT
STR = 4  # a str that is not a number
OTHER = 8  # a StrNum, or anything
FIELD = 16  # a str that is a StrNum if it looks like one
INT = 32  # an int of Python
BOOL = 64  # a bool of Python
ANY = NUM | NONE | STR | OTHER
NUMERIC = NUM | NONE | INT | BOOL

_STORING = (Assign, Builtin, Call, ForIn, Getline, Increment, Index, Leave)
_TEXT_FUNCTIONS = frozenset({"substr", "sprintf", "tolower", "toupper", "gensub", "strftime"})
_INT_FUNCTIONS = frozenset({"length", "index", "match", "split", "patsplit", "sub", "gsub", "asort", "asorti"})
_INT_SPECIALS = frozenset({"NF", "NR", "FNR", "RSTART", "RLENGTH"})


def stored(kind: int) -> int:
    """The type of a value after it is stored in a variable."""
    if kind & FIELD:
        return ANY
    if kind & (INT | BOOL):
        kind = (kind & ~(INT | BOOL)) | NUM
    return kind


def _gather(function: Function | None, node: object, found: list[tuple[Function | None, object]]) -> None:
    """Collect the nodes that may store something, those below others first, each with the function in which it is."""
    for child in children(node):
        _gather(function, child, found)
    if isinstance(node, _STORING):
        found.append((function, node))


class Types:
    """The types of a program's variables and functions.

    Args:
        scope: Its names.
        outside: Variables that operands and options may assign.
    """

    def __init__(self, scope: Scope, outside: frozenset[str]) -> None:
        self.scope = scope
        self._variables: dict[Symbol, int] = dict.fromkeys((("", name) for name in outside), ANY)
        self._elements: dict[Symbol, int] = {}
        self._returns: dict[str, int] = {}
        self._function: Function | None = None
        found: list[tuple[Function | None, object]] = []
        for function in scope.program.functions.values():
            _gather(function, function.body, found)
        for rule in scope.program.rules:
            for part in (rule.pattern, rule.until, rule.action):
                if part is not None:
                    _gather(None, part, found)
        self._changed = True
        while self._changed:
            self._changed = False
            for self._function, node in paced_if_many(found):
                self._look_at(node)
        self._function = None

    # -- stores -----------------------------------------------------------------------------------------------------------

    def _join(self, table: dict[Key, int], key: Key, kind: int) -> None:
        kind = stored(kind)
        known = table.get(key, 0)
        if kind | known != known:
            table[key] = kind | known
            self._changed = True

    def _store(self, target: Expr | None, kind: int) -> None:
        if isinstance(target, Name):
            if target.name not in SPECIALS:
                self._join(self._variables, self.scope.symbol(self._function, target.name), kind)
        elif isinstance(target, Index) and isinstance(target.base, Name):
            self._join(self._elements, self.scope.symbol(self._function, target.base.name), kind)

    def _spoil(self, array: Expr) -> None:
        """Note that anything may be stored in an array."""
        if isinstance(array, Name):
            self._join(self._elements, self.scope.symbol(self._function, array.name), ANY)

    def _look_at(self, node: object) -> None:
        """Note what a node stores."""
        if isinstance(node, Assign):
            self._store(node.target, self.of(node.value, self._function) if not node.operator else NUM)
        elif isinstance(node, Increment):
            self._store(node.target, NUM)
        elif isinstance(node, Getline):
            self._store(node.target, ANY)
        elif isinstance(node, ForIn):
            self._store(node.variable, STR)
        elif isinstance(node, Leave) and node.word == "return" and self._function is not None and node.value is not None:
            self._join(self._returns, self._function.name, self.of(node.value, self._function))
        elif isinstance(node, Call):
            self._call(node)
        elif isinstance(node, Index) and not isinstance(node.base, Name):
            base = node.base
            while isinstance(base, Index):
                base = base.base
            self._spoil(base)
        elif isinstance(node, Builtin):
            for position in ARRAY_ARGUMENTS.get(node.name, ()):
                if position < len(node.arguments):
                    self._spoil(node.arguments[position])
            if node.name in ("sub", "gsub") and len(node.arguments) == 3:
                self._store(node.arguments[2], STR)

    def _call(self, node: Call) -> None:
        function = self.scope.program.functions.get(node.name)
        for position, argument in enumerate(node.arguments):
            self._spoil(argument)
            if function is not None and not node.indirect and position < len(function.parameters):
                self._join(self._variables, (function.name, function.parameters[position]), self.of(argument, self._function))
            elif isinstance(argument, Index):
                self._spoil(argument.base)

    # -- types ------------------------------------------------------------------------------------------------------------

    def variable(self, function: Function | None, name: str) -> int:
        """The type of a variable."""
        symbol = self.scope.symbol(function, name)
        if self.scope.kinds.get(symbol, UNKNOWN) in (ARRAY, MIXED) or (symbol[0] and self.scope.indirect):
            return ANY
        if self.scope.kinds.get(symbol, UNKNOWN) == UNKNOWN:
            return ANY
        return self._variables.get(symbol, 0) | NONE

    def element(self, function: Function | None, base: Expr) -> int:
        """The type of an element of an array."""
        if not isinstance(base, Name) or self.scope.kind(function, base.name) != ARRAY:
            return ANY
        symbol = self.scope.symbol(function, base.name)
        if symbol[0] or base.name in SPECIALS:
            return ANY
        return self._elements.get(symbol, 0) | NONE

    def of(self, node: Expr, function: Function | None) -> int:
        """The type of an expression."""
        if isinstance(node, (Number, Binary, Increment)):
            return NUM
        if isinstance(node, (String, Concat)):
            return STR
        if isinstance(node, Regex):
            return OTHER if node.strong else BOOL
        if isinstance(node, (Compare, Match, In, Logic)):
            return BOOL
        if isinstance(node, Unary):
            return BOOL if node.operator == "!" else NUM
        if isinstance(node, Group):
            return self.of(node.inner, function)
        if isinstance(node, Assign):
            if node.operator:
                return NUM
            kind = self.of(node.value, function)
            return kind if kind & FIELD and isinstance(node.target, Field) else stored(kind)
        if isinstance(node, Conditional):
            return stored(self.of(node.yes, function)) | stored(self.of(node.no, function))
        if isinstance(node, Name):
            return self.special(node.name) if node.name in SPECIALS else self.variable(function, node.name)
        if isinstance(node, Index):
            return self.element(function, node.base)
        if isinstance(node, Field):
            return self.field(node)
        if isinstance(node, Builtin):
            return self._builtin(node)
        if isinstance(node, Call):
            return ANY if node.indirect else self._returns.get(node.name, 0) | NONE
        if isinstance(node, Getline):
            return NUM
        return ANY

    def field(self, node: Field) -> int:
        """The type of a field, which may be a number if the program assigns fields."""
        if isinstance(node.number, Number) and node.number.value == 0:
            return FIELD | STR if self.scope.fields_assigned or self.scope.record_assigned else FIELD
        return ANY if self.scope.fields_assigned else FIELD

    def special(self, name: str) -> int:
        """The type of a special variable."""
        if name in _INT_SPECIALS:
            return NUM if name in self.scope.assigned and name != "NF" else INT
        return NUM if name == "ARGC" else ANY

    @staticmethod
    def _builtin(node: Builtin) -> int:
        if node.name in _TEXT_FUNCTIONS or node.name == "typeof":
            return STR
        return INT if node.name in _INT_FUNCTIONS else NUM
