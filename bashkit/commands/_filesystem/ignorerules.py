"""The rules of ignore files, as git, rg and tree read them (gitignore(5), Pattern Format)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import PATTERN, read_names
from bashkit.limits import paced
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from bashkit.fs import Stream
    from bashkit.interp.utility.process import Process
    from bashkit.regex.glob import GlobMatcher


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    """One line of an ignore file, or one ``-g``.

    Attributes:
        parts: The segments of its pattern; None for ``**``.
        keeps: It includes files again (``!``).
        directory: It applies only to directories.
    """

    parts: tuple[GlobMatcher | None, ...]
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
        return cls(
            tuple(None if part == "**" else compile_glob(part, extglob=False, ignore_case=ignore_case) for part in parts),
            keeps,
            directory,
        )

    def matches(self, path: list[str], *, is_directory: bool) -> bool:
        """Whether the rule matches a path below its own directory."""
        if self.directory and not is_directory:
            return False
        reached = {0}  # how many segments of the pattern may have matched
        for name in path:
            following: set[int] = set()
            for place in reached:
                while place < len(self.parts) and self.parts[place] is None:
                    following.add(place)
                    place += 1
                matcher = self.parts[place] if place < len(self.parts) else None
                if matcher is not None and matcher.matches(name):
                    following.add(place + 1)
            reached = following
        last = {place for place in reached if all(part is None for part in self.parts[place:])}
        return bool(last) and len(self.parts) > 0


def read_rules(process: Process, stream: Stream) -> list[IgnoreRule]:
    """The rules of an ignore file, held until the utility ends."""
    found: list[IgnoreRule] = []
    for line in paced(read_names(process, stream), 10):
        rule = IgnoreRule.read(line)
        if rule is not None:
            process.hold(PATTERN)
            found.append(rule)
    return found
