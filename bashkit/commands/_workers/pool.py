"""Starts worker processes, lends each to one command at a time in the order of asking, and ends those that overrun or rest."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._workers.worker import Program, UnavailableError, Worker

if TYPE_CHECKING:
    from collections.abc import Callable

_IDLE = 4  # workers kept for later requests
_ALIVE = 32  # workers at once in this process
_SHARE = 16  # workers at once of one execution
_REST = 30.0  # seconds after which an idle worker is ended


@dataclass(slots=True, eq=False)
class Ticket:
    """A request for a worker.

    Attributes:
        program: The kind of worker.
        owner: What shares are counted by: the budget of an execution.
        worker: The worker, when it is lent.
        failure: Why there will be none.
        served: Set when there is a worker or a failure.
    """

    program: Program
    owner: object
    worker: Worker | None = None
    failure: UnavailableError | None = None
    served: threading.Event = field(default_factory=threading.Event)


class Pool:
    """Lends workers; safe to use from several threads.

    A thread of the pool, the keeper, starts and buries all workers, so that nobody who asks for one waits inside of the host's
    event loop. It lives as long as there are workers: on Linux they die with the thread that started them.

    Args:
        start: Starts a worker process.
    """

    def __init__(self, start: Callable[[Program], Worker] = Worker) -> None:
        self.start = start
        self._news = threading.Condition()
        self._idle: list[tuple[float, Worker]] = []  # with the time since when; the oldest first
        self._lent: dict[Worker, object] = {}
        self._asking: list[Ticket] = []
        self._starting: deque[Program] = deque()  # the keeper removes one when it has started
        self._dead: list[Worker] = []  # killed, not yet waited for
        self._keeper: threading.Thread | None = None

    def ask(self, program: Program, owner: object) -> Ticket:
        """Ask for a worker; the ticket tells when it is there.

        Raises:
            RuntimeError: The host can start no thread.
        """
        ticket = Ticket(program, owner)
        with self._news:
            self._asking.append(ticket)
            try:
                self._serve()
            except RuntimeError:
                self._asking.remove(ticket)
                raise
        return ticket

    def withdraw(self, ticket: Ticket) -> None:
        """Take back a request; the worker that it may have been given is free again."""
        with self._news:
            if ticket in self._asking:
                self._asking.remove(ticket)
            if ticket.worker is not None:
                self._free(ticket.worker)

    def give_back(self, worker: Worker) -> None:
        """Return a worker after a complete answer."""
        with self._news:
            self._free(worker)

    def discard(self, worker: Worker) -> None:
        """End a worker that overruns or misbehaves."""
        worker.kill()
        with self._news:
            self._lent.pop(worker, None)
            self._dead.append(worker)
            self._serve()
            self._wake_keeper()

    def bury(self, worker: Worker) -> int:
        """Remove a worker that died, and return its exit status, negative for a signal."""
        with self._news:
            self._lent.pop(worker, None)
            self._serve()
        return worker.wait()

    def close(self) -> None:
        """End every worker."""
        with self._news:
            workers = [*(worker for _, worker in self._idle), *self._lent, *self._dead]
            self._idle, self._lent, self._dead = [], {}, []
            self._news.notify_all()
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.wait()

    def after_fork(self) -> None:
        """Reset the pool in a forked child, whose parent owns the processes."""
        workers = [*(worker for _, worker in self._idle), *self._lent]
        self.__init__()  # type: ignore[misc]  # the lock may be held by a thread that the child lacks
        for worker in workers:
            worker.forget()

    # -- with the lock held ----------------------------------------------------------------------------------------------

    def _free(self, worker: Worker) -> None:
        self._lent.pop(worker, None)
        self._idle.append((time.monotonic(), worker))
        self._serve()
        if len(self._idle) > _IDLE:
            self._end_longest_idle()

    def _serve(self) -> None:
        """Give workers to those who ask, in their order, and have the keeper start those that are missing."""
        if not self._asking:
            return
        missing: list[Program] = []
        for ticket in list(self._asking):
            if sum(owner is ticket.owner for owner in self._lent.values()) >= _SHARE:
                continue
            worker = self._take_idle(ticket.program)
            if worker is not None:
                self._lent[worker] = ticket.owner
                self._asking.remove(ticket)
                ticket.worker = worker
                ticket.served.set()
            else:
                missing.append(ticket.program)
        for program in self._starting:
            if program in missing:
                missing.remove(program)
        for program in missing:
            alive = len(self._lent) + len(self._idle) + len(self._starting)
            if alive >= _ALIVE and not self._end_longest_idle():
                break
            self._wake_keeper()
            self._starting.append(program)

    def _take_idle(self, program: Program) -> Worker | None:
        for index in range(len(self._idle) - 1, -1, -1):
            worker = self._idle[index][1]
            if worker.program is program:
                del self._idle[index]
                if worker.alive():
                    return worker
                self._dead.append(worker)
                self._wake_keeper()
        return None

    def _end_longest_idle(self) -> bool:
        """End the worker that was idle for longest; return whether there was one."""
        if not self._idle:
            return False
        worker = self._idle.pop(0)[1]
        worker.kill()
        self._dead.append(worker)
        self._wake_keeper()
        return True

    # -- the keeper ------------------------------------------------------------------------------------------------------

    def _wake_keeper(self) -> None:
        if self._keeper is None:
            keeper = threading.Thread(target=self._keep, name="bashkit-workers", daemon=True)
            keeper.start()  # may fail, and is tried again then
            self._keeper = keeper
        self._news.notify_all()

    def _keep(self) -> None:
        with self._news:
            while self._starting or self._dead or self._idle or self._lent:
                if self._starting:
                    self._start(self._starting[0])
                elif self._dead:
                    worker = self._dead.pop()
                    self._news.release()
                    worker.wait()
                    self._news.acquire()
                elif self._idle and self._idle[0][0] + _REST <= time.monotonic():
                    self._end_longest_idle()
                else:
                    self._news.wait(self._idle[0][0] + _REST - time.monotonic() if self._idle else _REST)
            self._keeper = None

    def _start(self, program: Program) -> None:
        """Start a worker outside of the lock."""
        self._news.release()
        failure = None
        worker = None
        try:
            worker = self.start(program)
        except Exception as error:  # those who wait must hear of it
            failure = UnavailableError.of(program.name, error)
        finally:
            self._news.acquire()
        self._starting.popleft()
        if worker is not None:
            self._free(worker)
        for ticket in [ticket for ticket in self._asking if failure is not None and ticket.program is program]:
            self._asking.remove(ticket)
            ticket.failure = failure
            ticket.served.set()


pool = Pool()
atexit.register(pool.close)
os.register_at_fork(after_in_child=pool.after_fork)
