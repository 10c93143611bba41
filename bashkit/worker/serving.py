"""The main loop of a sandbox process: one job after the other, and a thread that listens to the host meanwhile."""

from __future__ import annotations

import os
import queue
import resource
import socket
import sys
import threading
import time
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

_TIRED = 1800  # seconds of processor time after which a process is replaced


def serve(connection: int, journal: int, rules: Rules) -> None:
    """Be a sandbox process until the host is gone.

    Args:
        connection: The socket to the host.
        journal: The file for output.
        rules: What stays allowed.
    """
    confine(rules)
    Server(Channel(socket.socket(fileno=connection)), JournalWriter(journal), rules.memory).run()


class Server:
    """What lasts from one job to the next.

    Args:
        channel: The way to the host.
        journal: Where output goes.
        memory: How many bytes there are for the jobs.

    Attributes:
        held: The session of the last job, which the next one may go on with.
        names: Lists of commands that the host runs, by the key under which it told them.
        job: The one that runs, or ran last.
    """

    def __init__(self, channel: Channel, journal: JournalWriter, memory: int) -> None:
        self.channel = channel
        self.journal = journal
        self._enough = _most_in_use() + memory // 2
        self.held: HeldSession | None = None
        self.names: dict[str, list[Any]] = {}
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self.job: Job | None = None
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
            self.job = job = Job(self, frame.fields[0], frame.data)
            self._jobs.put(job)
        elif frame.kind == "value":
            waiting = self._asked.pop(frame.fields[0], None)
            if waiting is not None:
                waiting.put(frame)
        elif self.job is not None:
            self.job.take(frame)

    @property
    def worn(self) -> bool:
        """Whether the next script should have another process: this one has worked for long, or it needed much memory at once, of
        which more stays in use than there are things in it.
        """
        return time.process_time() > _TIRED or _most_in_use() > self._enough

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


def _most_in_use() -> int:
    """The most bytes of memory that the process ever had (getrusage(2))."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
