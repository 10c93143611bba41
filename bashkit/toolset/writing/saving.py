"""Writes the new text of a toolset file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_MARK = "\ufeff"  # of the byte order, which some editors put at the beginning


def save(path: Path, text: str) -> None:
    """Write the text; a mark at the beginning of the file stays.

    Raises:
        OSError: The file cannot be read or written.
    """
    mark = _MARK if path.read_bytes().startswith(_MARK.encode()) else ""
    path.write_bytes((mark + text).encode("utf-8"))
