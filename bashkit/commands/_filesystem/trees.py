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


def trimmed(name: str) -> str:
    """An operand as messages show it when a tree is walked: with one slash behind it at most."""
    stripped = name.rstrip("/")
    return name[: len(stripped) + 1] if stripped else name


def walk(
    process: Process,
    top: str,
    lost: Callable[[str, str], None] | None = None,
    *,
    enter: bool = False,
    follow: bool = False,
    after: bool = False,
) -> Iterator[tuple[str, Stat]]:
    """Yield everything below ``top`` with its status.

    Args:
        process: Its budget is charged.
        top: As the user wrote it; the names below begin with it.
        lost: Gets the name of each directory that cannot be read, and of each entry whose status is not known, and a message;
            otherwise standard error gets it.
        enter: Follow ``top`` where it is a link to a directory.
        follow: Follow every link to a directory that does not hold it.
        after: A directory comes after its entries, not before.

    Raises:
        OSError: The status of ``top`` itself, or without ``lost`` of anything below it, is not known.
    """
    outside: frozenset[int] = frozenset()
    pending: list[tuple[str, frozenset[int], Stat | None]] = [(top, outside, None)]
    while pending:
        process.budget.tick(10)
        name, above, done = pending.pop()
        if done is not None:
            yield name, done
            continue
        path = process.path(name)
        try:
            stat = process.fs.stat(path, follow=enter and name == top)
        except OSError as error:
            if lost is None or name == top:
                raise
            lost(name, f"cannot access {quote(name)}: {error.strerror}")
            continue
        if follow and stat.type == "symlink":
            stat = _directory_behind(process, path) or stat
        if stat.type != "directory" or stat.ino in above:
            yield name, stat
            continue
        if after:
            pending.append((name, above, stat))
        else:
            yield name, stat
        try:
            entries = process.fs.listdir(path)
        except OSError as error:
            message = f"cannot read directory {quote(name)}: {error.strerror}"
            if lost is None:
                process.warn(message)
            else:
                lost(name, message)
            continue
        inside = above | {stat.ino} if follow else above
        pending.extend((join(name, entry), inside, None) for entry in reversed(entries))


def _directory_behind(process: Process, path: str) -> Stat | None:
    """The directory that a link leads to; None where it leads nowhere, or to something else."""
    try:
        stat = process.fs.stat(path)
    except OSError:
        return None
    return stat if stat.type == "directory" else None


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
    say_root_is_kept(process, name)
    return True


def say_root_is_kept(process: Process, name: str) -> None:
    """Say that ``name`` means the root directory, which is left alone."""
    same = "" if name == "/" else f" (same as {quote('/')})"
    process.warn(f"it is dangerous to operate recursively on {quote(name)}{same}")
    process.warn("use --no-preserve-root to override this failsafe")
