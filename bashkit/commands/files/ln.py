"""ln: make links between files (POSIX XCU ln)."""

from __future__ import annotations

import errno
import posixpath
from typing import TYPE_CHECKING

from bashkit.commands._filesystem import backups
from bashkit.commands._filesystem.canonical import canonical
from bashkit.commands._filesystem.targets import Placement, entry, last_component, placements
from bashkit.commands._notation.quoting import quote, quote_if_needed
from bashkit.commands.files._replies import confirm
from bashkit.interp.utility.command import Arguments, command, flag, value
from bashkit.limits import paced

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "ln",
    usage="[OPTION]... TARGET... LINK_NAME or TARGET... DIRECTORY",
    summary="Create hard links, or symbolic links with --symbolic.",
    options=(
        *backups.OPTIONS,
        flag("-s", "--symbolic", help="make symbolic links instead of hard links"),
        flag("-d", "-F", "--directory", help="try to link directories; no file system here lets you"),
        flag("-f", "--force", help="remove existing destination files"),
        flag("-i", "--interactive", help="prompt whether to remove destinations"),
        flag("-n", "--no-dereference", help="treat LINK_NAME as a normal file if it is a symbolic link to a directory"),
        flag("-r", "--relative", help="with -s, create links relative to link location"),
        flag("-L", "--logical", help="dereference TARGETs that are symbolic links"),
        flag("-P", "--physical", help="make hard links directly to symbolic links (default)"),
        value("-t", "--target-directory", metavar="DIRECTORY", help="specify the DIRECTORY in which to create the links"),
        flag("-T", "--no-target-directory", help="treat LINK_NAME as a normal file always"),
        flag("-v", "--verbose", help="print name of each linked file"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Make each link; 1 when one could not be made."""
    if "r" in arguments and "s" not in arguments:
        process.warn("cannot do --relative without --symbolic")
        return 1
    if len(arguments.operands) == 1 and "t" not in arguments and "T" not in arguments:
        only = arguments.operands[0]
        pairs = [Placement(only, "./" + last_component(only))]
    else:
        pairs = placements(process, arguments, follow="n" not in arguments)
    results = [_link(process, arguments, pair) for pair in paced(pairs, 8)]
    return 0 if all(results) else 1


def _link(process: Process, arguments: Arguments, pair: Placement) -> bool:
    fs = process.fs
    path = process.path(pair.target)
    symbolic = "s" in arguments
    if not symbolic and not _can_be_linked(process, arguments, pair.source):
        return False
    kept = None
    try:
        source = _relative(process, pair) if "r" in arguments else pair.source
        original = process.path(pair.source)
        original = fs.realpath(original) if not symbolic and _is_logical(arguments) else original
        linked = False
        if _exists(process, pair.target, certain=bool({"f", "i", "b", "backup"} & {key for key, _ in arguments.given})):
            kept = backups.backup_name(process, arguments, pair.target)
            forced = "f" in arguments or "i" in arguments or kept is not None
            if forced and fs.stat(path, follow=False).type == "directory":
                process.warn(f"{quote_if_needed(pair.target)}: cannot overwrite directory")
                return False
            same = forced and (kept is None or not symbolic) and _is_same(process, source, pair.target, symbolic=symbolic)
            asks = arguments.last("i", "f") == "i" and not (same and kept is not None)
            if asks and not confirm(process, f"replace {quote(pair.target)}?"):
                return True
            if same:
                process.warn(f"{quote(source)} and {quote(pair.target)} are the same file")
                return False
            linked = forced and not symbolic and fs.stat(path, follow=False).ino == fs.stat(original, follow=False).ino
            if kept is not None:
                fs.rename(path, process.path(kept))
                if _exists(process, pair.target):  # it is a link to the same file as the backup
                    fs.unlink(path)
            elif forced and not linked:
                fs.unlink(path)
        if symbolic:
            fs.symlink(source, path)
        elif not linked or kept is not None:
            fs.link(original, path)
    except _UnreachableError as error:
        process.warn(f"failed to access {quote(pair.target)}: {error}")
        return False
    except OSError as error:
        between = ("" if pair.source else " -> ''") if symbolic else f" => {quote(pair.source)}"
        what = "symbolic" if symbolic else "hard"
        if kept is not None and not _exists(process, pair.target):
            fs.rename(process.path(kept), path)
        process.warn(f"failed to create {what} link {quote(pair.target)}{between if error.errno != 17 else ''}: {error.strerror}")
        return False
    if "v" in arguments:
        backup = f"{quote(kept)} ~ " if kept is not None else ""
        process.write(f"{backup}{quote(pair.target)} {'->' if symbolic else '=>'} {quote(source)}\n")
    return True


def _is_same(process: Process, source: str, target: str, *, symbolic: bool) -> bool:
    """Whether a link would take the place of the file that it leads to."""
    if entry(process, source) != entry(process, target):
        return False
    is_link = process.fs.stat(process.path(source), follow=False).type == "symlink"
    return not (is_link and symbolic)


def _is_logical(arguments: Arguments) -> bool:
    return arguments.last("L", "P") == "L"


class _UnreachableError(Exception):
    """It is not known whether a target exists."""


def _exists(process: Process, name: str, *, certain: bool = False) -> bool:
    """Whether there is such a name.

    Raises:
        _UnreachableError: That must be ``certain``, and something else than its absence is in the way.
    """
    try:
        process.fs.lookup(process.path(name), follow=False)
    except OSError as error:
        if certain and error.errno != errno.ENOENT:
            raise _UnreachableError(error.strerror) from None
        return False
    return True


def _can_be_linked(process: Process, arguments: Arguments, source: str) -> bool:
    try:
        stat = process.fs.stat(process.path(source), follow=_is_logical(arguments))
    except OSError as error:
        process.warn(f"failed to access {quote(source)}: {error.strerror}")
        return False
    if stat.type == "directory" and "d" not in arguments:
        process.warn(f"{quote_if_needed(source)}: hard link not allowed for directory")
        return False
    return True


def _relative(process: Process, pair: Placement) -> str:
    """The relative path from the link's directory to the target."""
    fs = process.fs
    directory = process.path(pair.target).rstrip("/").rpartition("/")[0] or "/"
    try:
        start = fs.realpath(directory)
        goal = canonical(process, process.path(pair.source), missing="all")
    except OSError:
        return pair.source
    return posixpath.relpath(goal, start)
