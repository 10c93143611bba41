"""Parameter expansions that become one string: joined lists, indirect and plain ones (bash(1), Parameter Expansion)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.interp.expand.indirection import compile_indirect
from bashkit.interp.expand.lists import compile_list
from bashkit.interp.expand.parameters import compile_choice, compile_parameter
from bashkit.interp.expand.patterns import compile_pattern, escape_with_anchors
from bashkit.interp.expand.words import compile_argument, compiles
from bashkit.syntax.nodes import ParameterExpansion

if TYPE_CHECKING:
    from bashkit.interp.expand.lists import ListExpansion
    from bashkit.interp.expand.words import Scalar
    from bashkit.interp.state.shell import Shell


@compiles(ParameterExpansion)
def _parameter_expansion(part: ParameterExpansion, context: str, quoted: bool) -> Scalar:
    if context == "pattern":
        if part.operator in {"-", ":-", "+", ":+"} and part.argument and not part.indirect:
            return _choose_pattern(part)
        context = ""
    listed = compile_list(part, quoted=quoted)
    if listed is not None:
        return _joined(part, listed, context, quoted=quoted)
    if part.indirect and not part.length and part.operator != "bad":
        return compile_indirect(part, context, quoted=quoted)
    return compile_parameter(part, context, quoted=quoted)


def _choose_pattern(part: ParameterExpansion) -> Scalar:
    """``${x-pattern}`` in a pattern: the operator's word is a pattern, too."""
    assert part.argument is not None
    choose, otherwise = compile_choice(part), compile_pattern(part.argument, escape=escape_with_anchors)

    def pick(shell: Shell) -> str:
        value = choose(shell)
        return otherwise(shell) if value is None else value

    return pick


def _joined(part: ParameterExpansion, listed: ListExpansion, context: str, *, quoted: bool) -> Scalar:
    """The closure for a list that becomes one string.

    ``$*`` is joined by the first character of IFS and ``$@`` by a blank, but in a value an operator lets ``$@`` be joined as
    ``$*``, in an element of an array literal both are joined as ``$*``, and in a here-document ``$*`` as ``$@``.
    """
    values, choice, operator = listed.values, listed.choice, part.operator
    if operator in {"#", "%"} and part.argument is not None and not part.argument.parts:
        operator = ""  # it does nothing
    changes = bool(operator or part.listing or part.indirect)
    mapping = operator[:1] in {"/", "^", ",", "~"}
    blank = not listed.star
    forced = False
    if context in {"assignment", "value"} and blank and changes and choice is None:
        blank = not quoted and (mapping or operator == ":" or part.indirect)
        forced = not blank
    elif context == "element":
        blank = False
        forced = not (listed.star and quoted)
    elif context == "here" and listed.star and not mapping and (part.name == "*" or (changes and choice is None)):
        blank = True

    if operator == "@A" and part.subscript is not None:  # it is one text
        blank = True

    def join_values(shell: Shell, found: list[str]) -> str:
        if blank:
            return " ".join(found)
        return (shell.separators()[:1] or " " * forced).join(found)

    if choice is None:
        return lambda shell: join_values(shell, values(shell))
    if context in {"assignment", "element"} and not quoted and operator[0] == ":":  # there one empty element is not null
        choice = (compile_list(replace(part, operator=operator[1:])) or listed).choice or choice
    word = compile_argument(part.argument, context, quoted=quoted)

    def choose(shell: Shell) -> str:
        found = choice(shell)
        return word(shell) if found is None else join_values(shell, found)

    return choose
