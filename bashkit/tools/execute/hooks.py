"""ExecutionHooks: what a tool does around an execution of its own accord."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

from bashkit.tools.execute.truncation import shorten

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bashkit.bash import Bash
    from bashkit.tools.call.trace import Trace
    from bashkit.tools.execute.contract import ToolResponse, ToolStatus

NOTHING_AROUND: AbstractContextManager[None] = nullcontext()


class ExecutionHooks:
    """The hooks around an execution in a fresh shell, which has no turn to wait for and nothing to prepare."""

    __slots__ = ()

    def enter(self) -> None:
        """Wait for the execution's turn."""

    async def enter_async(self) -> None:
        """Wait for the execution's turn."""

    def begin(self, trace: Trace, status: Callable[[ToolStatus], None] | None, bash: Bash) -> None:
        """Prepare the state when the execution begins, whose turn it is.

        Args:
            trace: Where its calls are recorded.
            status: Called with its progress, or None.
            bash: Its shell.
        """

    def script(self, commands: str) -> str:
        """What the shell runs for a request."""
        return commands

    def scope(self, commands: str) -> AbstractContextManager[Callable[[ToolResponse], object] | None]:  # noqa: ARG002 - for others
        """The context manager around the execution; if it yields a function, that is called with the response."""
        return NOTHING_AROUND

    def conclude(self, response: ToolResponse, bash: Bash, most: int | None) -> ToolResponse:  # noqa: ARG002 - for others
        """Turn the response into the caller's response, whose standard output has at most that many characters unless the tool
        says how many.
        """
        return shorten(response, most)

    def leave(self) -> None:
        """Clean up when the execution is over, however it ended."""
