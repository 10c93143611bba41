"""install: copy files and set their attributes (GNU coreutils manual, install)."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from bashkit.commands._filesystem import backups
from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands._filesystem.modes import Mode
from bashkit.commands._filesystem.owners import number_of
from bashkit.commands._filesystem.parents import make_all
from bashkit.commands._filesystem.targets import entry, placements, replacement_refusal, target_directory
from bashkit.commands._notation.quoting import mention, quote
from bashkit.commands.files import _contexts
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process


@command(
    "install",
    usage="[OPTION]... [-T] SOURCE DEST  or  install [OPTION]... SOURCE... DIRECTORY  or  install [OPTION]... -d DIRECTORY...",
    summary="Copy files while setting their attributes, or create directories.",
    options=(
        *backups.OPTIONS,
        flag("-c", help="(ignored, as GNU install does)"),
        flag(
            "-C",
            "--compare",
            help="compare content of source and destination files, and if no change, do not modify the destination",
        ),
        flag("-d", "--directory", help="treat all arguments as directory names; create all components of them"),
        flag("-D", help="create all leading components of DEST except the last"),
        value("-g", "--group", metavar="GROUP", help="set group ownership"),
        value("-m", "--mode", metavar="MODE", help="set permission mode (as in chmod), instead of rwxr-xr-x"),
        value("-o", "--owner", metavar="OWNER", help="set ownership"),
        flag(
            "-p",
            "--preserve-timestamps",
            help="apply access/modification times of SOURCE files to corresponding destination files",
        ),
        value("-t", "--target-directory", metavar="DIRECTORY", help="copy all SOURCE arguments into DIRECTORY"),
        flag("-T", "--no-target-directory", help="treat DEST as a normal file"),
        flag("-v", "--verbose", help="print the name of each directory as it is created"),
        flag("--preserve-context", help="(ignored with a warning)"),
        *_contexts.OPTIONS,
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Install each operand; 1 when one could not be."""
    if "preserve-context" in arguments:
        process.warn("WARNING: ignoring --preserve-context; this kernel is not SELinux-enabled")
    _contexts.ignore(process, arguments)
    text = arguments.get("m") or "755"
    try:
        mode = Mode(text)
    except ValueError:
        raise UsageError(f"invalid mode {mention(text)}", hint=False) from None
    installer = _Installer(
        process, arguments, mode, _owner(process, arguments, "o", "user"), _owner(process, arguments, "g", "group")
    )
    if "d" in arguments:
        if not arguments.operands:
            raise UsageError("missing file operand")
        if "T" in arguments and len(arguments.operands) > 2:
            raise UsageError(f"extra operand {quote(arguments.operands[2])}")
        if "t" in arguments:
            raise UsageError("target directory not allowed when installing a directory", hint=False)
        for name in arguments.operands:
            installer.directory(name)
        return int(installer.failed)
    if "D" in arguments and arguments.operands:
        folder = target_directory(process, arguments)
        if folder is not None and not _is_missing(process, folder):
            folder = None
        elif folder is None and len(arguments.operands) > 1:
            folder = arguments.operands[-1].rstrip("/").rpartition("/")[0]
        if folder:
            installer.leading(folder)
            if installer.failed:
                return 1
    pairs = placements(process, arguments)
    if "C" in arguments and "p" in arguments:
        raise UsageError("options --compare (-C) and --preserve-timestamps are mutually exclusive")
    if "C" in arguments and installer.mode & ~0o777:
        process.warn("the --compare (-C) option is ignored when you specify a mode with non-permission bits")
    for pair in pairs:
        with freed(process):
            installer.file(pair.source, pair.target)
    return int(installer.failed)


def _is_missing(process: Process, folder: str) -> bool:
    """Whether there is no such directory; one below a file is not missing, it cannot be."""
    try:
        process.fs.lookup(process.path(folder))
    except OSError as error:
        return error.errno == errno.ENOENT
    return False


def _owner(process: Process, arguments: Arguments, key: str, what: str) -> int | None:
    name = arguments.get(key)
    if name is None:
        return None
    number = number_of(process, name, group=what == "group")
    if number is None:
        raise UsageError(f"invalid {what} {mention(name)}", hint=False)
    return number


class _Installer:
    """Installs files and directories and reports it.

    Attributes:
        mode: The permission bits of an installed file.
    """

    def __init__(self, process: Process, arguments: Arguments, mode: Mode, uid: int | None, gid: int | None) -> None:
        self._process = process
        self._arguments = arguments
        self._change = mode
        self.mode = mode.apply(0, directory=False, umask=0)
        self._owners = uid, gid
        self._made: set[str] = set()
        self.failed = False

    def leading(self, name: str) -> None:
        """Make a directory for what is installed, and its parents."""
        try:
            self._make(name)
        except OSError as error:
            self._fail(f"cannot create directory {quote(error.filename)}: {error.strerror}")

    def directory(self, name: str) -> None:
        """Make a directory and its parents; only it gets the mode, which changes that of one that is there."""
        process = self._process
        path = process.path(name)
        old = process.fs.stat(path).mode if "m" in self._arguments and process.fs.exists(path) else 0
        try:
            self._make(name)
        except OSError as error:
            if error.filename != name or not name or self._process.fs.exists(self._process.path(name.rstrip("/"))):
                self._fail(f"cannot create directory {mention(error.filename)}: {error.strerror}")
                return
        try:
            self._settle(path, self._change.apply(old, directory=True, umask=0))
        except OSError as error:
            self._fail(f"cannot change permissions of {mention(name)}: {error.strerror}")

    def _make(self, name: str) -> None:
        def tell(made: str) -> None:
            self._say(f"{self._process.name}: creating directory {quote(made)}")

        make_all(self._process, name, 0o755, 0o755, tell)

    def file(self, source: str, target: str) -> None:
        """Copy one file."""
        process, fs, arguments = self._process, self._process.fs, self._arguments
        process.budget.tick(20)
        try:
            stat = fs.stat(process.path(source))
        except OSError as error:
            self._fail(f"cannot stat {quote(source)}: {error.strerror}")
            return
        if stat.type == "directory":
            self._fail(f"omitting directory {quote(source)}")
            return
        path = process.path(target)
        try:
            old = self._there(path)
        except OSError as error:
            self._fail(f"cannot stat {quote(target)}: {error.strerror}")
            return
        if target.endswith("/") and old is None:
            self._say(f"{quote(source)} -> {quote(target)}")
            self._fail(f"cannot create regular file {quote(target)}: {os.strerror(errno.ENOTDIR)}")
            return
        try:
            data = slurp(process, process.open(source))
            kept = None
            if old is not None:
                from_link = fs.stat(process.path(source), follow=False).type == "symlink"
                if old.ino == stat.ino and (from_link or entry(process, source) == entry(process, target)):
                    self._fail(f"{quote(source)} and {quote(target)} are the same file")
                    return
                if old.type == "directory":
                    self._fail(f"cannot overwrite directory {quote(target)} with non-directory")
                    return
                refused = replacement_refusal(process, arguments, source, target, made=path in self._made)
                if refused:
                    self._fail(refused)
                    return
                if "C" in arguments and not self.mode & ~0o777 and old.mode == self.mode and fs.read_file(path) == data:
                    return
                kept = backups.backup_name(process, arguments, target)
                if kept is not None:
                    fs.rename(path, process.path(kept))
                else:
                    fs.unlink(path)
                    self._say(f"removed {quote(target)}")
            self._say(f"{quote(source)} -> {quote(target)}" + (f" (backup: {quote(kept)})" if kept else ""))
            fs.write_file(path, data, 0o600)
            self._made.add(path)
        except OSError as error:
            unread = error.filename in {source, process.path(source)}
            doing = f"open {quote(source)} for reading" if unread else f"create regular file {quote(target)}"
            self._fail(f"cannot {doing}: {error.strerror}")
            return
        self._settle(path, self.mode)
        if "p" in arguments:
            fs.utime(path, stat.atime, stat.mtime)

    def _there(self, path: str) -> Stat | None:
        try:
            return self._process.fs.stat(path, follow=False)
        except FileNotFoundError:
            return None

    def _settle(self, path: str, mode: int) -> None:
        fs = self._process.fs
        fs.chmod(path, mode)
        if self._owners != (None, None):
            stat = fs.stat(path)
            uid, gid = self._owners
            fs.chown(path, stat.uid if uid is None else uid, stat.gid if gid is None else gid)

    def _say(self, text: str) -> None:
        if "v" in self._arguments:
            self._process.write(text + "\n")

    def _fail(self, message: str) -> None:
        self._process.warn(message)
        self.failed = True
