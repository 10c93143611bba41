"""Workbench: the reusable state of a ScriptedTool's executions: the state of their calls and the commands bound to it."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.interp.runtime.control import CommandStatus
from bashkit.tools.call.code import SCRIPT
from bashkit.tools.describe.in_bash import BASH
from bashkit.tools.describe.in_python import PYTHON
from bashkit.tools.execute.contract import ToolStatus
from bashkit.tools.execute.hooks import NOTHING_AROUND, ExecutionHooks
from bashkit.tools.execute.truncation import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from bashkit.bash import Bash
    from bashkit.interp.utility.command import Command
    from bashkit.tools.call.code import PythonCode
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.call.trace import Trace
    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.tools.execute.queue import ExecutionQueue
    from bashkit.tools.execute.truncation import OutputFiles

    Scope = Callable[[str], AbstractContextManager[Callable[[ToolResponse], object] | None]]

_LONGEST_COMMAND = 120  # characters of a command line in a hint


@dataclass(slots=True)
class Workbench(ExecutionHooks):
    """The state around an execution; it is reused when the execution is over.

    Attributes:
        calls: The state of the calls.
        commands: The commands bound to it.
        spare: The list to which it returns, or None if it belongs to a session.
        code: Runs the code of requests if they are written in Python, else None.
        queue: The queue of the session, or None.
        around: Returns the context manager entered around every execution, or None.
        on_shell: Called with the shell when the execution begins, or None.
        max_result_chars: Maximum characters of output for the model, or None.
        outputs: Where the session keeps outputs that are too long; None without a session.
    """

    calls: CallContext
    commands: dict[str, Command]
    code: PythonCode | None = None
    spare: list[Workbench] | None = None
    queue: ExecutionQueue | None = None
    around: Scope | None = None
    on_shell: Callable[[Bash], None] | None = None
    max_result_chars: int | None = None
    outputs: OutputFiles | None = None

    def enter(self) -> None:
        """Wait for the execution's turn."""
        if self.queue is not None:
            self.queue.take()

    async def enter_async(self) -> None:
        """Wait for the execution's turn."""
        if self.queue is not None:
            await self.queue.take_async()

    def begin(self, trace: Trace, status: Callable[[ToolStatus], None] | None, bash: Bash) -> None:
        """Reset the state of the calls, and show the shell to the host."""
        self.calls.on_progress = None if status is None else lambda call, told: status(ToolStatus.call(call.tool, told))
        self.calls.begin(trace)
        if self.on_shell is not None:
            self.on_shell(bash)

    def script(self, commands: str) -> str:
        """What the shell runs for a request."""
        return commands if self.code is None else SCRIPT

    def scope(self, commands: str) -> AbstractContextManager[Callable[[ToolResponse], object] | None]:
        """The context manager around the execution, whose turn it is."""
        self.calls.script = commands
        return NOTHING_AROUND if self.around is None else self.around(commands)

    def leave(self) -> None:
        """Pass the turn on, or return the workbench for reuse."""
        if self.queue is not None:
            self.queue.give()
        elif self.spare is not None:
            self.spare.append(self)

    def conclude(self, response: ToolResponse, bash: Bash, most: int | None) -> ToolResponse:
        """Add the hint about ``set -e`` to the response, and shorten its output for the model."""
        hint = self._left(response, bash) if self.calls.hints and bash.left is not None else ""
        found = replace(response, stderr=response.stderr + hint) if hint else response
        dialect = BASH if self.code is None else PYTHON
        return shorten(found, self.max_result_chars or most, dialect.page, self.outputs, bash)

    def _left(self, response: ToolResponse, bash: Bash) -> str:
        """The call at which ``set -e`` ended the script."""
        line, status = bash.left or (0, 0)
        if isinstance(status, CommandStatus):
            text = self.calls.secrets.text(_quoted(status.words))
            return f"hint: set -e ended the script at line {status.line}: {text} exited with status {status}\n"
        if response.stderr:
            return ""
        return f"hint: set -e ended the script at line {line}: a command exited with status {status}\n"


def _quoted(words: Sequence[str]) -> str:
    """A command line as in a script, cut if it is long."""
    text = shlex.join(words)
    return text if len(text) <= _LONGEST_COMMAND else f"{text[: _LONGEST_COMMAND - 1]}…"
