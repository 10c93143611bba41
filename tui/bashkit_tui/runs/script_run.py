"""ScriptRun: one execution of a script, its output and tool calls buffered until the screen takes them."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit_tui.runs.run_mode import real_tools
from bashkit_tui.texts.formatting import grouped

if TYPE_CHECKING:
    from bashkit.bash import Bash
    from bashkit.fs import FileSystem
    from bashkit.tools import Policy, ToolCall, ToolStatus
    from bashkit.toolset import Toolset
    from bashkit_tui.runs.callback_output import CallbackOutput
    from bashkit_tui.runs.run_mode import Mode

TRACED = 1_000  # the most calls of a trace
_PENDING = 1_000_000  # the most characters of buffered output
_STREAM = 10_000_000  # the most bytes kept of a call's input and output
_STREAMS = 16_000_000  # the most characters kept of all calls together
_KEPT = 100_000  # the most characters of an output that the outcome keeps
_WRITING = ("write", "destructive")
_SHORT = 1_024  # the most characters of a stream beyond that


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a script ended.

    Attributes:
        exit_code: Its exit status; None when it was cancelled.
        error: What ended it, or None: ``parse``, ``timeout``, ``limit:<name>``, ``cancelled``, ``internal``.
        seconds: How long it ran.
        calls: The number of its tool calls.
        stdout, stderr: The first part of its output.
    """

    exit_code: int | None
    error: str | None
    seconds: float
    calls: int
    stdout: str = field(default="", repr=False)
    stderr: str = field(default="", repr=False)


@dataclass(slots=True)
class ScriptRun:
    """One execution. A script may write faster than the screen is drawn, so output and calls are buffered here.

    Attributes:
        toolset: The tools that the script can call.
        script: The text of the script.
        policy: The policy for its calls; None for the toolset's own.
        mode: The source of the calls' answers.
        stale: Whether the file of the toolset is broken now, and ``toolset`` its last good version.
        printed: Is told which calls are running; it has what their callbacks write to the standard streams of the process.
        chunks: The buffered output: pairs of stream and text.
        dropped: The number of characters before ``chunks`` that were dropped.
        calls: The tool calls so far, in call order, at most ``TRACED``.
        called: The number of all tool calls so far.
        wrote: Whether the real callback of a tool ran that declares to write.
        changed: The indexes of calls that began or ended since the screen last showed them.
        before: The files before the script; None until it begins.
        after: The files that the script works on.
    """

    toolset: Toolset
    script: str
    policy: Policy | None = None
    mode: Mode = "real"
    stale: bool = False
    printed: CallbackOutput | None = None
    chunks: deque[tuple[str, str]] = field(default_factory=deque)
    dropped: int = 0
    calls: list[ToolCall] = field(default_factory=list)
    called: int = 0
    wrote: bool = False
    changed: set[int] = field(default_factory=set)
    before: FileSystem | None = None
    after: FileSystem | None = None
    _writing: frozenset[str] = frozenset()
    _indexes: dict[int, int] = field(default_factory=dict)
    _begin: float = 0.0
    _pending: int = 0
    _streams: int = 0
    _first: dict[str, list[str]] = field(default_factory=dict)
    _written: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._begin = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return time.monotonic() - self._begin

    async def execute(self) -> Outcome:
        """Run the script to its end on the running event loop.

        Raises:
            asyncio.CancelledError: The task was cancelled; output and calls so far are kept.
        """
        real = real_tools(self.toolset, self.mode)
        self._writing = frozenset(tool.name for tool in self.toolset.tools if tool.effects in _WRITING) & real
        options = {} if self.policy is None else {"policy": self.policy}
        tool = self.toolset.make_tool(
            on_start=self._started,
            on_call=self._ended,
            on_shell=self._look,
            trace_capacity=TRACED,
            trace_streams=_STREAM,
            **options,
        )
        response = await tool.execute_with_status(self.script, self._status)
        return Outcome(response.exit_code, response.error, self.seconds, self.called, *self._heads())

    def ended_early(self, error: str) -> Outcome:
        """The outcome of a run that was cancelled or failed internally."""
        return Outcome(None, error, self.seconds, self.called, *self._heads())

    def _heads(self) -> list[str]:
        """The first part of standard output and of standard error."""
        found = []
        for stream in ("stdout", "stderr"):
            text, size = "".join(self._first.get(stream, ())), self._written.get(stream, 0)
            found.append(text if size <= _KEPT else f"{text[:_KEPT]}… ({grouped(size)} characters)")
        return found

    def take(self) -> tuple[list[tuple[str, str]], int]:
        """Take the buffered output, joined by stream, and the number of characters dropped before it."""
        pieces: list[tuple[str, list[str]]] = []
        for stream, text in self.chunks:
            if pieces and pieces[-1][0] == stream:
                pieces[-1][1].append(text)
            else:
                pieces.append((stream, [text]))
        dropped, self.dropped, self._pending = self.dropped, 0, 0
        self.chunks.clear()
        return [(stream, "".join(texts)) for stream, texts in pieces], dropped

    def _look(self, bash: Bash) -> None:
        from bashkit.errors import BashkitError
        from bashkit.runs.file_changes import files_of

        self.after = bash.fs
        try:
            self.before = files_of(bash)
        except BashkitError:  # a mounted file system cannot be copied
            self.before = None

    def _status(self, status: ToolStatus) -> None:
        if status.output is None:
            return
        text, stream = status.output, status.stream or "stdout"
        written = self._written.get(stream, 0)
        if written < _KEPT:
            self._first.setdefault(stream, []).append(text[: _KEPT - written])
        self._written[stream] = written + len(text)
        if len(text) > _PENDING:
            self.dropped += len(text) - _PENDING
            text = text[-_PENDING:]
        self.chunks.append((stream, text))
        self._pending += len(text)
        while self._pending > _PENDING:
            lost = len(self.chunks.popleft()[1])
            self._pending -= lost
            self.dropped += lost

    def _started(self, call: ToolCall) -> None:
        if self.printed is not None:
            self.printed.call_began(call)
        self.called += 1
        if len(self.calls) < TRACED:
            self._indexes[id(call)] = len(self.calls)
            self.changed.add(len(self.calls))
            self.calls.append(call)

    def _ended(self, call: ToolCall) -> None:
        if self.printed is not None:
            self.printed.call_ended(call)
        self.wrote = self.wrote or (call.tool in self._writing and call.attempts > 0 and not call.cached)
        index = self._indexes.get(id(call))
        if index is None or self.calls[index] is not call:
            return
        self.changed.add(index)
        for name in ("stdin", "stdout", "stderr"):
            text = getattr(call, name) or ""
            if self._streams > _STREAMS and len(text) > _SHORT:
                text = f"{text[:_SHORT]}… (the rest is not kept)"
                setattr(call, name, text)
            self._streams += len(text)
