"""mv: move (rename) files (POSIX XCU mv)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._filesystem import backups
from bashkit.commands._filesystem.targets import Placement, entry, join, last_component, placements, replacement_refusal
from bashkit.commands._notation.quoting import quote
from bashkit.commands.files._copying import Copier, Policy
from bashkit.commands.files._replies import confirm_overwriting
from bashkit.interp.utility.command import Arguments, command, flag, value

if TYPE_CHECKING:
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process


@command(
    "mv",
    usage="[OPTION]... SOURCE... DEST or -t DIRECTORY SOURCE...",
    summary="Rename SOURCE to DEST, or move SOURCE(s) to DIRECTORY.",
    options=(
        *backups.OPTIONS,
        flag("-f", "--force", help="do not prompt before overwriting"),
        flag("-i", "--interactive", help="prompt before overwrite"),
        flag("-n", "--no-clobber", help="do not overwrite an existing file"),
        flag("--strip-trailing-slashes", help="remove any trailing slashes from each SOURCE argument"),
        value("-t", "--target-directory", metavar="DIRECTORY", help="move all SOURCE arguments into DIRECTORY"),
        flag("-T", "--no-target-directory", help="treat DEST as a normal file"),
        flag("-u", "--update", help="move only when the SOURCE file is newer than the destination file"),
        flag("-v", "--verbose", help="explain what is being done"),
        flag("-Z", "--context", help="(ignored: there are no security contexts here)"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Move each source; 1 when one could not be moved."""
    pairs = placements(process, arguments)
    backups.refuse_with_no_clobber(arguments, arguments.last("n", "i", "f") == "n")
    if "strip-trailing-slashes" in arguments:
        pairs = [Placement(*(name.rstrip("/") or name[:1] for name in (pair.source, pair.target))) for pair in pairs]
    made: set[str] = set()
    results = [_move(process, arguments, pair, made) for pair in pairs]
    return 0 if all(results) else 1


def _status(process: Process, name: str) -> Stat | None:
    try:
        return process.fs.stat(process.path(name), follow=False)
    except OSError:
        return None


def _move(process: Process, arguments: Arguments, pair: Placement, made: set[str]) -> bool:
    source, target = pair.source, pair.target
    process.budget.tick(20)
    try:
        stat = process.fs.stat(process.path(source), follow=False)
    except OSError as error:
        process.warn(f"cannot stat {quote(source)}: {error.strerror}")
        return False
    try:
        existing: Stat | None = process.fs.stat(process.path(target), follow=False)
    except FileNotFoundError:
        existing = None
    except OSError as error:
        process.warn(f"cannot stat {quote(target)}: {error.strerror}")
        return False
    if existing is not None:
        if arguments.last("n", "i", "f") == "n" and _is_same(process, source, target, stat, existing, backs_up=False):
            return True
        kept = backups.backup_name(process, arguments, target)
        if _is_same(process, source, target, stat, existing, backs_up=kept is not None):
            process.warn(f"{quote(source)} and {quote(target)} are the same file")
            return False
        if not _may_replace(process, arguments, target, stat, existing):
            return True
        if existing.type == "directory" and stat.type != "directory" and kept is None:
            process.warn(f"cannot overwrite directory {quote(target)} with non-directory")
            return False
        if existing.type != "directory" and stat.type == "directory" and kept is None:
            process.warn(f"cannot overwrite non-directory {quote(target)} with directory {quote(source)}")
            return False
        refused = replacement_refusal(process, arguments, source, target, made=_path(process, target) in made, done="moved")
        if refused:
            process.warn(refused)
            return False
    return _rename(process, arguments, source, target, made)


def _is_same(process: Process, source: str, target: str, stat: Stat, existing: Stat, *, backs_up: bool) -> bool:
    """Whether the move would lose the file: onto itself, onto another name of it, or a link onto what it leads to."""
    place = entry(process, target)
    if backs_up and stat.type != "directory":
        return entry(process, source) == place
    return stat.ino == existing.ino or (stat.type == "symlink" and _leads_to(process, source) == place)


def _leads_to(process: Process, name: str) -> str:
    try:
        return process.fs.realpath(process.path(name))
    except OSError:
        return ""


def _path(process: Process, name: str) -> str:
    return process.path(name).rstrip("/")


def _may_replace(process: Process, arguments: Arguments, target: str, stat: Stat, existing: Stat) -> bool:
    if "u" in arguments and stat.type != "directory" and existing.mtime >= stat.mtime:
        return False
    last = arguments.last("n", "i", "f")
    return last != "n" and (last != "i" or confirm_overwriting(process, target, existing, forced=True))


def _rename(process: Process, arguments: Arguments, source: str, target: str, made: set[str]) -> bool:
    kept = None
    try:
        if _status(process, target) is not None and last_component(source) not in {".", ".."}:
            kept = backups.backup_name(process, arguments, target)
            if kept is not None:
                process.fs.rename(process.path(target), process.path(kept))
    except OSError as error:
        process.warn(f"cannot backup {quote(target)}: {error.strerror}")
        return False
    try:
        process.fs.rename(process.path(source), process.path(target))
    except OSError as error:
        if error.errno == errno.EXDEV:
            return _move_by_copying(process, arguments, source, target, made)
        if error.errno == errno.EINVAL:
            process.warn(f"cannot move {quote(source)} to a subdirectory of itself, {quote(target)}")
        else:
            process.warn(f"cannot move {quote(source)} to {quote(target)}: {error.strerror}")
        return False
    made.add(_path(process, target))
    if "v" in arguments:
        backup = f" (backup: {quote(kept)})" if kept is not None else ""
        process.write(f"renamed {quote(source)} -> {quote(target)}{backup}\n")
    return True


class _Mover(Copier):
    """Copies to another file system, with mv's messages."""

    def _tell(self, source: str, target: str, kept: str | None) -> None:
        if self._policy.verbose:
            backup = f" (backup: {quote(kept)})" if kept is not None else ""
            self._process.write(f"copied {quote(source)} -> {quote(target)}{backup}\n")


def _move_by_copying(process: Process, arguments: Arguments, source: str, target: str, made: set[str]) -> bool:
    """Move to another file system: replace the target by a copy, then remove the source (POSIX XCU mv, steps 4 to 6)."""
    existing = _status(process, target)
    if existing is not None:
        try:
            (process.fs.rmdir if existing.type == "directory" else process.fs.unlink)(process.path(target))
        except OSError as error:
            process.warn(
                f"inter-device move failed: {quote(source)} to {quote(target)}; unable to remove target: {error.strerror}"
            )
            return False
    mover = _Mover(process, arguments, _policy(verbose="v" in arguments))
    mover.copy(source, target)
    made.add(_path(process, target))
    return not mover.failed and _remove(process, arguments, source)


def _policy(*, verbose: bool) -> Policy:
    return Policy(
        recursive=True,
        follow="none",
        mode=True,
        plain_mode=False,
        times=True,
        owner=True,
        hard_links=True,
        existing="replace",
        newer_only=False,
        force=False,
        remove_first=False,
        how="copy",
        contents=True,
        special=True,
        verbose=verbose,
    )


def _remove(process: Process, arguments: Arguments, top: str) -> bool:
    """Remove the copied files, a directory after its entries."""
    fs = process.fs
    pending = [(top, False)]
    try:
        while pending:
            process.budget.tick(10)
            name, emptied = pending.pop()
            path = process.path(name)
            if fs.stat(path, follow=False).type != "directory":
                fs.unlink(path)
            elif emptied:
                fs.rmdir(path)
            else:
                pending.append((name, True))
                pending.extend((join(name, entry), False) for entry in reversed(fs.listdir(path)))
                continue
            if "v" in arguments:
                process.write(f"removed {'directory ' if emptied else ''}{quote(name)}\n")
    except OSError as error:
        process.warn(f"cannot remove {quote(name)}: {error.strerror}")
        return False
    return True
