"""What a server was asked to run, as its events tell it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, fields
from typing import Any, get_args

from bashkit.tools import ToolCall, json_text
from bashkit.tools.call.policy import PlannedCall
from bashkit.tools.define.definition import Effects

KEPT = 500  # scripts; the oldest that have ended are forgotten first
_CALLS = 1_000  # of one script
_FIELDS = {item.name for item in fields(ToolCall)} - {"exception", "progress", "stdin", "stdout", "stderr"}


@dataclass(slots=True)
class Asked:
    """A question of a call.

    Attributes:
        key: What an answer names.
        call: The call that waits.
    """

    key: str
    call: PlannedCall


@dataclass(slots=True)
class FollowedScript:
    """A script, or a call of a tool by itself.

    Attributes:
        key: What the server calls it.
        session: What stands for the session of its client; "" if there is none.
        tool: The tool that the client called.
        text: The script, or the arguments as JSON.
        is_script: Whether it is a script.
        began: Seconds of this machine's monotonic clock.
        calls: Its tool calls so far.
        questions: What waits for an answer, by key.
        ended: Whether it has ended.
        unseen: Whether it has ended while there was no connection.
        exit_code, error, seconds, called, stdout, stderr: How it has ended, as the server tells it.
    """

    key: str
    session: str
    tool: str
    text: str
    is_script: bool
    began: float
    calls: list[ToolCall] = field(default_factory=list)
    questions: dict[str, Asked] = field(default_factory=dict)
    ended: bool = False
    unseen: bool = False
    exit_code: int | None = None
    error: str = ""
    seconds: float = 0.0
    called: int = 0
    stdout: str = ""
    stderr: str = ""
    _places: dict[int, int] = field(default_factory=dict)

    @property
    def elapsed(self) -> float:
        """Seconds since it began, or that it took."""
        return self.seconds if self.ended else max(0.0, time.monotonic() - self.began)

    def put_call(self, number: int, call: ToolCall) -> None:
        """Add a tool call, or what is new of one."""
        place = self._places.get(number)
        if place is not None:
            self.calls[place] = call
        elif len(self.calls) < _CALLS:
            self._places[number] = len(self.calls)
            self.calls.append(call)


class FollowedCalls:
    """All that the server has told.

    Attributes:
        scripts: By key, in the order in which they began.
        toolsets: The names of the toolsets that are served.
        lost: The number of events that the server has dropped, because this observer was too slow.
    """

    def __init__(self) -> None:
        self.scripts: dict[str, FollowedScript] = {}
        self.toolsets: tuple[str, ...] = ()
        self.lost = 0
        self._clock = 0.0  # what to add to a time of the server's to get one of the monotonic clock

    def take(self, event: dict[str, Any]) -> None:
        """Take an event; one that is not understood is left alone, as it may be one of a later version."""
        taken = getattr(self, f"_take_{event.get('event')}", None)
        if taken is not None:
            try:
                taken(event)
            except (KeyError, TypeError, ValueError):
                return

    @property
    def asking(self) -> list[tuple[FollowedScript, Asked]]:
        """The questions that wait, the oldest first."""
        return [(script, asked) for script in self.scripts.values() for asked in script.questions.values()]

    def _take_hello(self, event: dict[str, Any]) -> None:
        """A state follows: what was running and is not told of any more has ended unseen."""
        self.toolsets = tuple(map(str, event.get("toolsets", ())))
        self.lost += int(event.get("lost", 0))
        self._clock = time.monotonic() - float(event["now"])
        running = set(map(str, event.get("running", ())))
        for script in self.scripts.values():
            script.questions.clear()
            if not script.ended and script.key not in running:
                script.ended = script.unseen = True
                script.seconds = time.monotonic() - script.began

    def _take_began(self, event: dict[str, Any]) -> None:
        key = str(event["call"])
        if key in self.scripts:
            return
        is_script = "script" in event
        text = str(event["script"]) if is_script else json_text.encode(event["arguments"])
        began = float(event["began"]) + self._clock
        self.scripts[key] = FollowedScript(key, str(event["session"]), str(event["tool"]), text, is_script, began)
        over = [script.key for script in self.scripts.values() if script.ended]
        for old in over[: max(0, len(self.scripts) - KEPT)]:
            del self.scripts[old]

    def _take_call(self, event: dict[str, Any]) -> None:
        call = ToolCall(**{name: value for name, value in event.items() if name in _FIELDS})
        self.scripts[event["call"]].put_call(int(event["number"]), call)

    def _take_question(self, event: dict[str, Any]) -> None:
        known = next((one for one in get_args(Effects) if one == event["effects"]), None)
        effects: Effects | None = known
        call = PlannedCall(
            str(event["tool"]), event["arguments"], effects, int(event["line"]), int(event["column"]), question=str(event["asks"])
        )
        self.scripts[event["call"]].questions[str(event["question"])] = Asked(str(event["question"]), call)

    def _take_answered(self, event: dict[str, Any]) -> None:
        self.scripts[event["call"]].questions.pop(event["question"], None)

    def _take_ended(self, event: dict[str, Any]) -> None:
        script = self.scripts[event["call"]]
        script.ended, script.unseen = True, False
        script.questions.clear()
        code = event["exit_code"]
        script.exit_code = None if code is None else int(code)
        script.error = str(event.get("error") or "")
        script.seconds, script.called = float(event["seconds"]), int(event["calls"])
        script.stdout, script.stderr = str(event.get("stdout", "")), str(event.get("stderr", ""))
