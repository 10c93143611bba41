"""The history list of a shell (bash(1), HISTORY)."""

from __future__ import annotations

from typing import Self


class Entry(str):
    """A line of the history.

    Attributes:
        time: When it was run, in seconds since the epoch, where the list keeps times; otherwise None.
    """

    __slots__ = ("time",)
    time: int | None

    def __new__(cls, line: str, time: int | None = None) -> Self:
        """The entry of a line."""
        entry = super().__new__(cls, line)
        entry.time = time
        return entry


class History(list[str]):
    """The lines, oldest first.

    Attributes:
        first: The number of the oldest line.
        filed: How many lines of the history file the list knows: ``-n`` reads on from there.
        unwritten: How many lines at the end are not in the file yet, for ``-a``.
        running: The last line is the one that runs.
        begun: ``set -o history`` was there: the history file has been read.
        timed: Times are kept: once HISTTIMEFORMAT or history expansion was there.
        joins: Lines of the history file between two times are one entry: once a file with times was read under HISTTIMEFORMAT.
        file_size: The value of HISTFILESIZE to which the history file was cut.
        searched: What the last ``!?string?`` looked for.
        matched: The word in which it was.
        replaced: The pattern and the replacement of the last ``:s``.
    """

    first = 1
    filed = 0
    unwritten = 0
    running = False
    begun = False
    timed = False
    joins = False
    file_size = ""
    searched = ""
    matched = ""
    replaced: tuple[str, str] = ("", "")

    def fork(self) -> History:
        """The list of a subshell."""
        twin = History(self)
        vars(twin).update(vars(self))
        return twin

    def empty(self) -> None:
        """Forget all lines."""
        self.clear()
        self.first, self.unwritten, self.running = 1, 0, False

    def add(self, line: str, most: int | None) -> None:
        """Put a line at the end, and drop the oldest where there would be more than ``most``."""
        if most is not None:
            self.limit(most)
            if most == 0:
                return
            if len(self) == most:
                del self[0]
                self.first += 1
        self.append(line)
        self.unwritten += 1

    def limit(self, most: int) -> None:
        """Drop the oldest lines where there are more than ``most``.

        Undocumented: the first that is kept then has the number of those that were dropped.
        """
        dropped = len(self) - most
        if dropped > 0:
            self.first = dropped
            del self[:dropped]

    def forget_running(self) -> None:
        """Take the running line out, if it is there."""
        if self.running:
            self.running = False
            self.pop()
            self.unwritten = max(0, self.unwritten - 1)

    def find(self, text: str) -> str | None:
        """The last line that begins with ``text``."""
        return next((line for line in reversed(self) if line.startswith(text)), None)
