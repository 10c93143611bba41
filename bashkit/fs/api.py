"""FileSystem, the host's handle on the virtual files, with the method names of the Rust project; ReadOnly, a view of them."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.fs.inodes import LazyFile
from bashkit.fs.readonly import ReadOnlyVolume
from bashkit.fs.stream import os_error
from bashkit.fs.tree import MemoryFileSystem, VirtualFileSystem
from bashkit.syntax.escapes import well_formed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bashkit.fs.inodes import Stat
    from bashkit.fs.memory import MemoryVolume
    from bashkit.fs.volume import Mountable

    Content = str | bytes | LazyFile | Callable[[], str | bytes | Awaitable[str | bytes]]


class FileSystem:
    """Read and write the virtual files from Python.

    Paths are absolute. Content goes in as ``str`` or ``bytes`` and comes out as ``bytes``. Nothing is checked against
    permission bits: the host owns the sandbox. Every method raises ``OSError`` as the system call would, and ``TypeError`` for
    what is no path or content; a read-only mount is read-only from here too.

    Args:
        files: The file system to work on, or a function that gives the one that counts just now; a new, empty one when left out.
    """

    __slots__ = ("_found",)

    def __init__(self, files: VirtualFileSystem | Callable[[], VirtualFileSystem] | None = None) -> None:
        if files is None:
            files = MemoryFileSystem()
        self._found = files if callable(files) else files.unchecked()

    def _at(self, *paths: str) -> VirtualFileSystem:
        """The files, if these can be paths of them."""
        for path in paths:
            if not isinstance(path, str):
                raise TypeError(f"a path must be a text (str), not {type(path).__name__}")
            if "\0" in path:
                raise os_error(errno.EINVAL, path)
        found = self._found
        return found().unchecked() if callable(found) else found

    def __call__(self) -> FileSystem:
        """Itself: where ``fs`` was a method, ``bash.fs()`` goes on to work."""
        return self

    def read_file(self, path: str) -> bytes:
        """The whole content of a file."""
        return self._at(path).read_file(path)

    def write_file(self, path: str, content: Content) -> None:
        """Make or replace a file; missing directories above it are made.

        Args:
            path: Where.
            content: What is in it; or a function, sync or async, that produces that when the file is first read (LazyFile tells
                its size beforehand).
        """
        files, directory = self._at(path), path.rpartition("/")[0]
        if isinstance(content, LazyFile) or callable(content):
            files.makedirs(directory)
            files.write_lazy(path, content if isinstance(content, LazyFile) else LazyFile(content))
            return
        data = _bytes(content)
        files.makedirs(directory)
        files.write_file(path, data)

    def append_file(self, path: str, content: bytes | str) -> None:
        """Add to the end of a file, making it if need be."""
        data = _bytes(content)
        stream = self._at(path).open(path, append=True, create=True)
        try:
            stream.write(data)
        finally:
            stream.release()

    def mkdir(self, path: str, recursive: bool = False) -> None:
        """Make a directory; with ``recursive`` whatever is missing above it too."""
        files = self._at(path)
        (files.makedirs if recursive else files.mkdir)(path)

    def remove(self, path: str, recursive: bool = False) -> None:
        """Remove a file, a link or an empty directory; with ``recursive`` a whole tree."""
        files = self._at(path)
        if files.stat(path, follow=False).type != "directory":
            files.unlink(path)
            return
        pending = [(path, not recursive)]
        while pending:
            here, emptied = pending.pop()
            if emptied:
                files.rmdir(here)
                continue
            pending.append((here, True))
            for name in files.listdir(here):
                child = f"{here}/{name}"
                if files.stat(child, follow=False).type == "directory":
                    pending.append((child, False))
                else:
                    files.unlink(child)

    def stat(self, path: str) -> dict[str, Any]:
        """``file_type``, ``size``, ``mode``, ``modified`` and ``created`` of a path, times in seconds since the epoch."""
        return _metadata(self._at(path).stat(path))

    def read_dir(self, path: str) -> list[dict[str, Any]]:
        """The entries of a directory by name, each with ``name`` and ``metadata``."""
        files = self._at(path)
        return [
            {"name": name, "metadata": _metadata(files.stat(f"{path}/{name}", follow=False))}
            for name in sorted(files.listdir(path))
        ]

    def exists(self, path: str) -> bool:
        """Whether the path leads to something."""
        try:
            return self._at(path).exists(path)
        except OSError:  # no file has such a name
            return False

    def rename(self, from_path: str, to_path: str) -> None:
        """Move a file or directory."""
        self._at(from_path, to_path).rename(from_path, to_path)

    def copy(self, from_path: str, to_path: str) -> None:
        """Copy one file."""
        self.write_file(to_path, self.read_file(from_path))

    def symlink(self, target: str, link: str) -> None:
        """Make a symbolic link."""
        self._at(target, link).symlink(target, link)

    def chmod(self, path: str, mode: int) -> None:
        """Set the permission bits."""
        self._at(path).chmod(path, mode)

    def read_link(self, path: str) -> str:
        """The target of a symbolic link."""
        return self._at(path).readlink(path)

    # -- mounts ------------------------------------------------------------------------------------------------------

    def mount(self, path: str, source: Mountable, *, read_only: bool = False) -> None:
        """Mount something on a directory, which is made if need be.

        Args:
            path: The directory.
            source: A HostDirectory, an Overlay, a MemoryFileSystem or a FileSystem that is not a session's.
            read_only: Nothing can be changed through the mount: shorthand for ``ReadOnly(source)``.

        Raises:
            OSError: ``EBUSY``: something is mounted there already; ``EINVAL``: the source is these files themselves.
            DefinitionError: It is no source of files; or not in memory, with ``read_only``.
        """
        if isinstance(source, type) or not callable(getattr(source, "open_volume", None)):
            raise DefinitionError(f"a HostDirectory, an Overlay or a MemoryFileSystem can be mounted, not {source!r}")
        self._at(path).mount(path, ReadOnly(source) if read_only else source)

    def open_volume(self, files: VirtualFileSystem) -> MemoryVolume:  # noqa: ARG002 - they bring their own quota and clock
        """The volume of the files, where they are mounted.

        Raises:
            OSError: ``EINVAL``: they are those of a session that runs in sandbox processes, which come and go.
        """
        if callable(self._found):
            raise os_error(errno.EINVAL)
        return self._found.volume

    def unmount(self, path: str) -> None:
        """Undo a mount; what the directory held before shows again.

        Raises:
            OSError: ``EINVAL``: nothing is mounted there; ``EBUSY``: something is mounted below it.
        """
        self._at(path).unmount(path)

    def mounts(self) -> dict[str, Mountable]:
        """What is mounted, by path."""
        return {path: source for path, (source, _) in self._at().mounts().items()}


class ReadOnly:
    """A view of files in memory, to be mounted in ``Bash(mounts=…)``, through which nothing can be changed.

    What is changed in the files themselves shows at once. (A HostDirectory is read-only unless it is ``writable``.)

    Args:
        source: A MemoryFileSystem, or a FileSystem that is not a session's.

    Raises:
        DefinitionError: It is another kind of source.
    """

    __slots__ = ("source",)

    def __init__(self, source: Mountable) -> None:
        if not isinstance(source, (MemoryFileSystem, FileSystem)):
            raise DefinitionError(f"a MemoryFileSystem or a FileSystem can be mounted read-only, not {type(source).__name__}")
        self.source = source

    def open_volume(self, files: VirtualFileSystem) -> ReadOnlyVolume:
        """The volume for one session."""
        return ReadOnlyVolume(self.source.open_volume(files))


def _bytes(content: object) -> bytes:
    if isinstance(content, str):
        return well_formed(content).encode("utf-8", "surrogateescape")
    if not isinstance(content, (bytes, bytearray, memoryview)):
        raise TypeError(f"the content of a file is text or bytes, not {type(content).__name__}")
    return bytes(content)


def _metadata(stat: Stat) -> dict[str, Any]:
    return {"file_type": stat.type, "size": stat.size, "mode": stat.mode, "modified": stat.mtime, "created": stat.ctime}
