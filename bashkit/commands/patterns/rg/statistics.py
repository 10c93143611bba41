"""What rg --stats and rg --json tell about a search."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bashkit.fs.stream import NullStream

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.regex import Pattern


class CountingStream(NullStream):
    """Passes on what is written to it, and counts the bytes."""

    __slots__ = ("_target", "count")

    def __init__(self, target: Stream) -> None:
        super().__init__()
        self._target = target
        self.count = 0

    def write(self, data: bytes) -> None:
        """Write to the target."""
        self.count += len(data)
        self._target.write(data)


@dataclass(slots=True)
class Statistics:
    """The counts of one search or of all of them.

    Attributes:
        began: When, in seconds of the system's clock.
        took: How long the searches took, in seconds.
    """

    began: float
    took: float = 0.0
    searches: int = 0
    with_match: int = 0
    searched: int = 0
    printed: int = 0
    lines: int = 0
    matches: int = 0

    def add(self, other: Statistics) -> None:
        """Add the counts of a search."""
        self.took += other.took
        self.searches += other.searches
        self.with_match += other.with_match
        self.searched += other.searched
        self.printed += other.printed
        self.lines += other.lines
        self.matches += other.matches

    def count(self, process: Process, pattern: Pattern, data: bytes, *, inverted: bool) -> None:
        """Count a file that was searched."""
        text = data.decode("utf-8", "surrogateescape")
        lines: set[int] = set()
        limit = len(text) - text.endswith("\n")
        start, number, matches = 0, 0, 0
        for match in pattern.finditer(text):
            process.budget.tick()
            if match.start() > limit:
                break
            number += text.count("\n", start, match.start())
            start = match.start()
            lines.update(range(number, number + text.count("\n", start, max(match.end() - 1, start)) + 1))
            matches += 1
        every = text.count("\n") + (not text.endswith("\n") and bool(text))
        self.searches += 1
        self.searched += len(data)
        self.lines += every - len(lines) if inverted else len(lines)
        self.matches += 0 if inverted else matches
        self.with_match += bool(every - len(lines) if inverted else lines)

    def report(self, now: float) -> str:
        """The lines of ``--stats``."""
        return (
            f"\n{self.matches} matches\n{self.lines} matched lines\n{self.with_match} files contained matches\n"
            f"{self.searches} files searched\n{self.printed} bytes printed\n{self.searched} bytes searched\n"
            f"{self.took:.6f} seconds spent searching\n{now - self.began:.6f} seconds\n"
        )

    def values(self) -> dict[str, Any]:
        """The object ``stats`` of a JSON line."""
        return {
            "elapsed": elapsed(self.took),
            "searches": self.searches,
            "searches_with_match": self.with_match,
            "bytes_searched": self.searched,
            "bytes_printed": self.printed,
            "matched_lines": self.lines,
            "matches": self.matches,
        }

    def summary(self, now: float) -> str:
        """The last line of ``--json``, whose names are in order."""
        data = {"elapsed_total": elapsed(now - self.began), "stats": self.values()}
        return json.dumps({"data": data, "type": "summary"}, separators=(",", ":"), sort_keys=True) + "\n"


def elapsed(seconds: float) -> dict[str, Any]:
    """A time as whole seconds, nanoseconds and text."""
    whole = int(seconds)
    return {"secs": whole, "nanos": int((seconds - whole) * 1e9), "human": f"{seconds:.6f}s"}
