"""install: copy files and set their attributes (GNU coreutils manual, install)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._filesystem import backups
from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands._filesystem.modes import Mode
from bashkit.commands._filesystem.owners import number_of
from bashkit.commands._filesystem.targets import entry, placements
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
    if "C" in arguments and "p" in arguments:
        raise UsageError("options --compare (-C) and --preserve-timestamps are mutually exclusive")
    text = arguments.get("m") or "755"
    try:
        mode = Mode(text).apply(0, directory=False, umask=0)
    except ValueError:
        raise UsageError(f"invalid mode {mention(text)}", hint=False) from None
    installer = _Installer(
        process, arguments, mode, _owner(process, arguments, "o", "user"), _owner(process, arguments, "g", "group")
    )
    if "d" in arguments:
        if not arguments.operands:
            raise UsageError("missing file operand")
        if "t" in arguments:
            raise UsageError("target directory not allowed when installing a directory", hint=False)
        for name in arguments.operands:
            installer.directory(name, last=True)
        return int(installer.failed)
    if "D" in arguments and arguments.operands:
        folder = arguments.get("t")
        if folder is not None:
            installer.directory(folder, last=False)
        elif len(arguments.operands) > 1 and "/" in arguments.operands[-1].rstrip("/"):
            installer.directory(arguments.operands[-1].rstrip("/").rpartition("/")[0] or "/", last=False)
    for pair in placements(process, arguments):
        with freed(process):
            installer.file(pair.source, pair.target)
    return int(installer.failed)


def _owner(process: Process, arguments: Arguments, key: str, what: str) -> int | None:
    name = arguments.get(key)
    if name is None:
        return None
    number = number_of(process, name)
    if number is None:
        raise UsageError(f"invalid {what} {mention(name)}", hint=False)
    return number


class _Installer:
    """Installs files and directories and reports it."""

    def __init__(self, process: Process, arguments: Arguments, mode: int, uid: int | None, gid: int | None) -> None:
        self._process = process
        self._arguments = arguments
        self._mode = mode
        self._owners = uid, gid
        self._made: set[str] = set()
        self.failed = False

    def directory(self, name: str, *, last: bool) -> None:
        """Make a directory and its parents; only the last one gets the mode, if ``last`` is true."""
        fs = self._process.fs
        parts = [part for part in name.split("/") if part]
        prefix = "/" if name.startswith("/") else ""
        for count in range(1, len(parts) + 1):
            part = prefix + "/".join(parts[:count])
            path = self._process.path(part)
            try:
                fs.mkdir(path, 0o755)
            except OSError as error:
                if error.errno != errno.EEXIST or fs.stat(path).type != "directory":
                    self._fail(f"cannot create directory {mention(part)}: {error.strerror}")
                    return
            else:
                self._say(f"{self._process.name}: creating directory {quote(part)}")
        if last:
            self._settle(self._process.path(name))

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
            data = slurp(process, process.open(source))
            kept = None
            old = self._there(path)
            if old is not None:
                from_link = fs.stat(process.path(source), follow=False).type == "symlink"
                if old.ino == stat.ino and (from_link or entry(process, source) == entry(process, target)):
                    self._fail(f"{quote(source)} and {quote(target)} are the same file")
                    return
                if old.type == "directory":
                    self._fail(f"cannot overwrite directory {quote(target)} with non-directory")
                    return
                if path in self._made:
                    self._fail(f"will not overwrite just-created {quote(target)} with {quote(source)}")
                    return
                if "C" in arguments and old.mode == self._mode and fs.read_file(path) == data:
                    return
                kept = backups.backup_name(process, arguments, target)
                if kept is not None:
                    fs.rename(path, process.path(kept))
                else:
                    fs.unlink(path)
                    self._say(f"removed {quote(target)}")
            fs.write_file(path, data, 0o600)
            self._made.add(path)
        except OSError as error:
            unread = error.filename in {source, process.path(source)}
            doing = f"open {quote(source)} for reading" if unread else f"create regular file {quote(target)}"
            self._fail(f"cannot {doing}: {error.strerror}")
            return
        self._say(f"{quote(source)} -> {quote(target)}" + (f" (backup: {quote(kept)})" if kept else ""))
        self._settle(path)
        if "p" in arguments:
            fs.utime(path, stat.atime, stat.mtime)

    def _there(self, path: str) -> Stat | None:
        try:
            return self._process.fs.stat(path, follow=False)
        except FileNotFoundError:
            return None

    def _settle(self, path: str) -> None:
        fs = self._process.fs
        fs.chmod(path, self._mode)
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
