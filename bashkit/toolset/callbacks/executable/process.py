"""Runs a program without a shell, in its own environment, with limits on time and output, and ends all its processes."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bashkit.errors import ToolError
from bashkit.toolset.callbacks._family import Family

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
MAX_OUTPUT = 10 << 20  # bytes kept of each stream
_TIMED_OUT = 124


@dataclass(frozen=True, slots=True)
class Finished:
    """How a process ended.

    Attributes:
        stdout, stderr: What it wrote, up to the limit.
        status: Its exit status; 128 + N if signal N ended it, 124 if it took too long.
        note: An explanation of the status for the user, or "".
    """

    stdout: bytes
    stderr: bytes
    status: int
    note: str = ""


def environment(declared: Mapping[str, str]) -> dict[str, str]:
    """The environment of an executable: the toolset's variables, a standard PATH and locale, and nothing else of the host's."""
    return {"PATH": PATH, "LANG": "C.UTF-8", **declared}


class _Conversation(asyncio.SubprocessProtocol):
    """Collects what a process writes until it exits and its pipes close; output beyond the limit is read and dropped."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.exited: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self._data = {1: bytearray(), 2: bytearray()}
        self._dropped = {1: 0, 2: 0}

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        fits = max(0, MAX_OUTPUT - len(self._data[fd]))
        self._data[fd] += data[:fits]
        self._dropped[fd] += len(data) - min(fits, len(data))

    def process_exited(self) -> None:
        _settle(self.exited)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's signature
        _settle(self.closed)

    def output(self, fd: int) -> bytes:
        """The collected output of a descriptor."""
        if not self._dropped[fd]:
            return bytes(self._data[fd])
        return bytes(self._data[fd]) + f"\n[{self._dropped[fd]} more bytes were dropped]\n".encode()


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


async def run_process(
    argv: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str], cwd: Path | None = None, patience: float
) -> Finished:
    """Run a program and end everything that it has started afterwards.

    Args:
        argv: The program's path and its arguments.
        stdin: What it reads.
        env: Its whole environment.
        cwd: Its working directory.
        patience: Seconds after which it is killed; its output up to then is kept.

    Raises:
        ToolError: It could not be started.
    """
    loop = asyncio.get_running_loop()
    family = Family()
    starting = loop.create_task(
        loop.subprocess_exec(lambda: _Conversation(loop), *argv, env=family.environment(env), cwd=cwd, start_new_session=True)
    )
    try:
        transport, talk = await asyncio.shield(starting)
    except BaseException as error:
        family.end()  # before the start is given up: that waits until nobody holds the pipes
        starting.cancel()
        await asyncio.wait([starting])
        if isinstance(error, OSError):
            raise _not_started(argv[0], error, cwd) from error
        raise
    family.leader = transport.get_pid()
    late = False
    try:
        _feed(transport, stdin)
        late = not (await asyncio.wait([talk.exited], timeout=patience))[0]
        await loop.run_in_executor(None, family.end)  # the time is up, or the process ended and may have left children
        await talk.exited
        await asyncio.wait([talk.closed], timeout=1.0)  # a child that cleared its environment could keep a pipe open
    finally:
        family.end()  # the caller may have been cancelled
        transport.close()
    return _finished(transport.get_returncode() or 0, talk.output(1), talk.output(2), patience if late else None)


def _feed(transport: asyncio.SubprocessTransport, data: bytes) -> None:
    pipe = transport.get_pipe_transport(0)
    assert isinstance(pipe, asyncio.WriteTransport)
    pipe.write(data)
    pipe.close()  # after the pending output was sent


def _not_started(program: str, error: OSError, cwd: Path | None) -> ToolError:
    name = Path(program).name
    if error.errno == errno.E2BIG:
        return ToolError(f"{name}: the arguments are too long for a command line", exit_code=126)
    if error.errno == errno.ENOEXEC:
        return ToolError(f"{name}: no #! line and no program format", exit_code=126)
    if cwd is not None and not os.path.isdir(cwd):  # noqa: PTH112 - which asks nothing that could be refused
        return ToolError(f"{name}: the working directory is missing", exit_code=127)
    if error.errno == errno.ENOENT:
        return ToolError(f"{name}: its interpreter is missing", exit_code=127)
    return ToolError(f"{name}: {error.strerror}", exit_code=126)


def _finished(code: int, stdout: bytes, stderr: bytes, late: float | None) -> Finished:
    if late is not None:
        return Finished(stdout, stderr, _TIMED_OUT, f"timed out after {late:g} s")
    if code >= 0:
        return Finished(stdout, stderr, code)
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return Finished(stdout, stderr, 128 - code, f"killed by {name}")
