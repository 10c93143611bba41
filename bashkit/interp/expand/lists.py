"""Expansions that make a list: ``$@``, ``${a[@]}``, ``${!prefix@}``, with operators (bash(1), Special Parameters, Arrays)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.interp.expand.arithmetic_words import compile_bounds, cut_length, makes_list
from bashkit.interp.expand.operators import compile_mapper
from bashkit.interp.expand.words import compile_scalar, length_of
from bashkit.interp.runtime.control import NEGATIVE_LENGTH, ExpansionError, LineError
from bashkit.interp.state.description import describe_variable, letters_of
from bashkit.interp.state.locales import from_locale, in_locale
from bashkit.interp.state.quoting import double_quote, key_quote, single_quote
from bashkit.interp.state.variables import NAMEREF, AssociativeArray, DynamicVariable, IndexedArray, Variable
from bashkit.limits import collected
from bashkit.regex.cache import for_short

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import ParameterExpansion

    Values = Callable[[Shell], list[str]]
    Choice = Callable[[Shell], list[str] | None]

DEFAULTS = frozenset(["-", ":-", "+", ":+", "=", ":=", "?", ":?"])


@dataclass(slots=True, frozen=True)
class ListExpansion:
    """An expansion that makes a list.

    Attributes:
        values: Gives the list.
        star: Written with ``*``: inside double quotes it is one word.
        choice: For ``-``, ``+`` and their kin, instead of ``values``: the list, or None to use the operator's word.
    """

    values: Values
    star: bool
    choice: Choice | None = None


def compile_list(part: ParameterExpansion, *, quoted: bool = False) -> ListExpansion | None:
    """The list that ``part`` stands for, or None when it stands for one string.

    Args:
        part: The expansion.
        quoted: It stands inside double quotes.
    """
    return _list_of(part, quoted=quoted) if makes_list(part) else None


@for_short(4096, length_of)
def _list_of(part: ParameterExpansion, *, quoted: bool) -> ListExpansion:
    if part.listing:
        return ListExpansion(_names_with_prefix(part.name), part.listing == "*")
    mark = part.name if part.name in {"@", "*"} else part.subscript.literal if part.subscript is not None else ""
    if part.indirect:
        return ListExpansion(_keys(part.name), mark == "*")
    base = _positional if part.name in {"@", "*"} else elements_of(part.name)
    if part.operator in DEFAULTS:
        return ListExpansion(base, mark == "*", _choice(part, base, star=mark == "*", quoted=quoted))
    return ListExpansion(_list_operator(part, base), mark == "*")


def _positional(shell: Shell) -> list[str]:
    return shell.positional


def elements_of(name: str) -> Values:
    """The closure for the elements of an array; a scalar is an array of one."""

    def values(shell: Shell) -> list[str]:
        array = shell.array(name)
        if array is not None:
            return array.values()
        variable = shell.variables.get(name)
        if isinstance(variable, Variable) and variable.flags & NAMEREF and "[" in str(variable.value):
            return []  # it refers to one element, which is not an array
        value = shell.get(name)
        return [] if value is None else [value]

    return values


def _keys(name: str) -> Values:
    def values(shell: Shell) -> list[str]:
        array = shell.array(name)
        if array is not None:
            return array.keys()
        variable = shell.variables.get(name)
        if isinstance(variable, Variable) and variable.flags & NAMEREF and "[" in str(variable.value):
            return []  # as in elements_of
        return [] if shell.get(name) is None else ["0"]

    return values


def _names_with_prefix(prefix: str) -> Values:
    def values(shell: Shell) -> list[str]:
        return sorted(name for name, value in shell.variables.items() if name.startswith(prefix) and is_set(shell, value))

    return values


def is_set(shell: Shell, value: object) -> bool:
    """Whether a stored variable has a value."""
    if isinstance(value, DynamicVariable):
        found = value.read(shell)
        return found is not None and not (isinstance(found, IndexedArray) and found.declared and not len(found))
    return not isinstance(value, Variable) or value.value is not None or value.scalar(shell) is not None


def _list_operator(part: ParameterExpansion, base: Values) -> Values:
    operator = part.operator
    if not operator:
        return base
    if operator == ":":
        return _slice(part, base)
    if operator in {"@a", "@A", "@k", "@K"}:
        return _list_transform(part, base)
    mapper = compile_mapper(part)

    def mapped(shell: Shell) -> list[str]:
        found = base(shell)
        return collected(shell.budget, map(mapper(shell), found)) if found else []

    return mapped


def _list_transform(part: ParameterExpansion, base: Values) -> Values:
    name, operator = part.name, part.operator

    def values(shell: Shell) -> list[str]:
        array = shell.array(name) if name not in {"@", "*"} else None
        variable = shell.find(name)
        if operator == "@a" and name in {"@", "*"}:
            return [""] * len(base(shell))
        if operator == "@a":
            letters = letters_of(shell, variable) if variable is not None else ""
            if not letters and array is None:
                return []
            return [letters for _ in base(shell)] or [letters] * (array is not None and array.declared)
        if operator == "@A":
            if name in {"@", "*"}:
                found = collected(shell.budget, (single_quote(in_locale(shell, value), shell.budget) for value in base(shell)))
                if found and name == "*":
                    return [f"set -- {shell.star(found)}"]
                if found and not _splits_at_blanks(shell):
                    return ["set -- " + found[0], *found[1:]]
                return ["set", "--", *found] if found else []
            if variable is None:
                return []
            text = describe_variable(shell, name, transform=True)
            starred = part.subscript is not None and part.subscript.literal == "*"
            return [text] if starred or not _splits_at_blanks(shell) else text.split(" ", 2)
        if array is None:
            return collected(shell.budget, (single_quote(in_locale(shell, value), shell.budget) for value in base(shell)))
        if operator == "@k":
            return collected(shell.budget, (word for pair in array.items() for word in pair))
        budget = shell.budget
        items = ((in_locale(shell, key), in_locale(shell, value)) for key, value in array.items())
        pairs = collected(budget, (f"{key_quote(key, budget)} {double_quote(value, budget)}" for key, value in items))
        budget.string(sum(map(len, pairs)))
        return [" ".join(pairs) + (" " if isinstance(array, AssociativeArray) else "")] if pairs else []

    return values


def _splits_at_blanks(shell: Shell) -> bool:
    separators = shell.separators()
    return not separators or " " in separators


def _choice(part: ParameterExpansion, base: Values, *, star: bool, quoted: bool) -> Choice:
    operator = part.operator
    word = compile_scalar(part.argument) if part.argument is not None else (lambda shell: "")  # noqa: ARG005
    null_counts = operator[0] == ":"

    def choose(shell: Shell) -> list[str] | None:
        found = base(shell)
        present = bool(found)
        if present and null_counts:
            present = bool(shell.star(found)) if star and quoted else len(found) > 1 or bool(found[0])
        if operator[-1] == "+":
            if present:
                return None
            return [""] if found and quoted else []
        if present:
            return found
        if operator[-1] == "?":
            default = "parameter null or not set" if null_counts else "parameter not set"
            label = part.name if part.subscript is None else f"{part.name}[{part.subscript.source}]"
            raise ExpansionError(f"{label}: {word(shell) or default}", 127, fatal=True)
        if operator[-1] == "=":
            if part.subscript is None:
                raise LineError(f"${part.name}: cannot assign in this way")
            if isinstance(array := shell.array(part.name), AssociativeArray):  # there, * and @ are keys
                shell.assign_element(part.name, part.subscript.source, word(shell))
                return [array.get(part.subscript.source) or ""]
            raise ExpansionError(f"{part.name}[{part.subscript.source}]: bad array subscript")
        return None

    return choose


def _slice(part: ParameterExpansion, base: Values) -> Values:
    """``${@:offset:length}`` and ``${a[@]:offset:length}``."""
    offset, length = compile_bounds(part)
    name = part.name

    def of_scalar(shell: Shell, found: list[str], start: int) -> list[str]:
        text = in_locale(shell, found[0]) if found else ""
        start += len(text) if start < 0 else 0
        if not found or not 0 <= start <= len(text):
            return []
        return [from_locale(text[start:] if length is None else cut_length(part, text, start, length(shell)))]

    def values(shell: Shell) -> list[str]:
        if name not in {"@", "*"} and not base(shell):
            return []
        start = offset(shell)
        smallest = 0
        if name in {"@", "*"}:
            found = [shell.invocation.name, *base(shell)]
            if start < 0:
                start += len(found)
        else:
            array = shell.array(name)
            if isinstance(array, IndexedArray):
                if start < 0:
                    start += array.next_index()
                if start < 0:
                    return []
                found = [value for index, value in zip(array.indices(), array.values(), strict=True) if index >= start]
                if not found:
                    return []
                start = 0
            elif array is None:
                return of_scalar(shell, base(shell), start)
            else:
                # Undocumented: GNU bash counts the values of an associative array from 1, and never takes none of them.
                found = ["", *base(shell)]
                if start < 0:
                    start += len(found)
                start += start == 0
                smallest = 1
                if start >= len(found):
                    return []  # whatever the length
        if start < 0 or start > len(found):
            return []
        count = None if length is None else length(shell)
        if count is not None and count < 0:
            raise LineError(f"{part.second.source if part.second else ''}: {NEGATIVE_LENGTH}")
        return found[start:] if count is None else found[start : start + max(count, smallest)]

    return values
