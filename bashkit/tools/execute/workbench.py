"""Workbench: what the executions of a ScriptedTool use, one after the other: the state of their calls and the commands bound to it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bashkit.interp.runtime.control import CommandStatus
from bashkit.tools.call.adapter import command_line
from bashkit.tools.execute.truncation import cut

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bashkit.bash import Bash
    from bashkit.interp.utility.command import Command
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.call.trace import Trace
    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.tools.execute.queue import ExecutionQueue

    Scope = Callable[[str], AbstractContextManager[Callable[[ToolResponse], object] | None]]

_NOTHING: AbstractContextManager[None] = nullcontext()


@dataclass(slots=True)
class Workbench:
    """The surroundings of an execution; a fresh one is put back when the execution is over.

    Attributes:
        calls: The state of the calls.
        commands: The commands bound to it.
        spare: Where it is put back, or None when it belongs to a session.
        queue: The queue of the session, or None.
        around: Entered around every execution, or None.
        max_result_chars: Characters of output that the model gets, or None.
        kept: How many outputs the session keeps as files.
    """

    calls: CallContext
    commands: dict[str, Command]
    spare: list[Workbench] | None = None
    queue: ExecutionQueue | None = None
    around: Scope | None = None
    max_result_chars: int | None = None
    kept: int = 0

    def enter(self) -> None:
        """Wait for the turn."""
        if self.queue is not None:
            self.queue.take()

    async def enter_async(self) -> None:
        """Wait for the turn."""
        if self.queue is not None:
            await self.queue.take_async()

    def begin(self, trace: Trace) -> None:
        """The execution begins."""
        self.calls.begin(trace)

    def scope(self, commands: str) -> AbstractContextManager[Callable[[ToolResponse], object] | None]:
        """What is entered around it."""
        return _NOTHING if self.around is None else self.around(commands)

    def leave(self) -> None:
        """The execution is over."""
        if self.queue is not None:
            self.queue.give()
        elif self.spare is not None:
            self.spare.append(self)

    def conclude(self, response: ToolResponse, bash: Bash) -> ToolResponse:
        """The response with the hint that ``set -e`` calls for, and with an output that the model can read."""
        hint = self._left(response, bash) if self.calls.hints and bash.left is not None else ""
        most = self.max_result_chars
        if most is None or len(response.stdout) <= most:
            return replace(response, stderr=response.stderr + hint) if hint else response
        text = cut(response.stdout, most, self._keep(response.stdout, bash))
        return replace(response, stdout=text, stderr=response.stderr + hint, full_stdout=response.stdout)

    def _left(self, response: ToolResponse, bash: Bash) -> str:
        """Which call ended the script under ``set -e``."""
        line, status = bash.left or (0, 0)
        if isinstance(status, CommandStatus):
            text = self.calls.secrets.text(command_line(status.words))
            return f"hint: set -e ended the script at line {status.line}: {text} exited with status {status}\n"
        if response.stderr:
            return ""
        return f"hint: set -e ended the script at line {line}: a command exited with status {status}\n"

    def _keep(self, text: str, bash: Bash) -> str:
        """Put the whole output into a file of the session; its name, or "" where none is kept."""
        if self.queue is None:
            return ""
        self.kept += 1
        path = f"/tmp/stdout-{self.kept}.txt"  # noqa: S108 - virtual
        try:
            bash.fs.write_file(path, text)
        except OSError:  # the file system is full or switched off
            return ""
        return path
