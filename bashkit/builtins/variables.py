"""Builtins about variables: declare, local, export, readonly, unset, let, shift."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.builtins.functions import declare_functions, mark_functions
from bashkit.builtins.references import REFERENCE, RefusedError, give_target, has_no_target, is_element, make_nameref
from bashkit.builtins.registry import assign_lists, builtin, end_special, is_number, offer_help, refuse_arguments
from bashkit.interp.arithmetic.evaluator import evaluate
from bashkit.interp.arithmetic.parser import whole_number
from bashkit.interp.expand.assignments import ArrayArgument, ElementArgument, assign_array, make_no_reference
from bashkit.interp.run.tracing import trace_value
from bashkit.interp.runtime.control import ExpansionError, LineError
from bashkit.interp.state.description import describe_plainly, describe_variable, letters_of, listed, names
from bashkit.interp.state.scopes import NAME, CircularReferenceError
from bashkit.interp.state.store import VARIABLE, ReadonlyError
from bashkit.interp.state.variables import (
    CAPITALIZE,
    EXPORT,
    INTEGER,
    LARGE,
    LOWER,
    NAMEREF,
    READONLY,
    TRACE,
    UPPER,
    AssociativeArray,
    DynamicVariable,
    IndexedArray,
    Variable,
)
from bashkit.limits import MANY, Words, paced, paced_if_many
from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.builtins.registry import Options
    from bashkit.interp.state.shell import Call, Shell

_ARGUMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*?)\])?(?:(\+?=)(.*))?", re.DOTALL)
_PLAIN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", re.DOTALL)
_UNSET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*)\])?", re.DOTALL)
_FLAGS = {"i": INTEGER, "l": LOWER, "u": UPPER, "r": READONLY, "x": EXPORT, "n": NAMEREF, "t": TRACE, "c": CAPITALIZE}
_CASES = LOWER | UPPER | CAPITALIZE
_FOR_A_WORD = 4  # microseconds
_APART = 4  # undocumented: the status of an assignment that fails in a process of its own
_DECLARE_OPTIONS = "aAfFgiIlnrtuxpc"


class _ConversionError(RefusedError):
    """An array of one kind is to become one of the other."""


@builtin(
    "declare",
    usage="[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
    summary="Set variable values and attributes.",
    options=_DECLARE_OPTIONS,
    signed=True,
    named=True,
)
@builtin(
    "typeset",
    usage="[-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
    summary="Set variable values and attributes.",
    options=_DECLARE_OPTIONS,
    signed=True,
    named=True,
)
def declare(shell: Shell, name: str, options: Options, words: list[str]) -> int:
    """Declare variables; inside a function they are local unless ``-g`` says otherwise."""
    return _declare(shell, name, options, words, local=bool(shell.scopes) and ("g", "") not in options)


def _local_plainly(shell: Shell, arguments: list[str]) -> int | None:
    """The common case, names and scalars without attributes; None leaves everything to the general way."""
    if not shell.scopes:
        return _refuse_local(shell, arguments)
    if len(arguments) < 2:
        return None
    variables, scope = shell.variables, shell.scopes[-1]
    found: list[tuple[str, str | None]] = []
    for word in paced_if_many(arguments[1:]):
        match = _PLAIN.fullmatch(word)
        if match is None or word.__class__ is not str or variables.get(match.group(1), "").__class__ is not str:
            return None
        found.append((match.group(1), match.group(2)))
    size = sum(map(len, arguments)) + VARIABLE * (len(found) >> 3)
    if size > LARGE:
        shell.budget.grow(size)
    if shell.options.allexport or shell.options.shopt["localvar_inherit"]:
        return None
    for name, value in paced_if_many(found):
        if name not in scope:
            scope[name] = variables.pop(name, None)
            variables[name] = Variable() if value is None else value
        elif value is not None:
            variables[name] = value
    return 0


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
    return _declare(shell, "local", options, words, local=True)


def _running_function(shell: Shell) -> Call:
    return next(call for call in reversed(shell.calls) if call.is_function)


@builtin(
    "export",
    usage="[-fn] [name[=value] ...] or export -p",
    summary="Set export attribute for shell variables.",
    special=True,
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
    if shell.options.xtrace:
        for word in words:
            variable_name, equals, value = word.partition("=")
            append = variable_name.endswith("+")
            variable_name = variable_name.removesuffix("+")
            if equals and NAME.fullmatch(variable_name) and not isinstance(word, ArrayArgument):
                trace_value(shell, variable_name, value, append=append)
    sign = "+" if "n" in given else ""
    found = [(attribute, sign), *((letter, "") for letter in given if letter in "aA")]
    if attribute == "r" or len(found) == 1:
        return _declare(shell, name, found, words, local=False)
    arrays = [word for word in words if isinstance(word, ArrayArgument) or "=" in word]  # what export -a makes arrays of
    plain = [word for word in words if not isinstance(word, ArrayArgument) and "=" not in word]
    return max(
        _declare(shell, name, found, arrays, local=False) if arrays else 0,
        _declare(shell, name, found[:1], plain, local=False) if plain else 0,
    )


def _posix_line(command: str, line: str) -> str:
    """What ``export -p`` and ``readonly -p`` show in posix mode: the command itself, of the attributes only that of an array."""
    _, letters, rest = line.split(" ", 2)
    kept = "".join(letter for letter in letters if letter in "aA")
    return f"{command} {f'-{kept} ' if kept else ''}{rest}"


def _declare(shell: Shell, command: str, options: list[tuple[str, str]], words: list[str], *, local: bool) -> int:
    on = {letter for letter, sign in options if sign != "+"}
    off = {letter for letter, sign in options if sign == "+"}
    on |= off & {"p"}
    if on & {"F", "f", "p"}:
        lists: list[str] = [word for word in words if isinstance(word, ArrayArgument)]
        if lists:  # bash has assigned them before the builtin looks at its options
            _declare(shell, command, [option for option in options if option[0] in "aAgilu"], lists, local=local)
        words = [word.name if isinstance(word, ArrayArgument) else word for word in words]
    if "F" in on or "f" in on:
        return declare_functions(shell, command, words, on, off)
    if "p" in on or not words:
        return _print(shell, command, words, on, plain=not on - {"g", "I"})
    status = 0
    refused = False
    failed = _APART if shell.sole else 1
    for word in words if len(words) < MANY else paced(words, _FOR_A_WORD):
        try:
            if not _declare_one(shell, command, word, on, off, local=local, outermost="g" in on):
                refused = refused or (command in {"export", "readonly"} and _is_assigned_element(word))
                status = failed if refused or command not in {"export", "readonly"} else 1
        except ReadonlyError as error:
            if isinstance(word, ArrayArgument) and not local:  # as any other assignment: the line is given up
                raise ExpansionError(error.message) from None
            if command in {"export", "readonly"}:
                shell.complain_of_variable(error.message)
                refused = True
                if command == "export" and "x" in on:
                    shell.attributed(word.partition("=")[0].removesuffix("+")).flags |= EXPORT
            else:
                shell.complain(command, error.message)
            status = failed
        except _ConversionError as error:
            if isinstance(word, ArrayArgument):  # bash assigns it before the builtin looks at it
                shell.warn(error.message)
            if shell.scopes or not isinstance(word, ArrayArgument):
                shell.complain(command, error.message)
            if isinstance(word, ArrayArgument) and not shell.scopes:
                raise ExpansionError("") from None
            status = 1
        except RefusedError as error:
            shell.complain(command, error.message)
            status = 1
        except CircularReferenceError as error:
            shell.warn(error.message)
        except ExpansionError as error:
            if not error.message:
                raise
            if error.message.endswith(": bad array subscript"):
                shell.complain_of_variable(error.message)
                status = failed
                continue
            of_value = error.message.endswith(": readonly variable")  # which the expression assigns
            names_builtin = not of_value and (not error.of_arithmetic or _is_scalar(shell, word))
            message = f"{command}: {error.message}" if names_builtin else error.message
            fatal = error.fatal or not error.of_arithmetic  # bash leaves the shell
            if isinstance(error, LineError) and not fatal:
                raise LineError(message, error.status) from None
            raise ExpansionError(message, error.status, fatal=fatal) from None
    return end_special(shell, status, trapped=False) if refused else status


def _is_assigned_element(word: str) -> bool:
    """Whether an argument is an assignment to an element of an array."""
    name, equals, _ = word.partition("=")
    return bool(equals) and "[" in name


def _is_scalar(shell: Shell, word: str) -> bool:
    """Whether a declaration is of a variable that is no array: messages about its value name the builtin."""
    name = word.partition("=")[0].removesuffix("+")
    return "[" not in name and not isinstance(word, ArrayArgument) and shell.array(name) is None


def _print(shell: Shell, command: str, words: list[str], on: set[str], *, plain: bool) -> int:
    status = 0
    wanted = on & set("aAilnrtuxc")
    if command == "local" and not words:
        words = sorted(name for name in shell.scopes[-1] if name in shell.variables)
    if words:
        for name in words:
            if name not in shell.variables or (
                isinstance(shell.variables[name], Variable) and command == "local" and name not in shell.scopes[-1]
            ):
                shell.complain(command, f"{name}: not found")
                status = 1
            else:
                shell.write(describe_variable(shell, name) + "\n")
    if words or command == "local":
        return status
    for name in listed(shell) if plain else names(shell):
        if plain:
            line = describe_plainly(shell, name)
            if line is not None:
                shell.write(line + "\n")
        elif _is_wanted(wanted, set(letters_of(shell, shell.variables[name]))):
            shell.write(describe_variable(shell, name) + "\n")
    if plain:
        for _, function in sorted(shell.functions.items()):
            shell.write(unparse_function(function.definition, posix=shell.options.posix) + "\n")
    return 0


def _is_wanted(wanted: set[str], letters: set[str]) -> bool:
    """Whether a variable with these attributes is listed: of the kind of array that is asked for, and with any of the others."""
    kinds, others = wanted & {"a", "A"}, wanted - {"a", "A"}
    return kinds <= letters and (not others or bool(others & letters))


def _declare_one(shell: Shell, command: str, word: str, on: set[str], off: set[str], *, local: bool, outermost: bool) -> bool:
    """Declare one name; False when it was refused (and reported)."""
    parts = _parts(shell, command, word)
    if parts is None:
        return False
    name, subscript, operator, value = parts
    if isinstance(word, ArrayArgument) and "A" in on and not word.keyed:
        _declare_one(shell, command, word, on - {"A"}, off, local=local, outermost=outermost)
        if command == "readonly":
            return True
        raise RefusedError(f"{name}: cannot convert indexed to associative array")
    if outermost and shell.scopes:
        return _at_outermost(shell, command, word, name, on, off)
    if "n" in on and subscript is not None:
        shell.complain(command, f"{name}[{subscript}]: reference variable cannot be an array")
        return False
    if local:
        if "n" in on and operator and value and not REFERENCE.fullmatch(value):  # before there is a local variable
            shell.complain(command, f"`{value}': invalid variable name for name reference")
            return False
        if "n" not in on | off and name in shell.scopes[-1]:
            name = _local_target(shell, name)
        if not _begin_local(shell, name, on):
            return False
    elif "n" not in on and "n" not in off:
        name = shell.resolve(name)
        if "[" in name:
            return _declare_referred(shell, command, name, word, operator, value, on, off)
        is_array = command not in {"export", "readonly"} and (bool(on & {"a", "A"}) or subscript is not None)
        if is_array and has_no_target(shell, name):
            make_no_reference(shell, name, told=subscript is not None and bool(operator))
        elif has_no_target(shell, name) and not isinstance(word, ArrayArgument):
            if operator:
                return give_target(shell, command, name, value)
            if command in {"export", "readonly"}:
                shell.complain(command, "`': not a valid identifier")
                return True  # as above
    if "n" in on and on & {"a", "A"}:
        on = on - {"n"}
        if not _make_array(shell, command, name, on):
            return False
    old = shell.variables.get(name)
    if isinstance(old, DynamicVariable) and old.fixed and operator and command not in {"export", "readonly"}:
        if isinstance(word, ArrayArgument):
            raise ExpansionError("")
        return False
    if isinstance(old, Variable) and old.flags & READONLY and (operator or off & set("rn")):
        raise ReadonlyError(name)
    if "n" in on and isinstance(word, ArrayArgument):
        assign_array(shell, name, word.elements, append=word.append)
        old = shell.variables.get(name)
    if "n" in on and isinstance(old, Variable) and isinstance(old.value, (IndexedArray, AssociativeArray)):
        raise RefusedError(f"{name}: reference variable cannot be an array")
    if old is None and command == "export" and "x" in off and not operator:
        return True
    known = None if "n" in on else shell.array(name)
    if known is not None and ("A" if isinstance(known, AssociativeArray) else "a") in off:
        raise RefusedError(f"{name}: cannot destroy array variables in this way")
    if local and subscript is not None and known is None:
        shell.set_array(name, [])
    if local and subscript is None and known is None and on & {"a", "A"} and _loses_value(shell, name):
        shell.attributed(name).value = AssociativeArray() if "A" in on else IndexedArray()
    else:
        if operator or command not in {"export", "readonly"}:
            _convert_array(shell, name, on, subscript)
        if known is None and not operator:
            _mark_declared(shell, name)
    bits = sum(_FLAGS[letter] for letter in on if letter in _FLAGS)
    cleared = sum(_FLAGS[letter] for letter in off if letter in _FLAGS and letter != "r")
    if "n" in on:
        return make_nameref(shell, command, name, value if operator else None, bits, append=operator == "+=")
    if bits or cleared or not operator or isinstance(shell.variables.get(name), Variable):
        _change_flags(shell.attributed(name), bits, cleared)
    if isinstance(word, ArrayArgument):
        assign_array(shell, name, word.elements, append=word.append, associative="A" in on)
    elif operator and subscript is not None and bits & READONLY:  # bash marks the array first, and then cannot assign
        shell.attributed(name).flags |= READONLY
        shell.complain_of_variable(f"{name}: readonly variable")
    elif operator:
        listed = command not in {"export", "readonly"}
        if not _assign(shell, name, subscript, value, on, append=operator == "+=", listed=listed):
            return False
    if bits & READONLY:
        shell.attributed(name).flags |= READONLY
    if bits & (EXPORT | READONLY) and (not local or shell.is_localized(name)):
        shell.keep_temporary(name)
    if {"a", "A"} <= on:
        shell.complain(command, f"{name}: cannot convert associative to indexed array")
        return False
    return True


def _parts(shell: Shell, command: str, word: str) -> tuple[str, str | None, str | None, str] | None:
    """The name, subscript, operator and value of an argument; None when it was refused (and reported)."""
    if isinstance(word, ArrayArgument):
        return word.name, None, "+=" if word.append else "=", ""
    match = _ARGUMENT.fullmatch(word)
    if match is None:
        shell.complain(command, f"`{word}': not a valid identifier")
        return None
    name, subscript, operator, value = match.groups()
    if subscript is not None and command in {"export", "readonly"}:
        shell.complain(command, f"`{name}[{subscript}]': not a valid identifier")
        return None
    if subscript and operator and not is_element(shell, f"{name}[{subscript}]"):
        shell.complain(command, f"`{word}': not a valid identifier")
        return None
    if subscript == "" and operator:
        shell.complain_of_variable(f"{name}[]: bad array subscript")
        return None
    if subscript == "":
        shell.complain(command, f"`{word}': not a valid identifier")
        return None
    return name, subscript, operator, value


def _make_array(shell: Shell, command: str, name: str, on: set[str]) -> bool:
    """``declare -na``: an array and no reference; False when that was reported, as in functions."""
    if has_no_target(shell, name):
        make_no_reference(shell, name, told=False)
    if not shell.scopes:
        return True
    _convert_array(shell, name, on, None)
    _mark_declared(shell, name)
    shell.complain(command, f"{name}: reference variable cannot be an array")
    return False


def _loses_value(shell: Shell, name: str) -> bool:
    """Whether a local variable is a scalar with a value, which is gone when it becomes an array, as bash does it."""
    return shell.get(name) is not None and not shell.options.shopt["localvar_inherit"]


def _mark_declared(shell: Shell, name: str) -> None:
    """An array without elements is there all the same, as it was declared."""
    array = shell.array(name)
    if array is not None and not len(array):
        array.declared = True


def _change_flags(variable: Variable, bits: int, cleared: int) -> None:
    """Give a variable attributes, but for readonly, which comes last, and take others away."""
    if cases := bits & _CASES:
        variable.flags &= ~_CASES
        if cases not in {LOWER, UPPER, CAPITALIZE}:  # they cancel each other
            bits &= ~_CASES
    variable.flags = (variable.flags | (bits & ~READONLY)) & ~cleared


def _declare_referred(
    shell: Shell, command: str, element: str, word: str, operator: str | None, value: str, on: set[str], off: set[str]
) -> bool:
    """Declare what a reference to an element refers to."""
    if isinstance(word, ArrayArgument):
        raise ExpansionError(f"`{element}': not a valid identifier", fatal=True)
    if command not in {"export", "readonly"}:
        assignment = f"{operator}{value}" if operator else ""
        return _declare_one(shell, command, element + assignment, on, off, local=False, outermost=False)
    if operator:
        name, _, subscript = element.partition("[")
        shell.assign_element(name, subscript[:-1], value, append=operator == "+=")
    shell.complain(command, f"`{element}': not a valid identifier")
    return True  # undocumented: the status is that of success


def _assign(shell: Shell, name: str, subscript: str | None, value: str, on: set[str], *, append: bool, listed: bool) -> bool:
    """Assign the value of a declaration; with ``listed``, ``(…)`` is all of an array that there is. False when it was refused."""
    array = shell.array(name)
    is_literal = value.startswith("(") and value.endswith(")")
    if is_literal and (
        on & {"a", "A"} or (listed and array is not None and subscript is None)
    ):  # with -a whatever the subscript is
        _assign_quoted_literal(shell, name, value, append=append)
    elif subscript in {"@", "*"} and isinstance(array, IndexedArray):
        shell.complain_of_variable(f"{name}[{subscript}]: bad array subscript")
        return False
    elif subscript is not None:
        shell.assign_element(name, shell.expand_subscript(name, subscript), value, append=append)
    else:
        shell.assign(name, value, append=append)
    return True


def _assign_quoted_literal(shell: Shell, name: str, value: str, *, append: bool) -> None:
    """``declare -a 'x=(1 2)'``: the quoted text is an array literal all the same."""
    from bashkit.errors import ScriptSyntaxError
    from bashkit.interp.expand.assignments import compile_elements, is_associative
    from bashkit.syntax import Parser

    parser = Parser(value)
    try:
        elements = parser.read_array()
    except ScriptSyntaxError:
        shell.assign(name, value, append=append)
        return
    assign_array(shell, name, compile_elements(elements)(shell, is_associative(shell, name)), append=append)


def _local_target(shell: Shell, name: str) -> str:
    """The variable that a local reference refers to, which is to be local, too; the reference itself if that is an element."""
    try:
        target = shell.resolve(name)
    except CircularReferenceError:
        return name
    return name if "[" in target else target


def _begin_local(shell: Shell, name: str, on: set[str]) -> bool:
    if name in shell.scopes[-1] and name not in shell.assigned:
        return True
    old = shell.variables.get(name)
    if isinstance(old, Variable) and old.flags & READONLY and not isinstance(old, DynamicVariable):
        raise ReadonlyError(name)
    if isinstance(old, DynamicVariable) and old.fixed:
        raise RefusedError(f"{name}: variable may not be assigned value")
    shell.hide(name)
    if isinstance(old, Variable) and old.flags & EXPORT and name not in shell.variables:
        shell.variables[name] = Variable(None, EXPORT)  # a local of an exported variable is exported
    if "I" in on and old is not None:
        shell.variables[name] = old if isinstance(old, str) else old.copy()
    shell.variables.setdefault(name, Variable())
    if shell.options.shopt["localvar_inherit"] and old is not None:
        shell.variables[name] = old if isinstance(old, str) else old.copy()
    return True


def _convert_array(shell: Shell, name: str, on: set[str], subscript: str | None) -> None:
    variable = shell.variables.get(name)
    current = variable.value if isinstance(variable, Variable) else None
    if "A" in on:
        if isinstance(current, IndexedArray):
            raise _ConversionError(f"{name}: cannot convert indexed to associative array")
        if current is None and isinstance(variable, Variable):
            shell.own(name).value = AssociativeArray()
        else:
            shell.make_array(name, associative=True)
    elif "a" in on or subscript is not None:
        if "a" in on and isinstance(current, AssociativeArray):
            raise _ConversionError(f"{name}: cannot convert associative to indexed array")
        shell.make_array(name)


def _at_outermost(shell: Shell, command: str, word: str, name: str, on: set[str], off: set[str]) -> bool:
    """``declare -g``: act on the variable that every running function's locals hide."""
    holder = next((scope for scope in shell.scopes if name in scope), None)
    if holder is None:
        return _declare_one(shell, command, word, on - {"g"}, off, local=False, outermost=False)
    inner = shell.variables.pop(name, None)
    hidden = holder[name]
    if hidden is not None:
        shell.variables[name] = hidden
    try:
        return _declare_one(shell, command, word, on - {"g"}, off, local=False, outermost=False)
    finally:
        holder[name] = shell.variables.pop(name, None)
        if inner is not None:
            shell.variables[name] = inner


@builtin(
    "unset",
    usage="[-f] [-v] [-n] [name ...]",
    summary="Unset values and attributes of shell variables and functions.",
    special=True,
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
            if error.of_arithmetic:  # a malformed subscript
                raise
            shell.complain("unset", error.message)
            status = 1
    return status


def _unset_one(shell: Shell, word: str, letters: set[str]) -> bool:
    if "f" in letters:
        function = shell.functions.get(word)
        if function is not None and function.readonly:
            shell.complain("unset", f"{word}: cannot unset: readonly function")
            return False
        shell.functions.pop(word, None)
        return True
    match = _UNSET.fullmatch(word)
    if match is None:
        if "v" not in letters:  # then it is the name of a function, which need not be an identifier
            shell.functions.pop(word, None)
            return True
        shell.complain("unset", f"`{word}': not a valid identifier")
        return False
    name, subscript = match.groups()
    if "n" in letters:  # only a nameref itself
        old = shell.variables.get(name)
        if subscript is not None or not isinstance(old, Variable) or not old.flags & (NAMEREF | READONLY):
            return True
    if subscript is not None:
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
        resolved = shell.resolve(name)
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
    else:
        del shell.functions[name]
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
            shell.complain("shift", f"{words[0]}: shift count out of range" if words else "shift count out of range")
        return 1
    old = shell.positional
    shell.positional = old.after(count) if isinstance(old, Words) else old[count:]
    return 0
