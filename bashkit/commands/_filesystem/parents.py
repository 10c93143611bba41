"""Directories with those above them, for ``mkdir -p`` and ``install -d``."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.fs.stream import os_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from bashkit.interp.utility.process import Process


def make_all(process: Process, name: str, mode: int, above: int, tell: Callable[[str], None]) -> None:
    """Make a directory and what is missing above it.

    Args:
        process: The utility.
        name: As the user wrote it.
        mode: The permissions of the directory itself.
        above: The permissions of those above it.
        tell: Is called with the name of each that was made.

    Raises:
        OSError: One cannot be made or entered; ``filename`` is its name.
    """
    if not name:
        raise os_error(errno.ENOENT, name)
    parts = name.split("/")
    for count in range(1, len(parts) + 1):
        process.budget.tick(5)
        last = not any(parts[count:])
        part = name if last else "/".join(parts[:count])
        if not part or not parts[count - 1]:
            continue
        path = process.path(part)
        try:
            kind = process.fs.stat(path).type
        except FileNotFoundError:
            try:
                process.fs.mkdir(path, mode if last else above)
            except OSError as error:
                raise os_error(error.errno or 0, part) from None
            tell(part)
            continue
        except OSError as error:
            in_the_way = last and error.errno == errno.ENOTDIR and process.fs.exists(path.rstrip("/"))
            raise os_error(errno.EEXIST if in_the_way else error.errno or 0, part) from None
        if kind != "directory":
            raise os_error(errno.EEXIST if last else errno.ENOTDIR, part)
        if not last and not process.fs.access(path, "x"):
            raise os_error(errno.EACCES, part)
