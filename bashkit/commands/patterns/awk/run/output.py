"""The outputs of an awk program: standard output, files and commands (POSIX XCU awk, Output Statements)."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.syntax.tree import AwkError
from bashkit.interp.runtime.control import SigPipe
from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_FLUSH_AT = 65536
_AT_ONCE = 1 << 20  # characters that are joined for one write
_CLOSING = 20  # microseconds to close a file

FORBIDDEN = "redirection not allowed in sandbox mode"


def _encode(pieces: list[str]) -> bytes:
    text = "".join(pieces)
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


class Output:
    """Buffers text for a stream.

    Args:
        stream: The stream.
        at: The number of characters that are buffered before a write.
    """

    __slots__ = ("_at", "pending", "size", "stream")

    def __init__(self, stream: Stream, at: int = _FLUSH_AT) -> None:
        self.stream = stream
        self.pending: list[str] = []
        self.size = 0
        self._at = at

    def write(self, text: str) -> None:
        """Add text."""
        self.pending.append(text)
        self.size += len(text) + 1  # so that empty texts do not pile up
        if self.size > self._at:
            self.flush()

    def flush(self) -> None:
        """Write the buffered text; other code may have added to ``pending`` without counting."""
        pending = self.pending
        while pending:
            size, taken = sum(map(len, pending)), len(pending)
            if size > _AT_ONCE:
                taken = bisect_right(list(accumulate(map(len, pending))), _AT_ONCE) + 1
            data = _encode(pending[:taken])
            del pending[:taken]
            self.size = 0
            self.stream.write(data)

    def park(self) -> None:
        """Do nothing: standard output and a pipe cannot be reopened."""

    def close(self) -> int:
        """Write the buffered text, and go on: standard output stays open; return 0, as close(2) does."""
        self.flush()
        return 0


class FileOutput(Output):
    """A file opened by ``print >``; it is reopened if too many files are open at once."""

    __slots__ = ("_process", "_stream", "name", "own")

    def __init__(self, process: Process, name: str, *, append: bool) -> None:
        descriptor = process.descriptor(name)  # awk writes to it, and does not open it anew
        own = descriptor is None
        stream = process.create(name, append=append) if descriptor is None else descriptor
        super().__init__(stream, 0 if stream is process.stderr else _FLUSH_AT)
        self.name = name
        self.own = own
        self._process = process
        self._stream: Stream | None = stream

    def flush(self) -> None:
        """Write the buffered text."""
        if self._stream is not None or not self.pending:
            super().flush()
            return
        self._stream = self.stream = self._process.create(self.name, append=True)
        super().flush()
        self.park()

    def park(self) -> None:
        """Close the descriptor; the next write reopens the file."""
        if self._stream is not None and self.own:
            self.flush()
            self._process.close(self._stream)
            self._stream = None

    def close(self) -> int:
        """Write the rest and close it; return 0, as close(2) does."""
        self.flush()
        self.park()
        return 0


class CommandOutput(Output):
    """The input of a command behind ``print |``, which runs concurrently."""

    __slots__ = ("_name", "_wait")

    def __init__(self, name: str, stream: Stream, wait: Callable[[], int], at: int = _FLUSH_AT) -> None:
        super().__init__(stream, at)
        self._name = name
        self._wait = wait

    def flush(self) -> None:
        """Write the buffered text.

        Raises:
            AwkError: The command has stopped reading.
        """
        try:
            super().flush()
        except SigPipe:
            self.pending.clear()
            raise AwkError(f'print to "{self._name}" failed: Broken pipe') from None

    def close(self) -> int:
        """Write the rest, wait for the command and return its exit status."""
        try:
            super().flush()
        except SigPipe:
            self.pending.clear()
        self.stream.release()
        return self._wait()


class Redirections:
    """The open outputs of a program, by name.

    Args:
        process: The running awk.
        standard: Its standard output.
        environment: Makes the environment of commands; see ``Launcher.open``.
        coprocess: Starts a co-process and gives the pipe to it.
    """

    def __init__(
        self,
        process: Process,
        standard: Output,
        environment: Callable[[], dict[str, str] | None],
        coprocess: Callable[[str], Stream],
    ) -> None:
        self._coprocess = coprocess
        self._process = process
        self._environment = environment
        self._standard = standard
        self._open: dict[str, Output] = {}
        self._descriptors = 0  # files opened since the last time all were parked
        self.allowed = True  # not so in sandbox mode

    def __contains__(self, name: str) -> bool:
        return name in self._open

    def get(self, operator: str, name: str) -> Output:
        """The output for ``print > name``, opened at first use.

        Raises:
            AwkError: It cannot be opened.
        """
        found = self._open.get(name)
        if found is not None:
            return found
        if not self.allowed:
            raise AwkError(FORBIDDEN)
        if not name:
            raise AwkError(f"expression for `{operator}' redirection has null string value")
        process = self._process
        if operator.startswith("|"):
            self._standard.flush()
            self.flush()
            made: Output
            if operator == "|&":
                made = CommandOutput(name, self._coprocess(name), lambda: 0, at=0)
            else:
                made = CommandOutput(name, *process.launcher.open(["sh", "-c", name], write=True, env=self._environment()))
        elif name in ("-", "/dev/stdout", "/dev/fd/1"):
            made = self._standard
        else:
            self._descriptors += 1
            if self._descriptors > process.budget.limits.max_open_files // 2:
                for file in self._open.values():
                    file.park()
                self._descriptors = 1
            process.budget.words(len(self._open))
            try:
                made = FileOutput(process, name, append=operator == ">>")
            except OSError as error:
                raise AwkError(f"cannot redirect to `{name}': {error.strerror}") from None
        self._open[name] = made
        return made

    def close(self, name: str) -> int | None:
        """Close an output; return its status, or None if it is not open."""
        found = self._open.pop(name, None)
        return None if found is None else found.close()

    def flush(self) -> None:
        """Write the buffered text of all outputs."""
        for output in self._open.values():
            output.flush()

    def flush_commands(self) -> None:
        """Write the buffered text of the outputs to commands, for which gawk does not wait."""
        for output in self._open.values():
            if isinstance(output, CommandOutput):
                output.flush()

    def flush_one(self, name: str) -> bool:
        """Write the buffered text of one output; return whether it is open."""
        found = self._open.get(name)
        if found is not None:
            found.flush()
        return found is not None

    def close_all(self) -> None:
        """Close all outputs; the one that was opened last is closed first."""
        for name in paced(list(self._open)[::-1], _CLOSING):
            self.close(name)

    def abandon(self) -> None:
        """Drop the pipes to commands with their unwritten text."""
        for output in self._open.values():
            if isinstance(output, CommandOutput):
                output.stream.release()
        self._open.clear()
