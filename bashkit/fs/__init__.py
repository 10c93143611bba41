"""The virtual file system: what scripts see instead of the host's files."""

from bashkit.fs.api import FileSystem, ReadOnly
from bashkit.fs.host import HostDirectory
from bashkit.fs.inodes import LazyFile, Stat
from bashkit.fs.overlay import Overlay
from bashkit.fs.stream import BytesStream, NullStream, Stream, SuppliedStream
from bashkit.fs.tree import MemoryFileSystem, VirtualFileSystem
from bashkit.fs.volume import Mountable

__all__ = [
    "BytesStream",
    "FileSystem",
    "HostDirectory",
    "LazyFile",
    "MemoryFileSystem",
    "Mountable",
    "NullStream",
    "Overlay",
    "ReadOnly",
    "Stat",
    "Stream",
    "SuppliedStream",
    "VirtualFileSystem",
]
