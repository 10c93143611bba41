"""LangChain: every tool of a toolset as a StructuredTool."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import threading
from functools import cache
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError, ToolError
from bashkit.tools.call.policy import PlannedCall
from bashkit.tools.call.redaction import sanitized
from bashkit.tools.define import schema as json_schema
from bashkit.tools.define.arguments import ToolArgs
from bashkit.tools.define.result import ToolResult, convert, to_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.tools import StructuredTool

    from bashkit.tools.call.adapter import ToolAdapter
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.define.definition import ToolDef
    from bashkit.tools.execute.scripted import ScriptedTool
    from bashkit.toolset.toolset import Toolset

_MISSING = "langchain-core is missing: pip install 'bashkit-toolsets[langchain]' adds it"


def create_langchain_tools(toolset: Toolset | ScriptedTool) -> list[StructuredTool]:
    """The tools of a toolset, one StructuredTool each, under their own names.

    bashkit checks the arguments against the tool's JSON Schema and applies the policy. A failure raises a ToolException, whose
    text becomes the content of a message with the status ``error``. The asynchronous form never blocks the event loop: a
    synchronous callback runs in a thread. The synchronous form works inside a running loop, too. Every call is independent: the
    cache, retries and budgets of calls apply only to scripts.

    Args:
        toolset: The result of ``bashkit.load``, or a ScriptedTool.

    Raises:
        BashkitError: langchain-core is not installed.
        ToolsetError: A source of the toolset cannot be read.
    """
    from bashkit.tools.execute.scripted import ScriptedTool

    made = _tool_class()
    tool = toolset if isinstance(toolset, ScriptedTool) else toolset.tool
    tools: list[StructuredTool] = []
    for definition in tool.definitions:
        adapter = tool.adapter(definition.name)
        if adapter is None or definition.raw:
            continue  # it takes words, and has no schema for a model
        call = _Call(tool, adapter)
        tools.append(
            made(
                name=definition.name,
                description=definition.description or definition.name,
                args_schema=_arguments(definition),
                func=call.run,
                coroutine=call.arun,
                tags=list(definition.tags) or None,
                metadata=_about(definition),
                handle_tool_error=True,
            )
        )
    return tools


@cache
def _tool_class() -> type[StructuredTool]:
    """The class of the tools: a StructuredTool that passes the arguments as one object, so that they may have any names."""
    try:
        from langchain_core.tools import StructuredTool
    except ImportError:
        raise BashkitError(_MISSING) from None

    class ToolsetTool(StructuredTool):
        """A tool of a toolset."""

        def _parse_input(self, tool_input: str | dict[str, Any], tool_call_id: str | None) -> str | dict[str, Any]:
            # LangChain passes arguments by name, where one called "config" or "self" would be lost
            found = super()._parse_input(tool_input, tool_call_id)
            return found if isinstance(found, str) else {"params": found}

    return ToolsetTool


def _arguments(definition: ToolDef) -> dict[str, Any]:
    """The input schema in LangChain's form: of an object, with a title, a description and properties."""
    schema = json_schema.strict(dict(definition.input_schema))
    return {"title": definition.name, "description": definition.description, "type": "object", "properties": {}, **schema}


def _about(definition: ToolDef) -> dict[str, Any] | None:
    found = {"category": definition.category, "effects": definition.effects}
    return {key: value for key, value in found.items() if value} or None


class _Call:
    """The calls of one tool.

    Args:
        tool: The ScriptedTool whose environment, secrets and policy apply.
        adapter: The tool.
    """

    def __init__(self, tool: ScriptedTool, adapter: ToolAdapter) -> None:
        self._tool = tool
        self._adapter = adapter
        callback = adapter.callback
        self._is_async = any(map(inspect.iscoroutinefunction, (callback, type(callback).__call__)))

    def run(self, params: dict[str, Any]) -> str:
        """Call the tool from synchronous code.

        Raises:
            ToolException: The arguments are invalid, the policy denies the call, or the call fails.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(self.arun(params))
        return str(_Errand(lambda: asyncio.run(self.arun(params))).result())  # a loop is running in this thread

    async def arun(self, params: dict[str, Any]) -> str:
        """Call the tool.

        Raises:
            ToolException: As for ``run``.
        """
        from langchain_core.tools import ToolException

        calls = self._tool.calls()
        try:
            result = await self._result(params, calls)
        except ToolError as error:
            raise ToolException(calls.secrets.text(error.message) or "the tool failed") from error
        except Exception as error:
            text = str(error) if isinstance(error, BashkitError) or not self._adapter.definition.sanitize else sanitized(error)
            raise ToolException(calls.secrets.text(text) or type(error).__name__) from error
        stdout, stderr = (
            calls.secrets.bytes(to_bytes(stream)).decode("utf-8", "replace") for stream in (result.stdout, result.stderr)
        )
        if result.exit_code:
            raise ToolException(f"exit status {result.exit_code}: {(stderr or stdout).strip()}".rstrip(": "))
        return stdout

    async def _result(self, params: dict[str, Any], calls: CallContext) -> ToolResult:
        definition = self._adapter.definition
        problems = self._adapter.problems(params)
        if problems:
            raise ToolError("; ".join(problems))
        filled = self._adapter.fill(params)
        if self._tool.policy is not None:
            objection = await self._tool.policy.objection(PlannedCall(definition.name, filled, definition.effects))
            if objection is not None:
                raise ToolError(objection)
        try:
            return convert(await asyncio.wait_for(self._value(ToolArgs(filled, None, calls.env)), definition.timeout))
        except TimeoutError:
            raise ToolError(f"timed out after {definition.timeout:g} s" if definition.timeout else "timed out") from None

    async def _value(self, args: ToolArgs) -> Any:
        callback = self._adapter.callback
        value = callback(args) if self._is_async else await _Errand(lambda: callback(args)).awaited()
        return await value if inspect.isawaitable(value) else value


class _Errand:
    """Runs a blocking call in its own thread, with the context variables of its caller. The result need not be awaited.

    Args:
        work: The function to call.
    """

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._value: Any = None
        self._failure: BaseException | None = None
        self._done: Callable[[], None] = lambda: None
        self._thread = threading.Thread(
            target=contextvars.copy_context().run, args=(self._run,), name="bashkit-call", daemon=True
        )

    def _run(self) -> None:
        try:
            self._value = self._work()
        except BaseException as error:
            self._failure = error
        self._done()

    def result(self) -> Any:
        """Wait for the call; return its result or raise its exception."""
        self._thread.start()
        self._thread.join()
        return self._outcome()

    async def awaited(self) -> Any:
        """Like ``result``, without blocking the event loop."""
        loop = asyncio.get_running_loop()
        ended = asyncio.Event()

        def done() -> None:
            try:
                loop.call_soon_threadsafe(ended.set)
            except RuntimeError:
                pass  # the result is no longer awaited, and the loop is closed

        self._done = done
        self._thread.start()
        await ended.wait()
        return self._outcome()

    def _outcome(self) -> Any:
        if isinstance(self._failure, Exception):
            raise self._failure
        if self._failure is not None:  # SystemExit in a callback must not end the host
            raise ToolError(f"the callback ended with {type(self._failure).__name__}")
        return self._value
