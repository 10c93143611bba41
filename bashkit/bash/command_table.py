"""The commands of a session as its shells look for them: its own, the builtins, the utilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit import commands as utilities
from bashkit.builtins import declarations
from bashkit.interp.run.child import run_bash
from bashkit.interp.state.suggestions import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bashkit.builtins.registry import Declaration
    from bashkit.interp.state.shell import Builtin, Shell
    from bashkit.interp.utility.command import Command

EXTERNALS: Mapping[str, Builtin] = {"bash": run_bash, "sh": run_bash}


class Builtins:
    """What bash itself has, as shells ask for it.

    Args:
        declared: The builtins by name.
    """

    __slots__ = ("programs", "run", "scoped", "special")

    def __init__(self, declared: Mapping[str, Declaration]) -> None:
        self.run: dict[str, Builtin] = {name: declaration.run for name, declaration in declared.items()}
        self.special = frozenset(name for name, declaration in declared.items() if declaration.special)
        self.programs = frozenset(name for name, declaration in declared.items() if declaration.program)
        self.scoped = frozenset(name for name, declaration in declared.items() if declaration.scoped)


_tables: dict[frozenset[str], Builtins] = {}  # by the names that are left out, while no builtin is declared anew


def builtins_without(hidden: frozenset[str]) -> Builtins:
    """The builtins but for those whose names the session's own commands take."""
    declared = declarations()
    whole = _tables.get(frozenset())
    if whole is None or len(whole.run) != len(declared):
        _tables.clear()
        whole = _tables[frozenset()] = Builtins(declared)
    taken = frozenset(filter(declared.__contains__, hidden))
    if not taken:
        return whole
    if taken not in _tables:
        _tables[taken] = Builtins({name: declaration for name, declaration in declared.items() if name not in taken})
    return _tables[taken]


class CommandTable:
    """The commands of a session, settled until others are declared.

    Args:
        own: The session's own ones, before all others.

    Attributes:
        ordered: Those of them that are ordered; see ``Command``.
    """

    __slots__ = ("_own", "_programs", "builtins", "names_of_own", "ordered")

    def __init__(self, own: Mapping[str, Command]) -> None:
        self._own = own
        self.names_of_own = frozenset(own)
        self.ordered = frozenset(name for name, command in own.items() if command.ordered)
        self.builtins = builtins_without(self.names_of_own)
        self._programs: frozenset[str] | None = None

    def find(self, name: str) -> Command | None:
        """The utility called ``name``."""
        return self._own.get(name) or utilities.find_command(name)

    def names(self) -> list[str]:
        """The names of all utilities."""
        return sorted({*self._own, *utilities.command_names()})

    def is_program(self, name: str) -> bool:
        """Whether a command has a file in /usr/bin."""
        if self._programs is None:
            self._programs = frozenset([*self._own, *utilities.command_names(), *EXTERNALS, *self.builtins.programs])
        return name in self._programs

    def programs(self) -> list[str]:
        """The names of the files in /usr/bin, sorted."""
        self.is_program("")
        return sorted(self._programs or ())


class Commands:
    """Gives the table of a session's commands, which is made when it is first asked for.

    Args:
        own: The session's own ones.
    """

    __slots__ = ("_own", "_table")

    def __init__(self, own: Mapping[str, Command]) -> None:
        self._own = own
        self._table: CommandTable | None = None

    def __call__(self) -> CommandTable:
        """The table."""
        if self._table is None:
            self._table = CommandTable(self._own)
        return self._table

    def renew(self) -> None:
        """Others were declared."""
        self._table = None


def advise(shell: Shell, words: Sequence[str], find: Callable[[str], list[str]] | None = None) -> list[str]:
    """What follows "command not found": what the author may have meant, and what there is instead of a well-known program."""
    instead = utilities.advice(words[0])
    return [*suggest(shell, words, find), *([f"{shell.script_name}: {words[0]}: {instead}"] if instead else [])]


def say_nothing(_shell: Shell, _words: Sequence[str]) -> list[str]:
    """No advice."""
    return []
