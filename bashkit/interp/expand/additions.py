"""``x="$x…"``: an assignment that adds to what is there, and may do so in place where the text is long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.expand.effects import is_harmless
from bashkit.interp.expand.words import has_tilde
from bashkit.interp.state.variables import LARGE
from bashkit.syntax.nodes import DoubleQuoted, ParameterExpansion, Word

if TYPE_CHECKING:
    from bashkit.interp.state.variables import Stored
    from bashkit.syntax.nodes import Assignment, WordPart


def added(assignment: Assignment) -> Word | None:
    """What ``x="$x…"`` adds to ``x``; None where it is another assignment, or where what is added may change ``x`` first."""
    value = assignment.value
    if assignment.append or assignment.subscript is not None or not isinstance(value, Word) or has_tilde(value, assignment=True):
        return None
    rest = _behind(assignment.name, value.parts)
    if rest is None or not all(map(is_harmless, rest)):
        return None
    word = Word(rest)
    return None if has_tilde(word, assignment=True) else word


def is_long(value: Stored | None) -> bool:
    """Whether a variable has a text for which it pays to add in place."""
    return isinstance(value, str) and len(value) > LARGE


def _behind(name: str, parts: tuple[WordPart, ...]) -> tuple[WordPart, ...] | None:
    """The parts behind a leading ``$name``; None if something else leads."""
    if not parts:
        return None
    first = parts[0]
    if isinstance(first, DoubleQuoted):
        inner = _behind(name, first.parts)
        return None if inner is None else (DoubleQuoted(inner), *parts[1:])
    return parts[1:] if isinstance(first, ParameterExpansion) and _is_plain(first) and first.name == name else None


def _is_plain(part: ParameterExpansion) -> bool:
    return not (part.operator or part.subscript or part.length or part.indirect or part.listing)
