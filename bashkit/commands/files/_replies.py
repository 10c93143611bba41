"""Asks for confirmation before a utility destroys something; the answer comes from standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.modes import letters
from bashkit.commands._notation.quoting import quote

if TYPE_CHECKING:
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process


def confirm(process: Process, question: str) -> bool:
    """Ask ``NAME: question`` on standard error; true for an answer that begins with ``y`` or ``Y``."""
    process.stderr.write(f"{process.name}: {question} ".encode("utf-8", "surrogateescape"))
    return process.stdin.read_line()[:1] in {b"y", b"Y"}


def confirm_overwriting(process: Process, name: str, stat: Stat, *, forced: bool) -> bool:
    """Ask whether an existing file shall be overwritten, and say so where it is write-protected.

    Args:
        process: The utility.
        name: The file, as the user wrote it.
        stat: Its status.
        forced: It would be removed where it cannot be opened.
    """
    mode = f"{stat.mode:04o}"
    if stat.type == "symlink" or process.fs.access(process.path(name), "w"):
        return confirm(process, f"overwrite {quote(name)}?")
    if forced:
        return confirm(process, f"replace {quote(name)}, overriding mode {mode} ({letters('file', stat.mode)[1:]})?")
    return confirm(process, f"unwritable {quote(name)} (mode {mode}, {letters('file', stat.mode)[1:]}); try anyway?")


def kind_for_question(kind: str, size: int) -> str:
    """The name of a type in questions: ``regular empty file``, ``directory``, ``symbolic link``."""
    if kind == "file":
        return "regular file" if size else "regular empty file"
    return {"symlink": "symbolic link", "character": "character special file"}.get(kind, kind)
