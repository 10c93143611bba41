"""How ``declare -p``, ``set`` and ``${x@A}`` show variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.state.locales import in_locale
from bashkit.interp.state.quoting import double_quote, key_quote, plain_quote, quote_if_needed, single_quote
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.variables import AssociativeArray, DynamicVariable, IndexedArray, Variable
from bashkit.limits import collected

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.variables import Value


_UNLISTED = frozenset(
    "BASHPID BASH_ARGV0 BASH_SUBSHELL COMP_WORDBREAKS EPOCHREALTIME EPOCHSECONDS HISTCMD LINENO RANDOM SECONDS SRANDOM".split()
)


def names(shell: Shell) -> list[str]:
    """The names of all variables; what the environment has under no name of the shell is handed on, and not shown."""
    return sorted(filter(NAME.fullmatch, shell.variables))


def listed(shell: Shell) -> list[str]:
    """The names that ``set`` and ``declare`` alone list: all but those whose value is made when a script asks for it."""
    variables = shell.variables
    return [name for name in names(shell) if name not in _UNLISTED or not isinstance(variables[name], DynamicVariable)]


def value_of(shell: Shell, variable: str | Variable) -> Value:
    """The value of a stored variable."""
    if isinstance(variable, str):
        return variable
    value = variable.read(shell) if isinstance(variable, DynamicVariable) else variable.value
    if isinstance(value, (IndexedArray, AssociativeArray)) and value.declared and not len(value):
        return None
    return value


def letters_of(shell: Shell, variable: str | Variable) -> str:
    """The attribute letters of a stored variable."""
    if isinstance(variable, str):
        return ""
    if isinstance(variable, DynamicVariable) and isinstance(variable.read(shell), IndexedArray):
        return "a" + variable.letters().removeprefix("a")
    return variable.letters()


def array_literal(shell: Shell, array: IndexedArray | AssociativeArray) -> str:
    """``([key]="value" …)``; an associative array has a space before the parenthesis."""
    budget = shell.budget
    items = ((in_locale(shell, key), in_locale(shell, value)) for key, value in array.items())
    pairs = collected(budget, (f"[{key_quote(key, budget)}]={double_quote(value, budget)}" for key, value in items))
    budget.string(sum(map(len, pairs)))
    return f"({' '.join(pairs)}{' ' * (bool(pairs) and isinstance(array, AssociativeArray))})"


def describe_variable(shell: Shell, name: str, *, transform: bool = False, value: Value = None) -> str:
    """The ``declare`` command that makes the variable again.

    Args:
        shell: Where it is.
        name: The variable.
        transform: In the style of ``${x@A}``, which quotes scalars with single quotes and leaves out an empty ``declare --``.
        value: What to show as the value, in place of its own.
    """
    name = shell.resolve(name).partition("[")[0] if transform else name
    variable = shell.variables[name]
    if value is None:
        value = value_of(shell, variable)
    letters = letters_of(shell, variable)
    budget = shell.budget
    if isinstance(value, str):
        value = in_locale(shell, value)
    if transform and not letters:
        return f"{name}={single_quote(value, budget)}" if isinstance(value, str) else ""
    head = f"declare -{letters or '-'} {name}"
    if value is None:
        return head
    if isinstance(value, str):
        return f"{head}={single_quote(value, budget) if transform else double_quote(value, budget)}"
    return f"{head}={array_literal(shell, value)}"


def describe_attributes(shell: Shell, name: str) -> str:
    """``${x@A}`` of a variable without a value: the ``declare`` command, empty where there is no attribute either."""
    name = shell.resolve(name).partition("[")[0]
    letters = letters_of(shell, shell.variables[name])
    return f"declare -{letters} {name}" if letters else ""


def describe_plainly(shell: Shell, name: str) -> str | None:
    """As ``set`` without arguments shows a variable: ``name=value``; None when it has no value."""
    value = value_of(shell, shell.variables[name])
    if value is None:
        return None
    if isinstance(value, str):
        text = in_locale(shell, value)
        quoted = quote_if_needed(text, shell.budget) if value else ""
        if shell.options.posix and quoted.startswith("$'"):
            quoted = plain_quote(text, shell.budget)  # POSIX has no other quotes
        return f"{name}={quoted}"
    return f"{name}={array_literal(shell, value)}"
