"""Arithmetic words to closures: ``((…))``, ``$((…))``, offsets (bash(1), ARITHMETIC EVALUATION)."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.evaluator import LONG, compile_expression, compile_template, evaluate, plain_integer
from bashkit.interp.expand.words import compile_scalar, compiles, constant, scalar_part
from bashkit.interp.runtime.control import NEGATIVE_LENGTH, ExpansionError, LineError
from bashkit.interp.state.quoting import subscript_quote
from bashkit.syntax.nodes import ArithmeticExpansion, CommandSubstitution, ExpressionSubscript, Literal, ParameterExpansion

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.expand.words import Scalar
    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import Word, WordPart


_PLAIN_SUBSCRIPT = re.compile(r"\[([\w.,:+-]+)\]").fullmatch  # what means the same with and without the expression around it
_NAMED = re.compile(r".*[A-Za-z_]\w*", re.DOTALL).fullmatch  # ends with a name
_MARKED = re.compile(r"[\x01\x02]").search
_FILLED = re.compile(r"\x01([0-9]{1,3})\x01|\[\x02([0-9]{1,3})\x02\]").sub
_WRITTEN = re.compile(r"\[(?!\x02)").search  # a subscript without expansions, or what only looks like one


def compile_arithmetic(word: Word) -> Callable[[Shell], int]:
    """The closure that evaluates an arithmetic word.

    Operands such as ``$name`` or ``${name:-0}`` whose value is an ordinary number do not need the text to be parsed again: the
    expression is compiled once with places for them, and only other values take the way through the text.
    """
    found = arithmetic_template(word)
    if found is None:
        return _textual(word)
    template, parts = found
    return _templated(template, [scalar_part(part) for part in parts]) if parts else compile_expression(template)


def arithmetic_template(word: Word) -> tuple[str, list[WordPart]] | None:
    """The text of an arithmetic word in which ``\\x01N\\x01`` stands for the number that part N expands to, and those parts.

    A part may be a subscript; ``[\\x02N\\x02]`` stands for it.

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
        elif isinstance(part, (ParameterExpansion, ArithmeticExpansion, CommandSubstitution)):
            if (
                template[-1:].isalnum()
                or template[-1:] in {"_", "-", "#", "["}
                or template[-2:] == "++"
                or (isinstance(part, ParameterExpansion) and makes_list(part))
            ):
                return None
            template += f"\x01{len(parts)}\x01"
            parts.append(part)
        elif isinstance(part, ExpressionSubscript) and _NAMED(template):
            template += f"[\x02{len(parts)}\x02]"
            parts.append(part)
        else:
            return None
    if len(template) > LONG or any(isinstance(part, Literal) and _MARKED(part.text) for part in word.parts):
        return None
    if "**" in template or _WRITTEN(template) or _glued(template):  # of a negative exponent the message shows no sign
        return None
    return template, parts


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


def compile_expression_text(word: Word) -> Scalar:
    """The closure that expands an arithmetic word to the text of its expression."""
    text = compile_scalar(word, tilde=False)

    def expand(shell: Shell) -> str:
        try:
            return text(shell)
        except ExpansionError as error:
            error.of_operand = True
            raise

    return expand


def _textual(word: Word) -> Callable[[Shell], int]:
    text = compile_expression_text(word)
    return lambda shell: evaluate(shell, text(shell))


def _templated(template: str, operands: list[Scalar]) -> Callable[[Shell], int]:
    parts = tuple(operands)
    compiled: Callable[[Shell], int] | None = None
    with suppress(ExpansionError):
        compiled = compile_template(template)

    def run(shell: Shell) -> int:
        texts: list[str] = []
        try:
            for part in parts:
                texts.append(part(shell))  # noqa: PERF401 - for one operand, as most have, this takes half the time
        except ExpansionError as error:
            error.of_operand = True
            raise
        if compiled is None:
            return evaluate(shell, _fill(template, texts))
        numbers: list[int | str] = []
        for text in texts:
            subscript = _PLAIN_SUBSCRIPT(text) if text[:1] == "[" else None
            number = subscript.group(1) if subscript is not None else plain_integer(text)
            if number is None:  # an expression, which only the text as a whole tells how to read
                return evaluate(shell, _fill(template, texts))
            numbers.append(number)
        saved, shell.operands = shell.operands, numbers
        try:
            return compiled(shell)
        except ExpansionError as error:
            error.message = _FILLED(lambda match: _operand(texts, match), error.message)
            raise
        finally:
            shell.operands = saved

    return run


def _operand(texts: list[str], match: re.Match[str]) -> str:
    """What stands for an operand in a message: its text, but for what a variable of the script has in its own."""
    index = int(match.group(1) or match.group(2))
    return texts[index] if index < len(texts) else match.group()


def _fill(template: str, texts: list[str]) -> str:
    pieces = template.replace("[\x02", "\x01").replace("\x02]", "\x01").split("\x01")
    return "".join(texts[int(piece)] if index % 2 else piece for index, piece in enumerate(pieces))


@compiles(ArithmeticExpansion)
def _arithmetic_expansion(part: ArithmeticExpansion, context: str, quoted: bool) -> Scalar:  # noqa: ARG001 - a PartCompiler
    value = compile_arithmetic(part.expression)
    return lambda shell: str(value(shell))


@compiles(ExpressionSubscript)
def _expression_subscript(part: ExpressionSubscript, context: str, quoted: bool) -> Scalar:  # noqa: ARG001 - a PartCompiler
    text = compile_scalar(part.word, tilde=False)
    return lambda shell: f"[{subscript_quote(text(shell), shell.budget)}]"


def compile_bounds(part: ParameterExpansion) -> tuple[Callable[[Shell], int], Callable[[Shell], int] | None]:
    """The offset and length of ``${x:offset:length}``."""
    assert part.argument is not None
    return _bound(part, part.argument), None if part.second is None else _bound(part, part.second)


def cut_length(part: ParameterExpansion, value: str, start: int, count: int) -> str:
    """The characters from ``start`` on; a negative count leaves out as many at the end."""
    if count >= 0:
        return value[start : start + count]
    end = len(value) + count
    if end < start:
        raise LineError(f"{part.second.source if part.second else ''}: {NEGATIVE_LENGTH}")
    return value[start:end]


def _bound(part: ParameterExpansion, expression: Word) -> Callable[[Shell], int]:
    """One bound; messages about it begin with the parameter."""
    bound = compile_arithmetic(expression)
    label = part.name if part.subscript is None else f"{part.name}[{part.subscript.source}]"

    def evaluate_bound(shell: Shell) -> int:
        try:
            return bound(shell)
        except ExpansionError as error:
            if error.of_arithmetic and not error.of_operand and not error.fatal:
                raise LineError(f"{label}: {error.message}", error.status) from None
            raise

    return evaluate_bound


def makes_list(part: ParameterExpansion) -> bool:
    """Whether an expansion makes a list: ``$@``, ``${a[*]}``, ``${!prefix@}``, ``${!a[@]}`` and operators on them."""
    if part.length or part.operator == "bad":
        return False
    if part.listing:
        return True
    if part.name in {"@", "*"}:
        return not part.indirect
    mark = part.subscript.literal if part.subscript is not None else None
    return mark in {"@", "*"} and not (part.indirect and part.operator)
