"""A call that runs in a task of its own, so that it can outlive the request that has begun it while a person is asked."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from bashkit.errors import BashkitError
from bashkit.tools import json_text
from bashkit.tools.analyze import told

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.integrations.mcp.observers import Observed
    from bashkit.integrations.mcp.reports import Reports
    from bashkit.integrations.mcp.shell import Changes
    from bashkit.tools.call.policy import PlannedCall
    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.execute.contract import ToolStatus
    from bashkit.tools.offer import Answer

_MOST_TEXT = 2_000  # characters of the arguments in a question
_MOST_LINES = 20  # of what the whole script may do


class Question:
    """A question to a person, and the answer once it is there."""

    def __init__(self, planned: PlannedCall) -> None:
        self.planned = planned
        self.text = _question(planned)
        self.answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def settle(self, allowed: bool) -> bool:
        """Answer it, unless it is answered; return whether this was the answer."""
        if self.answer.done():
            return False
        self.answer.set_result(allowed)
        return True


class RunningCall:
    """A call of a client.

    Args:
        entry: The tool.
        arguments: Its arguments.
        reports: Where its progress goes.
        observed: What observers are told of it.
        asks: Whether the person behind the client can be asked.

    Attributes:
        tools: The names of the tools that were called so far, and whether each call has failed.
        answer: The answer, once there is one.
        changes: What it has done to the files of the session; None without a session.
    """

    def __init__(self, entry: Entry, arguments: dict[str, Any], reports: Reports, observed: Observed, *, asks: bool) -> None:
        self.entry = entry
        self.arguments = arguments
        self.reports = reports
        self.observed = observed
        self.began = time.monotonic()
        self.tools: list[tuple[str, bool]] = []
        self.answer: Answer | None = None
        self.changes: Changes | None = None
        self._asks = asks
        self._questions: asyncio.Queue[Question] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    # -- as a Caller ---------------------------------------------------------------------------------------------------

    def started(self, call: ToolCall) -> None:
        """Report that a tool is called."""
        self.reports.started(call)
        self.observed.started(call)

    def ended(self, call: ToolCall) -> None:
        """Report how a call has ended."""
        self.tools.append((call.tool, bool(call.error or call.exit_code)))
        self.reports.ended(call)
        self.observed.ended(call)

    @property
    def status(self) -> Callable[[ToolStatus], None] | None:
        """Where the progress of a script goes."""
        return self.reports.status if self.reports.wanted else None

    @property
    def approve(self) -> Callable[[PlannedCall], Awaitable[bool]] | None:
        """Asks the client and the observers; the first answer counts."""
        return self._approve if self._asks or self.observed.watched else None

    async def _approve(self, planned: PlannedCall) -> bool:
        if not self._asks and not self.observed.watched:  # those who could be asked when the script began have left
            return False
        question = Question(planned)
        with self.observed.asking(question, alone=not self._asks):
            if self._asks:
                self._questions.put_nowait(question)
            return await question.answer

    # -- the task ------------------------------------------------------------------------------------------------------

    def start(self, work: Callable[[], Coroutine[Any, Any, None]], ended: Callable[[], None]) -> None:
        """Begin; ``work`` finds the answer, and ``ended`` is called when nothing of the call runs any more."""
        self._task = asyncio.create_task(self._run(work))
        self._task.add_done_callback(lambda _: ended())

    async def _run(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        sending = asyncio.create_task(self.reports.send())
        try:
            await work()
            self.reports.finish()
            await sending
        finally:
            sending.cancel()

    async def next_question(self) -> Question | None:
        """Wait until the client must be asked; None if the call is over.

        Raises:
            BashkitError: The call was stopped.
            Exception: The call has failed in a way that is no answer.
        """
        assert self._task is not None
        asked = asyncio.ensure_future(self._open_question())
        try:
            await asyncio.wait({asked, self._task}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
            if self._task.cancelled():
                raise BashkitError("the call was ended because the server stops")
            self._task.result()
            return None
        finally:
            asked.cancel()

    async def _open_question(self) -> Question:
        """The next question that no observer has answered."""
        while (found := await self._questions.get()).answer.done():
            pass
        return found

    async def answer_question(self, question: Question, asking: Coroutine[Any, Any, bool]) -> None:
        """Answer a question as ``asking`` says, unless it is answered or the call ends before that."""
        assert self._task is not None
        asked = asyncio.ensure_future(asking)
        ends: set[asyncio.Future[Any]] = {asked, self._task, question.answer}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                question.settle(asked.result())
        finally:
            asked.cancel()

    async def stop(self) -> None:
        """End the call and all that it has begun; return when nothing of it runs."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})


def _question(planned: PlannedCall) -> str:
    try:
        arguments = json_text.encode(planned.arguments)
    except (TypeError, ValueError):
        arguments = str(planned.arguments)
    shown = arguments if len(arguments) <= _MOST_TEXT else f"{arguments[:_MOST_TEXT]}… ({len(arguments)} characters)"
    effects = f" Its effects are {planned.effects}." if planned.effects else ""
    return f"A script wants to call {planned.tool} with {shown}.{effects} Allow this call?{_rest(planned)}"


def _rest(planned: PlannedCall) -> str:
    """What else the script may do; "" if that is nothing."""
    script = planned.script
    lines = [] if script is None else list(told(script))
    if len(lines) < 2:
        return ""
    more = [f"… and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
    shown = [line if len(line) <= _MOST_TEXT else f"{line[:_MOST_TEXT]}…" for line in lines[:_MOST_LINES]]
    return "\n\n" + "\n".join(["The whole script may do this:", *shown, *more])
