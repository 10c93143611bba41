"""Copy-in and copy-pass: members of an archive, or files, into a directory (cpio manual, Copy-in mode, Copy-pass mode)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import PATTERN, read_names, slurp
from bashkit.commands._filesystem.modes import letters
from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._filesystem.targets import join
from bashkit.commands._notation.quoting import mention
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.archives.cpio.creating import TYPES
from bashkit.commands.archives.cpio.formats import ArchiveError, Member, Reader
from bashkit.commands.archives.cpio.settings import CpioError, Run
from bashkit.commands.archives.cpio.tarformats import TarReader, is_tar
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_HALF_YEAR = 15778476


class _Placer(Run):
    """Puts files below a directory, and nowhere else.

    Args:
        process: The running command.
        arguments: Its command line.
        top: The directory.
    """

    def __init__(self, process: Process, arguments: Arguments, top: str) -> None:
        super().__init__(process, arguments)
        self._top = top
        self._late: list[tuple[str, Member]] = []
        self._placed: dict[int, str] = {}  # files with several names
        self._shown: dict[int, str] = {}  # their names in messages

    def _place(self, member: Member, name: str) -> bool:
        """Make a file; return whether it is there."""
        fs = self.process.fs
        path = self.process.path(join(self._top, name) if self._top else name)
        shown = join(self._top, name) if self._top else name
        parent = path.rstrip("/").rpartition("/")[0] or "/"
        try:
            if "d" in self.arguments and self._is_inside(parent):
                fs.makedirs(parent, 0o777 & ~self.process.umask)
            if not self._make_room(member, path, shown):
                return False
            self._make(member, path)
        except OSError as error:
            doing = f"{shown}: Cannot {'mkdir' if member.kind == 'directory' else 'open'}"
            if member.kind == "symlink":
                doing = f"{_text(member)}: Cannot create symlink to {mention(shown)}"
            self.fail(f"{doing}: {error.strerror}")
            return False
        return True

    def _is_inside(self, parent: str) -> bool:
        """Whether a directory is below the top when its links are followed, as far as it exists."""
        fs = self.process.fs
        if not fs.exists(self.process.path(self._top or ".")):
            return True
        while not fs.exists(parent):
            parent = parent.rpartition("/")[0] or "/"
        top, found = fs.realpath(self.process.path(self._top or ".")), fs.realpath(parent)
        return found == top or found.startswith(top.rstrip("/") + "/")

    def _make_room(self, member: Member, path: str, shown: str) -> bool:
        """Remove what is in the way; return False if it stays, or is elsewhere."""
        fs = self.process.fs
        if not self._is_inside(path.rstrip("/").rpartition("/")[0] or "/"):
            self.fail(f"{shown}: the directory is outside of the current one")
            return False
        try:
            old = fs.stat(path, follow=False)
        except OSError:
            return True
        if old.type == member.kind == "directory":
            return True
        if "u" not in self.arguments and int(old.mtime) >= member.mtime:
            self.process.warn(f"{shown} not created: newer or same age version exists")
            return False
        try:
            (fs.rmdir if old.type == "directory" else fs.unlink)(path)
        except OSError as error:
            self.fail(f"cannot remove current {shown}: {error.strerror}")
            return False
        return True

    def _make(self, member: Member, path: str) -> None:
        fs, kind = self.process.fs, member.kind
        if kind == "directory":
            if not fs.exists(path):
                fs.mkdir(path, 0o700)
            self._late.append((path, member))
        elif kind == "symlink":
            fs.symlink(_text(member), path)
        elif kind == "fifo":
            fs.mkfifo(path, member.mode & 0o7777)
        elif kind == "file":
            fs.write_file(path, member.data, member.mode & 0o7777)
            self._settle(path, member)

    def _settle(self, path: str, member: Member) -> None:
        self.process.fs.chmod(path, member.mode & 0o7777)
        if "m" in self.arguments:
            self.process.fs.utime(path, None, float(member.mtime))

    def _finish(self) -> None:
        """Set the modes and times of directories, after their last entry."""
        for path, member in reversed(self._late):
            self._settle(path, member)


class Unpacker(_Placer):
    """Unpacks or lists an archive."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        super().__init__(process, arguments, "")
        words = list(arguments.operands)
        file = arguments.get("E")
        if file is not None:
            words += read_names(process, process.open(file))
            process.hold(PATTERN * len(words))
        self._patterns = [compile_glob(word, extglob=False) for word in words]
        self._waiting: dict[int, list[Member]] = {}  # names of files whose content is still to come
        self._stripped = False

    def run(self) -> int:
        """Treat the members that are chosen; return the exit status."""
        process = self.process
        name = self.arguments.get("I") or self.arguments.get("F")
        try:
            data = slurp(process, process.stdin if name is None else process.open_file(name))
        except OSError as error:
            raise CpioError(f"Cannot open {name}: {error.strerror}") from None
        reader = TarReader(data, process.budget) if is_tar(data) else Reader(data, process.budget)
        try:
            for member in reader.members():
                self._warn_of_junk(reader.skipped)
                if self._is_chosen(member.name):
                    self._member(member)
                elif member.data and member.ino in self._waiting:
                    self._extract_waiting(member)
            self._warn_of_junk(reader.skipped)
        except ArchiveError as error:
            self.fail(str(error))
            return self.status
        for members in list(self._waiting.values()):
            self._extract_waiting(members[-1])
        self._finish()
        self.count(reader.position)
        return self.status

    def _warn_of_junk(self, size: int) -> None:
        if size:
            self.process.warn(f"warning: skipped {size} byte{'' if size == 1 else 's'} of junk")

    def _is_chosen(self, name: str) -> bool:
        if not self._patterns:
            return True
        self.process.budget.tick(len(self._patterns))
        return any(pattern.matches(name) for pattern in self._patterns) is not ("f" in self.arguments)

    def _member(self, member: Member) -> None:
        if member.form == "crc" and member.kind == "file" and not member.is_link and member.checksum != member.check:
            self.process.warn(f"{member.name}: checksum error (0x{member.checksum:x}, should be 0x{member.check:x})")
        if "t" in self.arguments:
            line = self._described(member) if "v" in self.arguments else member.name
            self.process.write(line + "\n")
        elif "to-stdout" in self.arguments:
            self.process.stdout.write(member.data if member.kind == "file" else b"")
            self.tell(member.name)
        elif member.is_link:
            self._wait(member)
        else:
            self._extract(member)
            self._extract_waiting(member)

    def _wait(self, member: Member) -> None:
        """Make a file later, when its content comes with another name of it."""
        name = self._relative(member.name)
        if self._make_room(member, self.process.path(name), name):
            self._waiting.setdefault(member.ino, []).append(member)
        else:
            self.tell(name)

    def _extract_waiting(self, member: Member) -> None:
        """Make the other names of a file, whose content is here."""
        for other in self._waiting.pop(member.ino, ()):
            self._extract(replace(other, data=member.data))

    def _extract(self, member: Member) -> None:
        """Make a file, or a further name of one that is there."""
        name = self._relative(member.name)
        several = member.links > 1 and member.kind == "file"
        first = self._placed.get(member.ino) if several else self._relative(member.linked) if member.linked else None
        if first is not None:
            self._link(first, member)
        elif self._place(member, name) and several:
            self._placed[member.ino] = name
        if member.is_whole:
            self.tell(name)

    def _link(self, first: str, member: Member) -> None:
        """Make a further name of a file that is there."""
        name = self._relative(member.name)
        if not self._place(member, name):
            return
        fs, path = self.process.fs, self.process.path(name)
        fs.unlink(path)
        try:
            fs.link(self.process.path(first), path)
        except OSError as error:
            self.fail(f"cannot link {first} to {name}: {error.strerror}")
            return
        if "v" in self.arguments:
            self.process.warn(f"{first} linked to {name}")

    def _relative(self, name: str) -> str:
        """A member's name without what would lead out of the directory."""
        parts = name.split("/")
        while ".." in parts:
            parts = parts[parts.index("..") + 1 :]
        kept = "/".join(parts).lstrip("/")
        prefix = name[: len(name) - len(kept)]
        if prefix and not self._stripped:
            self._stripped = True
            self.process.warn(f"Removing leading `{prefix}' from member names")
        return kept.rstrip("/") or "."

    def _described(self, member: Member) -> str:
        process = self.process
        numeric = "n" in self.arguments
        owner = str(member.uid) if numeric else name_of(process, member.uid)
        group = str(member.gid) if numeric else name_of(process, member.gid, group=True)
        age = process.system.now() - member.mtime
        form = "%b %e %H:%M" if 0 <= age < _HALF_YEAR else "%b %e  %Y"
        when = strftime(form, Moment.of(member.mtime, process.system.timezone(process.env.get("TZ", ""))))
        size = len(member.data)
        target = f" -> {_text(member)}" if member.kind == "symlink" else ""
        mode = letters(member.kind, member.mode & 0o7777)
        return f"{mode} {member.links:3} {owner:8} {group:8} {size:8} {when} {member.name}{target}"


class Passer(_Placer):
    """Copies files into another directory."""

    def run(self) -> int:
        """Copy the files that standard input names; return the exit status."""
        if "d" in self.arguments:
            self.process.fs.makedirs(self.process.path(self._top), 0o777 & ~self.process.umask)
        size = 0
        for name in self.listed():
            size += self._copy(name)
        self._finish()
        self.count(size)
        return self.status

    def _copy(self, name: str) -> int:
        """Copy a file; return how many bytes were copied."""
        process = self.process
        fs, path = process.fs, process.path(name)
        try:
            stat = fs.stat(path, follow="L" in self.arguments)
        except OSError as error:
            self.fail(f"{name}: Cannot stat: {error.strerror}")
            return 0
        process.budget.tick(20)
        data = b""
        if stat.type == "file":
            try:
                data = fs.read_file(path)
            except OSError as error:
                self.fail(f"{name}: Cannot open: {error.strerror}")
                return 0
        elif stat.type == "symlink":
            data = fs.readlink(path).encode("utf-8", "surrogateescape")
        member = Member(name, TYPES[stat.type] | stat.mode, stat.ino, stat.links, stat.uid, stat.gid, int(stat.mtime), data)
        target = name.lstrip("/")
        made = self._place(member, target)
        shown = join(self._top, target)
        if made and stat.type == "file":
            first = path if "l" in self.arguments else self._placed.get(stat.ino) if stat.links > 1 else None
            if first is not None:
                fs.unlink(process.path(shown))
                fs.link(first, process.path(shown))
                data = b""
                if "v" in self.arguments:
                    process.warn(f"{name if 'l' in self.arguments else self._shown[stat.ino]} linked to {shown}")
            self._placed.setdefault(stat.ino, process.path(shown))
            self._shown.setdefault(stat.ino, shown)
        if made:
            self.tell(shown)
        return len(data) if made and stat.type == "file" else 0


def _text(member: Member) -> str:
    """The content as text: a link's target."""
    return member.data.decode("utf-8", "surrogateescape")
