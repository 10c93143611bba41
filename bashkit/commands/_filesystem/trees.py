"""Walking directory trees without recursing in Python, however deep they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import join
from bashkit.commands._notation.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.fs import Stat
    from bashkit.interp.process import Process


def walk(process: Process, top: str) -> Iterator[tuple[str, Stat]]:
    """Everything below ``top`` with its status, a directory before what it holds; links are not followed.

    Args:
        process: Asked for time; what cannot be read is reported on its standard error.
        top: As the user wrote it; the names below begin with it.

    Raises:
        OSError: ``top`` itself cannot be looked at.
    """
    pending = [top]
    while pending:
        process.budget.tick(10)
        name = pending.pop()
        path = process.path(name)
        stat = process.fs.stat(path, follow=False)
        yield name, stat
        if stat.type == "directory":
            try:
                entries = process.fs.listdir(path)
            except OSError as error:
                process.warn(f"cannot read directory {quote(name)}: {error.strerror}")
                continue
            pending.extend(join(name, entry) for entry in reversed(entries))
