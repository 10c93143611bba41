"""What all shells of one execution share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.fs import VirtualFileSystem
    from bashkit.interp.runtime.hub import Hub
    from bashkit.interp.state.shell import Builtin, Shell
    from bashkit.interp.utility.command import Command
    from bashkit.interp.utility.process import System
    from bashkit.limits import Budget


class Unit(Protocol):
    """A generated function.

    Its arguments are the shell, the status of the last turn, and where to go on: for ``for name in words`` the values and how
    many of them have had their turn, for an arithmetic ``for`` whether its first expression has been evaluated.
    """

    def __call__(self, shell: Shell, before: int = 0, rest: tuple[list[str], int] | bool | None = None, /) -> int:
        """Run it; returns the status."""
        ...


@dataclass(slots=True)
class Machine:
    """What all shells of one execution share.

    Attributes:
        fs: The files.
        budget: What may be spent.
        hub: The scheduler.
        system: Clock, names, random numbers.
        find_command: A utility by name: the session's own commands first, then the registry.
        command_names: Every utility's name, for ``type``, ``compgen`` and suggestions.
        builtins: What bash itself has.
        special_builtins: Those of them that are special (POSIX XCU 2.14).
        program_builtins: Those of them that are files of /usr/bin, too.
        scoped_builtins: Those of them around which assignments are a scope.
        externals: Commands that are files to a script but need the shell: ``bash``, ``sh``.
        expand_subscript: Expands a subscript that came as text; expansion is above this package.
        translate: The generated function for a loop or for the body of a function; see ``bashkit.interp.jit``.
        own_commands: Names of the session's own commands, found whatever PATH says, unless it finds another file.
        ordered: Commands such that what background jobs print that call them comes in the order of the jobs.
        suggest: Lines to print after "command not found", given the command's words.
        main: The shell that runs the execution's own text.
        script: The execution's own text.
        syntax_error: The text of the execution itself was refused by the parser.
        killed: The signal that ends the main shell.
        pipelines: How many pipelines have begun.
        left: Line and status of the command for which errexit left the main shell.
        shells: Those that are alive, in the order of their beginning.
    """

    fs: VirtualFileSystem
    budget: Budget
    hub: Hub
    system: System
    find_command: Callable[[str], Command | None]
    command_names: Callable[[], list[str]]
    builtins: Mapping[str, Builtin]
    special_builtins: frozenset[str]
    program_builtins: frozenset[str]
    scoped_builtins: frozenset[str]
    externals: Mapping[str, Builtin]
    expand_subscript: Callable[[Shell, str, str], str]
    translate: Callable[..., Unit | None]
    own_commands: frozenset[str] = frozenset()
    ordered: frozenset[str] = frozenset()
    suggest: Callable[[Shell, list[str]], list[str]] = lambda shell, words: []  # noqa: ARG005
    main: Shell | None = None
    script: str = ""
    syntax_error: bool = False
    killed: int = 0
    pipelines: int = 0
    left: tuple[int, int] | None = None
    shells: dict[Shell, None] = field(default_factory=dict)
