"""A worker process: how it is started, spoken with and ended."""

from __future__ import annotations

import contextlib
import marshal
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PROMPT = 0.02  # seconds to wait for an answer before other tasks of the script run
_AWAKE = 0.0001  # seconds of polling for an answer
_BLOCK = 1 << 18  # bytes that are received at once
_LARGEST = 1 << 20  # bytes of a frame that a worker may send
_START_TIMEOUT = 20.0  # seconds for an interpreter to start on a loaded machine
_SEND_TIMEOUT = 5  # seconds for a worker to read what it is sent
_yield = getattr(os, "sched_yield", lambda: None)


class UnavailableError(Exception):
    """A worker cannot be used on this host; the message says why."""

    @classmethod
    def of(cls, name: str, error: Exception) -> UnavailableError:
        """What to tell a script whose worker did not start: nothing of the host's paths."""
        if isinstance(error, cls):
            return error
        reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        return cls(f"the {name} worker did not start: {reason}")


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A kind of worker.

    Attributes:
        name: Its name, for messages.
        server: The folder with its module ``server``.
        arguments: Gives the arguments of the class ``Server``; it raises UnavailableError if there can be no worker.
    """

    name: str
    server: Path
    arguments: Callable[[], list[str]] = list


class Worker:
    """A worker process and its socket.

    Args:
        program: What it runs.

    Raises:
        UnavailableError: It does not start, or its server does not load.
    """

    __slots__ = ("_connection", "_process", "_received", "program")

    def __init__(self, program: Program) -> None:
        from bashkit.sandbox.interpreter import executable

        self.program = program
        arguments = program.arguments()
        self._connection, theirs = socket.socketpair()
        # The folder is removed before the first request, so the working directory is and stays empty.
        folder = tempfile.mkdtemp(prefix="bashkit-")
        descriptor = theirs.fileno()
        command = ["-I", "-S", str(Path(__file__).with_name("program")), str(program.server), str(descriptor)]
        try:
            self._process = subprocess.Popen(
                [executable(), *command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(descriptor,),
                cwd=folder,
                env={},
                start_new_session=True,
            )
        except OSError as error:
            self._connection.close()
            raise UnavailableError(f"the {program.name} worker did not start: {error.strerror}") from None
        else:
            self._received = bytearray()
            theirs.close()
            self._refuse()
            self._await_readiness()
        finally:
            theirs.close()
            shutil.rmtree(folder, ignore_errors=True)

    def _refuse(self) -> None:
        """Say what the kernel is to refuse the process; loading what makes that goes on while the process starts."""
        from bashkit.sandbox.confine import refusals

        refused = refusals()
        with contextlib.suppress(OSError):  # it is gone: its last frame says why
            self.send({"calls": refused.calls, "seccomp": refused.seccomp}, refused.files if refused.files >= 0 else None)

    def _await_readiness(self) -> None:
        try:
            self._connection.settimeout(_START_TIMEOUT)
            kind, message = self._first_frame()
            self._connection.settimeout(None)
            self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, int(PROMPT * 1e6)))
            self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", _SEND_TIMEOUT, 0))
        except OSError as error:
            self.kill()
            self.wait()
            raise UnavailableError(f"the {self.program.name} worker did not start: {error}") from None
        if kind != b"x":
            self.kill()
            self.wait()
            raise UnavailableError(f"the {self.program.name} worker cannot work here: {message.decode(errors='replace')}")

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

    def send(self, request: Mapping[str, Any], descriptor: int | None = None) -> None:
        """Send a request and, if given, a descriptor.

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
        """The complete frames received: a letter and its content.

        Raises:
            OSError: This is not what a worker sends.
        """
        found = []
        data, start = self._received, 0
        while len(data) - start >= 5:
            letter, length = struct.unpack_from("<cI", data, start)
            if length > _LARGEST:
                raise OSError("the frame is too large")
            if len(data) - start - 5 < length:
                break
            found.append((letter, bytes(data[start + 5 : start + 5 + length])))
            start += 5 + length
        del data[:start]
        return found

    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End the process."""
        self._connection.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    def wait(self) -> int:
        """The exit status of a worker that has ended or does so within a second; negative for a signal."""
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self.kill()
            status = self._process.wait()
        self._connection.close()
        return -signal.SIGABRT if status == -signal.SIGSYS else status  # abort() is a call that the kernel refuses

    def forget(self) -> None:
        """Drop the socket in a forked child, whose parent owns the process."""
        self._connection.close()
