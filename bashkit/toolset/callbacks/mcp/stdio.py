"""Speaks with an MCP server over standard input and output, in its own environment and within limits, and ends it with its
children.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
import sys
from collections import deque
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bashkit.errors import ToolError
from bashkit.toolset.callbacks._family import Family

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

MAX_MESSAGE = 16 << 20  # bytes of one line
_MAX_NOISE = 200  # lines that are not messages: a banner is ignored, a flood ends the session
_KEPT_STDERR = 4096  # bytes
_TRACEBACK = "Traceback (most recent call last):"
_MARGIN = re.compile(r"^ +[|+](?: |(?=-))")  # of the lines of an exception group
_NOISE = re.compile(r" +at .+|[ +-]*-{9,}[ \d-]*")  # a frame of Node; a rule of an exception group
_GRACE = 1.0  # seconds between closing its input and killing it


def without_frames(text: str, *, cut: bool = False) -> str:
    """Leave out the frames of tracebacks: of Python, its exception groups, and Node.

    Args:
        text: What a program has written to standard error.
        cut: Its beginning is missing, which may be that of a traceback.
    """
    kept: list[str] = []
    within = cut
    for line in text.splitlines()[1 if cut else 0 :]:
        line = _MARGIN.sub("", line)
        if line.endswith(_TRACEBACK):
            within = True
        elif not (within and line[:1] in {"", " "}):
            within = False
            kept += [] if _NOISE.fullmatch(line) else [line]
    return "\n".join(kept)


class Server:
    """A running server.

    Args:
        process: Its process.
        family: It and what it starts.

    Attributes:
        ended: Set when it has closed its output.
        reason: Why the session was aborted, or "".
    """

    def __init__(self, process: asyncio.subprocess.Process, family: Family) -> None:
        self.process = process
        self._family = family
        self.ended = asyncio.Event()
        self.reason = ""
        self._stderr: deque[bytes] = deque()
        self._kept = 0

    def kill(self) -> None:
        """Kill the server and the processes it started."""
        self._family.end()

    @property
    def stderr(self) -> str:
        """The end of its standard error, as one line; of a traceback the error."""
        text = b"".join(self._stderr)[-_KEPT_STDERR:].decode("utf-8", "replace")
        return " ".join(without_frames(text, cut=self._kept > _KEPT_STDERR).split())

    async def read_stderr(self) -> None:
        """Keep the end of standard error and drop the rest, so that the server never blocks on it."""
        stream = self.process.stderr
        assert stream is not None
        while data := await stream.read(1 << 16):
            self._stderr.append(data)
            self._kept += len(data)
            while self._kept - len(self._stderr[0]) > _KEPT_STDERR:
                self._kept -= len(self._stderr.popleft())

    async def read_messages(self, target: Any) -> None:
        """Pass messages to the session until the server ends or sends too many lines that are not messages."""
        from mcp.shared.message import SessionMessage
        from mcp.types import jsonrpc_message_adapter

        stream, noise = self.process.stdout, 0
        assert stream is not None
        try:
            while line := await stream.readline():
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    noise += 1
                    if noise > _MAX_NOISE:
                        self.reason = "it prints text that is not an MCP message"
                        return
                    continue
                await target.send(SessionMessage(message))
        except ValueError:
            self.reason = f"it sent a message larger than {MAX_MESSAGE >> 20} MB"
        except Exception:
            pass  # the session has ended
        finally:
            self.ended.set()
            await target.aclose()

    async def write_messages(self, source: Any) -> None:
        """Send the session's messages to the server."""
        stream = self.process.stdin
        assert stream is not None
        with contextlib.suppress(OSError):
            async for message in source:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                stream.write(text.encode("utf-8", "replace") + b"\n")
                await stream.drain()


@asynccontextmanager
async def connect(argv: Sequence[str], env: Mapping[str, str], cwd: Path | None) -> AsyncIterator[tuple[Any, Any, Server]]:
    """Start a server for the duration of the block; yield the streams for a ClientSession of the SDK, and the server.

    Args:
        argv: The program and its arguments.
        env: Its whole environment.
        cwd: Its working directory.

    Raises:
        ToolError: It cannot be started.
    """
    import anyio
    from mcp.shared.message import SessionMessage

    family = Family()
    try:
        process = await _start(argv, family.environment(env), cwd)
    except BaseException:
        family.end()
        raise
    family.leader = process.pid
    server = Server(process, family)
    into, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, out = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = [
        asyncio.ensure_future(work) for work in (server.read_messages(into), server.write_messages(out), server.read_stderr())
    ]
    try:
        yield incoming, outgoing, server
    finally:
        await _stop(server, tasks)
        for stream in (incoming, outgoing, into, out):
            stream.close()


async def _start(argv: Sequence[str], env: Mapping[str, str], cwd: Path | None) -> asyncio.subprocess.Process:
    beside = str(Path(sys.executable).parent)  # where pip puts the programs of packages that are installed beside bashkit
    program = argv[0] if "/" in argv[0] else shutil.which(argv[0], path=env.get("PATH")) or shutil.which(argv[0], path=beside)
    if program is None:
        raise ToolError(f"there is no program {argv[0]} in {env.get('PATH')}", 127)
    try:
        return await asyncio.create_subprocess_exec(
            program,
            *argv[1:],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
            limit=MAX_MESSAGE,
        )
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ToolError(f"{Path(program).name}: {reason}", 126) from None


async def _stop(server: Server, tasks: Sequence[asyncio.Future[None]]) -> None:
    """Stop a server as MCP describes: close its input, wait a moment, then kill it and all processes it started."""
    process = server.process
    if process.stdin is not None:
        process.stdin.close()
    if not server.reason:
        await asyncio.wait([tasks[0]], timeout=_GRACE)
    server.kill()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), _GRACE)
    process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001 - asyncio has no public way, and the loop ends soon
    await asyncio.sleep(0)
