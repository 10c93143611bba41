"""Questions to a sandbox process, asked by tasks or by threads of the host, and the answers to them."""

from __future__ import annotations

import errno
import threading
from itertools import count
from typing import TYPE_CHECKING, Any

from bashkit.fs.stream import os_error
from bashkit.interp.run.nested import NestingError
from bashkit.interp.runtime.control import SigPipe

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.runtime.hub import Hub
    from bashkit.sandbox.channel import Channel, Frame

_PATIENCE = 30.0  # seconds that a thread of the host waits for an answer


class Answer:
    """What came back; None when the process is gone.

    Attributes:
        value: The value of the JSON.
        data: Raw bytes.
    """

    __slots__ = ("_failure", "data", "value")

    def __init__(self, frame: Frame | None) -> None:
        fields: list[Any] = [0, ["os", errno.EIO, None]] if frame is None else frame.fields
        self._failure = fields[1]
        self.value = fields[2] if len(fields) > 2 else None
        self.data = b"" if frame is None else bytes(frame.data)

    def checked(self) -> Answer:
        """Itself.

        Raises:
            OSError, SigPipe: As the process says.
            NestingError: Likewise.
        """
        if self._failure is None:
            return self
        kind, *rest = self._failure
        if kind == "timeout":
            raise TimeoutError
        if kind == "pipe":
            raise SigPipe
        if kind == "nesting":
            raise NestingError(str(rest[0]))
        raise os_error(int(rest[0] or errno.EIO), None if rest[1] is None else str(rest[1]))


class Link:
    """Asks, and hands the answers to who asked.

    Args:
        channel: The way to the process.
        hub: The scheduler whose tasks ask.
    """

    def __init__(self, channel: Channel, hub: Hub) -> None:
        self._channel = channel
        self._hub = hub
        self._numbers = count()
        self._waiting: dict[int, Callable[[Answer], None]] = {}  # called in the thread that listens

    def ask(self, call: int, *fields: Any, data: bytes = b"") -> Answer:
        """Ask about a call of a command, as a task; other tasks run meanwhile.

        Args:
            call: The number of the call.
            fields: What is asked.
            data: Raw bytes that go with it.

        Raises:
            OSError: As the process says; ``EIO`` when it is gone.
        """
        hub, number = self._hub, next(self._numbers)
        task = hub.current
        assert task is not None
        answers: list[Answer] = []

        def deliver(answer: Answer) -> None:
            answers.append(answer)
            hub.wake(task)

        self._waiting[number] = lambda answer: hub.post(lambda: deliver(answer))
        hub.calls += 1
        try:
            self._channel.send("ask", call, number, *fields, data=data)
            while not answers:
                hub.suspend()
        finally:
            hub.calls -= 1
            self._waiting.pop(number, None)
        return answers[0].checked()

    def ask_from_thread(self, kind: str, *fields: Any, data: bytes = b"") -> Answer:
        """Ask from any thread, which waits.

        Raises:
            OSError: As the process says; ``EIO`` when it is gone, ``ETIMEDOUT`` when it does not answer.
        """
        number = next(self._numbers)
        answers: list[Answer] = []
        arrived = threading.Event()

        def arrive(answer: Answer) -> None:
            answers.append(answer)
            arrived.set()

        self._waiting[number] = arrive
        self._channel.send(kind, number, *fields, data=data)
        if not arrived.wait(_PATIENCE):
            self._waiting.pop(number, None)
            raise os_error(errno.ETIMEDOUT)
        return answers[0].checked()

    def arrived(self, frame: Frame) -> None:
        """An answer; comes from the listening thread."""
        waiting = self._waiting.pop(frame.fields[0], None)
        if waiting is not None:
            waiting(Answer(frame))

    def close(self) -> None:
        """The process is gone: nobody waits any longer."""
        while self._waiting:
            _, waiting = self._waiting.popitem()
            waiting(Answer(None))
