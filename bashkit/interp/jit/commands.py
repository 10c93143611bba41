"""Commands as Python statements (bash(1), SHELL GRAMMAR)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from bashkit.interp.arguments import compile_words
from bashkit.interp.assignments import runs_commands
from bashkit.interp.braces import may_have_braces
from bashkit.interp.compiler import compile_command, compile_sequence, shielded
from bashkit.interp.expansion import compile_arithmetic, constant
from bashkit.interp.expressions import Name
from bashkit.interp.jit import INLINED
from bashkit.interp.jit.conditions import ConditionWriter, case_pattern
from bashkit.interp.jit.numbers import fits, is_pure, subscript_tree
from bashkit.interp.jit.support import Deferred
from bashkit.interp.jit.words import opens_descriptors
from bashkit.interp.jit.writer import TooLargeError
from bashkit.interp.loops import for_turn
from bashkit.interp.store import NAME
from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticExpansion,
    ArithmeticFor,
    Assignment,
    Case,
    Command,
    ConditionalCommand,
    For,
    Group,
    If,
    Pipeline,
    Sequence,
    SimpleCommand,
    While,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.jit import Unit

_SPECIAL = "S.debugging or S.xtrace or S.allexport or S.altered"
_MAX_LOOPS = 4  # inside each other: Python allows twenty nested blocks
_MAX_INDENT = 60
_QUIET = frozenset([":", "true", "false"])


class Translator(ConditionWriter):
    """Turns one loop, or the body of one function, into a Python function.

    Attributes:
        dirty: The shell does not know the status yet.
        checked: Nothing can have been switched on since it was asked whether only the closures will do.
        asked: The status of what is being written is asked for, so that errexit leaves it alone.

    Args:
        function: It is the body of a function.
    """

    def __init__(self, *, function: bool) -> None:
        super().__init__()
        self._function = function
        self._loops = 0
        self._line = 0
        self.dirty = True
        self.checked = False
        self.asked = False

    def unit(self, node: Command) -> Unit | None:
        """The generated function, or None where the command is too large."""
        try:
            if isinstance(node, While):
                self._while(node, outermost=True)
            elif isinstance(node, ArithmeticFor):
                self._arithmetic_for(node, outermost=True)
            elif isinstance(node, For):
                self._for(node, outermost=True)
            else:
                self.sequence(node.body.commands if isinstance(node, Group) else (node,))
            self.settle()
            self.out.emit("S.status = st")
            if self.dirty:
                self.out.emit("S.pipe_statuses = None")
            self.out.emit("return st")
            head = ["st = S.status", "V = S.variables", "G = V.get", "B = S.budget", "F = S.functions", "W = S.machine.on_flush is not None", *self.head()]
            return cast("Unit", self.out.build("unit", "S, before=0, rest=None", head))
        except (TooLargeError, RecursionError):
            return None

    # -- the state between two commands --------------------------------------------------------------------------------

    def flush(self) -> None:
        """Store the status in the shell."""
        if self.dirty:
            self.out.emit(f"S.status = {self.status}")
            self.out.emit("S.pipe_statuses = None")
            self.dirty = False

    def settle(self) -> None:
        """Store the status in its local."""
        if self.status != "st":
            self.out.emit(f"st = {self.status}")
            self.status = "st"

    def _done(self, status: str) -> None:
        """A translated command ended with this status."""
        self.status = status
        self.dirty = True

    def _at(self, line: int) -> None:
        if line and line != self._line:
            self.out.emit(f"S.line = {line}")
            self._line = line

    def _forget(self) -> None:
        """Something ran that is not translated: it may have changed everything."""
        self.checked = False
        self._line = 0

    @contextmanager
    def _branch(self, head: str, status: str) -> Iterator[None]:
        """A block that may or may not run; afterwards only what holds either way is known."""
        before = (self.status, self.dirty, self.checked)
        if self.out.depth > _MAX_INDENT:
            raise TooLargeError
        with self.out.block(head):
            self.status, self._line = status, 0
            self.dirty = True
            yield
            self.settle()
        self.status, self.dirty, self._line = "st", True, 0
        self.checked = self.checked and before[2]

    def _charge(self) -> None:
        """Account for one command."""
        self.out.emit("B.credit -= 1")
        with self.out.block("if B.credit < 0"):
            self.out.emit("B.renew()")

    def _watch(self) -> None:
        """The command may have failed, and nobody asked."""
        if not self.asked:
            with self.out.block("if st and S.watching"):
                self.out.emit("failed(S, st)")

    def _deferred(self, commands: tuple[Command, ...], *, asked: bool) -> str:
        """The closure for commands, made when it is needed."""
        sequence = Sequence(commands)

        def make() -> Callable[..., int]:
            run = compile_sequence(sequence)
            return shielded(run) if asked else run

        return self.out.bind(Deferred(make))

    # -- sequences -----------------------------------------------------------------------------------------------------

    def sequence(self, commands: tuple[Command, ...]) -> None:
        """Commands one after the other."""
        index = 0
        while index < len(commands):
            end = index
            while end < len(commands) and self._is_known(commands[end]):
                end += 1
            if end == index:
                self._escape(commands[index])
                index += 1
            elif self.checked:
                self._command(commands[index])
                index += 1
            else:
                end = index + self._stretch(commands[index:end])
                self._region(commands[index:end])
                index = end

    @staticmethod
    def _stretch(commands: tuple[Command, ...]) -> int:
        """How many of the commands may follow one look at the shell's options: up to the first that runs something else."""
        for index, command in enumerate(commands):
            if _runs_anything(command):
                return index + 1
        return len(commands)

    def _region(self, commands: tuple[Command, ...]) -> None:
        """Commands behind one look whether only the closures will do."""
        lone = commands[0]
        if len(commands) == 1 and isinstance(lone, (While, For, ArithmeticFor)):
            self._command(lone)  # looks at every turn
            return
        self.settle()
        line = self._line
        with self.out.block(f"if {_SPECIAL}"):
            dirty = self.dirty
            self.flush()
            self.out.emit(f"st = {self._deferred(commands, asked=self.asked)}(S)")
            self.dirty = dirty
        with self.out.block("else"):
            self._line = line
            self.checked = True
            for command in commands:
                self._command(command)
            self.settle()
        self.status, self.dirty = "st", True
        self._forget()

    def _escape(self, command: Command) -> None:
        """A command that is left to its closure."""
        self.settle()
        self.flush()
        run = compile_command(command)
        self.out.emit(f"st = {self.out.bind(shielded(run) if self.asked else run)}(S)")
        self.status, self.dirty = "st", False
        self._forget()

    def _is_known(self, command: Command) -> bool:
        """Whether a command is translated."""
        if isinstance(command, (ArithmeticCommand, ConditionalCommand, If, AndOr, Case)):
            return True
        if isinstance(command, (Group, Sequence)):
            return True
        if isinstance(command, (While, For, ArithmeticFor)):
            return self._loops < _MAX_LOOPS and not (isinstance(command, For) and not NAME.fullmatch(command.name))
        return isinstance(command, SimpleCommand) and self._is_known_simple(command)

    def _is_known_simple(self, command: SimpleCommand) -> bool:
        if command.redirections or (command.words and command.assignments):
            return False
        if not command.words:
            return all(map(_is_known_assignment, command.assignments))
        name = constant(command.words[0]) if isinstance(command.words[0], Word) else None
        if name is None or not name:
            return False
        if name == "local":
            return _is_known_local(command, self)
        words = tuple(word for word in command.words if isinstance(word, Word))
        if len(words) != len(command.words) or opens_descriptors(words):
            return False
        if name in {"break", "continue"}:
            return bool(self._loops) and len(words) == 1
        if name == "return":
            return self._function and _return_status(words) is not None
        return True

    # -- commands ------------------------------------------------------------------------------------------------------

    def _command(self, command: Command) -> None:
        """One command that is known."""
        if not self._is_known(command):
            self._escape(command)
        elif isinstance(command, SimpleCommand):
            self._simple(command)
        elif isinstance(command, (ArithmeticCommand, ConditionalCommand)):
            truth, failure = self._test(command)
            self.settle()
            self.out.emit(f"st = 0 if {truth} else {failure}")
            self._done("st")
            self._watch()
        elif isinstance(command, If):
            self._if(command.branches, command.otherwise)
        elif isinstance(command, AndOr):
            self._and_or(command)
        elif isinstance(command, Case):
            self._case(command)
        elif isinstance(command, Group):
            self.sequence(command.body.commands)
        elif isinstance(command, Sequence):
            self.sequence(command.commands)
        elif isinstance(command, While):
            self._while(command)
        elif isinstance(command, ArithmeticFor):
            self._arithmetic_for(command)
        elif isinstance(command, For):
            self._for(command)

    def _test(self, command: ArithmeticCommand | ConditionalCommand) -> tuple[str, str]:
        """Write ``((…))`` or ``[[…]]``: the Python expression of its truth, and the status where that is false."""
        self._at(command.line)
        self._charge()
        if isinstance(command, ConditionalCommand):
            result = self.out.temporary()
            condition = self.conditional(command.expression)
            with self.out.block("try"):
                self.out.emit(f"{result} = 0 if {condition} else 1")
            with self.out.block("except ConditionError as error"):
                self.out.emit(f"{result} = condition_failed(S, error)")
            return f"not {result}", result
        tree = self.expression(command.expression)
        result = self.out.temporary()
        if tree is None:
            value = self.number(command.expression)
        with self.out.block("try"):
            self.out.emit(f"{result} = {self.statement(tree) if tree is not None else value}")
        with self.out.block("except ExpansionError as error"):
            self.out.emit(f"{result} = arithmetic_failed(S, error)")
        return result, "1"

    # -- simple commands -----------------------------------------------------------------------------------------------

    def _simple(self, command: SimpleCommand) -> None:
        if not command.words:
            self._assignments(command)
            return
        words = tuple(word for word in command.words if isinstance(word, Word))
        name = constant(words[0]) or ""
        if name in _QUIET and all(constant(word) is not None and not may_have_braces(word) for word in words):
            if name == "false":
                self._at(command.line)
            self._charge()
            self.out.emit(f"V['_'] = {self.out.text(constant(words[-1]) or '')}")
            self._done("1" if name == "false" else "0")
            if name == "false":
                self.settle()
                self._watch()
        elif name in {"[", "test"}:
            test = self._bracket(command)
            if test is None:
                self._call(command, words, name)
            else:
                self.settle()
                self.out.emit(f"st = 0 if {test[0]} else {test[1]}")
                self._done("st")
                self._watch()
        elif name == "local":
            self._local(command)
        elif name == "return":
            self._return(words)
        elif name in {"break", "continue"}:
            self._charge()
            self.out.emit(f"st = r{self._loops} = 0")
            self.out.emit("S.pipe_statuses = None")
            self.out.emit(name)
            self._done("st")
        else:
            self._call(command, words, name)

    def _bracket(self, command: SimpleCommand) -> tuple[str, str] | None:
        """Write what ``[`` needs before it: the Python expression of its truth, and the status where that is false.

        None where it is called as any command.
        """
        words = tuple(word for word in command.words if isinstance(word, Word))
        arguments = words[1:]
        if constant(words[0]) == "[":
            if constant(words[-1]) != "]":
                return None
            arguments = arguments[:-1]
        if any(map(may_have_braces, words)):
            return None
        self._at(command.line)
        failure = self.out.temporary()
        truth = self.test(arguments, f"(({failure} := {self._deferred((command,), asked=True)}(S)) == 0)")
        if truth is None:
            return None
        self.out.emit(f"{failure} = 1")
        self._charge()
        last = constant(words[-1])
        if last is not None:
            self.out.emit(f"V['_'] = {self.out.text(last)}")
        return truth, failure

    def _call(self, command: SimpleCommand, words: tuple[Word, ...], name: str) -> None:
        """Any command: a function, a builtin, a utility, a tool."""
        self.settle()
        self._at(command.line)
        self._charge()
        arguments = self.arguments(words)
        self.flush()
        emit = self.out.emit
        if self.asked:
            emit("S.condition_depth += 1")
            with self.out.block("try"):
                self._dispatch(arguments, name, command.column)
            with self.out.block("finally"):
                emit("S.condition_depth -= 1")
        else:
            self._dispatch(arguments, name, command.column)
        emit(f"V['_'] = {arguments}[-1]")
        with self.out.block("if W and not S.subshell_level"):
            emit("S.machine.on_flush()")
        self._done("st")
        self._forget()
        self._watch()

    def _dispatch(self, arguments: str, name: str, column: int) -> None:
        key = self.out.text(name)
        self.out.emit(
            f"st = call_function(S, f, {arguments}) if (f := F.get({key})) is not None else dispatch(S, {arguments}, {column})"
        )

    def _local(self, command: SimpleCommand) -> None:
        self._at(command.line)
        self._charge()
        general = self._deferred((command,), asked=self.asked)
        values: list[tuple[str, str]] = []
        for word in command.words[1:]:
            assert isinstance(word, Assignment)
            assert isinstance(word.value, Word)
            values.append((word.name, self.string(word.value, assignment=True)))
        self.settle()
        kept: list[str] = []
        for _, value in values:  # all are expanded before the first is assigned
            kept.append(self.out.temporary())
            self.out.emit(f"{kept[-1]} = {value}")
        self.flush()
        tests = [f"local(S, '{name}', {value})" for (name, _), value in zip(values, kept, strict=True)]
        with self.out.block(f"if {' and '.join(tests)}"):
            self.out.emit(f"V['_'] = {self.out.text(values[-1][0] + '=')} + {kept[-1]}")
            self.out.emit("st = 0")
        with self.out.block("else"):
            self.out.emit(f"st = {general}(S)")
        self._done("st")

    def _return(self, words: tuple[Word, ...]) -> None:
        self._charge()
        status = _return_status(words)
        value = self.status if status is None or status < 0 else str(status)
        self.out.emit(f"S.status = {value}")
        self.out.emit(f"return {value}")
        self._done("st")

    def _assignments(self, command: SimpleCommand) -> None:
        self._at(command.line)
        self._charge()
        for assignment in command.assignments:
            self._assignment(assignment)
        self.out.emit("V['_'] = ''")
        self._done("0")

    def _assignment(self, assignment: Assignment) -> None:
        name, value = assignment.name, assignment.value
        if not isinstance(value, Word):
            self._append(assignment)
            return
        part = value.parts[0] if len(value.parts) == 1 else None
        if isinstance(part, ArithmeticExpansion) and not assignment.append:
            number = self.out.temporary()
            self.out.emit(f"{number} = {self.number(part.expression)}")
            subscript = None if assignment.subscript is None else constant(assignment.subscript)
            if assignment.subscript is None or subscript is not None:
                self._store_number(name, subscript, number)
                return
            text = f"str({number})"
        else:
            text = self.string(value, assignment=True)
        if assignment.subscript is not None:
            self._assign_element(assignment, assignment.subscript, text)
            return
        kept = self.out.temporary()
        self.out.emit(f"{kept} = {text}")
        if assignment.append:
            with self.out.block(f"if (v := G('{name}')).__class__ is str and len(v) + len({kept}) < LARGE"):
                self.out.emit(f"V['{name}'] = v + {kept}")
            with self.out.block("else"):
                self.out.emit(f"S.assign('{name}', {kept}, append=True)")
            return
        with self.out.block(f"if ((v := G('{name}')) is None or v.__class__ is str) and len({kept}) < LARGE"):
            self.out.emit(f"V['{name}'] = {kept}")
        with self.out.block("else"):
            self.out.emit(f"S.assign('{name}', {kept})")

    def _store_number(self, name: str, subscript: str | None, number: str) -> None:
        tree = None if subscript is None else subscript_tree(subscript)
        if subscript is None or (tree is not None and fits(tree)):
            self.store(Name(name, subscript), number)
        else:
            self.out.emit(f"S.assign_element('{name}', {self.out.text(subscript)}, str({number}))")

    def _assign_element(self, assignment: Assignment, subscript: Word, text: str) -> None:
        name, fixed = assignment.name, constant(subscript)
        kept = self.out.temporary()
        tree = None if fixed is None else subscript_tree(fixed)
        if tree is not None and fits(tree) and is_pure(tree) and not assignment.append:
            self.out.emit(f"{kept} = {text}")
            with self.out.block(f"if (v := G('{name}')).__class__ is Variable and v.value.__class__ is IndexedArray"):
                self.out.emit(f"store_element(S, v, '{name}', {self.value(tree)}, {kept})")
            with self.out.block("else"):
                self.out.emit(f"S.assign_element('{name}', {self.out.text(fixed or '')}, {kept})")
            return
        key = self.out.temporary()
        self.out.emit(f"{key} = {self.string(subscript)}")
        self.out.emit(f"{kept} = {text}")
        if assignment.append:
            self.out.emit(f"S.assign_element('{name}', {key}, {kept}, append=True)")
        else:
            self.out.emit(f"store_key(S, G('{name}'), '{name}', {key}, {kept})")

    def _append(self, assignment: Assignment) -> None:
        """``a+=(words)``"""
        assert not isinstance(assignment.value, Word)
        values = self.arguments(tuple(element.value for element in assignment.value))
        self.out.emit(f"append_values(S, G('{assignment.name}'), '{assignment.name}', {values})")

    # -- compound commands ---------------------------------------------------------------------------------------------

    def _condition(self, commands: tuple[Command, ...]) -> tuple[str, str]:
        """Write commands whose status is asked for: the Python expression of success, and the status where it is false."""
        saved, self.asked = self.asked, True
        try:
            if len(commands) > 1:
                self.sequence(commands[:-1])
            return self._asked(commands[-1]) if commands else ("True", "0")
        finally:
            self.asked = saved

    def _asked(self, command: Command) -> tuple[str, str]:
        if isinstance(command, Pipeline) and command.negated and len(command.commands) == 1 and not command.timed:
            truth, _ = self._asked(command.commands[0])
            return f"not ({truth})", "1"
        if self.checked and isinstance(command, (ArithmeticCommand, ConditionalCommand)):
            return self._test(command)
        if self.checked and isinstance(command, SimpleCommand) and self._is_known(command) and command.words:
            first = command.words[0]
            if isinstance(first, Word) and constant(first) in {"[", "test"}:
                test = self._bracket(command)
                if test is not None:
                    self.dirty = True
                    return test
        self.sequence((command,))
        self.settle()
        return "st == 0", "st"

    def _if(self, branches: tuple[tuple[Sequence, Sequence], ...], otherwise: Sequence | None) -> None:
        condition, body = branches[0]
        self.settle()
        truth, failure = self._condition(condition.commands)
        self.settle()
        checked = self.checked
        with self._branch(f"if {truth}", "0"):
            self.sequence(body.commands)
        after = self.checked
        self.checked = checked
        with self._branch("else", failure):
            if len(branches) > 1:
                self._if(branches[1:], otherwise)
            elif otherwise is not None:
                self.sequence(otherwise.commands)
            else:
                self._done("0")
        self.checked = self.checked and after

    def _and_or(self, command: AndOr) -> None:
        self.settle()
        truth, failure = self._condition((command.first,))
        self.settle()
        if failure != "st" or truth != "st == 0":
            self.out.emit(f"st = 0 if {truth} else {failure}")
        self.dirty = True
        last = len(command.rest) - 1
        for index, (operator, part) in enumerate(command.rest):
            saved, self.asked = self.asked, self.asked or index != last
            with self._branch(f"if st {'==' if operator == '&&' else '!='} 0", "st"):
                self.sequence((part,))
            self.asked = saved

    def _case(self, command: Case) -> None:
        if any(item.terminator not in {";;", ""} for item in command.items) or len(command.items) > 30:
            self._escape(command)
            return
        self._at(command.line)
        subject = self.out.temporary()
        self.out.emit(f"{subject} = {self.string(command.subject)}")
        self._done("0")
        self.settle()
        self._clauses(command, 0, subject)

    def _clauses(self, command: Case, index: int, subject: str) -> None:
        if index == len(command.items):
            return
        item = command.items[index]
        tests: list[str] = []
        for word in item.patterns:
            found = self.pattern(word, subject)
            if found is None:
                self.flush()
                found = f"{self.out.bind(case_pattern(word))}(S, {subject})"
            tests.append(found)
        checked = self.checked
        with self._branch(f"if {' or '.join(tests)}", "0"):
            self.sequence(item.body.commands)
        after, self.checked = self.checked, checked
        if index + 1 < len(command.items):
            with self._branch("else", "st"):
                self._clauses(command, index + 1, subject)
        self.checked = self.checked and after

    # -- loops ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def _loop(self, outermost: bool) -> Iterator[str]:
        """What surrounds every loop; gives the local that holds the status of its last turn."""
        self.settle()
        self.flush()
        self._loops += 1
        result = f"r{self._loops}"
        self.out.emit(f"{result} = {'before' if outermost else '0'}")
        self.out.emit("S.loop_depth += 1")
        self.out.emit("S.fed = None")
        asked = self.asked
        with self.out.block("try"):
            yield result
        with self.out.block("finally"):
            self.out.emit("S.loop_depth -= 1")
        self.asked = asked
        self._loops -= 1
        self.out.emit(f"st = {result}")
        self.status, self.dirty = "st", True
        self._forget()

    def _jumps(self, result: str) -> None:
        """``break`` and ``continue`` that come from what is not translated."""
        with self.out.block("except LoopJump as jump"):
            self.out.emit(f"st = {result} = 0")
            with self.out.block("if not jump.arrives()"):
                self.out.emit("raise")
            with self.out.block("if jump.ends"):
                self.out.emit("break")

    def _turn(self) -> None:
        """Account for one turn."""
        self.out.emit("B.iterations -= 1")
        with self.out.block("if B.iterations < 0"):
            self.out.emit("B.fail('max_loop_iterations')")

    def _begin_body(self) -> None:
        self.checked, self.dirty, self._line = True, True, 0
        self.status = "st"

    def _body(self, body: Sequence, result: str) -> None:
        """The commands of a turn; a loop that somebody asks for its status still has its failures left alone."""
        self.sequence(body.commands)
        self.settle()
        self.out.emit(f"{result} = st")

    def _while(self, command: While, *, outermost: bool = False) -> None:
        asked = self.asked
        with self._loop(outermost) as result, self.out.block("while True"):
            self._turn()
            with self.out.block("try"):
                with self.out.block(f"if {_SPECIAL}"):
                    self.out.emit("S.status = st")
                    condition = self._deferred(command.condition.commands, asked=True)
                    with self.out.block(f"if ({condition}(S) == 0) is {command.until}"):
                        self.out.emit("break")
                    self.out.emit(f"st = {result} = {self._deferred(command.body.commands, asked=asked)}(S)")
                    self.out.emit("continue")
                self._begin_body()
                truth, failure = self._condition(command.condition.commands)
                with self.out.block(f"if {truth}" if command.until else f"if not ({truth})"):
                    self.out.emit(f"S.pipe_statuses = [{'0' if command.until else failure}]")
                    self.out.emit("break")
                self._done("1" if command.until else "0")
                self._body(command.body, result)
            self._jumps(result)
        self.out.emit("S.status = st")  # the pipeline statuses are those of the condition
        self.dirty = False

    def _arithmetic_for(self, command: ArithmeticFor, *, outermost: bool = False) -> None:
        self.settle()
        asked = self.asked
        self._at(command.line)
        with self._loop(outermost) as result:
            first = f"f{self._loops}"
            self.out.emit(f"{first} = False")
            initial = self.out.temporary()
            if outermost:
                with self.out.block("if rest"):
                    self.out.emit(f"{initial} = 1")
                with self.out.block("else"):
                    self._arithmetic_part(command.initial, initial)
            else:
                self._arithmetic_part(command.initial, initial)
            with self.out.block(f"if {initial} is None"):
                self.out.emit(f"{result} = 1")
            with self.out.block(f"while {initial} is not None"):
                step = self.out.temporary()
                with self.out.block(f"if {first}"):
                    self._arithmetic_part(command.step, step)
                    with self.out.block(f"if {step} is None"):
                        self.out.emit(f"{result} = 1")
                        self.out.emit("break")
                with self.out.block("else"):
                    self.out.emit(f"{first} = True")
                empty = not command.condition.parts or (constant(command.condition) or "x").isspace()
                if not empty:
                    truth = self.out.temporary()
                    self._arithmetic_part(command.condition, truth)
                    with self.out.block(f"if not {truth}"):
                        with self.out.block(f"if {truth} is None"):
                            self.out.emit(f"{result} = 1")
                        self.out.emit("break")
                self._turn()
                with self.out.block("try"):
                    with self.out.block(f"if {_SPECIAL}"):
                        self.out.emit("S.status = st")
                        self.out.emit(f"st = {result} = {self._deferred(command.body.commands, asked=asked)}(S)")
                        self.out.emit("continue")
                    self._begin_body()
                    self._body(command.body, result)
                self._jumps(result)

    def _arithmetic_part(self, word: Word, result: str) -> None:
        """One of the three expressions; None where it met an error."""
        self.dirty = True
        tree = self.expression(word)
        emit = self.out.emit
        if tree is None:
            self.flush()
        with self.out.block("try"):
            emit(f"{result} = {f'{self.out.bind(compile_arithmetic(word))}(S)' if tree is None else self.statement(tree)}")
        with self.out.block("except ExpansionError as error"):
            emit("arithmetic_failed(S, error)")
            emit(f"{result} = None")

    def _for(self, command: For, *, outermost: bool = False) -> None:
        self.settle()
        self._at(command.line)
        if command.words is None:
            values = "S.positional"
        else:
            self.flush()
            values = f"{self.out.bind(compile_words(command.words))}(S)"
        items = f"l{self._loops + 1}"
        if outermost:
            with self.out.block("if rest is None"):
                self.out.emit(f"{items} = left = {values}")
            with self.out.block("else"):
                self.out.emit(f"{items} = rest[0]")
                self.out.emit(f"left = {items}[rest[1] :]")
        else:
            self.out.emit(f"{items} = {values}")
        asked = self.asked
        with self._loop(outermost) as result:
            item = f"x{self._loops}"
            with self.out.block(f"for {item} in {'left' if outermost else items}"):
                self._turn()
                with self.out.block("try"):
                    with self.out.block(f"if {_SPECIAL}"):
                        self.out.emit("S.status = st")
                        self.out.emit(f"{self.out.bind(for_turn)}(S, '{command.name}', {item}, {items})")
                        self.out.emit(f"st = {result} = {self._deferred(command.body.commands, asked=asked)}(S)")
                        self.out.emit("continue")
                    with self.out.block(f"if (v := G('{command.name}')) is None or v.__class__ is str"):
                        self.out.emit(f"V['{command.name}'] = {item}")
                    with self.out.block("else"):
                        self.out.emit(f"S.assign('{command.name}', {item})")
                    self._begin_body()
                    self._body(command.body, result)
                self._jumps(result)


# ---------------------------------------------------------------------------------------------------------- what is known


def _is_known_assignment(assignment: Assignment) -> bool:
    """Whether an assignment is translated: a scalar, an element, or ``a+=(words)``, without command substitutions."""
    if runs_commands(assignment) or not NAME.fullmatch(assignment.name):
        return False
    value = assignment.value
    if isinstance(value, Word):
        return not opens_descriptors((value,)) and not (assignment.subscript is not None and constant(assignment.subscript) in {"@", "*", ""})
    return assignment.append and assignment.subscript is None and all(
        element.subscript is None and not may_have_braces(element.value) and not opens_descriptors((element.value,)) for element in value
    )


def _is_known_local(command: SimpleCommand, writer: Translator) -> bool:
    """Whether a ``local`` is translated: only scalars with plain values."""
    return len(command.words) > 1 and all(
        isinstance(word, Assignment)
        and NAME.fullmatch(word.name)
        and word.subscript is None
        and not word.append
        and isinstance(word.value, Word)
        and writer.is_pure_word(word.value)
        for word in command.words[1:]
    )


def _return_status(words: tuple[Word, ...]) -> int | None:
    """The status of a ``return``; -1 for that of the last command, None where only the builtin knows."""
    if len(words) == 1:
        return -1
    if len(words) > 2:
        return None
    text = constant(words[1])
    if text is not None:
        return int(text) & 255 if text.isdecimal() and text.isascii() and len(text) < 10 else None
    return -1 if words[1].source in {"$?", '"$?"'} else None


def _runs_anything(command: Command) -> bool:
    """Whether a command may run one that is not translated, which may switch anything on."""
    if isinstance(command, (ArithmeticCommand, ConditionalCommand)):
        return False
    if isinstance(command, SimpleCommand):
        if not command.words:
            return False
        name = constant(command.words[0]) if isinstance(command.words[0], Word) else None
        return name not in INLINED
    if isinstance(command, If):
        inner = [part for branch in command.branches for part in branch] + ([command.otherwise] if command.otherwise else [])
        return any(_runs_anything(part) for part in inner)
    if isinstance(command, Sequence):
        return any(_runs_anything(part) for part in command.commands)
    if isinstance(command, Group):
        return _runs_anything(command.body)
    if isinstance(command, AndOr):
        return any(_runs_anything(part) for part in (command.first, *(part for _, part in command.rest)))
    return not isinstance(command, Case) or any(_runs_anything(item.body) for item in command.items)
