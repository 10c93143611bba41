"""The files of a session whose script is running in a sandbox process, for callbacks and hooks of the host."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any, cast

from bashkit.fs import Stat, Stream
from bashkit.fs.stream import BytesStream, os_error

if TYPE_CHECKING:
    from bashkit.bash.isolated.link import Answer, Link
    from bashkit.fs import LazyFile, Mountable
    from bashkit.fs.volume import Volume

_MODE = 0o644  # of a file that is made, unless another is given


class RemoteFiles:
    """What ``FileSystem`` and commands of the host need of a VirtualFileSystem; each operation is a question to the process.

    Args:
        link: The way to it.
        checked: Permission bits count.
    """

    def __init__(self, link: Link, *, checked: bool = True) -> None:
        self._link = link
        self._checked = checked

    def unchecked(self) -> RemoteFiles:
        """The same files without permission checks."""
        return RemoteFiles(self._link, checked=False)

    def _ask(self, what: str, *given: Any, data: bytes = b"", **named: Any) -> Answer:
        """Ask from the thread of whoever uses the files, which waits."""
        return self._link.ask_from_thread("fs", self._checked, what, given, named, data=data)

    def read_file(self, path: str) -> bytes:
        """The whole content of a file."""
        return self._ask("read_file", path).data

    def write_file(self, path: str, data: bytes, mode: int = _MODE) -> None:
        """Make or replace a file."""
        self._ask("write_file", path, data=data, mode=mode)

    def write_lazy(self, path: str, content: LazyFile) -> None:  # noqa: ARG002 - as VirtualFileSystem has it
        """Refuse: a lazy file is declared between two scripts.

        Raises:
            OSError: ``EBUSY``.
        """
        raise os_error(errno.EBUSY, path)

    def stat(self, path: str, *, follow: bool = True) -> Stat:
        """Metadata of ``path``."""
        found = Stat(*cast("list[Any]", self._ask("stat", path, follow=follow).value))
        return found._replace(device=(found.device[0], found.device[1]))

    def mount(self, path: str, source: Mountable, volume: Volume | None = None) -> None:  # noqa: ARG002 - likewise
        """Refuse: file systems are mounted between two scripts.

        Raises:
            OSError: ``EBUSY``.
        """
        raise os_error(errno.EBUSY, path)

    def unmount(self, path: str) -> None:
        """Refuse, likewise.

        Raises:
            OSError: ``EBUSY``.
        """
        raise os_error(errno.EBUSY, path)

    def open(self, path: str, *, write: bool = False, append: bool = False, create: bool = False, **flags: Any) -> Stream:
        """Open a file: to read what it holds now, or to write it when the stream is closed."""
        if append:
            return _Writer(self, path, append=True)
        if write:
            if not create:
                self.stat(path)
            elif flags.get("exclusive") and self._exists(path):
                raise os_error(errno.EEXIST, path)
            return _Writer(self, path, append=False, mode=int(flags.get("mode", _MODE)))
        return BytesStream(self.read_file(path))

    def _exists(self, path: str) -> bool:
        try:
            self.stat(path, follow=False)
        except FileNotFoundError:
            return False
        return True

    def __getattr__(self, name: str) -> Any:
        """The other operations take and give plain values."""
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *given, **named: self._ask(name, *given, **named).value


class _Writer(Stream):
    """Collects what is written and sends it when it is closed."""

    __slots__ = ("_append", "_files", "_path", "_pieces")

    readable = False
    writable = True

    def __init__(self, files: RemoteFiles, path: str, *, append: bool, mode: int = _MODE) -> None:
        super().__init__()
        self._files = files
        self._path = path
        self._append = append
        self._pieces: list[bytes] = []
        files._ask("append", path) if append else files.write_file(path, b"", mode)  # noqa: SLF001 - one module

    def write(self, data: bytes) -> None:
        """Take ``data``."""
        self._pieces.append(data)

    def release(self) -> None:
        """Send what was written."""
        super().release()
        if self.refs == 0 and self._pieces:
            data, self._pieces = b"".join(self._pieces), []
            self._files._ask("append", self._path, data=data)  # noqa: SLF001 - one module
