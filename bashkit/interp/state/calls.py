"""How a shell was started, and what it calls: functions, and which of them are running."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.interp.run.functions import Body
    from bashkit.interp.state.options import Options
    from bashkit.syntax import nodes

ROOT_PID = 1000  # what $$ says; nothing of the host


@dataclass(slots=True)
class Function:
    """A defined function.

    Attributes:
        name: Its name.
        body: What it runs.
        definition: The tree, for ``declare -f``.
        line: Where it was defined.
        source: The sourced file it was defined in; empty for the shell's own script.
        exported: ``export -f``.
        readonly: ``readonly -f``.
        traced: ``declare -ft``.
        imported: What a new process has made of it, which has it from its environment.
    """

    name: str
    body: Body
    definition: nodes.FunctionDefinition
    line: int
    source: str
    exported: bool = False
    readonly: bool = False
    traced: bool = False
    imported: Function | None = None


@dataclass(slots=True)
class Call:
    """A running function or sourced file, for FUNCNAME, BASH_LINENO and ``return``."""

    name: str
    line: int
    source: str
    is_function: bool = True
    options: Options | None = None  # what `local -` gives back
    words: Sequence[str] | None = None  # its arguments, for BASH_ARGV; kept for ``extdebug``
    renumbered: bool = False  # `set` has set the positional parameters in it


@dataclass(slots=True, frozen=True)
class Invocation:
    """How a shell was started.

    Attributes:
        name: ``$0``.
        process_id: ``$$``.
        command_string: As ``bash -c``: some fatal errors then have another status.
        file: The script that it runs; empty if that is no file.
        interactive: As ``bash -i``.
        words: What its process was started with: the interpreter, what stands behind it, and the script with its arguments.
    """

    name: str = "bash"
    process_id: int = ROOT_PID
    command_string: bool = True
    file: str = ""
    interactive: bool = False
    words: tuple[str, ...] = ("bash",)

    def letters(self, options: Options) -> str:
        """``$-``: the letters of options, and ``i``; then ``c`` for a command string, ``s`` for a script on standard input."""
        letters = options.letters()
        if self.interactive:
            small = letters.rstrip(ascii_uppercase)
            letters = "".join(sorted(small + "i")) + letters[len(small) :]
        return letters + ("c" if self.command_string else "" if self.file else "s")
