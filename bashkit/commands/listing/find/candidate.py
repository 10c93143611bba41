"""A file that find evaluates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process


class Candidate:
    """A file with the properties that tests need.

    Args:
        process: The utility.
        name: The name to print: the starting point and the path below it.
        start: The starting point, as the user wrote it.
        depth: Levels below the starting point.
        stat: Its status.
    """

    __slots__ = ("depth", "name", "path", "process", "start", "stat")

    def __init__(self, process: Process, name: str, start: str, depth: int, stat: Stat) -> None:
        self.process = process
        self.name = name
        self.start = start
        self.depth = depth
        self.stat = stat
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
        if not name:
            return ""
        if "/" in name:
            return name.rpartition("/")[0] or ("/" if name == self.name else "")
        return self.name.rpartition("/")[0] or "."

    @property
    def last(self) -> str:
        """The last component, with the slash that a starting point may end with (``%f``)."""
        return self.base + ("/" if self.name.endswith("/") and self.base != "/" else "")

    def target(self) -> str:
        """The target of a symbolic link; empty for any other file."""
        return self.process.fs.readlink(self.path) if self.stat.type == "symlink" else ""

    def is_empty(self) -> bool:
        """Whether it is an empty file or directory."""
        if self.stat.type == "directory":
            try:
                return not self.process.fs.listdir(self.path)
            except OSError:
                return False
        return self.stat.type == "file" and self.stat.size == 0
