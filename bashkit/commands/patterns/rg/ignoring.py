"""The ignore files that rg respects, and whose rules go before whose (ripgrep guide, Automatic filtering; gitignore(5))."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.ignorerules import IgnoreRule, read_rules
from bashkit.commands.patterns.rg.globs import alternatives

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_EXCLUDE, _GITIGNORE = ".git/info/exclude", ".gitignore"
_GIT = {_EXCLUDE, _GITIGNORE}
_FIRST = (".git", _GITIGNORE, ".ignore", ".rgignore")  # what in a directory matters


@dataclass(frozen=True, slots=True)
class Level:
    """What one directory says.

    Attributes:
        base: How many components of a path below the top lead to the directory; negative above the top.
        repository: Whether it is the top of a repository: ignore files of git above it do not count.
        rules: Its rules, by the name of their file.
    """

    base: int
    repository: bool = False
    rules: dict[str, list[IgnoreRule]] = field(default_factory=dict)


class IgnoreFiles:
    """Reads ignore files, and says what they say of a path.

    Args:
        process: The utility.
        arguments: Its options, which say what counts.
    """

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        ignores = not {"no-ignore", "u"} & {key for key, _ in arguments.given}
        git = ignores and "no-ignore-vcs" not in arguments
        self._names = [  # those that go first, last
            *([_EXCLUDE] if git and "no-ignore-exclude" not in arguments else []),
            *([_GITIGNORE] if git else []),
            *([".ignore"] if ignores and "no-ignore-dot" not in arguments else []),
            *([".rgignore"] if ignores else []),
        ]
        self._needs_repository = git and "no-require-git" not in arguments
        self._reads_above = "no-ignore-parent" not in arguments
        self._folds = "ignore-file-case-insensitive" in arguments
        self._given = self._named(arguments.all("ignore-file")) if "no-ignore-files" not in arguments else []

    def _named(self, names: list[str]) -> list[IgnoreRule]:
        """The rules of ``--ignore-file``."""
        rules: list[IgnoreRule] = []
        for name in names:
            try:
                rules += self._read(self._process.path(name))
            except IsADirectoryError as error:
                self._process.say(f"{name}: line 1: {error.strerror} (os error {error.errno})\n")
            except OSError as error:
                self._process.say(f"{name}: {error.strerror} (os error {error.errno})\n")
        return rules

    def _read(self, path: str) -> list[IgnoreRule]:
        stream = self._process.fs.open(path, read=True)
        return read_rules(self._process, stream, ignore_case=self._folds, expand=alternatives)

    def level(self, directory: str, base: int, names: Collection[str]) -> Level:
        """What a directory says.

        Args:
            directory: The directory.
            base: How many components of a path below the top lead to it.
            names: What is in it.
        """
        prefix = directory.rstrip("/")
        rules: dict[str, list[IgnoreRule]] = {}
        for name in self._names if base >= 0 or self._reads_above else ():
            if name.partition("/")[0] in names:
                try:
                    found = self._read(f"{prefix}/{name}")
                except OSError:
                    continue
                if found:
                    rules[name] = found
        return Level(base, self._needs_repository and ".git" in names, rules)

    def above(self, parts: list[str]) -> list[Level]:
        """What the directories above say, from the root on.

        Args:
            parts: The components of the top's path.
        """
        found: list[Level] = []
        for count in range(len(parts)):
            directory = "/" + "/".join(parts[:count])
            names = [name for name in _FIRST if self._process.fs.exists(f"{directory.rstrip('/')}/{name}")]
            found.append(self.level(directory, count - len(parts), names))
        return [level for level in found if level.repository or level.rules]

    def keeps(
        self, levels: Sequence[Level], trail: list[str], above: list[str], below_cwd: int, *, is_directory: bool
    ) -> bool | None:
        """Whether the rules keep a path; None where they say nothing.

        Args:
            levels: What the directories that it lies in say, the nearest one last.
            trail: Its components below the top.
            above: Those of the top's path.
            below_cwd: How many of those lie below the working directory.
            is_directory: Whether it is a directory.
        """
        inside = not self._needs_repository or any(level.repository for level in levels)
        for name in reversed(self._names):
            if name in _GIT and not inside:
                continue
            for level in reversed(levels):
                if name in level.rules:
                    path = trail[level.base :] if level.base >= 0 else [*above[level.base :], *trail]
                    said = _says(level.rules[name], path, is_directory=is_directory)
                    if said is not None:
                        return said
                if level.repository and name in _GIT:
                    break
        return _says(self._given, [*above[len(above) - below_cwd :], *trail], is_directory=is_directory) if self._given else None


def _says(rules: list[IgnoreRule], path: list[str], *, is_directory: bool) -> bool | None:
    for rule in reversed(rules):
        if rule.matches(path, is_directory=is_directory):
            return rule.keeps
    return None
