"""Words that are patterns or regular expressions, to closures (bash(1), Pattern Matching; ``[[ =~ ]]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.expand.fields import escape_pattern
from bashkit.interp.expand.words import has_tilde, join, scalar_part, tilde_parts
from bashkit.syntax.nodes import DoubleQuoted, ExtendedGlob, Literal, Quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.expand.words import Scalar
    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import Word, WordPart

    Escape = Callable[[str], str]


def compile_pattern(word: Word, *, tilde: bool = True, escape: Escape = escape_pattern) -> Scalar:
    """The closure for a word used as a pattern: quoted text matches itself, the rest is special.

    Args:
        word: The word.
        tilde: Expand a leading ``~``.
        escape: What makes quoted text match itself.
    """
    tilde = tilde and has_tilde(word)
    parts: list[WordPart | Scalar] = tilde_parts(word) if tilde else list(word.parts)
    functions = [_pattern_part(part, escape) for part in parts]
    if not functions:
        return lambda shell: ""  # noqa: ARG005
    fixed = None if tilde else _literal_pattern(word, escape)
    if fixed is not None:
        return lambda shell: fixed  # noqa: ARG005
    return join(functions)


def constant_pattern(word: Word) -> str | None:
    """The pattern that a word is when nothing in it is expanded, or None."""
    return None if has_tilde(word) else _literal_pattern(word, escape_pattern)


def escape_with_anchors(text: str) -> str:
    """As ``escape_pattern``, for the pattern of ``${name/pattern/string}``, which an unquoted ``#`` or ``%`` may anchor."""
    escaped = escape_pattern(text)
    return "\\" + escaped if escaped[:1] in {"#", "%"} else escaped


def _literal_pattern(word: Word, escape: Escape) -> str | None:
    """As ``constant_pattern``, for a word whose tilde is none to expand."""
    pieces: list[str] = []
    for part in word.parts:
        if isinstance(part, Literal):
            pieces.append(part.text)
        elif isinstance(part, Quoted):
            pieces.append(escape(part.text))
        elif isinstance(part, DoubleQuoted) and all(isinstance(inner, (Literal, Quoted)) for inner in part.parts):
            pieces.extend(escape(inner.text) for inner in part.parts if isinstance(inner, (Literal, Quoted)))
        else:
            return None
    return "".join(pieces)


def _pattern_part(part: WordPart | Scalar, escape: Escape) -> Scalar:
    if callable(part):
        scalar = part
        return lambda shell: escape(scalar(shell))
    if isinstance(part, (Quoted, DoubleQuoted)):
        quoted = scalar_part(part)
        return lambda shell: escape(quoted(shell))
    if isinstance(part, ExtendedGlob):
        inner = [_pattern_part(piece, escape) for piece in part.parts]
        body = join(inner)
        operator = part.operator
        return lambda shell: f"{operator}({body(shell)})"
    return scalar_part(part, "pattern")


_REGEX_SPECIAL = frozenset(".[{()\\*+?^$|")


def compile_regex(word: Word) -> Scalar:
    """The closure for the right side of ``=~``: quoted text matches itself, and in brackets only loses its quotes."""
    parts = tilde_parts(word) if has_tilde(word) else word.parts
    pieces = [(part if callable(part) else scalar_part(part), isinstance(part, (Quoted, DoubleQuoted))) for part in parts]
    if not any(quoted for _, quoted in pieces):
        return join([piece for piece, _ in pieces]) if pieces else (lambda shell: "")  # noqa: ARG005

    def expand(shell: Shell) -> str:
        texts = [(piece(shell), quoted) for piece, quoted in pieces]
        if any("[" in text for text, quoted in texts if not quoted):
            return _escape_outside_brackets(texts)
        return "".join([_escape_regex(text) if quoted else text for text, quoted in texts])

    return expand


def _escape_regex(text: str) -> str:
    return "".join("\\" + character if character in _REGEX_SPECIAL else character for character in text)


def _escape_outside_brackets(texts: list[tuple[str, bool]]) -> str:
    """The regex of texts that are quoted or not: only what is not quoted begins or ends a bracket expression."""
    found: list[str] = []
    within, first, inner = False, False, ""  # inner: what ends a class such as [:alpha:]
    for text, quoted in texts:
        escaped = False
        for index, character in enumerate(text):
            if quoted or escaped:
                found.append("\\" + character if quoted and not within and character in _REGEX_SPECIAL else character)
                escaped, first = False, False
                continue
            found.append(character)
            if not within:
                escaped = character == "\\"
                within = first = character == "["
            elif inner:
                inner = "" if text[index - 1 : index + 1] == inner else inner
            elif character == "[" and text[index + 1 : index + 2] in {":", ".", "="}:
                inner, first = text[index + 1] + "]", False
            elif character == "]" and not first:
                within = False
            else:
                first = first and character == "^"
    return "".join(found)
