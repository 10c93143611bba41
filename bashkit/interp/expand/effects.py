"""What expanding a word does besides giving a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.interp.expand.words import constant
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    CommandSubstitution,
    DoubleQuoted,
    Literal,
    ParameterExpansion,
    Quoted,
    SimpleCommand,
    Word,
)

if TYPE_CHECKING:
    from bashkit.syntax.nodes import WordPart

_ASSIGNING = frozenset(["=", ":="])
_CHANGES = re.compile(r"\+\+|--|=")
_ARITHMETIC = ":"  # the operator whose operands are expressions
_OF_A_PROCESS = frozenset(["BASHPID", "RANDOM"])  # what a subshell has of its own
_WHOLE = frozenset("@*")


def may_assign(parts: tuple[WordPart, ...]) -> bool:
    """Whether expanding the parts may change a variable."""
    for part in parts:
        if isinstance(part, ArithmeticExpansion):
            if _CHANGES.search(part.expression.source):
                return True
        elif isinstance(part, DoubleQuoted):
            if may_assign(part.parts):
                return True
        elif isinstance(part, ParameterExpansion) and part.source.startswith("${") and not is_harmless(part):
            return True
    return False


def is_harmless(part: WordPart) -> bool:
    """Whether expanding a part changes no variable: it runs in a subshell, or evaluates nothing."""
    if isinstance(part, DoubleQuoted):
        return all(map(is_harmless, part.parts))
    if isinstance(part, ParameterExpansion):
        words = (part.subscript, part.argument, part.second)
        if part.operator in _ASSIGNING or part.operator.startswith("@") or part.indirect:
            return False
        if part.operator == _ARITHMETIC or part.subscript is not None:
            return all(word is None or (constant(word) or "=").isalnum() for word in words)
        return all(word is None or constant(word) is not None for word in words)
    return isinstance(part, (Literal, Quoted, CommandSubstitution))


def only_reads(command: SimpleCommand) -> bool:
    """Whether expanding the words of a command changes nothing, and looks at nothing that a subshell has of its own.

    A subscript or an offset that is an expression counts as a change: the value of a variable in it may assign.
    """
    if any(redirection.variable or redirection.here is not None for redirection in command.redirections):
        return False
    if any(assignment.subscript is not None for assignment in command.assignments):
        return False
    words = (
        *command.words,
        *(assignment.value for assignment in command.assignments),
        *(redirection.target for redirection in command.redirections),
    )
    return all(isinstance(word, Word) and all(map(_only_reads, word.parts)) for word in words)


def _only_reads(part: WordPart) -> bool:
    if isinstance(part, DoubleQuoted):
        return all(map(_only_reads, part.parts))
    if not isinstance(part, ParameterExpansion):
        return isinstance(part, (Literal, Quoted))
    if part.name in _OF_A_PROCESS or not is_harmless(part):
        return False
    expressions = (part.subscript, *((part.argument, part.second) if part.operator == _ARITHMETIC else ()))
    return all(word is None or (text := constant(word) or "").isdigit() or text in _WHOLE for word in expressions)
