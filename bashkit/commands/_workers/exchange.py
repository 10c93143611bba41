"""One command's conversation with a worker: it waits without blocking the script's other tasks, and ends at the time limit."""

from __future__ import annotations

import select
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from bashkit.commands._workers.pool import pool
from bashkit.commands._workers.worker import PROMPT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.commands._workers.worker import Program, Worker
    from bashkit.interp.utility.process import Process

_SLICE = 0.1  # seconds of one wait outside the script's thread
_LONGEST = 600.0  # maximum seconds of a conversation, whatever the execution's own limit
_SMALL = 1 << 16  # bytes that a worker's socket takes at once


class WorkerDiedError(Exception):
    """The worker ended before it had answered.

    Args:
        status: Its exit status, negative for a signal.
    """

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Exchange:
    """A lent worker.

    Args:
        process: The command; its budget limits time and memory.
        program: The kind of worker.

    Raises:
        LimitExceededError: The time limit is reached before a worker is free.
        UnavailableError: There can be no such worker on this host.
    """

    def __init__(self, process: Process, program: Program) -> None:
        self._process = process
        self._last = time.monotonic() + _LONGEST
        self._worker: Worker | None = self._borrow(program)
        self._answered = True

    def _borrow(self, program: Program) -> Worker:
        ticket = pool.ask(program, self._process.budget)
        try:
            while not ticket.served.is_set():
                if self.remaining() <= 0:
                    self._process.budget.fail("timeout")
                self._process.system.call(lambda: ticket.served.wait(_SLICE))
        except BaseException:
            pool.withdraw(ticket)
            raise
        if ticket.failure is not None:
            raise ticket.failure
        assert ticket.worker is not None
        return ticket.worker

    def close(self) -> None:
        """Return the worker, or end it if its last answer is not complete."""
        if not self._answered:
            self.end()
        elif self._worker is not None:
            worker, self._worker = self._worker, None
            pool.give_back(worker)

    def end(self) -> None:
        """End the worker."""
        worker, self._worker = self._worker, None
        if worker is not None:
            pool.discard(worker)

    @property
    def worker(self) -> Worker:
        """The worker."""
        assert self._worker is not None
        return self._worker

    def remaining(self) -> float:
        """Seconds until the time limit."""
        return min(self._process.budget.deadline, self._last) - time.monotonic()

    def send(self, request: Mapping[str, Any], descriptor: int | None = None, *, size: int = 0) -> None:
        """Send a request; it may use what is left of the execution's memory and time.

        Args:
            request: Anything that ``marshal`` writes.
            descriptor: Goes with it, if given.
            size: About how many bytes it has, if they may be many.

        Raises:
            WorkerDiedError: The worker is gone.
        """
        self._answered = False
        budget = self._process.budget
        full = {**request, "memory": max(budget.memory, 0), "seconds": max(self.remaining(), 0.0)}
        try:
            if size < _SMALL:
                self.worker.send(full, descriptor)
            else:
                worker = self.worker
                self._process.system.call(lambda: worker.send(full, descriptor))
        except OSError:
            self._died()

    def answer(self) -> Iterator[tuple[bytes, bytes]]:
        """The frames of the answer; the last one has the letter ``x``.

        Raises:
            WorkerDiedError: The worker ended.
            LimitExceededError: The time limit is reached.
        """
        frames = self.take() if self.remaining() > PROMPT else []
        while True:
            yield from frames
            if self._answered:
                return
            self.wait(first=_SLICE)
            frames = self.take()

    def take(self) -> list[tuple[bytes, bytes]]:
        """The frames that have arrived, or do so within PROMPT.

        Raises:
            WorkerDiedError: The worker ended.
        """
        try:
            alive = self.worker.receive()
            frames = self.worker.frames()
        except OSError:
            self.worker.kill()
            self._died()
        if frames and frames[-1][0] == b"x":
            self._answered = True
        elif not alive:
            self._died()
        return frames

    def _died(self) -> NoReturn:
        worker, self._worker = self.worker, None
        raise WorkerDiedError(pool.bury(worker))

    def wait(self, writable: int | None = None, *, first: float = PROMPT) -> bool:
        """Wait until the worker answers or ``writable`` accepts more; True if it answered.

        Args:
            writable: A descriptor.
            first: Seconds of the first wait: at most PROMPT, during which other tasks are blocked, or more.

        Raises:
            LimitExceededError: The time limit is reached.
        """
        budget = self._process.budget
        seconds = first
        while True:
            remaining = self.remaining()
            if remaining <= 0:
                budget.fail("timeout")
            ready = self.look(writable, min(seconds, remaining), inline=seconds == PROMPT)
            if ready is not None:
                return ready
            seconds = _SLICE
            budget.tick(1000)

    def look(self, writable: int | None, seconds: float, *, inline: bool) -> bool | None:
        """Whether the worker answered; None if nothing happened in time."""
        poll = select.poll()
        answer = self.worker.fileno()
        poll.register(answer, select.POLLIN)
        if writable is not None:
            poll.register(writable, select.POLLOUT)

        def wait() -> list[tuple[int, int]]:
            return poll.poll(seconds * 1000)

        events = wait() if inline else self._process.system.call(wait)
        return any(descriptor == answer for descriptor, _ in events) if events else None


@contextmanager
def lent(process: Process, program: Program) -> Iterator[Exchange]:
    """Borrow a worker for one conversation; see ``Exchange``."""
    exchange = Exchange(process, program)
    try:
        yield exchange
    finally:
        exchange.close()
