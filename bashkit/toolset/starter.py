"""What a new tool begins with: the lines of its callback, and the files that these name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from pathlib import Path


class ScaffoldError(BashkitError):
    """A tool that cannot be added; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Starter:
    """A callback that works at once, to be changed into one's own.

    Attributes:
        callback: The lines of YAML that declare it, ``callback:`` first.
        texts: The content of files that are written or changed for it.
        executable: The one of them that is made executable, or None.
    """

    callback: list[str]
    texts: dict[Path, str] = field(default_factory=dict)
    executable: Path | None = None
