"""Results that come piece by piece: from a callback's iterator to the script's standard output.

The items of an iterator are made in the thread in which the callback ran, because what it opened there (a connection to a
database) often belongs to that thread. The thread stays a little ahead of the script, and no further: a reader that has seen
enough ends the iterator.
"""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass
from functools import partial
from threading import Semaphore
from typing import TYPE_CHECKING, Any

from bashkit.errors import is_failure
from bashkit.interp.runtime.control import Unwind
from bashkit.interp.utility.custom import log_failure
from bashkit.tools.call.retry import KEPT_BYTES
from bashkit.tools.call.trace import stream_text
from bashkit.tools.define.result import ToolResult, convert, items_of, to_bytes

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import AsyncIterator

    from bashkit.fs import Stream
    from bashkit.interp.runtime.tasks import Task
    from bashkit.interp.utility.process import Process, System
    from bashkit.tools.call.context import CallContext
    from bashkit.tools.call.trace import ToolCall

_AHEAD = 4  # items that are made before the script has taken those before them
_LOOK = 1.0  # seconds after which a thread looks whether its call is still awaited


@dataclass(frozen=True, slots=True)
class Streamed(ToolResult):
    """The rest of a result of which pieces have been written, so that the call cannot be made again.

    Attributes:
        whole: All pieces, for the cache; None if they are too long or nobody asked for them.
    """

    whole: ToolResult | None = None


class Streaming(Unwind):
    """Tells the task that waits for a callback that its result is an iterator.

    Args:
        feed: Gives the items.
    """

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed


class Feed:
    """The items of an iterator, made in one thread and taken by one task.

    Args:
        task: The task, or None outside of any.
        timeout: Seconds after which the iterator has taken too long, or None.
        abandoned: Filled when the result is no longer awaited.
    """

    __slots__ = ("_abandoned", "_closed", "_end", "_error", "_hub", "_over", "_pieces", "_room", "_task", "_timer", "_waiting")

    def __init__(self, task: Task | None, timeout: float | None, abandoned: list[bool]) -> None:
        assert task is not None
        self._task = task
        self._hub = task.hub
        self._abandoned = abandoned
        self._end = None if timeout is None else self._hub.budget.clock() + timeout
        self._timer = timeout is not None
        self._pieces: deque[ToolResult] = deque()
        self._room = Semaphore(_AHEAD)
        self._error: BaseException | None = None
        self._closed = self._over = self._waiting = False

    # -- in the thread of the callback ---------------------------------------------------------------------------------

    def give(self, stream: Any) -> None:
        """Make the items, as long as the task takes them. Raises nothing; ``take`` does."""
        self._hub.post(self._announce)
        try:
            for item in items_of(stream):
                piece = convert(item)
                if not self._has_room():
                    break
                self._pieces.append(piece)
                self._tell()
        except BaseException as error:
            self._error = error
        try:
            getattr(stream, "close", _nothing)()
        except BaseException as error:
            self._error = self._error or error
        if self._error is not None and self._closed:
            log_failure("an iterator that nobody reads any more", self._error)
        self._over = True
        self._tell()

    def _has_room(self) -> bool:
        """Wait until the task has taken enough; False if it takes no more."""
        while not self._room.acquire(timeout=_LOOK):
            if self._abandoned:
                return False
        return not self._closed and not self._abandoned

    def _tell(self) -> None:
        if self._waiting:
            self._waiting = False
            self._hub.post(partial(self._hub.wake, self._task))

    # -- on the side of the scheduler ----------------------------------------------------------------------------------

    def _announce(self) -> None:
        """Tell the task that it waits for an iterator, unless it has given up."""
        if not self._abandoned and self._task.pending is None:
            self._hub.throw(self._task, Streaming(self))

    def take(self) -> ToolResult | None:
        """Wait for the next item; None after the last one.

        Raises:
            TimeoutError: The iterator has taken too long.
            Exception: Any exception of the iterator.
        """
        self._hub.give_way()  # to the reader, who may have seen enough
        while not self._pieces:
            if self._over:
                if self._error is not None:
                    raise self._error
                return None
            self._wait()
        self._room.release()
        return self._pieces.popleft()

    def _wait(self) -> None:
        if self._end is not None:
            left = self._end - self._hub.budget.clock()
            if left <= 0:
                raise TimeoutError
            if self._timer:
                self._timer = False
                self._hub.at(left, self._task)
        self._waiting = True
        if not self._pieces and not self._over:
            self._hub.suspend()

    def close(self) -> None:
        """End the iterator; it is closed in its own thread."""
        self._closed = True
        self._room.release()


class AsyncFeed:
    """The items of an async iterator, each awaited on the event loop when the script wants it.

    Args:
        system: Waits for the event loop.
        timeout: Seconds that all items may take together, or None.
        stream: The iterator.
    """

    __slots__ = ("_clock", "_end", "_loop", "_over", "_stream", "_system")

    def __init__(self, process: Process, timeout: float | None, stream: AsyncIterator[Any]) -> None:
        self._system: System = process.system
        self._clock = process.budget.clock
        self._end = None if timeout is None else self._clock() + timeout
        self._stream = stream
        self._loop: AbstractEventLoop | None = None
        self._over = False

    def take(self) -> ToolResult | None:
        """Wait for the next item; None after the last one.

        Raises:
            TimeoutError: The iterator has taken too long.
            Exception: Any exception of the iterator.
        """
        left = None if self._end is None else max(0.0, self._end - self._clock())
        piece: ToolResult | None = self._system.call(self._next, timeout=left)  # type: ignore[arg-type]  # T and Awaitable[T]
        return piece

    async def _next(self) -> ToolResult | None:
        import asyncio

        self._loop = asyncio.get_running_loop()
        try:
            return convert(await anext(self._stream))
        except StopAsyncIteration:
            self._over = True
            return None

    def close(self) -> None:
        """End the iterator on its event loop, without waiting for that."""
        if not self._over and self._loop is not None and hasattr(self._stream, "aclose"):
            asyncio = sys.modules["asyncio"]
            try:
                asyncio.run_coroutine_threadsafe(self._closed(), self._loop)
            except RuntimeError:  # the loop is closed, and its generators with it
                pass

    async def _closed(self) -> None:
        try:
            await self._stream.aclose()  # type: ignore[attr-defined]  # checked by who calls this
        except BaseException as error:
            if not is_failure(error):
                raise
            log_failure("an iterator that nobody reads any more", error)


class Output:
    """Writes the pieces of one call's result, without secrets, and counts them in the record of the call.

    Args:
        process: The command.
        calls: Knows the secrets.
        record: The call's record.
        keep: Whether ``result`` should have the whole output.
    """

    __slots__ = ("_calls", "_channels", "_kept", "_process", "_record", "written")

    def __init__(self, process: Process, calls: CallContext, record: ToolCall, *, keep: bool) -> None:
        self._process = process
        self._calls = calls
        self._record = record
        self._kept: list[ToolResult] | None = [] if keep else None
        self._channels = _Channel(process.stdout), _Channel(process.stderr)
        self.written = False

    def write(self, piece: ToolResult) -> None:
        """Write a piece.

        Raises:
            OSError: Nobody reads it, or there is no room.
        """
        self.written = True
        out, err = self._channels
        if self._kept is not None:
            self._kept.append(piece)
            if out.size + err.size > KEPT_BYTES:
                self._kept = None
        try:
            self._put(err, to_bytes(piece.stderr))
            self._put(out, to_bytes(piece.stdout))
        finally:
            self._record.stdout_bytes, self._record.stderr_bytes = out.size, err.size

    def _put(self, channel: _Channel, data: bytes, *, last: bool = False) -> None:
        secrets = self._calls.secrets
        data = channel.held + data
        end = len(data) if last else secrets.settled(data)
        data, channel.held = secrets.bytes(data[:end]), data[end:]
        if data:
            channel.size += len(data)
            if len(channel.head) < self._calls.streams:
                channel.head += data
            channel.stream.write(data)

    def finish(self) -> Streamed:
        """Write what was held back because a secret might have begun; return the result of the call."""
        out, err = self._channels
        self._put(err, b"", last=True)
        self._put(out, b"", last=True)
        self._record.stdout_bytes, self._record.stderr_bytes = out.size, err.size
        return Streamed(whole=None if self._kept is None else _joined(self._kept))

    def close(self) -> None:
        """Note the beginnings of the streams in the record, if it has them."""
        most = self._calls.streams
        if most:
            out, err = self._channels
            self._record.stdout = stream_text(out.head, most, out.size)
            self._record.stderr = stream_text(err.head, most, err.size)


class _Channel:
    """One stream of a call's output: what was written, and what is held back."""

    __slots__ = ("head", "held", "size", "stream")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.size = 0
        self.held = b""
        self.head = b""


def _joined(pieces: list[ToolResult]) -> ToolResult:
    return ToolResult(b"".join(to_bytes(piece.stdout) for piece in pieces), b"".join(to_bytes(piece.stderr) for piece in pieces))


def _nothing() -> None:
    """An iterator that needs no closing."""
