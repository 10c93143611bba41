"""A file that diff compares."""

from __future__ import annotations

from dataclasses import dataclass

_NO_NEWLINE = b"\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class Side:
    """A file that diff compares.

    Attributes:
        name: As the user wrote it.
        label: What to print instead, or None.
        modified: Its modification time.
        lines: Without their newlines.
        complete: Whether the last line ends in a newline.
    """

    name: str
    label: str | None
    modified: float
    lines: list[bytes]
    complete: bool

    def ends(self, index: int) -> bool:
        """Whether a line ends in a newline, as all but the last one do."""
        return self.complete or index < len(self.lines) - 1

    def line(self, index: int, prefix: bytes) -> bytes:
        """Write a line, with a remark if its newline is missing."""
        text = prefix + self.lines[index] + b"\n"
        return text if self.ends(index) else text + _NO_NEWLINE
