"""FileSystem: the host's handle on the virtual files, with the method names of the Rust project."""

from __future__ import annotations

from typing import Any

from bashkit.fs.memory import MemoryFileSystem


class FileSystem:
    """Read and write the virtual files from Python.

    Paths are absolute. Content goes in as ``str`` or ``bytes`` and comes out as ``bytes``. Nothing is checked against
    permission bits: the host owns the sandbox. Every method raises ``OSError`` as the system call would.

    Args:
        files: The file system to work on; a new, empty one when left out.
    """

    __slots__ = ("_files",)

    def __init__(self, files: MemoryFileSystem | None = None) -> None:
        self._files = (files or MemoryFileSystem()).unchecked()

    def read_file(self, path: str) -> bytes:
        """The whole content of a file."""
        return self._files.read_file(path)

    def write_file(self, path: str, content: bytes | str) -> None:
        """Make or replace a file; missing directories above it are made."""
        self._files.makedirs(path.rpartition("/")[0])
        self._files.write_file(path, _bytes(content))

    def append_file(self, path: str, content: bytes | str) -> None:
        """Add to the end of a file, making it if need be."""
        self._files.open(path, append=True, create=True).write(_bytes(content))

    def mkdir(self, path: str, recursive: bool = False) -> None:
        """Make a directory; with ``recursive`` whatever is missing above it too."""
        (self._files.makedirs if recursive else self._files.mkdir)(path)

    def remove(self, path: str, recursive: bool = False) -> None:
        """Remove a file, a link or an empty directory; with ``recursive`` a whole tree."""
        if self._files.stat(path, follow=False).type != "directory":
            self._files.unlink(path)
            return
        if recursive:
            for name in self._files.listdir(path):
                self.remove(f"{path}/{name}", recursive=True)
        self._files.rmdir(path)

    def stat(self, path: str) -> dict[str, Any]:
        """``file_type``, ``size``, ``mode``, ``modified`` and ``created`` of a path, times in seconds since the epoch."""
        stat = self._files.stat(path)
        return {"file_type": stat.type, "size": stat.size, "mode": stat.mode, "modified": stat.mtime, "created": stat.ctime}

    def read_dir(self, path: str) -> list[dict[str, Any]]:
        """The entries of a directory by name, each with ``name`` and ``metadata``."""
        return [
            {"name": name, "metadata": _metadata(self._files, f"{path}/{name}")} for name in sorted(self._files.listdir(path))
        ]

    def exists(self, path: str) -> bool:
        """Whether the path leads to something."""
        return self._files.exists(path)

    def rename(self, from_path: str, to_path: str) -> None:
        """Move a file or directory."""
        self._files.rename(from_path, to_path)

    def copy(self, from_path: str, to_path: str) -> None:
        """Copy one file."""
        self.write_file(to_path, self.read_file(from_path))

    def symlink(self, target: str, link: str) -> None:
        """Make a symbolic link."""
        self._files.symlink(target, link)

    def chmod(self, path: str, mode: int) -> None:
        """Set the permission bits."""
        self._files.chmod(path, mode)

    def read_link(self, path: str) -> str:
        """The target of a symbolic link."""
        return self._files.readlink(path)


def _bytes(content: bytes | str) -> bytes:
    return content.encode("utf-8", "surrogateescape") if isinstance(content, str) else bytes(content)


def _metadata(files: MemoryFileSystem, path: str) -> dict[str, Any]:
    stat = files.stat(path, follow=False)
    return {"file_type": stat.type, "size": stat.size, "mode": stat.mode, "modified": stat.mtime, "created": stat.ctime}
