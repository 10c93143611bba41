"""Tree to text, in bash's own layout (``declare -f``, ``type``)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bashkit.limits import turn
from bashkit.syntax.nodes import (
    AndOr,
    ArithmeticCommand,
    ArithmeticFor,
    Background,
    Case,
    Command,
    ConditionalCommand,
    ConditionBinary,
    ConditionGroup,
    ConditionLogical,
    ConditionNot,
    ConditionUnary,
    Coprocess,
    For,
    FunctionDefinition,
    Group,
    If,
    Pipeline,
    Redirected,
    Redirection,
    Select,
    Sequence,
    SimpleCommand,
    Subshell,
    While,
)
from bashkit.syntax.printed_words import join_lines, print_redirections, print_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.syntax.nodes import Assignment, CommandSubstitution, Condition, ProcessSubstitution, Word

_INDENT = "    "


def unparse_function(definition: FunctionDefinition, *, readable: bool = False, posix: bool = False) -> str:
    """The definition as bash prints it.

    Args:
        definition: That.
        readable: It is to be read again. Bash prints some here-documents, of conditions and before ``&&``, where no shell can
            read them.
        posix: The functions in it are printed without the word ``function``.
    """
    printer = _Printer(readable=readable, posix=posix)
    printer.put(f"{definition.name} () \n")
    printer.body(definition.body, 0)
    return printer.text()


def unparse_exported(definition: FunctionDefinition) -> str:
    """The definition as it stands in the environment of commands (bash(1), export)."""
    printer = _Printer(exported=True)
    printer.body(definition.body, 0)
    return "() {  " + printer.text().removeprefix("{ \n ")


def unparse_command(command: Command) -> str:
    """One command as bash prints it outside of functions (``$BASH_COMMAND``, ``jobs``): a list stands in one line."""
    printer = _Printer(inline=True)
    printer.command(command, 0)
    return printer.text()


def unparse_word(word: Word | Assignment) -> str:
    """A word or an assignment as bash prints it."""
    return print_word(word, _substituted)


def _substituted(part: CommandSubstitution | ProcessSubstitution, *, readable: bool = False) -> str:
    """The commands of a substitution; what bash prints of those with here-documents no shell can read."""
    assert part.body is not None
    if readable and "<<" in part.text:
        return part.text
    printer = _Printer(readable=readable, inline=True)
    printer.block(part.body, 0)
    return printer.text()


class _Printer:
    """Prints commands, and the bodies of here-documents where bash has them.

    The body of a here-document stands behind its command, or behind the operator that follows: what a list joins is printed with
    its operator first. Where a body was printed, no semicolon follows; bash notes that, and leaves out the semicolon of the next
    list where the body already stood before a line end.
    """

    def __init__(self, *, readable: bool = False, posix: bool = False, inline: bool = False, exported: bool = False) -> None:
        self._readable = readable
        self._exported = exported  # every line of a block is indented by one blank
        self._inline = inline  # outside of functions, where a list stands in one line
        self._show = partial(_substituted, readable=True) if readable else _substituted
        self._keyword = "" if posix else "function "
        self._pieces: list[str] = []
        self._waiting: list[str] = []  # bodies that are printed behind the next operator
        self._joined = 0  # how many lists and pipelines are around
        self._printed = False

    def text(self) -> str:
        """What was printed."""
        return "".join(self._pieces)

    def put(self, text: str) -> None:
        """Print text, which is not empty."""
        self._pieces.append(text)

    def _indent(self, level: int) -> str:
        return " " * (level > 0) if self._exported else _INDENT * level

    def _flush(self, after: str = "") -> None:
        if self._waiting:
            self.put("\n" + "".join(self._waiting) + after)
            self._waiting = []
            self._printed = True

    def _semicolon(self) -> None:
        if self._pieces[-1][-1] not in "\n&":
            self.put(";")

    def redirections(self, redirections: tuple[Redirection, ...]) -> None:
        """Print redirections; the bodies of here-documents at once, unless a list is around."""
        self._printed = False
        self.put(print_redirections(redirections, self._show))
        documents = [item.here for item in redirections if item.here is not None]
        if documents:
            self._waiting += [
                f"{here.body.source if here.quoted else join_lines(here.body.source)}{here.delimiter}\n" for here in documents
            ]
            if not self._joined:
                self._flush()

    def sequence(self, sequence: Sequence, level: int) -> None:
        """Commands one a line; the first is indented by who calls."""
        commands = sequence.commands
        joins = len(commands) > 1 or any(isinstance(command, Background) for command in commands)
        self._joined += joins
        for index, command in enumerate(commands):
            turn()
            if index:
                self._separate(commands[index - 1], level, broken=index - 1 in sequence.broken)
            if isinstance(command, Background):
                self.command(command.command, level)
                within = index - 1 in sequence.broken or (index and isinstance(commands[index - 1], Background))
                if within and not self._readable:  # bash has what stands before it inside the job, too
                    self._flush()
                self.put(" &")
                self._flush(" ")
            else:
                self.command(command, level)
                if index and not self._readable:
                    self._flush()
        self._joined -= joins

    def _separate(self, before: Command, level: int, *, broken: bool) -> None:
        """Print what stands between two commands; ``broken``: a line ends there, in a substitution."""
        if isinstance(before, Background):
            self.put(" ")
            return
        indented = True
        if self._waiting:
            self._flush()
        elif self._printed:
            self._printed = False
        elif not broken:
            self.put(";")
        elif self._inline:
            indented = False
        else:
            self.put("\n")
        if self._inline and not broken:
            self.put(" ")
        else:
            self.put("\n" + self._indent(level) * indented)

    def block(self, sequence: Sequence, level: int) -> None:
        """Print commands that begin a line, and the here-documents of the last."""
        if level:
            self.put(self._indent(level))
        self.sequence(sequence, level)
        self._flush()

    def braces(self, body: Sequence, level: int) -> None:
        """Print a group."""
        if self._inline:
            self.put("{ ")
            self.sequence(body, level)
            self._flush()
            self._semicolon()
            self.put(" }")
            return
        self.put("{ \n")
        self.block(body, level + 1)
        self.put("\n" + self._indent(level) + "}")

    def body(self, body: Command, level: int) -> None:
        """Print the body of a function, always in braces; redirections of a group stand behind them."""
        redirections: tuple[Redirection, ...] = ()
        if isinstance(body, Redirected) and isinstance(body.command, Group):
            redirections, body = body.redirections, body.command
        self.braces(body.body if isinstance(body, Group) else Sequence((body,)), level)
        if redirections:
            self.put(" ")
            self.redirections(redirections)

    def command(self, command: Command, level: int) -> None:
        """Print a command whose first line is indented already."""
        _PRINTERS[type(command)](self, command, level)

    def _close(self, word: str, level: int) -> None:
        self._semicolon()
        self.put("\n" + self._indent(level) + word)

    def _word(self, word: Word | Assignment) -> str:
        return print_word(word, self._show)

    def simple(self, command: SimpleCommand, level: int) -> None:  # noqa: ARG002 - all of _PRINTERS are called alike
        words = " ".join([*map(self._word, command.assignments), *map(self._word, command.words)])
        if words:
            self.put(words)
        if command.redirections:
            if words:
                self.put(" ")
            self.redirections(command.redirections)

    def redirected(self, command: Redirected, level: int) -> None:
        self.command(command.command, level)
        self.put(" ")
        self.redirections(command.redirections)

    def pipeline(self, command: Pipeline, level: int) -> None:
        prefix = {"": "", "bash": "time ", "posix": "time -p "}[command.timed] + ("! " if command.negated else "")
        if prefix:
            self.put(prefix)
        joins = len(command.commands) > 1
        self._joined += joins
        for index, inner in enumerate(command.commands):
            if index:
                self.put(" |")
                self._flush(" ")
                self.put(" ")
            self.command(inner, level)
        if joins and not self._readable:
            self._flush()
        self._joined -= joins

    def and_or(self, command: AndOr, level: int) -> None:
        self._joined += 1
        self.command(command.first, level)
        for operator, inner in command.rest:
            self.put(f" {operator} ")
            self._flush(" ")
            self.command(inner, level)
            if not self._readable:
                self._flush()
        self._joined -= 1

    def background(self, command: Background, level: int) -> None:
        self.sequence(Sequence((command,)), level)

    def group(self, command: Group, level: int) -> None:
        self.braces(command.body, level)

    def subshell(self, command: Subshell, level: int) -> None:
        self.put("( ")
        self.sequence(command.body, level)
        self._flush()
        self.put(" )")

    def conditional(self, command: If, level: int) -> None:
        (condition, body), *rest = command.branches
        self.put("if ")
        self.sequence(condition, level)
        if self._readable:
            self._flush()
        self._semicolon()
        self.put(" then\n")
        self.block(body, level + 1)
        if rest:
            self._close("else\n" + self._indent(level + 1), level)
            self.conditional(If(tuple(rest), command.otherwise), level + 1)
        elif command.otherwise is not None:
            self._close("else\n", level)
            self.block(command.otherwise, level + 1)
        self._close("fi", level)

    def loop(self, command: While, level: int) -> None:
        self.put("until " if command.until else "while ")
        self.sequence(command.condition, level)
        self._flush()
        self._semicolon()
        self.put(" do\n")
        self._body(command.body, level)

    def _body(self, body: Sequence, level: int) -> None:
        self.block(body, level + 1)
        self._close("done", level)

    def over_words(self, command: For | Select, level: int) -> None:
        keyword = "for" if isinstance(command, For) else "select"
        words = ' in "$@"' if command.words is None else " in " + " ".join(map(self._word, command.words))
        self.put(f"{keyword} {command.name}{words};\n{self._indent(level)}do\n")
        self._body(command.body, level)

    def counting(self, command: ArithmeticFor, level: int) -> None:
        parts = "; ".join(self._word(word).lstrip(" \t") or "1" for word in (command.initial, command.condition, command.step))
        self.put(f"for (({parts}))\n{self._indent(level)}do\n")
        self._body(command.body, level)

    def choice(self, command: Case, level: int) -> None:
        pad = self._indent(level + 1)
        self.put(f"case {self._word(command.subject)} in ")
        for item in command.items:
            self.put(f"\n{pad}{' | '.join(map(self._word, item.patterns))})\n")
            self.block(item.body, level + 2 if item.body.commands else 0)
            self.put(f"\n{pad}{item.terminator or ';;'}")
        self.put(f"\n{self._indent(level)}esac")

    def arithmetic(self, command: ArithmeticCommand, level: int) -> None:  # noqa: ARG002
        self.put(f"(({self._word(command.expression)}))")

    def test(self, command: ConditionalCommand, level: int) -> None:  # noqa: ARG002
        self.put(f"[[ {_condition(command.expression, self._word)} ]]")

    def function(self, command: FunctionDefinition, level: int) -> None:
        self.put(f"{self._keyword}{command.name} () \n{self._indent(level)}")
        outer, self._inline = self._inline, False
        self.body(command.body, level)
        self._inline = outer
        self._printed = False

    def coprocess(self, command: Coprocess, level: int) -> None:
        unnamed = self._readable and isinstance(command.command, SimpleCommand)  # a name would be its first word
        self.put("coproc " if unnamed else f"coproc {command.name} ")
        self.command(command.command, level)


_PRINTERS: dict[type, Callable[[_Printer, Any, int], None]] = {
    SimpleCommand: _Printer.simple,
    Redirected: _Printer.redirected,
    Pipeline: _Printer.pipeline,
    AndOr: _Printer.and_or,
    Background: _Printer.background,
    Sequence: _Printer.sequence,
    Group: _Printer.group,
    Subshell: _Printer.subshell,
    If: _Printer.conditional,
    While: _Printer.loop,
    For: _Printer.over_words,
    Select: _Printer.over_words,
    ArithmeticFor: _Printer.counting,
    Case: _Printer.choice,
    ArithmeticCommand: _Printer.arithmetic,
    ConditionalCommand: _Printer.test,
    FunctionDefinition: _Printer.function,
    Coprocess: _Printer.coprocess,
}


def _condition(condition: Condition, show: Callable[[Word], str]) -> str:
    if isinstance(condition, ConditionUnary):
        return f"{condition.operator} {show(condition.operand)}"
    if isinstance(condition, ConditionBinary):
        return f"{show(condition.left)} {condition.operator} {show(condition.right)}"
    if isinstance(condition, ConditionGroup):
        return f"( {_condition(condition.inner, show)} )"
    if isinstance(condition, ConditionNot):
        return f"! {_condition(condition.operand, show)}"
    if isinstance(condition, ConditionLogical):
        return f"{_condition(condition.left, show)} {condition.operator} {_condition(condition.right, show)}"
    return f"-n {show(condition.word)}"
