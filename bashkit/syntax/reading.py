"""Reads a script without running it: its commands, the words that are known, and where it is wrong."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax import nodes
from bashkit.syntax.parser import Parser

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAVES = frozenset({str, int, bool, type(None)})


@dataclass(frozen=True, slots=True)
class NamedCommand:
    """A simple command of a script.

    Attributes:
        words: Its words; None for a word that contains an expansion.
        line, column: Its position in the script.
        node: The command in the tree.
    """

    words: tuple[str | None, ...]
    line: int
    column: int
    node: nodes.SimpleCommand

    @property
    def name(self) -> str | None:
        """The command word."""
        return self.words[0] if self.words else None


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of parsing a script.

    Attributes:
        commands: Its simple commands, those of substitutions included.
        functions: The names of the functions that it defines.
        error: The syntax error, or None.
        nodes: Every node of the lines before the error.
    """

    commands: tuple[NamedCommand, ...]
    functions: frozenset[str]
    error: ScriptSyntaxError | None = None
    nodes: tuple[Any, ...] = ()


def read_script(text: str, first_line: int = 1) -> Reading:
    """Parse a script without running it.

    Args:
        text: The script.
        first_line: The number of its first line.
    """
    commands: list[NamedCommand] = []
    functions: set[str] = set()
    found: list[Any] = []
    parser = Parser(text, first_line, extglob="extglob" in text)  # a ``shopt -s extglob`` in it runs before the patterns
    parser.negates = True
    error = None
    try:
        while (tree := parser.next_line()) is not None:
            for node in _nodes(tree):
                found.append(node)
                if isinstance(node, nodes.FunctionDefinition):
                    functions.add(node.name)
                elif isinstance(node, nodes.SimpleCommand) and node.words:
                    commands.append(NamedCommand(tuple(map(literal, node.words)), node.line, node.column, node))
    except ScriptSyntaxError as caught:
        error = caught
    return Reading(tuple(commands), frozenset(functions), error, tuple(found))


def _nodes(tree: Any) -> Iterator[Any]:
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(reversed(node))
        elif node.__class__ not in _LEAVES:
            yield node
            pending.extend([getattr(node, name) for name in parts_of(node)])


def parts_of(node: Any) -> tuple[str, ...]:
    """The attributes of a node that may hold nodes, in reverse order."""
    return _parts(node.__class__)


@cache
def _parts(kind: type) -> tuple[str, ...]:
    return tuple(part.name for part in reversed(fields(kind))) if is_dataclass(kind) else ()


def literal(word: Any) -> str | None:
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
