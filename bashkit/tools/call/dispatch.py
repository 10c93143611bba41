"""Calls a tool with checked arguments: budget, policy, cache, retries, and the check of the result."""

from __future__ import annotations

import inspect
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from bashkit.errors import BashkitError, ToolError, is_failure
from bashkit.interp.runtime.tasks import running_task
from bashkit.tools.call.policy import PlannedCall, applicable
from bashkit.tools.call.redaction import explained
from bashkit.tools.call.retry import ResultCache
from bashkit.tools.call.streaming import AsyncFeed, Feed, Output, Streamed, Streaming
from bashkit.tools.define.result import PLAIN, ToolResult, convert, is_async_stream, is_stream, to_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.call.validation import OutputChecker
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.tools.define.definition import ToolDef

    # makes a callback's arguments from a deadline and a list that is filled when the result is no longer awaited
    Given = Callable[[float, list[bool]], tuple[Any, ...]]

T = TypeVar("T")


@runtime_checkable
class InShell(Protocol):
    """The protocol of a callback that works with the shell that calls it: its files, or the other tools."""

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None, /) -> ToolResult:
        """Run the callback and return its result.

        Args:
            process: The running command of the tool.
            args: Its arguments.
            timeout: Maximum seconds, or None.

        Raises:
            TimeoutError: It took too long.
            ToolError: The callback cannot run.
        """
        ...


def own_switches(callback: object) -> frozenset[str]:
    """Which of ``--help`` and ``--dry-run`` a callback handles itself, by its method of this name if it has one."""
    own: Callable[[], frozenset[str]] | None = getattr(callback, "own_switches", None)
    return frozenset() if own is None else own()


_TIMED_OUT = 124  # the status of timeout(1)
_NOT_ALLOWED = 126  # the status of bash for a command that is not executable
_SHOWN_COMPLAINTS = 5


class ToolDispatcher:
    """Calls one tool's callback.

    Args:
        definition: The tool.
        callback: Sync or async. A true attribute ``simulated`` says that it only stands in for one that has effects.
    """

    __slots__ = ("_callback", "_definition", "_in_shell", "_is_async", "_output", "_simulated", "cache")

    def __init__(self, definition: ToolDef, callback: Callable[..., Any]) -> None:
        self._definition = definition
        self._callback = callback
        self._in_shell: Callable[[Process, ToolArgs, float | None], ToolResult] | None = getattr(callback, "in_shell", None)
        self._is_async = any(map(inspect.iscoroutinefunction, (callback, type(callback).__call__)))
        self._simulated = bool(getattr(callback, "simulated", False))
        self._output: OutputChecker | None = None
        self.cache = ResultCache(definition.cache) if definition.cache is not None else None

    def call(
        self, process: Process, calls: CallContext, record: ToolCall, arguments: Any, stdin: str | None, given: Given
    ) -> ToolResult:
        """Return the result of a call, or the result of its refusal or failure; ``record`` says which.

        Raises:
            LimitExceededError: The call exceeds the script's own limits.
        """
        objection = self._objection(process, calls, record, arguments)
        if objection is not None:
            record.error = objection
            return ToolResult(stderr=_line(self._definition.name, objection), exit_code=_NOT_ALLOWED)
        if self.cache is None:
            return self._checked(self._attempts(process, calls, record, given), calls, record)
        key = self.cache.key(arguments, stdin)
        result = self.cache.get(key)
        if result is not None:
            record.cached = True
            return result
        result = self._checked(self._attempts(process, calls, record, given), calls, record)
        whole = result.whole if isinstance(result, Streamed) else result
        if whole is not None:
            self.cache.put(key, whole)
        return result

    def _objection(self, process: Process, calls: CallContext, record: ToolCall, arguments: Any) -> str | None:
        """Why the tool's budget or the policy forbids a call; None if they allow it."""
        definition = self._definition
        calls.counts[definition.name] += 1
        if definition.max_calls is not None and calls.counts[definition.name] > definition.max_calls:
            return f"called more than {definition.max_calls} times in one script"
        policy = applicable(calls.policy, definition.effects)
        if policy is None:
            return None
        planned = PlannedCall(definition.name, arguments, definition.effects, process.line, process.column, calls.analysis)
        try:
            objection: Callable[[], Any] = partial(policy.objection, planned, process.budget.pause, simulated=self._simulated)
            reason: str | None = process.system.call(objection)
        except BaseException as error:  # a policy that fails denies the call
            if not is_failure(error):
                raise
            calls.fail(record, error)
            return "the policy could not decide"
        return reason

    # -- calling -------------------------------------------------------------------------------------------------------

    def _attempts(self, process: Process, calls: CallContext, record: ToolCall, given: Given) -> ToolResult:
        retry = self._definition.retry
        while True:
            record.attempts += 1
            result, again = self._attempt(process, calls, record, given)
            if retry is None or record.attempts >= retry.attempts or isinstance(result, Streamed):
                return result
            if not again and result.exit_code not in retry.exit_codes:
                return result
            process.system.sleep(retry.wait(record.attempts))
            record.error, record.exception = "", None

    def _attempt(self, process: Process, calls: CallContext, record: ToolCall, given: Given) -> tuple[ToolResult, bool]:
        """Call the callback once. Return its result, or the result for its exception, and whether a retry may help."""
        timeout = self._definition.timeout
        deadline = min(process.budget.deadline, process.system.deadline)
        if timeout is not None:
            deadline = min(deadline, time.monotonic() + timeout)
        abandoned: list[bool] = []
        try:
            result, again = self._outcome(calls, record, lambda: self._started(process, given(deadline, abandoned), abandoned))
            if isinstance(result, (Feed, AsyncFeed)):
                return self._streamed(process, calls, record, result)
            return result, again
        finally:
            abandoned.append(True)

    def _outcome(self, calls: CallContext, record: ToolCall, produce: Callable[[], T]) -> tuple[T | ToolResult, bool]:
        """Return what the callback gives, or the result for its exception, and whether a retry may help."""
        definition = self._definition
        try:
            return produce(), False
        except ToolError as error:
            calls.fail(record, error)
            record.error = explained(error, None, calls.secrets)
            return ToolResult(error.stdout, _line(definition.name, record.error), error.exit_code, error.files), False
        except TimeoutError as error:
            calls.fail(record, error)
            record.error = f"timed out after {definition.timeout:g} s" if definition.timeout else "timed out"
            return ToolResult(stderr=_line(definition.name, record.error), exit_code=_TIMED_OUT), True
        except BaseException as error:
            if not is_failure(error):
                raise
            calls.fail(record, error)
            record.error = explained(error, definition.errors or calls.errors, calls.secrets)
            again = isinstance(error, Exception) and not isinstance(error, (BashkitError, TypeError))
            return ToolResult(stderr=_line(definition.name, record.error), exit_code=1), again

    def _started(self, process: Process, given: tuple[Any, ...], abandoned: list[bool]) -> ToolResult | Feed | AsyncFeed:
        """Call the callback and wait for its result, or for the iterator that gives it piece by piece.

        Raises:
            TimeoutError: It took too long.
            Exception: Any exception of the callback.
        """
        definition = self._definition
        timeout = definition.timeout
        if self._in_shell is not None:
            return self._in_shell(process, given[0], timeout)
        task = running_task()  # the threads of callbacks cannot ask

        def give(stream: Any) -> None:
            Feed(task, timeout, abandoned).give(stream)

        try:
            if definition.inline and not self._is_async:
                value = process.system.call(partial(self._callback, *given), inline=True, timeout=timeout)
            else:
                value = process.system.call(self._bound(given, give), inline=definition.inline, timeout=timeout)
            if is_stream(value):  # of a coroutine, or of an inline callback, whose threads must not wait for it
                process.system.call(partial(give, value))
        except Streaming as news:
            return news.feed
        return AsyncFeed(process, timeout, value) if is_async_stream(value) else convert(value)

    def _bound(self, given: tuple[Any, ...], give: Callable[[Any], None]) -> Callable[[], Any]:
        """Bind the arguments; a coroutine function stays one, so that it needs no thread."""
        callback = self._callback
        if self._is_async:

            async def awaited() -> Any:
                return await callback(*given)

            return awaited

        def called() -> Any:
            try:
                value = callback(*given)
            except KeyboardInterrupt as error:  # its own: that of the user comes to the main thread
                raise ToolError("the callback raised KeyboardInterrupt") from error
            if value.__class__ in PLAIN:
                return convert(value)
            if is_stream(value):
                return give(value)
            return value if hasattr(value, "__await__") or is_async_stream(value) else convert(value)

        return called

    def _streamed(
        self, process: Process, calls: CallContext, record: ToolCall, feed: Feed | AsyncFeed
    ) -> tuple[ToolResult, bool]:
        """Write the pieces of a result as they come. Return what ends it, and whether a retry may help."""
        output = Output(process, calls, record, keep=self.cache is not None)
        try:
            while True:
                piece, again = self._outcome(calls, record, feed.take)
                if piece is None:
                    return output.finish(), False
                if not record.error:  # one warning is enough
                    piece = self._checked(piece, calls, record)
                if not piece.exit_code:
                    output.write(piece)
                elif output.written:
                    output.finish()
                    return Streamed(piece.stdout, piece.stderr, piece.exit_code), False
                else:
                    return piece, again
        finally:
            feed.close()
            output.close()

    # -- what came back ------------------------------------------------------------------------------------------------

    def _checked(self, result: ToolResult, calls: CallContext, record: ToolCall) -> ToolResult:
        """Check a result, or an item of a stream, against the output schema; return it, or the failure if it does not match."""
        definition = self._definition
        mode = definition.validate_output or calls.validate_output
        if mode == "off" or definition.output_schema is None or result.exit_code or isinstance(result, Streamed):
            return result
        if self._output is None:
            from bashkit.tools.call.validation import OutputChecker

            self._output = OutputChecker(definition.output_schema)
        complaints = self._output.complaints(to_bytes(result.stdout).decode("utf-8", "surrogateescape"))
        if not complaints:
            return result
        record.error = "the output does not match its schema: " + "; ".join(complaints[:_SHOWN_COMPLAINTS])
        if mode == "error":
            return ToolResult(stderr=_line(definition.name, record.error), exit_code=1)
        note = _line(definition.name, f"warning: {record.error}").encode("utf-8", "surrogateescape")
        return replace(result, stderr=to_bytes(result.stderr) + note)


def _line(name: str, message: str) -> str:
    return f"{name}: {message}".rstrip() + "\n" if message else ""
