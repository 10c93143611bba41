"""Creates archives and adds to them (GNU tar manual, 4.2.1 Operations of tar)."""

from __future__ import annotations

import errno
import io
import tarfile
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import Mode
from bashkit.commands._filesystem.targets import join
from bashkit.commands._notation.choices import choose
from bashkit.commands._notation.dates import parse_date
from bashkit.commands._notation.quoting import mention
from bashkit.commands._notation.strftime import strftime
from bashkit.commands.archives._compression import kind_of
from bashkit.commands.archives.tar.archiver import Archiver
from bashkit.commands.archives.tar.errors import COMPRESSED, EARLY_END, HINT, TarError
from bashkit.commands.archives.tar.filters import cannot_open, is_compressed, packed
from bashkit.commands.archives.tar.headers import Member
from bashkit.commands.archives.tar.labels import add_label, check_label, label_of
from bashkit.commands.archives.tar.members import END_OF_DATA, members, open_archive
from bashkit.commands.archives.tar.options import SORTS
from bashkit.commands.archives.tar.owners import Owners
from bashkit.commands.archives.tar.pruning import Pruner
from bashkit.interp.utility.command import Arguments

if TYPE_CHECKING:
    from bashkit.commands.archives.tar.places import Place, Request
    from bashkit.commands.archives.tar.selection import Selector
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

_FORMATS = {"gnu": tarfile.GNU_FORMAT, "oldgnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT, "posix": tarfile.PAX_FORMAT,
            "ustar": tarfile.USTAR_FORMAT, "v7": tarfile.USTAR_FORMAT}  # fmt: skip
_LONGEST_NAME = 1 << 16  # characters of a name, of which the archive makes many copies
_MEMBER = 100  # microseconds to add a member
_TYPES = {
    "file": tarfile.REGTYPE,
    "directory": tarfile.DIRTYPE,
    "symlink": tarfile.SYMTYPE,
    "fifo": tarfile.FIFOTYPE,
    "character": tarfile.CHRTYPE,
}
_MISPLACED = (
    "The following options were used after any non-optional arguments in archive create or update mode.  "
    "These options are positional and affect only arguments that follow them.  Please, rearrange them properly."
)


class Creator(Archiver):
    """Creates an archive, or adds to one.

    Args:
        process: The running command.
        request: The command line.
        operation: ``create``, ``append`` or ``update``.
    """

    def __init__(self, process: Process, request: Request, operation: str) -> None:
        super().__init__(process, request)
        self._operation = operation
        self._own = 0
        self._linked: dict[int, str] = {}
        self._sorted = choose("--sort", self._arguments.get("sort") or "none", SORTS) == "name"
        self._has_many = len(self._names.places) > 1  # names, so that a file may come twice
        self._links_left: dict[int, tuple[str, int]] = {}
        self._old: dict[str, float] = {}
        self._known_label: str | None = None
        self._written: dict[str, tuple[str, Stat]] = {}  # by their paths
        self._obeyed = -1
        self._owners = Owners(process, self._arguments, "owner")
        self._groups = Owners(process, self._arguments, "group")
        self._forced_time = self._date("mtime", "--mtime")
        newer = "N" if "N" in self._arguments else "newer-mtime"
        self._newer = self._date(newer, "--after-date" if newer == "N" else "--newer-mtime")
        try:
            self._mode = Mode(self._arguments.get("mode") or "a+")
        except ValueError:
            raise TarError("Invalid mode given on option") from None

    def run(self) -> int:
        """Write the archive and return the exit status."""
        if not self._names.places and self._operation == "create" and "T" not in self._arguments:
            raise TarError("Cowardly refusing to create an empty archive" + HINT, fatal=False)
        buffer = io.BytesIO()
        if self._operation != "create":
            data, end = self._existing()
            buffer = io.BytesIO(data)
            buffer.seek(end)
        form = self._format()
        archive = tarfile.open(fileobj=buffer, mode="w", format=form, encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
        self._own = self._begin()
        with archive:
            if "V" in self._arguments:
                self._label(archive)
            for place in self._names.places:
                self._obey(place.options)
                self._add_tree(archive, place)
            end = archive.offset
        if self._names.unused:
            self._process.warn(_MISPLACED)
            for option in self._names.unused:
                self._fail(f"{option} has no effect")
        data = buffer.getvalue()[:end] + bytes(2 * tarfile.BLOCKSIZE)
        data += bytes(-len(data) % self._record)
        self._process.budget.string(len(data))
        self._write(data)
        if "l" in self._arguments:
            for name, missing in self._links_left.values():
                if missing:
                    self._process.warn(f"Missing links to {mention(name)}.")
        self._totals("written", len(data))
        self._remove()
        return self._finish()

    def _begin(self) -> int:
        """Make the file of the archive, as far as tar itself writes it, and return its number; 0 for none.

        Raises:
            TarError: It cannot be made.
        """
        if self._archive == "-" or is_compressed(self._arguments, self._archive):
            return 0
        if self._operation == "create":
            self._write(b"")
        try:
            return self._process.fs.stat(self._process.path(self._archive)).ino
        except OSError:
            return 0

    def _format(self) -> int:
        """The format of the archive.

        Raises:
            TarError: The format is unknown.
        """
        key = self._arguments.last("H", "posix", "old-archive", "o")
        if key != "H":
            return tarfile.PAX_FORMAT if key == "posix" else tarfile.GNU_FORMAT if key is None else tarfile.USTAR_FORMAT
        name = self._arguments.get("H") or ""
        if name not in _FORMATS:
            raise TarError(f"{name}: Invalid archive format{HINT}", fatal=False)
        return _FORMATS[name]

    def _label(self, archive: tarfile.TarFile) -> None:
        if self._operation == "create":
            add_label(archive, self._arguments.get("V") or "", self._process.system.now())
        else:
            check_label(self._known_label, self._arguments)

    def _existing(self) -> tuple[bytes, int]:
        """The archive so far, and where its last member ends.

        Raises:
            TarError: It is compressed, or none.
        """
        path = self._process.path(self._archive)
        try:
            data = self._process.fs.read_file(path)
        except FileNotFoundError:
            data = b""
        except OSError as error:
            raise cannot_open(self._process, self._arguments, self._archive, error, made=True) from None
        if kind_of(data) is not None:
            raise TarError(COMPRESSED)
        end = 0
        try:
            if data:
                archive = open_archive(data)
                for info in members(archive, self._process.budget):
                    if not self._old:
                        self._known_label = label_of(archive, info)
                    self._old[info.name.rstrip("/")] = info.mtime
                end = archive.offset
        except tarfile.TarError as error:
            if str(error) == END_OF_DATA:
                raise TarError(EARLY_END) from None
            if data.strip(b"\0"):
                raise self._no_archive() from None
        return data, end

    def _no_archive(self) -> TarError:
        self._process.warn("This does not look like a tar archive")
        return TarError("Error is not recoverable: exiting now", fatal=False)

    def _write(self, data: bytes) -> None:
        data = packed(self._process, self._arguments, self._archive, data)
        if self._archive == "-":
            self._process.stdout.write(data)
            return
        try:
            self._process.create(self._archive).write(data)
        except OSError as error:
            raise cannot_open(self._process, self._arguments, self._archive, error, made=True) from None

    def _remove(self) -> None:
        """``--remove-files``: remove everything that was archived, directories after their entries."""
        if "remove-files" not in self._arguments:
            return
        for path, (name, stat) in reversed(self._written.items()):
            try:
                if stat.type == "directory":
                    self._process.fs.rmdir(path)
                else:
                    self._process.fs.unlink(path)
            except OSError as error:
                self._fail(f"{name}: Cannot {'rmdir' if stat.type == 'directory' else 'unlink'}: {error.strerror}")

    def _obey(self, count: int) -> None:
        """Let the options that select files be the first ``count``: those before a name."""
        if count == self._obeyed:
            return
        self._obeyed = count
        before = Arguments(self._arguments.given[:count], [])
        self._excluded = [selector for place, selector in self._exclusions if place < count]
        self._pruner = Pruner(self._process, before, verbose=self._verbosity > 0)
        self._recursive = before.last("no-recursion", "recursion") != "no-recursion"

    def _add_tree(self, archive: tarfile.TarFile, place: Place) -> None:
        top = place.name.rstrip("/") or place.name[:1]  # a link with a slash behind it is archived as a link, too
        pending: list[tuple[str, tuple[Selector, ...]]] = [(top, ())]
        directory = place.directory
        while pending:
            name, ignored = pending.pop()
            self._process.budget.tick(50 + len(ignored))
            if self._is_excluded(name) or any(selector.matches(name.rpartition("/")[2]) for selector in ignored):
                continue
            path = self._process.path(join(directory, name) if directory and not name.startswith("/") else name)
            stored = self._relative(name)
            try:
                stat = self._process.fs.stat(path, follow="h" in self._arguments)
            except OSError as error:
                if "ignore-failed-read" in self._arguments:
                    self._process.warn(f"{self._quoted(name)}: Warning: Cannot stat: {error.strerror}")
                elif name != top and error.errno == errno.ENOENT:
                    self._fail(f"{self._quoted(name)}: File removed before we read it", status=1)
                else:
                    self._fail(f"{self._quoted(name)}: Cannot stat: {error.strerror}")
                continue
            if stat.ino == self._own:
                self._process.warn(f"{name}: file is the archive; not dumped")
                continue
            try:
                names = self._process.fs.listdir(path) if stat.type == "directory" else []
            except OSError as error:
                self._fail(f"{self._quoted(name)}: Cannot open: {error.strerror}")
                continue
            if self._pruner.active and names:
                ignored = (*ignored, *self._pruner.selectors(path, names))
                kept, names = self._pruner.tagged(name, path, names)
                if not kept:
                    continue
            if not self._is_unchanged(name, stat):
                self._add(archive, name, stored, path, stat)
            if self._recursive:
                if self._sorted:
                    names.sort()
                pending.extend((join(name, child), ignored) for child in reversed(names))

    def _is_unchanged(self, name: str, stat: Stat) -> bool:
        """Whether a file is not newer than the given date or the copy in the archive."""
        if self._operation == "update":
            known = self._old.get(name.rstrip("/"))
            return known is not None and int(stat.mtime) <= known
        if self._newer is None or stat.type == "directory":
            return False
        changed = stat.mtime >= self._newer or ("N" in self._arguments and stat.ctime >= self._newer)
        if not changed and self._verbosity:
            self._process.warn(f"{name}: file is unchanged; not dumped")
        return not changed

    def _add(self, archive: tarfile.TarFile, name: str, stored: str, path: str, stat: Stat) -> None:
        self._process.budget.tick(_MEMBER)
        info = Member(self._changed(stored, "r").rstrip("/") or ".", numeric="numeric-owner" in self._arguments)
        if len(info.name) > _LONGEST_NAME:
            self._fail(f"{name}: Cannot add: File name too long")
            return
        info.type = _TYPES[stat.type]
        info.mode = self._mode.apply(stat.mode, directory=stat.type == "directory", umask=self._process.umask)
        (info.uid, info.uname), (info.gid, info.gname) = self._owners.of(stat.uid), self._groups.of(stat.gid)
        info.mtime = self._mtime(stat)
        info.devmajor, info.devminor = stat.device
        data = b""
        if stat.ino in self._linked and (stat.links > 1 or self._has_many) and "hard-dereference" not in self._arguments:
            first = self._relative(self._linked[stat.ino], "hard link targets").rstrip("/")
            info.type, info.linkname = tarfile.LNKTYPE, self._relative(self._changed(first, "h"), "hard link targets")
        elif stat.type == "symlink":
            info.linkname = self._changed(self._process.fs.readlink(path), "s")
            self._linked[stat.ino] = name
        elif stat.type == "file":
            try:
                data = self._process.fs.read_file(path)
            except OSError as error:
                self._fail(f"{name}: Cannot open: {error.strerror}")
                return
            info.size = len(data)
            self._linked[stat.ino] = name
        if stat.links > 1 and stat.type == "file":
            known, missing = self._links_left.get(stat.ino, (name, stat.links))
            self._links_left[stat.ino] = (known, missing - 1)
        if stat.type == "directory":
            info.name += "/"
        block = archive.offset
        try:
            archive.addfile(info, io.BytesIO(data) if info.size else None)
        except ValueError as error:
            self._fail(info.misfit(name, str(error)))
            return
        self._process.budget.string(archive.offset)
        self._process.budget.tick(len(info.name) >> 8)
        self._written[path] = name, stat
        if self._verbosity:
            shown = info.name if "show-transformed-names" in self._arguments else name
            shown = shown if stat.type != "directory" or shown.endswith("/") else shown + "/"
            text = self._describe(info, shown) if self._verbosity > 1 else self._quoted(shown)
            self._tell(text, block, to_stderr=self._archive == "-")

    def _mtime(self, stat: Stat) -> float:
        forced = self._forced_time
        if forced is None or ("clamp-mtime" in self._arguments and stat.mtime <= forced):
            return int(stat.mtime)
        return forced

    def _date(self, key: str, option: str) -> float | None:
        """The time that an option's argument means: a date, or the time of a file whose name starts with a slash or dot."""
        text = self._arguments.get(key)
        if text is None:
            return None
        if text.startswith(("/", ".")):
            try:
                return self._process.fs.stat(self._process.path(text)).mtime
            except OSError as error:
                raise TarError(f"{text}: Cannot stat: {error.strerror}") from None
        system = self._process.system
        try:
            found = parse_date(text, now=system.now(), zone=self._zone)
        except ValueError:
            what = "Invalid mtime" if key == "mtime" else "Unknown date format"
            raise TarError(f"{what}: {text}", fatal=False) from None
        if self._verbosity:
            self._process.warn(f"Option {option}: Treating date '{text}' as {strftime('%Y-%m-%d %H:%M:%S', found)}")
        return found.timestamp
