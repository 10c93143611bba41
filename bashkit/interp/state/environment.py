"""The environment that a shell hands on to the commands it starts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from bashkit.interp.state.scopes import TemporaryScope
from bashkit.interp.state.variables import EXPORT, AssociativeArray, IndexedArray, Variable, bucket
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell

_SHORT: Final = 4096  # characters of names whose order is remembered


def exported_variables(shell: Shell) -> dict[str, str]:
    """The exported variables that have a value, also where a local one that is not exported, or has none, hides them."""
    found: dict[str, str] = {}
    for name, variable in shell.variables.items():
        if isinstance(variable, str) or not variable.flags & EXPORT:
            continue
        value = variable.value
        if isinstance(value, (IndexedArray, AssociativeArray)):
            continue  # arrays are not exported
        if variable.__class__ is not Variable:
            value = variable.scalar(shell)
        if value is not None:
            found[name] = value
    return _in_order(shell, {**found, **_hidden(shell), **found} if shell.scopes else found)


def _hidden(shell: Shell) -> dict[str, str]:
    """The values of exported variables that local ones hide, of each name the innermost."""
    return {
        name: hidden.value
        for scope in shell.scopes
        for name, hidden in scope.items()
        if isinstance(hidden, Variable) and hidden.flags & EXPORT and isinstance(hidden.value, str)
    }


def _in_order(shell: Shell, found: dict[str, str]) -> dict[str, str]:
    """Variables in the order in which bash hands them on: those before the command, those of functions, the others."""
    ordered: dict[str, str] = {}
    tables: list[list[str]] = []
    for index, scope in enumerate(shell.scopes):
        before = shell.scopes[index - 1] if index else None
        if isinstance(before, TemporaryScope) and not isinstance(scope, TemporaryScope):
            tables[-1] += scope  # a function adds its own to what stands before its call
        else:
            tables.append(list(scope))
    for table in (list(shell.assigned), *reversed(tables)):
        for name in _by_bucket(tuple(table), 4):
            if name in found:
                ordered.setdefault(name, found[name])
    names = tuple(found)
    usual = sum(map(len, names)) < _SHORT
    for name in _usual_order(names) if usual else _by_bucket(names, 1024):
        ordered.setdefault(name, found[name])
    return ordered


@lru_cache(maxsize=16)
def _usual_order(names: tuple[str, ...]) -> list[str]:
    """As ``_by_bucket``: every utility of a session is handed the same variables."""
    return _by_bucket(names, 1024)


def _by_bucket(names: tuple[str, ...], buckets: int) -> list[str]:
    """Names as a hash table of bash lists them: by bucket, newest first within one."""
    newest = list(paced_if_many(names))
    while len(newest) > 2 * buckets:  # the table grows
        buckets *= 4
    newest.reverse()
    newest.sort(key=lambda name: bucket(name) % buckets)
    return newest
