"""When a loop or function is hot enough to be translated, and what the translator takes for granted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.interp.state.machine import Unit
    from bashkit.interp.state.shell import Shell
    from bashkit.syntax.nodes import ArithmeticFor, For, While

TURNS = 200  # of a loop, before it is translated
CALLS = 100  # of a function
INLINED = frozenset([":", "true", "false", "[", "test", "local", "return", "break", "continue"])  # builtins that are translated


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

    def turn(self, shell: Shell) -> Unit | None:
        """Count a turn; the generated function once there is one."""
        self._left -= 1
        if not self._left:
            self.unit = shell.machine.translate(self._node)
        return self.unit
