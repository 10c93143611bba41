"""Conditional expressions: what ``[[ ]]``, ``[`` and ``test`` share (bash(1), CONDITIONAL EXPRESSIONS)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.fs.conditions import descriptor_condition, file_condition, file_relation
from bashkit.interp.arithmetic.evaluator import evaluate
from bashkit.interp.arithmetic.parser import subscript_end, whole_number
from bashkit.interp.expand.operators import condition_matcher
from bashkit.interp.expand.parameters import element_exists
from bashkit.interp.expand.patterns import compile_pattern, compile_regex
from bashkit.interp.expand.words import as_expression, compile_scalar, has_tilde, scalar_part, tilde_parts
from bashkit.interp.runtime.control import ExpansionError, LineError
from bashkit.interp.state.locales import as_octets, counts_bytes, from_octets, in_locale
from bashkit.interp.state.variables import NAMEREF, IndexedArray, Variable
from bashkit.regex import RegexError
from bashkit.regex import compile as compile_posix
from bashkit.syntax.digits import is_digits
from bashkit.syntax.nodes import (
    Condition,
    ConditionBinary,
    ConditionGroup,
    ConditionLogical,
    ConditionNot,
    ConditionUnary,
    ConditionWord,
    DoubleQuoted,
    Literal,
    Quoted,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stream
    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import WordPart

    Test = Callable[[Shell], bool]

_VARIABLE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(?:\[(.*)\])?", re.DOTALL)
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "-lt": lambda a, b: a < b,
    "-le": lambda a, b: a <= b,
    "-gt": lambda a, b: a > b,
    "-ge": lambda a, b: a >= b,
}
NUMERIC = frozenset(_COMPARE)


def compare_numbers(operator: str, left: int, right: int) -> bool:
    """``-eq`` and its kin."""
    return _COMPARE[operator](left, right)


class ConditionError(ExpansionError):
    """A malformed regular expression in ``[[ ]]``: the test fails, the line goes on."""


class _NoNumber(int):
    """What a malformed operand is: each comparison with it fails."""

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return False

    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = int.__hash__


NO_NUMBER = _NoNumber()


def condition_number(shell: Shell, text: str) -> int:
    """An operand of ``-lt`` and its kin in ``[[ ]]``; a malformed one is reported, and fails its test alone."""
    try:
        return evaluate(shell, text)
    except ExpansionError as error:
        if error.fatal or isinstance(error, LineError):
            raise
        shell.complain("[[", error.message)
        return NO_NUMBER


def _tolerant(test: Test) -> Test:
    """A test in whose place another one decides when it is malformed."""

    def run(shell: Shell) -> bool:
        try:
            return test(shell)
        except ConditionError:
            return False

    return run


def compile_test(condition: Condition) -> Test:
    """The closure for a conditional expression.

    Raises (when called):
        ConditionError: A bad regular expression (status 2).
    """
    if isinstance(condition, ConditionWord):
        word = compile_scalar(condition.word)
        return lambda shell: bool(word(shell))
    if isinstance(condition, ConditionGroup):
        return compile_test(condition.inner)
    if isinstance(condition, ConditionNot):
        operand = _tolerant(compile_test(condition.operand))
        return lambda shell: not operand(shell)
    if isinstance(condition, ConditionLogical):
        left, right = compile_test(condition.left), compile_test(condition.right)
        if condition.operator == "&&":
            return lambda shell: left(shell) and right(shell)
        left = _tolerant(left)
        return lambda shell: left(shell) or right(shell)
    if isinstance(condition, ConditionUnary):
        operator = condition.operator
        argument = compile_scalar(condition_operand(condition.operand) if operator == "-v" else condition.operand)
        if operator == "-z":
            return lambda shell: not argument(shell)
        if operator == "-n":
            return lambda shell: bool(argument(shell))
        return lambda shell: unary(shell, operator, argument(shell))
    return _compile_binary(condition)


def traced_test(condition: Condition, mark: str = "") -> Test:
    """As ``compile_test``, and each test is written to the trace of ``set -x`` as it is made, after ``mark``."""
    from bashkit.interp.run.tracing import trace

    if isinstance(condition, ConditionGroup):
        return traced_test(condition.inner)
    if isinstance(condition, ConditionNot):
        operand = _tolerant(traced_test(condition.operand, "! "))
        return lambda shell: not operand(shell)
    if isinstance(condition, ConditionLogical):
        left, right = traced_test(condition.left), traced_test(condition.right)
        if condition.operator == "&&":
            return lambda shell: left(shell) and right(shell)
        left = _tolerant(left)
        return lambda shell: left(shell) or right(shell)
    patterned = isinstance(condition, ConditionBinary) and condition.operator in {"=", "==", "!="}

    def run(shell: Shell) -> bool:
        """Expand once: the trace shows what is tested."""
        known: Condition
        if isinstance(condition, ConditionBinary):
            numeric = condition.operator in NUMERIC
            left = _expanded(shell, condition_operand(condition.left) if numeric else condition.left)
            if condition.operator == "=~":
                right = Word((Literal(compile_regex(condition.right)(shell)),))
            else:
                right = _expanded(shell, condition_operand(condition.right) if numeric else condition.right, patterned=patterned)
            known = replace(condition, left=left, right=right)
            shown = f"{_shown(left)} {condition.operator} {_shown(right, escaped=patterned)}"
        else:
            operator = condition.operator if isinstance(condition, ConditionUnary) else "-n"
            operand = _expanded(shell, condition.operand if isinstance(condition, ConditionUnary) else condition.word)
            known = ConditionUnary(operator, operand)
            shown = f"{operator} {_shown(operand)}"
        trace(shell, f"[[ {mark}{shown} ]]")
        return compile_test(known)(shell)

    return run


def _expanded(shell: Shell, word: Word, *, patterned: bool = False) -> Word:
    """A word whose parts are expanded: to test it has no effects. Of a pattern the parts stay apart that quoting protects."""
    if not patterned:
        return Word((Quoted(compile_scalar(word)(shell)),))
    parts: list[WordPart] = []
    for part in tilde_parts(word) if has_tilde(word) else word.parts:
        if callable(part):
            parts.append(Quoted(part(shell)))
        elif isinstance(part, (Quoted, DoubleQuoted)):
            parts.append(Quoted(scalar_part(part)(shell)))
        else:
            parts.append(Literal(compile_pattern(Word((part,)), escape=_backslashed)(shell)))
    return Word(tuple(parts))


def _backslashed(text: str) -> str:
    return re.sub("(?s).", r"\\\g<0>", text)


def _shown(word: Word, *, escaped: bool = False) -> str:
    """An expanded word in the trace: what quoting protects in a pattern has a backslash before every character."""
    texts = [
        _backslashed(part.text) if escaped and isinstance(part, Quoted) else part.text
        for part in word.parts
        if isinstance(part, (Literal, Quoted))
    ]
    return "".join(texts) or "''"


def _compile_binary(condition: ConditionBinary) -> Test:
    operator = condition.operator
    left = compile_scalar(condition.left)
    if operator in {"=", "==", "!="}:
        pattern = compile_pattern(condition.right)
        wanted = operator != "!="

        def matches(shell: Shell) -> bool:
            text = in_locale(shell, left(shell))
            return condition_matcher(shell, in_locale(shell, pattern(shell))).matches(text, shell.budget) is wanted

        return matches
    if operator == "=~":
        regex = compile_regex(condition.right)
        if not _QUOTES & set(condition.right.source):
            return lambda shell: match_regex(shell, left(shell), regex(shell))
        unquoted = compile_scalar(condition.right)
        return lambda shell: match_regex(
            shell, left(shell), (regex if shell.compatibility > _QUOTING_IGNORED else unquoted)(shell)
        )
    right = compile_scalar(condition.right)
    if operator in NUMERIC:
        left, right = compile_scalar(condition_operand(condition.left)), compile_scalar(condition_operand(condition.right))
        compare = _COMPARE[operator]

        def compared(shell: Shell) -> bool:
            number = condition_number(shell, left(shell))
            return number is not NO_NUMBER and compare(number, condition_number(shell, right(shell)))

        return compared
    return lambda shell: binary(shell, operator, left(shell), right(shell))


_QUOTES = frozenset("'\"\\")
_QUOTING_IGNORED = 31  # up to this version, quoted characters of a regular expression are special, too


def condition_operand(word: Word) -> Word:
    """An operand, read as an expression where it has a subscript with expansions inside."""
    before, bracket, subscript = word.source.partition("[")
    return as_expression(word) if bracket and "'" not in before and ("$" in subscript or "`" in subscript) else word


def match_regex(shell: Shell, text: str, pattern: str) -> bool:
    """``text =~ pattern``: sets BASH_REMATCH."""
    by_byte = not (text.isascii() and pattern.isascii()) and counts_bytes(shell)
    if by_byte:
        text, pattern = as_octets(text), as_octets(pattern)
    try:
        compiled = compile_posix(pattern, "extended", ignore_case=shell.options.shopt["nocasematch"], budget=shell.budget)
        found = compiled.search(text)
    except RegexError:
        raise ConditionError("", 2) from None
    if found is None:
        shell.put_outermost("BASH_REMATCH", Variable(IndexedArray()))
        return False
    groups = [found.group(index) or "" for index in range(compiled.groups + 1)]
    if by_byte:
        groups = [from_octets(group) for group in groups]
    shell.put_outermost("BASH_REMATCH", Variable(IndexedArray(groups)))
    return True


def binary(shell: Shell, operator: str, left: str, right: str) -> bool:
    """String and file comparisons."""
    if operator in {"=", "=="}:
        return left == right
    if operator == "!=":
        return left != right
    if operator == "<":
        return left.encode("utf-8", "surrogateescape") < right.encode("utf-8", "surrogateescape")
    if operator == ">":
        return left.encode("utf-8", "surrogateescape") > right.encode("utf-8", "surrogateescape")
    paths = (shell.absolute(name) if name else "" for name in (left, right))
    return file_relation(shell.machine.fs, operator, *paths)


def unary(shell: Shell, operator: str, operand: str) -> bool:
    """One-operand tests."""
    if operator == "-z":
        return not operand
    if operator == "-n":
        return bool(operand)
    if operator == "-v":
        number = operand.lstrip(" \t\n\v\f\r").rstrip(" \t").removeprefix("+")
        match = _VARIABLE.fullmatch(number if is_digits(number) else operand)
        if match is None:
            return False
        name, subscript = match.groups()
        if subscript is not None:
            if subscript_end(operand, len(name)) != len(operand) - 1:
                return False
            subscript = shell.given_subscript(name, subscript)
            if not subscript or shell.refers_to_element(name):
                return False
        if is_digits(name):
            return whole_number(name) <= len(shell.positional)
        if subscript is None:
            variable = shell.find(name)
            if variable is None and name in shell.variables:  # a reference, be it to an element: bash looks for a variable
                return False
            if isinstance(variable, Variable) and isinstance(variable.value, IndexedArray):
                return variable.value.get(0) is not None
        return element_exists(shell, name, subscript)
    if operator == "-R":
        variable = shell.variables.get(operand)
        return isinstance(variable, Variable) and bool(variable.flags & NAMEREF and variable.value)
    if operator == "-o":
        return shell.options.set.get(operand, False)
    if operator == "-t":
        return False
    stream = _descriptor(shell, operand) if operand.startswith(("/dev/", "/proc/self/fd/")) else None
    if stream is not None:
        return descriptor_condition(operator, stream)
    return bool(operand) and file_condition(shell.machine.fs, operator, shell.absolute(operand))


def _descriptor(shell: Shell, path: str) -> Stream | None:
    """The open descriptor that a name under /dev or /proc stands for."""
    number = {"/dev/stdin": "0", "/dev/stdout": "1", "/dev/stderr": "2"}.get(path) or path.rpartition("/fd/")[2]
    return shell.descriptors.get(whole_number(number)) if is_digits(number) else None
