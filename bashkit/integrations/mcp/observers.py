"""Observers: who follows the calls of a server as they happen, and may answer what they ask.

Events are texts of JSON. Each observer has a queue with an end; one that reads too slowly loses what waits and gets the state
anew, so that it never holds a call up. Without observers no event is made.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bashkit.integrations.mcp.endings import ending
from bashkit.tools import json_text
from bashkit.tools.call.redaction import Secrets
from bashkit.tools.call.trace import keepable
from bashkit.tools.json_text import clean_all
from bashkit.tools.offer.offered import COMMANDS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from bashkit.integrations.mcp.catalog import Entry
    from bashkit.integrations.mcp.running import Question
    from bashkit.tools.call.trace import ToolCall
    from bashkit.tools.offer import Answer

MOST = 32  # observers of one client's calls at the same time
_MOST_EVENTS = 2_000  # that wait for one observer
_MOST_CHARACTERS = 4_000_000  # of all of them together
_MOST_TEXT = 20_000  # characters of a script or an output
_MOST_ARGUMENTS = 20_000  # characters of arguments as JSON
_CALLS = 1_000  # calls of one script that are told
_PATIENCE = 600.0  # seconds that a question waits which only observers can answer
ALIVE = 15.0  # seconds between two signs of life


class Observer:
    """Reads events.

    Args:
        observers: Where it belongs.
        owner: Whose calls it follows.
    """

    def __init__(self, observers: Observers, owner: str) -> None:
        self.owner = owner
        self._observers = observers
        self._waiting: deque[str] = deque()
        self._size = 0
        self._news = asyncio.Event()
        self._lost = 0
        self._behind = True  # the state comes before any further event

    def put(self, event: str) -> None:
        """Add an event, or drop all that wait if there are too many."""
        self._news.set()
        if self._behind:
            return
        self._waiting.append(event)
        self._size += len(event)
        if len(self._waiting) > _MOST_EVENTS or self._size > _MOST_CHARACTERS:
            self._lost = len(self._waiting)
            self._waiting.clear()
            self._size, self._behind = 0, True

    def close(self) -> None:
        """Let ``events`` end."""
        self._observers.detach(self)
        self._news.set()

    async def events(self) -> AsyncIterator[str]:
        """The state, and then every event; "" as a sign of life."""
        while self in self._observers:
            self._news.clear()  # before the look at what there is, so that none is missed
            if self._behind:
                self._behind = False
                for event in self._observers.state(self.owner, self._lost):
                    yield event
            while self._waiting:
                event = self._waiting.popleft()
                self._size -= len(event)
                yield event
            try:
                async with asyncio.timeout(ALIVE):
                    await self._news.wait()
            except TimeoutError:
                yield ""


class Observers:
    """The observers of a server.

    Attributes:
        told: What the first event says of the server.
    """

    def __init__(self) -> None:
        self.told: dict[str, Any] = {}
        self._observers: tuple[Observer, ...] = ()  # replaced and never changed: other threads read it
        self._running: dict[str, Observed] = {}

    def __contains__(self, observer: Observer) -> bool:
        return observer in self._observers

    def attach(self, owner: str) -> Observer | None:
        """A new observer of the calls of ``owner``; None if there is no room."""
        if sum(other.owner == owner for other in self._observers) >= MOST:
            return None
        observer = Observer(self, owner)
        self._observers += (observer,)
        return observer

    def detach(self, observer: Observer) -> None:
        """Tell an observer no more; a question that nobody is left to answer is refused."""
        self._observers = tuple(other for other in self._observers if other is not observer)
        if not self.watching(observer.owner):
            for observed in self._running.values():
                if observed.owner == observer.owner:
                    observed.left()

    def close(self) -> None:
        """Let all of them go."""
        for observer in self._observers:
            observer.close()

    def watching(self, owner: str) -> bool:
        """Whether anybody follows the calls of ``owner``."""
        return any(observer.owner == owner for observer in self._observers)

    def answer(self, owner: str, question: str, *, allow: bool) -> bool:
        """Answer a question; return False if no call of ``owner`` waits for it."""
        return any(observed.owner == owner and observed.answer(question, allow=allow) for observed in self._running.values())

    def state(self, owner: str, lost: int) -> list[str]:
        """The events that say what is so now."""
        running = [observed for observed in self._running.values() if observed.owner == owner]
        hello = self.told | {"now": time.time(), "lost": lost, "running": [observed.key for observed in running]}
        return [_event("hello", hello), *(event for observed in running for event in observed.state())]

    def tell(self, owner: str, event: str) -> None:
        """Add an event to the queues of the observers of ``owner``."""
        for observer in self._observers:
            if observer.owner == owner:
                observer.put(event)

    @contextmanager
    def following(self, observed: Observed) -> Iterator[None]:
        """Have a call among those that run, during the block."""
        self._running[observed.key] = observed
        observed.began()
        try:
            yield
        finally:
            del self._running[observed.key]


class Observed:
    """A call of a client, as its observers see it.

    Args:
        observers: The observers of the server.
        owner: Whose call it is.
        entry: The tool.
        arguments: Its arguments.
    """

    def __init__(self, observers: Observers, owner: str, entry: Entry, arguments: dict[str, Any]) -> None:
        self.owner = owner
        self.key = secrets.token_urlsafe(9)
        self.session = ""
        self._observers = observers
        self._entry = entry
        self._arguments = arguments
        self._loop = asyncio.get_running_loop()
        self._began = time.time()
        self._numbers: dict[int, int] = {}  # of the tool calls, by identity
        self._called = 0
        self._questions: dict[str, tuple[Question, bool]] = {}

    @property
    def watched(self) -> bool:
        """Whether anybody is told of it."""
        return self._observers.watching(self.owner)

    # -- what is told --------------------------------------------------------------------------------------------------

    def began(self) -> None:
        """Tell that the call has begun."""
        if self.watched:
            self._observers.tell(self.owner, self._beginning())

    def started(self, call: ToolCall) -> None:
        """Tell that a tool is called. May come from any thread, as ``ended``."""
        self._called += 1
        if self._called <= _CALLS:
            self._numbers[id(call)] = self._called
        self._tell_call(call)

    def ended(self, call: ToolCall) -> None:
        """Tell how a tool's call has ended."""
        self._tell_call(call)
        self._numbers.pop(id(call), None)

    def over(self, answer: Answer | None, seconds: float, calls: int) -> None:
        """Tell how the call has ended; without an answer it was ended from outside."""
        if not self.watched:
            return
        code, error = ending(answer)
        said: dict[str, Any] = {"calls": calls, "seconds": round(seconds, 6), "exit_code": code, "error": error}
        if answer is not None and answer.response is None:
            said["stderr"] = self._text(answer.text)
        elif answer is not None and answer.response is not None:
            said |= {"stdout": self._text(answer.response.stdout), "stderr": self._text(answer.response.stderr)}
        self._observers.tell(self.owner, _event("ended", {"call": self.key} | said))

    @contextmanager
    def asking(self, question: Question, *, alone: bool) -> Iterator[None]:
        """Have observers answer a question, during the block.

        Args:
            question: The question.
            alone: Nobody else can answer it.
        """
        key = secrets.token_urlsafe(18)
        self._questions[key] = question, alone
        alarm = self._loop.call_later(_PATIENCE, question.settle, False) if alone else None
        self._observers.tell(self.owner, self._question(key, question))
        try:
            yield
        finally:
            del self._questions[key]
            if alarm is not None:
                alarm.cancel()
            allowed = question.answer.result() if question.answer.done() and not question.answer.cancelled() else None
            self._observers.tell(self.owner, _event("answered", {"call": self.key, "question": key, "allowed": allowed}))

    def answer(self, key: str, *, allow: bool) -> bool:
        """Answer a question; return False if it does not wait for an answer."""
        question, _ = self._questions.get(key, (None, False))
        return question is not None and question.settle(allow)

    def left(self) -> None:
        """Refuse what only observers can answer: there are none."""
        for question, alone in self._questions.values():
            if alone:
                question.settle(False)

    def state(self) -> list[str]:
        """The events that say what is so now."""
        return [self._beginning(), *(self._question(key, question) for key, (question, _) in self._questions.items())]

    # -- events --------------------------------------------------------------------------------------------------------

    def _tell_call(self, call: ToolCall) -> None:
        number = self._numbers.get(id(call))
        if number is not None and self.watched:
            said = call.to_dict() | {"arguments": self._shown(call.arguments)}
            said |= {name: self._text(said.get(name) or "") for name in ("error", "within")}
            event = _event("call", {"call": self.key, "number": number, **said})
            self._loop.call_soon_threadsafe(self._observers.tell, self.owner, event)

    def _beginning(self) -> str:
        entry = self._entry
        script = self._arguments.get(COMMANDS)
        said = {"call": self.key, "session": self.session, "toolset": entry.key, "tool": entry.name, "began": self._began}
        if entry.scripts and isinstance(script, str):
            return _event("began", said | {"script": self._text(script)})
        return _event("began", said | {"arguments": self._shown(self._arguments)})

    def _question(self, key: str, question: Question) -> str:
        call = question.planned
        said = {"call": self.key, "question": key, "tool": call.tool, "line": call.line, "column": call.column}
        said |= {"effects": call.effects, "arguments": self._shown(call.arguments), "asks": self._text(call.question)}
        return _event("question", said | {"text": self._text(question.text)})

    @property
    def _secrets(self) -> Secrets:
        return Secrets(self._entry.toolset.secrets.values())

    def _text(self, text: str) -> str:
        text = self._secrets.text(text)
        return text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}… ({len(text)} characters)"

    def _shown(self, arguments: Any) -> Any:
        """Arguments without secrets, or how long they are if that is too long."""
        try:
            shown = self._secrets.data(keepable(arguments))
            size = len(json_text.encode(shown))
        except (TypeError, ValueError):  # the words of a tool in raw form may not be JSON
            return self._text(str(arguments))
        return shown if size <= _MOST_ARGUMENTS else {"…": f"{size} characters of arguments"}


def _event(kind: str, said: dict[str, Any]) -> str:
    return json_text.encode({"event": kind, **clean_all(said)})
