"""Reads and writes the members of zip archives in memory, and describes them as Info-ZIP does."""

from __future__ import annotations

import io
import stat as modes
import struct
import zipfile
import zlib
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands.archives._zipcrypto import encrypted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import tzinfo

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process
    from bashkit.limits import Budget

_STEP, _ENCRYPTED_STEP = 1 << 18, 1 << 13  # bytes; zipfile decrypts in Python
_MEMBER = 64  # microseconds of a member beside its content
_ENCRYPTED, _MAXIMUM, _FAST, _DESCRIBED_BEHIND = 1, 2, 4, 8  # flags of a member; the last: its sizes stand behind its content
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
_NAME_WIDTH = 22
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_LATEST = (2107, 12, 31, 23, 59, 58)
_LAST = 1 << 33  # seconds since the epoch, after that
_TYPES = {"directory": modes.S_IFDIR, "symlink": modes.S_IFLNK}


_LOCAL = struct.Struct("<4s22xHH")  # what stands before a member: signature, lengths of its name and of its extra field
_DESCRIPTOR = struct.Struct("<4sIII")  # signature, checksum, sizes
_UNIX_TIME = struct.Struct("<HHBi")  # the extra field with the time of a member in seconds: identifier, length, flags, time
_BINARY = bytes([*range(7), *range(14, 26), *range(28, 32)])  # bytes that no text has


class BadArchiveError(Exception):
    """The bytes are not a zip archive."""


class DamagedError(BadArchiveError):
    """The content of a member is not what it was when it was packed; the message says so.

    Attributes:
        data: What could be unpacked.
    """

    def __init__(self, data: bytes, expected: int) -> None:
        super().__init__(f"bad CRC {zlib.crc32(data):08x}  (should be {expected:08x})")
        self.data = data


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
        DamagedError: It is damaged.
        BadArchiveError: It is not where the list of members says, or compressed with an unsupported method.
        PasswordError: It is encrypted with another password, or there is none.
    """
    budget.tick(_MEMBER)
    if is_encrypted(member) and not archive.pwd:
        raise PasswordError("unable to get password")
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BadArchiveError(f"unsupported compression method {member.compress_type}")  # zipfile expands the others all at once
    if is_encrypted(member):
        return _decrypted(archive, member, budget)
    data = _unpacked(member, packed_content(archive, member, budget), budget)
    if zlib.crc32(data) != member.CRC:
        raise DamagedError(data, member.CRC)
    return data


def _unpacked(member: zipfile.ZipInfo, packed: bytes, budget: Budget) -> bytes:
    """What a member holds, as far as it can be unpacked."""
    if member.compress_type == zipfile.ZIP_STORED:
        return packed
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    pieces: list[bytes] = []
    size = 0
    try:
        while packed and not unpacker.eof:
            piece = unpacker.decompress(packed, _STEP)
            packed = unpacker.unconsumed_tail
            size += len(piece)
            budget.string(size)
            budget.tick(1 + (len(piece) >> 7))
            pieces.append(piece)
    except zlib.error:
        pass  # the checksum will tell
    return b"".join(pieces)


def _decrypted(archive: zipfile.ZipFile, member: zipfile.ZipInfo, budget: Budget) -> bytes:
    pieces: list[bytes] = []
    size = 0
    try:
        with archive.open(member) as reader:
            while piece := reader.read(_ENCRYPTED_STEP):
                size += len(piece)
                budget.string(size)
                budget.tick(len(piece))
                pieces.append(piece)
    except (*_MALFORMED, zlib.error, RuntimeError) as error:
        if "Bad password" in str(error):
            raise PasswordError("incorrect password") from None
        raise BadArchiveError(str(error)) from None
    return b"".join(pieces)


def describe(name: str, stat: Stat, level: int, zone: tzinfo, *, extra: bool = True) -> zipfile.ZipInfo:
    """Make the entry of a file.

    Args:
        name: The name in the archive.
        stat: The file's status.
        level: 0 to store it.
        zone: See ``zone_of``.
        extra: Whether its time is kept to the second, too.
    """
    local = datetime.fromtimestamp(min(max(0, -(-int(stat.mtime) // 2) * 2), _LAST), zone)  # archives have even seconds
    when = local.year, local.month, local.day, local.hour, local.minute, local.second
    name = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")  # names in archives are UTF-8
    entry = zipfile.ZipInfo(name, min(max(when, _EARLIEST), _LATEST))
    entry.create_system, entry.create_version = 3, 30
    seconds = int(stat.mtime // 1)
    if extra and -(1 << 31) <= seconds < 1 << 31:
        entry.extra = _UNIX_TIME.pack(0x5455, 5, 1, seconds)
    entry.external_attr = (_TYPES.get(stat.type, modes.S_IFREG) | stat.mode) << 16 | (0x10 if stat.type == "directory" else 0)
    entry.compress_type = zipfile.ZIP_DEFLATED if level and stat.type == "file" else zipfile.ZIP_STORED
    return entry


def pack(entry: zipfile.ZipInfo, data: bytes, level: int, budget: Budget) -> bytes:
    """Compress what a member holds, unless that does not make it smaller, and note in its entry what became of it."""
    budget.tick(_MEMBER)
    wanted = entry.compress_type == zipfile.ZIP_DEFLATED
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    pieces: list[bytes] = []
    entry.CRC = 0
    for place in range(0, len(data), _STEP):
        piece = data[place : place + _STEP]
        entry.CRC = zlib.crc32(piece, entry.CRC)
        if wanted:
            pieces.append(packer.compress(piece))
            budget.tick(len(piece) >> 5)
    packed = b"".join(pieces) + packer.flush()
    if wanted and len(packed) < len(data):
        entry.flag_bits |= _MAXIMUM if level >= 8 else _FAST if level <= 2 else 0
    else:
        packed, entry.compress_type = data, zipfile.ZIP_STORED
    entry.file_size, entry.compress_size = len(data), len(packed)
    return packed


def encrypt(entry: zipfile.ZipInfo, packed: bytes, password: bytes, process: Process) -> bytes:
    """Encrypt what ``pack`` has made."""
    hidden = encrypted(packed, password, entry.CRC, process.system.random, process.budget)
    entry.flag_bits |= _ENCRYPTED
    entry.compress_size = len(hidden)
    return hidden


def packed_content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, budget: Budget) -> bytes:
    """The bytes of a member as they are in an archive, which may be compressed in any way, and encrypted.

    Raises:
        BadArchiveError: They are not where the list of members says.
    """
    budget.tick(_MEMBER)
    source = archive.fp
    assert source is not None
    source.seek(max(entry.header_offset, 0))
    header = source.read(_LOCAL.size)
    if len(header) < _LOCAL.size:
        raise BadArchiveError(entry.filename)
    signature, name, extra = _LOCAL.unpack(header)
    source.seek(name + extra, io.SEEK_CUR)
    packed = source.read(entry.compress_size)
    if signature != b"PK\3\4" or len(packed) < entry.compress_size:
        raise BadArchiveError(entry.filename)
    return packed


def write(archive: Archive, entry: zipfile.ZipInfo, packed: bytes) -> None:
    """Write a member whose content is compressed and encrypted already: for ``zipfile`` it is a stored one."""
    how, flags, checksum, size = entry.compress_type, entry.flag_bits, entry.CRC, entry.file_size
    entry.compress_type = zipfile.ZIP_STORED
    archive.writestr(entry, packed)
    entry.compress_type, entry.flag_bits, entry.CRC, entry.file_size = how, flags, checksum, size
    output = archive.fp
    assert output is not None
    output.seek(entry.header_offset)
    output.write(entry.FileHeader(zip64=False))
    output.seek(archive.start_dir)
    if flags & _DESCRIBED_BEHIND:
        output.write(_DESCRIPTOR.pack(b"PK\7\x08", checksum, entry.compress_size, size))
        archive.start_dir = output.tell()


def zone_of(process: Process) -> tzinfo:
    """The zone of the times in archives, which are those of a clock on the wall."""
    return process.system.timezone(process.env.get("TZ", ""))


def _seconds(entry: zipfile.ZipInfo) -> int | None:
    """The time of a member in seconds since the epoch, where it is kept so, too."""
    extra = entry.extra
    while len(extra) >= 4:
        identifier, length = struct.unpack_from("<HH", extra)
        if identifier == 0x5455 and length >= 5 and len(extra) >= _UNIX_TIME.size and extra[4] & 1:
            seconds: int = _UNIX_TIME.unpack_from(extra)[3]
            return seconds
        extra = extra[4 + length :]
    return None


def modified(entry: zipfile.ZipInfo, zone: tzinfo) -> float:
    """When the file of a member was changed, in seconds since the epoch."""
    seconds = _seconds(entry)
    if seconds is not None:
        return float(seconds)
    try:
        return datetime(*entry.date_time, tzinfo=zone).timestamp()
    except ValueError:
        return 0.0


def is_newer(entry: zipfile.ZipInfo, zone: tzinfo, mtime: float) -> bool:
    """Whether the file of a member was changed after ``mtime``; where the archive knows only even seconds, these count."""
    return modified(entry, zone) > (mtime if _seconds(entry) is not None else -(-int(mtime) // 2) * 2)


def moment(entry: zipfile.ZipInfo, zone: tzinfo) -> tuple[int, int, int, int, int, int]:
    """When the file of a member was changed: year, month, day, hour, minute and second."""
    seconds = _seconds(entry)
    if seconds is None:
        return entry.date_time
    local = datetime.fromtimestamp(seconds, zone)
    return local.year, local.month, local.day, local.hour, local.minute, local.second


def looks_like_text(data: bytes) -> bool:
    """Whether content is text for zip: it is not empty, and its beginning has no byte that no text has."""
    start = data[:_STEP]
    return bool(start) and len(start.translate(None, _BINARY)) == len(start)


def is_text(entry: zipfile.ZipInfo) -> bool:
    """Whether a member is marked as text."""
    return bool(entry.internal_attr & 1)


def is_described_behind(entry: zipfile.ZipInfo) -> bool:
    """Whether the sizes of a member stand behind its content: it was written to a pipe."""
    return bool(entry.flag_bits & _DESCRIBED_BEHIND)


def is_encrypted(entry: zipfile.ZipInfo) -> bool:
    """Whether a member is encrypted."""
    return bool(entry.flag_bits & _ENCRYPTED)


def method(entry: zipfile.ZipInfo) -> str:
    """The compression method of a member, as ``unzip -v`` names it."""
    return {
        zipfile.ZIP_STORED: "Stored",
        zipfile.ZIP_DEFLATED: f"Defl:{effort(entry)}",
        zipfile.ZIP_BZIP2: "BZip2",
        zipfile.ZIP_LZMA: "LZMA",
    }.get(entry.compress_type, "Unk:")


def effort(entry: zipfile.ZipInfo) -> str:
    """The letter of how hard the compressor has tried: normal, maximum, fast or super fast."""
    return "NXFS"[entry.flag_bits >> 1 & 3]


def saved(plain: int, packed: int) -> int:
    """The saved size in per cent, rounded, as zip says it."""
    return (200 * (plain - packed) + plain) // (2 * plain) if plain else 0


def saved_tenths(plain: int, packed: int) -> int:
    """The saved size in tenths of a per cent, rounded, as lists of archives have it."""
    won = plain - packed
    tenths = (2000 * abs(won) + plain) // (2 * plain) if plain else 0
    return tenths if won > 0 else -tenths


def padded(name: str) -> str:
    """A name with blanks up to the width that it has in messages, in bytes."""
    return name + " " * (_NAME_WIDTH - len(name.encode("utf-8", "surrogateescape")))


def is_link(entry: zipfile.ZipInfo) -> bool:
    """Whether a member is a symbolic link."""
    return modes.S_ISLNK(entry.external_attr >> 16)


def permissions(entry: zipfile.ZipInfo) -> int:
    """The mode of a member; 0 if not stored."""
    return entry.external_attr >> 16 & 0o7777
