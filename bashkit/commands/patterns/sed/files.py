"""The inputs and outputs of sed: lines with a lookahead for the last one, and outputs that keep a missing newline missing."""

from __future__ import annotations

import errno
import os
from functools import partial
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import line_blocks
from bashkit.commands._notation.locale import encoding
from bashkit.commands.patterns.sed.script import PANIC
from bashkit.fs.handles import FileStream
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bashkit.commands._filesystem.lines import Inputs
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process

_FULL = 1 << 16  # characters that are buffered before a write
_MAX_LINKS = 41  # one more than may be followed in one path


class Output:
    """A stream that sed writes to.

    Args:
        stream: The stream.
        end: The line terminator.
    """

    __slots__ = ("_end", "_held", "_open", "_size", "stream")

    def __init__(self, stream: Stream, end: str) -> None:
        self.stream = stream
        self._end = end
        self._held: list[str] = []
        self._size = 0
        self._open = False  # the last written line lacks its terminator

    def twin(self) -> Output:
        """Another output to the same stream, with its own record of missing line ends (``w /dev/stdout``)."""
        twin = Output(self.stream, self._end)
        twin._held = self._held
        return twin

    def line(self, text: str, *, ended: bool = True) -> None:
        """Write a line; without its terminator if the input lacked it."""
        if self._open or not ended:
            self.raw(text + self._end if ended else text)
            self._open = not ended
            return
        self._held += (text, self._end)
        self._size += len(text)
        if self._size > _FULL:
            self.flush()

    def end_line(self) -> None:
        """Write the terminator of the last line if it is missing."""
        if self._open:
            self._held.append(self._end)
            self._open = False

    def raw(self, text: str) -> None:
        """Write text unchanged, after completing the line before it."""
        self.end_line()
        self._held.append(text)
        self._size += len(text)
        if self._size > _FULL:
            self.flush()

    def flush(self) -> None:
        """Write the buffered text."""
        if self._held:
            text = "".join(self._held)
            self._held.clear()
            self._size = 0
            self.stream.write(text.encode("utf-8", "surrogateescape"))


class Lines:
    """The input lines of one or more files, read a block at a time.

    Args:
        process: The running utility.
        inputs: Opens the files and reports those that cannot be opened.
        names: The files.
        end: The line terminator.
        output: Returns the output of the current file, which is flushed before waiting for input.
        visit: Called with the name of each file before it is read; returns false to skip it. Given if the files are edited
            separately, each with its own last line.
        single: No line is read before it is needed.

    Attributes:
        name: The file of the current line.
        ended: Whether the current line had its terminator.
    """

    def __init__(
        self,
        process: Process,
        inputs: Inputs,
        names: Iterable[str],
        end: str,
        output: Callable[[], Output],
        visit: Callable[[str], bool] | None = None,
        *,
        single: bool = False,
    ) -> None:
        self._process = process
        self._inputs = inputs
        self._names = iter(names)
        self._end = end
        self._encoding = encoding(process.env)
        self._output = output
        self._visit = visit
        self._single = single
        self._begin = self._taken = 0  # where the file was opened, and how much of it was taken since
        self._stream: Stream | None = None
        self._blocks: Iterator[bytes] = iter(())
        self._lines: list[str] = []
        self._index = 0
        self._last_ended = True
        self._next_name = "-"
        self.name = "-"
        self.ended = True

    def next(self) -> str | None:
        """The next line, or None at the end."""
        if self._index >= len(self._lines) and not self._fill():
            return None
        line = self._lines[self._index]
        self._index += 1
        if not self._last_ended or not self.ended:
            self.ended = self._last_ended or self._index < len(self._lines)
        self.name = self._next_name
        return line

    def pass_over(self, count: Callable[[list[str], int, int], int], line: int) -> list[str]:
        """Skip as many lines as ``count`` returns for the buffered lines, the position in them, and the number of the line before
        it.
        """
        start = self._index
        if start >= len(self._lines):
            return []
        self._index += count(self._lines, start, line)
        return self._lines[start : self._index]

    def at_end(self) -> bool:
        """Whether the current line is the last one."""
        return self._index >= len(self._lines) and not (self._next_block() if self._visit else self._fill())

    def edit_blocks(self, edit: Callable[[str], str]) -> None:
        """Edit all input a block at a time; every line of a block is complete."""
        while self._fill():
            output = self._output()
            lines = self._lines
            self._process.budget.tick(len(lines) >> 2)
            last = None if self._last_ended else lines.pop()
            if lines:
                text = edit(self._end.join(lines) + self._end)
                if text:
                    output.raw(text)
            if last is not None:
                text = edit(last + self._end)
                if text:
                    output.line(text[: -len(self._end)], ended=False)

    def _next_block(self) -> bool:
        """Read the next lines of the current file."""
        self._output().flush()
        block = next(self._blocks, None)
        if block is None:
            return False
        self._taken += len(block)
        self._lines = block.decode(self._encoding, "surrogateescape").split(self._end)
        self._last_ended = not self._lines[-1]
        if self._last_ended:
            self._lines.pop()
        self._index = 0
        return True

    def _fill(self) -> bool:
        """Read the next lines, from the next file if necessary."""
        while not self._next_block():
            self.close()
            name = next(self._names, None)
            if name is None:
                self._lines, self._index = [], 0
                return False
            if self._visit is None or self._visit(name):
                self._open(name)
        return True

    def _open(self, name: str) -> None:
        path = self._process.path(name)
        unreadable = 0
        if name == "-":
            unreadable = self._process.stdin.unreadable
        elif self._process.fs.is_directory(path) and self._process.fs.access(path, "r"):
            unreadable = errno.EISDIR
        if unreadable:
            shown = "stdin" if name == "-" else name
            raise panic(f"read error on {shown}: {os.strerror(unreadable)}")
        self._stream = self._inputs.open(name)
        if self._stream is not None:
            self._next_name = name
            self._begin, self._taken = self._stream.tell() if isinstance(self._stream, FileStream) else 0, 0
            end = self._end.encode()
            if self._single:
                self._blocks = iter(partial(self._stream.read_line, end), b"")
            else:
                self._blocks = line_blocks(self._stream.blocks(), self._process.budget, end)

    def leave(self) -> None:
        """Leave standard input behind the current line, for who reads it next; a pipe only where lines are read one by one."""
        stream = self._stream
        if stream is None or stream is not self._process.stdin or not (self._single or isinstance(stream, FileStream)):
            return
        lines = self._lines[self._index :]
        text = self._end.join(lines) + self._end * (bool(lines) and self._last_ended)
        rest = text.encode(self._encoding, "surrogateescape")
        if isinstance(stream, FileStream):
            stream.unread()
            stream.seek(self._begin + self._taken - len(rest))
        else:
            stream.give_back(rest)

    def close(self) -> None:
        """Close the current file."""
        if self._stream is not None:
            self._process.close(self._stream)
            self._stream = None
            self._blocks = iter(())


def followed(process: Process, name: str) -> str:
    """What a symbolic link leads to, as far as links lead; the name itself of what is none."""
    found = name
    for _ in range(_MAX_LINKS):
        try:
            target = process.fs.readlink(process.path(found))
        except OSError as error:
            if error.errno == errno.EINVAL:
                return found
            raise panic(f"couldn't readlink {found}: {error.strerror}") from None
        found = target if target.startswith("/") else found[: found.rfind("/") + 1] + target
    raise panic(f"couldn't follow symlink {name}: {os.strerror(errno.ELOOP)}")


def panic(message: str) -> UsageError:
    """The error that ends sed with status 4."""
    return UsageError(message, hint=False, status=PANIC)
