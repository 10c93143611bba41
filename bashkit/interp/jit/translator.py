"""Lists, conditionals and loops as Python statements (bash(1), Lists, Compound Commands)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from bashkit.interp.expand.arguments import compile_words
from bashkit.interp.expand.arithmetic_words import compile_arithmetic
from bashkit.interp.expand.words import constant
from bashkit.interp.jit.condition_writer import case_pattern
from bashkit.interp.jit.simple_writer import SimpleWriter
from bashkit.interp.jit.source import TooLargeError
from bashkit.interp.run.compiler import compile_command, shielded
from bashkit.interp.run.loops import announce_turn, assign_control, head_of
from bashkit.interp.run.tiers import INLINED
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.startup import FIXED
from bashkit.interp.state.variables import NAMEREF
from bashkit.syntax.command_names import command_names
from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
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
    from collections.abc import Iterator

    from bashkit.interp.state.machine import Unit


_MAX_LOOPS = 4  # inside each other: Python allows twenty nested blocks


class Translator(SimpleWriter):
    """Turns one loop, or the body of one function, into a Python function."""

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
            self._forget_pipeline()
            self.out.emit("return st")
            head = [
                "st = S.status",
                "V = S.variables",
                "G = V.get",
                "B = S.budget",
                "F = S.functions",
                *self.head(),
            ]
            return cast("Unit", self.out.build("unit", "S, before=0, rest=None", head))
        except (TooLargeError, RecursionError):
            return None

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
        if len(commands) == 1 and isinstance(lone, While):
            self._command(lone)  # looks at every turn
            return
        self.settle()
        line = self._line
        with self.out.block("if S.untranslated"):
            dirty, stale = self.dirty, self.stale
            self.flush()
            self.out.emit(f"st = {self._deferred(commands, asked=self.asked)}(S)")
            self.dirty, self.stale = dirty, stale
        with self.out.block("else"):
            self._line = line
            self.checked = True
            for command in commands:
                self._command(command)
            self.settle()
            self._forget_pipeline()
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
        if isinstance(command, ArithmeticFor) and any(
            "LINENO" in word.source for word in (command.initial, command.condition, command.step)
        ):
            return False  # each is then a command with a line of its own
        if isinstance(command, (While, For, ArithmeticFor)):
            assigns = not isinstance(command, For) or (NAME.fullmatch(command.name) and command.name not in FIXED)
            return self.loops < _MAX_LOOPS and bool(assigns)
        return isinstance(command, SimpleCommand) and self.is_known_simple(command)

    # -- commands ------------------------------------------------------------------------------------------------------

    def _command(self, command: Command) -> None:
        """One command that is known."""
        if not self._is_known(command):
            self._escape(command)
        elif isinstance(command, SimpleCommand):
            self._simple(command)
        elif isinstance(command, (ArithmeticCommand, ConditionalCommand)):
            self._conditional(command)
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

    def _conditional(self, command: ArithmeticCommand | ConditionalCommand) -> None:
        """Write ``((…))`` or ``[[…]]``; the ERR trap sees PIPESTATUS as it was before."""
        truth, failure = self._test(command)
        self.settle()
        if self.asked:
            self.out.emit(f"st = 0 if {truth} else {failure}")
        else:
            with self.out.block(f"if {truth}"):
                self.out.emit("st = 0")
            with self.out.block("else"):
                with self.out.block("if S.watching"):
                    self.out.emit(f"test_failed(S, {failure}, st, {self.stale})")
                self.out.emit(f"st = {failure}")
        self._done("st")

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
            test = self._simple_test(command.commands[0])
            if test is not None:
                truth = self.out.temporary()
                self.out.emit(f"{truth} = {test[0]}")
                self.out.emit(f"S.pipe_statuses = [1 if {truth} else 0]")  # as it is inverted
                self.stale = False
                return f"not {truth}", "1"
        test = self._simple_test(command)
        if test is not None:
            return test
        self.sequence((command,))
        self.settle()
        return "st == 0", "st"

    def _simple_test(self, command: Command) -> tuple[str, str] | None:
        """``((…))``, ``[[…]]`` or ``[ … ]`` as ``_test`` gives it; None for anything else."""
        test: tuple[str, str] | None = None
        if self.checked and isinstance(command, (ArithmeticCommand, ConditionalCommand)):
            test = self._test(command)
        elif self.checked and isinstance(command, SimpleCommand) and self._is_known(command) and command.words:
            first = command.words[0]
            if isinstance(first, Word) and constant(first) in {"[", "test"}:
                test = self._bracket(command)
        if test is not None:
            self.dirty = self.stale = True
        return test

    def _if(self, branches: tuple[tuple[Sequence, Sequence], ...], otherwise: Sequence | None) -> None:
        condition, body = branches[0]
        self.settle()
        truth, failure = self._condition(condition.commands)
        self.settle()
        checked, alone = self.checked, self.stale
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
                self._note_pipeline(failure, alone=alone)
                self.status = "0"
        self.checked = self.checked and after

    def _note_pipeline(self, status: str, *, alone: bool) -> None:
        """Write that the status of a condition is the pipeline status, unless it was a pipeline, whose list the shell has."""
        if alone:
            self.out.emit(f"S.pipe_statuses = [{status}]")
            return
        with self.out.block("if S.pipe_statuses is None"):
            self.out.emit(f"S.pipe_statuses = [{status}]")

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
        self.settle()
        self._clauses(command, 0, subject)

    def _clauses(self, command: Case, index: int, subject: str) -> None:
        if index == len(command.items):
            self.status, self.dirty = "0", True
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
        with self._branch(f"if {' or '.join(tests)}", "st"):
            if item.body.commands:
                self.sequence(item.body.commands)
            else:
                self.status, self.dirty = "0", True
        after, self.checked = self.checked, checked
        with self._branch("else", "st"):
            self._clauses(command, index + 1, subject)
        self.checked = self.checked and after

    # -- loops ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def _loop(self, outermost: bool) -> Iterator[str]:
        """What surrounds every loop; gives the local that holds the status of its last turn."""
        self.settle()
        self.flush()
        self.loops += 1
        result = f"r{self.loops}"
        self.out.emit(f"{result} = {'before' if outermost else '0'}")
        self.out.emit("S.loop_depth += 1")
        self.out.emit("S.fed = None")
        asked = self.asked
        with self.out.block("try"):
            yield result
        with self.out.block("finally"):
            self.out.emit("S.loop_depth -= 1")
        self.asked = asked
        self.loops -= 1
        self.out.emit(f"st = {result}")
        self.status, self.dirty, self.stale = "st", True, False
        self._forget()

    def _jumps(self, result: str) -> None:
        """``break`` and ``continue`` that come from what is not translated."""
        with self.out.block("except LoopJump as jump"):
            self.out.emit(f"st = {result} = jump.status")
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
        self.checked, self.dirty, self._line = True, True, -1
        self.status = "st"

    def _body(self, body: Sequence, result: str) -> None:
        """Write the commands of a turn; inside a condition their failures are ignored."""
        self.sequence(body.commands)
        self.settle()
        self._forget_pipeline()
        self.out.emit(f"{result} = st")

    def _while(self, command: While, *, outermost: bool = False) -> None:
        if any("continue" in command_names(part) for part in command.condition.commands):  # which may end the loop
            raise TooLargeError
        asked = self.asked
        with self._loop(outermost) as result, self.out.block("while True"):
            self._turn()
            with self.out.block("try"):
                with self.out.block("if S.untranslated"):
                    self.out.emit("S.status = st")
                    condition = self._deferred(command.condition.commands, asked=True)
                    self.out.emit(f"st = {condition}(S)")
                    with self.out.block(f"if (st == 0) is {command.until}"):
                        with self.out.block("if S.pipe_statuses is None"):
                            self.out.emit("S.pipe_statuses = [st]")
                        self.out.emit("break")
                    self.out.emit(f"st = {result} = {self._deferred(command.body.commands, asked=asked)}(S)")
                    self.out.emit("continue")
                self._begin_body()
                truth, failure = self._condition(command.condition.commands)
                with self.out.block(f"if {truth}" if command.until else f"if not ({truth})"):
                    self._note_pipeline("0" if command.until else failure, alone=self.stale)
                    self.out.emit("break")
                self._done(failure if command.until else "0")
                self._body(command.body, result)
            self._jumps(result)

    def _arithmetic_for(self, command: ArithmeticFor, *, outermost: bool = False) -> None:
        self.settle()
        asked = self.asked
        self._at(command.line)
        with self._loop(outermost) as result:
            first = f"f{self.loops}"
            self.out.emit(f"{first} = False")
            initial = self.out.temporary()
            if outermost:
                with self.out.block("if rest"):
                    self.out.emit(f"{initial} = 1")
                with self.out.block("else"):
                    self._arithmetic_part(command.initial, initial, command.line)
            else:
                self._arithmetic_part(command.initial, initial, command.line)
            with self.out.block(f"if {initial} is None"):
                self.out.emit(f"{result} = 1")
            with self.out.block(f"while {initial} is not None"):
                step = self.out.temporary()
                with self.out.block(f"if {first}"):
                    self._arithmetic_part(command.step, step, command.line)
                    with self.out.block(f"if {step} is None"):
                        self.out.emit(f"{result} = 1")
                        self.out.emit("break")
                with self.out.block("else"):
                    self.out.emit(f"{first} = True")
                empty = not command.condition.parts or (constant(command.condition) or "x").isspace()
                if not empty:
                    truth = self.out.temporary()
                    self._arithmetic_part(command.condition, truth, command.line)
                    with self.out.block(f"if not {truth}"):
                        with self.out.block(f"if {truth} is None"):
                            self.out.emit(f"{result} = 1")
                        self.out.emit("break")
                self._turn()
                with self.out.block("try"):
                    with self.out.block("if S.untranslated"):
                        self.out.emit("S.status = st")
                        self.out.emit(f"st = {result} = {self._deferred(command.body.commands, asked=asked)}(S)")
                        self.out.emit("continue")
                    self._begin_body()
                    self._body(command.body, result)
                self._jumps(result)

    def _arithmetic_part(self, word: Word, result: str, line: int) -> None:
        """One of the three expressions; None where it met an error."""
        self.dirty = True
        tree = self.expression(word)
        emit = self.out.emit
        if tree is None:
            self.flush()
        with self.out.block("try"):
            emit(f"{result} = {f'{self.out.bind(compile_arithmetic(word))}(S)' if tree is None else self.statement(tree)}")
        with self.out.block("except ExpansionError as error"):
            emit(f"S.line = {line}")
            emit("arithmetic_failed(S, error)")
            emit(f"{result} = None")

    def _for(self, command: For, *, outermost: bool = False) -> None:
        self.settle()
        if outermost:  # whether its name is a nameref was asked before
            self._for_values(command, outermost=True)
            return
        self.flush()
        with self.out.block(f"if (v := G('{command.name}')).__class__ is Variable and v.flags & {NAMEREF}"):
            self.out.emit(f"st = {self._deferred((command,), asked=self.asked)}(S)")
        with self.out.block("else"):
            self._line = -1
            self._for_values(command, outermost=False)

    def _for_values(self, command: For, *, outermost: bool) -> None:
        self._at(command.line)
        if command.words is None:
            values = "S.positional"
        else:
            self.flush()
            values = f"{self.out.bind(compile_words(command.words))}(S)"
        items = f"l{self.loops + 1}"
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
            with self.out.block(f"if not {items} and S.pipe_statuses is None"):
                self.out.emit("S.pipe_statuses = [S.status]")
            item = f"x{self.loops}"
            with self.out.block(f"for {item} in {'left' if outermost else items}"):
                self._turn()
                with self.out.block("try"):
                    with self.out.block("if S.untranslated"):
                        self.out.emit("S.status = st")
                        head = self.out.text(head_of(command))
                        self.out.emit(f"st = {result} = {self.out.bind(announce_turn)}(S, {head}, {command.line})")
                        with self.out.block("if st"):
                            self.out.emit("continue")
                        self._control_assigned("if", command.name, item, result)
                        self.out.emit(f"st = {result} = {self._deferred(command.body.commands, asked=asked)}(S)")
                        self.out.emit("continue")
                    with self.out.block(f"if (v := G('{command.name}')) is None or v.__class__ is str"):
                        self.out.emit(f"V['{command.name}'] = {item}")
                    self._control_assigned("elif", command.name, item, result)
                    self._begin_body()
                    self._body(command.body, result)
                self._jumps(result)

    def _control_assigned(self, word: str, name: str, item: str, result: str) -> None:
        """Write the assignment to the control variable of a loop, which ends if that fails."""
        with self.out.block(f"{word} not {self.out.bind(assign_control)}(S, '{name}', {item})"):
            self.out.emit(f"{result} = 1")
            self.out.emit("break")


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
