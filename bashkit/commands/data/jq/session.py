"""Runs a jq program in a worker: sends the input, writes the output, and enforces the time limit."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.commands._workers.exchange import WorkerDiedError, lent
from bashkit.commands._workers.worker import Program, UnavailableError
from bashkit.commands.data.jq.direct import Answering
from bashkit.commands.data.jq.direct.values import NotHereError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.commands._workers.exchange import Exchange
    from bashkit.interp.utility.process import Process

_PIECE = 1 << 16  # bytes of input that are answered at once
_HELD = 1 << 20  # bytes of output that are buffered so that the worker is free before a slow reader takes them
_TELLING = 0.001  # seconds to wait for output after input, before more input is read


def _library() -> list[str]:
    """The path of the extension module that exports libjq."""
    spec = find_spec("jq")
    if spec is None or spec.origin is None:
        raise UnavailableError("the Python package 'jq' is not installed")
    return [spec.origin]


PROGRAM = Program("jq", Path(__file__).with_name("server"), _library)


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
    output = _Output(process)
    request = {**request, **_surroundings(process)}
    try:
        with lent(process, PROGRAM) as exchange:
            session = _Session(process, exchange, output)
            status = session.stream(request, ahead) if stdin else session.ask(request)
    except WorkerDiedError as death:
        status = output.epitaph(death.status)
    output.write()
    return status


def _surroundings(process: Process) -> dict[str, Any]:
    """What a worker wants to know besides."""
    zone, colors = (process.env.get(name, "") for name in ("TZ", "JQ_COLORS"))
    return {
        "zone": getattr(process.system.timezone(zone), "key", "UTC0"),
        "colors": colors.encode("utf-8", "surrogateescape"),
    }


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


def _size(request: Mapping[str, Any]) -> int:
    """About how many bytes a request has."""
    contents = (content for _, content in request["inputs"] if content is not None)
    words = (*request["environment"].values(), *request["arguments"]["positional"])
    named = (text for _, *texts in request["arguments"]["named"] for text in texts)
    return sum(map(len, chain([request["program"]], contents, words, named)))


class _Output:
    """Holds the program's output, so that the worker is free before a slow reader takes it, unless it is much or a stream."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._held: list[tuple[bytes, bytes]] = []
        self._size = 0
        self.holding = True

    def add(self, frames: list[tuple[bytes, bytes]]) -> int | None:
        """Take frames of the answer; return the exit status if it is among them."""
        status = None
        for letter, content in frames:
            if letter == b"x":
                status = int(content)
            else:
                self._held.append((letter, content))
                self._size += len(content)
        if self._size > _HELD:
            self.holding = False
        if not self.holding:
            self.write()
        return status

    def write(self) -> None:
        """Write what is held."""
        held, self._held, self._size = self._held, [], 0
        for letter, content in held:
            self._process.budget.tick(len(content) >> 10)
            if content:
                (self._process.stdout if letter == b"o" else self._process.stderr).write(content)

    def epitaph(self, status: int) -> int:
        """Report the cause of a worker's death, and return the status that a shell would report."""
        number = -status if status < 0 else signal.SIGABRT
        reason = os.strerror(errno.EFAULT)
        if number == signal.SIGABRT:
            most = self._process.budget.limits.max_memory_bytes
            reason = f"cannot allocate memory: a script may hold {most} bytes in all (max_memory_bytes)"
        elif number == signal.SIGSEGV:
            reason = "the program is nested too deeply"
        self._held.append((b"e", f"jq: error: {reason}\n".encode()))
        return 128 + number


class _Session:
    """The exchange with one worker."""

    def __init__(self, process: Process, exchange: Exchange, output: _Output) -> None:
        self._process = process
        self._exchange = exchange
        self._output = output

    def ask(self, request: Mapping[str, Any]) -> int:
        """Send a complete request and receive the answer."""
        self._exchange.send(request, size=_size(request))
        return self._end()

    def stream(self, request: Mapping[str, Any], ahead: list[bytes]) -> int:
        """Send a request, then standard input as the worker reads it."""
        self._output.holding = False
        theirs, ours = os.pipe()
        os.set_blocking(ours, False)
        try:
            try:
                self._exchange.send(request, theirs, size=_size(request))
            finally:
                os.close(theirs)
            status = self._feed(ours, ahead)
        finally:
            os.close(ours)
        return self._end() if status is None else status

    def _end(self) -> int:
        """The exit status, after the rest of the output."""
        for frame in self._exchange.answer():
            status = self._output.add([frame])
            if status is not None:
                return status
        raise AssertionError("an answer ends with a status")

    def _feed(self, pipe: int, ahead: list[bytes]) -> int | None:
        """Write all of standard input to ``pipe``; return the status if the program ends earlier."""
        exchange = self._exchange
        pending = memoryview(b"".join(ahead))
        while True:
            while pending:
                status = self._take() if exchange.wait(pipe) else None
                if status is not None:
                    return status
                try:
                    pending = pending[os.write(pipe, pending) :]
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    # The worker closed its end, and its last output is on the way.
                    return self._end()
            if exchange.look(None, _TELLING, inline=True):
                status = self._take()
                if status is not None:
                    return status
            block = self._process.stdin.read()
            if not block:
                return None
            pending = memoryview(block)

    def _take(self) -> int | None:
        return self._output.add(self._exchange.take())
