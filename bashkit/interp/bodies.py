"""The bodies of functions: compiled at the first call, generated Python after many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp import jit
from bashkit.syntax.height import height

if TYPE_CHECKING:
    from bashkit.interp.shell import Run, Shell
    from bashkit.syntax.nodes import Command


class Body:
    """What a function runs.

    Attributes:
        run: Runs it.
        frames: Python frames that one call needs; 0 while it is not compiled.

    Args:
        command: The function's body.
    """

    __slots__ = ("_calls", "_closure", "command", "frames", "run")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.frames = 0
        self.run: Run = self._first
        self._closure: Run | None = None
        self._calls = 0

    def prepare(self) -> None:
        """Compile it, if that has not been done: the frames are known afterwards."""
        if self._closure is None:
            from bashkit.interp.compiler import compile_command

            self.frames = height(self.command) + 1
            self._closure = compile_command(self.command)
            self.run = self._counted

    def _first(self, shell: Shell) -> int:
        self.prepare()
        return self.run(shell)

    def _counted(self, shell: Shell) -> int:
        assert self._closure is not None
        self._calls += 1
        if self._calls > jit.CALLS:
            self.run = jit.translate(self.command, function=True) or self._closure
            return self.run(shell)
        return self._closure(shell)
