"""Headers of members as GNU tar writes them, where Python's differ (GNU tar manual, Basic Tar Format)."""

from __future__ import annotations

import tarfile
from typing import Literal

_LONG = b"././@LongLink\0"  # the name of a member that has the long name of the next
_MODE, _SIZE, _CHECKSUM, _UNAME, _GNAME = slice(100, 108), slice(124, 136), slice(148, 156), slice(265, 297), slice(297, 329)
_OWNER = b"root".ljust(32, b"\0")
_LIMITS = (("uid", "uid_t", 0o7777777), ("gid", "gid_t", 0o7777777), ("mtime", "time_t", 0o77777777777))


class Member(tarfile.TarInfo):
    """A member whose long names stand in members that are root's, unless owners are numbers.

    Args:
        name: Its name in the archive.
        numeric: Leave the names of owners out.
    """

    def __init__(self, name: str, *, numeric: bool = False) -> None:
        super().__init__(name)
        self._numeric = numeric

    def tobuf(
        self,
        format: Literal[0, 1, 2] | None = tarfile.GNU_FORMAT,  # noqa: A002 - tarfile's own name
        encoding: str | None = "utf-8",
        errors: str = "surrogateescape",
    ) -> bytes:
        """Its header, with the members for long names before it.

        Raises:
            ValueError: A name or a number has no room in this format.
        """
        written = bytearray(super().tobuf(format, encoding, errors))
        start = 0
        while written.startswith(_LONG, start):
            header = written[start : start + tarfile.BLOCKSIZE]
            header[_MODE] = b"0000644\0"
            if not self._numeric:
                header[_UNAME] = header[_GNAME] = _OWNER
            header[_CHECKSUM] = b" " * 8
            header[_CHECKSUM] = b"%06o\0 " % sum(header)
            written[start : start + tarfile.BLOCKSIZE] = header
            size = int(header[_SIZE].rstrip(b"\0"), 8)
            start += tarfile.BLOCKSIZE * (1 + -(-size // tarfile.BLOCKSIZE))
        return bytes(written)

    def misfit(self, name: str, reason: str) -> str:
        """What is said of a file that has no room in the format, for the ``reason`` that Python gives."""
        for field, kind, most in _LIMITS:
            if not 0 <= getattr(self, field) <= most and "number" in reason:
                return f"value {int(getattr(self, field))} out of {kind} range 0..{most}"
        if reason.startswith("link"):
            return f"{self.linkname}: link name is too long; not dumped"
        return f"{name}: file name is too long (cannot be split); not dumped"
