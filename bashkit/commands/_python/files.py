"""The files, the variables and the clock of a session, as Python in Monty asks for them."""

from __future__ import annotations

import posixpath
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from pydantic_monty import AbstractOS, MontyFileHandle, StatResult

if TYPE_CHECKING:
    from datetime import tzinfo
    from pathlib import PurePosixPath

    from bashkit.fs import Stat, Stream
    from bashkit.interp.utility.process import Process

    Place = PurePosixPath | MontyFileHandle

_TYPES = {"directory": 0o040000, "symlink": 0o120000, "fifo": 0o010000}
_REGULAR = 0o100000


class SessionOS(AbstractOS):
    """What ``os``, ``pathlib``, ``open`` and the clocks do.

    Args:
        process: The utility: its files, working directory, variables, descriptors and rights count.
    """

    def __init__(self, process: Process) -> None:
        self._process = process

    # -- files ---------------------------------------------------------------------------------------------------------

    def path_exists(self, path: PurePosixPath) -> bool:
        """Whether something is there, behind symbolic links."""
        return self._stat(path) is not None

    def path_is_file(self, path: PurePosixPath) -> bool:
        """Whether it is a regular file."""
        found = self._stat(path)
        return found is not None and found.type == "file"

    def path_is_dir(self, path: PurePosixPath) -> bool:
        """Whether it is a directory."""
        found = self._stat(path)
        return found is not None and found.type == "directory"

    def path_is_symlink(self, path: PurePosixPath) -> bool:
        """Whether it is a symbolic link."""
        found = self._stat(path, follow=False)
        return found is not None and found.type == "symlink"

    def path_stat(self, path: PurePosixPath) -> StatResult:
        """Metadata."""
        found = self._process.fs.stat(str(path))
        kind = _TYPES.get(found.type, _REGULAR)
        times = (found.atime, found.mtime, found.mtime)
        return StatResult(kind | found.mode & 0o7777, found.ino, 0, 1, found.uid, found.gid, found.size, *times)

    def path_open(self, path: PurePosixPath, mode: str) -> MontyFileHandle:
        """Open a file, which makes, empties or finds it."""
        name = str(path)
        if self._descriptor(name) is None:
            if "r" in mode:
                self._process.fs.open(name, read=True).release()
            else:
                self._opened(name, append="a" in mode).release()
        return MontyFileHandle(name, mode)

    def path_read_text(self, path: Place) -> str:
        """The whole text of a file; line ends of other systems become those of Unix."""
        return self.path_read_bytes(path).decode().replace("\r\n", "\n").replace("\r", "\n")

    def path_read_bytes(self, path: Place) -> bytes:
        """The whole content of a file."""
        name = _name(path)
        stream = self._descriptor(name) or self._process.open_file(name)
        data = stream.read_all()
        self._process.budget.string(len(data))
        return data

    def path_write_text(self, path: Place, data: str) -> int:
        """Replace a file."""
        self.path_write_bytes(path, data.encode())
        return len(data)

    def path_write_bytes(self, path: Place, data: bytes) -> int:
        """Replace a file."""
        return self._write(_name(path), data, append=False)

    def path_append_text(self, path: Place, data: str) -> int:
        """Add to a file."""
        self.path_append_bytes(path, data.encode())
        return len(data)

    def path_append_bytes(self, path: Place, data: bytes) -> int:
        """Add to a file."""
        return self._write(_name(path), data, append=True)

    def path_mkdir(self, path: PurePosixPath, parents: bool, exist_ok: bool) -> None:
        """Make a directory."""
        fs, name = self._process.fs, str(path)
        if exist_ok and self.path_is_dir(path):
            return
        if parents:
            fs.makedirs(posixpath.dirname(name))
        fs.mkdir(name, 0o777 & ~self._process.umask)

    def path_unlink(self, path: PurePosixPath) -> None:
        """Remove a file."""
        self._process.fs.unlink(str(path))

    def path_rmdir(self, path: PurePosixPath) -> None:
        """Remove an empty directory."""
        self._process.fs.rmdir(str(path))

    def path_iterdir(self, path: PurePosixPath) -> list[PurePosixPath]:
        """What is in a directory."""
        names = self._process.fs.listdir(str(path))
        self._process.budget.tick(len(names))
        return [path / name for name in names]

    def path_rename(self, path: PurePosixPath, target: PurePosixPath) -> None:
        """Move a file or a directory."""
        self._process.fs.rename(str(path), str(target))

    def path_resolve(self, path: PurePosixPath) -> str:
        """The path without symbolic links."""
        return str(self._process.fs.realpath(self.path_absolute(path)))

    def path_absolute(self, path: PurePosixPath) -> str:
        """The path from the root."""
        return posixpath.normpath(posixpath.join(self._process.cwd, str(path)))

    def _stat(self, path: PurePosixPath, *, follow: bool = True) -> Stat | None:
        try:
            return self._process.fs.stat(str(path), follow=follow)
        except OSError:
            return None

    def _descriptor(self, name: str) -> Stream | None:
        return self._process.descriptor(name)

    def _opened(self, name: str, *, append: bool) -> Stream:
        mode = 0o666 & ~self._process.umask
        return self._process.fs.open(name, write=True, create=True, append=append, truncate=not append, mode=mode)

    def _write(self, name: str, data: bytes, *, append: bool) -> int:
        process = self._process
        process.budget.tick(len(data) >> 8)
        descriptor = self._descriptor(name)
        if descriptor is not None:
            descriptor.write(data)
            return len(data)
        stream = self._opened(name, append=append)
        try:
            stream.write(data)
        finally:
            stream.release()
        return len(data)

    # -- the rest of the machine ---------------------------------------------------------------------------------------

    def getenv(self, key: str, default: str | None = None) -> str | None:
        """A variable of the shell that is exported."""
        return self._process.env.get(key, default)

    def get_environ(self) -> dict[str, str]:
        """All of them."""
        environment = self._process.environment()
        self._process.budget.room(sum(map(len, environment.values())))  # the worker is sent a copy
        return environment

    def date_today(self) -> date:
        """The day in the zone of the shell."""
        return self.datetime_now().date()

    def datetime_now(self, tz: tzinfo | None = None) -> datetime:
        """The moment, in the zone of the shell unless another is named."""
        process = self._process
        if tz is not None:
            return datetime.fromtimestamp(process.system.now(), tz)
        return datetime.fromtimestamp(process.system.now(), process.system.timezone(process.env.get("TZ", ""))).replace(
            tzinfo=None
        )

    def time(self, caller: str = "time.time") -> float:  # noqa: ARG002 - every clock of time is this one
        """Seconds since the epoch."""
        return self._process.system.now()

    def sleep(self, seconds: float) -> None:
        """Wait, while other commands of the script go on."""
        self._process.system.sleep(max(0.0, seconds))

    def urandom(self, size: int) -> bytes:
        """Random bytes; repeatable in a session with a seed."""
        return self._process.system.random.randbytes(min(size, 1 << 20))


def _name(path: Any) -> str:
    return path.path if isinstance(path, MontyFileHandle) else str(path)
