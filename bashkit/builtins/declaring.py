"""Declares names, with their kinds, attributes and values, for declare, local, export and readonly (bash(1), SHELL BUILTINS)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bashkit.builtins.functions import declare_functions
from bashkit.builtins.references import (
    RefusedError,
    give_target,
    has_no_target,
    is_element,
    is_target,
    last_reference,
    make_nameref,
)
from bashkit.builtins.registry import end_special
from bashkit.interp.expand.assignments import ArrayArgument, assign_array, make_no_reference
from bashkit.interp.run.tracing import trace_value
from bashkit.interp.runtime.control import ExpansionError, LineError
from bashkit.interp.state.assignment_errors import CircularReferenceError, ReadonlyError
from bashkit.interp.state.description import describe_plainly, describe_variable, letters_of, listed, names
from bashkit.interp.state.quoting import plain_quote
from bashkit.interp.state.scopes import NAME, TemporaryScope
from bashkit.interp.state.variables import (
    CAPITALIZE,
    EXPORT,
    INTEGER,
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
from bashkit.limits import MANY, paced
from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.interp.expand.assignments import Element
    from bashkit.interp.state.shell import Shell

_ARGUMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:\[(.*?)\])?(?:(\+?=)(.*))?", re.DOTALL)
_FLAGS = {"i": INTEGER, "l": LOWER, "u": UPPER, "r": READONLY, "x": EXPORT, "n": NAMEREF, "t": TRACE, "c": CAPITALIZE}
_CASES = LOWER | UPPER | CAPITALIZE
_FOR_A_WORD = 4  # microseconds
_APART = 4  # undocumented: the status of an assignment that fails in a process of its own


class _Argument(NamedTuple):
    """One argument of a declaration.

    Attributes:
        word: It.
        name: The variable.
        subscript: What stands in brackets behind the name; None without brackets.
        operator: ``=`` or ``+=``; None without a value.
        value: What is assigned; "" without a value, and for a list.
    """

    word: str
    name: str
    subscript: str | None
    operator: str | None
    value: str


class _ConversionError(RefusedError):
    """An array of one kind is to become one of the other."""


def declare_names(shell: Shell, command: str, options: list[tuple[str, str]], words: list[str], *, local: bool) -> int:
    """Declare names, or show what is declared.

    Args:
        shell: The shell.
        command: The builtin, for messages.
        options: The letters of the options and their signs.
        words: The names, with values; all names when there are none.
        local: They are variables of the running function.

    Returns:
        The status.

    Raises:
        ExpansionError: A value cannot be expanded or assigned; the line or the shell ends.
    """
    on = {letter for letter, sign in options if sign != "+"}
    off = {letter for letter, sign in options if sign == "+"}
    on |= off & {"p"}
    if on & {"F", "f", "p"}:
        lists: list[str] = [word for word in words if isinstance(word, ArrayArgument)]
        if lists:  # bash has assigned them before the builtin looks at its options
            declare_names(shell, command, [option for option in options if option[0] in "aAgilu"], lists, local=local)
        words = [word.name if isinstance(word, ArrayArgument) else word for word in words]
    if "F" in on or "f" in on:
        return declare_functions(shell, command, words, on, off)
    if "p" in on or not words:
        return _print(shell, command, words, on, plain=not on - {"g", "I"})
    status = 0
    refused = False
    failed = _APART if shell.sole else 1
    traced = shell.options.xtrace and command in {"export", "readonly"} and not on & {"a", "A"}
    for word in words if len(words) < MANY else paced(words, _FOR_A_WORD):
        if traced:
            _trace(shell, word)
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
            raise _of_declaration(shell, command, word, error) from None
    return end_special(shell, status, trapped=False) if refused else status


def _of_declaration(shell: Shell, command: str, word: str, error: ExpansionError) -> ExpansionError:
    """The error of an expansion as a declaration tells it: where bash does, it names the builtin, or leaves the shell."""
    of_value = error.message.endswith((": readonly variable", ": unbound variable"))  # one that the expression names
    names_builtin = not of_value and (not error.of_arithmetic or _is_scalar(shell, word))
    message = f"{command}: {error.message}" if names_builtin else error.message
    fatal = error.fatal or not error.of_arithmetic
    if isinstance(error, LineError) and not fatal:
        return type(error)(message, error.status)
    return ExpansionError(message, error.status, fatal=fatal)


def _trace(shell: Shell, word: str) -> None:
    """Write the assignment of a word, if it is one to a variable; a list was written as it was expanded."""
    name, equals, value = word.partition("=")
    append = name.endswith("+")
    name = name.removesuffix("+")
    if equals and NAME.fullmatch(name) and not isinstance(word, ArrayArgument):
        trace_value(shell, name, value, append=append)


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
    argument = _parts(shell, command, word)
    if argument is None:
        return False
    _, name, subscript, operator, value = argument
    if isinstance(word, ArrayArgument) and "A" in on and not word.keyed:
        _declare_one(shell, command, word, on - {"A"}, off, local=local, outermost=outermost)
        if command == "readonly":
            return True
        raise RefusedError(f"{name}: cannot convert indexed to associative array")
    if outermost and (shell.scopes or shell.assigned):
        return _at_outermost(shell, command, word, name, on, off)
    if "n" in on and subscript is not None:
        shell.complain(command, f"{name}[{subscript}]: reference variable cannot be an array")
        return False
    if "n" in on and operator and not isinstance(word, ArrayArgument) and not is_target(shell, command, name, value):
        return False
    if local:
        if "n" not in on | off and name in shell.scopes[-1]:
            name = _local_target(shell, name)
        if not _begin_local(shell, name, on):
            return False
    elif "n" in off:  # undocumented: what is referred to is declared, and then the last of a chain of references is none
        reference = last_reference(shell, name)
        known = shell.variables.get(reference)
        if isinstance(known, Variable) and known.flags & READONLY:
            raise ReadonlyError(reference)
        says_more = operator or on - {"g"}
        if says_more and not _declare_one(shell, command, word, on, off - {"n"}, local=local, outermost=False):
            return False
        _change_flags(shell.attributed(reference), 0, NAMEREF)
        return True
    elif "n" not in on:
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
    return _declare_variable(shell, command, argument._replace(name=name), on, off, local=local)


def _declare_variable(shell: Shell, command: str, argument: _Argument, on: set[str], off: set[str], *, local: bool) -> bool:
    """Make the variable of an argument what the options ask for, and assign; False when it was refused (and reported)."""
    word, name, subscript, operator, _ = argument
    old = shell.variables.get(name)
    if isinstance(old, DynamicVariable) and old.fixed and operator and command not in {"export", "readonly"}:
        if isinstance(word, ArrayArgument):
            raise ExpansionError("")
        return False
    if "n" in on and isinstance(word, ArrayArgument):
        assign_array(shell, name, word.elements, append=word.append)
        old = shell.variables.get(name)
    if "n" in on and isinstance(old, Variable) and isinstance(old.value, (IndexedArray, AssociativeArray)):
        raise RefusedError(f"{name}: reference variable cannot be an array")
    if isinstance(old, Variable) and old.flags & READONLY and (operator or off & set("rn")):
        raise ReadonlyError(name)
    if old is None and command == "export" and "x" in off and not operator:
        return True
    known = None if "n" in on else shell.array(name)
    if (known is not None or isinstance(word, ArrayArgument)) and ("A" if isinstance(known, AssociativeArray) else "a") in off:
        if isinstance(word, ArrayArgument):
            assign_array(shell, name, word.elements, append=word.append)
        raise RefusedError(f"{name}: cannot destroy array variables in this way")
    if local and subscript is not None and known is None and "A" not in on:
        shell.set_array(name, [])
    if local and subscript is None and known is None and on & {"a", "A"} and _loses_value(shell, name):
        shell.attributed(name).value = AssociativeArray() if "A" in on else IndexedArray()
    else:
        if operator or command not in {"export", "readonly"}:
            _convert_array(shell, name, on, subscript)
        if known is None and not operator:
            _mark_declared(shell, name)
    assigned_later = not operator or isinstance(word, ArrayArgument)
    if shell.options.allexport and old is None and assigned_later and not local and not on & {"a", "A"}:
        on = on | {"x"}
    return _give(shell, command, argument, on, off, local=local)


def _expanded(elements: list[Element], *, keyed: bool) -> list[Element]:
    """The elements; what an error says of one without a key is not how it is written, but what the builtin was given."""
    wants_keys = keyed and bool(elements) and elements[0][0] is not None
    if wants_keys:
        elements = [
            (subscript, values, add, written if subscript is not None else plain_quote(written))
            for subscript, values, add, written in elements
        ]
    elif all(subscript or (subscript is None and values != [""]) for subscript, values, *_ in elements):
        return elements
    quote = plain_quote if keyed else str
    return [
        (subscript, values, add, quote(values[0]) if subscript is None else f"[{quote('')}]{'+' * add}={quote(values[0])}")
        if not subscript and values and not (wants_keys and subscript is None)
        else (subscript, values, add, written)
        for subscript, values, add, written in elements
    ]


def _give(shell: Shell, command: str, argument: _Argument, on: set[str], off: set[str], *, local: bool) -> bool:
    """Give a variable, which is of the right kind, its attributes and its value; False when it was refused (and reported)."""
    word, name, subscript, operator, value = argument
    bits = sum(_FLAGS[letter] for letter in on if letter in _FLAGS)
    cleared = sum(_FLAGS[letter] for letter in off if letter in _FLAGS and letter != "r")
    if "n" in on:
        return make_nameref(shell, command, name, value if operator else None, bits, append=operator == "+=")
    if bits or cleared or not operator or isinstance(shell.variables.get(name), Variable):
        _change_flags(shell.attributed(name), bits, cleared)
    if isinstance(word, ArrayArgument):
        assign_array(shell, name, _expanded(word.elements, keyed=word.keyed), append=word.append, associative="A" in on)
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


def _parts(shell: Shell, command: str, word: str) -> _Argument | None:
    """Take an argument apart; None when it was refused (and reported)."""
    if isinstance(word, ArrayArgument):
        return _Argument(word, word.name, None, "+=" if word.append else "=", "")
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
    return _Argument(word, name, subscript, operator, value or "")


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
        if not any(name in scope for scope in shell.scopes):  # a local one of a function around this may be hidden
            raise ReadonlyError(name)
    if isinstance(old, DynamicVariable) and old.fixed:
        raise RefusedError(f"{name}: variable may not be assigned value")
    shell.hide(name)
    if isinstance(old, Variable) and old.flags & EXPORT and name not in shell.variables:
        shell.variables[name] = Variable(None, EXPORT)  # a local of an exported variable is exported
    if old is not None and ("I" in on or shell.options.shopt["localvar_inherit"]):
        inherited = shell.variables[name] = old if isinstance(old, str) else old.copy()
        if isinstance(inherited, Variable):
            inherited.flags &= ~NAMEREF  # which is not inherited
    shell.variables.setdefault(name, Variable())
    return True


def _convert_array(shell: Shell, name: str, on: set[str], subscript: str | None) -> None:
    variable = shell.variables.get(name)
    if isinstance(variable, DynamicVariable) and (on & {"a", "A"} or subscript is not None):
        variable = shell.make_array(name, associative="A" in on)
    current = variable.value if isinstance(variable, Variable) else None
    if isinstance(variable, DynamicVariable):
        current = variable.read(shell)
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
    holder = next((scope for scope in (*shell.scopes, shell.assigned) if name in scope), None)
    if holder is None:
        return _declare_one(shell, command, word, on - {"g"}, off, local=False, outermost=False)
    inner = shell.variables.pop(name, None)
    hidden = holder[name]
    if hidden is not None:
        shell.variables[name] = hidden
    scopes, assigned = shell.scopes, shell.assigned
    shell.scopes, shell.assigned = [], TemporaryScope()
    try:
        return _declare_one(shell, command, word, on - {"g"}, off, local=False, outermost=False)
    finally:
        shell.scopes, shell.assigned = scopes, assigned
        holder[name] = shell.variables.pop(name, None)
        if inner is not None:
            shell.variables[name] = inner
