"""What ``test`` asks of files (POSIX XCU test)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.fs.handles import FileStream

if TYPE_CHECKING:
    from bashkit.fs.inodes import Stat
    from bashkit.fs.stream import Stream
    from bashkit.fs.tree import VirtualFileSystem

_TYPES = {"-b": "block", "-c": "character", "-d": "directory", "-f": "file", "-p": "fifo", "-S": "socket"}
_BITS = {"-u": 0o4000, "-g": 0o2000, "-k": 0o1000}


def file_condition(fs: VirtualFileSystem, operator: str, path: str) -> bool:
    """What an operator such as ``-f`` says of the file at an absolute path."""
    stat = _stat(fs, path, follow=operator not in {"-h", "-L"})
    if stat is None:
        return False
    if operator in _TYPES:
        return stat.type == _TYPES[operator]
    if operator in {"-a", "-e"}:
        return True
    if operator in {"-h", "-L"}:
        return stat.type == "symlink"
    if operator == "-s":
        return stat.size > 0
    if operator in {"-r", "-w", "-x"}:
        return fs.access(path, operator[1])
    if operator in _BITS:
        return bool(stat.mode & _BITS[operator])
    if operator in {"-O", "-G"}:
        return stat.uid == 1000
    return operator == "-N" and stat.mtime > stat.atime


def descriptor_condition(operator: str, stream: Stream) -> bool:
    """What an operator says of a name that stands for an open descriptor, which is a link to what that is open to."""
    if operator in _TYPES:
        return stream.type == _TYPES[operator]
    if operator == "-s":
        return isinstance(stream, FileStream) and stream.size() > 0
    if operator in {"-O", "-G"}:
        return stream.type != "character"
    return operator in {"-e", "-a", "-r", "-w", "-h", "-L"}


def file_relation(fs: VirtualFileSystem, operator: str, left: str, right: str) -> bool:
    """What ``-nt``, ``-ot`` or ``-ef`` says of the files at two absolute paths; an empty path leads to none."""
    one, other = _stat(fs, left), _stat(fs, right)
    if operator == "-ef":
        return one is not None and other is not None and one.ino == other.ino
    if operator == "-nt":
        return one is not None and (other is None or one.mtime > other.mtime)
    return other is not None and (one is None or one.mtime < other.mtime)


def _stat(fs: VirtualFileSystem, path: str, *, follow: bool = True) -> Stat | None:
    if not path:
        return None
    try:
        return fs.stat(path, follow=follow)
    except OSError:
        return None
