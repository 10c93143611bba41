"""The standard streams of the process while the inspector has the terminal.

Descriptor 0 is empty, 1 and 2 are pipes: a callback that reads, prints, or starts a program that does, reaches neither keys nor
picture. The terminal stays open under other numbers, in ``sys.__stdin__``, ``sys.__stdout__`` and ``sys.__stderr__``, where
Textual's driver looks for it.
"""

from __future__ import annotations

import os
import select
import sys
import threading
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit_tui.runs.callback_output import CallbackOutput

_PIPE = 1 << 20  # bytes read at once: more than a pipe holds


@contextmanager
def shielded(output: CallbackOutput) -> Iterator[None]:
    """Keep everybody but Textual from the terminal.

    Args:
        output: Takes what is written to the streams.
    """
    names = ("stdin", "stdout", "stderr")
    before = {name: (getattr(sys, f"__{name}__"), getattr(sys, name)) for name in names}
    if any(stream is None for stream, _ in before.values()):  # a process without terminal
        yield
        return
    with ExitStack() as undo:
        terminals = [undo.enter_context(_terminal(number, before[name][0])) for number, name in enumerate(names)]
        tap = _Tap(output)
        tap.start()
        undo.callback(tap.stop)
        for number, source in enumerate((os.open(os.devnull, os.O_RDONLY), *tap.writers)):
            os.dup2(source, number)
            os.close(source)
            undo.callback(os.dup2, terminals[number].fileno(), number)
        undo.callback(_flush, before["stdout"][1], before["stderr"][1])
        for name, terminal in zip(names, terminals, strict=True):
            setattr(sys, f"__{name}__", terminal)
            undo.callback(setattr, sys, f"__{name}__", before[name][0])
            if name != "stdin":  # until the application puts a stream of its own there
                setattr(sys, name, terminal)
                undo.callback(setattr, sys, name, before[name][1])
        yield


@contextmanager
def python_streams(output: CallbackOutput) -> Iterator[None]:
    """Have ``sys.stdout`` and ``sys.stderr`` lead to the output, which then knows the call of each text."""
    with redirect_stdout(output.stream("stdout")), redirect_stderr(output.stream("stderr")):
        yield


@contextmanager
def _terminal(number: int, stream: TextIO) -> Iterator[TextIO]:
    """A stream like one of the process's own, under another number."""
    if number:
        stream.flush()
    with os.fdopen(os.dup(number), "w" if number else "r", encoding=stream.encoding, errors=stream.errors) as copy:
        yield copy


def _flush(*streams: TextIO) -> None:
    """Have what waits in the streams go where it was meant to go, before they lead elsewhere."""
    for stream in streams:
        stream.flush()


class _Tap(threading.Thread):
    """Reads the pipes that stand for the standard streams.

    Attributes:
        writers: The descriptors to write to, for standard output and standard error.
    """

    def __init__(self, output: CallbackOutput) -> None:
        super().__init__(name="bashkit-streams", daemon=True)
        self._output = output
        self._lock = threading.RLock()  # a finalizer may print while this thread reads
        self._wake, self._waker = os.pipe()
        self._readers: dict[str, int] = {}
        self.writers: list[int] = []
        for stream in ("stdout", "stderr"):
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            self._readers[stream] = reader
            self.writers.append(writer)

    def start(self) -> None:
        """Begin to read."""
        self._output.drain = self.drain
        super().start()

    def run(self) -> None:
        """Read until ``stop``."""
        while True:
            ready, _, _ = select.select([self._wake, *self._readers.values()], [], [])
            if self._wake in ready:
                return
            self.drain()

    def drain(self) -> None:
        """Read what waits in the pipes."""
        with self._lock:
            for stream, reader in self._readers.items():
                try:
                    data = os.read(reader, _PIPE)
                except BlockingIOError:
                    continue
                self._output.caught(stream, data)

    def stop(self) -> None:
        """End the thread and close the pipes."""
        os.write(self._waker, b"x")
        self.join()
        self._output.drain = lambda: None
        for descriptor in (*self._readers.values(), self._wake, self._waker):
            os.close(descriptor)
