"""Walks directory trees of any depth without recursion in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import join
from bashkit.commands._notation.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.fs import Stat
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process


def walk(
    process: Process, top: str, lost: Callable[[str, str], None] | None = None, *, enter: bool = False
) -> Iterator[tuple[str, Stat]]:
    """Yield everything below ``top`` with its status, a directory before its entries; links are not followed.

    Args:
        process: Its budget is charged.
        top: As the user wrote it; the names below begin with it.
        lost: Gets the name of each directory that cannot be read, and a message; otherwise standard error gets it.
        enter: Follow ``top`` where it is a link to a directory.

    Raises:
        OSError: ``top`` itself cannot be read.
    """
    pending = [top]
    while pending:
        process.budget.tick(10)
        name = pending.pop()
        path = process.path(name)
        stat = process.fs.stat(path, follow=enter and name == top)
        yield name, stat
        if stat.type == "directory":
            try:
                entries = process.fs.listdir(path)
            except OSError as error:
                message = f"cannot read directory {quote(name)}: {error.strerror}"
                if lost is None:
                    process.warn(message)
                else:
                    lost(name, message)
                continue
            pending.extend(join(name, entry) for entry in reversed(entries))


def remove(process: Process, top: str) -> None:
    """Remove a file, or a directory with everything below it.

    Raises:
        OSError: Something of it cannot be removed.
    """
    directories: list[str] = []
    for name, stat in walk(process, top):
        if stat.type == "directory":
            directories.append(process.path(name))
        else:
            process.fs.unlink(process.path(name))
    for path in reversed(directories):
        process.budget.tick(10)
        process.fs.rmdir(path)


def refuses_root(process: Process, arguments: Arguments, name: str) -> bool:
    """Whether ``--preserve-root`` forbids a recursive change of ``name``, which is then reported."""
    if arguments.last("preserve-root", "no-preserve-root") != "preserve-root" or process.fs.realpath(process.path(name)) != "/":
        return False
    same = "" if name == "/" else f" (same as {quote('/')})"
    process.warn(f"it is dangerous to operate recursively on {quote(name)}{same}")
    process.warn("use --no-preserve-root to override this failsafe")
    return True
