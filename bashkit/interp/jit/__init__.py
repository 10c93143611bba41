"""The second tier: loops and functions that run often become generated Python.

A script starts as closures, which cost little to make. What turns out to be hot (a loop of many turns, a function of many calls) is
translated once into the source of one Python function: variables are read and written in place, numbers stay Python integers
beside their text, and conditions become Python's own. Everything that the translator does not know is a call of the closure of that
command, so both tiers always agree; and every stretch of translated commands asks first whether something is on that only the
closures heed (``set -x``, ``set -a``, a DEBUG trap, a signal to deliver, a builtin that was replaced).

No text of a script ever becomes part of the generated source: names are checked identifiers, numbers are integers, and
every other string is bound to a name of our own.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bashkit.interp.shell import Shell
    from bashkit.syntax.nodes import ArithmeticFor, Command, For, While

_log = logging.getLogger("bashkit")
TURNS = 200  # of a loop, before it is translated
CALLS = 100  # of a function
INLINED = frozenset([":", "true", "false", "[", "test", "local", "return", "break", "continue"])  # builtins that are translated


class Unit(Protocol):
    """A generated function.

    Its arguments are the shell, the status of the last turn, and where to go on: for ``for name in words`` the values and how many
    of them have had their turn, for an arithmetic ``for`` whether its first expression has been evaluated.
    """

    def __call__(self, shell: Shell, before: int = 0, rest: tuple[list[str], int] | bool | None = None, /) -> int:
        """Run it; returns the status."""
        ...


def translate(node: Command, *, function: bool = False) -> Unit | None:
    """The generated function for a loop or for the body of a function, or None where nothing would be won.

    Args:
        node: The command.
        function: It is the body of a function, so that ``return`` leaves it.
    """
    from bashkit.interp.jit.commands import Translator

    try:
        return Translator(function=function).unit(node)
    except Exception:  # whatever went wrong here, the closures do the same
        _log.exception("a command could not be translated")
        return None


class Heat:
    """Counts the turns of a loop until it is worth translating.

    Args:
        node: The loop.
    """

    __slots__ = ("_left", "_node", "unit")

    def __init__(self, node: While | For | ArithmeticFor) -> None:
        self._node = node
        self._left = TURNS
        self.unit: Unit | None = None

    def turn(self) -> Unit | None:
        """Count a turn; the generated function once there is one."""
        self._left -= 1
        if not self._left:
            self.unit = translate(self._node)
        return self.unit
