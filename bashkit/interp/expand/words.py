"""Words to closures: each word is analysed once, and what it needs at run time is all that is left (bash(1), EXPANSION).

The parts of a word are compiled by the module that knows their kind: each declares itself here with ``compiles``. So parameter
expansion can hold words, and words can hold command substitutions, without one module importing the other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.state.variables import LARGE, AssociativeArray
from bashkit.limits import turn
from bashkit.regex.glob import finder
from bashkit.syntax import Parser
from bashkit.syntax.nodes import DoubleQuoted, ExtendedGlob, Literal, ParameterExpansion, Quoted, Word, WordPart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bashkit.interp.state.shell import Shell

    Scalar = Callable[[Shell], str]
    PartCompiler = Callable[[Any, str, bool], Scalar]

_COMPILERS: dict[type[WordPart], PartCompiler] = {}
_USER = re.compile(r"[\w.+-]*")  # what may be somebody's name: no pattern
_special = re.compile(r"[~*?\[{]").search
_has_special = finder("~*?[{")
_LIKE_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[[^]]*\])?\+?=")  # bash expands tildes in such arguments too


# --------------------------------------------------------------------------------------------------------------- scalars


def length_of(part: ParameterExpansion) -> int:
    """The characters of a parameter expansion."""
    subscript = part.subscript
    return len(part.source) + len(part.name) + (len(subscript.source) if subscript is not None else 0)


def plain_text(word: Word) -> str | None:
    """The text of a word that is one piece of text in which nothing can be special, or None: most words of most scripts."""
    parts = word.parts
    if len(parts) != 1:
        return None
    part = parts[0]
    if type(part) is Literal:
        return None if (_special if len(part.text) < LARGE else _has_special)(part.text) else part.text
    return part.text if type(part) is Quoted else None


def constant(word: Word) -> str | None:
    """The text of a word in which nothing is expanded, or None."""
    turn()
    pieces: list[str] = []
    for part in word.parts:
        if isinstance(part, (Literal, Quoted)):
            pieces.append(part.text)
        elif isinstance(part, DoubleQuoted):
            for inner in part.parts:
                if not isinstance(inner, (Literal, Quoted)):
                    return None
                pieces.append(inner.text)
        else:
            return None
    return "".join(pieces)


def compile_scalar(word: Word, *, tilde: bool = True, assignment: bool = False, context: str = "") -> Scalar:
    """The closure for a word that becomes one string: no splitting, no pathname expansion.

    Args:
        word: The word.
        tilde: Expand a leading ``~``.
        assignment: It is a value: ``~`` counts after a colon too, and ``context`` is ``assignment`` unless given.
        context: See ``scalar_part``.
    """
    context = context or ("assignment" if assignment else "")
    if tilde and has_tilde(word, assignment=assignment):
        word_parts = tilde_parts(word, assignment=assignment)
        return join([part if callable(part) else scalar_part(part, context) for part in word_parts])
    text = constant(word)
    if text is not None:
        fixed = text
        return lambda shell: fixed  # noqa: ARG005
    return compile_parts(word.parts, context)


def is_expression(word: Word) -> bool:
    """Whether a subscript is not the same as a key and as an expression: there are quotes, or brackets around expansions."""
    return any(isinstance(part, Quoted) for part in word.parts) or ("[" in word.source and len(word.parts) > 1)


def compile_subscript(name: str, word: Word) -> Scalar:
    """The closure for a subscript of ``name``: a key, or the text of an expression."""
    key = compile_scalar(word, tilde=False)
    if not is_expression(word):
        return key
    expression = compile_scalar(as_expression(word), tilde=False)
    return lambda shell: (key if isinstance(shell.array(name), AssociativeArray) else expression)(shell)


def as_expression(word: Word) -> Word:
    """A word that was read with its quotes, read as an expression."""
    try:
        return Parser("").read_expression(word.source, 0)
    except ScriptSyntaxError:
        return word


def compile_argument(word: Word | None, context: str, *, quoted: bool) -> Scalar:
    """The closure for the word after ``-``, ``+`` or ``=`` in ``${…}``; for the arguments see ``scalar_part``."""
    if word is None:
        return lambda shell: ""  # noqa: ARG005
    assignment = context in {"assignment", "element"}
    if has_tilde(word, assignment=assignment):
        word_parts = tilde_parts(word, assignment=assignment, argument=True)
        return join([part if callable(part) else scalar_part(part, context, quoted=quoted) for part in word_parts])
    text = constant(word)
    if text is not None:
        fixed = text
        return lambda shell: fixed  # noqa: ARG005
    return compile_parts(word.parts, context, quoted=quoted)


def compile_parts(parts: tuple[WordPart, ...], context: str = "", *, quoted: bool = False) -> Scalar:
    """The closure for parts one after the other; for the arguments see ``scalar_part``."""
    pieces: list[str | Scalar] = []
    for part in parts:
        if not isinstance(part, (Literal, Quoted)):
            pieces.append(scalar_part(part, context, quoted=quoted))
        elif pieces and isinstance(last := pieces[-1], str):
            pieces[-1] = last + part.text
        else:
            pieces.append(part.text)
    return join(pieces)


def join(pieces: Sequence[str | Scalar]) -> Scalar:
    """The closure for strings one after the other, those that are always the same among them."""
    functions = [piece for piece in pieces if not isinstance(piece, str)]
    if not functions:
        fixed = "".join(map(str, pieces))
        return lambda shell: fixed  # noqa: ARG005
    if len(functions) == 1 and len(pieces) < 4:
        (only,) = functions
        if len(pieces) == 1:
            return only
        place = pieces.index(only)
        head, tail = "".join(map(str, pieces[:place])), "".join(map(str, pieces[place + 1 :]))

        def enclose(shell: Shell) -> str:
            text = f"{head}{only(shell)}{tail}"
            if len(text) > LARGE:
                shell.budget.string(len(text))
            return text

        return enclose
    if len(pieces) == 2:
        first, second = functions

        def add(shell: Shell) -> str:
            text = first(shell) + second(shell)
            if len(text) > LARGE:
                shell.budget.string(len(text))
            return text

        return add
    every = tuple(pieces)

    def concatenate(shell: Shell) -> str:
        texts: list[str] = []
        size = 0
        for piece in every:
            text = piece if isinstance(piece, str) else piece(shell)
            size += len(text)
            if size > LARGE:
                shell.budget.string(size)
            texts.append(text)
        return "".join(texts)

    return concatenate


def compiles(kind: type[WordPart]) -> Callable[[PartCompiler], PartCompiler]:
    """Declare the decorated function as the compiler of one kind of word part; see ``scalar_part`` for its parameters."""

    def declare(compiler: PartCompiler) -> PartCompiler:
        _COMPILERS[kind] = compiler
        return compiler

    return declare


def scalar_part(part: WordPart, context: str = "", *, quoted: bool = False) -> Scalar:
    """The closure for one part that becomes a string.

    Args:
        part: The part.
        context: Where it stands: ``assignment`` (a value, or a here-string), ``element`` (a value of ``[1]=`` in an array),
            ``value`` (one that ``${x=…}`` assigns), ``here`` (a here-document), ``pattern`` or empty.
        quoted: Inside double quotes.
    """
    turn()
    return _COMPILERS[part.__class__](part, context, quoted)


@compiles(Literal)
@compiles(Quoted)
def _fixed(part: Literal | Quoted, context: str, quoted: bool) -> Scalar:  # noqa: ARG001 - a PartCompiler
    text = part.text
    return lambda shell: text  # noqa: ARG005


@compiles(DoubleQuoted)
def _double_quoted(part: DoubleQuoted, context: str, quoted: bool) -> Scalar:  # noqa: ARG001 - a PartCompiler
    return compile_parts(part.parts, context, quoted=True)


@compiles(ExtendedGlob)
def _extended_glob(part: ExtendedGlob, context: str, quoted: bool) -> Scalar:  # noqa: ARG001 - a PartCompiler
    body = compile_parts(part.parts)
    operator = part.operator
    return lambda shell: f"{operator}({body(shell)})"


# ----------------------------------------------------------------------------------------------------------------- tilde


def has_tilde(word: Word, *, assignment: bool = False) -> bool:
    """Whether tilde expansion applies to the word."""
    for index, part in enumerate(word.parts):
        if isinstance(part, Literal) and "~" in part.text:
            if index == 0 and (part.text[0] == "~" or "=~" in part.text):
                return True
            if ":~" in part.text and (assignment or _is_like_assignment(word)):
                return True
    return False


def _is_like_assignment(word: Word) -> bool:
    first = word.parts[0]
    return isinstance(first, Literal) and _LIKE_ASSIGNMENT.match(first.text) is not None


def element_word(word: Word) -> Word:
    """A word as an element of an array literal, where ``x=~`` is nothing particular."""
    first = word.parts[0] if word.parts else None
    if not isinstance(first, Literal) or "~" not in first.text or not _LIKE_ASSIGNMENT.match(first.text):
        return word
    return Word((Literal(first.text[:1]), Literal(first.text[1:]), *word.parts[1:]), word.source)


def tilde_parts(word: Word, *, assignment: bool = False, argument: bool = False) -> list[WordPart | Scalar]:
    """The word's parts, with a closure for each tilde-prefix.

    Args:
        word: The word.
        assignment: It is a value: a tilde counts after a colon too.
        argument: It is the word of an operator inside ``${…}``, where ``x=~`` is nothing particular.
    """
    found: list[WordPart | Scalar] = []
    first = word.parts[0]
    if not assignment and not argument and isinstance(first, Literal) and (match := _LIKE_ASSIGNMENT.match(first.text)):
        value = Word((Literal(first.text[match.end() :]), *word.parts[1:]))
        return [Literal(match.group()), *map(_outside_posix_mode, tilde_parts(value, assignment=True))]
    for index, part in enumerate(word.parts):
        if not isinstance(part, Literal):
            found.append(part)
            continue
        pieces = part.text.split(":")
        for number, piece in enumerate(pieces):
            if number:
                found.append(Literal(":"))
                turn()
            at_start = index == 0 if number == 0 else assignment
            last = number == len(pieces) - 1
            user, slash, rest = piece.partition("/")
            closed = bool(slash) or (not last and (assignment or "/" in part.text)) or index == len(word.parts) - 1
            if piece.startswith("~") and at_start and closed and _USER.fullmatch(user, 1):
                found.append(_Tilde(user[1:]))
                if slash + rest:
                    found.append(Literal(slash + rest))
            elif piece:
                found.append(Literal(piece))
    return found


def _outside_posix_mode(part: WordPart | Scalar) -> WordPart | Scalar:
    """A tilde-prefix in an argument that looks like an assignment: in posix mode it stays."""
    if not isinstance(part, _Tilde):
        return part
    expand, written = part, "~" + part.user
    return lambda shell: written if shell.options.posix else expand(shell)


_STACKED = re.compile(r"[-+]?[0-9]{1,9}")


def _directory_on_stack(shell: Shell, place: str) -> str | None:
    """``~N``, ``~+N`` and ``~-N``: a directory of the stack, counted from one of its ends (bash(1), Tilde Expansion)."""
    stack = [shell.cwd, *shell.directories]
    number = int(place.lstrip("+-"))
    if number >= len(stack):
        return None
    return stack[-1 - number] if place[0] == "-" else stack[number]


class _Tilde:
    """The closure for a tilde-prefix.

    Args:
        user: What stands behind the tilde.
    """

    __slots__ = ("user",)

    def __init__(self, user: str) -> None:
        self.user = user

    def __call__(self, shell: Shell) -> str:
        user = self.user
        if user == "+":
            return shell.get("PWD") or shell.cwd
        if user == "-":
            return shell.get("OLDPWD") or "~-"
        if _STACKED.fullmatch(user):
            return _directory_on_stack(shell, user) or "~" + user
        if not user:
            found = shell.get("HOME")
            return f"/home/{shell.machine.system.username}" if found is None else found
        if user == "root":
            return "/root"
        return f"/home/{user}" if user == shell.machine.system.username else "~" + user
