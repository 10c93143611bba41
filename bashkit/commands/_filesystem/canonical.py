"""Canonical names: absolute, without links, ``.`` and ``..`` (GNU coreutils manual, realpath)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Literal

from bashkit.fs.stream import os_error

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_MAX_LINKS = 40


def canonical(process: Process, name: str, *, missing: Literal["none", "last", "all"], links: bool = True) -> str:
    """The canonical form of ``name``.

    Args:
        process: The utility.
        name: As the user wrote it.
        missing: Which components need not exist.
        links: Whether to resolve symbolic links; otherwise ``..`` just removes the component before it.

    Raises:
        OSError: A component is missing or not a directory, or links form a loop.
    """
    if not name:
        raise os_error(errno.ENOENT, name)
    resolved: list[str] = []
    path = process.path(name)
    if not links and not name.startswith("/"):
        path = f"{process.fs.realpath(process.cwd)}/{name}"  # where the process is, whatever links led there
    pending = path.split("/")[::-1]
    followed = 0
    while pending:
        process.budget.tick(2)
        part = pending.pop()
        if part in {"", "."}:
            continue
        if part == "..":
            del resolved[-1:]
            continue
        here = "/" + "/".join([*resolved, part])
        target = _target(process, here) if links else None
        if target is not None:
            followed += 1
            if followed <= _MAX_LINKS:
                if target.startswith("/"):
                    resolved = []
                pending.extend(target.split("/")[::-1])
                continue
            if missing != "all":
                raise os_error(errno.ELOOP, name)
        resolved.append(part)
        if missing == "all":
            continue
        try:
            _check(process, here, pending, links=links)
        except FileNotFoundError:
            if missing == "none" or any(pending):
                raise
    return "/" + "/".join(resolved)


def _target(process: Process, path: str) -> str | None:
    """What a symbolic link refers to; None for anything else, and for what is not there."""
    try:
        return process.fs.readlink(path) if process.fs.stat(path, follow=False).type == "symlink" else None
    except OSError:
        return None


def _check(process: Process, path: str, rest: list[str], *, links: bool) -> None:
    """Raise OSError if a file is missing, or is no directory where one is needed.

    Args:
        process: The utility.
        path: The file.
        rest: The components behind it, last one first.
        links: Those before it have no links; otherwise a component that others follow may be missing.
    """
    following = next((part for part in reversed(rest) if part not in {"", "."}), "..")
    if following == ".." and rest:
        if process.fs.stat(path).type != "directory":
            raise os_error(errno.ENOTDIR, path)
    elif links or not rest:
        process.fs.stat(path)
