"""Pipes between tasks: bounded buffers that make a full writer and an empty reader wait (POSIX XSH pipe)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from bashkit.fs import Stream
from bashkit.fs.system import LivePipe
from bashkit.interp.runtime.control import SigPipe

if TYPE_CHECKING:
    from bashkit.fs.inodes import Fifo
    from bashkit.interp.runtime.hub import Hub
    from bashkit.interp.runtime.tasks import Task

CAPACITY = 65536  # bytes, as Linux


class _Buffer:
    """What the two ends share."""

    __slots__ = ("both", "boundless", "chunks", "held", "hub", "reader_gone", "readers", "size", "writer_gone", "writers")

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.chunks: deque[bytes] = deque()
        self.size = 0
        self.held = 0
        self.reader_gone = False
        self.writer_gone = False
        self.boundless = False  # it takes whatever is written
        self.both = 0  # open descriptors that are both ends: while there is one, neither is gone
        self.readers: list[Task] = []
        self.writers: list[Task] = []

    @property
    def ended(self) -> bool:
        """Whether nobody can write any more."""
        return self.writer_gone and not self.both

    @property
    def broken(self) -> bool:
        """Whether nobody can read any more."""
        return self.reader_gone and not self.both

    def hold(self, size: int) -> None:
        """Charge what one write put into the buffer beyond its capacity, until it is read."""
        self.held += size
        self.hub.budget.hold(size)

    def clear(self) -> None:
        """Forget what was read, or never will be."""
        self.chunks.clear()
        self.size = 0
        if self.held:
            self.hold(-self.held)

    def wait(self, queue: list[Task]) -> None:
        task = self.hub.current
        assert task is not None
        queue.append(task)
        self.hub.suspend()

    def wake(self, queue: list[Task]) -> None:
        for task in queue:
            self.hub.wake(task)
        queue.clear()


class PipeReader(Stream):
    """The end that is read."""

    __slots__ = ("_buffer",)

    def __init__(self, buffer: _Buffer) -> None:
        super().__init__()
        self._buffer = buffer

    def _fill(self) -> bytes:
        buffer = self._buffer
        if buffer.size and not buffer.chunks:  # the large block before this one has been used up
            buffer.size = 0
            buffer.wake(buffer.writers)
        while not buffer.chunks:
            if buffer.ended:
                return b""
            buffer.wait(buffer.readers)
        block = buffer.chunks.popleft() if len(buffer.chunks) == 1 else b"".join(buffer.chunks)
        large = bool(buffer.held)
        buffer.clear()
        if large:
            buffer.size = len(block)  # writers still wait: of a pipe that holds less, most of it could not have been read yet
        elif buffer.writers:
            buffer.wake(buffer.writers)
        return block

    def ready(self) -> bool:
        """Whether a read would return at once."""
        return bool(self._at < len(self._ahead) or self._buffer.chunks or self._buffer.ended)

    def watch(self, task: Task) -> None:
        """Wake a task when there is something to read."""
        self._buffer.readers.append(task)

    def open_both(self) -> Stream:
        """Open the pipe once more, for reading and writing (``<>`` of ``/dev/fd/N``)."""
        return PipeBoth(self._buffer)

    def close(self) -> None:
        """Close the reading end: writers get a broken pipe."""
        buffer = self._buffer
        buffer.reader_gone = True
        self._left()

    def _left(self) -> None:
        buffer = self._buffer
        if buffer.broken:
            buffer.clear()
        buffer.wake(buffer.writers)


class PipeWriter(Stream):
    """The end that is written."""

    __slots__ = ("_buffer",)

    readable = False
    writable = True

    def __init__(self, buffer: _Buffer) -> None:
        super().__init__()
        self._buffer = buffer

    def write(self, data: bytes) -> None:
        """Write ``data``, waiting while the pipe is full."""
        buffer = self._buffer
        while buffer.size >= CAPACITY and not (buffer.broken or buffer.boundless):
            buffer.wait(buffer.writers)
        if buffer.broken:
            raise SigPipe
        if data:
            buffer.chunks.append(data)
            buffer.size += len(data)
            if len(data) > CAPACITY or (buffer.boundless and buffer.size > CAPACITY):
                buffer.hold(len(data))
            if buffer.readers:
                buffer.wake(buffer.readers)

    def wait_for_nobody(self) -> None:
        """Take whatever a writer writes that is done before the reader begins; what is too much for a pipe is charged."""
        self._buffer.boundless = True

    def broken(self) -> bool:
        """Whether the reading end is closed."""
        return self._buffer.broken

    def close(self) -> None:
        """Close the writing end: the reader sees the end of the data."""
        buffer = self._buffer
        buffer.writer_gone = True
        buffer.wake(buffer.readers)


class PipeBoth(PipeReader):
    """A pipe whose ends are one descriptor (a named pipe opened with ``<>``)."""

    __slots__ = ("_writer",)

    writable = True

    def __init__(self, buffer: _Buffer) -> None:
        super().__init__(buffer)
        self._writer = PipeWriter(buffer)
        buffer.both += 1

    def write(self, data: bytes) -> None:
        """Write ``data`` to be read from the same descriptor."""
        self._writer.write(data)

    def close(self) -> None:
        """Close both ends."""
        buffer = self._buffer
        buffer.both -= 1
        buffer.wake(buffer.readers)
        self._left()


def make_pipe(hub: Hub) -> tuple[PipeReader, PipeWriter]:
    """Two ends of a new pipe."""
    buffer = _Buffer(hub)
    return PipeReader(buffer), PipeWriter(buffer)


class _NamedPipe:
    """An open named pipe: its two ends, each shared by all that opened it."""

    __slots__ = ("_buffer", "_ends", "_opened", "_waiting")

    def __init__(self, hub: Hub) -> None:
        self._buffer = _Buffer(hub)
        self._buffer.reader_gone = self._buffer.writer_gone = True  # nobody has opened it yet
        self._ends: dict[bool, Stream] = {}
        self._opened = {True: 0, False: 0}  # how many times each
        self._waiting: list[Task] = []

    def is_open(self, *, write: bool) -> bool:
        """Whether that end is open."""
        end = self._ends.get(write)
        return end is not None and end.refs > 0

    def open(self, *, write: bool) -> Stream:
        """Return one end, once the other is open."""
        if self.is_open(write=write):
            end = self._ends[write].retain()
        elif write:
            self._buffer.writer_gone = False
            end = PipeWriter(self._buffer)
        else:
            self._buffer.reader_gone = False
            end = PipeReader(self._buffer)
        self._ends[write] = end
        self._opened[write] += 1
        self._buffer.wake(self._waiting)
        came = self._opened[not write]
        try:
            while not self.is_open(write=not write) and self._opened[not write] == came:
                self._buffer.wait(self._waiting)
        except BaseException:
            end.release()
            raise
        return end

    def open_both(self) -> Stream:
        """Return both ends as one; tasks that wait for either end go on."""
        both = PipeBoth(self._buffer)
        for write in (True, False):
            if not self.is_open(write=write):
                self._ends[write] = both
            self._opened[write] += 1
        self._buffer.wake(self._waiting)
        return both


def open_fifo(hub: Hub, node: Fifo, *, write: bool) -> Stream:
    """Open one end of a named pipe; waits until the other is opened (POSIX XSH open)."""
    return node.stream.retain() if isinstance(node, LivePipe) else _named_pipe(hub, node).open(write=write)


def open_fifo_both(hub: Hub, node: Fifo) -> Stream:
    """Open both ends of a named pipe as one (``<>``) without waiting."""
    return node.stream.retain() if isinstance(node, LivePipe) else _named_pipe(hub, node).open_both()


def _named_pipe(hub: Hub, node: Fifo) -> _NamedPipe:
    pipe = node.pipe
    if not isinstance(pipe, _NamedPipe) or not (pipe.is_open(write=True) or pipe.is_open(write=False)):
        pipe = node.pipe = _NamedPipe(hub)
    return pipe
