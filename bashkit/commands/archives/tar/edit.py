"""Deletes members of an archive and joins archives (GNU tar manual, 4.2.4 and 4.2.5)."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING

from bashkit.commands.archives.tar.archiver import Archiver
from bashkit.commands.archives.tar.errors import EARLY_END, TarError
from bashkit.commands.archives.tar.members import END_OF_DATA, members, open_archive
from bashkit.commands.archives.tar.reading import Chooser

if TYPE_CHECKING:
    from bashkit.commands.archives.tar.places import Request
    from bashkit.interp.utility.process import Process


class Deleter(Chooser):
    """Rewrites the archive without the named members."""

    def __init__(self, process: Process, request: Request) -> None:
        super().__init__(process, request, checked=False)
        self._excluded = []  # GNU tar deletes what is named, whatever the patterns exclude

    def run(self) -> int:
        """Delete and return the exit status."""
        data = self._original()
        kept = []
        for info, piece in pieces(self._process, data):
            if not self._selectors or self._place(info.name) is None:
                kept.append(piece)
        write(self._process, self._archive, kept, self._record)
        self._report_missing()
        return self._finish()


class Joiner(Archiver):
    """Appends the members of other archives to an archive."""

    def __init__(self, process: Process, request: Request) -> None:
        super().__init__(process, request, checked=False)

    def run(self) -> int:
        """Append and return the exit status."""
        joined: list[bytes] = []
        if self._process.fs.exists(self._process.path(self._archive)):
            joined = [piece for _, piece in pieces(self._process, self._original())]
        for name in self._arguments.operands:
            try:
                joined.extend(piece for _, piece in pieces(self._process, self._load(name)))
            except TarError as error:
                self._fail(str(error))
        write(self._process, self._archive, joined, self._record)
        return self._finish()


def pieces(process: Process, data: bytes) -> list[tuple[tarfile.TarInfo, bytes]]:
    """Every member with its bytes: headers, content and padding.

    Raises:
        TarError: This is not an archive.
    """
    found: list[tuple[tarfile.TarInfo, bytes]] = []
    try:
        with open_archive(data) as archive:
            for info in members(archive, process.budget):
                end = info.offset_data + (-(-info.size // 512) * 512 if info.isreg() else 0)
                found.append((info, data[info.offset : end]))
    except tarfile.TarError as error:
        if str(error) == END_OF_DATA:
            raise TarError(EARLY_END) from None
        if data.strip(b"\0"):
            raise TarError("This does not look like a tar archive") from None
    return found


def write(process: Process, name: str, blocks: list[bytes], record: int) -> None:
    """Write an archive of whole members, padded to a record.

    Raises:
        TarError: It cannot be written.
    """
    process.budget.string(sum(map(len, blocks)))
    data = b"".join(blocks) + bytes(1024)
    data += bytes(-len(data) % record)
    if name == "-":
        process.stdout.write(data)
        return
    try:
        process.create(name).write(data)
    except OSError as error:
        raise TarError(f"{name}: Cannot open: {error.strerror}") from None
