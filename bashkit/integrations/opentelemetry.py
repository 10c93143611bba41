"""OpenTelemetry: a span for every execution of a scripted tool, and a child span for every tool call.

Needs only ``opentelemetry-api``; without it nothing happens::

    tool = load("shop.yaml").make_tool()
    instrument(tool)

Spans are called ``execute_tool NAME``, of the whole script and of each call, and have the ``gen_ai.*`` attributes of the semantic
conventions (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/#execute-tool-span). Beside them they carry sizes,
statuses and positions; scripts and arguments only on request.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bashkit.tools import json_text
from bashkit.tools.json_text import clean, clean_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.execute.contract import ToolResponse
    from bashkit.tools.execute.scripted import ScriptedTool

_OPERATION = "execute_tool"
_LONGEST_SCRIPT = 4_096  # maximum characters of a script in an attribute


def instrument(tool: ScriptedTool, *, tracer: Any = None, arguments: bool = False) -> bool:
    """Trace a tool's executions and calls as spans; existing hooks keep working.

    Args:
        tool: The tool.
        tracer: An OpenTelemetry tracer; by default that of the global provider.
        arguments: Put scripts and arguments into attributes, too: they may hold personal data. Secrets are masked in arguments.

    Returns:
        Whether OpenTelemetry is installed; without it the tool is unchanged.
    """
    try:
        trace: Any = import_module("opentelemetry.trace")
        context: Any = import_module("opentelemetry.context")
    except ImportError:
        return False
    spans = _Spans(tool.name, tracer or trace.get_tracer("bashkit"), trace, context, arguments=arguments)
    tool.around = spans.around(tool.around)
    tool.on_start = _both(tool.on_start, spans.started)
    tool.on_call = _both(spans.ended, tool.on_call)
    return True


class _Spans:
    """The spans of one tool. Each call has its own context, so that spans started by its callback become children."""

    def __init__(self, name: str, tracer: Any, trace: Any, context: Any, *, arguments: bool) -> None:
        self._name = name
        self._tracer = tracer
        self._trace = trace
        self._context = context
        self._arguments = arguments
        self._open: dict[int, tuple[Any, Any]] = {}  # the span and token of each record, by the record's identity

    def around(self, outer: Callable[[str], Any] | None) -> Callable[[str], Any]:
        """The context manager around an execution, inside the previously configured one."""

        @contextmanager
        def scope(commands: str) -> Iterator[Callable[[ToolResponse], object]]:
            attributes = {**_conventional(self._name), "bashkit.script.characters": len(commands)}
            if self._arguments:
                attributes["gen_ai.tool.call.arguments"] = json_text.encode(clean_all({"commands": commands[:_LONGEST_SCRIPT]}))
            with self._tracer.start_as_current_span(f"{_OPERATION} {self._name}", attributes=attributes) as span:
                try:
                    with nullcontext() if outer is None else outer(commands) as also:

                        def tell(response: ToolResponse) -> None:
                            span.set_attribute("bashkit.exit_code", response.exit_code)
                            span.set_attribute("bashkit.calls", len(response.trace) + response.trace.dropped)
                            if response.error is not None:
                                self._fail(span, response.error, response.error)
                            if also is not None:
                                also(response)

                        yield tell
                except BaseException as error:  # a cancellation, too, of which the tracer would say nothing
                    self._fail(span, type(error).__name__, type(error).__name__)
                    raise

        return scope

    def started(self, call: ToolCall) -> None:
        """Start the span of a call."""
        attributes = {
            **_conventional(call.tool),
            "bashkit.line": call.line,
            "bashkit.column": call.column,
            "bashkit.stdin.bytes": call.stdin_bytes,
        }
        if call.pipeline is not None:
            attributes["bashkit.pipeline"] = call.pipeline
        if self._arguments:
            attributes["gen_ai.tool.call.arguments"] = json_text.encode(clean_all(call.arguments))
        span = self._tracer.start_span(f"{_OPERATION} {call.tool}", attributes=attributes)
        self._open[id(call)] = span, self._context.attach(self._trace.set_span_in_context(span))

    def ended(self, call: ToolCall) -> None:
        """End the span of a call."""
        span, token = self._open.pop(id(call), (None, None))
        if span is None:
            return
        self._context.detach(token)
        if call.exit_code is not None:
            span.set_attribute("bashkit.exit_code", call.exit_code)
        span.set_attribute("bashkit.stdout.bytes", call.stdout_bytes)
        span.set_attribute("bashkit.stderr.bytes", call.stderr_bytes)
        span.set_attribute("bashkit.attempts", call.attempts)
        span.set_attribute("bashkit.cached", call.cached)
        if call.exit_code != 0:
            self._fail(span, call.error or "ended by a limit", _kind(call))
        span.end()

    def _fail(self, span: Any, reason: str, kind: str) -> None:
        span.set_attribute("error.type", kind)
        span.set_status(self._trace.Status(self._trace.StatusCode.ERROR, clean(reason)))


def _conventional(name: str) -> dict[str, Any]:
    """What the semantic conventions want of the span of a tool."""
    return {"gen_ai.operation.name": _OPERATION, "gen_ai.tool.name": name, "gen_ai.tool.type": "function"}


def _kind(call: ToolCall) -> str:
    """What an error is called where errors are counted."""
    if call.exception is not None:
        return type(call.exception).__name__
    return "limit" if call.exit_code is None else f"exit status {call.exit_code}"


def _both(first: Callable[[ToolCall], None] | None, second: Callable[[ToolCall], None] | None) -> Callable[[ToolCall], None]:
    def hook(call: ToolCall) -> None:
        for one in (first, second):
            if one is not None:
                one(call)

    return hook
