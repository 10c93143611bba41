"""Changes owners and groups of files for ``chown`` and ``chgrp``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._filesystem.trees import refuses_root, walk
from bashkit.commands._notation.quoting import mention, quote
from bashkit.interp.utility.command import Arguments, UsageError, flag, value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

OPTIONS = (
    flag("-c", "--changes", help="like verbose but report only when a change is made"),
    flag("-f", "--silent", "--quiet", help="suppress most error messages"),
    flag("-v", "--verbose", help="output a diagnostic for every file processed"),
    flag("--dereference", help="affect the referent of each symbolic link (default)"),
    flag("-h", "--no-dereference", help="affect symbolic links instead of any referenced file"),
    value("--from", metavar="OWNER:GROUP", help="change only files that have this owner and group"),
    value("--reference", metavar="RFILE", help="use RFILE's owner and group"),
    flag("-R", "--recursive", help="operate on files and directories recursively"),
    flag("-H", help="if an argument is a symbolic link to a directory, traverse it"),
    flag("-L", help="traverse every symbolic link to a directory"),
    flag("-P", help="do not traverse any symbolic links (default)"),
    flag("--preserve-root", help="fail to operate recursively on '/'"),
    flag("--no-preserve-root", help="do not treat '/' specially (the default)"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """The identifiers to set; -1 leaves one unchanged."""

    uid: int
    gid: int


def change_all(process: Process, arguments: Arguments, read: Callable[[Process, str], Change]) -> int:
    """Change the operands and return the exit status.

    Args:
        process: ``chown`` or ``chgrp``.
        arguments: Parsed with OPTIONS.
        read: Parses the first operand to a Change.
    """
    operands = arguments.operands[:]
    reference = arguments.get("reference")
    if not operands:
        raise UsageError("missing operand")
    if reference is None:
        text = operands.pop(0)
        if not operands:
            raise UsageError(f"missing operand after {mention(text)}")
        change = read(process, text)
    else:
        try:
            stat = process.fs.stat(process.path(reference))
        except OSError as error:
            raise UsageError(f"failed to get attributes of {quote(reference)}: {error.strerror}", hint=False) from None
        change = Change(stat.uid if process.name == "chown" else -1, stat.gid)
    origin = arguments.get("from")
    only = read(process, origin) if origin is not None else Change(-1, -1)
    return max([_operand(process, arguments, name, change, only) for name in operands], default=0)


def _operand(process: Process, arguments: Arguments, name: str, change: Change, only: Change) -> int:
    if "R" in arguments and refuses_root(process, arguments, name):
        return 1
    status = 0

    def fail(_: str, message: str) -> None:
        nonlocal status
        status = 1
        if "f" not in arguments:
            process.warn(message)

    try:
        found = walk(process, name, fail) if "R" in arguments else [(name, process.fs.stat(process.path(name), follow=False))]
        for child, _ in found:
            status |= _change(process, arguments, child, change, only)
    except OSError as error:
        fail(name, f"cannot access {quote(name)}: {error.strerror}")
    return status


def _change(process: Process, arguments: Arguments, name: str, change: Change, only: Change) -> int:
    path = process.path(name)
    follow = "h" not in arguments
    stat = process.fs.stat(path, follow=follow)
    if only.uid not in {-1, stat.uid} or only.gid not in {-1, stat.gid}:
        return 0
    try:
        process.fs.chown(path, change.uid, change.gid, follow=follow)
    except OSError as error:
        if "f" not in arguments:
            process.warn(f"changing {'ownership' if change.uid != -1 else 'group'} of {quote(name)}: {error.strerror}")
        return 1
    report = arguments.last("c", "v")
    if report:
        _report(process, name, stat, change, always=report == "v")
    return 0


def _report(process: Process, name: str, stat: Stat, change: Change, *, always: bool) -> None:
    what = "ownership" if change.uid != -1 else "group"
    old = _pair(process, change, stat.uid, stat.gid)
    new = _pair(process, change, change.uid, change.gid)
    if change.uid in {-1, stat.uid} and change.gid in {-1, stat.gid}:
        if always:
            process.write(f"{what} of {quote(name)} retained as {old}\n")
        return
    process.write(f"changed {what} of {quote(name)} from {old} to {new}\n")


def _pair(process: Process, change: Change, uid: int, gid: int) -> str:
    names = []
    if change.uid != -1:
        names.append(name_of(process, uid))
    if change.gid != -1:
        names.append(name_of(process, gid, group=True))
    return ":".join(names)
