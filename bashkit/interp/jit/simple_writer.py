"""Simple commands, ``((…))`` and ``[[…]]`` as Python statements (bash(1), Simple Commands, Compound Commands)."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.parser import Name
from bashkit.interp.expand.additions import added
from bashkit.interp.expand.assignments import compile_assignment, names_elements, runs_commands
from bashkit.interp.expand.braces import may_have_braces
from bashkit.interp.expand.words import constant, is_expression
from bashkit.interp.jit.condition_writer import ConditionWriter
from bashkit.interp.jit.number_writer import fits, is_pure, subscript_tree
from bashkit.interp.jit.source import TooLargeError
from bashkit.interp.jit.support import Deferred
from bashkit.interp.jit.word_writer import opens_descriptors
from bashkit.interp.run.compiler import compile_sequence, shielded
from bashkit.interp.state.scopes import NAME
from bashkit.syntax.nodes import (
    ArithmeticCommand,
    ArithmeticExpansion,
    Assignment,
    Command,
    ConditionalCommand,
    Sequence,
    SimpleCommand,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PATTERN = frozenset("*?[(")
_QUIET = frozenset([":", "true", "false"])
_DIRECT = frozenset(
    ["echo", "printf", "read", "set", "shift"]
)  # builtins that are called at once, unless a function has their name
_MAX_INDENT = 60


class SimpleWriter(ConditionWriter):
    """Writes simple commands, and keeps what is known between two commands.

    Attributes:
        dirty: The shell does not know the status yet.
        stale: The shell's list of pipeline statuses is that of an earlier command.
        checked: Nothing can have been switched on since it was asked whether only the closures will do.
        asked: The status of what is being written is asked for, so that errexit leaves it alone.
        loops: How many loops the present place is in.

    Args:
        function: What is written is the body of a function.
    """

    def __init__(self, *, function: bool) -> None:
        super().__init__()
        self._function = function
        self._line = -1
        self.loops = 0
        self.dirty = self.stale = False
        self.checked = False
        self.asked = False

    # -- the state between two commands --------------------------------------------------------------------------------

    def flush(self) -> None:
        """Store the status in the shell."""
        if self.dirty:
            self.out.emit(f"S.status = {self.status}")
            self.dirty = False
        self._forget_pipeline()

    def _forget_pipeline(self) -> None:
        """The last command was no pipeline: its status is the only one."""
        if self.stale:
            self.out.emit("S.pipe_statuses = None")
            self.stale = False

    def settle(self) -> None:
        """Store the status in its local."""
        if self.status != "st":
            self.out.emit(f"st = {self.status}")
            self.status = "st"

    def _done(self, status: str) -> None:
        """A translated command ended with this status."""
        self.status = status
        self.dirty = self.stale = True

    def _at(self, line: int) -> None:
        if line != self._line:
            self.out.emit(f"S.line = {line}")
            self._line = line

    def _forget(self) -> None:
        """Something ran that is not translated: it may have changed everything."""
        self.checked = False
        self._line = -1

    @contextmanager
    def _branch(self, head: str, status: str) -> Iterator[None]:
        """A block that may or may not run; afterwards only what holds either way is known."""
        checked = self.checked
        self._forget_pipeline()
        if self.out.depth > _MAX_INDENT:
            raise TooLargeError
        with self.out.block(head):
            self.status, self._line, self.dirty = status, -1, True
            yield
            self.settle()
            self._forget_pipeline()
        self.status, self._line, self.dirty = "st", -1, True
        self.checked = self.checked and checked

    def _charge(self) -> None:
        """Account for one command."""
        self.out.emit("B.credit -= 1")
        with self.out.block("if B.credit < 0"):
            self.out.emit("B.renew()")

    def _watch(self) -> None:
        """Write what follows a failure that no condition asks for."""
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

    # -- what is translated -------------------------------------------------------------------------------------------------

    def is_known_simple(self, command: SimpleCommand) -> bool:
        """Whether a simple command is translated."""
        if command.redirections or (command.words and command.assignments):
            return False
        if not command.words:
            return all(map(_is_known_assignment, command.assignments))
        name = constant(command.words[0]) if isinstance(command.words[0], Word) else None
        if not name or (name != "[" and not _PATTERN.isdisjoint(name)):  # nullglob may remove it
            return False
        if name == "local":
            return _is_known_local(command, self)
        if name == "command" and "=" in command.source:  # posix mode may read it in another way
            return False
        words = tuple(word for word in command.words if isinstance(word, Word))
        if len(words) != len(command.words) or opens_descriptors(words) or names_elements(words):
            return False
        if name in {"break", "continue"}:
            return bool(self.loops) and len(words) == 1
        if name == "return":
            return self._function and _return_status(words) is not None
        return True

    # -- commands -----------------------------------------------------------------------------------------------------------

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
                self.out.emit(f"{result} = error.status")
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
            self.out.emit(f"V['_'] = {self.out.text(name)}")
            self.out.emit(f"st = r{self.loops} = 0")
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
        truth = (
            None if not arguments else self.test(arguments, f"(({failure} := {self._deferred((command,), asked=True)}(S)) == 0)")
        )
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
        self._done("st")
        self._forget()
        self._watch()

    def _dispatch(self, arguments: str, name: str, column: int) -> None:
        key = self.out.text(name)
        emit = self.out.emit
        if name not in _DIRECT:
            emit(
                f"st = call_function(S, f, {arguments}) if (f := F.get({key})) is not None"
                f" else dispatch(S, {arguments}, {column})"
            )
            return
        with self.out.block(f"if {key} in F or (f := S.builtins.get({key})) is None"):
            emit(f"st = dispatch(S, {arguments}, {column})")
        with self.out.block("else"):
            with self.out.block("try"):
                emit(f"st = f(S, {arguments})")
            with self.out.block("except FAILURES as error"):
                emit(f"st = failed_builtin(S, {key}, error)")

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
        if len(words) == 1:
            value = f"{value} if S.traps.before is None else S.traps.before"
        self.flush()  # a RETURN trap sees the status of the command before
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
        rest = added(assignment)
        if rest is not None:
            self._add_in_place(name, self.string(rest, assignment=True), text)
            return
        self._assign(name, text, append=assignment.append)

    def _add_in_place(self, name: str, rest: str, text: str) -> None:
        with self.out.block(f"if (v := G('{name}')).__class__ is str and len(v) > LARGE"):
            self.out.emit("v = None")  # only the variable holds the text, so that it can grow in place
            self.out.emit(f"S.assign('{name}', {rest}, append=True)")
        with self.out.block("else"):
            self._assign(name, text)

    def _assign(self, name: str, text: str, *, append: bool = False) -> None:
        kept = self.out.temporary()
        self.out.emit(f"{kept} = {text}")
        if append:
            with self.out.block(f"if (v := G('{name}')).__class__ is str and len(v) + len({kept}) < LARGE"):
                self.out.emit(f"V['{name}'] = v + {kept}")
            with self.out.block("else"):
                self.out.emit("v = None")  # as above
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
                self.out.emit(f"store_element(S, v, '{name}', {self.value(tree)}, {self.out.text(fixed or '')}, {kept})")
            with self.out.block("else"):
                self.out.emit(f"S.assign_element('{name}', {self.out.text(fixed or '')}, {kept})")
            return
        key = self.out.temporary()
        self.out.emit(f"{key} = {self.string(subscript)}")
        self.out.emit(f"{kept} = {text}")
        if assignment.append or not subscript.source:
            used = f"{key} or S.empty_subscript('{name}')" if subscript.source else key
            written = self.out.text(subscript.source)
            self.out.emit(f"S.assign_element('{name}', {used}, {kept}, append={assignment.append}, written={written})")
        else:
            self.out.emit(f"store_key(S, G('{name}'), '{name}', {key}, {kept}, {self.out.text(subscript.source)})")

    def _append(self, assignment: Assignment) -> None:
        """``a+=(words)``"""
        assert not isinstance(assignment.value, Word)
        name = assignment.name
        self.flush()
        with self.out.block(f"if (v := G('{name}')).__class__ is Variable and v.value.__class__ is not IndexedArray"):
            self.out.emit(f"{self.out.bind(compile_assignment(assignment))}(S)")
        with self.out.block("else"):
            values = self.arguments(tuple(element.value for element in assignment.value))
            self.out.emit(f"append_values(S, G('{name}'), '{name}', {values})")


def _is_known_assignment(assignment: Assignment) -> bool:
    """Whether an assignment is translated: a scalar, an element, or ``a+=(words)``, without command substitutions."""
    if runs_commands(assignment) or not NAME.fullmatch(assignment.name):
        return False
    value = assignment.value
    if isinstance(value, Word):
        return not opens_descriptors((value,)) and not (
            assignment.subscript is not None
            and (is_expression(assignment.subscript) or constant(assignment.subscript) in {"@", "*", ""})
        )
    return (
        assignment.append
        and assignment.subscript is None
        and all(
            element.subscript is None and not may_have_braces(element.value) and not opens_descriptors((element.value,))
            for element in value
        )
    )


def _is_known_local(command: SimpleCommand, writer: SimpleWriter) -> bool:
    """Whether a ``local`` is translated: only scalars with plain values, none of which is told by a name before it.

    What only the builtin knows may show at a later name: the command is then run from its beginning.
    """
    names: list[str] = []
    for word in command.words[1:]:
        if not isinstance(word, Assignment) or word.subscript is not None or word.append or not isinstance(word.value, Word):
            return False
        if not NAME.fullmatch(word.name) or not writer.is_pure_word(word.value):
            return False
        source = word.value.source
        if any(name in source for name in names):
            return False
        names.append(word.name)
    return bool(names)


def _return_status(words: tuple[Word, ...]) -> int | None:
    """The status of a ``return``; -1 for that of the last command, None where only the builtin knows."""
    if len(words) == 1:
        return -1
    if len(words) != 2:
        return None
    argument = words[1]
    text = constant(argument)
    if text is not None:
        return int(text) & 255 if text.isdecimal() and text.isascii() and len(text) < 10 else None
    return -1 if argument.source in {"$?", '"$?"'} else None
