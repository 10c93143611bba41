"""The rules of ignore files, as git, rg and tree read them (gitignore(5), Pattern Format)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import PATTERN, read_names
from bashkit.limits import paced
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.regex.glob import GlobMatcher


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file, or one ``-g``.

    Attributes:
        parts: The segments of its pattern; None for ``**``, but for those at its end.
        below: It ends with ``**``: what is below the paths that the segments match.
        keeps: It includes files again (``!``).
        directory: It applies only to directories.
    """

    parts: tuple[GlobMatcher | None, ...]
    below: bool
    keeps: bool
    directory: bool

    @classmethod
    def read(cls, line: str, *, ignore_case: bool = False) -> IgnoreRule | None:
        """Parse a line into a rule; None for a comment or an empty line."""
        text = line.rstrip("\r\n")
        while text.endswith(" ") and not text.endswith("\\ "):
            text = text[:-1]
        if not text or text.startswith("#"):
            return None
        keeps = text.startswith("!")
        text = text.removeprefix("!").removeprefix("\\")
        directory = text.endswith("/")
        text = text.rstrip("/")
        anchored = "/" in text
        parts = text.lstrip("/").split("/")
        if not anchored:
            parts = ["**", *parts]
        below = parts[-1] == "**"
        while parts and parts[-1] == "**":
            parts.pop()
        return cls(
            tuple(None if part == "**" else compile_glob(part, extglob=False, ignore_case=ignore_case) for part in parts),
            below,
            keeps,
            directory,
        )

    def matches(self, path: list[str], *, is_directory: bool) -> bool:
        """Whether the rule matches a path below its own directory."""
        if self.directory and not is_directory:
            return False
        reached = {0}  # how many segments of the pattern may have matched
        for name in path:
            if self.below and len(self.parts) in reached:
                return True
            following: set[int] = set()
            for place in reached:
                while place < len(self.parts) and self.parts[place] is None:
                    following.add(place)
                    place += 1
                matcher = self.parts[place] if place < len(self.parts) else None
                if matcher is not None and matcher.matches(name):
                    following.add(place + 1)
            reached = following
        return not self.below and len(self.parts) in reached


def read_rules(
    process: Process, stream: Stream, *, ignore_case: bool = False, expand: Callable[[str], Iterable[str]] | None = None
) -> list[IgnoreRule]:
    """The rules of an ignore file, held until the utility ends.

    Args:
        process: The utility.
        stream: The ignore file.
        ignore_case: Whether small and capital letters are the same.
        expand: Makes several patterns of a line.
    """
    found: list[IgnoreRule] = []
    for line in paced(read_names(process, stream), 10):
        for pattern in [line] if expand is None else expand(line):
            rule = IgnoreRule.read(pattern, ignore_case=ignore_case)
            if rule is not None:
                process.hold(PATTERN)
                found.append(rule)
    return found
