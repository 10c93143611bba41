"""Writes the files of a call's result into the session."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.interp.utility.process import Process


def save(process: Process, files: Mapping[str, bytes | None]) -> None:
    """Write, make and remove files as ``ToolResult.files`` says.

    Args:
        process: The command; relative paths are below its working directory.
        files: The contents by path.

    Raises:
        OSError: One of them cannot be written; those before it are.
    """
    for name, content in files.items():
        try:
            _save(process, name, content)
        except OSError as error:
            raise OSError(error.errno, error.strerror, name) from error


def _save(process: Process, name: str, content: bytes | None) -> None:
    path = process.path(name.rstrip("/") or "/")
    if content is not None and not name.endswith("/"):
        process.fs.makedirs(path.rpartition("/")[0] or "/")
        process.fs.write_file(path, content, 0o666 & ~process.umask)
    elif content is not None:
        process.fs.makedirs(path)
    else:
        with suppress(FileNotFoundError):
            (process.fs.rmdir if name.endswith("/") else process.fs.unlink)(path)
