"""Excludes files by tags and patterns found in directories (GNU tar manual, 6.4 Excluding Some Files)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.targets import join
from bashkit.commands.archives.tar.selection import Selector

if TYPE_CHECKING:
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process

_CACHE_TAG = "CACHEDIR.TAG"
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"
_VCS_IGNORES = (".cvsignore", ".gitignore", ".bzrignore", ".hgignore")
_WHATS_LEFT = {"": "contents not dumped", "-under": "contents not dumped", "-all": "directory not dumped"}


class Pruner:
    """Looks for tags and pattern files in directories.

    Args:
        process: The running command.
        arguments: ``--exclude-caches``, ``--exclude-tag``, ``--exclude-ignore`` and their relatives.
        verbose: Whether it says what it passes over.
    """

    def __init__(self, process: Process, arguments: Arguments, *, verbose: bool) -> None:
        self._process = process
        self._tags = [
            (suffix, _CACHE_TAG if kind == "caches" else tag or "", kind == "caches")
            for suffix in _WHATS_LEFT
            for kind in ("caches", "tag")
            for key, tag in arguments.given
            if key == f"exclude-{kind}{suffix}"
        ]
        self._lists = [*arguments.all("exclude-ignore"), *arguments.all("exclude-ignore-recursive")]
        self._lists += _VCS_IGNORES if "exclude-vcs-ignores" in arguments else ()
        self._verbose = verbose
        self.active = bool(self._tags or self._lists)

    def tagged(self, name: str, path: str, names: list[str]) -> tuple[bool, list[str]]:
        """Decide what of a tagged directory is archived: only its tag, nothing, or everything."""
        for suffix, tag, signed in self._tags:
            if tag in names and (not signed or self._is_signed(join(path, tag))):
                if self._verbose:
                    self._process.warn(f"{name.rstrip('/')}/: contains a cache directory tag {tag}; {_WHATS_LEFT[suffix]}")
                return suffix != "-all", [tag] if not suffix else []
        return True, names

    def _is_signed(self, path: str) -> bool:
        try:
            return self._process.fs.read_file(path).startswith(_SIGNATURE)
        except OSError:
            return False

    def selectors(self, path: str, names: list[str]) -> list[Selector]:
        """The patterns in a directory's own files, for its entries and subdirectories."""
        found: list[Selector] = []
        for name in self._lists:
            if name not in names:
                continue
            try:
                text = self._process.fs.read_file(join(path, name)).decode("utf-8", "surrogateescape")
            except OSError:
                continue
            lines = [line for line in text.split("\n") if line and not line.startswith(("#", "!"))]
            self._process.budget.words(len(lines))
            found += [Selector(line, wildcards=True, anchored=False, ignore_case=False) for line in lines]
        return found
