"""Python code that a model sends: it runs as one command of the shell, so that what holds for scripts holds for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.interp.utility.command import Arguments, Command

if TYPE_CHECKING:
    from bashkit.commands._python.memory import Memory
    from bashkit.interp.utility.process import Process
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.call.functions import ToolFunctions

_COMMAND = "python code"  # no tool can have this name
SCRIPT = f"'{_COMMAND}' \"$@\""  # runs the code of a request


class PythonCode:
    """Runs the code of requests.

    Args:
        functions: The tools.
        calls: The state of the calls; its ``script`` is the code.
        lasting: Variables, functions and imports last from one request to the next.

    Attributes:
        functions: The tools.
        memory: What the last code has left; None if nothing lasts.
    """

    def __init__(self, functions: ToolFunctions, calls: CallContext, *, lasting: bool) -> None:
        self.functions = functions
        self.memory: Memory | None = None
        self._calls = calls
        if lasting:
            self.restore(b"")

    def saved(self) -> bytes:
        """What the last code has left."""
        return b"" if self.memory is None or not self.memory.heap else self.memory.to_bytes()

    def restore(self, saved: bytes) -> None:
        """Go on from what ``saved`` gave; anew if that was nothing."""
        from bashkit.commands._python.memory import Memory

        self.memory = Memory.from_bytes(saved) if saved else Memory()

    def commands(self) -> dict[str, Command]:
        """The command that ``SCRIPT`` calls."""
        return {_COMMAND: Command(_COMMAND, self._run, "[ARG]...", "run the code of a request", options=None)}

    def _run(self, process: Process, arguments: Arguments) -> int:
        from bashkit.commands._python.run import Program, run

        words = ["", *arguments.operands]
        program = Program(self._calls.script, "<string>", words, cell=True, memory=self.memory)
        return run(process, program, self.functions)
