"""rmdir: remove empty directories (POSIX XCU rmdir)."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import quote
from bashkit.interp.utility.command import Arguments, UsageError, command, flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


@command(
    "rmdir",
    usage="[OPTION]... DIRECTORY...",
    summary="Remove the DIRECTORY(ies), if they are empty.",
    options=(
        flag("--ignore-fail-on-non-empty", help="ignore each failure to remove a non-empty directory"),
        flag("-p", "--parents", help="remove DIRECTORY and its ancestors"),
        flag("-v", "--verbose", help="output a diagnostic for every directory processed"),
    ),
)
def main(process: Process, arguments: Arguments) -> int:
    """Remove each directory; 1 when one could not be removed."""
    if not arguments.operands:
        raise UsageError("missing operand")
    status = 0
    for name in arguments.operands:
        names = [name]
        while "p" in arguments and "/" in name.rstrip("/"):
            name = name.rstrip("/").rpartition("/")[0].rstrip("/")
            if not name:
                break
            names.append(name)
        for position, part in enumerate(names):
            left = _remove(process, arguments, part, above=position > 0)
            if left is not None:
                status = max(status, left)
                break
    return status


def _remove(process: Process, arguments: Arguments, name: str, *, above: bool) -> int | None:
    """Remove a directory; return the status where it is left, which ends the chain."""
    if "v" in arguments:
        process.write(f"rmdir: removing directory, {quote(name)}\n")
    try:
        path = process.path(name)
        link = path.rstrip("/")
        if link != path and link and process.fs.stat(link, follow=False).type == "symlink":
            leads_to_file = process.fs.exists(link) and not process.fs.is_directory(link)
            raise OSError(errno.ENOTDIR, "Not a directory" if leads_to_file else "Symbolic link not followed")
        process.fs.rmdir(path)
    except OSError as error:
        if "ignore-fail-on-non-empty" in arguments and _is_filled(process, name, error.errno or 0):
            return 0
        what = "failed to remove directory" if above else "failed to remove"
        process.warn(f"{what} {quote(name)}: {error.strerror}")
        return 1
    return None


def _is_filled(process: Process, name: str, problem: int) -> bool:
    """Whether a directory that could not be removed has entries; it is kept, too, where it may not be written, or is mounted."""
    if problem not in {errno.EACCES, errno.EPERM, errno.EROFS, errno.EBUSY}:
        return problem == errno.ENOTEMPTY
    try:
        return bool(process.fs.listdir(process.path(name)))
    except OSError:
        return False
