"""ScriptRun: one execution of a script, its output and tool calls collected for a screen that looks now and then."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.errors import ScriptSyntaxError
from bashkit.syntax import Parser

if TYPE_CHECKING:
    from bashkit.tools import ToolCall, ToolStatus
    from bashkit.toolset import Toolset

_LONGEST = 100_000  # characters of a script that is checked at every key
_TRACED = 1_000  # calls that a table can show


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a script ended.

    Attributes:
        exit_code: Its exit status; None when it was cancelled.
        error: The category of what ended it, or None: ``parse``, ``timeout``, ``limit:<name>``, ``cancelled``, ``internal``.
        seconds: How long it ran.
        calls: How many tool calls it made.
    """

    exit_code: int | None
    error: str | None
    seconds: float
    calls: int


@dataclass(slots=True)
class ScriptRun:
    """One execution. A script may write faster than a screen can be drawn, so output and calls wait here to be taken.

    Attributes:
        toolset: What the script may call.
        script: Its text.
        chunks: Output that nobody has taken yet: stream and text.
        calls: The tool calls so far, in call order, as many as a table can show.
        called: How many there were.
        changed: The indexes of calls that began or ended since somebody looked.
    """

    toolset: Toolset
    script: str
    chunks: list[tuple[str, str]] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    called: int = 0
    changed: set[int] = field(default_factory=set)
    _indexes: dict[int, int] = field(default_factory=dict)
    _begin: float = 0.0

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
        tool = self.toolset.make_tool(on_start=self._started, on_call=self._ended, trace_capacity=_TRACED)
        response = await tool.execute_with_status(self.script, self._status)
        return Outcome(response.exit_code, response.error, self.seconds, self.called)

    def cancelled(self) -> Outcome:
        """The outcome of a run that its user ended."""
        return Outcome(None, "cancelled", self.seconds, self.called)

    def take(self) -> list[tuple[str, str]]:
        """The output since the last time; neighbours of the same stream in one piece."""
        pieces: list[tuple[str, list[str]]] = []
        for stream, text in self.chunks:
            if pieces and pieces[-1][0] == stream:
                pieces[-1][1].append(text)
            else:
                pieces.append((stream, [text]))
        self.chunks.clear()
        return [(stream, "".join(texts)) for stream, texts in pieces]

    def _status(self, status: ToolStatus) -> None:
        if status.output is not None:
            self.chunks.append((status.stream or "stdout", status.output))

    def _started(self, call: ToolCall) -> None:
        self.called += 1
        if len(self.calls) < _TRACED:
            self._indexes[id(call)] = len(self.calls)
            self.changed.add(len(self.calls))
            self.calls.append(call)

    def _ended(self, call: ToolCall) -> None:
        index = self._indexes.get(id(call))
        if index is not None and self.calls[index] is call:
            self.changed.add(index)


@dataclass(frozen=True, slots=True)
class SyntaxNote:
    """What bash would say about a script as far as it is typed.

    Attributes:
        message: In bash's words.
        line, column: One-based.
        incomplete: More text could make it right.
    """

    message: str
    line: int
    column: int
    incomplete: bool


def syntax_note(script: str) -> SyntaxNote | None:
    """What is wrong with the syntax of a script; None when nothing is, or when it is too long to tell at every key."""
    if len(script) > _LONGEST:
        return None
    parser = Parser(script, extglob="extglob" in script)  # ``shopt -s extglob`` would have been run by the time it matters
    try:
        parser.parse()
    except ScriptSyntaxError as error:
        return SyntaxNote(error.message, error.line, error.column, error.incomplete)
    if parser.needs_more():
        lines = script.split("\n")
        return SyntaxNote("here-document is not ended", len(lines), len(lines[-1]) + 1, incomplete=True)
    return None
