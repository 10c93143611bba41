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
    fs = process.fs
    resolved: list[str] = []
    pending = process.path(name).split("/")[::-1]
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
        try:
            stat = fs.stat(here, follow=False)
        except (FileNotFoundError, NotADirectoryError) as error:
            more = any(rest not in {"", "."} for rest in pending)
            if missing == "none" or (missing == "last" and (more or isinstance(error, NotADirectoryError))):
                raise
            resolved.append(part)
            continue
        if stat.type == "symlink" and links:
            followed += 1
            if followed > _MAX_LINKS:
                if missing == "all":
                    resolved.append(part)
                    continue
                raise os_error(errno.ELOOP, name)
            target = fs.readlink(here)
            if target.startswith("/"):
                resolved = []
            pending.extend(target.split("/")[::-1])
            continue
        resolved.append(part)
        if pending and stat.type != "directory" and missing != "all" and not (stat.type == "symlink" and fs.exists(here)):
            raise os_error(errno.ENOTDIR, name)
    return "/" + "/".join(resolved)
