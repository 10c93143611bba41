"""Writes the frames of an answer."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import socket

_LARGEST = 1 << 20  # bytes of one frame, so that the host never has to hold more


class Answer:
    """The answer to one request.

    Args:
        connection: The socket to the host.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def send(self, *parts: bytes) -> None:
        """Send frames: a letter and its content, and so on; a content that is too large for a frame is sent in several."""
        pieces = []
        for letter, content in zip(parts[::2], parts[1::2], strict=True):
            for start in range(0, len(content) or 1, _LARGEST):
                piece = content[start : start + _LARGEST]
                pieces += [struct.pack("<cI", letter, len(piece)), piece]
        self._connection.sendall(b"".join(pieces))
