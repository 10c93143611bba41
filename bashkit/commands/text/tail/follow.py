"""Follows files as they grow (GNU coreutils manual, tail: -f, --follow, --retry)."""

from __future__ import annotations

import errno
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bashkit.commands._notation.quoting import quote, quote_if_needed
from bashkit.fs import NullStream
from bashkit.fs.handles import FileStream
from bashkit.interp.runtime.control import SigPipe
from bashkit.interp.runtime.pipes import PipeReader

if TYPE_CHECKING:
    from bashkit.commands.text._extents import Titles
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process


@dataclass(frozen=True, slots=True)
class Following:
    """How files are followed.

    Attributes:
        by_name: Whatever file has the name; otherwise the one that was opened.
        retry: A file that cannot be opened may come.
        pid: The process whose end is the end of it, or None.
        interval: Seconds between two looks at what others than the script may change.
    """

    by_name: bool
    retry: bool
    pid: int | None
    interval: float


@dataclass(slots=True)
class _Followed:
    """A followed file and its last known state; ``ino`` is the serial number of the opened file."""

    name: str
    stream: Stream | None
    ino: int = 0
    state: Literal["open", "missing", "untailable", "given up"] = "open"


class Follower:
    """Prints what is added to files.

    Args:
        process: The running utility.
        following: How.
        titles: Announce the file when it is another one than before.
    """

    def __init__(self, process: Process, following: Following, titles: Titles) -> None:
        self._process = process
        self._following = following
        self._titles = titles
        self._files: list[_Followed] = []
        self._announced: _Followed | None = None

    def add(self, name: str, stream: Stream | None) -> None:
        """Follow a file that has been opened, or could not be; the end of a pipe on standard input is the end of it."""
        if name == "-" and stream is not None and not isinstance(stream, (FileStream, NullStream)):
            return
        file = _Followed(name, stream)
        if stream is None:
            self._not_opened(file)
        elif name != "-" and self._process.descriptor(name) is None:
            file.ino = self._process.fs.stat(self._process.path(name)).ino
        self._files.append(file)
        self._announced = file

    def _not_opened(self, file: _Followed) -> None:
        process, retry = self._process, self._following.retry
        standard_input = file.name == "-"
        path = process.path(file.name)
        file.state = "missing" if retry and not standard_input else "given up"
        if standard_input:
            directory = process.stdin.unreadable == errno.EISDIR
        else:
            directory = process.fs.exists(path) and process.fs.stat(path).type == "directory"
        if directory:
            file.state = "untailable" if retry and self._following.by_name and not standard_input else "given up"
            ending = "" if retry else "; giving up on this name"
            shown = quote_if_needed("standard input" if standard_input else file.name)
            process.warn(f"{shown}: cannot follow end of this type of file{ending}")

    def close(self) -> None:
        """Close what is open."""
        for file in self._files:
            self._drop(file)

    def _drop(self, file: _Followed) -> None:
        if file.stream is not None:
            self._process.close(file.stream)
            file.stream = None

    def run(self) -> int:
        """Follow until there is nothing left to follow, or the process to wait for has ended.

        Raises:
            SigPipe: The reader has closed the output.
        """
        process, following = self._process, self._following
        if not self._files:
            return 0
        changed = True
        while True:
            last = following.pid is not None and not process.launcher.alive(following.pid)
            for file in self._files:
                process.budget.tick()
                changed |= self._look(file)
            if all(file.state == "given up" for file in self._files):
                process.warn("no files remaining")
                return 1
            if last:
                return 0
            if process.stdout.broken():
                raise SigPipe
            process.system.watch(following.interval, changed=changed)
            changed = False

    def _look(self, file: _Followed) -> bool:
        """Print what is new in a file and look up its name again; return whether there was something new."""
        grown = self._pass_on(file)
        waiting = file.stream is None and self._following.retry
        if file.state == "given up" or not (self._following.by_name or waiting):
            return grown
        return self._find(file) or grown

    def _pass_on(self, file: _Followed) -> bool:
        """Print the bytes added to a file; return whether there were any."""
        stream, process = file.stream, self._process
        if isinstance(stream, FileStream) and stream.size() < stream.tell():
            process.warn(f"{quote_if_needed(file.name)}: file truncated")
            stream.seek(0)
        grown = False
        while block := _next_block(stream):
            grown = True
            if self._announced is not file:
                self._titles.show(file.name)
                self._announced = file
            process.budget.tick(1 + (len(block) >> 10))
            process.stdout.write(block)
        return grown

    def _find(self, file: _Followed) -> bool:
        """Look up a file by its name; return whether it is another file than before."""
        process = self._process
        path = process.path(file.name)
        try:
            found = process.fs.stat(path)
            if found.type == "directory":
                self._untailable(file)
                return False
            if file.state == "open" and found.ino == file.ino:
                return False
            stream = process.open(file.name)
        except OSError as error:
            self._lost(file, error)
            return False
        change = "has been replaced" if file.state == "open" else "has appeared"
        process.warn(f"{quote(file.name)} {change};  following new file")
        self._drop(file)
        file.stream, file.ino, file.state = stream, found.ino, "open"
        self._pass_on(file)
        return True

    def _untailable(self, file: _Followed) -> None:
        if file.state == "untailable":
            return
        stays = self._following.retry and self._following.by_name
        self._drop(file)
        file.state = "untailable" if stays else "given up"
        ending = "" if stays else "; giving up on this name"
        self._process.warn(f"{quote(file.name)} has been replaced with an untailable file{ending}")

    def _lost(self, file: _Followed, error: OSError) -> None:
        if file.state == "open" and self._following.retry:
            self._process.warn(f"{quote(file.name)} has become inaccessible: {error.strerror}")
        elif file.state == "open":
            self._process.warn(f"{quote_if_needed(file.name)}: {error.strerror}")
        self._drop(file)
        file.state = "missing" if self._following.retry else "given up"


def _next_block(stream: Stream | None) -> bytes:
    """Read what is available now, without waiting."""
    if isinstance(stream, PipeReader):
        return stream.read() if stream.ready() else b""
    return stream.read() if isinstance(stream, FileStream) else b""
