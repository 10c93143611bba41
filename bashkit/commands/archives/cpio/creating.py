"""Copy-out: files into an archive (cpio manual, Copy-out mode)."""

from __future__ import annotations

import re
import stat as modes
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import slurp
from bashkit.commands._filesystem.owners import name_of, number_of
from bashkit.commands.archives.cpio.formats import FORMATS, TRAILER, ArchiveError, Member, Reader, defers_content, pack
from bashkit.commands.archives.cpio.settings import CpioError, Run
from bashkit.commands.archives.cpio.tarformats import TAR_FORMATS, NameTooLongError, TarReader, is_tar, pack_tar, tar_end

if TYPE_CHECKING:
    from bashkit.fs import Stat
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

TYPES = {
    "file": modes.S_IFREG,
    "directory": modes.S_IFDIR,
    "symlink": modes.S_IFLNK,
    "fifo": modes.S_IFIFO,
    "character": modes.S_IFCHR,
}

_MEMBER = 100  # microseconds to add a member


class Creator(Run):
    """Writes an archive."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        super().__init__(process, arguments)
        form = arguments.get("H") or ("odc" if "c" in arguments else "bin")
        self._form = form.lower()
        if self._form not in {*FORMATS, *TAR_FORMATS}:
            known = " ".join((*FORMATS, *TAR_FORMATS)) + " (all-caps also recognized)"
            raise CpioError(f"invalid archive format `{form}'; valid formats are:\n{known}", hint=True)
        self._owner = _owner(process, arguments.get("R") or "")
        self._archive = arguments.get("O") or arguments.get("F")
        self._pieces: list[bytes] = []
        self._size = 0
        self._names_of: dict[int, list[Member]] = {}  # files with several names, of which some are still to come
        self._numbers: dict[int, int] = {}
        self._first_names: dict[int, str] = {}  # of the files in a tar archive that have several

    def run(self) -> int:
        """Write the archive and return the exit status."""
        if "A" in self.arguments:
            self._keep(self._original())
        before = self._size
        for name in self.listed():
            self._add(name)
        for members in list(self._names_of.values()):
            self._release(members)
        self._keep(tar_end() if self._form in TAR_FORMATS else pack(Member(TRAILER, 0), self._form))
        self._keep(bytes(-self._size % self.block))
        data = b"".join(self._pieces)
        if self._archive is None:
            self.process.stdout.write(data)
        else:
            try:
                output = self.process.create(self._archive)
            except OSError as error:
                raise CpioError(f"Cannot open {self._archive}: {error.strerror}") from None
            output.write(data)
            self.process.close(output)
        self.count(self._size - before)
        return self.status

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        self.process.hold(len(piece))
        self.process.budget.string(self._size)
        self._pieces.append(piece)

    def _original(self) -> bytes:
        """The archive to append to, without its trailer."""
        if self._archive is None:
            raise CpioError("--append is used but no archive file name is given (use -F or -O options)", hint=True)
        try:
            data = slurp(self.process, self.process.open_file(self._archive))
        except OSError as error:
            raise CpioError(f"Cannot open {self._archive}: {error.strerror}") from None
        reader = TarReader(data, self.process.budget) if is_tar(data) else Reader(data, self.process.budget)
        try:
            for _ in reader.members():
                pass
        except ArchiveError as error:
            raise CpioError(str(error)) from None
        return data[: reader.trailer]

    def _add(self, name: str) -> None:
        self.process.budget.tick(_MEMBER)
        fs, path = self.process.fs, self.process.path(name)
        try:
            stat = fs.stat(path, follow="L" in self.arguments)
        except OSError as error:
            self.fail(f"{name}: Cannot stat: {error.strerror}")
            return
        data = b""
        if stat.type == "file":
            try:
                data = fs.read_file(path)
            except OSError as error:
                self.fail(f"{name}: Cannot open: {error.strerror}")
                return
        elif stat.type == "symlink":
            data = fs.readlink(path).encode("utf-8", "surrogateescape")
        member = self._member(re.sub(r"^(\./+)+(?=.)", "", name), stat, data)
        if self._form in TAR_FORMATS:
            if not self._add_to_tar(member, stat):
                return
        elif stat.type == "file" and stat.links > 1 and defers_content(self._form):
            members = self._names_of.setdefault(stat.ino, [])
            members.append(member)
            if len(members) == stat.links:
                self._release(members)
                del self._names_of[stat.ino]
        else:
            self._keep(pack(member, self._form))
        self.tell(name)

    def _add_to_tar(self, member: Member, stat: Stat) -> bool:
        """Write a member of a tar archive; return False if it has no place there."""
        if self._form == "tar" and member.kind not in {"file", "directory", "symlink"}:
            self.process.warn(f"{member.name} not dumped: not a regular file")
            return False
        if stat.type == "file" and stat.links > 1:
            first = self._first_names.setdefault(stat.ino, member.name)
            if first != member.name:
                member = replace(member, data=b"", linked=first)
        owner, group = name_of(self.process, member.uid), name_of(self.process, member.gid, group=True)
        try:
            self._keep(pack_tar(member, self._form, owner, group))
        except NameTooLongError:
            self.process.warn(f"{member.name}{'/' * (member.kind == 'directory')}: file name too long")
            return False
        return True

    def _release(self, members: list[Member]) -> None:
        """Write the names of one file, its content with the last."""
        for member in members[:-1]:
            self._keep(pack(replace(member, data=b""), self._form))
        self._keep(pack(members[-1], self._form))

    def _member(self, name: str, stat: Stat, data: bytes) -> Member:
        number = self._numbers.setdefault(stat.ino, len(self._numbers) + 1)
        uid, gid = (old if new is None else new for old, new in zip((stat.uid, stat.gid), self._owner, strict=True))
        return Member(name, TYPES[stat.type] | stat.mode, number, stat.links, uid, gid, int(stat.mtime), data)


def _owner(process: Process, text: str) -> tuple[int | None, int | None]:
    """The user and the group of ``-R``; None for those that stay. ``root:`` means the group of root, too.

    Raises:
        CpioError: There is no such user or group.
    """
    separator = ":" if ":" in text else "."
    user, given, group = text.partition(separator)
    uid = number_of(process, user) if user else None
    gid = number_of(process, group, group=True) if group else None
    for name, number, what in ((user, uid, "user"), (group, gid, "group")):
        if name and number is None:
            raise CpioError(f"{text}: invalid {what}", hint=True)
    return uid, uid if given and not group else gid
