"""Reads and writes the members of zip archives in memory, and describes them as Info-ZIP does."""

from __future__ import annotations

import io
import stat as modes
import struct
import time
import zipfile
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands.archives._zipcrypto import encrypted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_STEP, _ENCRYPTED_STEP = 1 << 18, 1 << 13  # bytes; zipfile decrypts in Python
_MEMBER = 64  # microseconds of a member beside its content
_ENCRYPTED = 1  # the flag of an encrypted member
_ENTRY = b"PK\x01\x02"
_MALFORMED = (
    zipfile.BadZipFile,
    ValueError,
    OverflowError,
    IndexError,
    TypeError,
    EOFError,
    OSError,
    NotImplementedError,
    struct.error,
)
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_LATEST = (2107, 12, 31, 23, 59, 58)
_TYPES = {"directory": modes.S_IFDIR, "symlink": modes.S_IFLNK}


_UNIX_TIME = struct.Struct("<HHBi")  # the extra field with the time of a member in seconds: identifier, length, flags, time
_BINARY = bytes([*range(7), *range(14, 26), *range(28, 32)])  # bytes that no text has


class BadArchiveError(Exception):
    """The bytes are not a zip archive."""


class PasswordError(Exception):
    """A member is encrypted; the message says what is wrong with the password."""


class Archive(zipfile.ZipFile):
    """An archive that asks for time for each of its members: ``zipfile`` reads their list, and writes it, in one go.

    Args:
        content: What is in it so far.
        budget: What is asked.
        mode: ``r`` or ``w``.
    """

    def __init__(self, content: io.BytesIO, budget: Budget, mode: Literal["r", "w"]) -> None:
        self._budget = budget
        super().__init__(content, mode, metadata_encoding="utf-8" if mode == "r" else None)

    @property
    def filelist(self) -> list[zipfile.ZipInfo]:
        """Its members."""
        return self._members

    @filelist.setter
    def filelist(self, members: list[zipfile.ZipInfo]) -> None:
        self._members = _Members(members, self._budget)


class _Members(list[zipfile.ZipInfo]):
    def __init__(self, members: Iterable[zipfile.ZipInfo], budget: Budget) -> None:
        super().__init__(members)
        self._budget = budget

    def append(self, member: zipfile.ZipInfo, /) -> None:
        self._budget.tick(_MEMBER >> 1)
        super().append(member)

    def __iter__(self) -> Iterator[zipfile.ZipInfo]:
        for member in super().__iter__():
            self._budget.tick(_MEMBER >> 2)
            yield member


def load(process: Process, name: str) -> Archive:
    """Open an archive of the virtual file system for reading.

    Raises:
        OSError: The file cannot be read.
        BadArchiveError: It is not an archive.
    """
    data = slurp(process, process.open(name))
    budget = process.budget
    entries = data.count(_ENTRY)  # no archive has more members than signatures
    if entries > budget.limits.max_files:
        budget.fail("max_files")
    try:
        return Archive(io.BytesIO(data), budget, "r")
    except _MALFORMED:
        raise BadArchiveError(name) from None


def content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, budget: Budget) -> bytes:
    """Read a member, charging the budget before its content grows.

    Raises:
        BadArchiveError: It is damaged, or compressed with an unsupported method.
        PasswordError: It is encrypted with another password, or there is none.
    """
    budget.tick(_MEMBER)
    if is_encrypted(member) and archive.pwd is None:
        raise PasswordError("unable to get password")
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BadArchiveError(f"unsupported compression method {member.compress_type}")  # zipfile expands the others all at once
    step = _ENCRYPTED_STEP if member.flag_bits & _ENCRYPTED else _STEP
    pieces: list[bytes] = []
    size = 0
    try:
        with archive.open(member) as reader:
            while piece := reader.read(step):
                size += len(piece)
                budget.string(size)
                budget.tick(len(piece) >> (0 if step == _ENCRYPTED_STEP else 7))
                pieces.append(piece)
    except (*_MALFORMED, zlib.error, RuntimeError) as error:
        if "Bad password" in str(error):
            raise PasswordError("incorrect password") from None
        raise BadArchiveError(str(error)) from None
    return b"".join(pieces)


def describe(name: str, stat: Stat, level: int, *, extra: bool = True) -> zipfile.ZipInfo:
    """Make the entry of a file.

    Args:
        name: The name in the archive.
        stat: The file's status.
        level: 0 to store it.
        extra: Whether its time is kept to the second, too.
    """
    moment = time.gmtime(max(0, -(-int(stat.mtime) // 2) * 2))[:6]  # archives have even seconds
    name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")  # names in archives are UTF-8
    entry = zipfile.ZipInfo(name, min(max(moment, _EARLIEST), _LATEST))
    entry.create_system, entry.create_version = 3, 30
    seconds = int(stat.mtime // 1)
    if extra and -(1 << 31) <= seconds < 1 << 31:
        entry.extra = _UNIX_TIME.pack(0x5455, 5, 1, seconds)
    entry.external_attr = (_TYPES.get(stat.type, modes.S_IFREG) | stat.mode) << 16 | (0x10 if stat.type == "directory" else 0)
    entry.compress_type = zipfile.ZIP_DEFLATED if level and stat.type == "file" else zipfile.ZIP_STORED
    return entry


def add(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, data: bytes, level: int, budget: Budget) -> None:
    """Write a member; it is stored if compression does not make it smaller."""
    checksum, packed = _packed(entry, data, level, budget)
    _write(archive, entry, data if packed is None else packed, deflated=packed is not None, checksum=checksum, size=len(data))


def add_encrypted(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, data: bytes, level: int, password: bytes, process: Process
) -> None:
    """Write an encrypted member, as ``add``."""
    checksum, packed = _packed(entry, data, level, process.budget)
    content = encrypted(data if packed is None else packed, password, checksum, process.system.random, process.budget)
    _write(archive, entry, content, deflated=packed is not None, checksum=checksum, size=len(data), flags=_ENCRYPTED)


def _packed(entry: zipfile.ZipInfo, data: bytes, level: int, budget: Budget) -> tuple[int, bytes | None]:
    """The checksum of a content, and the content compressed; None if it is to be stored, or does not get smaller."""
    budget.tick(_MEMBER)
    checksum = 0
    wanted = entry.compress_type == zipfile.ZIP_DEFLATED
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    pieces: list[bytes] = []
    for place in range(0, len(data), _STEP):
        piece = data[place : place + _STEP]
        checksum = zlib.crc32(piece, checksum)
        if wanted:
            pieces.append(packer.compress(piece))
            budget.tick(len(piece) >> 5)
    packed = b"".join(pieces) + packer.flush()
    return checksum, packed if wanted and len(packed) < len(data) else None


def _write(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, content: bytes, *, deflated: bool, checksum: int, size: int, flags: int = 0
) -> None:
    """Write a member whose content is compressed or encrypted already: for ``zipfile`` it is a stored one."""
    entry.compress_type = zipfile.ZIP_STORED
    archive.writestr(entry, content)
    entry.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    entry.flag_bits |= flags
    entry.CRC, entry.file_size = checksum, size
    output = archive.fp
    assert output is not None
    output.seek(entry.header_offset)
    output.write(entry.FileHeader(zip64=False))
    output.seek(archive.start_dir)


def unix_time(entry: zipfile.ZipInfo) -> float | None:
    """When the file of a member was changed, in seconds since the epoch; None if only its local time is known."""
    extra = entry.extra
    while len(extra) >= 4:
        identifier, length = struct.unpack_from("<HH", extra)
        if identifier == 0x5455 and length >= 5 and len(extra) >= _UNIX_TIME.size and extra[4] & 1:
            return float(_UNIX_TIME.unpack_from(extra)[3])
        extra = extra[4 + length :]
    return None


def modified(entry: zipfile.ZipInfo) -> float:
    """When the file of a member was changed, in seconds since the epoch."""
    kept = unix_time(entry)
    if kept is not None:
        return kept
    try:
        return datetime(*entry.date_time, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def looks_like_text(data: bytes) -> bool:
    """Whether content is text for zip: it is not empty, and its beginning has no byte that no text has."""
    start = data[:_STEP]
    return bool(start) and len(start.translate(None, _BINARY)) == len(start)


def is_text(entry: zipfile.ZipInfo) -> bool:
    """Whether a member is marked as text."""
    return bool(entry.internal_attr & 1)


def is_encrypted(entry: zipfile.ZipInfo) -> bool:
    """Whether a member is encrypted."""
    return bool(entry.flag_bits & _ENCRYPTED)


def method(entry: zipfile.ZipInfo) -> str:
    """The compression method of a member, as ``unzip -v`` names it."""
    return {
        zipfile.ZIP_STORED: "Stored",
        zipfile.ZIP_DEFLATED: "Defl:N",
        zipfile.ZIP_BZIP2: "BZip2",
        zipfile.ZIP_LZMA: "LZMA",
    }.get(entry.compress_type, "Unk:")


def saved(plain: int, packed: int) -> int:
    """The saved size in per cent, rounded."""
    return round(100 * (plain - packed) / plain) if plain else 0


def is_link(entry: zipfile.ZipInfo) -> bool:
    """Whether a member is a symbolic link."""
    return modes.S_ISLNK(entry.external_attr >> 16)


def permissions(entry: zipfile.ZipInfo) -> int:
    """The mode of a member; 0 if not stored."""
    return entry.external_attr >> 16 & 0o7777
