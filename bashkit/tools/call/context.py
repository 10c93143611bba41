"""What the tool calls of one execution have in common."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.tools.call.redaction import Secrets
from bashkit.tools.call.trace import ToolCall, Trace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bashkit.tools.call.adapter import ToolAdapter
    from bashkit.tools.call.policy import Policy
    from bashkit.tools.define.definition import ToolDef, Validation
    from bashkit.tools.execute.contract import ToolResponse


@dataclass(slots=True)
class CallContext:
    """What the tool calls of one execution have in common.

    Attributes:
        env: What ``args.env`` holds: the declared environment and the secrets.
        secrets: What no script, trace or message may show.
        trace: Where the calls are recorded.
        on_start: Told of every call before it runs.
        on_call: Told of every call when it has ended.
        on_error: Told of every exception that a callback raised, with the record of the call.
        policy: Looks at every call before it runs, or None.
        hints: Whether the script is told what it may have meant.
        validate_output: What becomes of an output that does not match its schema, unless the tool says so itself.
        streams: Bytes of what a call is fed and of what it writes that its record keeps; 0 for nothing of it.
        counts: How often each tool was called.
        called: The tools that were called and declare an output schema, the last one last.
        direct: Calls a tool with JSON arguments and standard input in a shell of its own, or None.
        hinted: The hint about a field that is not there was given.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    secrets: Secrets = field(default_factory=Secrets)
    trace: Trace = field(default_factory=Trace)
    on_start: Callable[[ToolCall], None] | None = None
    on_call: Callable[[ToolCall], None] | None = None
    on_error: Callable[[ToolCall, BaseException], None] | None = None
    policy: Policy | None = None
    hints: bool = True
    validate_output: Validation = "off"
    streams: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)
    called: dict[str, ToolDef] = field(default_factory=dict)
    direct: Callable[[ToolAdapter, Mapping[str, Any], str | None], Awaitable[ToolResponse]] | None = None
    hinted: bool = False

    def begin(self, trace: Trace) -> None:
        """A new execution: nothing has been called yet."""
        self.trace = trace
        self.counts.clear()
        self.called.clear()
        self.hinted = False
        self.started = time.monotonic()

    def announce(self, record: ToolCall) -> None:
        """A call begins."""
        self.trace.add(record)
        if self.on_start is not None:
            _tell(self.on_start, record)

    def fail(self, record: ToolCall, error: BaseException) -> None:
        """A callback raised."""
        record.exception = error
        if self.on_error is not None:
            _tell(self.on_error, record, error)

    def end(self, record: ToolCall) -> None:
        """A call has ended."""
        if self.on_call is not None:
            _tell(self.on_call, record)


def _tell(hook: Callable[..., object], *given: Any) -> None:
    """Call a hook of the host; one that fails is logged and disturbs no script."""
    try:
        hook(*given)
    except Exception:
        import logging

        logging.getLogger("bashkit").exception("a hook of a scripted tool failed")
