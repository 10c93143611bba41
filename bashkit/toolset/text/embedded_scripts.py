"""Reads the scripts inside a toolset file: the positions of their lines, their syntax errors, and the commands they use."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax import Parser, nodes
from bashkit.toolset.text.document import Mark
from bashkit.toolset.text.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.errors import Problem
    from bashkit.toolset.text.document import Document, Path

_LEAVES = frozenset({str, int, bool, type(None)})
_STYLE = re.compile(r"(?:[&!]\S*\s+)*([|>\"'*]?)")  # the start of a scalar, after its anchor and tag


@dataclass(frozen=True, slots=True)
class NamedCommand:
    """A simple command of a script.

    Attributes:
        words: Its words; None for a word that contains an expansion.
        line, column: Its position in the script.
    """

    words: tuple[str | None, ...]
    line: int
    column: int

    @property
    def name(self) -> str | None:
        """The command word."""
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of parsing a script.

    Attributes:
        commands: Its simple commands, those of substitutions included.
        functions: The names of the functions that it defines.
        error: The syntax error, or None.
    """

    commands: tuple[NamedCommand, ...]
    functions: frozenset[str]
    error: ScriptSyntaxError | None = None


def read_script(text: str) -> Reading:
    """Parse a script without running it."""
    commands: list[NamedCommand] = []
    functions: set[str] = set()
    parser = Parser(text)
    error = None
    try:
        while (tree := parser.next_line()) is not None:
            for node in _nodes(tree):
                if isinstance(node, nodes.FunctionDefinition):
                    functions.add(node.name)
                elif isinstance(node, nodes.SimpleCommand) and node.words:
                    commands.append(NamedCommand(tuple(map(_literal, node.words)), node.line, node.column))
    except ScriptSyntaxError as caught:
        error = caught
    return Reading(tuple(commands), frozenset(functions), error)


def _nodes(tree: Any) -> Iterator[Any]:
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(reversed(node))
        elif node.__class__ not in _LEAVES:
            yield node
            pending.extend([getattr(node, name) for name in _parts(node.__class__)])


@cache
def _parts(kind: type) -> tuple[str, ...]:
    """The attributes of a kind of node, in reverse order."""
    return tuple(part.name for part in reversed(fields(kind))) if is_dataclass(kind) else ()


def _literal(word: Any) -> str | None:
    """The text of a word without expansions; None for any other word."""
    if not isinstance(word, nodes.Word):
        return None
    found = ""
    for part in word.parts:
        inner = part.parts if isinstance(part, nodes.DoubleQuoted) else (part,)
        for piece in inner:
            if not isinstance(piece, (nodes.Literal, nodes.Quoted)):
                return None
            found += piece.text
    return found


def check_script(document: Document, path: Path, text: str) -> None:
    """Note the syntax error of a script, if it has one, at its position in the file."""
    error = read_script(text).error
    if error is not None:
        mark, exact = mark_in(document, path, text, error.line, error.column)
        where = "the script" if exact else f"line {error.line} of the script"
        document.report(f"{where}: {error.message}", mark, path=path)


def unknown_commands(document: Document, path: Path, text: str, known: frozenset[str]) -> Iterator[Problem]:
    """Warn about commands of a script that neither ``known`` nor the script itself defines."""
    read = read_script(text)
    for command in read.commands:
        name = command.name
        if name and "/" not in name and name not in known and name not in read.functions:
            mark, _ = mark_in(document, path, text, command.line, command.column)
            hint = suggestion(name, sorted(known))
            message = f"there is no command {name!r}"
            yield document.warning(path, "unknown-command", message, hint=hint, mark=mark._replace(width=len(name)))


def mark_in(document: Document, path: Path, text: str, line: int, column: int) -> tuple[Mark, bool]:
    """The position in the file of a script's line and column, and whether it is exact: in folded text, lines are not known."""
    mark = document.mark(path)
    lines = text.split("\n")
    if line > len(lines) or (line == len(lines) and line > 1 and not lines[-1]):  # the text ended early
        line = max(1, len(lines) - (not lines[-1]))
        column = max(1, len(lines[line - 1]))
    wanted = lines[line - 1]
    source = document.line(mark.line)
    match = _STYLE.match(source, mark.column - 1)
    style = match[1] if match else ""
    if style == "|":
        found = document.line(mark.line + line)
        if found.endswith(wanted):
            return Mark(mark.line + line, len(found) - len(wanted) + column), True
    elif style in {"", '"', "'"} and match is not None and len(lines) == 1 and source.startswith(wanted, match.end()):
        return Mark(mark.line, match.end() + column), True
    return mark, len(lines) == 1
