"""The words of a simple command to arguments, with the assignments of declaration builtins (bash(1), declare, local, export)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.expand.arguments import compile_words
from bashkit.interp.expand.assignments import (
    ArrayArgument,
    braced_argument,
    compile_declaration,
    compile_element,
    is_element,
    names_elements,
)
from bashkit.interp.run.tracing import trace_lists
from bashkit.syntax import DECLARATIONS
from bashkit.syntax.nodes import Assignment, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import SimpleCommand

    Expander = Callable[[Shell], list[str]]

_DECLARING = DECLARATIONS - {"alias", "eval", "let"}  # those that give values to the names among their arguments
_OF_VALUES = "aAcgilu"  # the letters of options that change how a list is assigned
_KINDS = "aA"  # those of them that export and readonly have


def compile_arguments(command: SimpleCommand) -> Expander:
    """The closure for the words of a command, among them ``name=value`` and ``name=(…)`` behind a declaration builtin."""
    words = command.words
    plain = tuple([word for word in words if isinstance(word, Word)])
    names = names_elements(words)
    if len(plain) == len(words) and not names:
        return compile_words(plain)
    expanders: list[Expander] = []
    first = words[0]
    numeric = isinstance(first, Word) and first.literal == "let"
    associative = any(isinstance(word, Word) and word.source[:1] == "-" and "A" in word.source for word in words)
    for word in words:
        if isinstance(word, Assignment) and numeric and not isinstance(word.value, Word):
            expanders.append(lambda shell, text=word.source: [text])  # type: ignore[misc]  # noqa: ARG005 - `let x=(1+2)`: no array
        elif isinstance(word, Assignment):
            scalar = compile_declaration(word, associative=associative)
            expanders.append(_with_braces(word, scalar))
        else:
            expander = compile_words((word,))
            expanders.append(compile_element(expander) if names and is_element(word) else expander)
    expanding = [index for index, word in enumerate(words) if "$" in word.source or "`" in word.source]
    last = max(expanding, default=0)
    if not numeric and any(isinstance(word, Assignment) and not isinstance(word.value, Word) for word in words):
        return _assigning_lists(expanders, last)

    def expand(shell: Shell) -> list[str]:
        return [argument for expander in expanders for argument in expander(shell)]

    return expand


def _with_braces(assignment: Assignment, scalar: Callable[[Shell], str]) -> Expander:
    """The arguments that an argument of a declaration builtin becomes: one, unless its braces make several."""
    whole = braced_argument(assignment)
    if whole is None:
        return lambda shell: [scalar(shell)]
    words = compile_words((whole,))
    return lambda shell: words(shell) if shell.options.set["braceexpand"] else [scalar(shell)]


def _assigning_lists(expanders: list[Expander], last: int) -> Expander:
    """As bash does it: a list is assigned before the words behind it are expanded (``local a=(1 2) n=${#a[@]}``).

    Args:
        expanders: Expand the words.
        last: Which of them is the last that needs an expansion: lists behind it are left to the builtin, unless they are traced.
    """

    def expand(shell: Shell) -> list[str]:
        arguments: list[str] = []
        early = len(expanders) if shell.options.xtrace else last
        for index, expander in enumerate(expanders):
            for argument in expander(shell):
                if index < early and isinstance(argument, ArrayArgument):
                    arguments.append(_assign_list(shell, arguments, argument))
                else:
                    arguments.append(argument)
        return arguments

    return expand


def _assign_list(shell: Shell, before: list[str], argument: ArrayArgument) -> str:
    """Let the builtin declare one list; gives the argument that stands for it from now on.

    Args:
        shell: The shell.
        before: The arguments before it, the builtin and its options among them.
        argument: The list.
    """
    name = next((word for word in before if word in _DECLARING), "")
    if name == "local" and not shell.scopes:
        name = "declare"  # what local has to say comes later
    builtin = shell.builtins.get(name)
    if builtin is None:
        return argument
    given = "".join(word for word in before if word.startswith("-"))
    letters = _KINDS if name in {"export", "readonly"} else _OF_VALUES
    if shell.options.xtrace:
        trace_lists(shell, [argument])
    builtin(shell, [name, *(f"-{letter}" for letter in letters if letter in given), argument])
    return argument.name
