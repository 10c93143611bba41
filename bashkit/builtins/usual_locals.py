"""Declares local variables as most scripts do, without the checks that rarer declarations need (bash(1), local)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from bashkit.interp.arithmetic.evaluator import plain_integer
from bashkit.interp.expand.assignments import ArrayArgument, assign_array
from bashkit.interp.state.scopes import NAME
from bashkit.interp.state.store import VARIABLE
from bashkit.interp.state.variables import (
    EXPORT,
    INTEGER,
    LARGE,
    LOWER,
    NAMEREF,
    READONLY,
    UPPER,
    AssociativeArray,
    DynamicVariable,
    IndexedArray,
    Variable,
)
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_ARGUMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", re.DOTALL)
_LONG, _MOST = 8, 4  # of words with options
_FLAGS = {"i": INTEGER, "l": LOWER, "u": UPPER, "r": READONLY, "x": EXPORT, "n": NAMEREF, "a": 0, "A": 0}


def declare_locals(shell: Shell, arguments: list[str]) -> int | None:
    """Declare variables that are new in the running function, or plain; for all else None, before anything is done."""
    first = 1
    while first < len(arguments) and arguments[first][:1] == "-" and len(arguments[first]) < _LONG:
        first += 1
    options = _read_options(tuple(arguments[1:first])) if 1 < first <= _MOST else (0, "")
    if options is None or first >= len(arguments) or shell.options.allexport or shell.options.shopt["localvar_inherit"]:
        return None
    flags, kind = options
    variables, scope = shell.variables, shell.scopes[-1]
    found: list[tuple[str, str | None]] = []
    bare = plain = not flags and not kind
    for word in paced_if_many(arguments[first:]):
        if word.__class__ is str:
            match = _ARGUMENT.fullmatch(word)
            if match is None:
                return None
            name, value = match.groups()
            if not plain and not _fits(name, value, flags, kind):
                return None
        elif isinstance(word, ArrayArgument) and not flags and kind != "A" and _is_usual_list(word):
            name, value, plain = word.name, word, False
        else:
            return None
        old = variables.get(name, "")
        if value is None and bare and name in scope and isinstance(old, Variable) and not old.flags & NAMEREF:
            continue  # it stays as it is
        if (not plain and name in scope) or (
            not isinstance(old, str) and (name in scope or not _can_be_hidden(shell, name, old))
        ):
            return None
        found.append((name, value))
    if not plain and len(dict(found)) < len(found):
        return None
    size = sum(map(len, arguments)) + VARIABLE * (len(found) >> 3)
    if size > LARGE:
        shell.budget.grow(size)
    for name, value in paced_if_many(found):
        if name not in scope:
            scope[name] = variables.pop(name, None)
            if not plain:
                _begin(shell, name, value, flags, kind)
            else:
                variables[name] = Variable() if value is None else value
        elif value is not None:
            variables[name] = value
    return 0


@lru_cache(maxsize=64)
def _read_options(words: tuple[str, ...]) -> tuple[int, str] | None:
    """The attributes that options ask for, and the kind of array; None for those that only the general way knows."""
    letters = {letter for word in words for letter in word[1:] or "-"}
    kinds = letters & {"a", "A"}
    if (
        not letters <= _FLAGS.keys()
        or len(letters & {"l", "u"}) > 1
        or len(kinds) > 1
        or (len(letters) > 1 and (kinds or "n" in letters))
    ):
        return None
    return sum(_FLAGS[letter] for letter in letters), "".join(kinds)


def _fits(name: str, value: str | None, flags: int, kind: str) -> bool:
    """Whether a value needs no look at what it says."""
    if kind:
        return value is None
    if flags & NAMEREF:
        return value is not None and value != name and NAME.fullmatch(value) is not None
    return value is None or not flags & INTEGER or plain_integer(value) is not None


def _can_be_hidden(shell: Shell, name: str, variable: Variable) -> bool:
    """Whether a new local variable may hide one, of which it has nothing."""
    if variable.flags & EXPORT or isinstance(variable, DynamicVariable):
        return False
    return not variable.flags & READONLY or any(name in scope for scope in shell.scopes)


def _is_usual_list(word: ArrayArgument) -> bool:
    """Whether a list is one of values without keys."""
    return not word.keyed and all(subscript is None and values != [""] for subscript, values, *_ in word.elements)


def _begin(shell: Shell, name: str, value: str | None, flags: int, kind: str) -> None:
    """Make a variable, with attributes or as an array."""
    if not flags and not kind and isinstance(value, str) and not isinstance(value, ArrayArgument):
        shell.variables[name] = value
        return
    variable = shell.variables[name] = Variable(None, flags & ~READONLY)
    variable.owner = shell.token
    if kind:
        array = variable.value = AssociativeArray() if kind == "A" else IndexedArray()
        array.declared = True
    if isinstance(value, ArrayArgument):
        assign_array(shell, name, value.elements, append=value.append)
    elif value is not None:
        variable.value = value if flags & NAMEREF else shell.convert(value, flags)
    variable.flags = flags
