"""Reads the members of an archive that may be malformed on purpose."""

from __future__ import annotations

import io
import re
import struct
import tarfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.limits import Budget

END_OF_DATA = "unexpected end of data"  # what tarfile says of an archive that ends within a member
_LARGEST_HEADER = 1 << 20  # bytes of an extended header
# tarfile searches an extended header for a number and a keyword, in time quadratic in the digits that follow each other.
_DIGITS = re.compile(rb"[0-9]{100}")
_EARLIEST, _LATEST = -62_135_000_000, 253_402_000_000  # seconds since the epoch: the years 1 to 9999 in every time zone
_MALFORMED = (ValueError, OverflowError, IndexError, KeyError, TypeError, EOFError, RecursionError, OSError, struct.error)


class _Member(tarfile.TarInfo):
    """A member whose extended header is looked at before it is parsed."""

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        stream = archive.fileobj
        assert stream is not None
        start = stream.tell()
        if self.size > _LARGEST_HEADER or _DIGITS.search(stream.read(self.size)):
            raise tarfile.ReadError("malformed extended header")
        stream.seek(start)
        found: tarfile.TarInfo = super()._proc_pax(archive)  # type: ignore[misc]  # tarfile's own name for it
        return found


@contextmanager
def _translated() -> Iterator[None]:
    """Turn what tarfile raises for malformed headers into its own error."""
    try:
        yield
    except _MALFORMED as error:
        raise tarfile.ReadError(str(error)) from None


def open_archive(data: bytes, begin: int = 0) -> tarfile.TarFile:
    """Open an archive for reading, from the header at ``begin`` on.

    Raises:
        tarfile.TarError: This is not an archive.
    """
    stream = io.BytesIO(data)
    stream.seek(begin)
    with _translated():
        return tarfile.open(
            fileobj=stream,
            mode="r:",
            encoding="utf-8",
            errors="surrogateescape",
            tarinfo=_Member,
        )


def next_header(data: bytes, position: int, budget: Budget) -> int:
    """Where the next header stands from a position on, or a block of zeros, or where the whole blocks end."""
    size = tarfile.BLOCKSIZE
    while position + size <= len(data):
        budget.tick(10)
        block = data[position : position + size]
        try:
            tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]  # tarfile has it
            break
        except (tarfile.HeaderError, *_MALFORMED):
            position += size
        else:
            break
    return position


def members(archive: tarfile.TarFile, budget: Budget) -> Iterator[tarfile.TarInfo]:
    """The members of an archive, one after the other.

    Raises:
        tarfile.TarError: What follows is not a member.
    """
    while True:
        with _translated():
            info = archive.next()
        if info is None:
            return
        budget.tick(100)
        info.mtime = min(max(info.mtime, _EARLIEST), _LATEST) if info.mtime == info.mtime else 0
        archive.members = []  # type: ignore[attr-defined]  # tarfile would keep every member it has seen
        yield info


def content(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget) -> bytes:
    """The content of a regular file, charged before it is made: a sparse one may be much larger than its archive.

    Of a file that the archive ends in it is the whole blocks that are there.

    Raises:
        tarfile.TarError: It is damaged.
    """
    budget.string(info.size)
    with _translated():
        source = archive.extractfile(info)
        try:
            return source.read() if source is not None else b""
        except tarfile.ReadError as error:
            if str(error) != END_OF_DATA or archive.fileobj is None:
                raise
            archive.fileobj.seek(info.offset_data)
            data: bytes = archive.fileobj.read(info.size)
            return data[: len(data) // tarfile.BLOCKSIZE * tarfile.BLOCKSIZE]
