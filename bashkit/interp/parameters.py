"""Parameter expansion to closures (bash(1), Parameter Expansion)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.arithmetic import evaluate
from bashkit.interp.control import ExpansionError
from bashkit.interp.operators import compile_mapper
from bashkit.interp.store import NAME
from bashkit.interp.variables import NAMEREF, AssociativeArray, DynamicVariable, IndexedArray, Variable
from bashkit.syntax.nodes import ParameterExpansion, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.shell import Shell

    Scalar = Callable[[Shell], str]
    Maybe = Callable[[Shell], str | None]

ROOT_PID = 1000  # what $$ says; nothing of the host
_UNSET = " "  # a name that no variable has
_REFERENCE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?|([0-9]+|[@*#?$!-])", re.DOTALL)


@dataclass(slots=True, frozen=True)
class ListExpansion:
    """An expansion that makes a list: ``$@``, ``${a[@]}``, ``${!prefix@}`` …

    Attributes:
        values: Gives the list.
        star: Written with ``*``: inside double quotes it is one word.
    """

    values: Callable[[Shell], list[str]]
    star: bool


# ------------------------------------------------------------------------------------------------------------------ lists


@lru_cache(maxsize=4096)
def compile_list(part: ParameterExpansion) -> ListExpansion | None:
    """The list that ``part`` stands for, or None when it stands for one string."""
    if part.length:
        return None
    if part.listing:
        return ListExpansion(_names_with_prefix(part.name), part.listing == "*")
    mark = part.name if part.name in {"@", "*"} else part.subscript.literal if part.subscript is not None else None
    if mark not in {"@", "*"}:
        return None
    if part.name in {"@", "*"}:
        if part.indirect:
            return None
        base: Callable[[Shell], list[str]] = _positional
    elif part.indirect and not part.operator:
        return ListExpansion(_keys(part.name), mark == "*")
    elif part.indirect:
        return None
    else:
        base = _elements(part.name)
    return ListExpansion(_list_operator(part, base), mark == "*")


def _positional(shell: Shell) -> list[str]:
    return shell.positional


def _elements(name: str) -> Callable[[Shell], list[str]]:
    def values(shell: Shell) -> list[str]:
        array = shell.array(name)
        if array is not None:
            return array.values()
        value = shell.get(name)
        return [] if value is None else [value]

    return values


def _keys(name: str) -> Callable[[Shell], list[str]]:
    def values(shell: Shell) -> list[str]:
        array = shell.array(name)
        if array is not None:
            return array.keys()
        return [] if shell.get(name) is None else ["0"]

    return values


def _names_with_prefix(prefix: str) -> Callable[[Shell], list[str]]:
    def values(shell: Shell) -> list[str]:
        return sorted(name for name, value in shell.variables.items() if name.startswith(prefix) and is_set(shell, value))

    return values


def is_set(shell: Shell, value: object) -> bool:
    """Whether a stored variable has a value."""
    return not isinstance(value, Variable) or value.value is not None or value.scalar(shell) is not None or isinstance(value, DynamicVariable)


def _list_operator(part: ParameterExpansion, base: Callable[[Shell], list[str]]) -> Callable[[Shell], list[str]]:
    operator = part.operator
    if not operator:
        return base
    if operator == ":":
        return _slice(part, base)
    if operator in {"-", ":-", "+", ":+", "=", ":=", "?", ":?"}:
        return _list_default(part, base)
    if operator in {"@a", "@A", "@k", "@K"}:
        return _list_transform(part, base)
    mapper = compile_mapper(part)

    def mapped(shell: Shell) -> list[str]:
        apply = mapper(shell)
        return [apply(value) for value in base(shell)]

    return mapped


def _list_transform(part: ParameterExpansion, base: Callable[[Shell], list[str]]) -> Callable[[Shell], list[str]]:
    from bashkit.interp.declare import describe_variable
    from bashkit.interp.quoting import single_quote

    name, operator = part.name, part.operator

    def values(shell: Shell) -> list[str]:
        array = shell.array(name) if name not in {"@", "*"} else None
        variable = shell.find(name)
        if operator == "@a":
            letters = variable.letters() if isinstance(variable, Variable) else ""
            return [letters for _ in base(shell)]
        if operator == "@A":
            if name in {"@", "*"}:
                return ["set -- " + " ".join(single_quote(value) for value in base(shell))]
            return [] if variable is None else [describe_variable(shell, name)]
        if array is None:
            return [single_quote(value) for value in base(shell)] if operator == "@K" else list(base(shell))
        if operator == "@k":
            return [word for pair in array.items() for word in pair]
        from bashkit.interp.quoting import double_quote, key_quote

        return [" ".join(f"{key_quote(key)} {double_quote(value)}" for key, value in array.items())]

    return values


def _list_default(part: ParameterExpansion, base: Callable[[Shell], list[str]]) -> Callable[[Shell], list[str]]:
    from bashkit.interp.arguments import compile_words

    operator = part.operator
    star = part.name == "*" or (part.subscript is not None and part.subscript.literal == "*")
    otherwise = compile_words((part.argument,)) if part.argument is not None else (lambda shell: [])  # noqa: ARG005

    def values(shell: Shell) -> list[str]:
        found = base(shell)
        joined = shell.star(found) if star else " ".join(found)
        present = bool(found) and (operator[0] != ":" or bool(joined))
        if operator[-1] == "+":
            return otherwise(shell) if present else []
        if present:
            return found
        if operator[-1] == "?":
            raise ExpansionError(f"{part.name}: {' '.join(otherwise(shell)) or 'parameter null or not set'}", 127, fatal=True)
        return otherwise(shell)

    return values


def _slice(part: ParameterExpansion, base: Callable[[Shell], list[str]]) -> Callable[[Shell], list[str]]:
    """``${@:offset:length}`` and ``${a[@]:offset:length}``."""
    offset, length = _bounds(part)
    name = part.name

    def values(shell: Shell) -> list[str]:
        start = offset(shell)
        if name in {"@", "*"}:
            found = [shell.name, *base(shell)]
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
                start = 0
            else:
                found = base(shell)
                if start < 0:
                    start += len(found)
        if start < 0 or start > len(found):
            return []
        count = None if length is None else length(shell)
        if count is not None and count < 0:
            raise ExpansionError(f"{part.second.source if part.second else ''}: substring expression < 0")
        return found[start:] if count is None else found[start : start + count]

    return values


def _bounds(part: ParameterExpansion) -> tuple[Callable[[Shell], int], Callable[[Shell], int] | None]:
    from bashkit.interp.expansion import compile_arithmetic

    assert part.argument is not None
    return compile_arithmetic(part.argument), None if part.second is None else compile_arithmetic(part.second)


# ---------------------------------------------------------------------------------------------------------------- scalars


def compile_fetch(name: str, subscript: Word | None) -> Maybe:
    """The closure for a parameter's value; None when it is unset."""
    if subscript is not None:
        return _fetch_element(name, subscript)
    if name.isdigit():
        return _fetch_positional(int(name))
    special = _SPECIAL.get(name)
    if special is not None:
        return special

    def fetch(shell: Shell) -> str | None:
        value = shell.variables.get(name)
        if value is None or value.__class__ is str:
            return value
        return shell.get(name)

    return fetch


def _fetch_positional(index: int) -> Maybe:
    if index == 0:
        return lambda shell: shell.name
    before = index - 1

    def fetch(shell: Shell) -> str | None:
        positional = shell.positional
        return positional[before] if before < len(positional) else None

    return fetch


def _fetch_element(name: str, subscript: Word) -> Maybe:
    from bashkit.interp.expansion import compile_scalar

    literal = subscript.literal
    if literal in {"@", "*"}:
        values = _elements(name)

        def joined(shell: Shell) -> str | None:
            found = values(shell)
            return (shell.star(found) if literal == "*" else " ".join(found)) if found else None

        return joined
    if literal is not None and literal.isdecimal():
        index = int(literal)

        def fixed(shell: Shell) -> str | None:
            variable = shell.variables.get(name)
            if isinstance(variable, Variable) and isinstance(variable.value, IndexedArray):
                return variable.value.get(index)
            return shell.get_element(name, literal)

        return fixed
    text = compile_scalar(subscript)

    def fetch(shell: Shell) -> str | None:
        key = text(shell)
        if not key:
            raise ExpansionError(f"{name}: bad array subscript")
        return shell.get_element(name, key)

    return fetch


_SPECIAL: dict[str, Maybe] = {
    "#": lambda shell: str(len(shell.positional)),
    "?": lambda shell: str(shell.status),
    "$": lambda shell: str(ROOT_PID),  # noqa: ARG005 - a Maybe
    "!": lambda shell: str(shell.last_background) if shell.last_background else None,
    "-": lambda shell: shell.option_letters(),
    "@": lambda shell: " ".join(shell.positional) if shell.positional else None,
    "*": lambda shell: shell.star(shell.positional) if shell.positional else None,
}


def _label(part: ParameterExpansion) -> str:
    return part.name if part.subscript is None else f"{part.name}[{part.subscript.source}]"


@lru_cache(maxsize=4096)
def compile_parameter(part: ParameterExpansion) -> Scalar:
    """The closure for an expansion that becomes one string."""
    if part.operator == "bad":
        source = part.source

        def bad(shell: Shell) -> str:  # noqa: ARG001 - a Scalar
            raise ExpansionError(f"{source}: bad substitution")

        return bad
    if part.length:
        return _compile_length(part)
    if part.indirect:
        return _compile_indirect(part)
    fetch = compile_fetch(part.name, part.subscript)
    label = _label(part)
    if not part.operator:
        return _plain(fetch, label)
    return _operated(part, fetch, label)


def _plain(fetch: Maybe, label: str) -> Scalar:
    exempt = label in {"@", "*"} or label.endswith(("[@]", "[*]"))

    def plain(shell: Shell) -> str:
        value = fetch(shell)
        if value is None:
            if shell.nounset and not exempt:
                raise ExpansionError(f"{label}: unbound variable", 127, fatal=True)
            return ""
        return value

    return plain


def compile_choice(part: ParameterExpansion) -> Maybe:
    """For ``-`` and ``+``: the string to use, or None to use the operator's word."""
    fetch = compile_fetch(part.name, part.subscript)
    if part.length:
        fetch = _compile_length(part)
    null_counts = part.operator[0] == ":"
    if part.operator[-1] == "+":

        def alternative(shell: Shell) -> str | None:
            value = fetch(shell)
            return "" if value is None or (null_counts and not value) else None

        return alternative

    def default(shell: Shell) -> str | None:
        value = fetch(shell)
        return None if null_counts and not value else value

    return default


def _operated(part: ParameterExpansion, fetch: Maybe, label: str) -> Scalar:
    from bashkit.interp.expansion import compile_scalar

    operator = part.operator
    if operator in {"-", ":-", "+", ":+"}:
        choose = compile_choice(part)
        word = compile_scalar(part.argument) if part.argument is not None else (lambda shell: "")  # noqa: ARG005

        def pick(shell: Shell) -> str:
            value = choose(shell)
            return word(shell) if value is None else value

        return pick
    if operator in {"=", ":="}:
        return _assigning(part, fetch)
    if operator in {"?", ":?"}:
        return _demanding(part, fetch, label)
    if operator == ":":
        return _substring(part, _plain(fetch, label))
    if operator in {"@a", "@A", "@k", "@K"}:
        return _describing(part, fetch)
    plain = _plain(fetch, label)
    mapper = compile_mapper(part)
    unset_is_empty = operator.startswith("@")

    def mapped(shell: Shell) -> str:
        if unset_is_empty and fetch(shell) is None:
            return plain(shell)
        value = plain(shell)
        return mapper(shell)(value)

    return mapped


def _assigning(part: ParameterExpansion, fetch: Maybe) -> Scalar:
    from bashkit.interp.expansion import compile_scalar

    null_counts = part.operator[0] == ":"
    word = compile_scalar(part.argument) if part.argument is not None else (lambda shell: "")  # noqa: ARG005
    subscript = compile_scalar(part.subscript) if part.subscript is not None else None
    name = part.name

    def assign(shell: Shell) -> str:
        value = fetch(shell)
        if value is not None and not (null_counts and not value):
            return value
        if not (name[0].isalpha() or name[0] == "_"):
            raise ExpansionError(f"${name}: cannot assign in this way")
        value = word(shell)
        if subscript is None:
            shell.assign(name, value)
        else:
            shell.assign_element(name, subscript(shell), value)
        return fetch(shell) or ""

    return assign


def _demanding(part: ParameterExpansion, fetch: Maybe, label: str) -> Scalar:
    from bashkit.interp.expansion import compile_scalar

    null_counts = part.operator[0] == ":"
    word = compile_scalar(part.argument) if part.argument is not None and part.argument.parts else None

    def demand(shell: Shell) -> str:
        value = fetch(shell)
        if value is None or (null_counts and not value):
            default = "parameter null or not set" if null_counts else "parameter not set"
            raise ExpansionError(f"{label}: {word(shell) if word else default}", 127, fatal=True)
        return value

    return demand


def _substring(part: ParameterExpansion, plain: Scalar) -> Scalar:
    offset, length = _bounds(part)

    def substring(shell: Shell) -> str:
        value = plain(shell)
        start = offset(shell)
        size = len(value)
        if start < 0:
            start += size
            if start < 0:
                return ""
        if length is None or start > size:
            return value[start:]
        count = length(shell)
        if count >= 0:
            return value[start : start + count]
        end = size + count
        if end < start:
            raise ExpansionError(f"{part.second.source if part.second else ''}: substring expression < 0")
        return value[start:end]

    return substring


def _describing(part: ParameterExpansion, fetch: Maybe) -> Scalar:
    """``${x@a}`` and ``${x@A}``, ``${x@k}`` and ``${x@K}`` of a scalar."""
    from bashkit.interp.declare import describe_variable
    from bashkit.interp.quoting import single_quote

    name, operator = part.name, part.operator

    def describe(shell: Shell) -> str:
        variable = shell.find(name)
        if operator == "@a":
            return variable.letters() if isinstance(variable, Variable) else ""
        if operator == "@A":
            if variable is None:
                return ""
            if isinstance(variable, str):
                return f"{name}={single_quote(variable)}"
            return describe_variable(shell, name, transform=True)
        value = fetch(shell)
        return "" if value is None else single_quote(value)

    return describe


def _compile_length(part: ParameterExpansion) -> Scalar:
    name, subscript = part.name, part.subscript
    if name in {"@", "*"}:
        return lambda shell: str(len(shell.positional))
    if subscript is not None and subscript.literal in {"@", "*"}:

        def count(shell: Shell) -> str:
            array = shell.array(name)
            if array is not None:
                return str(len(array))
            return "0" if shell.get(name) is None else "1"

        return count
    plain = _plain(compile_fetch(name, subscript), _label(part))
    return lambda shell: str(len(plain(shell)))


# --------------------------------------------------------------------------------------------------------------- indirect


@lru_cache(maxsize=1024)
def _parse_reference(text: str) -> ParameterExpansion | None:
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    if match.group(3) is not None:
        return ParameterExpansion(match.group(3))
    if match.group(2) is None:
        return ParameterExpansion(match.group(1))
    from bashkit.syntax import Parser

    try:
        return ParameterExpansion(match.group(1), Parser("[" + match.group(2) + "]").read_subscript())
    except ScriptSyntaxError:
        return None


def _target(shell: Shell, part: ParameterExpansion) -> ParameterExpansion | None:
    """What ``${!name}`` refers to; None when it is a nameref, which gives its name."""
    variable = shell.variables.get(part.name) if part.subscript is None else None
    if isinstance(variable, Variable) and variable.flags & NAMEREF:
        return None
    value = compile_fetch(part.name, part.subscript)(shell)
    if value is None:
        if shell.nounset:
            raise ExpansionError(f"!{_label(part)}: unbound variable", 127, fatal=True)
        if part.subscript is None and NAME.fullmatch(part.name) and shell.array(part.name) is None:
            raise ExpansionError(f"{_label(part)}: invalid indirect expansion")
        return ParameterExpansion(_UNSET)
    found = _parse_reference(value)
    if found is None:
        raise ExpansionError(f"{value}: invalid variable name")
    return found


def _redirected(target: ParameterExpansion, part: ParameterExpansion) -> ParameterExpansion:
    return ParameterExpansion(target.name, target.subscript, part.operator, part.argument, part.second, source=part.source)


def _compile_indirect(part: ParameterExpansion) -> Scalar:
    def expand(shell: Shell) -> str:
        target = _target(shell, part)
        if target is None:
            variable = shell.variables.get(part.name)
            assert isinstance(variable, Variable)
            reference = variable.value if isinstance(variable.value, str) else ""
            if part.operator:
                mapper = compile_mapper(part)
                return mapper(shell)(reference)
            return reference
        final = _redirected(target, part)
        listed = compile_list(final)
        if listed is not None:
            values = listed.values(shell)
            return shell.star(values) if listed.star else " ".join(values)
        return compile_parameter(final)(shell)

    return expand


def indirect_list(shell: Shell, part: ParameterExpansion) -> list[str] | None:
    """The values when ``${!name}`` refers to a list written with ``@``, else None."""
    target = _target(shell, part)
    if target is None:
        return None
    listed = compile_list(_redirected(target, part))
    return None if listed is None or listed.star else listed.values(shell)


def expand_subscript(shell: Shell, text: str) -> str:
    """A subscript that came as text: quotes are removed and expansions done, as bash does when it evaluates it."""
    if not any(character in text for character in "'\"\\$`"):
        return text
    from bashkit.interp.expansion import compile_scalar
    from bashkit.syntax import Parser

    try:
        word = Parser("[" + text + "]").read_subscript()
    except ScriptSyntaxError:
        return text
    return compile_scalar(word)(shell)


def element_exists(shell: Shell, name: str, subscript: str | None) -> bool:
    """``[[ -v name[subscript] ]]``"""
    if subscript is None:
        return shell.get(name) is not None
    array = shell.array(name)
    if subscript in {"@", "*"}:
        return bool(array) if array is not None else shell.get(name) is not None
    if isinstance(array, AssociativeArray):
        return array.get(subscript) is not None
    index = evaluate(shell, subscript)
    if array is None:
        return index == 0 and shell.get(name) is not None
    return array.get(index) is not None
