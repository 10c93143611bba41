"""What a utility writes into a pipe goes there a block at a time, and the rest at its end (stdio(3), "fully buffered")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs import Stream

if TYPE_CHECKING:
    from bashkit.interp.runtime.hub import Hub
    from bashkit.interp.runtime.pipes import PipeWriter
    from bashkit.interp.runtime.tasks import Task

_BLOCK = 4096  # bytes; what fstat(2) says of a pipe


class BlockWriter(Stream):
    """Standard output of one utility, into a pipe.

    So ``ls a b | head -n1`` has written all it has to say before ``head`` reads the first line and leaves, and ends with 0.
    When the utility waits for anything, what it has written goes out before: nobody waits for output that is held back here.

    Args:
        pipe: Where it goes.
        hub: Runs the utility; it calls ``flush`` when the task waits that has written.
    """

    __slots__ = ("_held", "_hub", "_pipe", "_writer")

    readable = False
    writable = True

    def __init__(self, pipe: PipeWriter, hub: Hub) -> None:
        super().__init__()
        self._pipe = pipe
        self._hub = hub
        self._held = bytearray()
        self._writer: Task | None = None

    def write(self, data: bytes) -> None:
        """Write ``data`` once there is a block of it."""
        held = self._held
        if len(held) + len(data) >= _BLOCK:
            if held:
                held += data
                self.flush()
            else:
                self._pipe.write(data)
        elif data:
            if not held:
                self._writer = task = self._hub.current
                if task is not None:
                    task.unwritten = self
            held += data

    def flush(self) -> None:
        """Write what is held.

        Raises:
            SigPipe: Nobody reads the pipe any more; what was held is lost.
        """
        if self._held:
            data = bytes(self._held)
            self.drop()
            self._pipe.write(data)

    def drop(self) -> None:
        """Lose what is held, as a process does that a signal ends."""
        self._held.clear()
        task = self._writer
        if task is not None and task.unwritten is self:
            task.unwritten = None

    def broken(self) -> bool:
        """Whether the reader of the pipe is gone."""
        return self._pipe.broken()


class FailingWriter(Stream):
    """Standard output of one utility, where nothing can be written: as in a program's buffer, a block finds room first.

    So ``mkdir -v a b >/dev/full`` makes both directories, and says at its end that it could not say so.

    Args:
        stream: What refuses to be written.
    """

    __slots__ = ("_held", "_stream")

    readable = False
    writable = True

    def __init__(self, stream: Stream) -> None:
        super().__init__()
        self._stream = stream
        self._held = 0

    def write(self, data: bytes) -> None:
        """Take ``data`` while there is room."""
        self._held += len(data)
        if self._held >= _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Try to write what was taken.

        Raises:
            OSError: There was something.
        """
        if self._held:
            self._stream.write(b"\0")
