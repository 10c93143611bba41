"""The pool of sandbox processes: forked ahead from one zygote, lent to one script at a time, killed when they overrun."""

from __future__ import annotations

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bashkit.errors import BashkitError
from bashkit.sandbox import journal
from bashkit.sandbox.channel import Channel, Frame, ProtocolError
from bashkit.sandbox.interpreter import executable
from bashkit.sandbox.zygote import OUT_OF_MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from bashkit.sandbox.rules import Rules

ENTRY = "bashkit.worker"
_PROGRAM = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from bashkit.sandbox.zygote import main; main({}, {!r})"
_MOST = 64  # processes at once, unless the host says otherwise
_SPARE = 16  # processes that wait for a script; the others end
_ENDING = 2.0  # seconds to wait for the status of a process that is gone
_numbers = count(1)


class Attendant(Protocol):
    """Serves a process for as long as it lives."""

    def take(self, frame: Frame) -> bool:
        """Whether a frame, which comes from the worker's own thread, was meant for it."""
        ...

    def close(self) -> None:
        """The process ends."""
        ...


def _unstartable(reason: Exception | str) -> BashkitError:
    if isinstance(reason, OSError):
        reason = reason.strerror or str(reason)
    return BashkitError(f"isolation: no sandbox process can be started: {reason}")


class Worker:
    """A sandbox process, as its host sees it.

    Args:
        pool: Whose zygote forks it.
        rules: What it may do.

    Attributes:
        channel: The way to it.
        journal: What its script has written.
        rules: As above.
        listener: Called in the worker's own thread with every frame, and with None when the process is gone.
        attendant: Serves the process whether or not a script runs.
        holds: The session whose state it has, and which version of it.
        known: What it was told once and need not be told again.
        begun: It has been heard of.
        gone: Nothing more will be heard of it.
        status: Its wait status, once it has ended.
        ended: Set when it has ended, or nobody will ever know.
    """

    def __init__(self, pool: Pool, rules: Rules) -> None:
        self.rules = rules
        self.listener: Callable[[Frame | None], None] | None = None
        self.attendant: Attendant | None = None
        self.holds: tuple[Hashable, int] | None = None
        self.known: set[Hashable] = set()
        self.number = next(_numbers)
        self.status: int | None = None
        self.ended = threading.Event()
        self.killed = False
        self.begun = False
        self.gone = False
        self._zygote = pool.zygote
        try:
            self._start()
        except (OSError, RuntimeError) as error:
            raise _unstartable(error) from None

    def _start(self) -> None:
        with ExitStack() as undoing:
            ours, theirs = socket.socketpair()
            self.channel = Channel(ours, self.rules.memory)
            undoing.callback(self.channel.close)
            with theirs:
                self.journal = journal.JournalReader(journal.make())
                undoing.callback(self.journal.close)
                self._zygote.fork(self, theirs.fileno())
            undoing.callback(self.kill)
            threading.Thread(target=self._listen, name="bashkit-sandbox", daemon=True).start()
            undoing.pop_all()

    def _listen(self) -> None:
        while True:
            try:
                frame = self.channel.receive()
            except ProtocolError:
                self.kill()
                frame = None
            self.gone = frame is None
            self._pass_on(frame)
            if frame is None:
                return
            del frame  # an idle process holds nothing of its last script

    def _pass_on(self, frame: Frame | None) -> None:
        attendant, listener = self.attendant, self.listener
        if frame is not None and attendant is not None and attendant.take(frame):
            return
        if listener is not None:
            listener(frame)

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.killed = True
        self._zygote.kill(self)

    def epitaph(self) -> str:
        """What ended a process: ``max_memory_bytes`` if it or the kernel was short of memory, else ``crash``."""
        status = self.status
        if self.killed or status is None:
            return "crash"
        short = os.WTERMSIG(status) == signal.SIGKILL if os.WIFSIGNALED(status) else os.WEXITSTATUS(status) == OUT_OF_MEMORY
        return "max_memory_bytes" if short else "crash"

    def close(self) -> None:
        """Let go of the process, which ends when it notices."""
        if self.attendant is not None:
            self.attendant.close()
        self.channel.close()
        self.journal.close()


class Zygote:
    """The process that sandbox processes are forked from.

    Raises:
        BashkitError: It cannot be started.
    """

    def __init__(self) -> None:
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise _unstartable(error) from None
        path = [str(Path(__file__).parents[2]), *(entry or "." for entry in sys.path)]
        with theirs:
            try:
                self._process = subprocess.Popen(
                    [executable(), "-I", "-S", "-c", _PROGRAM.format(theirs.fileno(), ENTRY), json.dumps(path)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    env={},
                    start_new_session=True,
                )
            except OSError as error:
                ours.close()
                raise _unstartable(error) from None
        self.channel = Channel(ours)
        self.failure = ""
        self._workers: dict[int, Worker] = {}
        self._lock = threading.Lock()
        try:
            threading.Thread(target=self._listen, name="bashkit-zygote", daemon=True).start()
        except RuntimeError as error:
            self.close()
            raise _unstartable(error) from None

    def _listen(self) -> None:
        while (frame := self._next()) is not None:
            if frame.kind == "failed":
                self.failure = str(frame.fields[0])
            elif frame.kind == "ended":
                with self._lock:
                    worker = self._workers.pop(frame.fields[0], None)
                if worker is not None:
                    worker.status = frame.fields[1]
                    worker.ended.set()
        with self._lock:
            orphans, self._workers = list(self._workers.values()), {}
        for worker in orphans:
            worker.ended.set()

    def _next(self) -> Frame | None:
        try:
            return self.channel.receive()
        except ProtocolError:
            return None

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def fork(self, worker: Worker, descriptor: int) -> None:
        """Fork a process that serves at the other end of a socket."""
        rules = worker.rules
        with self._lock:
            self._workers[worker.number] = worker
        fields = (worker.number, rules.memory, rules.cpu, rules.readable, rules.writable)
        self.channel.send("fork", *fields, descriptors=[descriptor, worker.journal.descriptor])

    def kill(self, worker: Worker) -> None:
        """End a process; it may be gone already."""
        self.channel.send("kill", worker.number)

    def close(self) -> None:
        """End it, and all that it has forked."""
        self.channel.close()
        try:
            self._process.wait(_ENDING)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Pool:
    """Lends sandbox processes; safe to use from several threads.

    Attributes:
        most: How many there may be at once. Who wants one more waits.
        shared: Whether a process serves one session after another; if not, each session has processes of its own.
    """

    def __init__(self) -> None:
        self.most = _MOST
        self.shared = True
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._lent: set[Worker] = set()
        self._waiting: deque[Callable[[], None]] = deque()
        self._promised = 0  # processes for those who were woken and have not asked again
        self._zygote: Zygote | None = None

    @property
    def zygote(self) -> Zygote:
        """The process that forks; started anew when it has ended.

        Raises:
            BashkitError: It cannot be started.
        """
        if self._zygote is not None and self._zygote.failure:
            raise _unstartable(self._zygote.failure)
        if self._zygote is None or not self._zygote.alive:
            self._zygote = Zygote()
        return self._zygote

    def warm(self, rules: Rules) -> None:
        """See to it that a process is ready for the first script."""
        with self._lock:
            if not self._idle and not self._lent:
                self._idle.append(Worker(self, rules))

    def borrow(self, rules: Rules, holds: Hashable, wake: Callable[[], None], *, again: bool = False) -> Worker | None:
        """Lend a process. Who comes later does not get one before those who wait.

        Args:
            rules: What it must be allowed, neither more nor less.
            holds: The session whose state it should have, if one has.
            wake: Called when it is worth asking again, if there is none now. Who does not ask again calls ``forgo``.
            again: ``wake`` has been called.

        Raises:
            BashkitError: None can be started.
        """
        try:
            return self._lend(rules, holds, wake, again=again)
        except BashkitError:
            self._next()  # who waits for the place that this one was promised asks in its turn
            raise

    def _lend(self, rules: Rules, holds: Hashable, wake: Callable[[], None], *, again: bool) -> Worker | None:
        with self._lock:
            if again:
                self._promised -= 1
            elif self._waiting:
                self._waiting.append(wake)
                return None
            worker = self._found(rules, holds)
            if worker is None and len(self._lent) + len(self._idle) >= self.most and self._idle:
                self._end(self._idle.pop(0))  # one with other rules, the longest idle
            if worker is None and len(self._lent) + len(self._idle) >= self.most:
                (self._waiting.appendleft if again else self._waiting.append)(wake)
                return None
            worker = worker or Worker(self, rules)
            self._lent.add(worker)
            return worker

    def _found(self, rules: Rules, holds: Hashable) -> Worker | None:
        """An idle process: that of the session, or one of none, or the one that was idle longest."""
        fitting = [worker for worker in self._idle if worker.rules == rules and not (worker.gone or worker.ended.is_set())]
        own = next((worker for worker in fitting if worker.holds is not None and worker.holds[0] == holds), None)
        free = next((worker for worker in fitting if worker.holds is None and (self.shared or not worker.begun)), None)
        worker = own or free or (fitting[0] if fitting and self.shared else None)
        if worker is None:
            return None
        self._idle.remove(worker)
        return worker

    def forgo(self, wake: Callable[[], None]) -> None:
        """Wait no longer for a process: the next in the row gets it."""
        with self._lock:
            if wake in self._waiting:
                self._waiting.remove(wake)
                return
            self._promised -= 1
        self._next()

    def give_back(self, worker: Worker) -> None:
        """Take back a process whose script has ended."""
        with self._lock:
            self._lent.discard(worker)
            if self.shared or worker.holds is not None:
                self._idle.append(worker)
                if len(self._idle) > _SPARE + self._promised:
                    self._end(self._idle.pop(0))  # the longest idle
            else:
                self._end(worker)
        self._next()

    def discard(self, worker: Worker) -> None:
        """End a process that overruns, misbehaves or is gone."""
        worker.kill()
        with self._lock:
            self._lent.discard(worker)
            self._end(worker)
        self._next()

    def _end(self, worker: Worker) -> None:
        worker.listener = None
        worker.close()

    def _next(self) -> None:
        with self._lock:
            wake = self._waiting.popleft() if self._waiting else None
            self._promised += wake is not None
        if wake is not None:
            wake()

    def close(self) -> None:
        """End every process."""
        with self._lock:
            workers = [*self._idle, *self._lent]
            self._idle, self._lent = [], set()
            zygote, self._zygote = self._zygote, None
        for worker in workers:
            self._end(worker)
        if zygote is not None:
            zygote.close()

    def after_fork(self) -> None:
        """Begin anew in a forked child: the processes are its parent's."""
        workers = [*self._idle, *self._lent]
        zygote = self._zygote
        most, shared = self.most, self.shared
        self.__init__()  # type: ignore[misc]  # the same object for all who know it
        self.most, self.shared = most, shared
        for worker in workers:
            worker.channel.forget()
            worker.journal.close()
        if zygote is not None:
            zygote.channel.forget()


pool = Pool()
atexit.register(pool.close)
os.register_at_fork(after_in_child=pool.after_fork)
