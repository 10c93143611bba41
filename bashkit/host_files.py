"""Reads files of the host: regular ones, up to a size, so that no pipe, device or flood of bytes holds up the program.

What it writes is there as a whole or not at all.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedReader

MOST_BYTES = 64 << 20  # of a file that people write, such as a toolset
_OWN = re.compile(r"/dev/stdin|/(?:dev|proc/self)/fd/\d+")  # what the user's shell has opened: <(…), a here-document
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def working_directory() -> str:
    """The absolute path of the current directory; ``.`` where it has been removed or its path cannot be read."""
    try:
        return os.getcwd()  # noqa: PTH109 - as in open_file
    except OSError:
        return "."


def open_file(path: str | os.PathLike[str]) -> BufferedReader:
    """Open a regular file.

    Raises:
        OSError: It cannot be read, or is not a regular file; ``strerror`` is the reason.
    """
    name = os.fspath(path)
    try:
        kind = os.stat(name).st_mode  # noqa: PTH116 - pathlib is loaded only by the commands that need it
        _refuse(kind, name)  # before it is opened: that alone makes some devices do something
        descriptor = os.open(name, _FLAGS)
    except ValueError:
        raise OSError(errno.EINVAL, "it is no name of a file", name) from None
    try:
        _refuse(os.fstat(descriptor).st_mode, name)
        return os.fdopen(descriptor, "rb")
    except OSError:
        os.close(descriptor)
        raise


def read_bytes(path: str | os.PathLike[str], most: int = MOST_BYTES, *, pipes: bool = False) -> bytes:
    """Read a regular file.

    Args:
        path: The file.
        most: Its maximum size in bytes.
        pipes: Whether it may be what the process was started with as well: ``/dev/stdin``, ``<(…)`` of the user's shell.

    Raises:
        OSError: It cannot be read, is not a regular file, or is too large; ``strerror`` is the reason.
    """
    name = os.fspath(path)
    with open(name, "rb") if pipes and _OWN.fullmatch(name) else open_file(name) as file:  # noqa: PTH123 - as above
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > most else file.read(most + 1)
    if max(size, len(data)) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB", name)
    return data


def read_lines(path: str | os.PathLike[str], longest: int = MOST_BYTES) -> Iterator[bytes]:
    """Read a regular file line by line; it may be larger than memory.

    Args:
        path: The file.
        longest: The maximum length of a line in bytes.

    Raises:
        OSError: It cannot be read, is not a regular file, or has a longer line; ``strerror`` is the reason.
    """
    with open_file(path) as file:
        while line := file.readline(longest + 1):
            if len(line) > longest:
                raise OSError(errno.EFBIG, f"a line is longer than {longest >> 20} MB", os.fspath(path))
            yield line


def read_text(path: str | os.PathLike[str], most: int = MOST_BYTES, *, pipes: bool = False) -> str:
    """The same of a file in UTF-8. Lines end as in the file, and a mark of the byte order stays.

    Raises:
        OSError: As there, or it is not UTF-8.
    """
    try:
        return read_bytes(path, most, pipes=pipes).decode("utf-8")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8", os.fspath(path)) from None


def write_whole(path: str | os.PathLike[str], data: bytes, mode: int = 0o600) -> None:
    """Write a file, or another in its place: who reads it sees the old content or the new one, never a part.

    Args:
        path: The file, in a directory that exists.
        data: Its content.
        mode: Its permission bits.

    Raises:
        OSError: It cannot be written; it is then as it was before.
    """
    import tempfile

    name = os.fspath(path)
    descriptor, draft = tempfile.mkstemp(prefix=".new-", dir=os.path.dirname(name))  # noqa: PTH120 - as in open_file
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.chmod(draft, mode)  # noqa: PTH101 - as above
        os.replace(draft, name)  # noqa: PTH105 - as above
    except BaseException:
        os.unlink(draft)  # noqa: PTH108 - as above
        raise


def lock(descriptor: int) -> bool:
    """Take the lock of an open file, until it is closed; whether nobody else holds it.

    Where there are no locks, as on Windows and on some file systems, nobody does.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def _refuse(kind: int, name: str) -> None:
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if not stat.S_ISREG(kind):
        raise OSError(errno.EINVAL, "it is not a regular file", name)
