"""realpath: print the resolved absolute file name (GNU coreutils manual, realpath)."""

from __future__ import annotations

import errno
import os
import posixpath
from typing import TYPE_CHECKING, Literal

from bashkit.commands._filesystem.canonical import canonical
from bashkit.commands._notation.quoting import quote_if_needed
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "realpath",
    usage="[OPTION]... FILE...",
    summary="Print the resolved absolute file name; all but the last component must exist.",
    options=(
        flag("-e", "--canonicalize-existing", help="all components of the path must exist"),
        flag("-m", "--canonicalize-missing", help="no path components need exist or be a directory"),
        flag("-L", "--logical", help="resolve '..' components before symlinks"),
        flag("-P", "--physical", help="resolve symlinks as encountered (default)"),
        flag("-q", "--quiet", help="suppress most error messages"),
        value("--relative-to", metavar="DIR", help="print the resolved path relative to DIR"),
        value("--relative-base", metavar="DIR", help="print absolute paths unless paths below DIR"),
        flag("-s", "--strip", "--no-symlinks", help="don't expand symlinks"),
        flag("-z", "--zero", help="end each output line with NUL, not newline"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Print each name; 1 when one cannot be resolved."""
    if not arguments.operands:
        raise UsageError("missing operand")
    end = "\0" if "z" in arguments else "\n"
    goal, base = arguments.get("relative-to"), arguments.get("relative-base")
    try:
        goal = None if goal is None else _folder(process, arguments, goal)
        base = None if base is None else _folder(process, arguments, base)
    except OSError as error:
        process.warn(f"{quote_if_needed(str(error.filename))}: {error.strerror}")
        return 1
    status = 0
    for name in arguments.operands:
        try:
            path = _resolved(process, arguments, name)
        except OSError as error:
            if "q" not in arguments:
                process.warn(f"{quote_if_needed(name)}: {error.strerror}")
            status = 1
            continue
        process.write(_relative(path, goal, base) + end)
    return status


def _resolved(process: Process, arguments: Arguments, name: str) -> str:
    existence = arguments.last("e", "m")
    missing: Literal["none", "last", "all"] = "none" if existence == "e" else "all" if existence == "m" else "last"
    last = arguments.last("L", "P", "s")
    if last in {"L", "s"}:
        logical = canonical(process, name, missing=missing, links=False)
        return logical if last == "s" else canonical(process, logical, missing=missing)
    return canonical(process, name, missing=missing)


def _folder(process: Process, arguments: Arguments, name: str) -> str:
    """A directory that names are relative to; with ``-e`` it must be one."""
    try:
        path = _resolved(process, arguments, name)
        if arguments.last("e", "m") == "e" and process.fs.stat(path).type != "directory":
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except OSError as error:
        error.filename = name
        raise
    return path


def _relative(path: str, goal: str | None, base: str | None) -> str:
    if base is not None:
        inside = [base, *([goal] if goal is not None else []), path]
        if not all(item == base or item.startswith(base.rstrip("/") + "/") for item in inside):
            return path
    if goal is None and base is None:
        return path
    return posixpath.relpath(path, goal or base)
