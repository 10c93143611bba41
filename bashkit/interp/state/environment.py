"""The environment that a shell hands on to the commands it starts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from bashkit.interp.state.scopes import TemporaryScope
from bashkit.interp.state.variables import EXPORT, AssociativeArray, DynamicVariable, IndexedArray, Variable, bucket
from bashkit.limits import paced_if_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.state.shell import Shell
    from bashkit.interp.state.variables import Stored

_SHORT: Final = 4096  # characters of names whose order is remembered


class Environment(Mapping[str, str]):
    """The environment of a utility: most of them ask for a variable or two, and all are put together only for who wants all.

    Args:
        shell: What starts the utility.
        functions: The exported functions, by their names in an environment.
    """

    __slots__ = ("_functions", "_shell", "_whole")

    def __init__(self, shell: Shell, functions: Callable[[Shell], dict[str, str]]) -> None:
        self._shell = shell
        self._functions = functions
        self._whole: dict[str, str] | None = None

    def _all(self) -> dict[str, str]:
        whole = self._whole
        if whole is None:
            whole = self._whole = exported_variables(self._shell) | self._functions(self._shell)
        return whole

    def __getitem__(self, name: str) -> str:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a variable, or ``default`` where it is not in the environment."""
        if self._whole is not None or not name.isidentifier():
            return self._all().get(name, default)
        value = exported_variable(self._shell, name)
        return default if value is None else value


def exported_variable(shell: Shell, name: str) -> str | None:
    """The value of one of the ``exported_variables``, or None."""
    stored = shell.variables.get(name)
    value = None if stored is None else _exported(shell, stored)
    if value is None:
        for scope in reversed(shell.scopes):
            hidden = scope.get(name)
            if hidden is not None and (value := _exported_text(hidden)) is not None:
                break
    return value


def exported_variables(shell: Shell) -> dict[str, str]:
    """The exported variables that have a value, also where a local one that is not exported, or has none, hides them."""
    found = {
        name: value
        for name, stored in shell.variables.items()
        if stored.__class__ is not str and (value := _exported(shell, stored)) is not None
    }
    return _in_order(shell, {**found, **_hidden(shell), **found} if shell.scopes else found)


def _exported(shell: Shell, stored: Stored) -> str | None:
    """What a variable is in the environment; None where it is not there. Arrays never are."""
    if isinstance(stored, str) or not stored.flags & EXPORT or isinstance(stored.value, (IndexedArray, AssociativeArray)):
        return None
    if isinstance(stored, DynamicVariable):
        value = stored.read(shell)
        return value if isinstance(value, str) else None
    return stored.value if stored.__class__ is Variable else stored.scalar(shell)


def _hidden(shell: Shell) -> dict[str, str]:
    """The values of exported variables that local ones hide, of each name the innermost."""
    return {
        name: value for scope in shell.scopes for name, hidden in scope.items() if (value := _exported_text(hidden)) is not None
    }


def _exported_text(hidden: object) -> str | None:
    return hidden.value if isinstance(hidden, Variable) and hidden.flags & EXPORT and isinstance(hidden.value, str) else None


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
