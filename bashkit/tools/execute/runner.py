"""Runs one request in a shell, and provides the execution methods of a Tool."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, Self

from bashkit.host_options import observer
from bashkit.tools.call.cancellation import Cancellation
from bashkit.tools.execute import contract
from bashkit.tools.execute.contract import ToolRequest, ToolResponse, ToolStatus
from bashkit.tools.execute.hooks import ExecutionHooks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bashkit.bash import Bash, ExecResult
    from bashkit.bash.execution import Input
    from bashkit.tools.call.trace import Trace

_SOON = 0.01  # seconds
_CANCELLED = "bash: cancelled\n"
_NO_HOOKS = ExecutionHooks()


class ToolExecution:
    """Runs one request in a shell.

    Args:
        bash: The shell.
        request: What to run, as a request or as plain text.
        trace: Where the tool calls are recorded.
        status: Called with progress, or None.
        hooks: What the tool does around the execution.
        cancellation: Cancels it from outside, or None.

    Attributes:
        most: Maximum characters of standard output where the tool does not say how many; None for no limit.
    """

    __slots__ = ("_bash", "_cancellation", "_commands", "_hooks", "_lock", "_over", "_status", "_trace", "most")

    def __init__(
        self,
        bash: Bash,
        request: ToolRequest | str,
        trace: Trace,
        status: Callable[[ToolStatus], None] | None = None,
        hooks: ExecutionHooks = _NO_HOOKS,
        cancellation: Cancellation | None = None,
    ) -> None:
        self._bash = bash
        self._commands = commands_of(request)
        self._trace = trace
        self._status = status
        self._hooks = hooks
        if cancellation is not None and not isinstance(cancellation, Cancellation):
            raise TypeError(f"cancellation is a Cancellation, not {type(cancellation).__name__}")
        self._cancellation = cancellation
        self._lock = threading.RLock()
        self._over = False
        self.most: int | None = None

    async def run(self) -> ToolResponse:
        """Run on the caller's event loop."""
        hooks = self._hooks
        await hooks.enter_async()
        try:
            with self._cancellable(), hooks.scope(self._commands) as tell:
                self._begin()
                script = hooks.script(self._commands)
                response = self._end(self._called_off() or await self._bash.execute(script, on_output=self._output()))
                if tell is not None:
                    tell(response)
                return response
        finally:
            hooks.leave()

    def run_sync(self, *, stdin: Input = None, words: Sequence[str] | None = None, from_file: bool = False) -> ToolResponse:
        """Run and wait; works with and without a running event loop. For the arguments see ``Bash.execute``."""

        def execute(script: str) -> ExecResult:
            return self._called_off() or self._bash.execute_sync(
                script, stdin=stdin, on_output=self._output(), words=words, from_file=from_file
            )

        hooks = self._hooks
        hooks.enter()
        try:
            with self._cancellable(), hooks.scope(self._commands) as tell:
                self._begin()
                response = self._end(execute(hooks.script(self._commands)))
                if tell is not None:
                    tell(response)
                return response
        finally:
            hooks.leave()

    def _begin(self) -> None:
        self._hooks.begin(self._trace, self._status, self._bash)
        if self._status is not None:
            for phase, percent in (("validate", 0.0), ("parse", 10.0), ("execute", 20.0)):
                self._status(ToolStatus(phase, percent_complete=percent))

    @contextmanager
    def _cancellable(self) -> Iterator[None]:
        """Let the cancellation end this execution, and none that follows it in the same shell."""
        cancellation = self._cancellation
        if cancellation is None:
            yield
            return
        cancellation.add(self._cancel)
        try:
            yield
        finally:
            cancellation.discard(self._cancel)
            with self._lock:
                self._over = True

    def _cancel(self) -> None:
        with self._lock:
            if self._over:
                return
            self._bash.cancel()
            if not self._bash.running:  # the execution has not begun yet
                threading.Timer(_SOON, self._cancel).start()

    def _called_off(self) -> ExecResult | None:
        """The result of an execution that was cancelled before it began."""
        if self._cancellation is None or not self._cancellation.cancelled:
            return None
        from bashkit.bash import ExecResult
        from bashkit.bash.execution import STATUSES

        tell = self._output()
        if tell is not None:
            tell("", _CANCELLED)
        return ExecResult("", _CANCELLED, STATUSES["cancelled"], "cancelled")

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
        response = ToolResponse(result.stdout, result.stderr, result.exit_code, result.error, self._trace)
        response = self._hooks.conclude(response, self._bash, self.most)
        if self._status is not None:
            added = response.stderr[len(result.stderr) :]
            if added:
                self._status(ToolStatus.stderr(added))
            self._status(ToolStatus("complete", message=result.error, percent_complete=100.0))
        return response


def commands_of(request: ToolRequest | str) -> str:
    """The script of a request.

    Raises:
        TypeError: It is neither a request nor text.
    """
    commands = request.commands if isinstance(request, ToolRequest) else request
    if not isinstance(commands, str):
        hint = ": pass its 'commands'" if isinstance(commands, dict) else ""
        raise TypeError(f"a request must be a script (str) or a ToolRequest, not {type(commands).__name__}{hint}")
    return commands


class ScriptRunner(ABC):
    """The base of all tools that run scripts: version, schemas, and the four ways to execute."""

    @abstractmethod
    def _execution(
        self,
        request: ToolRequest | str,
        status: Callable[[ToolStatus], None] | None = None,
        cancellation: Cancellation | None = None,
    ) -> ToolExecution:
        """Make an execution of a request in a shell."""

    def __copy__(self) -> Self:
        """The same tool; see ``__deepcopy__``."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """The same tool: an agent that is copied has it as it has the same functions, with one session."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: callbacks and sessions belong to this process."""
        kind = type(self).__name__
        raise TypeError(f"a {kind} cannot be pickled: make it in the process that uses it; snapshot() of a persistent one can be")

    @property
    def version(self) -> str:
        """The version of the library."""
        return contract.version()

    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of a request."""
        return contract.input_schema()

    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of a response."""
        return contract.output_schema()

    async def execute(self, request: ToolRequest | str, *, cancellation: Cancellation | None = None) -> ToolResponse:
        """Run a script.

        Args:
            request: The script.
            cancellation: Cancels it from outside; its output so far is kept.
        """
        return await self._execution(request, None, cancellation).run()

    async def execute_with_status(
        self,
        request: ToolRequest | str,
        status_callback: Callable[[ToolStatus], None],
        *,
        cancellation: Cancellation | None = None,
    ) -> ToolResponse:
        """Run a script and report progress and output as it comes."""
        return await self._execution(request, observer("status_callback", status_callback), cancellation).run()

    async def execute_for_model(
        self, request: ToolRequest | str, status_callback: Callable[[ToolStatus], None] | None, most: int
    ) -> ToolResponse:
        """Run a script for a model that reads the response.

        Args:
            request: The script.
            status_callback: Told of progress and output; None if nobody is.
            most: Maximum characters of standard output, unless the tool says how many: the middle of a longer one is cut out, and
                a session has the whole in a file.
        """
        execution = self._execution(request, None if status_callback is None else observer("status_callback", status_callback))
        execution.most = most
        return await execution.run()

    def execute_sync(self, request: ToolRequest | str, *, cancellation: Cancellation | None = None) -> ToolResponse:
        """``execute`` for callers without an event loop."""
        return self._execution(request, None, cancellation).run_sync()

    def execute_with_status_sync(
        self,
        request: ToolRequest | str,
        status_callback: Callable[[ToolStatus], None] | None,
        *,
        cancellation: Cancellation | None = None,
        stdin: Input = None,
        words: Sequence[str] | None = None,
        from_file: bool = False,
    ) -> ToolResponse:
        """``execute_with_status`` for callers without an event loop.

        Args:
            request: The script.
            status_callback: Told of progress and output; None if nobody is.
            cancellation: Cancels it from outside; its output so far is kept.
            stdin: Standard input of the script; see ``Bash.execute``.
            words: The script's name and arguments; likewise.
            from_file: Whether it is the text of a file; likewise.
        """
        told = None if status_callback is None else observer("status_callback", status_callback)
        return self._execution(request, told, cancellation).run_sync(stdin=stdin, words=words, from_file=from_file)
