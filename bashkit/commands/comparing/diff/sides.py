"""A file that diff compares."""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTED = re.compile(rb'[\0-\x20"\\\x80-\xff]')
_SPECIAL = re.compile(rb'[\0-\x1f"\\\x80-\xff]')
_NAMED = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}  # bytes with an escape of their own
_NO_NEWLINE = b"\\ No newline at end of file\n"


def shown_name(name: str) -> str:
    """A file name as headers have it: quoted where a blank or a byte that is not ASCII would leave its end or itself unclear."""
    data = name.encode("utf-8", "surrogateescape")
    if _QUOTED.search(data) is None:
        return name
    return f'"{_SPECIAL.sub(_escaped, data).decode("ascii")}"'


def _escaped(found: re.Match[bytes]) -> bytes:
    byte = found[0][0]
    return f"\\{_NAMED.get(byte) or format(byte, '03o')}".encode()


@dataclass(frozen=True, slots=True)
class Side:
    """A file that diff compares.

    Attributes:
        name: As the user wrote it.
        label: What to print instead in headers, or None.
        modified: Its modification time.
        lines: Without their newlines.
        complete: Whether the last line ends in a newline.
        bare: Whether no blank stands before an empty line (``--suppress-blank-empty``).
    """

    name: str
    label: str | None
    modified: float
    lines: list[bytes]
    complete: bool
    bare: bool = False

    def ends(self, index: int) -> bool:
        """Whether a line ends in a newline, as all but the last one do."""
        return self.complete or index < len(self.lines) - 1

    def line(self, index: int, prefix: bytes) -> bytes:
        """Write a line, with a remark if its newline is missing."""
        line = self.lines[index]
        text = (prefix if line or not self.bare else prefix.rstrip()) + line + b"\n"
        return text if self.ends(index) else text + _NO_NEWLINE
