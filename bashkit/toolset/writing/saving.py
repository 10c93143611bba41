"""Writes files as a whole, also where a disk is full."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bashkit import host_files
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

_MARK = "\ufeff"  # of the byte order, which some editors put at the beginning


def save(path: Path, text: str) -> None:
    """Write the new text of a file, which may be new, too; a mark at its beginning stays.

    Raises:
        BashkitError: It cannot be written. It is then as it was before, also if the disk is full.
    """
    before: bytes | None = None
    new = False
    try:
        new = not path.exists()
        before = None if new else host_files.read_bytes(path)
        mark = _MARK if before is not None and before.startswith(_MARK.encode()) else ""
        path.write_bytes((mark + text.removeprefix(_MARK)).encode("utf-8"))
    except OSError as error:
        with suppress(OSError):
            if before is not None:
                path.write_bytes(before)
            elif new:
                path.unlink()
        raise BashkitError(f"{path} cannot be written: {error.strerror}") from error


def write_all(file: FileIO, data: bytes) -> None:
    """Write to a file without a buffer, which may take only a part at once, as where the disk is nearly full.

    Raises:
        OSError: Something cannot be written.
    """
    while data:
        data = data[file.write(data) :]
