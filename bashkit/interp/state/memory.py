"""How many bytes shells hold: counted when the budget seems to be used up, since nobody tells what is given back."""

from __future__ import annotations

from sys import getsizeof
from typing import TYPE_CHECKING

from bashkit.interp.state.store import VARIABLE
from bashkit.interp.state.variables import LARGE, AssociativeArray, IndexedArray, Variable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.variables import Stored

_ENTRY = 100  # bytes of one entry of a dictionary, and of its small key
_size_of = str.__sizeof__  # as getsizeof, in a seventh of its time: there may be a million texts


def measure(shells: Iterable[Shell]) -> int:
    """The bytes that shells hold in variables, functions and tables; what they share counts once."""
    seen: set[int] = set()
    return sum(_shell(shell, seen) for shell in shells)


def _shell(shell: Shell, seen: set[int]) -> int:
    size = _variables(shell.variables, seen, whole=not shell.subshell_level)
    for scope in shell.scopes:
        size += _variables(scope, seen, whole=False)
    for table in (shell.aliases, shell.completions, shell.traps):
        if id(table) not in seen:
            seen.add(id(table))
            size += _texts(table) + _texts(table.values())
    lines = [line for line in shell.history if id(line) not in seen]
    seen.update(map(id, lines))
    size += _texts(lines)
    size += _texts(shell.found) + sum(len(path) + _ENTRY for path, _ in shell.found.values())
    size += _ENTRY * len(shell.functions) + sum(len(job.command) for job in shell.jobs.values())
    for function in shell.functions.values():
        if id(function.body) not in seen:
            seen.add(id(function.body))
            size += function.body.size
    return size


def _variables(table: dict[str, Stored] | dict[str, Stored | None], seen: set[int], *, whole: bool) -> int:
    """The bytes of some variables.

    Args:
        table: They, by name.
        seen: What was counted before.
        whole: A small one counts as what it may become without being charged.
    """
    size = sum(map(len, table)) + (VARIABLE if whole else _ENTRY) * len(table)
    for value in [value for value in table.values() if not isinstance(value, str) or len(value) > LARGE]:
        if value is None or id(value) in seen:
            continue
        seen.add(id(value))
        size += getsizeof(value) if isinstance(value, str) else held_by(value)
    return size


def held_by(variable: Variable) -> int:
    """The bytes of a variable's value."""
    value = variable.value
    if isinstance(value, IndexedArray):
        return _texts(value.texts())
    if isinstance(value, AssociativeArray):
        return _texts(value.texts()) + sum(map(_size_of, value.unordered_keys()))
    return getsizeof(value)


def _texts(texts: Collection[str]) -> int:
    return sum(map(_size_of, texts)) + _ENTRY * len(texts)
