"""A file that find evaluates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process


class NoStatusError(Exception):
    """A test needs the status of a file that has none to give: the test is false."""


class Candidate:
    """A file with the properties that tests need.

    Args:
        process: The utility.
        name: The name to print: the starting point and the path below it.
        start: The starting point, as the user wrote it.
        depth: Levels below the starting point.
        stat: Its status.

    Attributes:
        type: Its type.
    """

    __slots__ = ("depth", "name", "path", "process", "start", "stat", "type")

    def __init__(self, process: Process, name: str, start: str, depth: int, stat: Stat) -> None:
        self._place(process, name, start, depth)
        self.stat = stat
        self.type: str = stat.type

    def _place(self, process: Process, name: str, start: str, depth: int) -> None:
        self.process = process
        self.name = name
        self.start = start
        self.depth = depth
        self.path = process.path(name)

    @property
    def base(self) -> str:
        """The last component of the name, which ``-name`` matches."""
        stripped = self.name.rstrip("/")
        return stripped.rpartition("/")[2] if stripped else self.name[:1]

    @property
    def below(self) -> str:
        """The name without the starting point (``%P``)."""
        return self.name[len(self.start) :].lstrip("/") if self.depth else ""

    @property
    def directory(self) -> str:
        """The directory of the file (``%h``)."""
        name = self.name.rstrip("/")
        if len(name) < 2 and name != self.name and name.isascii():
            return self.name[:-1]  # undocumented: the slashes after one byte stay
        if "/" in name:
            return name.rpartition("/")[0] or ("/" if name == self.name else "")
        return "."

    @property
    def last(self) -> str:
        """The last component, with the slash that a starting point may end with (``%f``)."""
        return self.base + ("/" if self.name.endswith("/") and self.base != "/" else "")

    def target(self) -> str:
        """The target of a symbolic link; empty for any other file."""
        return self.process.fs.readlink(self.path) if self.stat.type == "symlink" else ""

    def is_empty(self) -> bool:
        """Whether it is an empty file or directory."""
        if self.type == "directory":
            return not self.process.fs.listdir(self.path)
        return self.stat.type == "file" and self.stat.size == 0


class Unreachable(Candidate):
    """A file in a directory that may be read but not entered: its name and its type are known, but no status.

    Args:
        process, name, start, depth: As for any candidate.
        kind: Its type; empty for one that is not known without the status.
        report: Reports that there is no status.
    """

    __slots__ = ("_report",)

    def __init__(self, process: Process, name: str, start: str, depth: int, kind: str, report: Callable[[], None]) -> None:
        self._place(process, name, start, depth)
        self.type = kind
        self._report: Callable[[], None] | None = report

    def tell(self) -> None:
        """Report once that there is no status."""
        if self._report is not None:
            self._report()
        self._report = None

    @property
    def stat(self) -> Stat:  # type: ignore[override]  # asking for it is what fails
        """Never there.

        Raises:
            NoStatusError: Always.
        """
        self.tell()
        raise NoStatusError
