"""Determines before compilation which names of an awk program are arrays, and how the program uses the record."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from bashkit.commands.patterns.awk.syntax.signatures import ARRAY_ARGUMENTS, SPECIAL_ARRAYS, SPECIALS
from bashkit.commands.patterns.awk.syntax.tree import (
    Assign,
    AwkError,
    Builtin,
    Call,
    Conditional,
    Delete,
    Expr,
    Field,
    ForIn,
    Function,
    Getline,
    Group,
    In,
    Increment,
    Index,
    Jump,
    Leave,
    Name,
    Number,
    Program,
    Stmt,
)
from bashkit.limits import turn

Symbol = tuple[str, str]  # function ("" for the program) and name
_LEAVES = frozenset(["bool", "float", "int", "str"])  # types of fields
ARRAY, SCALAR, MIXED, UNKNOWN = "array", "scalar", "mixed", ""


_places: dict[type, tuple[str, ...]] = {}  # the fields of each class of nodes that may hold other nodes


def children(node: object) -> list[object]:
    """The direct child nodes."""
    turn()
    kind = type(node)
    places = _places.get(kind)
    if places is None:
        slots = fields(kind)  # type: ignore[arg-type]  # every node is a dataclass
        places = _places[kind] = tuple(item.name for item in slots if item.type not in _LEAVES)
    found: list[object] = []
    for name in places:
        value = getattr(node, name)
        if isinstance(value, tuple):
            found += [element for element in value if not isinstance(element, str)]
        elif isinstance(value, (Expr, Stmt)):
            found.append(value)
    return found


@dataclass(slots=True)
class Scope:
    """Facts about the names of a program.

    Attributes:
        kinds: Whether a name is an array; UNKNOWN if the program does not show it.
        assigned: Special variables the program assigns.
        used: Special variables the program mentions.
        fields_assigned: Fields or NF are assigned.
        record_assigned: ``$0`` is assigned.
        highest: The highest constant field.
        any_field: Whether a field is read by a computed number.
        jumps: ``next``, ``nextfile`` or ``exit`` occur inside a function.
        globals: The program's own variables.
        indirect: There are indirect calls, or functions that compare may be called.
        copied: Variables whose value is assigned to others, passed on or returned.
    """

    program: Program
    kinds: dict[Symbol, str] = field(default_factory=dict)
    assigned: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    fields_assigned: bool = False
    record_assigned: bool = False
    highest: int = 1
    any_field: bool = False
    jumps: set[str] = field(default_factory=set)
    globals: dict[str, None] = field(default_factory=dict)
    indirect: bool = False
    copied: set[str] = field(default_factory=set)

    @property
    def most(self) -> int:
        """The number of fields that the program reads; -1 if any may be read."""
        return -1 if self.any_field or self.fields_assigned or "NF" in self.used else self.highest

    def symbol(self, function: Function | None, name: str) -> Symbol:
        """The variable that a name means inside a function."""
        return (function.name, name) if function is not None and name in function.parameters else ("", name)

    def may_be_scalars(self, names: frozenset[str]) -> None:
        """Note that options or operands assign variables, which are no arrays from then on."""
        for name in names:
            if self.kinds.get(("", name)) == ARRAY:
                self.kinds["", name] = MIXED

    def kind(self, function: Function | None, name: str) -> str:
        """Whether a name is an array inside a function."""
        if name in SPECIAL_ARRAYS:
            return ARRAY
        return self.kinds.get(self.symbol(function, name), UNKNOWN)


class _Survey:
    """Walks a program once and records how each name is used."""

    def __init__(self, program: Program) -> None:
        self.scope = Scope(program)
        self._function: Function | None = None
        self._undefined: list[Call] = []
        self._passed: list[tuple[Symbol, Symbol]] = []  # a bare name as an argument, and the parameter it becomes

    def run(self) -> Scope:
        program = self.scope.program
        for function in program.functions.values():
            self._function = function
            for name in function.parameters:
                self.scope.kinds[function.name, name] = UNKNOWN
            self._visit(function.body)
        self._function = None
        for rule in program.rules:
            for part in (rule.pattern, rule.until, rule.action):
                if part is not None:
                    self._visit(part)
        for call in self._undefined:
            if call.name in self.scope.globals:
                message = f"attempt to use non-function `{call.name}' in function call"
                raise AwkError(message, call.line, kind="error", status=1)
        self._spread()
        self.scope.indirect |= "PROCINFO" in self.scope.used
        return self.scope

    def _spread(self) -> None:
        """Propagate array parameters to their arguments until nothing changes."""
        kinds = self.scope.kinds
        changed = True
        while changed:
            changed = False
            for argument, parameter in self._passed:
                if kinds.get(parameter) == ARRAY and kinds.get(argument, UNKNOWN) == UNKNOWN:
                    kinds[argument] = ARRAY
                    changed = True

    def _note(self, name: str, kind: str, line: int = 0) -> None:
        scope = self.scope
        if name in SPECIALS:
            scope.used.add(name)
            return
        symbol = scope.symbol(self._function, name)
        if name in scope.program.functions and not symbol[0]:
            raise AwkError(
                f"function `{name}' called with space between name and `(',\nor used as a variable or an array",
                line,
                kind="error",
                status=1,
            )
        if not symbol[0]:
            scope.globals[name] = None
        known = scope.kinds.get(symbol, UNKNOWN)
        if kind not in (UNKNOWN, known):
            scope.kinds[symbol] = kind if known == UNKNOWN else MIXED
        else:
            scope.kinds.setdefault(symbol, known)

    def _array(self, node: Expr) -> None:
        if isinstance(node, Name):
            self._note(node.name, ARRAY, node.line)
        else:
            self._visit(node)

    def _target(self, node: Expr | None) -> None:
        """Record an assignment."""
        while isinstance(node, Group):
            node = node.inner
        if isinstance(node, Name) and node.name in SPECIALS:
            self.scope.assigned.add(node.name)
            if node.name == "NF":
                self.scope.fields_assigned = True
        elif isinstance(node, Field) and isinstance(node.number, Number) and node.number.value == 0:
            self.scope.record_assigned = True
        elif isinstance(node, Field):
            self.scope.fields_assigned = True

    def _copy(self, node: Expr | None) -> None:
        """Note that the value of an expression is kept somewhere else."""
        while isinstance(node, (Group, Conditional)):
            if isinstance(node, Conditional):
                self._copy(node.yes)
            node = node.inner if isinstance(node, Group) else node.no
        if isinstance(node, Name):
            self.scope.copied.add(node.name)

    def _visit(self, node: object) -> None:
        if isinstance(node, Name):
            self._note(node.name, SCALAR, node.line)
            return
        if isinstance(node, Index):
            if isinstance(node.base, Name):
                self._array(node.base)
            else:
                self._visit(node.base)
            for item in node.subscripts:
                self._visit(item)
            return
        if isinstance(node, (Assign, Increment)):
            self._target(node.target)
            if isinstance(node, Assign):
                self._copy(node.value)
        elif isinstance(node, Getline):
            self._target(node.target)
        elif isinstance(node, Field):
            self._field(node)
        elif isinstance(node, (In, ForIn)):
            self._array(node.array)
            if isinstance(node, ForIn):
                self._target(node.variable)
                self._visit(node.variable)
                self._visit(node.body)
            else:
                for item in node.subscripts:
                    self._visit(item)
            return
        elif isinstance(node, Delete):
            self._array(node.target)
            return
        elif isinstance(node, (Jump, Leave)):
            if isinstance(node, Leave):
                self._copy(node.value)
            if self._function is not None:
                self.scope.jumps.add(node.word)
        elif isinstance(node, Call):
            self._call(node)
            return
        elif isinstance(node, Builtin):
            self._builtin(node)
            return
        for child in children(node):
            self._visit(child)

    def _field(self, node: Field) -> None:
        if isinstance(node.number, Number) and 0 < node.number.value <= 100:
            self.scope.highest = max(self.scope.highest, int(node.number.value))
        elif not (isinstance(node.number, Number) and node.number.value == 0):
            self.scope.any_field = True

    def _call(self, node: Call) -> None:
        callee = self.scope.program.functions.get(node.name)
        if node.indirect:
            self.scope.indirect = True
            self._note(node.name, SCALAR)
            callee = None
        elif callee is None:
            self._undefined.append(node)
        for position, argument in enumerate(node.arguments):
            self._copy(argument)
            if not isinstance(argument, Name):
                self._visit(argument)
                continue
            self._note(argument.name, UNKNOWN, argument.line)
            if callee is not None and position < len(callee.parameters):
                symbol = self.scope.symbol(self._function, argument.name)
                self._passed.append((symbol, (callee.name, callee.parameters[position])))

    def _builtin(self, node: Builtin) -> None:
        arrays = ARRAY_ARGUMENTS.get(node.name, ())
        for position, argument in enumerate(node.arguments):
            bare = argument.inner if isinstance(argument, Group) else argument
            if position in arrays:
                self._array(argument)
            elif node.name == "typeof" and isinstance(bare, Field):
                self.scope.any_field = True
                self._visit(argument)
            elif isinstance(bare, Name) and node.name in ("length", "isarray", "typeof"):
                self._note(bare.name, UNKNOWN, bare.line)
            else:
                self._visit(argument)
        if node.name in ("sub", "gsub"):
            self._target(node.arguments[2] if len(node.arguments) == 3 else Field(Number(0.0)))
        if node.name in ("asort", "asorti") and len(node.arguments) == 3:
            self.scope.indirect = True
        if node.name == "match":
            self.scope.used.add("RSTART")


def survey(program: Program) -> Scope:
    """Survey a whole program.

    Raises:
        AwkError: A function's name is used as a variable, or a variable's as that of a function.
    """
    return _Survey(program).run()
