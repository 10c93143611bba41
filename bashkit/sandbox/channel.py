"""Channel: one end of a socket pair that carries frames between a host and its sandbox process.

A frame is a header with two lengths, a JSON value and raw bytes. Nothing else is ever read from it: no pickle, no code.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import threading
from array import array
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_HEADER = struct.Struct("<II")
_LARGEST = 1 << 30  # bytes of one frame, unless the reader says otherwise
_BLOCK = 1 << 16
_ANCILLARY = socket.CMSG_SPACE(4 * array("i").itemsize)
_encode = json.JSONEncoder(separators=(",", ":")).encode


class Frame(NamedTuple):
    """A message.

    Attributes:
        kind: What it is about.
        fields: The rest of its JSON value.
        data: Raw bytes.
    """

    kind: str
    fields: list[Any]
    data: memoryview


class ProtocolError(Exception):
    """The other side sent what is no frame."""


def _send(connection: socket.socket, frame: memoryview, descriptors: Sequence[int], flags: int = 0) -> int:
    """Send the beginning of a frame, with its descriptors; returns how much of it."""
    if descriptors:
        return socket.send_fds(connection, [frame], list(descriptors), flags)
    return connection.send(frame, flags)


class Channel:
    """One end of the pair. Any thread may send; one thread receives.

    Args:
        connection: A connected stream socket, which belongs to the channel from now on.
        largest: Bytes that a frame may have.

    Attributes:
        descriptors: What came with the frames, in order; who takes one out owns it.
    """

    def __init__(self, connection: socket.socket, largest: int = _LARGEST) -> None:
        self.descriptors: deque[int] = deque()
        connection.setblocking(True)  # a host that has a default timeout, or uses gevent, makes others
        self._connection = connection
        self._largest = largest
        self._received = bytearray()
        self._lock = threading.Lock()
        self._waiting: deque[tuple[memoryview, list[int]]] = deque()  # what the socket had no room for
        self._writing = False

    def fileno(self) -> int:
        """The descriptor of the socket."""
        return self._connection.fileno()

    def send(
        self, kind: str, *fields: Any, data: bytes | Sequence[bytes | memoryview] = b"", descriptors: Sequence[int] = ()
    ) -> None:
        """Send a frame, without waiting for the other side: what the socket has no room for is sent by a thread.

        When the other side is gone, nothing happens: whoever receives finds out.

        Args:
            kind: What it is about.
            fields: Values for JSON.
            data: Raw bytes, or pieces of them; large ones are not copied.
            descriptors: Open files to hand over; the caller still has to close its own.
        """
        head = _encode((kind, *fields)).encode("ascii")
        pieces: Sequence[bytes | memoryview] = (data,) if isinstance(data, bytes) else data
        length = sum(map(len, pieces))
        head = _HEADER.pack(len(head), length) + head
        parts = [b"".join((head, *pieces))] if length <= _BLOCK else [head, *pieces]
        with self._lock:
            for part in parts:
                self._put(memoryview(part), descriptors)
                descriptors = ()

    def _put(self, part: memoryview, descriptors: Sequence[int]) -> None:
        """Send the next bytes, or have the thread do it."""
        if not self._writing:
            try:
                sent = _send(self._connection, part, descriptors, socket.MSG_DONTWAIT)
            except BlockingIOError:
                sent = 0
            except OSError:
                return
            if sent == len(part):
                return
            part = part[sent:]
            descriptors = () if sent else descriptors
            threading.Thread(target=self._write, name="bashkit-sandbox-write", daemon=True).start()
            self._writing = True
        self._waiting.append((part, [os.dup(descriptor) for descriptor in descriptors]))

    def _write(self) -> None:
        """Send what is waiting, then end."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._writing = False
                    return
                frame, descriptors = self._waiting.popleft()
            try:
                sent = _send(self._connection, frame, descriptors)
                self._connection.sendall(frame[sent:])
            except OSError:  # nobody reads: the rest is dropped likewise
                pass
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

    @property
    def has_frame(self) -> bool:
        """Whether a whole frame has arrived and waits to be received."""
        received = self._received
        return len(received) >= _HEADER.size and len(received) - _HEADER.size >= sum(_HEADER.unpack_from(received))

    def receive(self) -> Frame | None:
        """Wait for the next frame; None when the other side is gone.

        Raises:
            ProtocolError: It is no frame.
        """
        head = self._take(_HEADER.size)
        if head is None:
            return None
        size, length = _HEADER.unpack(head)
        if size + length > self._largest:
            raise ProtocolError("a frame is too large")
        text = self._take(size)
        data = self._take(length) if text is not None else None
        if text is None or data is None:
            return None
        try:
            kind, *fields = json.loads(bytes(text))
        except (ValueError, TypeError, RecursionError):
            raise ProtocolError("a frame has no message") from None
        if not isinstance(kind, str):
            raise ProtocolError("a message has no kind")
        return Frame(kind, fields, data)

    def _take(self, count: int) -> memoryview | None:
        """So many bytes; None when the other side is gone."""
        received = self._received
        if len(received) < count:
            whole = bytearray(count) if count > _BLOCK else bytearray()
            if whole:
                whole[: len(received)] = received
                place = len(received)
                received.clear()
                view = memoryview(whole)
                while place < count:
                    length = self._receive(view[place:])
                    if not length:
                        return None
                    place += length
                return view
            block = memoryview(bytearray(_BLOCK))
            while len(received) < count:
                length = self._receive(block)
                if not length:
                    return None
                received += block[:length]
        piece = memoryview(bytes(received[:count]))
        del received[:count]
        return piece

    def _receive(self, room: memoryview) -> int:
        """Receive some bytes, and keep the descriptors that come with them; 0 when the other side is gone."""
        try:
            length, messages, _, _ = self._connection.recvmsg_into([room], _ANCILLARY)
        except OSError:
            return 0
        for level, kind, data in messages:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                found = array("i")
                found.frombytes(data[: len(data) - len(data) % found.itemsize])
                self.descriptors.extend(found)
        return length

    def forget(self) -> None:
        """Close the descriptor in a forked child; the connection goes on to belong to its parent."""
        os.close(self._connection.detach())

    def close(self) -> None:
        """Close the socket; who waits in ``receive`` gets None."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()
