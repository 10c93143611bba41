"""Words and redirections as bash prints them: quotes that it reads at once are gone, and commands stand in its own layout."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.limits import paced, turn
from bashkit.syntax.digits import is_digits
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

    from bashkit.syntax.nodes import Redirection, WordPart

    Print = Callable[[CommandSubstitution | ProcessSubstitution], str]

_QUOTE = re.compile(r"""\\.|'[^']*'|\$'(?:[^'\\]|\\.)*'|\$"|"|`(?:[^`\\]|\\.)*`|\$?\(|\)|\$\{([^}"'$`\\]*)|\}""", re.DOTALL)
_PIECES = re.compile(r"(?:[^\\]+|\\[^\n]|\\\Z){1,64}|\\\n")
_VALUE = re.compile(r"!?(?:\w+|[@*#?$!-])(?:\[[^]]*\])?:?[-+=?]")


def print_word(word: Word | Assignment, show: Print) -> str:
    """A word as bash prints it.

    Args:
        word: That.
        show: Gives the text of the commands of a substitution.
    """
    if isinstance(word, Assignment) and not isinstance(word.value, Word):
        return _print_array(word, show)
    source = word.source
    if "(" not in source:
        return settle(source)
    pieces: list[str] = []
    shown: list[str] = []
    begin = 0
    for inner in _substitutions(word):
        opening = "$(" if isinstance(inner, CommandSubstitution) else f"{inner.direction}("
        written = f"{opening}{inner.text})"
        at = source.find(written, begin)
        if at < 0 or inner.body is None or written.startswith("$(("):  # what could be an expression stays as it is
            continue
        text = show(inner)
        shown.append(f"{opening}{' ' if text.startswith('(') else ''}{text})")
        pieces.append(source[begin:at])
        begin = at + len(written)
    if not shown:
        return settle(source)
    settled = settle("\0".join([*pieces, source[begin:]])).split("\0")  # no script has a NUL
    return "".join([text for pair in zip(settled, [*shown, ""], strict=True) for text in pair])


def _print_array(assignment: Assignment, show: Print) -> str:
    """``name=(…)``, or ``name[subscript]=(…)``, which nothing can be, with one blank between the elements."""
    assert not isinstance(assignment.value, Word)
    elements: list[str] = []
    for element in assignment.value:
        head = f"[{print_word(element.subscript, show)}]{'+' * element.append}=" if element.subscript is not None else ""
        elements.append(head + print_word(element.value, show))
    subscript = "" if assignment.subscript is None else f"[{print_word(assignment.subscript, show)}]"
    return f"{assignment.name}{subscript}{'+' * assignment.append}=({' '.join(elements)})"


def settle(source: str) -> str:
    """Text as bash has it once it has read a command: lines that go on are joined, ``$'…'`` and ``$"…"`` are plain quotes."""
    if "$'" not in source and '$"' not in source and "\\\n" not in source:
        return source
    texts: list[str] = []
    begin = 0
    within: list[str] = []  # what is open: a double quote, a parenthesis, a brace, or a brace whose value is quoted
    while (match := _QUOTE.search(source, begin)) is not None:
        turn()
        token = match.group()
        top = within[-1] if within else ""
        quoted = top in {'"', "value"}
        texts.append(source[begin : match.start()])
        begin = match.end()
        if token == '"' or (token == '$"' and not quoted):
            if top == '"':
                within.pop()
            else:
                within.append('"')
            token = '"'
        elif token == '$"':  # a dollar sign at the end of a quoted text
            if top == '"':
                within.pop()
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
                token = plain if top == "value" else _quoted(plain)
        elif token.startswith("'") and top == '"':
            begin = match.start() + 1
            token = "'"
        elif token == "\\\n":
            token = ""
        elif token.startswith("`"):
            token = join_lines(token)
        texts.append(token)
    texts.append(source[begin:])
    return "".join(texts)


def _quoted(text: str) -> str:
    """The text in single quotes; a single quote alone gets a backslash, as in bash."""
    return "\\'" if text == "'" else "'" + text.replace("'", "'\\''") + "'"


def join_lines(text: str) -> str:
    """Text without the ends of lines that a backslash takes away."""
    if "\\\n" not in text:
        return text
    return "".join([piece for piece in paced(_PIECES.findall(text)) if piece != "\\\n"])


def _substitutions(word: Word | Assignment) -> Iterator[CommandSubstitution | ProcessSubstitution]:
    """The outermost substitutions of a word, in the order in which they are written."""
    if isinstance(word, Word):
        yield from _in_parts(word.parts, outermost=True)
        return
    if word.subscript is not None:
        yield from _in_parts(word.subscript.parts)
    if isinstance(word.value, Word):
        yield from _in_parts(word.value.parts, outermost=True)


def _in_parts(parts: tuple[WordPart, ...], *, outermost: bool = False) -> Iterator[CommandSubstitution | ProcessSubstitution]:
    for part in parts:
        if isinstance(part, (CommandSubstitution, ProcessSubstitution)):
            yield part
        elif isinstance(part, DoubleQuoted):
            yield from _in_parts(part.parts)
        elif isinstance(part, ExtendedGlob):
            inside = part.parts
            if outermost:  # undocumented: it keeps what is written, but for its double quotes
                inside = tuple(inner for inner in inside if isinstance(inner, DoubleQuoted))
            yield from _in_parts(inside)
        elif isinstance(part, ArithmeticExpansion):
            yield from _in_parts(part.expression.parts)
        elif isinstance(part, ExpressionSubscript):
            yield from _in_parts(part.word.parts)
        elif isinstance(part, ParameterExpansion):
            for inner in (part.subscript, part.argument, part.second):
                yield from _in_parts(inner.parts) if inner is not None else ()


def print_redirections(redirections: tuple[Redirection, ...], show: Print) -> str:
    """Redirections without the bodies of here-documents; a descriptor that the operator means by itself is left out."""
    texts: list[str] = []
    for item in redirections:
        operator = item.operator
        default = 0 if operator.startswith("<") else 1
        fd = default if item.fd is None and not item.variable else item.fd
        target = print_word(item.target, show)
        named = False
        if operator in {">&", "<&"}:
            operator = ">&" if target == "-" else operator
            named = target.endswith("-") or is_digits(target)
        if operator == "<>":
            default = 1  # undocumented
        if item.here is not None:
            delimiter = item.here.delimiter
            target = _quoted(delimiter) if item.here.quoted else delimiter
        elif operator not in {">&", "<&"}:
            target = f" {target}"
        head = f"{{{item.variable}}}" if item.variable else "" if fd == default and not named else str(fd)
        texts.append(f"{head}{operator}{target}")
    return " ".join(texts)
