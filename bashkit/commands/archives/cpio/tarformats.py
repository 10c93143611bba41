"""The members of a tar archive as cpio reads and writes them: one header each, without the extensions of GNU and pax."""

from __future__ import annotations

import stat as modes
from typing import TYPE_CHECKING

from bashkit.commands.archives.cpio.formats import ArchiveError, Member

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.limits import Budget

TAR_FORMATS = ("ustar", "tar")
_BLOCK = 512
_NAME, _PREFIX, _FIELD = 100, 155, 32  # bytes of a name, of what stands before it, and of the name of an owner
_USTAR = b"ustar\0"
_SUM = slice(148, 156)
_MEMBER = 20  # microseconds to read one
_TYPES = {b"2": modes.S_IFLNK, b"3": modes.S_IFCHR, b"4": modes.S_IFCHR, b"5": modes.S_IFDIR, b"6": modes.S_IFIFO}
_FLAGS = {"file": b"0", "symlink": b"2", "character": b"3", "directory": b"5", "fifo": b"6"}


class NameTooLongError(Exception):
    """A name has no room in a header."""


def is_tar(data: bytes) -> bool:
    """Whether an archive begins with the header of a member."""
    return len(data) >= _BLOCK and data[:1] != b"\0" and _is_header(data[:_BLOCK])


def _is_header(block: bytes) -> bool:
    try:
        return _number(block[_SUM]) == _sum(block)
    except ValueError:
        return False


def _sum(block: bytes) -> int:
    return sum(block) - sum(block[_SUM]) + 8 * ord(" ")


def _number(field: bytes) -> int:
    return int(field.strip(b"\0 ") or b"0", 8)


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "surrogateescape")


class TarReader:
    """Reads the members of an archive one by one; the attributes are those of ``Reader``.

    Args:
        data: The archive.
        budget: Charged for time.
    """

    def __init__(self, data: bytes, budget: Budget) -> None:
        self._data = data
        self._budget = budget
        self.position = self.trailer = 0
        self.skipped = 0

    def members(self) -> Iterator[Member]:
        """All members up to the first empty block.

        Raises:
            ArchiveError: It ends too early, or a header is damaged.
        """
        while True:
            head = self._data[self.position : self.position + _BLOCK]
            if len(head) < _BLOCK:
                raise ArchiveError("premature end of file")
            start = self.position + _BLOCK
            if not head.strip(b"\0"):
                self.trailer, self.position = self.position, start
                return
            if not _is_header(head):
                raise ArchiveError("invalid header: checksum error")
            member, size = self._member(head, start)
            self._budget.tick(_MEMBER + (size >> 8))
            yield member
            if not member.is_whole:
                raise ArchiveError("premature end of file")
            self.position = start + -(-size // _BLOCK) * _BLOCK

    def _member(self, head: bytes, start: int) -> tuple[Member, int]:
        """The member of a header, and the size of what follows that."""
        try:
            mode, uid, gid = (_number(head[at : at + 8]) for at in (100, 108, 116))
            size, mtime = (_number(head[at : at + 12]) for at in (124, 136))
        except ValueError:
            raise ArchiveError("Malformed number") from None
        name, flag, link = _text(head[:100]), head[156:157], _text(head[157:257])
        if head[257:263] == _USTAR and (prefix := _text(head[345:500])):
            name = f"{prefix}/{name}"
        kind = _TYPES.get(flag, modes.S_IFREG)
        size = 0 if kind != modes.S_IFREG or flag == b"1" else max(size, 0)
        data = self._data[start : start + size]
        is_whole = len(data) == size
        if kind == modes.S_IFLNK:
            data = link.encode("utf-8", "surrogateescape")
        linked = link if flag == b"1" else ""
        return Member(name, kind | mode & 0o7777, 0, 1, uid, gid, mtime, data, "tar", 0, is_whole, linked), size


def pack_tar(member: Member, form: str, owner: str, group: str) -> bytes:
    """Write a member; one with ``linked`` is a further name of a file.

    Raises:
        NameTooLongError: Its name, or that of what it links to, has no room.
    """
    name = member.name.encode("utf-8", "surrogateescape") + b"/" * (member.kind == "directory" and member.name[-1:] != "/")
    prefix, name = _parted(name, form)
    link, data = member.linked.encode("utf-8", "surrogateescape"), member.data
    if member.kind == "symlink":
        link, data = data, b""
    if len(link) > _NAME:
        raise NameTooLongError
    fields = b"".join(b"%07o\0" % (value & 0o7777777) for value in (member.mode & 0o7777, member.uid, member.gid))
    fields += b"%011o\0%011o\0" % (len(data), max(member.mtime, 0))
    head = bytearray(name.ljust(_NAME, b"\0") + fields + bytes(8))
    head += (b"1" if member.linked else _FLAGS[member.kind]) + link.ljust(_NAME, b"\0")
    if form == "ustar":
        names = [text.encode("utf-8", "surrogateescape")[: _FIELD - 1].ljust(_FIELD, b"\0") for text in (owner, group)]
        head += _USTAR + b"00" + b"".join(names) + bytes(16) + prefix
    head = head.ljust(_BLOCK, b"\0")
    head[_SUM] = b"%07o\0" % _sum(bytes(head))
    return bytes(head) + data + bytes(-len(data) % _BLOCK)


def _parted(name: bytes, form: str) -> tuple[bytes, bytes]:
    """A name in two: what stands before it, and itself, which are divided by a slash."""
    if len(name) <= _NAME:
        return b"", name
    place = name.find(b"/", max(len(name) - _NAME - 1, 1), -1)
    if form != "ustar" or not 0 < place <= _PREFIX:
        raise NameTooLongError
    return name[:place], name[place + 1 :]


def tar_end() -> bytes:
    """What ends an archive."""
    return bytes(2 * _BLOCK)
