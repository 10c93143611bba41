"""The virtual file system: what scripts see instead of the host's files."""

from bashkit.fs.api import FileSystem
from bashkit.fs.memory import MemoryFileSystem, Stat
from bashkit.fs.stream import BytesStream, NullStream, Stream

__all__ = ["BytesStream", "FileSystem", "MemoryFileSystem", "NullStream", "Stat", "Stream"]
