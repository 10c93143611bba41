"""Builtins about variables: declare, local, export, readonly, unset, let, shift."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.declaring import declare_names
from bashkit.builtins.functions import mark_functions
from bashkit.builtins.references import is_element
from bashkit.builtins.registry import assign_lists, builtin, is_number, offer_help, refuse_arguments
from bashkit.builtins.usual_locals import declare_locals
from bashkit.interp.arithmetic.evaluator import evaluate
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.assignments import ArrayArgument, ElementArgument
from bashkit.interp.runtime.control import ExpansionError
from bashkit.interp.state.assignment_errors import CircularReferenceError, ReadonlyError
from bashkit.interp.state.description import describe_variable, letters_of, names
from bashkit.interp.state.variables import (
    EXPORT,
    NAMEREF,
    READONLY,
    AssociativeArray,
    DynamicVariable,
    Variable,
)
from bashkit.limits import Words, paced_if_many

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.calls import Call
    from bashkit.interp.state.shell import Shell

_UNSET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?", re.DOTALL)
_DECLARE_OPTIONS = "aAfFgiIlnrtuxpc"


def _local_plainly(shell: Shell, arguments: list[str]) -> int | None:
    """Declare local variables in the usual way; None leaves everything to the general one."""
    return declare_locals(shell, arguments) if shell.scopes else _refuse_local(shell, arguments)


def _declare_plainly(shell: Shell, arguments: list[str]) -> int | None:
    """The same for ``declare`` in a function."""
    return declare_locals(shell, arguments) if shell.scopes else None


@builtin(
    "declare",
    usage="[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
    summary="Set variable values and attributes.",
    scoped=True,
    options=_DECLARE_OPTIONS,
    signed=True,
    named=True,
    plain=_declare_plainly,
)
@builtin(
    "typeset",
    usage="[-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
    summary="Set variable values and attributes.",
    scoped=True,
    options=_DECLARE_OPTIONS,
    signed=True,
    named=True,
    plain=_declare_plainly,
)
def declare(shell: Shell, name: str, options: Options, words: list[str]) -> int:
    """Declare variables; inside a function they are local unless ``-g`` says otherwise."""
    return declare_names(shell, name, options, words, local=bool(shell.scopes) and ("g", "") not in options)


def _refuse_local(shell: Shell, arguments: list[str]) -> int:
    """``local`` outside of a function."""
    offer_help(shell, "local", "".join(arguments[1:2]))
    shell.complain("local", "can only be used in a function")
    assign_lists(shell, arguments)
    return 1


@builtin(
    "local",
    usage="[option] name[=value] ...",
    summary="Define local variables.",
    scoped=True,
    options=_DECLARE_OPTIONS,
    signed=True,
    plain=_local_plainly,
)
def local(shell: Shell, options: Options, words: list[str]) -> int:
    """Declare variables of the running function."""
    if "-" in words:
        call = _running_function(shell)
        call.options = shell.options
        words = [word for word in words if word != "-"]
        if not words:
            return 0
    if not words and all(letter == "p" for letter, _ in options):
        if _running_function(shell).options is not None:
            shell.write("local -\n")
        for name in sorted(shell.scopes[-1]):
            if name in shell.variables:
                shell.write(describe_variable(shell, name) + "\n")
        return 0
    return declare_names(shell, "local", options, words, local=True)


def _running_function(shell: Shell) -> Call:
    return next(call for call in reversed(shell.calls) if call.is_function)


@builtin(
    "export",
    usage="[-fn] [name[=value] ...] or export -p",
    summary="Set export attribute for shell variables.",
    special=True,
    scoped=True,
    options="aAfnp",
)
def export(shell: Shell, options: Options, words: list[str]) -> int:
    """Mark names for export."""
    return _mark(shell, "export", options, words, "x")


@builtin(
    "readonly",
    usage="[-aAf] [name[=value] ...] or readonly -p",
    summary="Mark shell variables as unchangeable.",
    special=True,
    scoped=True,
    options="aAfnp",
)
def readonly(shell: Shell, options: Options, words: list[str]) -> int:
    """Mark names as readonly."""
    return _mark(shell, "readonly", options, words, "r")


def _mark(shell: Shell, name: str, options: Options, words: list[str], attribute: str) -> int:
    given = {letter for letter, _ in options}
    if "f" in given:
        assign_lists(shell, words)
        words = [word.name if isinstance(word, ArrayArgument) else word for word in words]
        return mark_functions(shell, name, words, attribute, remove="n" in given)
    if not words:
        wanted = EXPORT if attribute == "x" else READONLY
        kinds = given & {"a", "A"}
        for variable_name in paced_if_many(names(shell)):
            variable = shell.variables.get(variable_name)
            if variable is None or not kinds <= set(letters_of(shell, variable)):
                continue
            if isinstance(variable, Variable) and variable.flags & wanted:
                line = describe_variable(shell, variable_name)
                shell.write((_posix_line(name, line) if shell.options.posix else line) + "\n")
        return 0
    sign = "+" if "n" in given else ""
    found = [(attribute, sign), *((letter, "") for letter in given if letter in "aA")]
    if attribute == "r" or len(found) == 1:
        return declare_names(shell, name, found, words, local=False)
    arrays = [word for word in words if isinstance(word, ArrayArgument) or "=" in word]  # what export -a makes arrays of
    plain = [word for word in words if not isinstance(word, ArrayArgument) and "=" not in word]
    return max(
        declare_names(shell, name, found, arrays, local=False) if arrays else 0,
        declare_names(shell, name, found[:1], plain, local=False) if plain else 0,
    )


def _posix_line(command: str, line: str) -> str:
    """What ``export -p`` and ``readonly -p`` show in posix mode: the command itself, of the attributes only that of an array."""
    _, letters, rest = line.split(" ", 2)
    kept = "".join(letter for letter in letters if letter in "aA")
    return f"{command} {f'-{kept} ' if kept else ''}{rest}"


@builtin(
    "unset",
    usage="[-f] [-v] [-n] [name ...]",
    summary="Unset values and attributes of shell variables and functions.",
    special=True,
    scoped=True,
    options="fvn",
)
def unset(shell: Shell, options: Options, words: list[str]) -> int:
    """Remove variables, elements and functions."""
    letters = {letter for letter, _ in options}
    if {"f", "v"} <= letters:
        shell.complain("unset", "cannot simultaneously unset a function and a variable")
        return 1
    status = 0
    for word in paced_if_many(words):
        try:
            if not _unset_one(shell, word, letters):
                status = 1
        except ReadonlyError:
            shell.complain("unset", f"{word.partition('[')[0]}: cannot unset: readonly variable")
            status = 1
        except ExpansionError as error:
            if error.of_arithmetic or error.fatal:  # a malformed subscript, or one with an unset variable
                raise
            shell.complain("unset", error.message)
            status = 1
    return status


def _unset_one(shell: Shell, word: str, letters: set[str]) -> bool:
    if "f" in letters:
        return _unset_function(shell, word)
    match = _UNSET.fullmatch(word)
    if match is None:
        if "v" not in letters:  # then it is the name of a function, which need not be an identifier
            return _unset_function(shell, word)
        shell.complain("unset", f"`{word}': not a valid identifier")
        return False
    name, subscript = match.groups()
    if "n" in letters:  # only a nameref itself
        old = shell.variables.get(name)
        if subscript is not None or not isinstance(old, Variable) or not old.flags & (NAMEREF | READONLY):
            return True
    if subscript is not None:
        if subscript and shell.find(name) is None:  # then bash does not look at the subscript
            return True
        key = subscript if isinstance(word, ElementArgument) else shell.given_subscript(name, subscript)
        if subscript and not key and isinstance(shell.array(name), AssociativeArray):
            raise ExpansionError(f"[{subscript}]: bad array subscript")
        if not isinstance(word, ElementArgument) and subscript and not is_element(shell, word):
            return True
        if not shell.unset_element(name, key):
            shell.complain("unset", f"{name}: not an array variable")
            return False
        return True
    if "n" not in letters:
        try:
            resolved = shell.resolve(name)
        except CircularReferenceError as error:
            shell.warn(error.message)
            resolved = name
        if resolved != name and "[" in resolved:
            base, _, inner = resolved.partition("[")
            return shell.unset_element(base, shell.given_subscript(base, inner[:-1]))
        name = resolved
    old = shell.variables.get(name)
    if isinstance(old, DynamicVariable) and old.fixed and name.startswith("BASH_"):
        shell.complain("unset", f"{name}: cannot unset")
        return False
    if name in shell.variables or "v" in letters or name not in shell.functions:
        shell.unset(name)
        return True
    return _unset_function(shell, name)


def _unset_function(shell: Shell, name: str) -> bool:
    """Forget a function, if there is one; False when it is readonly, reported."""
    function = shell.functions.get(name)
    if function is not None and function.readonly:
        shell.complain("unset", f"{name}: cannot unset: readonly function")
        return False
    shell.functions.pop(name, None)
    return True


@builtin("let", usage="arg [arg ...]", summary="Evaluate arithmetic expressions.")
def let(shell: Shell, arguments: list[str]) -> int:
    """Evaluate expressions; status 0 when the last one is not zero."""
    words = arguments[2:] if arguments[1:2] == ["--"] else arguments[1:]
    if not words:
        shell.complain("let", "expression expected")
        return 1
    offer_help(shell, "let", words[0])
    value = 0
    for word in words:
        try:
            value = evaluate(shell, word)
        except ExpansionError as error:
            shell.complain_of_expression("let", error)
            return 1
    return 0 if value else 1


@builtin("shift", usage="[n]", summary="Shift positional parameters.", special=True)
def shift(shell: Shell, arguments: list[str]) -> int:
    """Drop the first positional parameters."""
    words = arguments[2:] if arguments[1:2] == ["--"] else arguments[1:]
    count = 1
    if words:
        if not is_number(words[0]):
            offer_help(shell, "shift", words[0])
            shell.complain("shift", f"{words[0]}: numeric argument required")
            return 1
        count = whole_number(words[0])
        if len(words) > 1:
            refuse_arguments(shell, "shift")
    if count < 0:
        shell.complain("shift", f"{words[0]}: shift count out of range")
        return 1
    if count > len(shell.positional):
        if shell.options.shopt["shift_verbose"]:
            shell.complain("shift", ": ".join([*arguments[1:2], "shift count out of range"]))  # bash shows ``--``, too
        return 1
    old = shell.positional
    shell.positional = old.after(count) if isinstance(old, Words) else old[count:]
    return 0
