"""Compiles awk expressions to Python expressions.

All Python code is made from this module's own text, from ``repr`` of constants, and from awk names with a prefix, so an awk
program cannot inject code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bashkit import regex
from bashkit.commands.patterns.awk.compile.builtins import RECORD, BuiltinTranslator
from bashkit.commands.patterns.awk.compile.fixed import changes
from bashkit.commands.patterns.awk.compile.inference import ANY, BOOL, FIELD, INT, NONE, NUM, NUMERIC, OTHER, STR
from bashkit.commands.patterns.awk.compile.scope import ARRAY, MIXED, SCALAR
from bashkit.commands.patterns.awk.run.regexes import literal, translate
from bashkit.commands.patterns.awk.syntax.signatures import SPECIAL_ARRAYS, SPECIALS
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
    Getline,
    Group,
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
from bashkit.limits import turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.commands.patterns.awk.compile.fixed import Columns
    from bashkit.commands.patterns.awk.compile.inference import Types
    from bashkit.commands.patterns.awk.compile.scope import Scope
    from bashkit.commands.patterns.awk.syntax.tree import Function

Code = tuple[str, int]

_COUNTERS = {"NF": "R.fields_count()", "NR": "R.number", "FNR": "R.file_number", "RSTART": "rt.rstart", "RLENGTH": "rt.rlength"}
_LOCAL_COUNTERS = {"NF": "nf", "NR": "nr", "FNR": "(nr - before)"}  # set if records are not changed
_ARRAYS = {"ENVIRON": "rt.environ", "ARGV": "rt.argv", "PROCINFO": "rt.procinfo"}
_MANY_PARTS = 1000  # of a concatenation: the code for all that they may be would take Python long to compile
_NESTED = 60  # nested parentheses that Python's compiler certainly accepts


class Translator(BuiltinTranslator):
    """Compiles expressions to Python code.

    Args:
        scope: The program's names.
        types: Their types.

    Attributes:
        function: The function being translated; None in a rule.
        constants: Python names of regular expressions and formats, and the code that makes each.
    """

    def __init__(self, scope: Scope, types: Types) -> None:
        self.scope = scope
        self.types = types
        self.function: Function | None = None
        self.constants: dict[str, str] = {}
        self.nonlocals: set[str] = set()
        self.columns: Columns | None = None  # set while rules are compiled that do not change the record
        self.folds_case = "IGNORECASE" in scope.used or "IGNORECASE" in scope.assigned
        self.line = 0
        self._temporaries = 0

    # -- names ------------------------------------------------------------------------------------------------------------

    def temporary(self) -> str:
        """A fresh local name."""
        self._temporaries += 1
        return f"_{self._temporaries}"

    def constant(self, made: str, prefix: str) -> str:
        """The name of a value that is made once, before the program runs."""
        for name, known in self.constants.items():
            if known == made:
                return name
        name = f"{prefix}{len(self.constants)}"
        self.constants[name] = made
        return name

    def variable(self, name: str) -> str:
        """The Python name of a variable that will be assigned."""
        if self.function is not None and name not in self.function.parameters:
            self.nonlocals.add(name)
        return f"v_{name}"

    def array(self, node: Expr) -> str:
        """The code for an array."""
        if isinstance(node, Index):
            return f"subarray({self.array(node.base)}, {self.key(node)})"
        if isinstance(node, Group):
            return self.array(node.inner)
        if not isinstance(node, Name):
            raise AwkError("attempt to use a scalar value as array", self.line)
        name = node.name
        if name in SPECIAL_ARRAYS:
            return _ARRAYS[name]
        kind = self.scope.kind(self.function, name)
        if kind == ARRAY:
            return f"v_{name}"
        if kind == SCALAR or name in SPECIALS:
            parameter = "parameter " if self.function is not None and name in self.function.parameters else ""
            return f"bad_scalar({name!r}, {parameter!r})"
        variable = self.variable(name)
        return f"({variable} if {variable}.__class__ is Array else ({variable} := to_array({variable}, {name!r})))"

    def key(self, node: Index) -> str:
        """The code for the subscript of an element."""
        return self.subscript(node.subscripts)

    def subscript(self, parts: tuple[Expr, ...]) -> str:
        """The code for a subscript, which has several parts for several dimensions."""
        if len(parts) == 1:
            code, kind = made = self.expr(parts[0])
            return f"str({code})" if kind == FIELD | STR else self.text(parts[0], made)
        if "SUBSEP" in self.scope.assigned:  # it may be long
            return self.counted(" + rt.subsep + ".join(self.text(part) for part in parts))
        return "(" + ' + "\\x1c" + '.join(self.text(part) for part in parts) + ")"

    # -- conversions ------------------------------------------------------------------------------------------------------

    def number(self, node: Expr, *, exact: bool = False, compiled: Code | None = None) -> str:
        """Compile an expression to a number.

        Args:
            node: The expression.
            exact: Whether a float is needed; otherwise an int is possible too.
            compiled: What ``expr`` made of it, where that is known: nobody asks twice, or nested expressions would double.
        """
        code, kind = self.numeric(node, compiled)
        return f"float({code})" if exact and kind & INT else code

    def numeric(self, node: Expr, compiled: Code | None = None) -> Code:
        """Compile to a number, and return whether it is INT or NUM; see ``number``."""
        code, kind = compiled or self.expr(node)
        if kind == INT or not kind & ~(NUM | NONE):
            return code, kind & INT or NUM
        if kind == BOOL:
            return f"(1.0 if {code} else 0.0)", NUM
        column = self._column(node)
        if column is not None and self.columns is not None:
            return self.columns.number(column), NUM
        if not kind & ~(FIELD | STR):
            return f"NT[{code}]", NUM
        return f"N({code})", NUM

    def _column(self, node: Expr) -> int | None:
        """The index of a field among those split before the loop, from 0."""
        while isinstance(node, Group):
            node = node.inner
        if self.columns is None or not self.columns.cut or not isinstance(node, Field) or not isinstance(node.number, Number):
            return None
        value = node.number.value
        return int(value) - 1 if 1 <= value < self.scope.highest + 1 else None

    def text(self, node: Expr, compiled: Code | None = None) -> str:
        """Compile to a string, by CONVFMT; see ``number``."""
        return self._text(node, "T", "S", compiled)

    def printed(self, node: Expr) -> str:
        """Compile to a string as ``print`` writes it, by OFMT."""
        return self._text(node, "P", "O")

    def _text(self, node: Expr, table: str, convert: str, compiled: Code | None = None) -> str:
        while isinstance(node, Group):
            node = node.inner
        if isinstance(node, Number) and node.value == node.value // 1 and abs(node.value) < 1e15:
            return repr(str(int(node.value)))
        code, kind = compiled or self.expr(node)
        if not kind & ~(STR | FIELD):
            return code
        if kind == INT:
            return f"str({code})"
        if kind == BOOL:
            return f'("1" if {code} else "0")'
        if not kind & ~(NUM | NONE):
            return f"{table}[{code}]"
        return f"{convert}({code})"

    def value(self, node: Expr) -> str:
        """Compile to a value that can be stored."""
        code, kind = self.expr(node)
        return self.kept(code, kind)

    @staticmethod
    def kept(code: str, kind: int) -> str:
        """A storable value from code of any type."""
        if kind == FIELD:
            return f"VF[{code}]"
        if kind & FIELD:
            return f"V({code})"
        if kind == INT:
            return f"float({code})"
        if kind == BOOL:
            return f"(1.0 if {code} else 0.0)"
        return code

    def condition(self, node: Expr) -> str:
        """Compile to a condition that Python finds true if awk does."""
        if isinstance(node, Group):
            return self.condition(node.inner)
        code, kind = self.expr(node)
        if kind == FIELD:
            return f"truth({code})"
        return f"V({code})" if kind & FIELD else code

    # -- expressions ------------------------------------------------------------------------------------------------------

    def expr(self, node: Expr) -> Code:
        """Compile an expression; return the code and its type."""
        turn()
        return _EXPRESSIONS[type(node)](self, node)

    def _number(self, node: Number) -> Code:
        value = node.value
        return ("float('inf')" if value == float("inf") else repr(value)), NUM

    def _string(self, node: String) -> Code:
        return repr(node.value), STR

    def _regex(self, node: Regex) -> Code:
        if node.strong:
            return f"Strong({node.text!r})", OTHER
        return self.matches(RECORD, node), BOOL

    def _group(self, node: Group) -> Code:
        return self.expr(node.inner)

    def _name(self, node: Name) -> Code:
        name = node.name
        if name in SPECIALS:
            return self._special(name)
        kind = self.scope.kind(self.function, name)
        if kind == ARRAY:
            return f"bad_array({name!r})", ANY
        if kind == MIXED:
            return f"scalar(v_{name}, {name!r})", ANY
        return f"v_{name}", self.types.variable(self.function, name)

    def _special(self, name: str) -> Code:
        if name in SPECIAL_ARRAYS:
            return f"bad_array({name!r})", ANY
        counter = _COUNTERS.get(name)
        if self.columns is not None and name in _LOCAL_COUNTERS:
            return _LOCAL_COUNTERS[name], INT
        if counter is not None:
            exact = name in self.scope.assigned and name != "NF"
            return (f"float({counter})", NUM) if exact else (counter, INT)
        if name == "ARGC":
            return "rt.argc", NUM
        return f"rt.special[{name!r}]", ANY

    def _index(self, node: Index) -> Code:
        return f"{self.array(node.base)}[{self.key(node)}]", self.types.element(self.function, node.base)

    def whole_record(self) -> str:
        """``$0``."""
        if self.columns is not None:
            return "t"
        return "(R.text if R.text is not None else R.whole())" if self.scope.fields_assigned else "R.text"

    def _field(self, node: Field) -> Code:
        kind = FIELD | NUM if self.scope.fields_assigned else FIELD
        number = node.number
        if isinstance(number, Number):
            if 0 <= number.value < 1:
                return self.whole_record(), self.types.field(node)
            if 1 <= number.value < self.scope.highest + 1:
                return self._fixed_field(int(number.value) - 1), kind
        if isinstance(number, Name) and number.name == "NF":
            return "R.last()" if self.columns is None else "(f[nf - 1] if nf else t)", kind
        if self.columns is not None:
            return f"get(f, nf, t, {self.number(number)}, R)", kind
        return f"R.get({self.number(number)})", kind

    def _fixed_field(self, index: int) -> str:
        """The index of a field with a constant number, from 0."""
        if self.columns is None:
            return f"(R.fields or R.split())[{index}]"
        if not self.columns.cut:
            return f"(f or (f := cut(t) + pad))[{index}]"
        return self.columns.text(index) if self.columns.apart else f"f[{index}]"

    def store(self, target: Expr, value: str) -> str:
        """An expression that assigns ``value`` and returns it."""
        if isinstance(target, Group):
            return self.store(target.inner, value)
        if isinstance(target, Name):
            if target.name in SPECIALS:
                return f"rt.assign({target.name!r}, {value})"
            if self.scope.kind(self.function, target.name) == ARRAY:
                return f"bad_array({target.name!r})"
            variable = self.variable(target.name)
            if self.scope.kind(self.function, target.name) == MIXED:
                return f"({variable} := (scalar({variable}, {target.name!r}), {value})[1])"
            return f"({variable} := {value})"
        if isinstance(target, Field):
            if isinstance(target.number, Name) and target.number.name == "NF":
                return f"R.put_last({value})"
            return f"R.put({self.number(target.number)}, {value})"
        if isinstance(target, Index):
            return f"put({self.array(target.base)}, {self.key(target)}, {value})"
        raise AwkError("syntax error", self.line, kind="", status=1)

    def _assign(self, node: Assign) -> Code:
        if not node.operator:
            kept = self.value(node.value)
            stored = self.store(node.target, kept)
            if isinstance(node.target, Field) and not isinstance(node.target.number, Number) and changes(node.value):
                held = self.temporary()
                stored = f"({held} := {kept}, {self.store(node.target, held)})[1]"
            return stored, self.types.of(node, self.function)
        amount = self.number(node.value, exact=True)
        place, before = self.place(node.target)
        if not changes(node.value) and not changes(node.target):
            return self.store_at(place, self.combine(node.operator, before, amount)), NUM
        held = self.temporary()
        return f"(({held} := {amount}), {self.store_at(place, self.combine(node.operator, before, held))})[1]", NUM

    def combine(self, operator: str, before: str, amount: str) -> str:
        """``before operator amount`` for a compound assignment."""
        if operator == "/":
            return f"divide({before}, {amount})"
        if operator == "%":
            return f"modulo({before}, {amount}, '%=')"
        if operator == "^":
            return f"power({before}, {amount})"
        return f"({before} {operator} {amount})"

    def place(self, target: Expr) -> tuple[Expr | tuple[str, str], str]:
        """Compile a target that is read and then assigned, with its subscripts evaluated once; and its current number."""
        place, read = self.pinned(target, "get")
        if not read:
            return target, self.number(target, exact=True)
        exact = isinstance(target, Index) and not self.types.element(self.function, target.base) & ~(NUM | NONE)
        return place, read if exact else f"N({read})"

    def pinned(self, target: Expr, read: str = "reach") -> tuple[Expr | tuple[str, str], str]:
        """Compile a target with its subscripts evaluated once: where to ``store_at``, and what reads it before, if anything."""
        if isinstance(target, Index):
            array, key = self.temporary(), self.temporary()
            return (array, key), f"({array} := {self.array(target.base)})[({key} := {self.key(target)})]"
        if isinstance(target, Field) and not isinstance(target.number, (Number, Name)):
            index = self.temporary()
            return ("R", index), f"R.{read}(({index} := {self.number(target.number)}))"
        return target, ""

    def store_at(self, place: Expr | tuple[str, str], value: str) -> str:
        """Assign to the result of ``place``; ``value`` is evaluated after the place."""
        if isinstance(place, Expr):
            return self.store(place, value)
        made = self.temporary()
        # The value contains the assignments of the temporaries, so it comes first.
        if place[0] == "R":
            return f"(({made} := {value}), R.put({place[1]}, {made}))[1]"
        return f"(({made} := {value}), put({place[0]}, {place[1]}, {made}))[1]"

    def _increment(self, node: Increment) -> Code:
        place, before = self.place(node.target)
        step = "+ 1.0" if node.delta > 0 else "- 1.0"
        if node.prefix:
            return self.store_at(place, f"({before} {step})"), NUM
        old = self.temporary()
        return f"({self.store_at(place, f'(({old} := +{before}) {step})')}, {old})[1]", NUM

    def _conditional(self, node: Conditional) -> Code:
        kind = self.types.of(node, self.function)
        chain: list[str] = []
        rest: Expr = node
        while isinstance(rest, Conditional):
            chain.append(f"{self.value(rest.yes)} if {self.condition(rest.test)} else ")
            rest = rest.no
        return f"({''.join(chain)}{self.value(rest)})", kind

    def _logic(self, node: Logic) -> Code:
        return "(" + f" {node.operator} ".join(self.condition(operand) for operand in node.operands) + ")", BOOL

    def _in(self, node: In) -> Code:
        return f"({self.subscript(node.subscripts)} in {self.array(node.array)})", BOOL

    def _match(self, node: Match) -> Code:
        code = self.matches(node.text, node.pattern)
        return (f"(not {code})" if node.negated else code), BOOL

    def matches(self, text: Expr, pattern: Expr) -> str:
        """Compile a match of a text against a pattern."""
        while isinstance(pattern, Group):
            pattern = pattern.inner
        subject = self.text(text)
        if isinstance(pattern, (Regex, String)) and not self.folds_case and not self.refused(pattern):
            source = pattern.text if isinstance(pattern, Regex) else pattern.value
            plain = literal(source)
            if plain is None:
                return f"{self.constant(f'rt.regex({source!r}).test', 'M')}({subject})"
            how, body = plain
            if how == "in":
                return f"({body!r} in {subject})"
            return f"({subject} == {body!r})" if how == "==" else f"{subject}.{how}({body!r})"
        return f"{self.pattern(pattern)}.test({subject})"

    def refused(self, pattern: Regex | String) -> bool:
        """Refuse a malformed constant expression before the program runs; a string will be where it is used."""
        try:
            regex.compile(translate(pattern.text if isinstance(pattern, Regex) else pattern.value), "extended")
        except regex.RegexError as error:
            if isinstance(pattern, String):
                return True
            raise AwkError(f"{error}: /{pattern.text}/", self.line, kind="error", status=1) from None
        return False

    def pattern(self, node: Expr) -> str:
        """A compiled regular expression."""
        if isinstance(node, Group):
            return self.pattern(node.inner)
        if isinstance(node, (Regex, String)) and not self.refused(node):
            source = node.text if isinstance(node, Regex) else node.value
            if self.folds_case:
                return f"rt.regex({source!r})"
            return self.constant(f"rt.regex({source!r})", "X")
        return f"rt.regex({self.text(node)})"

    def _compare(self, node: Compare) -> Code:
        left, first = made_left = self.expr(node.left)
        right, second = made_right = self.expr(node.right)
        operator = node.operator
        if first & ~NUMERIC == 0 and second & ~NUMERIC == 0:
            numbers = self.number(node.left, compiled=made_left), self.number(node.right, compiled=made_right)
            return f"({numbers[0]} {operator} {numbers[1]})", BOOL
        if STR in (first, second):
            texts = self.text(node.left, made_left), self.text(node.right, made_right)
            if self.folds_case:
                return f"(rt.compare_texts({texts[0]}, {texts[1]}) {operator} 0)", BOOL
            return f"({texts[0]} {operator} {texts[1]})", BOOL
        if first == FIELD and second & ~NUMERIC == 0:
            field, amount, looks = self.temporary(), self.temporary(), self.temporary()
            # The left operand is evaluated first, as written.
            made = f"({field} := {left}, {amount} := {self.number(node.right, compiled=made_right)})"
            if isinstance(node.right, (Number, Name)):
                amount = self.number(node.right, compiled=made_right)
                column = self._column(node.left)
                if column is not None and self.columns is not None:
                    look = self.columns.look(column)
                    return (
                        (
                            f"({look} {operator} {amount} if {look} is not None else rt.compare_field({left}, {amount}) "
                            f"{operator} 0)"
                        ),
                        BOOL,
                    )
                quick = f"{looks} {operator} {amount} if ({looks} := L[({field} := {left})]) is not None"
                return f"({quick} else rt.compare_field({field}, {amount}) {operator} 0)", BOOL
            return f"(rt.compare_field(*{made}) {operator} 0)", BOOL
        if second == FIELD and first & ~NUMERIC == 0:
            return f"(0 {operator} rt.compare_field({right}, {self.number(node.left, compiled=made_left)}))", BOOL
        column = self._column(node.left)
        if (
            column is not None
            and self.columns is not None
            and isinstance(node.right, (Name, Index))
            and right.startswith("v_")
            and not self.folds_case
        ):
            # Mostly a field against what was kept of an earlier one.
            look, held = self.columns.look(column), self.temporary()
            quick = f"{look} {operator} {held}.number if ({held} := {right}).__class__ is StrNum and {look} is not None"
            return f"({quick} else C({self.kept(left, first)}, {held}) {operator} 0)", BOOL
        if first == ANY and second in (NUM, INT) and isinstance(node.right, (Number, Name)):
            held = self.temporary()
            quick = f"{held} {operator} {right}"
            return f"({quick} if ({held} := {left}).__class__ is float else C({held}, {right}) {operator} 0)", BOOL
        return f"(C({self.kept(left, first)}, {self.kept(right, second)}) {operator} 0)", BOOL

    def flat(self, node: Expr) -> list[Expr]:
        """The parts of a concatenation, including nested ones."""
        if isinstance(node, Group) and isinstance(node.inner, Concat):
            return self.flat(node.inner)
        if isinstance(node, Concat):
            return [part for item in node.parts for part in self.flat(item)]
        return [node]

    def _concat(self, node: Concat) -> Code:
        parts = self.flat(node)
        if len(parts) > _MANY_PARTS:
            return f"rt.join([S(part) for part in ({', '.join(map(self.value, parts))})])", STR
        return self.joined([self.text(part) for part in parts]), STR

    def joined(self, parts: list[str]) -> str:
        """Concatenate strings; long results are charged to the budget."""
        if len(parts) > 4:
            return f"rt.join(({', '.join(parts)}))"
        return self.counted(" + ".join(parts))

    def _binary(self, node: Binary) -> Code:
        operator = node.operator
        left, first = self.numeric(node.left)
        right, second = self.numeric(node.right)
        if operator in "/%" and isinstance(node.right, Number) and node.right.value == 0:
            place = "" if operator == "/" else " in `%'"
            raise AwkError(f"division by zero attempted{place}", self.line, kind="error", status=1)
        if operator == "^":
            return f"power({left}, {right})", NUM
        if operator == "%":
            return f"modulo({left}, {right})", NUM
        if first == INT and second == INT:
            left = f"float({left})"
        if isinstance(node.left, Binary) and left.startswith("(") and (operator in "+-" or node.left.operator in "*/"):
            left = left[1:-1]
        return f"({left} {operator} {right})", NUM

    def _unary(self, node: Unary) -> Code:
        if node.operator == "!":
            return f"(not {self.condition(node.operand)})", BOOL
        return f"({node.operator}{self.number(node.operand, exact=True)})", NUM

    def _call(self, node: Call) -> Code:
        callee = self.scope.program.functions.get(node.name)
        if callee is None and not node.indirect:
            return f'fatal("function `{node.name}\' not defined")', ANY
        if node.indirect or callee is None:
            passed = ", ".join(self._argument(argument, "") for argument in node.arguments)
            return f"indirect(lib.functions, {self.text(Name(node.name))}, {len(node.arguments)})({passed})", ANY
        names = (*callee.parameters, *[""] * (len(node.arguments) - len(callee.parameters)))
        kinds = [self.scope.kinds.get((callee.name, name), "") for name in names]
        passed = ", ".join(map(self._argument, node.arguments, names, kinds))
        if len(names) > len(callee.parameters):  # what is too much is evaluated, too
            passed = f"*({passed},)[:{len(callee.parameters)}]"
        return f"f_{node.name}({passed})", self.types.of(node, self.function)

    def _argument(self, node: Expr, parameter: str, kind: str = "") -> str:
        special = isinstance(node, Name) and node.name in SPECIALS and node.name not in SPECIAL_ARRAYS
        if kind == ARRAY:
            fits = self.scope.kind(self.function, node.name) != SCALAR if isinstance(node, Name) else isinstance(node, Index)
            return self.array(node) if fits and not special else f"bad_scalar({parameter!r}, 'parameter ')"
        if not isinstance(node, Name) or special:
            return self.value(node)
        own = self.scope.kind(self.function, node.name)
        if own == ARRAY:
            return self.array(node) if kind != SCALAR else f"bad_array({parameter + ' (from ' + node.name + ')'!r})"
        return f"v_{node.name}"

    def _getline(self, node: Getline) -> Code:
        main = node.kind == "main"
        name = self.text(node.source) if node.source is not None else "''"
        if node.target is None:
            return "rt.getline()" if main else f"rt.getline_record({node.kind!r}, {name})", NUM
        held = self.temporary()
        place, found = self.pinned(node.target)
        if isinstance(place, Field) and place != RECORD:
            found = f"R.reach({self.number(place.number)})"
        if found:  # the place is evaluated, and made, whether or not there is a record; after the name
            name = f"({name}, {found})[0]"
        stored = self.store_at(place, f"V({held})")
        if main:
            found = f"({found}, rt.input.next())[1]" if found else "rt.input.next()"
            return f"(({stored}, 1.0)[1] if ({held} := {found}) is not None else 0.0)", NUM
        read = f"({held} := rt.getline_from({node.kind!r}, {name}))"
        return f"(({stored}, 1.0)[1] if {read}.__class__ is str else float({held}))", NUM


_EXPRESSIONS: dict[type[Expr], Callable[[Translator, Any], Code]] = {
    Number: Translator._number,  # noqa: SLF001 - the table of the class's own methods
    String: Translator._string,  # noqa: SLF001
    Regex: Translator._regex,  # noqa: SLF001
    Group: Translator._group,  # noqa: SLF001
    Name: Translator._name,  # noqa: SLF001
    Index: Translator._index,  # noqa: SLF001
    Field: Translator._field,  # noqa: SLF001
    Assign: Translator._assign,  # noqa: SLF001
    Increment: Translator._increment,  # noqa: SLF001
    Conditional: Translator._conditional,  # noqa: SLF001
    Logic: Translator._logic,  # noqa: SLF001
    In: Translator._in,  # noqa: SLF001
    Match: Translator._match,  # noqa: SLF001
    Compare: Translator._compare,  # noqa: SLF001
    Concat: Translator._concat,  # noqa: SLF001
    Binary: Translator._binary,  # noqa: SLF001
    Unary: Translator._unary,  # noqa: SLF001
    Call: Translator._call,  # noqa: SLF001
    Getline: Translator._getline,  # noqa: SLF001
    Builtin: Translator.builtin,
}
