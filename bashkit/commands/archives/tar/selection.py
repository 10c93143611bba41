"""Matches names against tar's patterns (GNU tar manual, 6.5 Wildcards, 6.4 Excluding)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands.archives.tar.places import lines
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_SPECIAL = frozenset("*?[")
_VCS = (
    "CVS", ".cvsignore", "RCS", "SCCS", ".git", ".gitignore", ".gitattributes", ".gitmodules", ".svn", ".arch-ids", "{arch}",
    "=RELEASE-ID", "=meta-update", "=update", ".bzr", ".bzrignore", ".bzrtags", ".hg", ".hgignore", ".hgtags", "_darcs",
)  # fmt: skip
_BACKUPS = (".#*", "*~", "#*#")


class Selector:
    """A pattern for the name of a member or of a directory above it.

    Args:
        pattern: The pattern.
        wildcards: Whether ``*``, ``?`` and ``[`` are wildcards.
        anchored: Whether the pattern must match at the start of the name, not after any slash.
        ignore_case: Whether case is ignored.
        wildcards_match_slash: Whether a wildcard matches a slash, too.
    """

    def __init__(
        self, pattern: str, *, wildcards: bool, anchored: bool, ignore_case: bool, wildcards_match_slash: bool = True
    ) -> None:
        pattern = pattern.rstrip("/") or pattern
        if not wildcards:
            pattern = "".join("\\" + char if char in _SPECIAL or char == "\\" else char for char in pattern)
        pieces = [pattern] if wildcards_match_slash else pattern.split("/")
        self._globs = [compile_glob(piece, extglob=False, ignore_case=ignore_case) for piece in pieces]
        self._matches_slash = wildcards_match_slash
        self._anchored = anchored

    def matches(self, name: str) -> bool:
        """Whether the pattern matches the name or a directory above it."""
        parts = (name.rstrip("/") or name).split("/")
        starts = range(1) if self._anchored else range(len(parts))
        if not self._matches_slash:
            count = len(self._globs)
            return any(self._agrees(parts[start : start + count]) for start in starts if start + count <= len(parts))
        (glob,) = self._globs
        return any(glob.matches("/".join(parts[start:end])) for start in starts for end in range(start + 1, len(parts) + 1))

    def _agrees(self, parts: list[str]) -> bool:
        return all(glob.matches(part) for glob, part in zip(self._globs, parts, strict=True))


def exclusions(process: Process, arguments: Arguments) -> list[tuple[int, Selector]]:
    """The patterns of ``--exclude`` and related options, each with its option's place among those given.

    Options before each decide how it matches. A file of ``-X`` is read here and nowhere else: it may be a pipe.
    """
    found: list[tuple[int, Selector]] = []
    how = {"wildcards": True, "anchored": False, "ignore_case": False, "wildcards_match_slash": True}
    for place, (key, argument) in enumerate(arguments.given):
        if key.replace("-", "_") in how:
            how[key.replace("-", "_")] = True
        elif key.startswith("no-") and key[3:].replace("-", "_") in how:
            how[key[3:].replace("-", "_")] = False
        patterns: tuple[str, ...] = ()
        if key == "exclude":
            patterns = (argument or "",)
        elif key == "X":
            patterns = tuple(filter(None, lines(process, argument or "")))
        elif key in {"exclude-vcs", "exclude-backups"}:
            patterns = _VCS if key == "exclude-vcs" else _BACKUPS
        found.extend((place, Selector(pattern, **how)) for pattern in patterns)
    return found


def inclusion(arguments: Arguments, pattern: str) -> Selector:
    """The selector for a member to extract or list."""
    return Selector(
        pattern,
        wildcards=arguments.last("wildcards", "no-wildcards") == "wildcards",
        anchored=arguments.last("anchored", "no-anchored") != "no-anchored",
        ignore_case=arguments.last("ignore-case", "no-ignore-case") == "ignore-case",
        wildcards_match_slash=arguments.last("wildcards-match-slash", "no-wildcards-match-slash") != "no-wildcards-match-slash",
    )


def has_wildcards(pattern: str) -> bool:
    """Whether a name contains wildcards."""
    return any(char in _SPECIAL for char in pattern)
