"""The main loop of a sandbox process: one job after the other, and a thread that listens to the host meanwhile."""

from __future__ import annotations

import os
import queue
import socket
import threading
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from bashkit.commands._workers.pool import pool
from bashkit.sandbox.channel import Channel
from bashkit.sandbox.confine import confine
from bashkit.sandbox.journal import JournalWriter
from bashkit.worker.companions import Companion
from bashkit.worker.job import Job

if TYPE_CHECKING:
    from bashkit.sandbox.channel import Frame
    from bashkit.sandbox.rules import Rules
    from bashkit.worker.state import HeldSession


def serve(connection: int, journal: int, rules: Rules) -> None:
    """Be a sandbox process until the host is gone.

    Args:
        connection: The socket to the host.
        journal: The file for output.
        rules: What stays allowed.
    """
    confine(rules)
    Server(Channel(socket.socket(fileno=connection)), JournalWriter(journal)).run()


class Server:
    """What lasts from one job to the next.

    Args:
        channel: The way to the host.
        journal: Where output goes.

    Attributes:
        held: The session of the last job, which the next one may go on with.
        names: Lists of commands that the host runs, by the key under which it told them.
    """

    def __init__(self, channel: Channel, journal: JournalWriter) -> None:
        self.channel = channel
        self.journal = journal
        self.held: HeldSession | None = None
        self.names: dict[str, list[Any]] = {}
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._job: Job | None = None
        self._numbers = count()
        self._asked: dict[int, queue.SimpleQueue[Frame]] = {}

    def run(self) -> None:
        """Serve; never returns."""
        pool.start = partial(Companion, self)
        threading.Thread(target=self._listen, name="listener", daemon=True).start()
        while True:
            self._jobs.get().run()

    def _listen(self) -> None:
        try:
            while (frame := self.channel.receive()) is not None:
                self._take(frame)
        finally:
            os._exit(0)  # the host is gone

    def _take(self, frame: Frame) -> None:
        if frame.kind == "job":
            self._job = job = Job(self, frame)
            self._jobs.put(job)
        elif frame.kind == "value":
            waiting = self._asked.pop(frame.fields[0], None)
            if waiting is not None:
                waiting.put(frame)
        elif self._job is not None:
            self._job.take(frame)

    def ask(self, kind: str, *fields: Any, data: bytes = b"") -> Frame:
        """Ask the host for something and wait; this thread does nothing else meanwhile.

        Raises:
            OSError: The host answers with an error number.
        """
        number = next(self._numbers)
        answer: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self._asked[number] = answer
        self.channel.send(kind, number, *fields, data=data)
        frame = answer.get()
        if frame.fields[1] is not None:
            raise OSError(frame.fields[1], os.strerror(frame.fields[1]))
        return frame
