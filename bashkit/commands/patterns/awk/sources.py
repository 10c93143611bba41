"""The texts that an awk program is made of: options, files and what they include (gawk manual, Including Other Files)."""

from __future__ import annotations

import errno
import posixpath
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.interp.utility.command import UsageError

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

INPLACE = "inplace"  # the one library that there is
SEARCHED = ".:/usr/share/awk"  # the default of AWKPATH
_FATAL = 2
_INCLUDE = re.compile(r'^[ \t]*@include[ \t]*"((?:[^"\\\n]|\\.)*)"[ \t\r]*(?:;|(?=#|$))', re.MULTILINE)


@dataclass(slots=True, frozen=True, eq=False)
class _Source:
    """A text, and where it is included."""

    name: str = "cmd. line"
    path: str = ""
    includer: _Source | None = None
    line: int = 0


class Sources:
    """Puts the texts of a program together and knows where each line is from.

    Args:
        process: The running awk.

    Attributes:
        libraries: The libraries that were included.
    """

    def __init__(self, process: Process) -> None:
        self._process = process
        self._pieces: list[str] = []
        self._begins: list[tuple[int, _Source, int]] = []  # lines of the whole from which a source has its lines from another
        self._lines = 0  # that are over
        self._kinds: dict[str, bool] = {}  # whether a file is included, by its path
        self.libraries: set[str] = set()

    @property
    def text(self) -> str:
        """The whole program."""
        return "".join(self._pieces)

    def add(self, text: str) -> None:
        """Take a text of the command line."""
        self._take(text, _Source())

    def add_file(self, name: str) -> None:
        """Take a program file, ``-f``."""
        self._read(name, None, 0, included=False)

    def include(self, name: str) -> None:
        """Take a file unless the program has it already, ``-i``."""
        self._read(name, None, 0, included=True)

    def place(self, line: int) -> str:
        """Describe a line of the whole."""
        if not line or not self._begins:
            return ""
        source, found = self._find(line)
        return f"{source.name}:{found}: "

    def way(self, line: int) -> list[str]:
        """Say how a line of the whole came to be included, innermost first."""
        source = self._find(line)[0] if line and self._begins else None
        said: list[str] = []
        while source is not None and source.includer is not None:
            line, source = source.line, source.includer
            if source.path:
                end = ":" if self._kinds[source.path] is False and source.includer is None else ","
                said.append(f"{' ' * 17 if said else 'In file included '}from {source.name}:{line}{end}")
        return said

    def _find(self, line: int) -> tuple[_Source, int]:
        begin, source, first = self._begins[max(0, bisect_right(self._begins, line, key=lambda item: item[0]) - 1)]
        return source, first + line - begin

    def _take(self, text: str, source: _Source) -> None:
        """Add a text, with what it includes in its place."""
        done, line = 0, 1
        if "@include" not in text:
            self._put(text, source, line)
            return
        for found in _INCLUDE.finditer(text):
            self._put(text[done : found.start()], source, line)
            line += text.count("\n", done, found.end())
            done = found.end()
            self._read(found[1], source, line, included=True)
        self._put(text[done:], source, line)

    def _put(self, text: str, source: _Source, line: int) -> None:
        if self._pieces and not self._pieces[-1].endswith("\n"):
            self._pieces[-1] += "\n"
            self._lines += 1
        if text:
            self._begins.append((self._lines + 1, source, line))
            self._pieces.append(text)
            self._lines += text.count("\n")

    def _read(self, name: str, includer: _Source | None, line: int, *, included: bool) -> None:
        if included and name in (INPLACE, f"{INPLACE}.awk"):
            self.libraries.add(INPLACE)
            return
        process = self._process
        path = self._search(name)
        if path is None:
            raise self._missing(name, OSError(errno.ENOENT, "No such file or directory"), includer, line)
        real = posixpath.normpath(process.path(path))
        before = self._kinds.get(real)
        if before is not None and before != included:
            place = f"{includer.name}:{line}: " if includer is not None else ""
            raise UsageError(f"{place}fatal: cannot include `{name}' and use it as a program file", hint=False, status=_FATAL)
        if before and included:
            return
        self._kinds[real] = included
        try:
            data = slurp(process, process.open(path))
        except OSError as error:
            raise self._missing(name, error, includer, line) from None
        self._take(data.decode("utf-8", "surrogateescape"), _Source(name, real, includer, line))

    def _search(self, name: str) -> str | None:
        """The path of a file: as it is, or in the directories of AWKPATH, by its name or with the suffix."""
        process = self._process
        if name == "-" or process.descriptor(name) is not None:
            return name
        directories = [""] if "/" in name else (self._process.env.get("AWKPATH") or SEARCHED).split(":")
        for suffix in ("", ".awk"):
            for directory in directories:
                path = f"{directory or '.'}/{name}{suffix}" if "/" not in name else name + suffix
                if process.fs.exists(process.path(path)):
                    return path
        return None

    @staticmethod
    def _missing(name: str, error: OSError, includer: _Source | None, line: int) -> Exception:
        message = f"cannot open source file `{name}' for reading: {error.strerror}"
        if includer is None:
            return UsageError(f"fatal: {message}", hint=False, status=_FATAL)
        return UsageError(f"{includer.name}:{line}: error: {message}", hint=False, status=1)
