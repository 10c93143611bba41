"""``set -x`` and ``set -v`` (bash(1), The Set Builtin; PS4, BASH_XTRACEFD)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.evaluator import evaluate
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.arithmetic_words import compile_expression_text
from bashkit.interp.expand.assignments import ArrayArgument, compile_assignment, compile_target
from bashkit.interp.expand.prompt_strings import expand_prompt
from bashkit.interp.expand.words import compile_scalar
from bashkit.interp.state.locales import in_locale
from bashkit.interp.state.quoting import is_special, plain_quote, quote_if_needed
from bashkit.syntax.digits import is_digits
from bashkit.syntax.nodes import Assignment, SimpleCommand, Word
from bashkit.syntax.unparse import unparse_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.state.shell import Shell


def trace(shell: Shell, text: str) -> None:
    """Write a command before it runs, to standard error or where BASH_XTRACEFD says."""
    ps4 = shell.get("PS4")
    line = ("" if ps4 is None else expand_prompt(shell, ps4, level=shell.evaluating)) + text
    number = shell.get("BASH_XTRACEFD") or ""
    stream = shell.descriptors.get(whole_number(number)) if is_digits(number) else None
    if stream is None:
        shell.print_error(line)
        return
    try:
        stream.write((line + "\n").encode("utf-8", "surrogateescape"))
    except OSError:
        pass  # the trace's descriptor is closed or full


def traced_arithmetic(
    word: Word, *, part: bool = False, leaves_out: Callable[[Shell], bool] | None = None
) -> Callable[[Shell], int]:
    """The closure that writes an expression as it is after expansion, and evaluates it.

    Args:
        word: The expression.
        part: It is one of the three of ``for ((``: shown without the blanks before it, and as 1 when it is empty.
        leaves_out: Asked after that whether it is left out, and is 0.
    """
    text = compile_expression_text(word)

    def run(shell: Shell) -> int:
        shown = text(shell)
        if part:
            shown = shown.lstrip(" \t") or "1"
        trace(shell, f"(( {shown} ))")
        return 0 if leaves_out is not None and leaves_out(shell) else evaluate(shell, shown)

    return run


def traced_word(shell: Shell, text: str) -> str:
    """A word as the trace shows it: in plain quotes where the shell needs them, else with escapes for control characters."""
    budget, text = shell.budget, in_locale(shell, text)
    return plain_quote(text, budget) if is_special(text, budget) else quote_if_needed(text, budget)


def trace_command(shell: Shell, arguments: list[str]) -> None:
    """Write a simple command, its words expanded, and before it the lists that a declaration assigns."""
    trace_lists(shell, arguments)
    trace_words(shell, arguments)


def trace_lists(shell: Shell, arguments: list[str]) -> None:
    """Write the lists that a declaration assigns."""
    for argument in arguments:
        if isinstance(argument, ArrayArgument):
            trace(shell, f"{argument.name}{'+' * argument.append}=({' '.join(_traced_elements(argument))})")


def trace_words(shell: Shell, arguments: list[str]) -> None:
    """Write the words of a simple command."""
    words = (argument.name if isinstance(argument, ArrayArgument) else traced_word(shell, argument) for argument in arguments)
    trace(shell, " ".join(words))


def _traced_elements(array: ArrayArgument) -> Iterator[str]:
    """The elements of a declared array in the trace: expanded, and all of them quoted."""
    for subscript, values, append, _ in array.elements:
        key = "" if subscript is None else f"[{plain_quote(subscript)}]{'+' * append}="
        for value in values:
            yield key + plain_quote(value)


def assign_traced(shell: Shell, command: SimpleCommand) -> None:
    """Perform the assignments of a command, writing each one when its value is known."""
    for assignment in command.assignments:
        if isinstance(assignment.value, Word):
            value = compile_scalar(assignment.value, assignment=True)(shell)
            trace(shell, _shown(shell, assignment, value))
            compile_target(assignment)(shell, value)
        else:
            trace(shell, unparse_word(assignment))
            compile_assignment(assignment)(shell)


def trace_value(shell: Shell, name: str, value: str, *, append: bool = False) -> None:
    """Write an assignment: one before a command with what it gives, one of ``export`` or ``readonly`` as it is written."""
    trace(shell, f"{name}{'+' * append}={traced_word(shell, value) if value else ''}")


def _shown(shell: Shell, assignment: Assignment, value: str) -> str:
    target = assignment.name if assignment.subscript is None else f"{assignment.name}[{assignment.subscript.source}]"
    return f"{target}{'+' if assignment.append else ''}={traced_word(shell, value) if value else ''}"
