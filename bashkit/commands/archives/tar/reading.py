"""Iterates over the selected members of an archive (GNU tar manual, 6 Choosing Files)."""

from __future__ import annotations

import tarfile
from abc import abstractmethod
from typing import TYPE_CHECKING

from bashkit.commands._notation.counts import clamped, is_count
from bashkit.commands.archives.tar.archiver import Archiver
from bashkit.commands.archives.tar.errors import EARLY_END, HINT, TarError
from bashkit.commands.archives.tar.labels import check_label, label_of
from bashkit.commands.archives.tar.members import END_OF_DATA, members, next_header, open_archive
from bashkit.commands.archives.tar.places import Place
from bashkit.commands.archives.tar.selection import has_wildcards, inclusion

if TYPE_CHECKING:
    from bashkit.commands.archives.tar.places import Request
    from bashkit.interp.utility.process import Process

_NO_ARCHIVE = "This does not look like a tar archive"


class Chooser(Archiver):
    """Decides which members of an archive are selected.

    Args:
        process: The running command.
        request: The command line.
        checked: Whether the directories of ``-C`` must exist.
    """

    def __init__(self, process: Process, request: Request, *, checked: bool) -> None:
        super().__init__(process, request, checked=checked)
        start = self._arguments.get("K")
        if start is not None:
            self._names.places.append(Place(self._names.directory, start))
        self._selectors = [(place, inclusion(request.arguments, place.name)) for place in self._names.places]
        self._occurrence = self._number("occurrence", "Invalid number") if "occurrence" in self._arguments else 0
        if self._occurrence and not self._selectors:
            raise TarError("--occurrence is meaningless without a file list" + HINT, fatal=False)
        self._matched = [0] * len(self._selectors)

    def _number(self, key: str, complaint: str) -> int:
        text = self._arguments.get(key) or "1"
        if not is_count(text):
            raise TarError(f"{text}: {complaint}")
        return clamped(text)

    def _place(self, name: str) -> str | None:
        """The directory of a member's operand; None if the member is not selected."""
        if not self._selectors:
            return None if self._is_excluded(name) else self._names.directory
        self._process.budget.tick(len(self._selectors) * (1 + name.count("/")))
        for index, (place, selector) in enumerate(self._selectors):
            if selector.matches(name):
                inside = name.rstrip("/").startswith(place.name.rstrip("/") + "/")
                self._matched[index] += not (inside and self._matched[index])  # what is in a directory is no occurrence of it
                wanted = self._occurrence in {0, self._matched[index]} and not self._is_excluded(name)
                return place.directory if wanted else None
        return None

    def _report_missing(self) -> None:
        least = max(1, self._occurrence)
        counts = zip(self._names.places, self._matched, strict=True)
        missing = [(place.name, count) for place, count in counts if count < least]
        warned = any(key in self._arguments for key in ("wildcards", "no-wildcards"))
        for name, count in missing:
            if not warned and has_wildcards(name):
                self._warn_of_wildcards()
            self._fail(f"{self._quoted(name)}: {'Required occurrence not found' if count else 'Not found'} in archive")


class Reader(Chooser):
    """Processes the selected members of an archive one by one."""

    def __init__(self, process: Process, request: Request, *, checked: bool) -> None:
        super().__init__(process, request, checked=checked)
        self._strip = clamped(self._arguments.get("strip-components") or "0")
        self._first = self._arguments.get("K")  # the member that is waited for

    def _without_leading(self, name: str) -> str:
        """A name without the leading parts that ``--strip-components`` removes; empty if nothing is left."""
        return "/".join([part for part in name.split("/") if part][self._strip :]) if self._strip else name

    def run(self) -> int:
        """Read the archive and return the exit status."""
        data, end = self._load(self._archive), 0
        if len(data) < tarfile.BLOCKSIZE and not self._compressed:  # not even an empty archive
            self._fail(_NO_ARCHIVE)
        else:
            end = self._read(data)
            self._end(end)
        if "i" not in self._arguments:
            self._report_lone_zeros(data, end)
        self._report_missing()
        self._totals("read", len(data))
        return self._finish()

    def _read(self, data: bytes) -> int:
        """Process the members, and return where they end; what is no header between them is skipped."""
        begin, size = 0, tarfile.BLOCKSIZE
        while True:
            end = self._read_members(data, begin)
            block = data[end : end + size]
            begin = end + size
            if len(block) < size:
                return end
            if block.strip(b"\0"):
                malformed = next_header(data, end, self._process.budget) == end
                if malformed or not end:
                    self._fail(_NO_ARCHIVE)
                if malformed:
                    return end
                self._fail("Skipping to next header")
                begin = next_header(data, begin, self._process.budget)
            elif "i" in self._arguments:
                self._process.budget.tick(100)
            else:
                return end

    def _read_members(self, data: bytes, begin: int) -> int:
        """Process the members from ``begin`` on, and return where something else stands.

        Raises:
            TarError: The archive ends within a member.
        """
        end = begin
        try:
            with open_archive(data, begin) as archive:
                for info in members(archive, self._process.budget):
                    if not end:
                        check_label(label_of(archive, info), self._arguments)
                    end = archive.offset
                    if self._first is None or info.name == self._first:
                        self._first = None
                        self._consider(archive, info)
                return archive.offset
        except tarfile.TarError as error:
            if str(error) == END_OF_DATA:
                raise TarError(EARLY_END) from None
            return end

    def _report_lone_zeros(self, data: bytes, end: int) -> None:
        """Warn where an archive ends with one block of zeros, not with two."""
        size = tarfile.BLOCKSIZE
        block, following = data[end : end + size], data[end + size : end + 2 * size]
        if block and not block.strip(b"\0") and (len(following) < size or following.strip(b"\0")):
            self._process.warn(f"A lone zero block at {end // size + 1}")

    def _consider(self, archive: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        place = self._place(info.name)
        if place is not None:
            self._member(archive, info, place)
        elif info.isdir() and "show-omitted-dirs" in self._arguments:
            self._process.warn(f"{info.name}: Omitting")

    @abstractmethod
    def _member(self, archive: tarfile.TarFile, info: tarfile.TarInfo, directory: str) -> None:
        """Process one member; ``directory`` is that of its operand."""

    def _end(self, offset: int) -> None:
        """Finish after the last member; the archive ends at ``offset``."""
        if "R" in self._arguments:
            self._tell("** Block of NULs **", offset, to_stderr=False)
