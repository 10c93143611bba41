"""Lists, unpacks and compares archives (GNU tar manual, 4.2.1 Operations of tar)."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.commands._filesystem import backups
from bashkit.commands._filesystem.targets import join
from bashkit.commands._filesystem.trees import remove
from bashkit.commands._notation.quoting import mention
from bashkit.commands.archives.tar.archiver import LABEL_TYPE, shown_name
from bashkit.commands.archives.tar.errors import EARLY_END, HINT, TarError
from bashkit.commands.archives.tar.members import content
from bashkit.commands.archives.tar.reading import Reader
from bashkit.fs import BytesStream
from bashkit.interp.state.calls import ROOT_PID
from bashkit.interp.utility.command import Arguments

if TYPE_CHECKING:
    import tarfile

    from bashkit.commands.archives.tar.places import Request
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_HEADER = 512  # bytes, which have been read when a member is told of
_SIGNALLED = 128  # a higher status contains the signal
_ENDINGS = (".tar", ".taz", ".tgz", ".tbz", ".tbz2", ".tlz", ".txz", ".gz", ".bz2", ".xz")


class Lister(Reader):
    """Lists an archive."""

    def __init__(self, process: Process, request: Request) -> None:
        super().__init__(process, request, checked=False)

    def _member(self, archive: tarfile.TarFile, info: tarfile.TarInfo, directory: str) -> None:
        del archive, directory
        transformed = "show-transformed-names" in self._arguments
        name, target = info.name, info.linkname
        if transformed:
            name, target = self._changed(name, "r"), self._changed(target, "s" if info.issym() else "h") if target else ""
        within = self._relative(name), self._relative(target, "hard link targets") if info.islnk() else target
        if transformed:
            name, info.linkname = (
                self._without_leading(within[0]),
                self._without_leading(within[1]) if info.islnk() else within[1],
            )
        self._tell(
            self._describe(info, name) if self._verbosity else self._quoted(shown_name(info, name)), info.offset, to_stderr=False
        )


def _leads_out(link: str) -> bool:
    return link.startswith("/") or ".." in link.split("/")


class Extractor(Reader):
    """Unpacks an archive."""

    def __init__(self, process: Process, request: Request) -> None:
        super().__init__(process, request, checked=True)
        self._top = self._top_level()
        self._late: list[tuple[str, tarfile.TarInfo]] = []
        self._leaves = "k" in self._arguments or "skip-old-files" in self._arguments
        self._kept_modes: dict[str, int] = {}  # of directories that were there (--no-overwrite-dir)
        self._children = 0
        # Other utilities call it -S, which is --sparse in tar.
        self._backups = Arguments(
            [("S" if key == "suffix" else key, text) for key, text in self._arguments.given if key != "b"], []
        )

    def run(self) -> int:
        """Unpack and return the exit status."""
        status = super().run()
        for target, info in reversed(self._late):
            self._settle(target, info)
        return status

    def _top_level(self) -> str:
        """``--one-top-level``: the directory for all members, by default named like the archive."""
        if "one-top-level" not in self._arguments:
            return ""
        name = self._arguments.get("one-top-level")
        if name is not None:
            return name
        base = self._archive.rpartition("/")[2]
        kept = base
        for ending in _ENDINGS:
            kept = kept.removesuffix(ending) if kept != ending else kept
        kept = kept.removesuffix(".tar")
        if kept == base or not kept:
            raise TarError(
                "Cannot deduce top-level directory name; please set it explicitly with --one-top-level=DIR" + HINT, fatal=False
            )
        return kept

    def _target(self, info: tarfile.TarInfo) -> str | None:
        """The name under which a member is unpacked; None if nothing of it remains."""
        name = self._without_leading(self._relative(self._changed(info.name, "r")))
        if not name:
            return None
        inside = name == self._top or name.startswith(self._top + "/")
        return join(self._top, name.removeprefix("./")) if self._top and not inside else name

    def _member(self, archive: tarfile.TarFile, info: tarfile.TarInfo, directory: str) -> None:
        name = self._target(info)
        if name is None:
            return
        if "P" not in self._arguments and ".." in info.name.split("/"):
            self._fail(f"{shown_name(info)}: Member name contains '..'")
            return
        if self._verbosity:
            shown = name if "show-transformed-names" in self._arguments else info.name
            text = self._describe(info, shown) if self._verbosity > 1 else self._quoted(shown_name(info, shown))
            self._tell(text, info.offset + _HEADER, to_stderr="O" in self._arguments)
        if info.type == LABEL_TYPE:
            return
        data = content(archive, info, self._process.budget) if info.isreg() else b""
        if info.isreg() and len(data) < info.size:
            self._process.warn(EARLY_END)
        if "to-command" in self._arguments:
            if info.isreg():
                self._pass_on(info, name, data)
            return
        if "O" in self._arguments:
            self._process.stdout.write(data)
            return
        try:
            self._unpack(directory, name, info, data)
        except OSError as error:
            doing = "mkdir" if info.isdir() else "open"
            if info.issym() and (
                "P" in self._arguments or not _leads_out(info.linkname)
            ):  # others are files first, until everything is unpacked
                doing = f"create symlink to {mention(info.linkname)}"
            self._fail(f"{name}: Cannot {doing}: {error.strerror}")

    def _pass_on(self, info: tarfile.TarInfo, name: str, data: bytes) -> None:
        """``--to-command``: pass a member's content to a command, with its metadata in the environment."""
        process = self._process
        environment = {
            **process.environment(),
            "TAR_ARCHIVE": self._archive,
            "TAR_BLOCKING_FACTOR": str(self._record // 512),
            "TAR_FILENAME": name,
            "TAR_FILETYPE": "f",
            "TAR_FORMAT": "posix" if info.pax_headers else "gnu",
            "TAR_GID": str(info.gid),
            "TAR_GNAME": info.gname,
            "TAR_MODE": f"{info.mode & 0o7777:04o}",
            "TAR_MTIME": str(int(info.mtime)),
            "TAR_REALNAME": info.name,
            "TAR_SIZE": str(info.size),
            "TAR_UID": str(info.uid),
            "TAR_UNAME": info.uname,
            "TAR_VERSION": "1.34",
        }
        words = ["sh", "-c", self._arguments.get("to-command") or ""]
        status = process.launcher.run(words, env=environment, stdin=BytesStream(data))
        self._children += 1
        child = ROOT_PID + self._children
        if status > _SIGNALLED:
            process.warn(f"{child}: Child terminated on signal {status - _SIGNALLED}")
        elif status and self._arguments.last("ignore-command-error", "no-ignore-command-error") != "ignore-command-error":
            self._fail(f"{child}: Child returned status {status}")

    def _unpack(self, directory: str, name: str, info: tarfile.TarInfo, data: bytes) -> None:
        fs = self._process.fs
        target = self._within(directory, name).rstrip("/") or "/"
        fs.makedirs(target.rpartition("/")[0], 0o777 & ~self._process.umask)
        try:
            old: Stat | None = fs.stat(target, follow=False)
        except FileNotFoundError:
            old = None
        if info.isdir():
            if old is not None and not self._is_directory(target, old) and self._make_room(name, target, info, old):
                old = None
            elif old is not None and "skip-old-files" in self._arguments:
                self._skip(name)
            elif old is not None and "U" in self._arguments:
                if not self._empty(name.rstrip("/"), target):
                    return
                old = None
            if old is None:
                fs.mkdir(target, 0o700 | self._mode(info))
            elif "no-overwrite-dir" in self._arguments:
                self._kept_modes[target] = old.mode
            if old is None or not self._leaves:
                self._late.append((target, info))
            return
        original = self._linked_file(info) if info.islnk() else ""
        if original and not fs.exists(self._within(directory, original)):
            self._fail(f"{name}: Cannot hard link to {mention(original)}: {os.strerror(errno.ENOENT)}")
            return
        if old is not None and (self._is(old, directory, original) or not self._make_room(name, target, info, old)):
            return
        if info.issym():
            fs.symlink(self._changed(info.linkname, "s"), target)
            if "m" not in self._arguments:
                fs.utime(target, None, float(info.mtime), follow=False)
        elif info.islnk():
            self._link(directory, name, target, original)
        elif info.isfifo():
            fs.mkfifo(target, self._mode(info))
        elif info.isreg():
            fs.write_file(target, data, self._mode(info))
            self._settle(target, info)

    def _is_directory(self, target: str, old: Stat) -> bool:
        """Whether the entries of a directory can be unpacked into a file that exists."""
        followed = old.type == "symlink" and self._arguments.last("k", "keep-directory-symlink") is not None
        return self._process.fs.is_directory(target) if followed else old.type == "directory"

    def _make_room(self, name: str, target: str, info: tarfile.TarInfo, old: Stat) -> bool:
        """Remove a file that is in the way; return False if it must stay."""
        fs = self._process.fs
        if "skip-old-files" in self._arguments:
            self._skip(name)
            return False
        if "k" in self._arguments:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
        if "keep-newer-files" in self._arguments and old.mtime >= info.mtime:
            self._process.warn(f"Current {mention(name)} is newer or same age")
            return False
        kept = backups.backup_name(self._process, self._backups, target)
        if kept is not None and old.type != "directory":
            fs.rename(target, kept)
            if self._verbosity:
                shown = name.rpartition("/")[0]
                backup = kept.rpartition("/")[2]
                self._process.write(f"Renaming {mention(name)} to {mention(f'{shown}/{backup}' if shown else backup)}\n")
        elif old.type == "directory":
            return self._empty(name, target)
        elif not (old.type == "file" and info.isreg() and "overwrite" in self._arguments):
            try:
                fs.unlink(target)
            except OSError:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        return True

    def _skip(self, name: str) -> None:
        if self._verbosity:
            self._process.warn(f"{name.rstrip('/')}: skipping existing file")

    def _empty(self, name: str, target: str) -> bool:
        """Remove a directory that is in the way; return False if it must stay."""
        fs = self._process.fs
        if "recursive-unlink" in self._arguments:
            remove(self._process, target)
            return True
        if "overwrite" in self._arguments:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        try:
            fs.rmdir(target)
        except OSError as error:
            if "U" not in self._arguments:
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            self._fail(f"{name}: Cannot unlink: {error.strerror}")
            return False
        return True

    def _linked_file(self, info: tarfile.TarInfo) -> str:
        """The file that a hard link is to."""
        return self._without_leading(self._relative(self._changed(info.linkname, "h"), "hard link targets"))

    def _is(self, old: Stat, directory: str, original: str) -> bool:
        """Whether a file is that which a hard link is to, as where an archive has a file twice."""
        try:
            return bool(original) and self._process.fs.stat(self._within(directory, original), follow=False).ino == old.ino
        except OSError:
            return False

    def _within(self, directory: str, name: str) -> str:
        return self._process.path(join(directory, name) if directory else name)

    def _link(self, directory: str, name: str, target: str, original: str) -> None:
        try:
            self._process.fs.link(self._within(directory, original), target)
        except OSError as error:
            self._fail(f"{name}: Cannot hard link to {mention(original)}: {error.strerror}")

    def _mode(self, info: tarfile.TarInfo) -> int:
        return info.mode & 0o7777 if "p" in self._arguments else info.mode & 0o777 & ~self._process.umask

    def _settle(self, target: str, info: tarfile.TarInfo) -> None:
        """Set mode and time; of directories only after their last entry."""
        self._process.budget.tick(20 + (len(target) >> 3))
        self._process.fs.chmod(target, self._kept_modes.get(target, self._mode(info)))
        if "m" not in self._arguments:
            self._process.fs.utime(target, None, float(info.mtime))


class Comparer(Reader):
    """Reports differences between an archive and the files; the status is then 1."""

    def __init__(self, process: Process, request: Request) -> None:
        super().__init__(process, request, checked=True)

    def _member(self, archive: tarfile.TarFile, info: tarfile.TarInfo, directory: str) -> None:
        if info.type == LABEL_TYPE:
            return
        name = self._changed(info.name, "r").rstrip("/")
        if self._verbosity:
            self._tell(self._quoted(shown_name(info)), info.offset + _HEADER, to_stderr=False)
        fs, path = self._process.fs, self._process.path(join(directory, name) if directory else name)
        try:
            stat = fs.stat(path, follow="h" in self._arguments)
        except OSError as error:
            self._fail(f"{name}: Warning: Cannot {'readlink' if info.issym() else 'stat'}: {error.strerror}", 1)
            return
        if info.islnk():
            differences = self._other_link(join(directory, info.linkname) if directory else info.linkname, stat)
        else:
            differences = self._differences(archive, info, path, stat)
        for difference in differences:
            self.status = max(self.status, 1)
            self._process.write(f"{self._quoted(name)}: {difference}\n")

    def _other_link(self, original: str, stat: Stat) -> list[str]:
        try:
            ino = self._process.fs.stat(self._process.path(original), follow=False).ino
        except OSError as error:
            self._fail(f"{original}: Warning: Cannot stat: {error.strerror}", 1)
            return []
        return [] if ino == stat.ino else [f"Not linked to {self._quoted(original)}"]

    def _differences(self, archive: tarfile.TarFile, info: tarfile.TarInfo, path: str, stat: Stat) -> list[str]:
        kind = "directory" if info.isdir() else "symlink" if info.issym() else "fifo" if info.isfifo() else "file"
        if stat.type != kind:
            return ["File type differs"]
        if kind == "symlink":
            return [] if self._process.fs.readlink(path) == info.linkname else ["Symlink differs"]
        checks = {
            "Mode differs": stat.mode & 0o7777 != info.mode & 0o7777,
            "Uid differs": kind == "file" and stat.uid != info.uid,
            "Gid differs": kind == "file" and stat.gid != info.gid,
            "Mod time differs": kind == "file" and int(stat.mtime) != int(info.mtime),
            "Size differs": kind == "file" and stat.size != info.size,
        }
        found = [text for text, differs in checks.items() if differs]
        if kind == "file" and "Size differs" not in found:
            if content(archive, info, self._process.budget) != self._process.fs.read_file(path):
                found.append("Contents differ")
        return found
