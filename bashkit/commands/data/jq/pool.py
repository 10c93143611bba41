"""The worker processes that run libjq: started at the first use, lent to one request at a time, killed when they overrun."""

from __future__ import annotations

import atexit
import contextlib
import marshal
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_IDLE = 4  # workers kept for later requests
_ALIVE = 32  # workers at once: jq processes of concurrent pipelines
_AWAKE = 0.0001  # seconds of polling for an answer
_BLOCK = 1 << 18  # bytes that are received at once
PROMPT = 0.02  # seconds to wait for an answer before other tasks of the script run
_START_TIMEOUT = 20.0  # seconds for an interpreter to start on a loaded machine
_yield = getattr(os, "sched_yield", lambda: None)


class UnavailableError(Exception):
    """libjq cannot be used on this host; the message says why."""


class Worker:
    """A worker process and its socket.

    Raises:
        UnavailableError: The ``jq`` wheel is missing, or does not export what the worker needs.
    """

    __slots__ = ("_connection", "_pending", "_process", "_received")

    def __init__(self) -> None:
        spec = find_spec("jq")
        if spec is None or spec.origin is None:
            raise UnavailableError("the Python package 'jq' is not installed")
        self._connection, theirs = socket.socketpair()
        # The folder is removed before the first request, so the working directory is and stays empty.
        folder = tempfile.mkdtemp(prefix="bashkit-jq-")
        program = str(Path(__file__).with_name("worker"))
        descriptor = theirs.fileno()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", program, spec.origin, str(descriptor)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(descriptor,),
                cwd=folder,
                env={"HOME": folder},
                start_new_session=True,
            )
        finally:
            theirs.close()
        self._received = bytearray()
        self._pending = 0
        try:
            self._connection.settimeout(_START_TIMEOUT)
            kind, message = self._first_frame()
            self._connection.settimeout(None)
            self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, int(PROMPT * 1e6)))
        except OSError as error:
            self.kill()
            raise UnavailableError(f"the jq worker did not start: {error}") from None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if kind != b"x":
            self.kill()
            raise UnavailableError(f"the Python package 'jq' does not export libjq: {message.decode(errors='replace')}")

    def _first_frame(self) -> tuple[bytes, bytes]:
        while True:
            block = self._connection.recv(4096)
            if not block:
                raise OSError("it ended at once")
            self._received += block
            for frame in self.frames():
                return frame

    def fileno(self) -> int:
        """The descriptor that becomes readable when a frame arrives or the worker dies."""
        return self._connection.fileno()

    def send(self, request: Mapping[str, Any], descriptor: int | None) -> None:
        """Send a request and, if given, the read end of the pipe for standard input.

        Raises:
            OSError: The worker is gone.
        """
        data = marshal.dumps(dict(request))
        data = struct.pack("<I", len(data)) + data
        sent = 0 if descriptor is None else socket.send_fds(self._connection, [data], [descriptor])
        self._connection.sendall(memoryview(data)[sent:])

    def receive(self) -> bool:
        """Receive what arrives within PROMPT, which may be nothing; return False if the worker is gone."""
        try:
            block = self._receive_awake() or self._connection.recv(_BLOCK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._received += block
        return bool(block)

    def _receive_awake(self) -> bytes:
        """Poll for the answer, because most arrive before this thread could be put to sleep and woken; b"" without one."""
        end = time.perf_counter() + _AWAKE
        while time.perf_counter() < end:
            try:
                return self._connection.recv(_BLOCK, socket.MSG_DONTWAIT)
            except BlockingIOError:
                _yield()
        return b""

    def frames(self) -> list[tuple[bytes, bytes]]:
        """Yield the complete frames received: a letter and its content."""
        found = []
        data, start = self._received, 0
        while len(data) - start >= 5:
            letter, length = struct.unpack_from("<cI", data, start)
            if len(data) - start - 5 < length:
                break
            found.append((letter, bytes(data[start + 5 : start + 5 + length])))
            start += 5 + length
        del data[:start]
        return found

    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def kill(self) -> int:
        """End the process and return its exit status, negative for a signal."""
        self._connection.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        return self._process.wait()

    def wait(self) -> int:
        """The exit status of a worker that ended by itself."""
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return self.kill()
        self._connection.close()
        return status

    def forget(self) -> None:
        """Drop the socket in a forked child, whose parent owns the process."""
        self._connection.close()


class Pool:
    """Lends workers; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Worker] = []
        self._lent: set[Worker] = set()
        self._starting = 0

    def borrow(self) -> Worker | None:
        """Lend a worker for one request; None if too many are lent.

        Raises:
            UnavailableError: No worker can be started.
        """
        with self._lock:
            while self._idle:
                idle = self._idle.pop()
                if idle.alive():
                    self._lent.add(idle)
                    return idle
                idle.wait()
            if len(self._lent) + self._starting >= _ALIVE:
                return None
            self._starting += 1
        worker: Worker | None = None
        try:
            worker = Worker()
        finally:
            with self._lock:
                self._starting -= 1
                if worker is not None:
                    self._lent.add(worker)
        return worker

    def give_back(self, worker: Worker) -> None:
        """Return a worker after a complete answer."""
        with self._lock:
            self._lent.discard(worker)
            if len(self._idle) < _IDLE:
                self._idle.append(worker)
                return
        worker.kill()

    def discard(self, worker: Worker) -> int:
        """End a worker that overruns or misbehaves, and return its exit status."""
        with self._lock:
            self._lent.discard(worker)
        return worker.kill()

    def bury(self, worker: Worker) -> int:
        """Remove a worker that died, and return its exit status."""
        with self._lock:
            self._lent.discard(worker)
        return worker.wait()

    def close(self) -> None:
        """End every worker."""
        with self._lock:
            workers = [*self._idle, *self._lent]
            self._idle, self._lent = [], set()
        for worker in workers:
            worker.kill()

    def after_fork(self) -> None:
        """Reset the pool in a forked child."""
        workers = [*self._idle, *self._lent]
        self._lock = threading.Lock()
        self._idle, self._lent, self._starting = [], set(), 0
        for worker in workers:
            worker.forget()


pool = Pool()
atexit.register(pool.close)
os.register_at_fork(after_in_child=pool.after_fork)
