"""The working directory of a program on the host: a copy of the session's files, and what the program has changed in it."""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from bashkit.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bashkit.interp.utility.process import Process

_MOST_FILES = 10_000
_MOST_BYTES = 256 << 20
_PACKAGES = frozenset({"node_modules", ".pnpm-store", ".venv", "venv", "site-packages"})  # what an installer fills
_LONGEST_PATH = 4095
_SHARED = frozenset(
    {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/stderr"}
)
_INPUT = "/dev/fd/"  # where process substitutions are
# what stands before a path in a word: --output=/tmp/a, -o/tmp/a
_BEFORE = re.compile(r"(-{0,2}[A-Za-z_][\w.-]*=|-[A-Za-z](?=/))(.*)", re.DOTALL)


class _TooMuchError(Exception):
    """There is more than a working directory may hold."""


@dataclass(slots=True)
class WorkingDirectory:
    """A directory of the host that mirrors a session: ``/home/user/a.txt`` is ``ROOT/home/user/a.txt``.

    It has the files below the session's working directory, unless they are too many, and those that words of the command line
    name. It has no links, so that none leads out of it. Use it as a context manager; at the end it is removed.

    Attributes:
        process: The command that the program stands for.
        known: Directories of the session that the host has, with their paths there; nothing is copied from them.
        note: What the user should know of the copy and of what came back, or "".
    """

    process: Process
    known: Mapping[str, Path] = field(default_factory=dict)
    note: str = ""
    _root: str = ""
    _copied: dict[str, tuple[int, ...]] = field(default_factory=dict)
    _bytes: int = 0

    def __enter__(self) -> Self:
        self._root = os.path.realpath(tempfile.mkdtemp(prefix="bashkit-"))
        try:
            self._copy_working_directory()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        shutil.rmtree(self._root, ignore_errors=True)

    @property
    def path(self) -> Path:
        """Where the program runs."""
        return self._host(self.process.cwd)

    def word(self, word: str) -> str:
        """A word of the command line as the program is to see it: a path leads into this directory, and what it names is copied.

        Raises:
            ToolError: That is too much to copy.
        """
        before = _BEFORE.fullmatch(word)
        return before[1] + self._path(before[2]) if before else self._path(word)

    def data(self, value: Any) -> Any:
        """A JSON value as the program is to see it: an absolute path of a file leads into this directory."""
        if isinstance(value, dict):
            return {key: self.data(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.data(inner) for inner in value]
        return self._path(value) if isinstance(value, str) and is_file(self.process, value) else value

    def shown(self, output: bytes) -> bytes:
        """Output with the session's paths for those of the host."""
        return output.replace(os.fsencode(self._root), b"")

    def changes(self) -> dict[str, bytes | None]:
        """What the program has written, made and removed, as ``ToolResult.files`` has it.

        Where that is too much for a session, directories of installed packages are left out, and the note says so.

        Raises:
            ToolError: It wrote more than a session should get.
        """
        states = dict(self._walk())
        written = [name for name, state in states.items() if self._copied.get(name) != _mark(state)]
        room = min(_MOST_BYTES, self.process.budget.limits.max_file_system_bytes)
        if not _fit(written, states, room):
            left = {part for name in written for part in name.split("/")} & _PACKAGES
            if left:
                written = [name for name in written if _PACKAGES.isdisjoint(name.split("/"))]
                self._say(f"{', '.join(sorted(left))}: not kept, because the program wrote {_too_much(room)}")
            if not _fit(written, states, _MOST_BYTES):
                raise ToolError(f"the program wrote {_too_much(_MOST_BYTES)}: nothing of it is kept")
        gone = sorted((name for name in self._copied if name not in states), reverse=True)  # directories after what was in them
        return {**dict.fromkeys(gone), **{name: self._content(name) for name in written}}

    def _content(self, name: str) -> bytes:
        return b"" if name.endswith("/") else self._host(name).read_bytes()

    def _say(self, text: str) -> None:
        self.note += f"\n{text}" if self.note else text

    # -- into it -------------------------------------------------------------------------------------------------------

    def _copy_working_directory(self) -> None:
        """Copy the files below the session's working directory; those of ``/`` and of one that is too large are left out."""
        path = self.process.cwd
        self._make(path)
        if path == "/":
            return
        try:
            self._copy(path)
        except _TooMuchError:
            shutil.rmtree(self._host(path))
            self._copied.clear()
            self._bytes = 0
            self._make(path)
            self._say(f"{path} has {_too_much(_MOST_BYTES)}: the script sees only those that its words name")

    def _path(self, word: str) -> str:
        """A word with the path that it may be; a relative one stays so unless it climbs."""
        absolute = word.startswith("/")
        if not word or "\0" in word or len(word) > _LONGEST_PATH or word in _SHARED:
            return word
        path = posixpath.normpath(self.process.path(word)).replace("//", "/")
        for place, directory in self.known.items():
            if path == place or path.startswith(f"{place}/"):
                return str(directory) + path[len(place) :]
        if path.startswith(_INPUT):
            self._take_input(word, path)
        elif path != "/" and self.process.fs.exists(path):
            self._take(path)
        elif self.process.fs.exists(posixpath.dirname(path)):
            self._make(posixpath.dirname(path))
        return str(self._host(path)) if absolute or ".." in word.split("/") else word

    def _take(self, path: str) -> None:
        """Copy what a word names."""
        self._make(posixpath.dirname(path))
        try:
            self._copy(path)
        except _TooMuchError:
            raise ToolError(f"{path} has {_too_much(_MOST_BYTES)}") from None

    def _take_input(self, word: str, path: str) -> None:
        """Copy what a process substitution gives."""
        try:
            stream = self.process.open(word)
        except OSError:
            return
        self._make(posixpath.dirname(path))
        self._write(path, stream.read_all(), 0o600, None)

    def _make(self, path: str) -> None:
        """Make the directory that mirrors one of the session, and those above it."""
        done = ""
        for step in path.strip("/").split("/"):
            done += f"/{step}" if step else ""
            if done and f"{done}/" not in self._copied:
                self._host(done).mkdir(parents=True, exist_ok=True)
                self._copied[f"{done}/"] = ()

    def _copy(self, path: str) -> None:
        """Copy a file, or a directory with the files below it; what the script may not read is left out."""
        fs = self.process.fs
        pending = [path]
        while pending:
            path = pending.pop()
            self.process.budget.tick()
            try:
                state = fs.stat(path)
                if state.type == "directory":
                    self._make(path)
                    inner = [f"{path}/{name}" for name in fs.listdir(path)]
                    pending += [name for name in inner if not self._is_link_to_directory(name)]  # such links may go in circles
                    continue
                if state.type != "file" or path in self._copied:
                    continue
                if len(self._copied) >= _MOST_FILES or self._bytes + state.size > _MOST_BYTES:
                    raise _TooMuchError
                data = fs.read_file(path)
            except OSError:
                continue
            self._write(path, data, state.mode & 0o777 | 0o600, (state.atime, state.mtime))

    def _is_link_to_directory(self, path: str) -> bool:
        fs = self.process.fs
        return fs.stat(path, follow=False).type == "symlink" and fs.exists(path) and fs.stat(path).type == "directory"

    def _write(self, path: str, data: bytes, mode: int, times: tuple[float, float] | None) -> None:
        host = self._host(path)
        host.write_bytes(data)
        host.chmod(mode)
        os.utime(host, times)
        self._bytes += len(data)
        self._copied[path] = _mark(host.stat())

    # -- out of it -----------------------------------------------------------------------------------------------------

    def _walk(self) -> Iterator[tuple[str, os.stat_result]]:
        """The directories, whose names end in ``/``, and the files in this directory; a directory comes before what is in it."""
        for folder, inner, names in os.walk(self._root):
            inner.sort()
            place = Path(folder)
            for path in (place / name for name in inner):
                if not path.is_symlink():
                    yield f"{self._inside(path)}/", path.stat()
            for path in (place / name for name in sorted(names)):
                try:
                    file = path.resolve(strict=True)
                except OSError:
                    continue
                if file.is_file() and file.is_relative_to(self._root):
                    yield self._inside(path), file.stat()

    def _host(self, path: str) -> Path:
        return Path(self._root + path)

    def _inside(self, path: Path) -> str:
        return str(path)[len(self._root) :]


def is_file(process: Process, name: str) -> bool:
    """Whether a text is the name of a file of the session."""
    if not name or "\0" in name or len(name) > _LONGEST_PATH:
        return False
    try:
        return process.fs.stat(process.path(name)).type == "file"
    except OSError:
        return False


def names_a_file(process: Process, value: Any) -> bool:
    """Whether a text in a JSON value is the name of a file of the session."""
    if isinstance(value, dict):
        return any(names_a_file(process, inner) for inner in value.values())
    if isinstance(value, list):
        return any(names_a_file(process, inner) for inner in value)
    return isinstance(value, str) and is_file(process, value)


def _too_much(size: int) -> str:
    return f"more than {_MOST_FILES} files or {size >> 20} MB"


def _fit(names: list[str], states: Mapping[str, os.stat_result], room: int) -> bool:
    """Whether so many files, of such sizes, may come into a session."""
    return len(names) <= _MOST_FILES and sum(states[name].st_size for name in names if not name.endswith("/")) <= room


def _mark(state: os.stat_result) -> tuple[int, ...]:
    """What tells a changed file from an unchanged one; of a directory only the existence counts."""
    return () if stat.S_ISDIR(state.st_mode) else (state.st_mtime_ns, state.st_size, state.st_ino)
