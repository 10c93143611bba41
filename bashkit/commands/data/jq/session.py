"""Runs a jq program in a worker: sends the input, writes the output, and enforces the time limit."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import time
from itertools import chain
from typing import TYPE_CHECKING, Any

from bashkit.commands.data.jq.direct import Answering
from bashkit.commands.data.jq.direct.values import NotHereError
from bashkit.commands.data.jq.pool import PROMPT, Worker, pool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.interp.utility.process import Process

_SLICE = 0.1  # seconds of one wait outside the script's thread
_LONGEST = 600.0  # maximum seconds of a program, whatever the execution's own limit
_PIECE = 1 << 16  # bytes of input that are answered at once
_HELD = 1 << 20  # bytes of output that are buffered so that the worker is free before a slow reader takes them
_TELLING = 0.001  # seconds to wait for output after input, before more input is read


def run(process: Process, request: Mapping[str, Any], *, stdin: bool) -> int:
    """Run a compiled request and return jq's exit status.

    Args:
        process: The utility; its standard output and error receive the program's output.
        request: The request; its ``inputs`` contain ``("<stdin>", None)`` for standard input.
        stdin: Whether the program reads standard input.

    Raises:
        LimitExceededError: The time limit is reached.
        UnavailableError: libjq cannot be used on this host.
    """
    ahead: list[bytes] = []
    if stdin:
        # Two reads distinguish a short input, which is sent with the request, from a stream that is still being written.
        ahead = [process.stdin.read()]
        if ahead[0]:
            ahead.append(process.stdin.read())
        if not ahead[-1]:
            content = b"".join(ahead)
            request = {**request, "inputs": [(name, content if data is None else data) for name, data in request["inputs"]]}
            stdin = False
    with contextlib.suppress(NotHereError):
        here = Answering(request)
        status = _answered(process, request, here, ahead if stdin else None)
        if status is not None:
            return status
        # The line count is kept, so that messages name the right line.
        ahead = [b"\n" * here.lines + here.rest]
        if not stdin:
            request = {**request, "inputs": [(name, ahead[0]) for name, _ in request["inputs"]]}
    worker = _borrow(process)
    session = _Session(process, worker)
    finished = False
    try:
        status = session.stream(request, ahead) if stdin else session.ask(request)
        finished = status is not None
    finally:
        if finished:
            pool.give_back(worker)
        elif session.died:
            status = session.epitaph(pool.bury(worker))
        else:
            pool.discard(worker)
    session.write_held()
    assert status is not None
    return status


def _answered(process: Process, request: Mapping[str, Any], here: Answering, ahead: list[bytes] | None) -> int | None:
    """Answer without a worker and return the exit status; None if a worker must continue with the rest in ``here``.

    Args:
        process: The utility.
        request: The request.
        here: Answers.
        ahead: The first blocks of standard input if more follows; None if all inputs are complete.

    Raises:
        NotHereError: A worker must answer from the beginning.
    """
    content = request["inputs"][0][1] if request["inputs"] else b""
    if ahead is None and (len(content) <= here.LARGEST or not here.by_lines):
        output = here.whole()
        process.budget.tick(len(content) + len(output) >> 6)
        process.stdout.write(output)
        return here.status
    if not here.by_lines:
        raise NotHereError
    blocks = _pieces(content) if ahead is None else chain([b"".join(ahead)], process.stdin.blocks())
    for block in chain(blocks, [b""]):
        answer = here.take(block)
        if answer is None:
            here.rest += b"".join(blocks) if ahead is None else b""
            return None
        process.budget.tick(len(block) + len(answer) >> 6)
        if answer:
            process.stdout.write(answer)
    return here.status


def _pieces(content: bytes) -> Iterator[bytes]:
    for start in range(0, len(content), _PIECE):
        yield content[start : start + _PIECE]


def _borrow(process: Process) -> Worker:
    while True:
        worker = pool.borrow()
        if worker is not None:
            return worker
        process.budget.tick(1000)
        process.system.sleep(0.005)


class _Session:
    """The exchange with one worker."""

    def __init__(self, process: Process, worker: Worker) -> None:
        self._process = process
        self._worker = worker
        self._held: list[tuple[bytes, bytes]] = []
        self._size = 0
        self._holding = True
        self._last = time.monotonic() + _LONGEST
        self.died = False

    def ask(self, request: Mapping[str, Any]) -> int | None:
        """Send a complete request and receive the answer; None if the worker died."""
        try:
            self._worker.send(request, None)
        except OSError:
            self.died = True
            return None
        status = self._take() if self._remaining() > PROMPT else None
        while status is None and not self.died:
            self._await(first=_SLICE)
            status = self._take()
        return status

    def stream(self, request: Mapping[str, Any], ahead: list[bytes]) -> int | None:
        """Send a request, then standard input as the worker reads it; None if the worker died."""
        self._holding = False
        theirs, ours = os.pipe()
        os.set_blocking(ours, False)
        try:
            try:
                self._worker.send(request, theirs)
            except OSError:
                self.died = True
                return None
            finally:
                os.close(theirs)
            status = self._feed(ours, ahead)
        finally:
            os.close(ours)
        while status is None and not self.died:
            self._await()
            status = self._take()
        return status

    def _feed(self, pipe: int, ahead: list[bytes]) -> int | None:
        """Write all of standard input to ``pipe``; return the status if the program ends earlier."""
        pending = memoryview(b"".join(ahead))
        while True:
            while pending:
                status = self._take() if self._await(pipe) else None
                if status is not None or self.died:
                    return status
                try:
                    pending = pending[os.write(pipe, pending) :]
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    # The worker closed its end, and its last output is on the way.
                    while status is None and not self.died:
                        self._await()
                        status = self._take()
                    return status
            if self._wait(None, _TELLING, inline=True):
                status = self._take()
                if status is not None or self.died:
                    return status
            block = self._process.stdin.read()
            if not block:
                return None
            pending = memoryview(block)

    def _remaining(self) -> float:
        """Seconds until the program's time limit."""
        return min(self._process.budget.deadline, self._last) - time.monotonic()

    def _await(self, writable: int | None = None, *, first: float = PROMPT) -> bool:
        """Wait until the worker answers or ``writable`` accepts more; True if it answered.

        Args:
            writable: A descriptor.
            first: Seconds of the first wait: at most PROMPT, during which other tasks are blocked, or _SLICE.
        """
        budget = self._process.budget
        wait = first
        while True:
            remaining = self._remaining()
            if remaining <= 0:
                budget.fail("timeout")
            ready = self._wait(writable, min(wait, remaining), inline=wait == PROMPT)
            if ready is not None:
                return ready
            wait = _SLICE
            budget.tick(1000)

    def _wait(self, writable: int | None, seconds: float, *, inline: bool) -> bool | None:
        """Whether the worker answered; None if nothing happened in time."""
        poll = select.poll()
        answer = self._worker.fileno()
        poll.register(answer, select.POLLIN)
        if writable is not None:
            poll.register(writable, select.POLLOUT)

        def wait() -> list[tuple[int, int]]:
            return poll.poll(seconds * 1000)

        events = wait() if inline else self._process.system.call(wait)
        return any(descriptor == answer for descriptor, _ in events) if events else None

    def _take(self) -> int | None:
        """Receive the worker's output; return the exit status if it arrived."""
        if not self._worker.receive():
            self.died = True
        status = None
        for letter, content in self._worker.frames():
            if letter == b"x":
                status = int(content)
            else:
                self._held.append((letter, content))
                self._size += len(content)
        if self._size > _HELD:
            self._holding = False
        if not self._holding:
            self.write_held()
        return status

    def write_held(self) -> None:
        """Write the buffered output."""
        held, self._held, self._size = self._held, [], 0
        for letter, content in held:
            self._process.budget.tick(len(content) >> 10)
            if content:
                (self._process.stdout if letter == b"o" else self._process.stderr).write(content)

    def epitaph(self, status: int) -> int:
        """Report the cause of a worker's death, and return the status that a shell would report."""
        number = -status if status < 0 else signal.SIGABRT
        reason = "cannot allocate memory" if number == signal.SIGABRT else os.strerror(errno.EFAULT)
        if number == signal.SIGSEGV:
            reason = "the program is nested too deeply"
        self._held.append((b"e", f"jq: error: {reason}\n".encode()))
        return 128 + number
