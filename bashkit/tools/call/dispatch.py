"""Calls a tool with checked arguments: budget, policy, cache, retries, and the check of the result."""

from __future__ import annotations

import inspect
import sys
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from bashkit.errors import BashkitError, LimitExceededError, ToolError
from bashkit.tools.call.policy import PlannedCall
from bashkit.tools.call.redaction import sanitized
from bashkit.tools.call.retry import ResultCache
from bashkit.tools.define.result import ToolResult, convert, to_bytes

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


@runtime_checkable
class InShell(Protocol):
    """The protocol of a callback that runs inside the interpreter: a script over the other tools."""

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


_TIMED_OUT = 124  # the status of timeout(1)
_NOT_ALLOWED = 126  # the status of bash for a command that is not executable
_SHOWN_COMPLAINTS = 5


class ToolDispatcher:
    """Calls one tool's callback.

    Args:
        definition: The tool.
        callback: Sync or async.
    """

    __slots__ = ("_callback", "_definition", "_in_shell", "_is_async", "_output", "cache")

    def __init__(self, definition: ToolDef, callback: Callable[..., Any]) -> None:
        self._definition = definition
        self._callback = callback
        self._in_shell: Callable[[Process, ToolArgs, float | None], ToolResult] | None = getattr(callback, "in_shell", None)
        self._is_async = any(map(inspect.iscoroutinefunction, (callback, type(callback).__call__)))
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
        self.cache.put(key, result)
        return result

    async def call_directly(self, *given: Any) -> ToolResult:
        """Call the callback outside of any script, without policy, cache and retries.

        Raises:
            Exception: Any exception of the callback.
            TypeError: The callback returned a value of an unsupported type.
        """
        value = self._callback(*given)
        if hasattr(value, "__await__"):
            value = await value
        return convert(value)

    def _objection(self, process: Process, calls: CallContext, record: ToolCall, arguments: Any) -> str | None:
        """Why the tool's budget or the policy forbids a call; None if they allow it."""
        definition, policy = self._definition, calls.policy
        calls.counts[definition.name] += 1
        if definition.max_calls is not None and calls.counts[definition.name] > definition.max_calls:
            return f"called more than {definition.max_calls} times in one script"
        if policy is None:
            return None
        planned = PlannedCall(definition.name, arguments, definition.effects, process.line, process.column)
        try:
            objection: Callable[[], Any] = partial(policy.objection, planned, process.budget.pause)
            reason: str | None = process.system.call(objection)
        except LimitExceededError:
            raise
        except Exception as error:  # a policy that fails denies the call
            calls.fail(record, error)
            return "the policy could not decide"
        return reason

    # -- calling -------------------------------------------------------------------------------------------------------

    def _attempts(self, process: Process, calls: CallContext, record: ToolCall, given: Given) -> ToolResult:
        retry = self._definition.retry
        while True:
            record.attempts += 1
            result, again = self._attempt(process, calls, record, given)
            if retry is None or record.attempts >= retry.attempts or not (again or result.exit_code in retry.exit_codes):
                return result
            process.system.sleep(retry.wait(record.attempts))
            record.error, record.exception = "", None

    def _attempt(self, process: Process, calls: CallContext, record: ToolCall, given: Given) -> tuple[ToolResult, bool]:
        """Call the callback once. Return its result, or the result for its exception, and whether a retry may help."""
        definition = self._definition
        deadline = min(process.budget.deadline, process.system.deadline)
        if definition.timeout is not None:
            deadline = min(deadline, time.monotonic() + definition.timeout)
        abandoned: list[bool] = []
        try:
            if self._in_shell is not None:
                return self._in_shell(process, given(deadline, abandoned)[0], definition.timeout), False
            value = process.system.call(
                self._bound(given(deadline, abandoned)), inline=definition.inline, timeout=definition.timeout
            )
            return convert(value), False
        except LimitExceededError:
            raise
        except ToolError as error:
            calls.fail(record, error)
            record.error = error.message
            return ToolResult(error.stdout, _line(definition.name, error.message), error.exit_code), False
        except TimeoutError as error:
            calls.fail(record, error)
            record.error = f"timed out after {definition.timeout:g} s" if definition.timeout else "timed out"
            return ToolResult(stderr=_line(definition.name, record.error), exit_code=_TIMED_OUT), True
        except _failures() as error:  # SystemExit in a callback must not end the host
            calls.fail(record, error)
            record.error = sanitized(error) if definition.sanitize else str(error) or type(error).__name__
            again = isinstance(error, Exception) and not isinstance(error, (BashkitError, TypeError))
            return ToolResult(stderr=_line(definition.name, record.error), exit_code=1), again
        finally:
            abandoned.append(True)

    def _bound(self, given: tuple[Any, ...]) -> Callable[[], Any]:
        """Bind the arguments; a coroutine function stays one, so that it needs no thread."""
        callback = self._callback
        if not self._is_async:
            return lambda: callback(*given)

        async def awaited() -> Any:
            return await callback(*given)

        return awaited

    # -- what came back ------------------------------------------------------------------------------------------------

    def _checked(self, result: ToolResult, calls: CallContext, record: ToolCall) -> ToolResult:
        """Check a result against the output schema; return it, or the failure if it does not match."""
        definition = self._definition
        mode = definition.validate_output or calls.validate_output
        if mode == "off" or definition.output_schema is None or result.exit_code:
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


def _failures() -> tuple[type[BaseException], ...]:
    """The exceptions of a callback. asyncio imports slowly, and code that can raise its exception has imported it already."""
    asyncio = sys.modules.get("asyncio")
    return (Exception, SystemExit) if asyncio is None else (Exception, SystemExit, asyncio.CancelledError)


def _line(name: str, message: str) -> str:
    return f"{name}: {message}".rstrip() + "\n" if message else ""
