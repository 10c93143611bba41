"""Words to closures: each word is analysed once, and what it needs at run time is all that is left (bash(1), EXPANSION)."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic import compile_expression, compile_template, evaluate, plain_integer
from bashkit.interp.control import ExpansionError
from bashkit.interp.fields import escape_pattern
from bashkit.interp.lists import ListExpansion, compile_list
from bashkit.interp.parameters import compile_parameter
from bashkit.syntax.nodes import (
    ArithmeticExpansion,
    CommandSubstitution,
    DoubleQuoted,
    ExtendedGlob,
    Literal,
    ParameterExpansion,
    ProcessSubstitution,
    Quoted,
    Word,
    WordPart,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.shell import Shell

    Scalar = Callable[[Shell], str]

_LIKE_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=(?=~|.*:~)")  # bash expands tildes in such arguments too


# --------------------------------------------------------------------------------------------------------------- scalars


def constant(word: Word) -> str | None:
    """The text of a word in which nothing is expanded, or None."""
    pieces: list[str] = []
    for part in word.parts:
        if isinstance(part, (Literal, Quoted)):
            pieces.append(part.text)
        elif isinstance(part, DoubleQuoted) and all(isinstance(inner, (Literal, Quoted)) for inner in part.parts):
            pieces.extend(inner.text for inner in part.parts if isinstance(inner, (Literal, Quoted)))
        else:
            return None
    return "".join(pieces)


def compile_scalar(word: Word, *, tilde: bool = True, assignment: bool = False, context: str = "") -> Scalar:
    """The closure for a word that becomes one string: no splitting, no pathname expansion.

    Args:
        word: The word.
        tilde: Expand a leading ``~``.
        assignment: It is a value: ``~`` counts after a colon too, and ``context`` is ``assignment``.
        context: See ``scalar_part``.
    """
    context = "assignment" if assignment else context
    if tilde and has_tilde(word, assignment=assignment):
        word_parts = tilde_parts(word, assignment=assignment)
        functions = [part if callable(part) else scalar_part(part, context) for part in word_parts]
        return _join(functions)
    text = constant(word)
    if text is not None:
        fixed = text
        return lambda shell: fixed  # noqa: ARG005
    return _join([scalar_part(part, context) for part in word.parts])


def compile_argument(word: Word | None, context: str, *, quoted: bool) -> Scalar:
    """The closure for the word after ``-``, ``+`` or ``=`` in ``${…}``; for the arguments see ``scalar_part``."""
    if word is None:
        return lambda shell: ""  # noqa: ARG005
    assignment = context == "assignment"
    if has_tilde(word, assignment=assignment):
        word_parts = tilde_parts(word, assignment=assignment, argument=True)
        return _join([part if callable(part) else scalar_part(part, context, quoted=quoted) for part in word_parts])
    text = constant(word)
    if text is not None:
        fixed = text
        return lambda shell: fixed  # noqa: ARG005
    return _join([scalar_part(part, context, quoted=quoted) for part in word.parts])


def _join(functions: list[Scalar]) -> Scalar:
    if len(functions) == 1:
        return functions[0]
    if len(functions) == 2:
        first, second = functions
        return lambda shell: first(shell) + second(shell)
    if len(functions) == 3:
        first, second, third = functions
        return lambda shell: first(shell) + second(shell) + third(shell)
    parts = tuple(functions)

    def join(shell: Shell) -> str:
        return "".join([part(shell) for part in parts])

    return join


def scalar_part(part: WordPart, context: str = "", *, quoted: bool = False) -> Scalar:
    """The closure for one part that becomes a string.

    Args:
        part: The part.
        context: Where it stands: ``assignment`` (a value, or a here-string), ``value`` (one that ``${x=…}`` assigns), ``here`` (a
            here-document) or empty.
        quoted: Inside double quotes.
    """
    if isinstance(part, (Literal, Quoted)):
        text = part.text
        return lambda shell: text  # noqa: ARG005
    if isinstance(part, DoubleQuoted):
        if not part.parts:
            return lambda shell: ""  # noqa: ARG005
        return _join([scalar_part(inner, context, quoted=True) for inner in part.parts])
    if isinstance(part, ParameterExpansion):
        if isinstance(listed := compile_list(part, quoted=quoted), ListExpansion):
            return _joined(part, listed, context, quoted=quoted)
        return compile_parameter(part, context, quoted=quoted)
    if isinstance(part, CommandSubstitution):
        return _substitution(part)
    if isinstance(part, ArithmeticExpansion):
        return compile_arithmetic_expansion(part.expression)
    if isinstance(part, ProcessSubstitution):
        return process_substitution(part)
    inner_parts = [scalar_part(inner) for inner in part.parts]
    body = _join(inner_parts) if inner_parts else (lambda shell: "")  # noqa: ARG005
    operator = part.operator
    return lambda shell: f"{operator}({body(shell)})"


def _joined(part: ParameterExpansion, listed: ListExpansion, context: str, *, quoted: bool) -> Scalar:
    """The closure for a list that becomes one string.

    ``$*`` is joined by the first character of IFS and ``$@`` by a blank, but in a value an operator lets ``$@`` be joined as
    ``$*``, and in a here-document ``$*`` as ``$@``.
    """
    values, choice, operator = listed.values, listed.choice, part.operator
    mapping = operator[:1] in {"/", "^", ",", "~"}
    blank = not listed.star
    forced = False
    if context in {"assignment", "value"} and blank and operator and choice is None:
        blank = not quoted and (mapping or operator == ":")
        forced = not blank
    elif context == "here" and listed.star and not mapping and (part.name == "*" or (operator and choice is None)):
        blank = True

    def join(shell: Shell, found: list[str]) -> str:
        if blank:
            return " ".join(found)
        return (shell.separators()[:1] or " " * forced).join(found)

    if choice is None:
        return lambda shell: join(shell, values(shell))
    if context == "assignment" and not quoted and operator[0] == ":":  # there one empty element is not null
        choice = (compile_list(replace(part, operator=operator[1:])) or listed).choice or choice
    word = compile_argument(part.argument, context, quoted=quoted)

    def choose(shell: Shell) -> str:
        found = choice(shell)
        return word(shell) if found is None else join(shell, found)

    return choose


def _substitution(part: CommandSubstitution) -> Scalar:
    from bashkit.interp.substitution import compile_substitution

    return compile_substitution(part)


def process_substitution(part: ProcessSubstitution) -> Scalar:
    """The closure for ``<(…)`` and ``>(…)``."""
    from bashkit.interp.substitution import compile_process_substitution

    return compile_process_substitution(part)


# ------------------------------------------------------------------------------------------------------------ arithmetic


def compile_arithmetic(word: Word) -> Callable[[Shell], int]:
    """The closure that evaluates an arithmetic word.

    ``$name`` operands whose value is an ordinary number do not need the text to be parsed again: the expression is compiled
    once with places for them, and only other values take the way through the text.
    """
    found = arithmetic_template(word)
    if found is None:
        return _textual(word)
    template, parts = found
    return _templated(template, [scalar_part(part) for part in parts]) if parts else compile_expression(template)


def arithmetic_template(word: Word) -> tuple[str, list[WordPart]] | None:
    """The text of an arithmetic word in which ``\\x01N\\x01`` stands for the number that part N expands to, and those parts.

    None where an expansion may be more than one operand, so that only the expanded text tells how to read it.
    """
    fixed = constant(word)
    if fixed is not None:
        return fixed, []
    template = ""
    parts: list[WordPart] = []
    for part in word.parts:
        if isinstance(part, Literal):
            template += part.text
        elif (isinstance(part, ParameterExpansion) and not part.operator) or isinstance(
            part, (ArithmeticExpansion, CommandSubstitution)
        ):
            if (
                template[-1:].isalnum()
                or template[-1:] in {"_", "-", "#", "["}
                or template[-2:] == "++"
                or isinstance(compile_list_of(part), ListExpansion)
            ):
                return None
            template += f"\x01{len(parts)}\x01"
            parts.append(part)
        else:
            return None
    if "[" in template or "\x01\x01" in template.replace("0", "") or _glued(template):
        return None
    return template, parts


def compile_list_of(part: WordPart) -> ListExpansion | None:
    """The list a part expands to, or None."""
    return compile_list(part) if isinstance(part, ParameterExpansion) else None


def _glued(template: str) -> bool:
    """Whether an operand touches a character that would make one token with it."""
    position = template.find("\x01")
    while position >= 0:
        end = template.index("\x01", position + 1)
        following = template[end + 1 : end + 2]
        if following.isalnum() or following in {"_", "#", "\x01"}:
            return True
        position = template.find("\x01", end + 1)
    return False


def _textual(word: Word) -> Callable[[Shell], int]:
    text = compile_scalar(word, tilde=False)
    return lambda shell: evaluate(shell, text(shell))


def _templated(template: str, operands: list[Scalar]) -> Callable[[Shell], int]:
    parts = tuple(operands)
    try:
        compiled = compile_template(template)
    except ExpansionError:
        return lambda shell: evaluate(shell, _fill(template, [operand(shell) for operand in parts]))

    def run(shell: Shell) -> int:
        numbers: list[int] = []
        texts: list[str] = []
        for operand in parts:
            text = operand(shell)
            texts.append(text)
            number = plain_integer(text)
            if number is None:  # an expression, which only the text as a whole tells how to read
                texts.extend(operand(shell) for operand in parts[len(texts) :])
                return evaluate(shell, _fill(template, texts))
            numbers.append(number)
        saved, shell.operands = shell.operands, numbers
        try:
            return compiled(shell)
        finally:
            shell.operands = saved

    return run


def _fill(template: str, texts: list[str]) -> str:
    pieces = template.split("\x01")
    return "".join(texts[int(piece)] if index % 2 else piece for index, piece in enumerate(pieces))


def compile_arithmetic_expansion(word: Word) -> Scalar:
    """``$((…))``"""
    value = compile_arithmetic(word)
    return lambda shell: str(value(shell))


# ----------------------------------------------------------------------------------------------------------------- tilde


def has_tilde(word: Word, *, assignment: bool = False) -> bool:
    """Whether tilde expansion applies to the word."""
    for index, part in enumerate(word.parts):
        if isinstance(part, Literal) and "~" in part.text:
            if index == 0 and (part.text[0] == "~" or _LIKE_ASSIGNMENT.match(part.text)):
                return True
            if assignment and ":~" in part.text:
                return True
    return False


def tilde_parts(word: Word, *, assignment: bool = False, argument: bool = False) -> list[WordPart | Scalar]:
    """The word's parts, with a closure for each tilde-prefix.

    Args:
        word: The word.
        assignment: It is a value: a tilde counts after a colon too.
        argument: It is the word of an operator inside ``${…}``: a colon ends the tilde-prefix.
    """
    found: list[WordPart | Scalar] = []
    first = word.parts[0]
    if not assignment and not argument and isinstance(first, Literal) and (match := _LIKE_ASSIGNMENT.match(first.text)):
        value = Word((Literal(first.text[match.end() :]), *word.parts[1:]))
        return [Literal(match.group()), *tilde_parts(value, assignment=True)]
    for index, part in enumerate(word.parts):
        if not isinstance(part, Literal):
            found.append(part)
            continue
        pieces = part.text.split(":") if assignment or argument else [part.text]
        for number, piece in enumerate(pieces):
            if number:
                found.append(Literal(":"))
            at_start = index == 0 if number == 0 else assignment
            last = number == len(pieces) - 1
            user, slash, rest = piece.partition("/")
            closed = bool(slash) or not last or index == len(word.parts) - 1
            if piece.startswith("~") and at_start and closed:
                found.append(_tilde(user[1:]))
                if slash + rest:
                    found.append(Literal(slash + rest))
            elif piece:
                found.append(Literal(piece))
    return found


def _tilde(user: str) -> Scalar:
    def home(shell: Shell) -> str:
        if user == "+":
            return shell.get("PWD") or shell.cwd
        if user == "-":
            return shell.get("OLDPWD") or "~-"
        if not user:
            found = shell.get("HOME")
            return f"/home/{shell.machine.system.username}" if found is None else found
        if user == "root":
            return "/root"
        return f"/home/{user}" if user == shell.machine.system.username else "~" + user

    return home


# --------------------------------------------------------------------------------------------------------------- patterns


def compile_pattern(word: Word) -> Scalar:
    """The closure for a word used as a pattern: quoted text matches itself, the rest is special."""
    parts: list[WordPart | Scalar] = tilde_parts(word) if has_tilde(word) else list(word.parts)
    functions = [_pattern_part(part) for part in parts]
    if not functions:
        return lambda shell: ""  # noqa: ARG005
    fixed = constant_pattern(word)
    if fixed is not None:
        return lambda shell: fixed  # noqa: ARG005
    return _join(functions)


def constant_pattern(word: Word) -> str | None:
    """The pattern that a word is when nothing in it is expanded, or None."""
    if has_tilde(word):
        return None
    pieces: list[str] = []
    for part in word.parts:
        if isinstance(part, Literal):
            pieces.append(part.text)
        elif isinstance(part, Quoted):
            pieces.append(escape_pattern(part.text))
        elif isinstance(part, DoubleQuoted) and all(isinstance(inner, (Literal, Quoted)) for inner in part.parts):
            pieces.extend(escape_pattern(inner.text) for inner in part.parts if isinstance(inner, (Literal, Quoted)))
        else:
            return None
    return "".join(pieces)


def _pattern_part(part: WordPart | Scalar) -> Scalar:
    if callable(part):
        scalar = part
        return lambda shell: escape_pattern(scalar(shell))
    if isinstance(part, (Quoted, DoubleQuoted)):
        quoted = scalar_part(part)
        return lambda shell: escape_pattern(quoted(shell))
    if isinstance(part, ExtendedGlob):
        inner = [_pattern_part(piece) for piece in part.parts]
        body = _join(inner) if inner else (lambda shell: "")  # noqa: ARG005
        operator = part.operator
        return lambda shell: f"{operator}({body(shell)})"
    if isinstance(part, ParameterExpansion) and part.operator in {"-", ":-", "+", ":+"} and part.argument and not part.indirect:
        from bashkit.interp.parameters import compile_choice

        choose, otherwise = compile_choice(part), compile_pattern(part.argument)

        def pick(shell: Shell) -> str:
            value = choose(shell)
            return otherwise(shell) if value is None else value

        return pick
    return scalar_part(part)


_REGEX_SPECIAL = frozenset(".[]{}()\\*+?^$|")


def compile_regex(word: Word) -> Scalar:
    """The closure for the right side of ``=~``: quoted text matches itself."""
    functions: list[Scalar] = []
    for part in word.parts:
        if isinstance(part, (Quoted, DoubleQuoted)):
            quoted = scalar_part(part)
            functions.append(lambda shell, quoted=quoted: _escape_regex(quoted(shell)))  # type: ignore[misc]  # mypy cannot type the default
        else:
            functions.append(scalar_part(part))
    return _join(functions) if functions else (lambda shell: "")  # noqa: ARG005


def _escape_regex(text: str) -> str:
    return "".join("\\" + character if character in _REGEX_SPECIAL else character for character in text)


def absolute(shell: Shell, path: str) -> str:
    """A path against the shell's working directory, ``..`` left to the file system."""
    return path if path.startswith("/") else posixpath.join(shell.cwd, path)
