"""Executions: one request in a shell of its own, and the part of a Tool that runs them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from bashkit.tools import contract
from bashkit.tools.contract import ToolRequest, ToolResponse, ToolStatus

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.bash import Bash, ExecResult
    from bashkit.tools.trace import Trace


class Execution:
    """Runs one request in a shell of its own.

    Args:
        bash: The shell.
        request: What to run, as a request or as plain text.
        trace: Where the tool calls were recorded.
        status: Told of progress, or None.
    """

    __slots__ = ("_bash", "_commands", "_status", "_trace")

    def __init__(
        self, bash: Bash, request: ToolRequest | str, trace: Trace, status: Callable[[ToolStatus], None] | None = None
    ) -> None:
        self._bash = bash
        self._commands = commands_of(request)
        self._trace = trace
        self._status = status

    async def run(self) -> ToolResponse:
        """Run on the caller's event loop."""
        self._begin()
        return self._end(await self._bash.execute(self._commands, on_output=self._output()))

    def run_sync(self) -> ToolResponse:
        """Run and wait; works with and without a running event loop."""
        self._begin()
        return self._end(self._bash.execute_sync(self._commands, on_output=self._output()))

    def _begin(self) -> None:
        if self._status is not None:
            for phase, percent in (("validate", 0.0), ("parse", 10.0), ("execute", 20.0)):
                self._status(ToolStatus(phase, percent_complete=percent))

    def _output(self) -> Callable[[str, str], None] | None:
        status = self._status
        if status is None:
            return None

        def report(stdout: str, stderr: str) -> None:
            if stdout:
                status(ToolStatus.stdout(stdout))
            if stderr:
                status(ToolStatus.stderr(stderr))

        return report

    def _end(self, result: ExecResult) -> ToolResponse:
        if self._status is not None:
            self._status(ToolStatus("complete", message=result.error, percent_complete=100.0))
        return ToolResponse(result.stdout, result.stderr, result.exit_code, result.error, self._trace)


def commands_of(request: ToolRequest | str) -> str:
    """The script of a request.

    Raises:
        TypeError: It is neither a request nor text.
    """
    commands = request.commands if isinstance(request, ToolRequest) else request
    if not isinstance(commands, str):
        raise TypeError(f"a request is a ToolRequest or text, not {type(commands).__name__}")
    return commands


class ScriptRunner(ABC):
    """What every tool that runs scripts has in common: versions, schemas, and the four ways to execute."""

    @abstractmethod
    def _execution(self, request: ToolRequest | str, status: Callable[[ToolStatus], None] | None = None) -> Execution:
        """A fresh shell for a request."""

    @property
    def version(self) -> str:
        """Version of the library."""
        return contract.version()

    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of a request."""
        return contract.input_schema()

    def output_schema(self) -> dict[str, Any]:
        """JSON Schema of a response."""
        return contract.output_schema()

    async def execute(self, request: ToolRequest | str) -> ToolResponse:
        """Run a script in a fresh shell."""
        return await self._execution(request).run()

    async def execute_with_status(self, request: ToolRequest | str, status_callback: Callable[[ToolStatus], None]) -> ToolResponse:
        """Run a script and report progress and output as it comes."""
        return await self._execution(request, status_callback).run()

    def execute_sync(self, request: ToolRequest | str) -> ToolResponse:
        """``execute`` for callers without an event loop."""
        return self._execution(request).run_sync()

    def execute_with_status_sync(self, request: ToolRequest | str, status_callback: Callable[[ToolStatus], None]) -> ToolResponse:
        """``execute_with_status`` for callers without an event loop."""
        return self._execution(request, status_callback).run_sync()
