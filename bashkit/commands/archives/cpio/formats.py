"""The members of a cpio archive as bytes: in the old binary format, the portable one (odc), newc and crc (cpio manual)."""

from __future__ import annotations

import stat as modes
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.limits import paced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.limits import Budget

FORMATS = ("crc", "newc", "odc", "bin")
TRAILER = "TRAILER!!!"
_MAGIC = {b"070701": "newc", b"070702": "crc", b"070707": "odc", b"\xc7\x71": "bin"}
_NEW, _OLD = {"newc", "crc"}, {"odc", "bin"}
_NEW_SIZE, _ODC_SIZE, _BINARY = 110, 76, struct.Struct("<13H")
_PIECE = 1 << 16  # bytes that are added up at once
_BLOCK = 512  # bytes that are written at once
_ODC_FIELDS = (6, 6, 6, 6, 6, 6, 6, 11, 6, 11)
_TYPES = {modes.S_IFREG: "file", modes.S_IFDIR: "directory", modes.S_IFLNK: "symlink", modes.S_IFIFO: "fifo"}


class ArchiveError(Exception):
    """The archive cannot be read any further."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive.

    Attributes:
        name: Its name.
        mode: Its type and permissions, as stat(2) has them.
        links, ino: The number of its names, and what those of one file have in common.
        uid, gid, mtime: Its owner, group and time.
        data: Its content, or the target of a symbolic link.
        form: The format that it was read in.
        check: The checksum that was stored with it.
        is_whole: Whether the archive does not end within its content.
        linked: In a tar archive, the name of the file that it is a further name of.
    """

    name: str
    mode: int
    ino: int = 0
    links: int = 1
    uid: int = 0
    gid: int = 0
    mtime: int = 0
    data: bytes = b""
    form: str = ""
    check: int = 0
    is_whole: bool = True
    linked: str = ""

    @property
    def kind(self) -> str:
        """Its type, as ``Stat.type`` has it."""
        return _TYPES.get(modes.S_IFMT(self.mode), "character")

    @property
    def is_link(self) -> bool:
        """Whether it is one of several names of a file whose content stands with another one."""
        return self.form in _NEW and self.kind == "file" and self.links > 1 and not self.data

    @property
    def checksum(self) -> int:
        """The sum of the bytes of its content."""
        pieces = range(0, len(self.data), _PIECE)
        return sum(sum(self.data[start : start + _PIECE]) for start in paced(pieces, _PIECE >> 5)) & 0xFFFFFFFF


def defers_content(form: str) -> bool:
    """Whether the content of a file with several names is stored once."""
    return form in _NEW


def pack(member: Member, form: str) -> bytes:
    """Write a member; ``size`` of a name counts its NUL."""
    name = member.name.encode("utf-8", "surrogateescape") + b"\0"
    data = member.data
    if form in _NEW:
        check = member.checksum if form == "crc" and member.kind == "file" else 0
        numbers = (member.ino, member.mode, member.uid, member.gid, member.links, member.mtime, len(data))
        fields = (*numbers, *bytes(4), len(name), check)
        head = (b"070702" if form == "crc" else b"070701") + "".join(f"{field & 0xFFFFFFFF:08X}" for field in fields).encode()
        return _padded(head + name, 4) + _padded(data, 4)
    small = [field & 0xFFFF for field in (0, member.ino, member.mode, member.uid, member.gid, member.links, 0)]
    if form == "odc":
        values = (*small, member.mtime, len(name), len(data))
        texts = [f"{value % 8**width:0{width}o}" for value, width in zip(values, _ODC_FIELDS, strict=True)]
        return b"070707" + "".join(texts).encode() + name + data
    halves = [*_halves(member.mtime), len(name), *_halves(len(data))]
    return _padded(_BINARY.pack(0o070707, *small, *halves) + name, 2) + _padded(data, 2)


def _halves(number: int) -> tuple[int, int]:
    return number >> 16 & 0xFFFF, number & 0xFFFF


def _padded(data: bytes, size: int) -> bytes:
    return data + bytes(-len(data) % size)


class Reader:
    """Reads the members of an archive one by one.

    Args:
        data: The archive.
        budget: Charged for time.

    Attributes:
        position: Where the next member begins; after the last one, where the trailer ends.
        trailer: Where the trailer begins.
        skipped: Bytes in front of the last member that belong to none.
    """

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._data = data
        self._budget = budget
        self.position = self.trailer = 0
        self.skipped = 0

    def members(self) -> Iterator[Member]:
        """All members up to the trailer.

        Raises:
            ArchiveError: It ends too early.
        """
        while True:
            start = self._next()
            self.skipped, self.position = start - self.position, start
            member, end = self._member(start)
            if member.name == TRAILER:
                self.trailer, self.position = start, end
                return
            self._budget.tick(20 + (len(member.data) >> 8))
            yield member
            if not member.is_whole:
                raise ArchiveError("premature end of file")
            self.position = end

    def _next(self) -> int:
        """Where the next member begins."""
        if self._data.startswith(tuple(_MAGIC), self.position):
            return self.position
        found = [at for magic in _MAGIC if (at := self._data.find(magic, self.position)) >= 0]
        self._budget.tick((len(self._data) - self.position) >> 10)
        if not found:
            raise ArchiveError("premature end of archive")
        return min(found)

    def _member(self, start: int) -> tuple[Member, int]:
        """The member at a place, and where it ends."""
        form = next(form for magic, form in _MAGIC.items() if self._data.startswith(magic, start))
        size = _NEW_SIZE if form in _NEW else _ODC_SIZE if form == "odc" else _BINARY.size
        head = self._data[start : start + size]
        if len(head) < size:
            raise ArchiveError("premature end of file")
        try:
            fields, check = _fields(head, form)
            if min(fields) < 0:
                raise ValueError(fields)
        except ValueError:
            raise ArchiveError("Malformed number") from None
        ino, mode, uid, gid, links, mtime, name_size, data_size = fields
        step = 4 if form in _NEW else 2 if form == "bin" else 1
        begin = start + size + name_size
        begin += -(begin - start) % step
        end = begin + data_size
        name = self._data[start + size : start + size + name_size].rstrip(b"\0").decode("utf-8", "surrogateescape")
        if begin > len(self._data):
            raise ArchiveError("premature end of file")
        is_whole = end <= len(self._data)
        kept = end if is_whole else begin + (len(self._data) - begin) // _BLOCK * _BLOCK
        member = Member(name, mode, ino, links, uid, gid, mtime, self._data[begin:kept], form, check, is_whole)
        return member, end + -(end - begin) % step


def _fields(head: bytes, form: str) -> tuple[tuple[int, ...], int]:
    """The numbers of a header: ino, mode, uid, gid, links, mtime, size of the name and of the content; and the checksum.

    Raises:
        ValueError: One is malformed.
    """
    if form in _NEW:
        new = [int(head[at : at + 8], 16) for at in range(6, _NEW_SIZE, 8)]
        return (*new[:6], new[11], new[6]), new[12]
    if form == "odc":
        old, at = [], 6
        for width in _ODC_FIELDS:
            old.append(int(head[at : at + width], 8))
            at += width
        return (*old[1:6], old[7], old[8], old[9]), 0
    raw = _BINARY.unpack(head)
    return (*raw[2:7], raw[8] << 16 | raw[9], raw[10], raw[11] << 16 | raw[12]), 0
