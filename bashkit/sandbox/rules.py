"""What one kind of sandbox process may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Rules:
    """What one kind of sandbox process may do.

    Attributes:
        memory: Bytes of address space beyond what it has when it is confined.
        cpu: Seconds of processor time in its whole life.
        readable: Directories of the host that it may read.
        writable: Those that it may change.
    """

    memory: int
    cpu: int
    readable: Sequence[str] = ()
    writable: Sequence[str] = ()
