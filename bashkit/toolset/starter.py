"""The first callback of a new tool: its YAML lines, and the files that they name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from pathlib import Path


class ScaffoldError(BashkitError):
    """A tool cannot be added; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A working callback for the author to change.

    Attributes:
        callback: The lines of YAML that declare it, ``callback:`` first.
        texts: The content of the files to create or change.
        executable: The file to make executable, or None.
    """

    callback: list[str]
    texts: dict[Path, str] = field(default_factory=dict)
    executable: Path | None = None
