"""What Python code prints: it comes in a thread, and the command's task writes it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_MUCH = 1 << 16  # characters that are written while the code runs on
_TOO_MUCH = 1 << 20  # characters at which the code waits until they are written


class Output:
    """The way from ``print`` to the streams of a command.

    Args:
        process: The command.

    Attributes:
        at_line_start: What was written to standard output last ended a line.
    """

    def __init__(self, process: Process) -> None:
        self.at_line_start = True
        self._process = process
        self._wake = process.system.waker()
        self._pieces: list[tuple[str, str]] = []
        self._size = 0
        self._room = threading.Event()
        self._room.set()
        self._closed = False

    def take(self, stream: str, text: str) -> None:
        """Called by the thread of the code."""
        if self._closed:
            return
        self._pieces.append((stream, text))
        self._size += len(text)
        if self._size > _TOO_MUCH:
            self._room.clear()
        if self._size > _MUCH:
            self._wake()
            if not self._closed:
                self._room.wait()

    def write(self) -> None:
        """Write what is there. Called by the task."""
        pieces, self._pieces, self._size = self._pieces, [], 0
        self._room.set()
        for stream, text in pieces:
            self._process.budget.tick(len(text) >> 10)
            if stream == "stderr":
                self._process.stderr.write(text.encode("utf-8", "replace"))
            else:
                self._process.stdout.write(text.encode("utf-8", "replace"))
                self.at_line_start = text.endswith("\n")

    def close(self) -> None:
        """Nobody writes any more: the thread need not wait."""
        self._closed = True
        self._room.set()
