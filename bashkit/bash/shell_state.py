"""ShellState: what a shell holds between two scripts, for the host to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.interp.state.variables import EXPORT, AssociativeArray, DynamicVariable, IndexedArray
from bashkit.syntax.unparse import unparse_function

if TYPE_CHECKING:
    from bashkit.interp.state.shell import Shell


@dataclass(frozen=True, slots=True)
class ShellState:
    """What a shell holds between two scripts. It is a copy: changing it changes nothing.

    Attributes:
        variables: The variables that are no arrays, exported ones among them.
        arrays: The indexed arrays, by index.
        maps: The associative arrays, by key.
        env: The exported variables.
        cwd: The working directory.
        functions: The functions, as bash prints them.
        aliases: The aliases.
        traps: The commands of traps, by the name of the signal without SIG, or EXIT, DEBUG, ERR, RETURN.
        exit_code: ``$?``.
    """

    variables: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, dict[int, str]] = field(default_factory=dict)
    maps: dict[str, dict[str, str]] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    cwd: str = "/"
    functions: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    traps: dict[str, str] = field(default_factory=dict)
    exit_code: int = 0


def state_of(shell: Shell) -> ShellState:
    """Read a shell."""
    found = ShellState(
        cwd=shell.cwd,
        functions={name: unparse_function(function.definition) for name, function in shell.functions.items()},
        aliases=dict(shell.aliases),
        traps={name: text for name, text in dict(shell.traps).items() if isinstance(text, str)},
        exit_code=shell.status,
    )
    for name, stored in shell.variables.items():
        if isinstance(stored, str):
            found.variables[name] = stored
        elif isinstance(stored, DynamicVariable):
            continue  # as $RANDOM, which has no value before it is asked for
        elif isinstance(stored.value, IndexedArray):
            found.arrays[name] = {int(index): item for index, item in stored.value.items()}
        elif isinstance(stored.value, AssociativeArray):
            found.maps[name] = dict(stored.value.items())
        elif stored.value is not None:
            found.variables[name] = stored.value
            if stored.flags & EXPORT:
                found.env[name] = stored.value
    return found
