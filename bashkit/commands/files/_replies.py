"""Asks for confirmation before a utility destroys something; the answer comes from standard input."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process


def confirm(process: Process, question: str) -> bool:
    """Ask ``NAME: question`` on standard error; true for an answer that begins with ``y`` or ``Y``."""
    process.stderr.write(f"{process.name}: {question} ".encode("utf-8", "surrogateescape"))
    return process.stdin.read_line()[:1] in {b"y", b"Y"}


def kind_for_question(kind: str, size: int) -> str:
    """The name of a type in questions: ``regular empty file``, ``directory``, ``symbolic link``."""
    if kind == "file":
        return "regular file" if size else "regular empty file"
    return {"symlink": "symbolic link", "character": "character special file"}.get(kind, kind)
