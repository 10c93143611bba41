"""Changes owners and groups of files for ``chown`` and ``chgrp``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.owners import name_of
from bashkit.commands._filesystem.trees import refuses_root, trimmed, walk
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
    if "R" in arguments and arguments.last("dereference", "h") == "dereference" and not _follows(arguments):
        raise UsageError("-R --dereference requires either -H or -L", hint=False)
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
    return max([_operand(process, arguments, trimmed(name), change, only) for name in operands], default=0)


def _operand(process: Process, arguments: Arguments, name: str, change: Change, only: Change) -> int:
    if "R" in arguments and refuses_root(process, arguments, name):
        return 1
    lost: set[str] = set()

    def lose(name: str, message: str) -> None:
        lost.add(name)
        _fail(process, arguments, message)
        _describe(process, arguments, name, None, change, "failed")

    status = 0
    traversed = arguments.last("H", "L", "P")
    try:
        if "R" in arguments:
            found = walk(process, name, lose, enter=traversed in {"H", "L"}, follow=traversed == "L", after=True)
            for child, _ in found:
                status |= _change(process, arguments, child, change, only) if child not in lost else 1
        else:
            process.fs.stat(process.path(name), follow=False)
            status = _change(process, arguments, name, change, only)
    except OSError as error:
        lose(name, f"cannot access {quote(name)}: {error.strerror}")
    return status or int(bool(lost))


def _change(process: Process, arguments: Arguments, name: str, change: Change, only: Change) -> int:
    path = process.path(name)
    follow = _follows(arguments)
    try:
        stat = process.fs.stat(path, follow=follow)
    except OSError as error:
        _fail(process, arguments, f"cannot dereference {quote(name)}: {error.strerror}")
        _describe(process, arguments, name, process.fs.stat(path, follow=False), change, "failed")
        return 1
    concerned = only.uid in {-1, stat.uid} and only.gid in {-1, stat.gid}
    try:
        if concerned:
            process.fs.chown(path, change.uid, change.gid, follow=follow)
    except OSError as error:
        what = "ownership" if change.uid != -1 else "group"
        _fail(process, arguments, f"changing {what} of {quote(name)}: {error.strerror}")
        _describe(process, arguments, name, stat, change, "failed")
        return 1
    same = change.uid in {-1, stat.uid} and change.gid in {-1, stat.gid}
    _describe(process, arguments, name, stat, change, "changed" if concerned and not same else "retained")
    return 0


def _fail(process: Process, arguments: Arguments, message: str) -> None:
    if "f" not in arguments:
        process.warn(message)


def _describe(process: Process, arguments: Arguments, name: str, stat: Stat | None, change: Change, outcome: str) -> None:
    """Say what became of a file, where ``-v`` or ``-c`` asks for it.

    Args:
        process: ``chown`` or ``chgrp``.
        arguments: Its options.
        name: The file.
        stat: What it was; None if that is not known.
        change: What it should become.
        outcome: ``changed``, ``retained`` or ``failed``.
    """
    report = arguments.last("c", "v")
    if report is None or (report == "c" and outcome != "changed"):
        return
    what = "ownership" if change.uid != -1 or change.gid == -1 else "group"
    old = "" if stat is None else _pair(process, change, stat.uid, stat.gid)
    new = _pair(process, change, change.uid, change.gid)
    if outcome == "retained":
        process.write(f"{what} of {quote(name)} retained{' as ' * bool(old)}{old}\n")
    else:
        begun = "changed" if outcome == "changed" else "failed to change"
        process.write(f"{begun} {what} of {quote(name)}{' from ' * bool(old)}{old}{' to ' * bool(new)}{new}\n")


def _follows(arguments: Arguments) -> bool:
    """Whether what a link leads to is changed, not the link."""
    if "R" in arguments and arguments.last("H", "L", "P") not in {"H", "L"}:
        return False
    return arguments.last("dereference", "h") != "h"


def _pair(process: Process, change: Change, uid: int, gid: int) -> str:
    names = []
    if change.uid != -1:
        names.append(name_of(process, uid))
    if change.gid != -1:
        names.append(name_of(process, gid, group=True))
    return ":".join(names)
