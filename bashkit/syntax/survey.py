"""Surveys a script by its text alone: the commands that it names, the files of its redirections, and what hides more of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from bashkit.syntax import nodes
from bashkit.syntax.parser import Parser
from bashkit.syntax.reading import literal, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 4096  # commands that are listed
_REENTRY = frozenset({"eval", "source", ".", "bash", "sh", "trap", "alias"})  # what they are given, or read, is a script itself
_MODES: dict[str, Literal["read", "write", "append"]] = {
    "<": "read", ">": "write", ">|": "write", "&>": "write", "<>": "write", ">>": "append", "&>>": "append",
}  # fmt: skip

Context = Literal["direct", "function_body", "substitution"]


@dataclass(frozen=True, slots=True)
class AnalyzedCommand:
    """A simple command of a script.

    Attributes:
        name: The command word; None if it has an expansion, or there is none.
        args: The words after it; None for one that has an expansion.
        assignments: The variables that are assigned before it.
        context: ``direct``; ``function_body``: it runs when the function is called; ``substitution``: in ``$( )``, backquotes or
            ``<( )``.
        line, column: Its position, from 1.
        is_assignment_only: It only assigns variables.
    """

    name: str | None
    args: list[str | None]
    assignments: list[str]
    context: Context
    line: int
    column: int
    is_assignment_only: bool


@dataclass(frozen=True, slots=True)
class AnalyzedRedirect:
    """A redirection to or from a file.

    Attributes:
        path: The file; None if the word has an expansion.
        mode: ``read``, ``write`` or ``append``.
        is_write: The file may be changed.
    """

    path: str | None
    mode: Literal["read", "write", "append"]
    is_write: bool


@dataclass(frozen=True, slots=True)
class ScriptAnalysis:
    """What a script names. It is advice for permissions, and does not replace them: what runs may be hidden in data.

    Attributes:
        commands: Its simple commands in the order in which they would be expanded: those in a word come before its command.
        redirects: The files of its redirections.
        functions: The functions that it defines.
        has_command_substitution: It has ``$( )`` or backquotes.
        truncated: It has more commands than are listed.
    """

    commands: list[AnalyzedCommand] = field(default_factory=list)
    redirects: list[AnalyzedRedirect] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    has_command_substitution: bool = False
    truncated: bool = False

    @property
    def command_names(self) -> list[str]:
        """The names of its commands that are known, in order."""
        return [command.name for command in self.commands if command.name is not None]

    @property
    def has_dynamic_commands(self) -> bool:
        """The name of a command is only known when it runs."""
        return any(command.name is None and not command.is_assignment_only for command in self.commands)

    @property
    def has_interpreter_reentry(self) -> bool:
        """A command runs a text or a file as a script: ``eval``, ``source``, ``bash``, ``trap``, ``alias`` and the like."""
        return not _REENTRY.isdisjoint(self.command_names)

    @property
    def is_opaque(self) -> bool:
        """More may run than is listed."""
        return self.has_dynamic_commands or self.has_interpreter_reentry or self.truncated

    def commands_named(self, name: str) -> list[AnalyzedCommand]:
        """The commands of this name, in order."""
        return [command for command in self.commands if command.name == name]

    def to_dict(self) -> dict[str, Any]:
        """The analysis as JSON-like data, with its properties."""
        names = ("command_names", "has_dynamic_commands", "has_interpreter_reentry", "is_opaque")
        return asdict(self) | {name: getattr(self, name) for name in names}


def survey(script: str) -> ScriptAnalysis:
    """Survey a script. Nothing is run.

    Raises:
        ScriptSyntaxError: It cannot be parsed.
    """
    found = ScriptAnalysis()
    substituted = truncated = False
    for node, context in _walk(script.replace("\0", "")):
        if isinstance(node, nodes.CommandSubstitution):
            substituted = True
        elif isinstance(node, nodes.FunctionDefinition):
            found.functions.append(node.name)
        elif isinstance(node, nodes.Redirection):
            mode = _MODES.get(node.operator)
            if mode is not None:
                found.redirects.append(AnalyzedRedirect(literal(node.target), mode, mode != "read"))
        elif len(found.commands) < _MOST:
            found.commands.append(_command(node, context))
        else:
            truncated = True
            break
    return ScriptAnalysis(found.commands, found.redirects, found.functions, substituted, truncated)


def _command(node: nodes.SimpleCommand, context: Context) -> AnalyzedCommand:
    name, *rest = map(literal, node.words) if node.words else (None,)
    variables = [assignment.name for assignment in node.assignments]
    return AnalyzedCommand(name, rest, variables, context, node.line, node.column, bool(variables) and not node.words)


def _walk(script: str, context: Context = "direct", line: int = 1) -> Iterator[tuple[Any, Context]]:
    """The nodes that a survey tells of, what is inside of a command before the command itself."""
    parser = Parser(script, line, extglob="extglob" in script)
    parser.negates = True
    while (tree := parser.next_line()) is not None:
        pending: list[tuple[Any, Context, bool]] = [(tree, context, False)]
        while pending:
            node, where, entered = pending.pop()
            if isinstance(node, tuple):
                pending.extend((part, where, False) for part in reversed(node))
                continue
            if entered:
                yield node, where
                continue
            if isinstance(node, (nodes.CommandSubstitution, nodes.ProcessSubstitution)):
                if isinstance(node, nodes.CommandSubstitution):
                    yield node, where
                    if node.body is None:
                        yield from _walk(node.text, "substitution", node.line)
                inside: Context = "substitution"
            elif isinstance(node, nodes.FunctionDefinition):
                yield node, where
                inside = "function_body"
            else:
                inside = where
            if isinstance(node, (nodes.SimpleCommand, nodes.Redirection)):
                pending.append((node, where, True))
            pending.extend((getattr(node, part), inside, False) for part in parts_of(node))
