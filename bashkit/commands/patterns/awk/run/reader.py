"""Splits a stream into records, many at a time (POSIX XCU awk, Input Files; gawk manual, Records)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bashkit.commands.patterns.awk.run.record import has_odd_blanks
from bashkit.commands.patterns.awk.run.regexes import compile_regex
from bashkit.limits import Charge

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stream
    from bashkit.limits import Budget
    from bashkit.regex import Match

_PARAGRAPH_END = re.compile(r"\n\n+")
_LEADING = re.compile(r"\n*")


class Separator:
    """The separator of records.

    Args:
        value: RS.
        budget: Charged for searches.
        ignore_case: IGNORECASE is set.

    Attributes:
        char: The single character, or "".
        paragraphs: RS is empty: blank lines separate.
    """

    __slots__ = ("_budget", "_ignore_case", "_value", "char", "paragraphs")

    def __init__(self, value: str, budget: Budget, *, ignore_case: bool = False) -> None:
        self._value = value
        self._budget = budget
        self._ignore_case = ignore_case
        self.paragraphs = value == ""
        self.char = value if len(value) == 1 else ""
        if not self.char and value:
            compile_regex(value, budget)

    def searcher(self, text: str) -> Callable[[int], Match | None]:
        """Finds the next separator in ``text`` from a position on."""
        if self.paragraphs:
            return lambda position: _PARAGRAPH_END.search(text, position)
        return compile_regex(self._value, self._budget, ignore_case=self._ignore_case).searcher(text)


class Reader:
    """Reads records from a stream.

    Args:
        stream: The stream.
        budget: Charged for the work.
        encoding: How its text is decoded.

    Attributes:
        plain: Whether the records of the last ``take`` contain no character that only Python treats as a blank.
        ends: RT of each record of the last ``take`` if they differ; see ``end``.
        arrived: Characters read since it was last set to 0.
    """

    __slots__ = (
        "_before", "_begun", "_budget", "_char", "_encoding", "_ended", "_queue", "_rest", "_terminated", "arrived", "ends",
        "plain", "stream",
    )  # fmt: skip

    def __init__(self, stream: Stream, budget: Budget, encoding: str) -> None:
        self.stream = stream
        self._encoding = encoding
        self._budget = budget
        self._rest: list[bytes] = []  # read but not yet split into records
        self._queue: list[str] = []  # records, the next one last
        self._ended = False
        self._before = ""  # the last character of what was taken: an anchor matches at the beginning of the stream alone
        self._begun = False
        self._terminated = True  # the last record of the queue had its separator
        self._char = "\n"
        self.ends: list[str] = []
        self.plain = True
        self.arrived = 0

    def take(self, separator: Separator, most: int) -> list[str]:
        """Return the next records, up to a maximum; an empty list at the end."""
        if separator.char:
            if not self._queue:
                text = self._gather(separator.char)
                self._queue = [] if text is None else text.split(separator.char)[::-1]
            queue = self._queue
            if len(queue) <= most:
                self._queue = []
                taken = queue[::-1]
            else:
                taken = queue[: -most - 1 : -1]
                del queue[-most:]
            self._budget.tick(len(taken))
            self._before = separator.char
            self.ends = [separator.char] * len(taken)
            if taken and not self._queue and not self._terminated:
                self.ends[-1] = ""
            return taken
        return self._take_matched(separator, most)

    def block(self, separator: Separator) -> str | None:
        """Return the next records as one text with newlines between them; None if only ``take`` can return them, as
        at the end.
        """
        if separator.char != "\n" or self._queue:
            return None
        text = self._gather("\n")
        if text is not None:
            self._budget.tick(text.count("\n") + 1)
        return text

    def unread(self, records: list[str]) -> None:
        """Return the records taken last to the reader, because RS has changed."""
        queue = records + self._queue[::-1]
        self._queue = []
        if queue:
            text = self._char.join(queue) + (self._char if self._terminated else "")
            self._rest.insert(0, text.encode("utf-8", "surrogateescape"))
            self._terminated = True

    def _read(self) -> bytes:
        """Read another block; b"" at the end of the stream."""
        if self._ended:
            return b""
        block = self.stream.read()
        if not block:
            self._ended = True
        return block

    def _gather(self, char: str) -> str | None:
        """Read more records that end with a character, the last one without it; None at the end."""
        if self._ended and not self._rest:
            self._terminated = False
            return None
        delimiter = char.encode("utf-8", "surrogateescape")
        self._char = char
        pieces, self._rest = self._rest, []
        size = sum(map(len, pieces))
        block = b"".join(pieces)
        pieces = []
        charge = Charge(self._budget)
        while True:
            cut = block.rfind(delimiter) + len(delimiter)
            if cut >= len(delimiter):
                break
            if block:
                pieces.append(block)
                charge.reach_line(size)
            block = self._read()
            size += len(block)
            if not block:
                self._terminated = False
                return self._decoded(pieces) or None
        if cut < len(block):
            self._rest = [block[cut:]]
        pieces.append(block[: cut - len(delimiter)])
        self._terminated = True
        return self._decoded(pieces)

    def _decoded(self, pieces: list[bytes]) -> str:
        text = b"".join(pieces).decode(self._encoding, "surrogateescape")
        self._budget.tick(len(text) >> 10)
        self.plain = not has_odd_blanks(text)
        self._budget.tick(len(text) >> 10)
        self.arrived += len(text)
        return text

    def _take_matched(self, separator: Separator, most: int) -> list[str]:
        """Read records that end with a match of a regular expression, or with blank lines."""
        self.unread([])
        taken: list[str] = []
        self.ends = []
        text = self._before + self._text(b"".join(self._rest))
        position = len(self._before)
        while True:
            if separator.paragraphs and not self._begun:
                leading = _LEADING.match(text, position)
                position = leading.end() if leading else position
                self._begun = position < len(text)
            search = separator.searcher(text)
            while len(taken) < most:
                found = search(position)
                if found is None or found.end() == found.start() or (found.end() == len(text) and not self._ended):
                    break
                taken.append(text[position : found.start()])
                self.ends.append(text[found.start() : found.end()])
                position = found.end()
            if taken or self._ended:
                break
            text += self._text(self._more(len(text)))
        text = text[position:]
        if taken:
            self._before = self.ends[-1][-1:]
        self.arrived += sum(map(len, taken))
        if not taken and text:
            end = "\n" if separator.paragraphs and text.endswith("\n") else ""
            taken, text = [text.removesuffix(end)], ""
            self.ends = [end]
        self._rest = [text.encode("utf-8", "surrogateescape")] if text else []
        self._budget.tick(len(taken))
        self.plain = False  # examined one by one
        return taken

    def _more(self, held: int) -> bytes:
        """Read at least as much as is buffered, so that repeated searches stay cheap."""
        pieces: list[bytes] = []
        size = 0
        charge = Charge(self._budget)
        while size <= held and (block := self._read()):
            pieces.append(block)
            size += len(block)
            charge.reach_line(held + size)
        return b"".join(pieces)

    def _text(self, data: bytes) -> str:
        return data.decode(self._encoding, "surrogateescape")
