"""Parameter expansion to closures (bash(1), Parameter Expansion)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.arithmetic_words import compile_bounds, cut_length
from bashkit.interp.expand.lists import elements_of
from bashkit.interp.expand.operators import compile_mapper
from bashkit.interp.expand.words import compile_argument, compile_scalar, compile_subscript, length_of
from bashkit.interp.runtime.control import ExpansionError, LineError
from bashkit.interp.state.description import describe_attributes, describe_variable, letters_of
from bashkit.interp.state.locales import from_locale, in_locale
from bashkit.interp.state.quoting import single_quote
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.variables import NAMEREF, AssociativeArray, IndexedArray, Variable
from bashkit.regex.cache import for_short
from bashkit.syntax import Parser
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import ParameterExpansion, Word

    Scalar = Callable[[Shell], str]
    Maybe = Callable[[Shell], str | None]

# ---------------------------------------------------------------------------------------------------------------- scalars


def compile_fetch(name: str, subscript: Word | None) -> Maybe:
    """The closure for a parameter's value; None when it is unset."""
    if subscript is not None:
        return _fetch_element(name, subscript)
    if is_digits(name):
        return _fetch_positional(whole_number(name))
    special = _SPECIAL.get(name)
    if special is not None:
        return special

    def fetch(shell: Shell) -> str | None:
        value = shell.variables.get(name)
        if value is None or value.__class__ is str:
            return value  # pyright: ignore[reportReturnType]  # narrowed by __class__
        return shell.get(name)

    return fetch


def _fetch_positional(index: int) -> Maybe:
    if index == 0:
        return lambda shell: shell.invocation.name
    before = index - 1

    def fetch(shell: Shell) -> str | None:
        positional = shell.positional
        return positional[before] if before < len(positional) else None

    return fetch


def _fetch_element(name: str, subscript: Word) -> Maybe:
    literal = subscript.literal
    if literal in {"@", "*"}:
        values = elements_of(name)

        def joined(shell: Shell) -> str | None:
            found = values(shell)
            return (shell.star(found) if literal == "*" else " ".join(found)) if found else None

        return joined
    if literal is not None and is_digits(literal) and (literal[0] != "0" or literal == "0"):
        index = whole_number(literal)

        def fixed(shell: Shell) -> str | None:
            variable = shell.variables.get(name)
            if isinstance(variable, Variable) and isinstance(variable.value, IndexedArray):
                return variable.value.get(index)
            return shell.get_element(name, literal)

        return fixed
    text = compile_subscript(name, subscript)

    def fetch(shell: Shell) -> str | None:
        key = text(shell) or (shell.empty_subscript(name) if subscript.source else "")
        if not key:
            if not subscript.source:
                raise ExpansionError(f"{name}: bad array subscript")
            shell.complain_of_variable(f"{name}: bad array subscript")
            return None
        return shell.get_element(name, key)

    return fetch


_SPECIAL: dict[str, Maybe] = {
    "#": lambda shell: str(len(shell.positional)),
    "?": lambda shell: str(shell.status),
    "$": lambda shell: str(shell.invocation.process_id),
    "!": lambda shell: str(shell.jobs.last) if shell.jobs.last else None,
    "-": lambda shell: shell.invocation.letters(shell.options),
    "@": lambda shell: " ".join(shell.positional) if shell.positional else None,
    "*": lambda shell: shell.star(shell.positional) if shell.positional else None,
}


def label_of(part: ParameterExpansion) -> str:
    """The parameter as messages name it."""
    return part.name if part.subscript is None else f"{part.name}[{part.subscript.source}]"


@for_short(4096, length_of)
def compile_parameter(part: ParameterExpansion, context: str = "", *, quoted: bool = False) -> Scalar:
    """The closure for an expansion that becomes one string; for the arguments see ``scalar_part``."""
    if part.operator == "bad":
        return _bad(part)
    if part.subscript is not None and not part.subscript.source:
        return _without_subscript(part)
    if part.length:
        return _compile_length(part)
    fetch = compile_fetch(part.name, part.subscript)
    label = label_of(part)
    if not part.operator:
        return _plain(fetch, label if NAME.fullmatch(part.name) or part.source.startswith("${") else "$" + label)
    if part.operator in {"-", ":-", "+", ":+", "=", ":="}:
        word = compile_argument(part.argument, "value" if part.operator[-1] == "=" and not context else context, quoted=quoted)
        return _assigning(part, fetch, word) if part.operator[-1] == "=" else _choosing(part, word)
    return _operated(part, fetch, label)


def _without_subscript(part: ParameterExpansion) -> Scalar:
    def bad(shell: Shell) -> str:  # noqa: ARG001 - an expansion
        raise ExpansionError(f"{part.source}: bad substitution")

    return bad


def complaint_of(part: ParameterExpansion) -> str:
    """What is said of a malformed expansion."""
    return part.argument.source if part.argument is not None else f"{part.source}: bad substitution"


def _bad(part: ParameterExpansion) -> Scalar:
    """A malformed expansion; an unknown transformation ends the shell, but most only where there is something to transform."""
    fetch = compile_fetch(part.name, part.subscript) if part.name else None
    unset = _unset(label_of(part))
    any_value = part.second is not None and part.second.source in {"@a", "@A"}  # what begins as these needs none
    message = complaint_of(part)

    def bad(shell: Shell) -> str:
        if fetch is not None and fetch(shell) is None:
            if part.indirect:
                raise LineError(f"{part.name}: invalid indirect expansion")
            if shell.options.nounset or not any_value:
                return unset(shell)
        raise ExpansionError(message, 127 if fetch else 1, fatal=fetch is not None)

    return bad


def _plain(fetch: Maybe, label: str) -> Scalar:
    unset = _unset(label)

    def plain(shell: Shell) -> str:
        value = fetch(shell)
        return unset(shell) if value is None else value

    return plain


def _unset(label: str) -> Scalar:
    """What the expansion of an unset parameter gives: nothing, or the error of ``set -u``."""
    exempt = label in {"@", "*", "$@", "$*"} or label.endswith(("[@]", "[*]"))

    def unset(shell: Shell) -> str:
        if shell.options.nounset and not exempt:
            raise ExpansionError(f"{label}: unbound variable", 127, fatal=True)
        return ""

    return unset


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


def _choosing(part: ParameterExpansion, word: Scalar) -> Scalar:
    choose = compile_choice(part)

    def pick(shell: Shell) -> str:
        value = choose(shell)
        return word(shell) if value is None else value

    return pick


def _operated(part: ParameterExpansion, fetch: Maybe, label: str) -> Scalar:
    operator = part.operator
    if operator in {"?", ":?"}:
        return _demanding(part, fetch, label)
    if operator == ":":
        return compile_substring(part, fetch, _unset(label))
    if operator in {"@a", "@A", "@k", "@K"}:
        return _describing(part, fetch)
    unset = _unset(label)
    mapper = compile_mapper(part)
    removes = operator in {"#", "##", "%", "%%"}

    def mapped(shell: Shell) -> str:
        value = fetch(shell)
        if value is None:  # a pattern that matches nothing matches an empty value, and none that is unset
            return unset(shell)
        if removes and not value:  # the pattern is not expanded
            return value
        return mapper(shell)(value)

    return mapped


def _assigning(part: ParameterExpansion, fetch: Maybe, word: Scalar) -> Scalar:
    null_counts = part.operator[0] == ":"
    subscript = compile_subscript(part.name, part.subscript) if part.subscript is not None else None
    name = part.name
    written = part.subscript.source if part.subscript is not None else None

    def assign(shell: Shell) -> str:
        value = fetch(shell)
        if value is not None and not (null_counts and not value):
            return value
        if not (name[0].isalpha() or name[0] == "_"):
            raise LineError(f"${name}: cannot assign in this way")
        value = word(shell)
        if subscript is None:
            shell.assign(name, value)
        else:
            shell.assign_element(name, subscript(shell) or shell.empty_subscript(name), value, written=written)
        return fetch(shell) or ""

    return assign


def _demanding(part: ParameterExpansion, fetch: Maybe, label: str) -> Scalar:
    null_counts = part.operator[0] == ":"
    word = compile_scalar(part.argument) if part.argument is not None and part.argument.parts else None

    def demand(shell: Shell) -> str:
        value = fetch(shell)
        if value is None or (null_counts and not value):
            default = "parameter null or not set" if null_counts else "parameter not set"
            raise ExpansionError(f"{label}: {word(shell) if word else default}", 127, fatal=True)
        return value

    return demand


def compile_substring(part: ParameterExpansion, fetch: Maybe, unset: Scalar) -> Scalar:
    """The closure for ``${name:offset:length}`` of what ``fetch`` gives; ``unset`` is for where that is None."""
    offset, length = compile_bounds(part)

    def substring(shell: Shell) -> str:
        value = fetch(shell)
        if value is None:
            return unset(shell)
        if not value.isascii():
            return from_locale(cut(shell, in_locale(shell, value)))
        return cut(shell, value)

    def cut(shell: Shell, value: str) -> str:
        start = offset(shell)
        size = len(value)
        if start < 0:
            start += size
            if start < 0:
                return ""
        if length is None or start > size:
            return value[start:]
        return cut_length(part, value, start, length(shell))

    return substring


def _describing(part: ParameterExpansion, fetch: Maybe) -> Scalar:
    """``${x@a}`` and ``${x@A}``, ``${x@k}`` and ``${x@K}`` of a scalar."""
    name, operator = part.name, part.operator
    unset = _unset(label_of(part))

    def describe(shell: Shell) -> str:
        variable = shell.find(name)
        value = fetch(shell)
        if value is None and (part.subscript is not None or operator in {"@k", "@K"} or not shell.array(name)):
            unset(shell)
        if isinstance(variable, Variable) and variable.flags & NAMEREF:
            variable = None  # a reference without a target
        if operator == "@a":
            return letters_of(shell, variable) if variable is not None else ""
        if operator == "@A":
            if variable is None:
                return ""
            if value is None:
                return describe_attributes(shell, name)
            return describe_variable(shell, name, transform=True, value=value)
        return "" if value is None else single_quote(in_locale(shell, value), shell.budget)

    return describe


def _compile_length(part: ParameterExpansion) -> Scalar:
    name, subscript = part.name, part.subscript
    if name in {"@", "*"}:
        return lambda shell: str(len(shell.positional))
    if subscript is not None and subscript.literal in {"@", "*"}:

        def count(shell: Shell) -> str:
            array = shell.array(name)
            if array:
                return str(len(array))
            if shell.options.nounset and (array is None or array.declared):  # a variable that is no array, too
                raise LineError(f"{name}: unbound variable")
            return "1" if shell.get(name) is not None and not shell.refers_to_element(name) else "0"

        return count
    fetch = compile_fetch(name, subscript)
    if subscript is not None:
        return _element_length(name, fetch, subscript)
    plain = _plain(fetch, "@" if name == "!" else name)  # undocumented: `$!` has a length before there is one

    def length(shell: Shell) -> str:
        variable = shell.variables.get(name)
        if variable.__class__ is Variable and shell.refers_to_element(name):
            return "0"
        return str(len(in_locale(shell, plain(shell))))

    return length


def _element_length(name: str, fetch: Maybe, subscript: Word) -> Scalar:
    written = subscript.literal or ""
    key = compile_subscript(name, subscript)
    back = whole_number(written) if written[:1] == "-" and is_digits(written[1:]) else 0

    def length(shell: Shell) -> str:
        if not shell.has_array(name) and shell.get(name) is None:  # the subscript is not evaluated
            if shell.options.nounset:
                raise LineError(f"{name}: unbound variable")
            return "0"
        if back:
            array = shell.array(name)
            if array is None or (isinstance(array, IndexedArray) and array.resolve(back) < 0):
                raise ExpansionError(f"{written}]: bad array subscript")
        elif not written and isinstance(array := shell.array(name), AssociativeArray) and not key(shell):
            if not array:
                return "0"
            raise ExpansionError(f"{subscript.source}]: bad array subscript")
        value = fetch(shell)
        if shell.options.nounset and not shell.has_array(name):  # a variable that is no array, too
            raise LineError(f"{name}: unbound variable")
        return str(len(in_locale(shell, value or "")))

    return length


def expand_subscript(shell: Shell, name: str, text: str) -> str:
    """A subscript of ``name`` that came as text: a key without its quotes, or an expression; expansions in it are done."""
    if not any(character in text for character in "'\"\\$`"):
        return text
    keyed = isinstance(shell.array(name), AssociativeArray)
    try:
        parser = Parser("[" + text + "]")
        parser.on_progress = shell.budget.tick
        word = parser.read_subscript() if keyed else parser.read_expression(text, 0)
    except ScriptSyntaxError:
        return text
    return compile_scalar(word, tilde=False)(shell) or ("" if keyed else "0")


def element_exists(shell: Shell, name: str, subscript: str | None) -> bool:
    """``[[ -v name[subscript] ]]``"""
    if subscript is None:
        return shell.get(name) is not None
    array = shell.array(name)
    if isinstance(array, AssociativeArray):
        return array.get(subscript) is not None
    if subscript in {"@", "*"}:
        return bool(array) if array is not None else shell.get(name) is not None
    index = shell.number(subscript)
    if index < 0 and (array is None or array.resolve(index) < 0):
        shell.warn(f"{name}: bad array subscript")
        return False
    if array is None:
        return index == 0 and shell.get(name) is not None
    return array.get(index) is not None
