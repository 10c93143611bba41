"""The output of a sandbox process, in a file that it shares with its host: whatever was written is there, however it ends.

The file begins with the number of bytes in use. Then come records: a byte for the stream, the length, the data. The process maps
the file; the host only reads it, and takes nothing in it for granted.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from typing import TYPE_CHECKING

from bashkit.fs import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.limits import Budget

STDOUT, STDERR = 1, 2
_USED = struct.Struct("<Q")
_RECORD = struct.Struct("<BI")
_START = _USED.size
_KEPT = 1 << 20  # bytes that stay allocated from one script to the next


def size_for(output: int) -> int:
    """Bytes of a journal for so many bytes of output: there is room for their records, too."""
    return 2 * output + (1 << 20)


def make() -> int:
    """The descriptor of a new, empty journal, which has no name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("bashkit-journal", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class JournalReader:
    """The host's view.

    Args:
        descriptor: The file; it belongs to the reader.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._size = 0
        self._at = _START  # of the record that is not finished
        self._taken = 0  # of its data

    def begin(self, output: int) -> int:
        """Empty it for a script that may write so many bytes; returns the size of the file."""
        size = size_for(output)
        if size != self._size or self._used() > _KEPT:
            os.ftruncate(self.descriptor, 0)
            os.ftruncate(self.descriptor, size)
            self._size = size
        else:
            os.pwrite(self.descriptor, _USED.pack(_START), 0)
        self._at, self._taken = _START, 0
        return size

    def _used(self) -> int:
        head = os.pread(self.descriptor, _USED.size, 0)
        return min(_USED.unpack(head)[0], self._size) if len(head) == _USED.size else 0

    def take(self, end: int | None = None) -> list[tuple[int, memoryview]]:
        """What was written since the last time: the stream, and the bytes.

        Args:
            end: Where the process was in the file; where it is now when left out.
        """
        used = self._used() if end is None else min(self._used(), end)
        pieces: list[tuple[int, memoryview]] = []
        head = os.pread(self.descriptor, _RECORD.size, self._at)
        begin = self._at + _RECORD.size + self._taken  # the first byte that is new
        if used < begin or len(head) < _RECORD.size:
            return pieces
        block = memoryview(os.pread(self.descriptor, used - begin, begin))  # of which nothing is copied: it may be megabytes
        stream, length = _RECORD.unpack(head)
        left, place = length - self._taken, 0  # bytes of this record that are new; where they begin in the block
        while left >= 0:
            stop = min(place + left, len(block))
            if stop > place and stream in {STDOUT, STDERR}:
                pieces.append((stream, block[place:stop]))
            self._taken += stop - place
            if stop + _RECORD.size > len(block):  # the last record, which may still grow
                break
            stream, left = _RECORD.unpack_from(block, stop)
            self._at, self._taken = begin + stop, 0
            place = stop + _RECORD.size
        return pieces

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


class JournalWriter:
    """The process's view.

    Args:
        descriptor: The file.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._map: mmap.mmap | None = None
        self._end = _START
        self._record = 0  # where the last record is; 0 for none
        self._stream = 0

    def begin(self, size: int) -> None:
        """Begin anew in a file of this size, which the host has emptied."""
        if self._map is None or len(self._map) != size:
            if self._map is not None:
                self._map.close()
            self._map = mmap.mmap(self._descriptor, size)
        self._end = _START
        self._record = self._stream = 0
        _USED.pack_into(self._map, 0, _START)

    @property
    def end(self) -> int:
        """Where the next byte goes."""
        return self._end

    def write(self, stream: int, data: bytes) -> bool:
        """Append; whether there was room."""
        memory = self._map
        assert memory is not None
        length = len(data)
        if stream == self._stream:
            start = self._end
        else:
            start = self._end + _RECORD.size
        end = start + length
        if end > len(memory):
            return False
        if stream != self._stream:
            self._record, self._stream = self._end, stream
        memory[start:end] = data
        _RECORD.pack_into(memory, self._record, stream, end - self._record - _RECORD.size)
        self._end = end
        _USED.pack_into(memory, 0, end)
        return True


class JournalStream(Stream):
    """Standard output or error of a script in a sandbox process.

    Args:
        journal: Where the bytes go.
        number: STDOUT or STDERR.
        budget: Charged with every byte; what fits is kept when it runs out.

    Attributes:
        written: Called after each write, or None.
    """

    __slots__ = ("_budget", "_journal", "_number", "written")

    readable = False
    writable = True
    shown = True

    def __init__(self, journal: JournalWriter, number: int, budget: Budget) -> None:
        super().__init__()
        self._journal = journal
        self._number = number
        self._budget = budget
        self.written: Callable[[], None] | None = None

    def write(self, data: bytes) -> None:
        """Keep ``data``.

        Raises:
            LimitExceededError: ``max_output_bytes`` is reached; what fits was kept.
        """
        budget = self._budget
        fits = budget.write(len(data))
        if not self._journal.write(self._number, data if fits == len(data) else data[:fits]) or fits < len(data):
            budget.fail("max_output_bytes")
        if self.written is not None:
            self.written()
