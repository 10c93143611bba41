"""Indirect expansion: ``${!name}`` with and without an operator (bash(1), Parameter Expansion)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.interp.expand.lists import DEFAULTS, compile_list
from bashkit.interp.expand.operators import compile_mapper
from bashkit.interp.expand.parameters import compile_fetch, compile_substring, complaint_of, label_of
from bashkit.interp.expand.words import compile_argument, scalar_part
from bashkit.interp.runtime.control import ExpansionError, LineError
from bashkit.interp.state.quoting import single_quote
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.variables import NAMEREF, Variable
from bashkit.regex.cache import for_short_texts
from bashkit.syntax import Parser
from bashkit.syntax.nodes import ParameterExpansion

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.state.shell import Shell

    Scalar = Callable[[Shell], str]

_WHERE_UNSET = frozenset(["-", ":-", "=", ":=", "?", ":?"])  # what these do, they do where there is no value
_UNSET = " "  # a name that no variable has
_REFERENCE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?|([0-9]+|[@*#?$!-])", re.DOTALL)


@for_short_texts(1024)
def _parse_reference(text: str) -> ParameterExpansion | None:
    match = _REFERENCE.fullmatch(text)
    if match is None:
        return None
    if match.group(3) is not None:
        return ParameterExpansion(match.group(3))
    if match.group(2) is None:
        return ParameterExpansion(match.group(1))
    parser = Parser("[" + match.group(2) + "]")
    try:
        subscript = parser.read_subscript()
    except ScriptSyntaxError:
        return None
    return ParameterExpansion(match.group(1), subscript) if subscript.source and not parser.peek() else None


def _target(shell: Shell, part: ParameterExpansion) -> ParameterExpansion | None:
    variable = shell.variables.get(part.name) if part.subscript is None else None
    if isinstance(variable, Variable) and variable.flags & NAMEREF:
        if not variable.value or _is_circular(shell, part.name):
            raise LineError(f"{part.name}: invalid indirect expansion")
        return None
    value = compile_fetch(part.name, part.subscript)(shell)
    if value is None:
        return _of_nothing(shell, part)
    found = _parse_reference(value)
    if found is None:
        raise LineError(f"{value}: invalid variable name")
    return found


def _of_nothing(shell: Shell, part: ParameterExpansion) -> ParameterExpansion:
    """What an expansion refers to by a parameter that is not set: to nothing, where the operator asks for that."""
    of_element = part.subscript is not None
    if of_element and part.name not in shell.variables:
        raise LineError(f"{label_of(part)}: invalid indirect expansion")
    if of_element and part.operator in DEFAULTS:
        if part.operator.endswith("="):
            raise LineError(f"!{label_of(part)}: invalid indirect expansion")
        return ParameterExpansion(_UNSET)
    unknown = not of_element and part.name not in shell.variables and NAME.fullmatch(part.name) is not None
    if part.operator in {"=", ":="} and not unknown:
        raise LineError(f"!{label_of(part)}: invalid indirect expansion")
    if shell.options.nounset and part.operator not in DEFAULTS and not unknown:
        raise ExpansionError(f"!{label_of(part)}: unbound variable", 127, fatal=True)
    if unknown:
        raise LineError(f"{label_of(part)}: invalid indirect expansion")
    return ParameterExpansion(_UNSET)


def _is_circular(shell: Shell, name: str) -> bool:
    try:
        shell.resolve(name)
    except ExpansionError as error:
        shell.warn(error.message)
        return True
    return False


def referred(shell: Shell, part: ParameterExpansion) -> ParameterExpansion | None:
    """The expansion that ``${!name…}`` stands for, the operator included; None when ``name`` is a nameref, which gives its name.

    Raises:
        ExpansionError: What it holds names no parameter.
    """
    target = _target(shell, part)
    if target is None:
        return None
    final = ParameterExpansion(target.name, target.subscript, part.operator, part.argument, part.second, source=part.source)
    if part.operator in DEFAULTS and part.operator[0] == ":" and compile_list(final) is not None:
        return ParameterExpansion(
            target.name, target.subscript, part.operator[1:], part.argument, source=part.source
        )  # bash looks no further
    return final


def compile_indirect(part: ParameterExpansion, context: str = "", *, quoted: bool = False) -> Scalar:
    """The closure for an indirect expansion that becomes one string."""

    def expand(shell: Shell) -> str:
        final = referred(shell, part)
        if final is None:
            return reference_of(shell, part)
        try:
            return scalar_part(final, context, quoted=quoted)(shell)
        except ExpansionError as error:
            name_indirectly(error, final, part)
            raise

    return expand


def name_indirectly(error: ExpansionError, final: ParameterExpansion, part: ParameterExpansion) -> None:
    """Let the message of an unset parameter name the ``!name`` that refers to it."""
    label = label_of(final)
    demanded = part.operator in {"?", ":?"} and error.message.startswith(f"{label}: ")
    if error.message == f"{label}: unbound variable" or demanded or final.name == _UNSET:
        error.message = f"!{label_of(part)}{error.message.removeprefix(label)}"


def reference_of(shell: Shell, part: ParameterExpansion) -> str:
    """``${!name}`` of a nameref: the name that it refers to; operators take the value of an array or element in its place."""
    reference = shell.resolve(part.name)
    if not part.operator or part.operator in _WHERE_UNSET:
        return reference
    if part.operator in {"+", ":+"}:
        return compile_argument(part.argument, "", quoted=False)(shell)
    if part.operator == "bad":
        raise ExpansionError(complaint_of(part), 127, fatal=True)
    if "[" in reference or shell.array(reference) is not None:
        text = shell.get(reference) if "[" not in reference else shell.get(part.name)
        reference, text = reference.partition("[")[0], text or ""
    else:
        text = reference
    if part.operator in {"@A", "@a"}:
        return _described(shell, part.operator, reference, text)
    if part.operator in {"@k", "@K"}:
        return single_quote(text, shell.budget)
    if part.operator == ":":
        return compile_substring(part, lambda shell: text, lambda shell: "")(shell)  # noqa: ARG005
    return compile_mapper(part)(shell)(text)


def _described(shell: Shell, operator: str, name: str, text: str) -> str:
    """``@A`` and ``@a`` of a nameref: the attributes of what it refers to."""
    variable = shell.variables.get(name)
    letters = variable.letters() if isinstance(variable, Variable) else ""
    if operator == "@a":
        return letters
    return (f"declare -{letters} " if letters else "") + f"{name}={single_quote(text, shell.budget)}"
