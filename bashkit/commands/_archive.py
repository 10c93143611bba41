"""Archives in the ustar, GNU and pax formats, between their bytes and the virtual file system."""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING

from bashkit.commands._compression import CorruptError, compress, expand, kind_of
from bashkit.commands._dates import parse_date
from bashkit.commands._modes import letters
from bashkit.commands._owners import name_of
from bashkit.commands._strftime import Moment, strftime
from bashkit.commands._targets import join
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.fs import Stat
    from bashkit.interp.command import Arguments
    from bashkit.interp.process import Process
    from bashkit.regex.glob import GlobMatcher

_COMPRESSORS = {"z": "gzip", "j": "bzip2", "J": "xz"}
_SUFFIXES = {".gz": "gzip", ".tgz": "gzip", ".taz": "gzip", ".bz2": "bzip2", ".tbz": "bzip2", ".tbz2": "bzip2", ".xz": "xz", ".txz": "xz"}
_FORMATS = {"gnu": tarfile.GNU_FORMAT, "oldgnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT, "posix": tarfile.PAX_FORMAT,
            "ustar": tarfile.USTAR_FORMAT, "v7": tarfile.USTAR_FORMAT}  # fmt: skip
_TYPES = {"file": tarfile.REGTYPE, "directory": tarfile.DIRTYPE, "symlink": tarfile.SYMTYPE, "fifo": tarfile.FIFOTYPE, "character": tarfile.CHRTYPE}
_KINDS = {tarfile.DIRTYPE: "directory", tarfile.SYMTYPE: "symlink", tarfile.FIFOTYPE: "fifo", tarfile.CHRTYPE: "character"}


class TarError(Exception):
    """The archive cannot be treated.

    Args:
        message: Without the command's name.
        fatal: Whether to add that nothing can be done about it.
    """

    def __init__(self, message: str, *, fatal: bool = True) -> None:
        super().__init__(message)
        self.fatal = fatal


class _Archiver:
    """What making and unpacking have in common."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._verbosity = sum(key == "v" for key, _ in arguments.given)
        self._archive = arguments.get("f", "-") or "-"
        self._excluded = [self._glob(pattern) for pattern in self._excluding_patterns()]
        self._stripped: set[str] = set()
        self.status = 0

    def _glob(self, pattern: str) -> GlobMatcher:
        return compile_glob(pattern.rstrip("/"), extglob=False)

    def _excluding_patterns(self) -> list[str]:
        patterns = self._arguments.all("exclude")
        for file in self._arguments.all("X"):
            patterns.extend(self._lines(file))
        return patterns

    def _lines(self, file: str) -> list[str]:
        try:
            data = self._process.open(file).read_all()
        except OSError as error:
            raise TarError(f"{file}: Cannot open: {error.strerror}") from None
        return [line for line in data.decode("utf-8", "surrogateescape").splitlines() if line]

    def _names(self) -> list[str]:
        names = list(self._arguments.operands)
        for file in self._arguments.all("T"):
            names.extend(self._lines(file))
        return names

    def _is_excluded(self, name: str) -> bool:
        """Whether a pattern matches the name, or the end of it that begins after a slash."""
        if not self._excluded:
            return False
        parts = name.rstrip("/").split("/")
        tails = ["/".join(parts[index:]) for index in range(len(parts))]
        self._process.budget.tick(len(tails) * len(self._excluded))
        return any(glob.matches(tail) for glob in self._excluded for tail in tails)

    def _fail(self, message: str) -> None:
        self._process.warn(message)
        self.status = 2

    def _tell(self, text: str, *, to_stderr: bool) -> None:
        stream = self._process.stderr if to_stderr else self._process.stdout
        stream.write((text + "\n").encode("utf-8", "surrogateescape"))

    def _relative(self, name: str, what: str = "member names") -> str:
        """A name without what would lead out of the directory it is unpacked in."""
        if "P" in self._arguments:
            return name
        parts = name.split("/")
        cut = len(parts) - next((i for i, part in enumerate(reversed(parts)) if part == ".."), len(parts)) if ".." in parts else 0
        kept = "/".join(parts[cut:]) if cut else name
        result = kept.lstrip("/")
        prefix = name[: len(name) - len(result)]
        if prefix and prefix not in self._stripped:
            self._stripped.add(prefix)
            self._process.warn(f"Removing leading `{prefix}' from {what}")
        return result or ("." if name.strip("/") == "" or cut else name)

    def _describe(self, info: tarfile.TarInfo) -> str:
        """A line of a long listing."""
        kind = _KINDS.get(info.type, "file")
        zone = self._process.system.timezone(self._process.env.get("TZ", ""))
        when = strftime("%Y-%m-%d %H:%M", Moment.of(info.mtime, zone))
        owner = f"{info.uname or info.uid}/{info.gname or info.gid}" if "numeric-owner" not in self._arguments else f"{info.uid}/{info.gid}"
        size = str(info.size if kind == "file" and not info.islnk() else 0)
        mode = ("h" + letters("file", info.mode)[1:]) if info.islnk() else letters(kind, info.mode & 0o7777)
        link = f" -> {info.linkname}" if info.issym() else f" link to {info.linkname}" if info.islnk() else ""
        return f"{mode} {owner} {size.rjust(max(19 - len(mode) - len(owner) + 9, len(size)))} {when} {_shown(info)}{link}"


def _shown(info: tarfile.TarInfo) -> str:
    return info.name + "/" if info.isdir() and not info.name.endswith("/") else info.name


class Creator(_Archiver):
    """Makes an archive, or adds to one."""

    def __init__(self, process: Process, arguments: Arguments, operation: str) -> None:
        super().__init__(process, arguments)
        self._operation = operation
        self._linked: dict[int, str] = {}
        self._directory = ""

    def run(self) -> int:
        """Write the archive and return the exit status."""
        names = self._names()
        if not names and self._operation == "create":
            raise TarError("Cowardly refusing to create an empty archive\nTry 'tar --help' or 'tar --usage' for more information.", fatal=False)
        self._directory = self._arguments.get("C") or ""
        if self._directory and not self._process.fs.exists(self._process.path(self._directory)):
            raise TarError(f"{self._directory}: Cannot open: No such file or directory")
        buffer = io.BytesIO()
        mode: str = "w"
        if self._operation != "create":
            buffer = io.BytesIO(self._existing())
            mode = "a" if buffer.getbuffer().nbytes else "w"
        form = _FORMATS.get(self._arguments.get("H") or "gnu", tarfile.GNU_FORMAT)
        with tarfile.open(fileobj=buffer, mode=mode, format=form, errors="surrogateescape") as archive:  # type: ignore[call-overload]  # a literal
            for name in names:
                self._add_tree(archive, name)
        data = buffer.getvalue()
        data += bytes(-len(data) % 10240)
        self._process.budget.string(len(data))
        self._write(data)
        if self.status:
            self._process.warn("Exiting with failure status due to previous errors")
        return self.status

    def _existing(self) -> bytes:
        path = self._process.path(self._archive)
        return self._process.fs.read_file(path) if self._process.fs.exists(path) else b""

    def _write(self, data: bytes) -> None:
        kind = next((_COMPRESSORS[key] for key, _ in self._arguments.given if key in _COMPRESSORS), None)
        if kind is None and "a" in self._arguments:
            kind = next((value for suffix, value in _SUFFIXES.items() if self._archive.endswith(suffix)), None)
        packed = data if kind is None else compress(data, kind, 9 if kind == "bzip2" else 6, self._process.budget)
        if self._archive == "-":
            self._process.stdout.write(packed)
            return
        try:
            self._process.create(self._archive).write(packed)
        except OSError as error:
            raise TarError(f"{self._archive}: Cannot open: {error.strerror}") from None

    def _add_tree(self, archive: tarfile.TarFile, top: str) -> None:
        pending = [top]
        while pending:
            name = pending.pop()
            self._process.budget.tick(50)
            if self._is_excluded(name):
                continue
            path = self._process.path(join(self._directory, name) if self._directory and not name.startswith("/") else name)
            stored = self._relative(name)
            try:
                stat = self._process.fs.stat(path, follow="h" in self._arguments)
            except OSError as error:
                self._fail(f"{name}: Cannot stat: {error.strerror}")
                continue
            if self._archive != "-" and path == self._process.path(self._archive):
                self._process.warn(f"{name}: file is the archive; not dumped")
                continue
            self._add(archive, name, stored, path, stat)
            if stat.type == "directory" and "no-recursion" not in self._arguments:
                names = self._process.fs.listdir(path)
                if self._arguments.get("sort") == "name":
                    names.sort()
                pending.extend(join(name, child) for child in reversed(names))

    def _add(self, archive: tarfile.TarFile, name: str, stored: str, path: str, stat: Stat) -> None:
        info = tarfile.TarInfo(stored.rstrip("/") or ".")
        info.type = _TYPES[stat.type]
        info.mode = stat.mode
        info.uid, info.gid = stat.uid, stat.gid
        info.uname, info.gname = name_of(self._process, stat.uid), name_of(self._process, stat.gid)
        info.uname = (self._arguments.get("owner") or info.uname).partition(":")[0]
        info.gname = self._arguments.get("group") or info.gname
        info.mtime = self._mtime(stat)
        data = b""
        if stat.type == "symlink":
            info.linkname = self._process.fs.readlink(path)
        elif stat.type == "file" and stat.links > 1 and stat.ino in self._linked:
            info.type, info.linkname = tarfile.LNKTYPE, self._linked[stat.ino]
        elif stat.type == "file":
            data = self._process.fs.read_file(path)
            info.size = len(data)
            self._linked[stat.ino] = info.name
        if stat.type == "directory":
            info.name += "/"
        archive.addfile(info, io.BytesIO(data) if info.size else None)
        self._process.budget.string(archive.offset)
        if self._verbosity:
            shown = name if stat.type != "directory" or name.endswith("/") else name + "/"
            self._tell(self._describe(info) if self._verbosity > 1 else shown, to_stderr=self._archive == "-")

    def _mtime(self, stat: Stat) -> float:
        text = self._arguments.get("mtime")
        if text is None:
            return int(stat.mtime)
        system = self._process.system
        try:
            return parse_date(text, now=system.now(), zone=system.timezone(self._process.env.get("TZ", ""))).timestamp
        except ValueError:
            raise TarError(f"Invalid mtime: {text}", fatal=False) from None


class Extractor(_Archiver):
    """Lists or unpacks an archive."""

    def __init__(self, process: Process, arguments: Arguments, *, listing: bool) -> None:
        super().__init__(process, arguments)
        self._listing = listing
        self._wanted = self._names()
        self._matched: set[str] = set()
        self._globs = {name: self._glob(name) for name in self._wanted} if "wildcards" in arguments else {}
        strip = arguments.get("strip-components") or "0"
        if not strip.isdecimal():
            raise TarError(f"{strip}: Invalid number of elements", fatal=False)
        self._strip = int(strip)
        self._directory = ""
        self._late: list[tuple[str, tarfile.TarInfo]] = []

    def run(self) -> int:
        """Go through the archive and return the exit status."""
        self._directory = self._arguments.get("C") or ""
        if self._directory and not self._listing and not self._process.fs.exists(self._process.path(self._directory)):
            raise TarError(f"{self._directory}: Cannot open: No such file or directory")
        data = self._read()
        try:
            with tarfile.open(fileobj=io.BytesIO(data), mode="r:", errors="surrogateescape") as archive:
                for info in self._members(archive):
                    self._member(archive, info)
        except tarfile.TarError:
            if data.strip(b"\0"):
                self._process.warn("This does not look like a tar archive")
                raise TarError("Exiting with failure status due to previous errors", fatal=False) from None
        for target, info in reversed(self._late):
            self._settle(target, info)
        for name in self._wanted:
            if name not in self._matched:
                self._fail(f"{name}: Not found in archive")
        if self.status:
            self._process.warn("Exiting with failure status due to previous errors")
        return self.status

    def _members(self, archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
        while (info := archive.next()) is not None:
            self._process.budget.tick(100)
            archive.members = []  # type: ignore[attr-defined]  # tarfile would keep every member it has seen
            yield info

    def _read(self) -> bytes:
        try:
            data = self._process.open(self._archive).read_all()
        except OSError as error:
            raise TarError(f"{self._archive}: Cannot open: {error.strerror}") from None
        self._process.budget.string(len(data))
        kind = kind_of(data)
        asked = next((_COMPRESSORS[key] for key, _ in self._arguments.given if key in _COMPRESSORS), None)
        if asked is not None and kind != asked:
            name = asked
            self._process.stderr.write(f"\n{name}: stdin: not in {name} format\n".encode())
            self._process.warn("Child returned status 1")
            raise TarError("Error is not recoverable: exiting now", fatal=False)
        if kind is None:
            return data
        try:
            return expand(data, kind, self._process.budget)
        except CorruptError as error:
            self._process.stderr.write(f"\n{kind}: stdin: {error}\n".encode())
            raise TarError("Child returned status 1") from None

    def _is_wanted(self, name: str) -> bool:
        if self._is_excluded(name):
            return False
        if not self._wanted:
            return True
        plain = name.rstrip("/")
        for wanted in self._wanted:
            below = plain == wanted.rstrip("/") or plain.startswith(wanted.rstrip("/") + "/")
            glob = self._globs.get(wanted)
            if below or (glob is not None and glob.matches(plain)):
                self._matched.add(wanted)
                return True
        return False

    def _member(self, archive: tarfile.TarFile, info: tarfile.TarInfo) -> None:
        if not self._is_wanted(info.name):
            return
        if self._listing:
            self._tell(self._describe(info) if self._verbosity else _shown(info), to_stderr=False)
            return
        name = info.name
        if self._strip:
            parts = [part for part in name.split("/") if part]
            if len(parts) <= self._strip:
                return
            name = "/".join(parts[self._strip :])
        if self._verbosity:
            shown = name if not info.isdir() or name.endswith("/") else name + "/"
            self._tell(self._describe(info) if self._verbosity > 1 else shown, to_stderr="O" in self._arguments)
        source = archive.extractfile(info) if info.isreg() else None
        if "O" in self._arguments:
            if source is not None:
                self._process.stdout.write(source.read())
            return
        target = self._process.path(join(self._directory, self._relative(name)) if self._directory else self._relative(name))
        try:
            self._unpack(target, info, source.read() if source is not None else b"")
        except OSError as error:
            self._fail(f"{name}: Cannot open: {error.strerror}")

    def _unpack(self, target: str, info: tarfile.TarInfo, data: bytes) -> None:
        fs, target = self._process.fs, target.rstrip("/") or "/"
        fs.makedirs(target.rpartition("/")[0], 0o777 & ~self._process.umask)
        exists = True
        try:
            old = fs.stat(target, follow=False)
        except FileNotFoundError:
            exists = False
        if info.isdir():
            if not exists:
                fs.mkdir(target, 0o700 | self._mode(info))
            self._late.append((target, info))
            return
        if exists:
            if "skip-old-files" in self._arguments:
                return
            if "k" in self._arguments:
                raise FileExistsError(17, "File exists", info.name)
            if old.type == "directory":
                fs.rmdir(target)
            else:
                fs.unlink(target)
        if info.issym():
            fs.symlink(info.linkname, target)
        elif info.islnk():
            original = self._relative(info.linkname, "hard link targets")
            fs.link(self._process.path(join(self._directory, original) if self._directory else original), target)
        elif info.isfifo():
            fs.mkfifo(target, self._mode(info))
        elif info.isreg():
            fs.write_file(target, data, self._mode(info))
            self._settle(target, info)

    def _mode(self, info: tarfile.TarInfo) -> int:
        return info.mode & 0o7777 if "p" in self._arguments else info.mode & 0o777 & ~self._process.umask

    def _settle(self, target: str, info: tarfile.TarInfo) -> None:
        """Mode and time, for directories when nothing is put into them any more."""
        self._process.fs.chmod(target, self._mode(info))
        if "m" not in self._arguments:
            self._process.fs.utime(target, None, float(info.mtime))
