"""From a ToolDef and its callback to a command of the shell."""

from __future__ import annotations

import inspect
import time
from asyncio import CancelledError
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from bashkit.errors import LimitExceededError, ToolError
from bashkit.interp.command import Arguments, Command
from bashkit.tools import json_text
from bashkit.tools.arguments import ToolArgs
from bashkit.tools.flags import FlagReader
from bashkit.tools.help import tool_help
from bashkit.tools.notation import usage
from bashkit.tools.policy import PlannedCall
from bashkit.tools.redaction import Secrets, sanitized
from bashkit.tools.result import ToolResult, convert, to_bytes
from bashkit.tools.trace import ToolCall, Trace, keepable
from bashkit.tools.validation import ArgumentChecker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.interp.process import Process
    from bashkit.tools.definition import ToolDef
    from bashkit.tools.policy import Policy

_USAGE = 2  # exit status of a command line that the schema refuses
_TIMED_OUT = 124  # as timeout(1)
_LARGE = 32_768  # characters of a command line
_NOT_ALLOWED = 126  # as a command that may not be executed


@dataclass(slots=True)
class Calls:
    """What the tool calls of one execution have in common.

    Attributes:
        env: What ``args.env`` holds: the declared environment and the secrets.
        secrets: What no script, trace or message may show.
        trace: Where the calls are recorded.
        on_start: Told of every call before it runs.
        on_call: Told of every call when it has ended.
        on_error: Told of every exception that a callback raised, with the record of the call.
        policy: Looks at every call before it runs, or None.
        counts: How often each tool was called.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    secrets: Secrets = field(default_factory=Secrets)
    trace: Trace = field(default_factory=Trace)
    on_start: Callable[[ToolCall], None] | None = None
    on_call: Callable[[ToolCall], None] | None = None
    on_error: Callable[[ToolCall, BaseException], None] | None = None
    policy: Policy | None = None
    counts: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)


class ToolAdapter:
    """A tool as the shell sees it: reads flags, validates, calls, writes.

    Args:
        definition: The tool.
        callback: ``(args: ToolArgs)``, or ``(args: list[str], stdin: str | None)`` when the definition is raw; sync or async.
    """

    __slots__ = ("_callback", "_checker", "_is_async", "_reader", "definition")

    def __init__(self, definition: ToolDef, callback: Callable[..., Any]) -> None:
        self.definition = definition
        self._callback = callback
        self._is_async = any(map(inspect.iscoroutinefunction, (callback, type(callback).__call__)))
        self._reader = FlagReader(definition.input_schema)
        self._checker = ArgumentChecker(definition.input_schema)

    def command(self, calls: Calls) -> Command:
        """The command for one execution."""

        def run(process: Process, arguments: Arguments) -> int:
            return self._run(process, arguments.operands, calls)

        words = usage(self.definition).partition(" ")[2]
        summary = " ".join(self.definition.description.split())
        return Command(self.definition.name, run, words, summary, options=None, usage_status=_USAGE)

    def _run(self, process: Process, words: list[str], calls: Calls) -> int:
        if self.definition.raw:
            stdin = self._stdin(process)
            return self._invoke(process, calls, words, stdin, (list(words), stdin))
        switches = _switches(words, self.definition.input_schema)
        if "--help" in switches or words == ["-h"]:
            process.stdout.write(to_bytes(tool_help(self.definition)))
            return 0
        dry = "--dry-run" in switches
        stdin = self._stdin(process)
        params, problems, warnings = self._prepared(process, [word for word in words if not dry or word != "--dry-run"], stdin)
        for warning in warnings:
            self._say(process, f"warning: {warning}")
        if problems:
            return self._refuse(process, problems)
        if dry:
            process.stdout.write(to_bytes(json_text.encode(params) + "\n"))
            return 0
        return self._invoke(process, calls, params, stdin, (ToolArgs(params, stdin, calls.env),))

    def _prepared(self, process: Process, words: list[str], stdin: str | None) -> tuple[dict[str, Any], list[str], list[str]]:
        """Parameters, problems and warnings of a command line. A large one is read in a thread: a time limit must reach it."""
        sources = [*words, stdin or ""] if self.definition.stdin == "json" else words
        for text in sources:
            process.budget.words(text.count(","))
        if sum(map(len, sources)) < _LARGE:
            return self._read(words, stdin)
        return process.system.call(partial(self._read, words, stdin))

    def _read(self, words: list[str], stdin: str | None) -> tuple[dict[str, Any], list[str], list[str]]:
        reading = self._reader.read(words)
        problems = list(reading.problems)
        params = self._checker.fill(self._merged(reading.params, stdin, problems))
        return params, problems or self._checker.problems(params), reading.warnings

    def problems(self, params: Mapping[str, Any]) -> list[str]:
        """What is wrong with arguments that came as JSON rather than as flags."""
        return self._checker.problems(self._checker.fill(params))

    async def call(self, params: Mapping[str, Any], calls: Calls, stdin: str | None = None) -> ToolResult:
        """Call the tool with JSON arguments, already checked, outside of any script.

        Raises:
            Exception: Whatever the callback raises.
            TypeError: The callback returned what is no result.
        """
        value = self._callback(ToolArgs(self._checker.fill(params), stdin, calls.env))
        if hasattr(value, "__await__"):
            value = await value
        return convert(value)

    def _stdin(self, process: Process) -> str | None:
        """What was piped into this very command; a surrounding ``while read`` loop keeps its own input."""
        if not self.definition.stdin or not getattr(process, "piped", True):
            return None
        data = process.stdin.read_all()
        process.budget.string(len(data))
        return data.decode("utf-8", "surrogateescape")

    def _merged(self, params: dict[str, Any], stdin: str | None, problems: list[str]) -> dict[str, Any]:
        if self.definition.stdin != "json" or not (stdin or "").strip():
            return params
        given = json_text.decode_object(stdin or "")
        if given is None:
            problems.append("standard input: expected a JSON object of parameters")
            return params
        return {**given, **params}

    def _say(self, process: Process, message: str) -> None:
        process.stderr.write(to_bytes(f"{self.definition.name}: {message}\n"))

    def _refuse(self, process: Process, problems: list[str]) -> int:
        for problem in problems:
            self._say(process, problem)
        process.stderr.write(to_bytes(f"usage: {usage(self.definition)}\n"))
        return _USAGE

    def _invoke(self, process: Process, calls: Calls, arguments: Any, stdin: str | None, given: tuple[Any, ...]) -> int:
        """Call the callback with ``given``, record the call, and write what it gives."""
        definition = self.definition
        record = ToolCall(
            tool=definition.name,
            line=process.line,
            column=process.column,
            arguments=calls.secrets.data(keepable(arguments)),
            started=time.monotonic() - calls.started,
            pipeline=getattr(process, "pipeline", None),
            stdin_bytes=len(to_bytes(stdin or "")),
        )
        calls.trace.add(record)
        if calls.on_start is not None:
            calls.on_start(record)
        begin = time.monotonic()
        try:
            result = self._objected(process, calls, record, arguments) or self._outcome(process, record, given)
            stdout = calls.secrets.bytes(to_bytes(result.stdout))
            stderr = calls.secrets.bytes(to_bytes(result.stderr))
            record.stdout_bytes, record.stderr_bytes, record.exit_code = len(stdout), len(stderr), result.exit_code & 255
            record.error = calls.secrets.text(record.error)
        finally:  # a call that a limit or a cancellation ends has a record too
            record.duration = time.monotonic() - begin
            if record.exception is not None and calls.on_error is not None:
                calls.on_error(record, record.exception)
            if calls.on_call is not None:
                calls.on_call(record)
        if stderr:
            process.stderr.write(stderr)
        if stdout:
            process.stdout.write(stdout)
        return record.exit_code

    def _objected(self, process: Process, calls: Calls, record: ToolCall, arguments: Any) -> ToolResult | None:
        """What becomes of a call that the tool's budget or the policy does not allow; None when they do."""
        definition, policy = self.definition, calls.policy
        calls.counts[definition.name] += 1
        reason: str | None = None
        if definition.max_calls is not None and calls.counts[definition.name] > definition.max_calls:
            reason = f"called more than {definition.max_calls} times in one script"
        elif policy is not None:
            planned = PlannedCall(definition.name, arguments, definition.effects, process.line, process.column)
            objection: Callable[[], Any] = partial(policy.objection, planned)
            try:
                reason = process.system.call(objection)
            except LimitExceededError:
                raise
            except Exception as error:  # a policy that fails allows nothing
                record.exception, reason = error, "the policy could not decide"
        if reason is None:
            return None
        record.error = reason
        return ToolResult(stderr=_line(definition.name, reason), exit_code=_NOT_ALLOWED)

    def _outcome(self, process: Process, record: ToolCall, given: tuple[Any, ...]) -> ToolResult:
        """The callback's result, or what its exception becomes."""
        definition = self.definition
        try:
            return convert(process.system.call(self._bound(given), inline=definition.inline, timeout=definition.timeout))
        except LimitExceededError:
            raise
        except ToolError as error:
            record.exception, record.error = error, error.message
            return ToolResult(stderr=_line(definition.name, error.message), exit_code=error.exit_code)
        except TimeoutError as error:
            record.exception = error
            record.error = f"timed out after {definition.timeout:g} s" if definition.timeout else "timed out"
            return ToolResult(stderr=_line(definition.name, record.error), exit_code=_TIMED_OUT)
        except (Exception, SystemExit, CancelledError) as error:  # a callback ends itself, not the host
            record.exception = error
            record.error = sanitized(error) if definition.sanitize else str(error) or type(error).__name__
            return ToolResult(stderr=_line(definition.name, record.error), exit_code=1)

    def _bound(self, given: tuple[Any, ...]) -> Callable[[], Any]:
        """The call without arguments; a coroutine function stays one, so that no thread is needed for it."""
        callback = self._callback
        if not self._is_async:
            return lambda: callback(*given)

        async def awaited() -> Any:
            return await callback(*given)

        return awaited


def _line(name: str, message: str) -> str:
    return f"{name}: {message}".rstrip() + "\n" if message else ""


def _switches(words: list[str], input_schema: Mapping[str, Any]) -> set[str]:
    """Which of ``--help`` and ``--dry-run`` are on a command line as words of their own and no parameters of the tool."""
    before = words[: words.index("--")] if "--" in words else words
    taken = {f"--{name}" for name in input_schema.get("properties", ())} | {
        f"--{name.replace('_', '-')}" for name in input_schema.get("properties", ())
    }
    return ({"--help", "--dry-run"} & set(before)) - taken
