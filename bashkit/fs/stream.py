"""Byte streams: what a file descriptor refers to (POSIX XBD 3.258, Open File Description)."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.limits import Charge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs.inodes import FileType

BLOCK = 65536
READING, WRITING = "read error", "write error"  # what the errors of a stream say in the place of a file's name
MAX_READ = 64 << 20  # bytes that read_all takes in


def os_error(code: int, path: str | None = None) -> OSError:
    """The OSError subclass for an errno, worded as the C library words it."""
    return OSError(code, os.strerror(code), path) if path is not None else OSError(code, os.strerror(code))


class Stream:
    """An open file description, shared by every descriptor that was duplicated from it.

    Reading consumes exactly what is returned, whatever the size of the blocks underneath: ``read`` (the builtin) can take
    one line and leave the rest to the next command. Subclasses implement ``_fill`` and/or ``write``.

    Attributes:
        shown: What is written to it is the output of the execution, which somebody reads as text.
        hopeless: Nothing can be written to it, whatever it was opened for: it is closed, or there is never room.
        type: The type of the file that it is open to: a pipe, unless a subclass says otherwise.
    """

    __slots__ = ("_ahead", "_at", "refs")

    readable = True
    writable = False
    shown = False
    hopeless = False
    type: FileType = "fifo"
    _refusal = errno.EBADF  # of a stream that is not readable

    def __init__(self) -> None:
        self.refs = 1
        self._ahead = b""  # a block that was filled; what is unread of it begins at _at
        self._at = 0

    @property
    def unreadable(self) -> int:
        """The error number (errno(3)) of every attempt to read; 0 if it can be read."""
        return 0 if self.readable else self._refusal

    def _fill(self) -> bytes:
        """The next block, waiting for one if need be; ``b""`` at the end."""
        raise os_error(self._refusal, READING)

    def read(self, size: int = BLOCK) -> bytes:
        """At most ``size`` bytes, at least one unless at the end (as read(2))."""
        block, at = self._ahead, self._at
        if at >= len(block):
            block, at = self._fill(), 0
        if len(block) - at > size:
            self._ahead, self._at = block, at + size
            return block[at : at + size]
        self._ahead, self._at = b"", 0
        return block[at:] if at else block

    def unread(self) -> bytes:
        """Give up what was taken from the medium and not read yet."""
        rest = self._ahead[self._at :]
        self._ahead, self._at = b"", 0
        return rest

    def give_back(self, data: bytes) -> None:
        """Let ``data`` be read before everything else."""
        self._ahead, self._at = data + self._ahead[self._at :], 0

    def blocks(self) -> Iterator[bytes]:
        """Every block up to the end."""
        while block := self.read():
            yield block

    def read_all(self, limit: int = MAX_READ) -> bytes:
        """Everything up to the end.

        Args:
            limit: Bytes at most; no input is endless that is read whole.

        Raises:
            OSError: ``EFBIG``: there is more.
            LimitExceededError: There is no memory for that much.
        """
        blocks: list[bytes] = []
        size = 0
        charge = Charge()
        for block in self.blocks():
            size += len(block)
            if size > limit:
                raise os_error(errno.EFBIG)
            charge.reach(size)
            blocks.append(block)
        return b"".join(blocks)

    def read_line(self, delimiter: bytes = b"\n", limit: int = -1) -> bytes:
        """One line with its delimiter; without it at the end of input or after ``limit`` bytes.

        Args:
            delimiter: One byte.
            limit: Bytes to return at most; negative for no limit but that of the execution.

        Raises:
            LimitExceededError: The line is longer than ``max_string_bytes``, or there is no memory for it.
        """
        block, at = self._ahead, self._at
        end = block.find(delimiter, at) + 1
        if end and (limit < 0 or end - at <= limit):
            self._at = end
            return block[at:end]
        pieces: list[bytes] = []
        taken = 0
        charge: Charge | None = None
        while True:
            if at >= len(block):
                block, at = self._fill(), 0
                if not block:
                    self._ahead, self._at = b"", 0
                    break
            end = block.find(delimiter, at) + 1 or len(block)
            if 0 <= limit < taken + end - at:
                end = at + limit - taken
            pieces.append(block[at:end])
            taken += end - at
            at = end
            self._ahead, self._at = block, at
            if taken > BLOCK:
                charge = charge or Charge()
                (charge.reach_line if limit < 0 else charge.reach)(taken)
            if taken == limit or pieces[-1].endswith(delimiter):
                break
        return b"".join(pieces)

    def write(self, data: bytes) -> None:  # noqa: ARG002 - what subclasses take
        """Write all of ``data``.

        Raises:
            SigPipe: The reader is gone.
            OSError: The stream is not open for writing, or the medium is full.
        """
        raise os_error(errno.EBADF, WRITING)

    def broken(self) -> bool:
        """Whether it is a pipe whose reader is gone."""
        return False

    def retain(self) -> Stream:
        """One more descriptor refers to this stream."""
        self.refs += 1
        return self

    def release(self) -> None:
        """One descriptor fewer refers to this stream; the last one closes it."""
        self.refs -= 1
        if self.refs == 0:
            self.close()

    def close(self) -> None:
        """Release what the stream holds, after its last reference."""


class SuppliedStream(Stream):
    """Input that comes piece by piece.

    Args:
        supply: Gives the next piece, waiting for it if need be; ``b""`` at the end, and then it is not called again.
    """

    __slots__ = ("_supply",)

    def __init__(self, supply: Callable[[], bytes]) -> None:
        super().__init__()
        self._supply: Callable[[], bytes] | None = supply

    def _fill(self) -> bytes:
        block = b"" if self._supply is None else self._supply()
        if not block:
            self._supply = None
        return block


class BytesStream(Stream):
    """Reads from bytes at hand: here-documents, here-strings, the standard input of an execution."""

    __slots__ = ()

    def __init__(self, data: bytes) -> None:
        self.refs = 1
        self._ahead = data
        self._at = 0

    def _fill(self) -> bytes:
        return b""


class DirectoryStream(Stream):
    """A directory opened for reading: opening it works, reading does not (read(2))."""

    __slots__ = ()

    readable = False
    type = "directory"
    _refusal = errno.EISDIR


class NullStream(Stream):
    """``/dev/null``: nothing to read, and writes vanish."""

    __slots__ = ()

    writable = True
    type = "character"

    def _fill(self) -> bytes:
        return b""

    def write(self, data: bytes) -> None:
        """Drop ``data``."""


class NullSource(NullStream):
    """``/dev/null``, opened for reading alone."""

    __slots__ = ()

    writable = False

    def write(self, data: bytes) -> None:
        """Refuse ``data``."""
        if data:
            raise os_error(errno.EBADF, WRITING)


class NullSink(NullStream):
    """``/dev/null``, opened for writing alone."""

    __slots__ = ()

    readable = False

    def _fill(self) -> bytes:
        raise os_error(errno.EBADF, READING)


def null_stream(*, read: bool, write: bool) -> NullStream:
    """``/dev/null``, opened for this."""
    return NullStream() if read and write else NullSink() if write else NullSource()
