"""Observers: who looks at a utility's words and at the beginning of its input, and may add a line to its standard error."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from bashkit.fs import Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.command import Arguments, Command
    from bashkit.interp.utility.process import Process

_READ = 1 << 20  # bytes of input that are shown


class Observer(Protocol):
    """Looks at a command when it has ended."""

    def wants(self, words: list[str]) -> bool:
        """Whether a command with these words is of interest."""
        ...

    def __call__(self, words: list[str], beginning: Callable[[], bytes]) -> str:
        """What to say of a command with these words, or "" for nothing; ``beginning`` gives the first megabyte of its input."""
        ...


def observed(command: Command, observer: Observer) -> Command:
    """The command with an observer."""

    def run(process: Process, arguments: Arguments) -> int:
        if not observer.wants(process.argv):
            return command.run(process, arguments)
        original = process.stdin
        process.stdin = tee = _Tee(original)
        try:
            return command.run(process, arguments)
        finally:
            process.stdin = original
            tee.leave()
            text = observer(process.argv, lambda: b"".join(tee.kept) or _files(process))
            if text:
                process.stderr.write(text.encode("utf-8", "surrogateescape"))

    return replace(command, run=run, observer=observer)


class _Tee(Stream):
    """Passes a stream on and keeps its beginning."""

    __slots__ = ("_from", "_room", "kept")

    def __init__(self, source: Stream) -> None:
        super().__init__()
        self._from = source
        self._room = _READ
        self.kept: list[bytes] = []

    def _fill(self) -> bytes:
        block = self._from.read()
        if self._room > 0:
            self.kept.append(block)
            self._room -= len(block)
        return block

    def leave(self) -> None:
        """Return the bytes that were taken but not read, for the next reader."""
        self._from.give_back(self.unread())

    def ready(self) -> bool:
        """Whether a read would return at once."""
        ready: Callable[[], bool] | None = getattr(self._from, "ready", None)
        return True if ready is None else ready()


def _files(process: Process) -> bytes:
    """The beginning of the files on a command line."""
    found = []
    for word in process.argv:
        try:
            found.append(process.fs.read_file(process.path(word))[:_READ])
        except (OSError, ValueError):
            continue
    return b"\n".join(found)
