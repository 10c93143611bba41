"""Copying files and trees (POSIX XCU cp)."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from posixpath import dirname
from typing import TYPE_CHECKING

from bashkit.commands._filesystem import backups
from bashkit.commands._filesystem.targets import entry, join, replacement_refusal
from bashkit.commands._notation.quoting import quote, quote_if_needed
from bashkit.commands.files._replies import confirm_overwriting
from bashkit.fs import BytesStream
from bashkit.fs.stream import os_error

if TYPE_CHECKING:
    from bashkit.fs import Stat
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process


@dataclass(frozen=True, slots=True)
class Policy:
    """How to copy.

    Attributes:
        recursive: Copy directories with their content.
        follow: Which links are followed: ``none``, ``operands`` or ``all``.
        mode, times, owner, hard_links: What is preserved.
        plain_mode: New files get the permissions that any program gives, whatever those of the source are.
        existing: What happens to an existing target: ``replace``, ``ask`` or ``keep``.
        newer_only: Replace only older targets.
        force: Remove a target that cannot be opened.
        remove_first: Remove every target before copying.
        how: ``copy``, or ``symlink`` or ``link`` to make links instead.
        contents: Whether file content is copied (not with ``--attributes-only``).
        special: Create named pipes anew; otherwise copy what is read from them.
        verbose: Report each action.
    """

    recursive: bool
    follow: str
    mode: bool
    plain_mode: bool
    times: bool
    owner: bool
    hard_links: bool
    existing: str
    newer_only: bool
    force: bool
    remove_first: bool
    how: str
    contents: bool
    special: bool
    verbose: bool


_KINDS = {"directory": "directory", "symlink": "symbolic link", "fifo": "fifo"}


class _RemovalError(OSError):
    """A target cannot be removed to make room for the copy."""


class Copier:
    """Copies sources to targets and remembers whether all succeeded."""

    def __init__(self, process: Process, arguments: Arguments, policy: Policy) -> None:
        self._process = process
        self._arguments = arguments
        self._policy = policy
        self._made: set[str] = set()
        self._linked: dict[int, str] = {}
        self._finish: list[tuple[str, Stat]] = []
        self._above: list[tuple[str, Stat]] = []
        self._folders: set[int] = set()  # the first that each operand made
        self._marked = self._into_itself = False
        self.failed = False

    def copy(self, source: str, target: str) -> None:
        """Copy one operand, with its content if the policy is recursive."""
        nothing: frozenset[int] = frozenset()
        pending = [(source, target, True, nothing)]
        self._finish = []
        self._marked = self._into_itself = False
        while pending:
            self._process.budget.tick(20)
            name, goal, is_operand, above = pending.pop()
            try:
                if self._policy.follow == "all" and (number := self._directory_number(name)):
                    if number in above:
                        self._fail(f"cannot copy cyclic symbolic link {quote(name)}")
                        continue
                    above |= {number}
                below = self._one(name, goal, is_operand=is_operand, top=(source, target))
                if self._into_itself:
                    pending.clear()
                    self._into_itself = False
                pending.extend((*entry, above) for entry in below)
            except OSError as error:
                self._fail(f"{self._complaint(error, name, goal)}: {error.strerror}")
        # Directories get their mode and times last, when nothing more is written into them.
        for goal, stat in reversed(self._above + self._finish):
            self._preserve(goal, stat)

    def _one(self, source: str, target: str, *, is_operand: bool, top: tuple[str, str]) -> list[tuple[str, str, bool]]:
        """Copy one file; for a directory, return its entries."""
        policy, fs = self._policy, self._process.fs
        follow = policy.follow == "all" or (is_operand and policy.follow == "operands")
        try:
            stat = fs.stat(self._process.path(source), follow=follow or source.endswith("/"))
        except OSError as error:
            self._fail(f"cannot stat {quote(source)}: {error.strerror}")
            return []
        if stat.type == "directory" and not policy.recursive:
            self._fail(f"-r not specified; omitting directory {quote(source)}")
            return []
        try:
            existing = self._existing(target, stat)
        except OSError as error:
            if error.errno != errno.ELOOP or not policy.force:
                self._fail(f"cannot stat {quote(target)}: {error.strerror}")
                return []
            existing = None
        if stat.type == "directory":
            return self._directory(source, target, stat, existing, top)
        if existing is not None and not self._may_replace(source, target, stat, existing, is_operand=is_operand):
            return []
        self._file(source, target, stat, followed=follow)
        return []

    def _existing(self, target: str, stat: Stat) -> Stat | None:
        """The target as it is; None where nothing is there, or only a link that the copy would be written through.

        Raises:
            OSError: That is not known.
        """
        policy, path = self._policy, self._process.path(target)
        try:
            existing = self._process.fs.stat(path, follow=False)
            through = stat.type not in {"directory", "symlink"} and policy.how == "copy" and not policy.remove_first
            if existing.type == "symlink" and through and backups.backup_name(self._process, self._arguments, target) is None:
                self._process.fs.lookup(path)
        except FileNotFoundError:
            return None
        return existing

    def _directory_number(self, name: str) -> int:
        """The inode number of a directory; 0 for anything else."""
        stat = self._status(name, follow=True)
        return stat.ino if stat is not None and stat.type == "directory" else 0

    def _status(self, name: str, *, follow: bool = False) -> Stat | None:
        try:
            return self._process.fs.stat(self._process.path(name), follow=follow)
        except OSError:
            return None

    def _directory(
        self, source: str, target: str, stat: Stat, existing: Stat | None, top: tuple[str, str]
    ) -> list[tuple[str, str, bool]]:
        policy, process = self._policy, self._process
        goal = existing if existing is None or existing.type != "symlink" else self._status(target, follow=True) or existing
        if goal is not None and goal.type != "directory":
            self._fail(f"cannot overwrite non-directory {quote(target)} with directory {quote(source)}")
            return []
        path = process.path(target)
        if goal is not None and goal.ino == stat.ino and source == top[0]:
            if policy.existing == "keep":
                return []
            self._fail(f"{quote(source)} and {quote(target)} are the same file")
            return []
        if goal is None:
            process.fs.mkdir(path, (stat.mode if policy.mode else stat.mode & ~process.umask) | 0o700)
            self._tell(source, target, None)
            if not self._marked:
                self._folders.add(process.fs.stat(path).ino)
                self._marked = True
        if goal is None or policy.mode:
            self._finish.append((target, stat))
        names = process.fs.listdir(process.path(source))
        process.budget.words(len(names))
        below = []
        for name in names:
            child = join(source, name)
            inner = self._status(child)
            if inner is not None and inner.ino in self._folders:
                self._fail(f"cannot copy a directory, {quote(top[0])}, into itself, {quote(top[1])}")
                self._into_itself = True  # nothing that follows is copied
                break
            below.append((child, join(target, name), False))
        return below[::-1]

    def _may_replace(self, source: str, target: str, stat: Stat, existing: Stat, *, is_operand: bool) -> bool:
        policy = self._policy
        followed = self._status(target, follow=True)
        backs_up = backups.control_of(self._process, self._arguments) != "none"
        reached = existing if backs_up else followed or existing
        if self._is_same(source, target, stat, existing):
            if policy.existing == "keep":
                return False
            self._fail(f"{quote(source)} and {quote(target)} are the same file")
            return False
        found = followed if stat.type == "file" and policy.how == "copy" else existing
        if policy.newer_only and found is not None and found.mtime >= stat.mtime:
            return False
        if policy.existing == "keep" and found is not None:
            return False
        forced = policy.force or policy.remove_first
        if policy.existing == "ask" and not confirm_overwriting(self._process, target, reached, forced=forced):
            return False
        if reached.type == "directory":
            self._fail(f"cannot overwrite directory {quote(target)} with non-directory")
            return False
        made = self._process.path(target) in self._made
        if made and existing.type == "symlink" and stat.type == "file":
            refused = f"will not copy {quote(source)} through just-created symlink {quote(target)}"
        else:
            refused = replacement_refusal(self._process, self._arguments, source, target, made=made and is_operand)
        if refused:
            self._fail(refused)
        return not refused

    def _is_same(self, source: str, target: str, stat: Stat, existing: Stat) -> bool:
        """Whether the copy would lose the file: onto itself, another name of it, or what it leads to."""
        policy, link = self._policy, self._status(source)
        from_link = link is not None and link.type == "symlink"
        to_link = existing.type == "symlink"
        origin, reached = self._status(source, follow=True), self._status(target, follow=True)
        reaches = origin is not None and reached is not None and origin.ino == reached.ino
        if policy.how == "link":
            return False  # it is a link to the file already
        itself = entry(self._process, source) == entry(self._process, target)
        backs_up = backups.backup_name(self._process, self._arguments, target) is not None
        if stat.type == "symlink" and (to_link or backs_up):
            return itself
        if stat.type != "symlink" and (policy.remove_first or backs_up):
            return not to_link and reaches and (from_link or itself)
        return reaches and not (to_link and policy.how == "symlink")

    def _file(self, source: str, target: str, stat: Stat, *, followed: bool) -> None:
        process, existing, kept = self._process, self._status(target), None
        if existing is not None:
            wanted = backups.backup_name(process, self._arguments, target)
            if self._is_done(source, stat, existing, backs_up=wanted is not None):
                return
            if wanted is not None:
                process.fs.rename(process.path(target), process.path(wanted))
                kept = wanted
        if existing is not None and kept is None and self._goes_first(target, stat):
            self._remove(target)
        self._tell(source, target, kept)
        try:
            self._make(source, target, stat, followed=followed)
        finally:
            if kept is not None and self._status(target) is None:  # nothing was made in its place
                process.fs.rename(process.path(kept), process.path(target))
                if self._policy.verbose:
                    process.write(f"{quote(kept)} -> {quote(target)} (unbackup)\n")

    def _is_done(self, source: str, stat: Stat, existing: Stat, *, backs_up: bool) -> bool:
        """Whether the target is what a link to the source would be, or another name of the link that is copied."""
        if self._policy.how != "link":
            return stat.type == "symlink" and stat.ino == existing.ino and not backs_up
        origin = self._status(source, follow=True)
        return existing.ino == stat.ino or (origin is not None and existing.ino == origin.ino)

    def _goes_first(self, target: str, stat: Stat) -> bool:
        """Whether an existing target is removed before the copy is made."""
        policy = self._policy
        if policy.remove_first or (stat.type == "symlink" and policy.how != "link" and policy.contents):
            return True
        reached = self._status(target, follow=True)
        shared = reached is not None and reached.links > 1
        return policy.hard_links and policy.how == "copy" and policy.contents and shared

    def _remove(self, target: str) -> None:
        try:
            self._process.fs.unlink(self._process.path(target))
        except OSError as error:
            raise _RemovalError(error.errno, error.strerror) from None
        if self._policy.verbose:
            self._process.write(f"removed {quote(target)}\n")

    def _make(self, source: str, target: str, stat: Stat, *, followed: bool) -> None:
        process, policy, fs = self._process, self._policy, self._process.fs
        path = process.path(target)
        again = path in self._made
        if policy.hard_links and (stat.links > 1 or followed) and stat.ino in self._linked:
            self._replace(path)
            fs.link(self._linked[stat.ino], path)
        elif policy.how == "link":
            existing = self._status(target)
            in_the_way = existing is not None and not (policy.contents and policy.hard_links and existing.links > 1)
            if in_the_way and not policy.force and not (stat.type == "symlink" and policy.contents):
                self._fail(f"cannot create hard link {quote(target)} to {quote(source)}: File exists")
                return
            linked = process.path(source) if stat.type == "symlink" else fs.realpath(process.path(source))
            if existing is not None:
                self._replace(path)
            fs.link(linked, path)
        elif policy.how == "symlink":
            folder, here = (self._status(name, follow=True) for name in (dirname(target) or ".", "."))
            if not source.startswith("/") and folder is not None and here is not None and folder.ino != here.ino:
                self._fail(f"{quote_if_needed(target)}: can make relative symbolic links only in current directory")
                return
            if policy.force:
                self._replace(path)
            fs.symlink(source, path)
        elif stat.type == "symlink":
            if policy.force:
                self._replace(path)
            fs.symlink(fs.readlink(process.path(source)), path)
            self._preserve(target, stat, link=True)
        elif stat.type == "character" and policy.special:
            self._fail(f"cannot create special file {quote(target)}: {os.strerror(errno.EPERM)}")
        elif stat.type == "fifo" and policy.special:
            self._replace(path)
            fs.mkfifo(path, stat.mode)
        elif not self._content(source, target, stat, again=again):
            return
        self._made.add(path)
        if policy.hard_links:
            self._linked.setdefault(stat.ino, path)

    def _replace(self, path: str) -> None:
        """Remove the target to make room for something other than file content."""
        try:
            self._process.fs.unlink(path)
        except FileNotFoundError:
            pass

    def _content(self, source: str, target: str, stat: Stat, *, again: bool) -> bool:
        """Copy what is in a file; false, and a message, where that would go through a link that leads nowhere."""
        process, policy = self._process, self._policy
        path = process.path(target)
        if self._status(target) is None:
            if target.endswith("/"):
                raise os_error(errno.ENOTDIR, path)
        elif self._leads_nowhere(path) and (again or "POSIXLY_CORRECT" not in process.env):
            if again:
                self._fail(f"will not copy {quote(source)} through just-created symlink {quote(target)}")
            else:
                self._fail(f"not writing through dangling symlink {quote(target)}")
            return False
        mode = stat.mode if policy.mode else (0o666 if policy.plain_mode else stat.mode & 0o777) & ~process.umask
        reader = process.open_file(source) if policy.contents else BytesStream(b"")
        try:
            writer = process.fs.open(path, write=True, create=True, truncate=policy.contents, mode=mode)
        except OSError as error:
            if not policy.force or error.errno not in {errno.EACCES, errno.ELOOP}:
                raise
            self._remove(target)
            writer = process.fs.open(path, write=True, create=True, truncate=True, mode=mode)
        for block in reader.blocks():
            process.budget.tick(len(block) >> 8)
            writer.write(block)
        self._preserve(target, stat)
        return True

    def _leads_nowhere(self, path: str) -> bool:
        try:
            self._process.fs.lookup(path)
        except OSError as error:
            return error.errno == errno.ENOENT
        return False

    def parents(self, directory: str, source: str) -> bool:
        """Make the directories that a source stands in, below another (``--parents``); false when they cannot be made."""
        process, fs, policy = self._process, self._process.fs, self._policy
        parts = source.strip("/").split("/")[:-1]
        above = "/" if source.startswith("/") else ""
        self._above = []
        for part in parts:
            above = join(above, part) if above else part
            goal = join(directory, above.lstrip("/"))
            try:
                stat = fs.stat(process.path(join(above, ".")))
            except OSError as error:
                self._fail(f"failed to get attributes of {quote(above)}: {error.strerror}")
                return False
            existing = self._status(goal, follow=True)
            if existing is not None and existing.type != "directory":
                self._fail(f"{quote(goal)} exists but is not a directory")
                return False
            if existing is None:
                try:
                    fs.mkdir(process.path(goal), stat.mode & ~process.umask | 0o700)
                except OSError as error:
                    self._fail(f"cannot make directory {quote(goal)}: {error.strerror}")
                    return False
                if policy.verbose:
                    process.write(f"{above.lstrip('/')} -> {goal}\n")
                self._above.append((goal, stat))
        return True

    def _preserve(self, target: str, stat: Stat, *, link: bool = False) -> None:
        policy, fs, path = self._policy, self._process.fs, self._process.path(target)
        if policy.owner:
            fs.chown(path, stat.uid, stat.gid, follow=not link)
        if policy.mode and not link:
            fs.chmod(path, stat.mode)
        elif stat.type == "directory":
            fs.chmod(path, (0o777 if policy.plain_mode else stat.mode) & ~self._process.umask)
        if policy.times:
            fs.utime(path, stat.atime, stat.mtime, follow=not link)

    def _tell(self, source: str, target: str, kept: str | None) -> None:
        if self._policy.verbose:
            backup = f" (backup: {quote(kept)})" if kept is not None else ""
            self._process.write(f"{quote(source)} -> {quote(target)}{backup}\n")

    def _fail(self, message: str) -> None:
        self._process.warn(message)
        self.failed = True

    def _complaint(self, error: OSError, source: str, target: str) -> str:
        if isinstance(error, _RemovalError):
            return f"cannot remove {quote(target)}"
        stat = self._status(source, follow=True)
        is_directory = stat is not None and stat.type == "directory"
        unseen = stat is None or error.filename == source
        if unseen and error.errno == errno.ENOENT and self._policy.how == "copy":
            return f"cannot open {quote(source)} for reading"
        if error.errno == errno.EACCES and error.filename in {source, self._process.path(source)}:
            return f"cannot access {quote(source)}" if is_directory else f"cannot open {quote(source)} for reading"
        if error.errno == errno.ENOSPC:
            return f"error writing {quote(target)}"
        if error.errno in {errno.ENXIO, errno.EISDIR}:
            return f"cannot open {quote(source)} for reading"
        if self._policy.how == "link":
            return f"cannot create hard link {quote(target)} to {quote(source)}"
        if self._policy.how == "symlink":
            return f"cannot create symbolic link {quote(target)} to {quote(source)}"
        own = self._status(source)
        kind = "directory" if is_directory else own.type if own is not None else ""
        if kind == "symlink" and self._policy.follow == "all":
            kind = ""
        return f"cannot create {_KINDS.get(kind, 'regular file')} {quote(target)}"
