"""Words and redirections as bash prints them: quotes that it reads at once are gone, and commands stand in its own layout."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.syntax.escapes import ansi_c
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    Assignment,
    CommandSubstitution,
    DoubleQuoted,
    ExpressionSubscript,
    ExtendedGlob,
    ParameterExpansion,
    ProcessSubstitution,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.syntax.nodes import Redirection, Sequence, WordPart

    Print = Callable[[Sequence, str], str | None]

_QUOTE = re.compile(r"""\\.|'[^']*'|\$'(?:[^'\\]|\\.)*'|\$"|"|`(?:[^`\\]|\\.)*`|\$?\(|\)|\$\{([^}"'$`\\]*)|\}""", re.DOTALL)
_VALUE = re.compile(r"!?(?:\w+|[@*#?$!-])(?:\[[^]]*\])?:?[-+=?]")


def print_word(word: Word | Assignment, show: Print) -> str:
    """A word as bash prints it.

    Args:
        word: That.
        show: Gives the text of commands, or None to keep what was written.
    """
    if isinstance(word, Assignment) and not isinstance(word.value, Word):
        return _print_array(word, show)
    source = word.source
    if "$'" not in source and '$"' not in source and "(" not in source:
        return source
    text, begin = "", 0
    for inner in _substitutions(word):
        opening = "$(" if isinstance(inner, CommandSubstitution) else f"{inner.direction}("
        written = f"{opening}{inner.text})"
        at = source.find(written, begin)
        if at < 0 or inner.body is None or written.startswith("$(("):  # what could be an expression stays as it is
            continue
        shown = show(inner.body, inner.text)
        if shown is None:
            continue
        blank = " " if opening == "$(" and shown.startswith("(") else ""
        text += f"{source[begin:at]}{opening}{blank}{shown})"
        begin = at + len(written)
    text += source[begin:]
    return _settle(text) if "$'" in text or '$"' in text else text


def _print_array(assignment: Assignment, show: Print) -> str:
    """``name=(…)`` with one blank between the elements."""
    assert not isinstance(assignment.value, Word)
    elements: list[str] = []
    for element in assignment.value:
        head = f"[{print_word(element.subscript, show)}]{'+' * element.append}=" if element.subscript is not None else ""
        elements.append(head + print_word(element.value, show))
    return f"{assignment.name}{'+' * assignment.append}=({' '.join(elements)})"


def _settle(source: str) -> str:
    """Text with ``$'…'`` and ``$"…"`` replaced by plain quotes, as bash has them once it has read a command."""
    text, begin = "", 0
    within: list[str] = []  # what is open: a double quote, a parenthesis, a brace, or a brace whose value is quoted
    for match in _QUOTE.finditer(source):
        token = match.group()
        if begin > match.start():
            continue
        top = within[-1] if within else ""
        quoted = top in {'"', "value"}
        text += source[begin : match.start()]
        begin = match.end()
        if token == '"' or (token == '$"' and not quoted):
            if top == '"':
                within.pop()
            else:
                within.append('"')
            token = '"'
        elif token == '$"':  # a dollar sign at the end of a quoted text
            begin -= 1
            token = "$"
            if top == '"':
                within.pop()
                token, begin = '$"', begin + 1
        elif token.startswith("${"):
            inside = '"' in within and within[-1] != "("
            within.append("value" if inside and _VALUE.match(match.group(1)) else "{")
        elif token.endswith("(") and (top != '"' or token == "$("):
            within.append("(")
        elif (token == ")" and top == "(") or (token == "}" and top in {"{", "value"}):
            within.pop()
        elif token.startswith("$'"):
            if top == '"':
                begin = match.start() + 2
                token = "$'"
            else:
                plain = ansi_c(token[2:-1])
                token = plain if top == "value" else "'" + plain.replace("'", "'\\''") + "'"
        elif token.startswith("'") and quoted:
            begin = match.start() + 1
            token = "'"
        text += token
    return text + source[begin:]


def _substitutions(word: Word | Assignment) -> Iterator[CommandSubstitution | ProcessSubstitution]:
    """The outermost substitutions of a word, in the order in which they are written."""
    if isinstance(word, Word):
        yield from _in_parts(word.parts)
        return
    if word.subscript is not None:
        yield from _substitutions(word.subscript)
    if isinstance(word.value, Word):
        yield from _substitutions(word.value)


def _in_parts(parts: tuple[WordPart, ...]) -> Iterator[CommandSubstitution | ProcessSubstitution]:
    for part in parts:
        if isinstance(part, (CommandSubstitution, ProcessSubstitution)):
            yield part
        elif isinstance(part, (DoubleQuoted, ExtendedGlob)):
            yield from _in_parts(part.parts)
        elif isinstance(part, ArithmeticExpansion):
            yield from _in_parts(part.expression.parts)
        elif isinstance(part, ExpressionSubscript):
            yield from _in_parts(part.word.parts)
        elif isinstance(part, ParameterExpansion):
            for inner in (part.subscript, part.argument, part.second):
                yield from _in_parts(inner.parts) if inner is not None else ()


def print_redirections(redirections: tuple[Redirection, ...], show: Print) -> str:
    """Redirections without the bodies of here-documents."""
    texts: list[str] = []
    for item in redirections:
        head = str(item.fd) if item.fd is not None else f"{{{item.variable}}}" if item.variable else ""
        if item.here is not None:
            delimiter = item.here.delimiter
            if item.here.quoted:
                delimiter = "'" + delimiter.replace("'", "'\\''") + "'"
            texts.append(f"{head}{item.operator}{delimiter}")
        elif item.operator == "<>":
            texts.append(f"{head or '0'}<> {print_word(item.target, show)}")
        elif item.operator in {">&", "<&"}:
            default = "1" if item.operator == ">&" else "0"
            target = item.target.source
            operator = ">&" if target == "-" else item.operator
            texts.append(f"{head or (default if target == '-' or target.rstrip('-').isdecimal() else '')}{operator}{target}")
        else:
            texts.append(f"{head}{item.operator} {print_word(item.target, show)}")
    return " ".join(texts)
