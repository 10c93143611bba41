"""Compiles the statements of an awk program to Python."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.compile.fixed import changes
from bashkit.commands.patterns.awk.compile.inference import NONE, NUM, NUMERIC, STR
from bashkit.commands.patterns.awk.compile.scope import SCALAR
from bashkit.commands.patterns.awk.compile.translate import Translator
from bashkit.commands.patterns.awk.syntax.signatures import SPECIALS
from bashkit.commands.patterns.awk.syntax.tree import (
    Assign,
    Block,
    Delete,
    DoWhile,
    Expr,
    Field,
    For,
    ForIn,
    Group,
    If,
    Increment,
    Index,
    Jump,
    Leave,
    Name,
    Number,
    Print,
    Simple,
    Stmt,
    String,
    Switch,
    While,
)
from bashkit.commands.patterns.awk.syntax.tree import Regex as RegexNode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.patterns.awk.compile.inference import Types
    from bashkit.commands.patterns.awk.compile.scope import Scope

_LONG = 256  # characters from which a string that was made is counted
_LONG_APPEND = 4096
_FEW = 8  # statements that print parts of a record before their texts are counted


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
    """Writes the Python code of statements.

    Attributes:
        lines: The code: indentation, text, and the line of the awk program.
    """

    def __init__(self, scope: Scope, types: Types, outside: frozenset[str]) -> None:
        super().__init__(scope, types)
        self.lines: list[tuple[int, str, int]] = []
        self._outside = outside
        self._indent = 0
        self._loops: list[_Loop] = []
        self._context = ""  # the kind of rule
        self._raises_next = False
        self._uncounted = 0  # statements that print parts of a record, whose texts are not counted

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
        """Write into a separate list."""
        outer, self.lines = self.lines, []
        inner = self.lines
        yield inner
        self.lines = outer

    # -- statements -------------------------------------------------------------------------------------------------------

    def _block(self, block: Stmt) -> None:
        for statement in block.body if isinstance(block, Block) else (block,):
            self.statement(statement)

    def statement(self, node: Stmt) -> None:
        """Compile one statement."""
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
        """Write an assignment as a Python statement if that is shorter; return whether it was."""
        target = node.target
        if node.operator:
            if node.operator in "+-*" and not changes(node.value) and not changes(node.target):
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
        if len(parts) > 1 and isinstance(first, Name) and first.name == target.name and not any(map(changes, parts)):
            # Python appends in place when a local variable is the only owner.
            if self.types.variable(self.function, target.name) != STR:
                self.write(f"if {variable}.__class__ is not str: {variable} = S({variable})")
            rest = [self.text(part) for part in parts[1:]]
            self.write(f"{variable} += {rest[0] if len(rest) == 1 else self.joined(rest)}")
            noted = "G" if target.name in self.scope.copied else "rt.appended"
            self.write(f"if len({variable}) > {_LONG_APPEND}: {noted}({variable})")
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
            text = f"(said if len(said := {self.formatted(node.arguments)}) <= {_LONG} else G(said))"
        else:
            ofs = "R.ofs" if "OFS" in self.scope.assigned or "OFS" in self._outside else '" "'
            ors = "rt.ors" if "ORS" in self.scope.assigned or "ORS" in self._outside else '"\\n"'
            arguments = node.arguments or (Field(Number(0.0)),)
            text = f" + {ofs} + ".join(self.printed(item) for item in arguments) + f" + {ors}"
            if self._may_pile_up(arguments, separated=ofs == "R.ofs" or ors == "rt.ors"):
                text = f"(said if len(said := {text}) <= {_LONG} else rt.waiting(said))"
        if node.destination is None:
            self.write(f"W({text})")
            return
        name = self.text(node.destination)
        self.write(f"to, said = {name}, {text}")  # the text comes before the file is opened
        self.write(f"rt.outputs.get({node.redirection!r}, to).write(said)")

    def _may_pile_up(self, arguments: tuple[Expr, ...], *, separated: bool) -> bool:
        """Whether many long texts may be printed before what was printed is written.

        That is so in loops and functions. A rule prints the few records of a batch, which are not much text; a rule of many
        statements does so often.

        Args:
            arguments: What is printed.
            separated: The program sets OFS or ORS.
        """
        if all((isinstance(item, String) and len(item.value) <= _LONG) or self._is_number(item) for item in arguments):
            return separated and (bool(self._loops) or self.function is not None)
        changed = self.scope.record_assigned or self.scope.fields_assigned
        if (
            changed
            or self._loops
            or self.function is not None
            or not all(isinstance(item, (Field, String)) or self._is_number(item) for item in arguments)
        ):
            return True
        self._uncounted += 1
        return not self._uncounted % _FEW

    def _is_number(self, item: Expr) -> bool:
        """Whether an expression is printed as a short number."""
        return "OFMT" not in self.scope.assigned | self._outside and not self.types.of(item, self.function) & ~NUMERIC

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
                tests.append(f"{index} if C({subject}, {self.value(case.label)}) == 0 else ")
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
                self.write(f"raise NextRecord({node.word!r})")
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
