"""A whole awk program to one Python function: rules, functions, statements."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bashkit.commands.awk.inference import NONE, NUM, STR
from bashkit.commands.awk.nodes import (
    Assign,
    Block,
    Builtin,
    Call,
    Compare,
    Conditional,
    Delete,
    DoWhile,
    Expr,
    Field,
    For,
    ForIn,
    Function,
    Getline,
    Group,
    If,
    Increment,
    Index,
    Jump,
    Leave,
    Logic,
    Match,
    Name,
    Number,
    Print,
    Program,
    Rule,
    Simple,
    Stmt,
    Switch,
    While,
)
from bashkit.commands.awk.nodes import Regex as RegexNode
from bashkit.commands.awk.scope import ARRAY, SCALAR, UNKNOWN, children
from bashkit.commands.awk.signatures import SPECIALS
from bashkit.commands.awk.translate import Translator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.awk.inference import Types
    from bashkit.commands.awk.scope import Scope

_LONG_APPEND = 4096


class _Loop:
    """A loop or switch around a statement.

    Attributes:
        again: Python lines that ``continue`` needs before Python's own.
        flag: For a switch: the variable that carries a ``continue`` out of it.
    """

    __slots__ = ("again", "flag", "used")

    def __init__(self, again: list[tuple[int, str, int]] | None = None, flag: str = "") -> None:
        self.again = again or []
        self.flag = flag
        self.used = False


class Generator(Translator):
    """Writes the Python for a program.

    Attributes:
        lines: What was written: indentation, text, and the line of the awk program.
    """

    def __init__(self, scope: Scope, types: Types, outside: frozenset[str]) -> None:
        super().__init__(scope, types)
        self.lines: list[tuple[int, str, int]] = []
        self._outside = outside
        self._indent = 0
        self._loops: list[_Loop] = []
        self._context = ""  # the kind of rule
        self._raises_next = False
        self._ranges = 0
        self._has_arrays = False

    def write(self, text: str) -> None:
        """One line."""
        self.lines.append((self._indent, text, self.line))

    @contextmanager
    def _indented(self) -> Iterator[None]:
        self._indent += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.write("pass")
        self._indent -= 1

    @contextmanager
    def _apart(self) -> Iterator[list[tuple[int, str, int]]]:
        """Write into a list of its own."""
        outer, self.lines = self.lines, []
        inner = self.lines
        yield inner
        self.lines = outer

    # -- the program ------------------------------------------------------------------------------------------------------

    def program(self, program: Program) -> None:
        """The function ``program(rt)``."""
        self._indent = 1
        with self._apart() as body:
            self._functions(program)
            self._hooks(program)
            self._assign_hook()
            self._main(program)
        self._indent = 0
        self.write("def program(rt):")
        self._indent = 1
        prelude = "R = rt.record; S = rt.to_text; O = rt.to_output; T = rt.texts; P = rt.printed; C = rt.compare; G = rt.grown"
        tables = "NT = rt.numbers; L = rt.looks; VF = rt.outside"
        for line in (prelude, tables, "W = rt.standard.pending.append; lib = rt.library; more = rt.more; budget = rt.budget; turns = 0"):
            self.write(line)
        for name in self.scope.globals:
            if self.scope.kind(None, name) == ARRAY:
                self.write(f"v_{name} = Array()")
            else:
                self.write(f"v_{name} = " + (f"rt.initial({name!r})" if name in self._outside else "UNINIT"))
        for name, made in self.constants.items():
            self.write(f"{name} = {made}")
        self.lines.extend(body)
        self._indent = 1
        self.write("return rt.status")

    def _functions(self, program: Program) -> None:
        for function in program.functions.values():
            self._function(function)
        if program.functions:
            named = ", ".join(f"{name!r}: f_{name}" for name in program.functions)
            self.write(f"lib.functions = {{{named}}}")

    def _function(self, function: Function) -> None:
        self.function, self.line = function, function.line
        self.nonlocals = set()
        arrays = [name for name in function.parameters if self.scope.kind(function, name) == ARRAY]
        parameters = [f"v_{name}=" + ("None" if name in arrays else "UNINIT") for name in function.parameters]
        self.write(f"def f_{function.name}({', '.join(parameters)}):")
        with self._indented():
            with self._apart() as body:
                self._block(function.body)
                self.write("rt.depth -= 1")
                self.write("return UNINIT")
            if self.nonlocals:
                self.write("nonlocal " + ", ".join(f"v_{name}" for name in sorted(self.nonlocals)))
            self.write("rt.enter(); turns = 64")
            for name in arrays:
                self.write(f"if v_{name} is None: v_{name} = Array()")
            self.lines.extend(body)
        self.function = None

    def _hooks(self, program: Program) -> None:
        """BEGINFILE and ENDFILE as functions that the input calls."""
        for kind, attribute in (("BEGINFILE", "begin_file"), ("ENDFILE", "end_file")):
            rules = [rule for rule in program.rules if rule.kind == kind]
            if not rules:
                continue
            # As a function of the program without parameters: what it assigns is the program's.
            self.function = Function(f"@{attribute}", (), Block(()), rules[0].line)
            self.nonlocals = set()
            self._context = kind
            self.write(f"def {attribute}():")
            with self._indented():
                with self._apart() as body:
                    for rule in rules:
                        self._block(rule.action or Block(()))
                if self.nonlocals:
                    self.write("nonlocal " + ", ".join(f"v_{name}" for name in sorted(self.nonlocals)))
                self.write("turns = 64")
                self.lines.extend(body)
                self.write("return False")
            self.write(f"rt.input.{attribute} = {attribute}")
            self.function = None

    def _assign_hook(self) -> None:
        """What assigns a variable for an operand."""
        names = [name for name in self.scope.globals if name in self._outside and self.scope.kind(None, name) != ARRAY]
        if not names:
            return
        self.write("def assign(name, value):")
        with self._indented():
            self.write("nonlocal " + ", ".join(f"v_{name}" for name in names))
            for name in names:
                self.write(f"if name == {name!r}: v_{name} = value")
        self.write("rt.assign_hook = assign")

    def _main(self, program: Program) -> None:
        record_rules = [rule for rule in program.rules if rule.kind == "record"]
        ends = [rule for rule in program.rules if rule.kind == "END"]
        files = any(rule.kind in ("BEGINFILE", "ENDFILE") for rule in program.rules)
        self.line = 0
        if {"RT"} & (self.scope.used | self.scope.assigned):
            self.write("rt.input.exact = True")
        for number in range(sum(rule.until is not None for rule in record_rules)):
            self.write(f"range{number} = False")
        self.write("try:")
        with self._indented():
            for rule in program.rules:
                if rule.kind == "BEGIN":
                    self._action(rule)
            if record_rules or ends or files:
                self._records(record_rules)
        self.write("except ExitProgram: rt.depth = 0")
        if ends:
            self.write("try:")
            with self._indented():
                for rule in ends:
                    self._action(rule)
            self.write("except ExitProgram: pass")

    def _records(self, rules: list[Rule]) -> None:
        counts = {"NR", "FNR"} & (self.scope.used | self.scope.assigned)
        self.write("rt.input.counted = " + str(not counts))
        self.write("most, pad = R.most, R.pad")
        self.write("while (batch := rt.batch()) is not None:")
        with self._indented():
            if not rules and not counts:
                self.write("for R.text in batch: pass")
                self.write("R.fields = None")
                return
            self.write("for R.text in batch:")
            with self._indented():
                early = bool(rules) and self._splits_at_once(rules[0])
                self.write("R.fields = R.text.split(None, most) + pad if R.quick else R.split()" if early else "R.fields = None")
                if counts:
                    self.write("R.number += 1; R.file_number += 1")
                self._raises_next = False
                self._indent += 1
                with self._apart() as body:
                    for rule in rules:
                        self._action(rule)
                self._indent -= 1
                if self._raises_next or {"next", "nextfile"} & self.scope.jumps:
                    self.write("try:")
                    self.lines.extend(body or [(self._indent + 1, "pass", 0)])
                    self.write("except NextRecord: rt.depth = 0")
                else:
                    self.lines.extend((indent - 1, text, line) for indent, text, line in body)

    def _splits_at_once(self, rule: Rule) -> bool:
        """Whether every record is split anyway, so that it can be done without a call; NF is not asked for then."""
        if self.scope.most < 0:
            return False
        first: object = rule.pattern
        if first is None and rule.action is not None and rule.action.body:
            first = rule.action.body[0]
        return isinstance(first, Simple | Print | Compare | Match) and _has_field(first)

    def _action(self, rule: Rule) -> None:
        self.line = rule.line
        self._context = rule.kind
        if rule.until is not None:
            name = f"range{self._ranges}"
            self._ranges += 1
            self.write(f"if {name} or {self.condition(rule.pattern or Number(1.0))}:")
            with self._indented():
                self.write(f"{name} = not {self.condition(rule.until)}")
                self._act(rule)
        elif rule.pattern is not None:
            self.write(f"if {self.condition(rule.pattern)}:")
            with self._indented():
                self._act(rule)
        else:
            self._act(rule)

    def _act(self, rule: Rule) -> None:
        if rule.action is None:
            self._print(Print((), rule.line))
        else:
            self._block(rule.action)

    # -- statements -------------------------------------------------------------------------------------------------------

    def _block(self, block: Stmt) -> None:
        for statement in block.body if isinstance(block, Block) else (block,):
            self.statement(statement)

    def statement(self, node: Stmt) -> None:
        """One statement."""
        self.line = getattr(node, "line", self.line)
        if isinstance(node, Block):
            self._block(node)
        elif isinstance(node, Simple):
            self._simple(node.value)
        elif isinstance(node, Print):
            self._print(node)
        elif isinstance(node, If):
            self._if(node)
        elif isinstance(node, While):
            self._while(node)
        elif isinstance(node, DoWhile):
            self._do(node)
        elif isinstance(node, For):
            self._for(node)
        elif isinstance(node, ForIn):
            self._for_in(node)
        elif isinstance(node, Switch):
            self._switch(node)
        elif isinstance(node, Jump):
            self._jump(node)
        elif isinstance(node, Leave):
            self._leave(node)
        elif isinstance(node, Delete):
            self._delete(node)

    def _simple(self, node: Expr) -> None:
        while isinstance(node, Group):
            node = node.inner
        if isinstance(node, Assign) and self._assigned(node):
            return
        if isinstance(node, Increment):
            operator = "+" if node.delta > 0 else "-"
            self._step(node.target, operator, "1.0", Increment(node.target, node.delta, prefix=True))
            return
        self.write(self.expr(node)[0])

    def _assigned(self, node: Assign) -> bool:
        """Write an assignment as a statement of Python where that is shorter; whether it was."""
        target = node.target
        if node.operator:
            if node.operator in "+-*":
                amount = self.number(node.value, exact=True)
                return self._step(target, node.operator, amount, node)
            return False
        if isinstance(target, Index):
            self.write(f"{self.array(target.base)}[{self.key(target)}] = {self.value(node.value)}")
            return True
        if not isinstance(target, Name) or target.name in SPECIALS or self.scope.kind(self.function, target.name) != SCALAR:
            return False
        parts = self.flat(node.value)
        variable = self.variable(target.name)
        first = parts[0]
        if len(parts) > 1 and isinstance(first, Name) and first.name == target.name and not any(map(_changes, parts)):
            # Python appends in place when a local variable is the only owner.
            if self.types.variable(self.function, target.name) != STR:
                self.write(f"if {variable}.__class__ is not str: {variable} = S({variable})")
            rest = [self.text(part) for part in parts[1:]]
            self.write(f"{variable} += {rest[0] if len(rest) == 1 else self.joined(rest)}")
            self.write(f"if len({variable}) > {_LONG_APPEND}: rt.appended({variable})")
            return True
        self.write(f"{variable} = {self.value(node.value)}")
        return True

    def _step(self, target: Expr, operator: str, amount: str, whole: Expr) -> bool:
        """``target operator= amount`` as a statement."""
        if isinstance(target, Name) and target.name not in SPECIALS and self.scope.kind(self.function, target.name) == SCALAR:
            self.write(f"{self.variable(target.name)} = {self.number(target)} {operator} {amount}")
        elif isinstance(target, Index) and not self.types.element(self.function, target.base) & ~(NUM | NONE):
            self.write(f"{self.array(target.base)}[{self.key(target)}] {operator}= {amount}")
        else:
            self.write(self.expr(whole)[0])
        return True

    def _print(self, node: Print) -> None:
        if node.formatted:
            text = self.formatted(node.arguments)
        else:
            ofs = "R.ofs" if "OFS" in self.scope.assigned or "OFS" in self._outside else '" "'
            ors = "rt.ors" if "ORS" in self.scope.assigned or "ORS" in self._outside else '"\\n"'
            arguments = node.arguments or (Field(Number(0.0)),)
            text = f" + {ofs} + ".join(self.printed(item) for item in arguments) + f" + {ors}"
        if node.destination is None:
            self.write(f"W({text})")
            return
        name = self.text(node.destination)
        self.write(f"rt.outputs.get({node.redirection!r}, {name}).write({text})")

    def _if(self, node: If) -> None:
        keyword = "if"
        branch: Stmt | None = node
        while isinstance(branch, If):
            self.line = branch.line
            self.write(f"{keyword} {self.condition(branch.test)}:")
            with self._indented():
                self._block(branch.yes)
            keyword, branch = "elif", branch.no
        if branch is not None:
            self.write("else:")
            with self._indented():
                self._block(branch)

    def _tick(self) -> None:
        self.write("turns -= 1")
        self.write("if turns < 0: turns = more()")

    def _loop(self, body: Stmt, loop: _Loop) -> None:
        self._loops.append(loop)
        self._block(body)
        self._loops.pop()

    def _while(self, node: While) -> None:
        self.write(f"while {self.condition(node.test)}:")
        with self._indented():
            self._tick()
            self._loop(node.body, _Loop())

    def _do(self, node: DoWhile) -> None:
        test = self.condition(node.test)
        self.write("while True:")
        with self._indented():
            self._tick()
            leave = f"if not ({test}): break"
            self._loop(node.body, _Loop([(0, leave, node.line)]))
            self.write(leave)

    def _for(self, node: For) -> None:
        if node.start is not None:
            self.statement(node.start)
        self.write(f"while {self.condition(node.test) if node.test is not None else 'True'}:")
        with self._indented():
            self._tick()
            step: list[tuple[int, str, int]] = []
            if node.step is not None:
                outer, self._indent = self._indent, 0
                with self._apart() as step:
                    self.statement(node.step)
                self._indent = outer
            self._loop(node.body, _Loop(step))
            self.lines.extend((self._indent + indent, text, line) for indent, text, line in step)

    def _for_in(self, node: ForIn) -> None:
        key = self.temporary()
        keys = f"lib.keys({self.array(node.array)})" if "PROCINFO" in self.scope.used else f"natural({self.array(node.array)})"
        self.write(f"for {key} in {keys}:")
        with self._indented():
            self._tick()
            self.write(self.store(node.variable, key))
            self._loop(node.body, _Loop())

    def _switch(self, node: Switch) -> None:
        subject, chosen, flag = self.temporary(), self.temporary(), self.temporary()
        self.write(f"{subject} = {self.value(node.subject)}")
        default = next((index for index, case in enumerate(node.cases) if case.label is None), len(node.cases))
        tests = []
        for index, case in enumerate(node.cases):
            if isinstance(case.label, RegexNode):
                tests.append(f"{index} if {self.pattern(case.label)}.test(S({subject})) else ")
            elif case.label is not None:
                tests.append(f"{index} if rt.same({subject}, {self.value(case.label)}) else ")
        self.write(f"{flag} = False")
        self.write(f"{chosen} = {''.join(tests)}{default}")
        loop = _Loop(flag=flag)
        self._loops.append(loop)
        self.write("while True:")
        with self._indented():
            for index, case in enumerate(node.cases):
                self.write(f"if {chosen} <= {index}:")
                with self._indented():
                    for statement in case.body:
                        self.statement(statement)
            self.write("break")
        self._loops.pop()
        if loop.used:
            self.write(f"if {flag}:")
            with self._indented():
                self._continue()

    def _continue(self) -> None:
        loop = self._loops[-1]
        if loop.flag:
            loop.used = True
            self.write(f"{loop.flag} = True")
            self.write("break")
            return
        self.lines.extend((self._indent + indent, text, line) for indent, text, line in loop.again)
        self.write("continue")

    def _jump(self, node: Jump) -> None:
        if node.word == "break":
            self.write("break")
        elif node.word == "continue":
            self._continue()
        else:
            if node.word == "nextfile":
                if self._context == "BEGINFILE" and self.function is not None and self.function.name.startswith("@"):
                    self.write("return True")
                    return
                self.write("rt.input.skip_file()")
            if self._loops or self.function is not None:
                self._raises_next = True
                self.write("raise NextRecord")
            else:
                self.write("continue")

    def _leave(self, node: Leave) -> None:
        if node.word == "exit":
            if node.value is not None:
                self.write(f"rt.exit({self.number(node.value)})")
            self.write("raise ExitProgram")
            return
        if node.value is None:
            self.write("rt.depth -= 1")
            self.write("return UNINIT")
            return
        value = self.value(node.value)
        if value.startswith("v_") and value.isidentifier():
            self.write("rt.depth -= 1")
            self.write(f"return {value}")
            return
        held = self.temporary()
        self.write(f"{held} = {value}")
        self.write("rt.depth -= 1")
        self.write(f"return {held}")

    def _delete(self, node: Delete) -> None:
        if isinstance(node.target, Index):
            self.write(f"{self.array(node.target.base)}.pop({self.key(node.target)}, None)")
        else:
            self.write(f"{self.array(node.target)}.clear()")


def _has_field(node: object) -> bool:
    """Whether evaluating it surely looks at a field."""
    if isinstance(node, Field):
        return not (isinstance(node.number, Number) and node.number.value == 0)
    if isinstance(node, Logic | Conditional):
        return False
    return any(_has_field(child) for child in children(node))


def _changes(node: object) -> bool:
    """Whether evaluating it may assign something."""
    if isinstance(node, Assign | Increment | Getline | Call):
        return True
    if isinstance(node, Builtin) and node.name in ("sub", "gsub", "split", "match"):
        return True
    return any(_changes(child) for child in children(node))


__all__ = ["UNKNOWN", "Generator"]
