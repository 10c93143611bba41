"""The state that the tool calls of one execution share."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bashkit.errors import is_failure
from bashkit.tools.call.redaction import Secrets
from bashkit.tools.call.trace import ToolCall, Trace
from bashkit.tools.hints.missing import Told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bashkit.tools.analyze import Analysis
    from bashkit.tools.call.policy import Policy
    from bashkit.tools.define.definition import Errors, ToolDef, Validation


@dataclass(slots=True)
class CallContext:
    """The state that the tool calls of one execution share.

    Attributes:
        env: The content of ``args.env``: the declared environment and the secrets.
        secrets: The values to mask in scripts, traces and messages.
        trace: Where the calls are recorded.
        on_start: Called with every call before it runs.
        on_call: Called with every call when it has ended.
        on_progress: Called with a call and what it reports of its progress.
        on_error: Called with every exception of a callback and the record of its call.
        policy: Decides about every call before it runs; None for the default policy.
        hints: Whether scripts get hints about likely mistakes.
        validate_output: How an output that violates its schema is treated, unless the tool declares that itself.
        errors: What scripts read about exceptions, unless the tool declares that itself; see ``explained``.
        streams: Bytes of a call's input and output that its record keeps; 0 for none.
        counts: How often each tool was called.
        called: The called tools that declare an output schema, in the order of their last call.
        analyze: Finds out what a script may do, or None.
        script: The script that runs; "" if a call is made without one.
        told: What the script has been told of its mistakes.
    """

    env: Mapping[str, str] = field(default_factory=dict)
    secrets: Secrets = field(default_factory=Secrets)
    trace: Trace = field(default_factory=Trace)
    on_start: Callable[[ToolCall], None] | None = None
    on_call: Callable[[ToolCall], None] | None = None
    on_error: Callable[[ToolCall, BaseException], None] | None = None
    on_progress: Callable[[ToolCall, Mapping[str, Any]], None] | None = None
    policy: Policy | None = None
    hints: bool = True
    validate_output: Validation = "off"
    errors: Errors | None = None
    streams: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    started: float = field(default_factory=time.monotonic)
    called: dict[str, ToolDef] = field(default_factory=dict)
    analyze: Callable[[str], Analysis] | None = None
    script: str = ""
    told: Told = field(default_factory=Told)
    _analysis: tuple[str, Analysis] | None = None

    def analysis(self) -> Analysis | None:
        """What the script that runs may do."""
        if self.analyze is None or not self.script:
            return None
        if self._analysis is None or self._analysis[0] != self.script:
            self._analysis = self.script, self.analyze(self.script)
        return self._analysis[1]

    def begin(self, trace: Trace) -> None:
        """Reset the state for a new execution."""
        self.trace = trace
        self.counts.clear()
        self.called.clear()
        if self.told.outputs or self.told.runs:
            self.told = Told()
        self.started = time.monotonic()

    def announce(self, record: ToolCall) -> None:
        """Record and report that a call begins."""
        self.trace.add(record)
        if self.on_start is not None:
            _tell(self.on_start, record)

    def fail(self, record: ToolCall, error: BaseException) -> None:
        """Report an exception of a callback."""
        record.exception = error
        if self.on_error is not None:
            _tell(self.on_error, record, error)

    def report(self, record: ToolCall, progress: Mapping[str, Any]) -> None:
        """Report how far a call is."""
        if self.on_progress is not None:
            _tell(self.on_progress, record, progress)

    def end(self, record: ToolCall) -> None:
        """Report that a call has ended."""
        if self.on_call is not None:
            _tell(self.on_call, record)


def _tell(hook: Callable[..., object], *given: Any) -> None:
    """Call a hook of the host; if the hook fails, log that and let the script continue."""
    try:
        hook(*given)
    except BaseException as error:
        if not is_failure(error):
            raise
        import logging

        logging.getLogger("bashkit").exception("a hook of a scripted tool failed")
