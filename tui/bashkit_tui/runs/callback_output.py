"""What callbacks write to the standard streams of the inspector's process, each piece with the call it came during."""

from __future__ import annotations

import io
import threading
from codecs import getincrementaldecoder
from collections import deque
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from bashkit_tui.texts.formatting import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from _typeshed import ReadableBuffer

    from bashkit.tools import ToolCall

_KEPT = 1_000_000  # the most characters that wait for the screen
_DESCRIPTORS = {"stdout": 1, "stderr": 2}

_current: ContextVar[ToolCall | None] = ContextVar("current_call", default=None)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the output.

    Attributes:
        call: The call it came during; None when that is not known.
        stream: ``stdout`` or ``stderr``.
        text: What was written.
    """

    call: ToolCall | None
    stream: str
    text: str


class CallbackOutput:
    """Collects the output of callbacks, from any thread.

    The call of a text that Python code writes to ``sys.stdout`` is known by its context. What comes through a descriptor, as
    from a child process, belongs to the one call that is running, if there is only one.

    Attributes:
        drain: Reads what waits in the descriptors.
        lines: The number of lines since ``begin``.
    """

    def __init__(self) -> None:
        self.drain: Callable[[], None] = lambda: None
        self.lines = 0
        self._lock = threading.RLock()
        self._pieces: deque[Piece] = deque()
        self._waiting = 0
        self._dropped = 0
        self._running: list[ToolCall] = []
        self._decoders = {stream: getincrementaldecoder("utf-8")("replace") for stream in _DESCRIPTORS}

    def begin(self) -> None:
        """Forget the output so far, for a new run."""
        self.drain()
        with self._lock:
            self._pieces.clear()
            self._running.clear()
            self.lines = self._waiting = self._dropped = 0

    def call_began(self, call: ToolCall) -> None:
        """Take what is written from now on, in the current context, as the output of a call."""
        self.drain()
        _current.set(call)
        with self._lock:
            self._running.append(call)

    def call_ended(self, call: ToolCall) -> None:
        """Take what is written from now on for no output of a call."""
        self.drain()
        _current.set(None)
        with self._lock:
            self._running = [other for other in self._running if other is not call]

    def caught(self, stream: str, data: bytes) -> None:
        """Add what came through a descriptor."""
        with self._lock:
            call = self._running[0] if len(self._running) == 1 else None
            self._add(call, stream, self._decoders[stream].decode(data))

    def written(self, stream: str, text: str) -> None:
        """Add what Python code has written in the current context."""
        self.drain()
        with self._lock:
            self._add(_current.get(), stream, text)

    def _add(self, call: ToolCall | None, stream: str, text: str) -> None:
        if not text:
            return
        self.lines += text.count("\n")
        self._pieces.append(Piece(call, stream, text[-_KEPT:]))
        self._dropped += max(0, len(text) - _KEPT)
        self._waiting += len(self._pieces[-1].text)
        while self._waiting > _KEPT:
            lost = len(self._pieces.popleft().text)
            self._waiting -= lost
            self._dropped += lost

    def take(self) -> tuple[list[Piece], int]:
        """Take the pieces since the last time, and the number of characters before them that were dropped."""
        with self._lock:
            found, dropped = list(self._pieces), self._dropped
            self._pieces.clear()
            self._waiting = self._dropped = 0
        return found, dropped

    def stream(self, name: str) -> TextIO:
        """A text stream for ``sys.stdout`` or ``sys.stderr``.

        Args:
            name: ``stdout`` or ``stderr``.
        """
        return io.TextIOWrapper(_Sink(self, name), encoding="utf-8", errors="replace", write_through=True)  # type: ignore[type-var]  # a raw stream does


class _Sink(io.RawIOBase):
    """The bytes below such a stream."""

    def __init__(self, output: CallbackOutput, name: str) -> None:
        super().__init__()
        self._output = output
        self._name = name
        self._decoder = getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        """The descriptor, for child processes that are given the stream."""
        return _DESCRIPTORS[self._name]

    def write(self, data: ReadableBuffer, /) -> int:
        raw = bytes(data)
        self._output.written(self._name, self._decoder.decode(raw))
        return len(raw)


class Transcript:
    """Makes the log of the output: before a piece of another call stands a line that names the call."""

    def __init__(self) -> None:
        self._last: Piece | None = None

    def log(self, pieces: Iterable[Piece]) -> list[tuple[str, str]]:
        """The pieces as pairs of a style and a text."""
        found: list[tuple[str, str]] = []
        for piece in pieces:
            last = self._last
            if last is None or piece.call is not last.call:
                start = "" if last is None or last.text.endswith("\n") else "\n"
                found.append(("place", f"{start}{_heading(piece.call)}\n"))
            found.append((piece.stream, piece.text))
            self._last = piece
        return found


def _heading(call: ToolCall | None) -> str:
    return "── no single call" if call is None else f"── {printable(call.tool)} · line {call.line}"
