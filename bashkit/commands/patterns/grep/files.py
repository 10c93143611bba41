"""Selects the files that grep searches: operands, directory trees, and the globs of --include and --exclude."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import PATTERN, read_names
from bashkit.limits import paced
from bashkit.regex.glob import compile_glob

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process
    from bashkit.regex.glob import GlobMatcher


@dataclass(frozen=True, slots=True)
class Filter:
    """Selects files and directories by globs.

    Attributes:
        files: Pairs of a glob and whether it includes, in the order given.
        directories: Globs of directories to skip.
    """

    files: tuple[tuple[GlobMatcher, bool], ...]
    directories: tuple[GlobMatcher, ...]

    def takes(self, path: str) -> bool:
        """Whether a file is searched: the last glob that matches decides."""
        for matcher, include in reversed(self.files):
            if _matches(matcher, path):
                return include
        return not self.files or not self.files[0][1]

    def enters(self, path: str) -> bool:
        """Whether a directory is searched: an operand as it is written, or the name of one below."""
        return not any(_matches(matcher, path) for matcher in self.directories)


EVERYTHING = Filter((), ())
_FILTERS = frozenset(["exclude", "exclude-dir", "exclude-from", "include"])  # options


def _matches(matcher: GlobMatcher, path: str) -> bool:
    """Whether a glob matches a whole path or the part after one of its slashes."""
    parts = path.split("/")
    return any(matcher.matches("/".join(parts[index:])) for index in range(len(parts)))


def read_filter(process: Process, arguments: Arguments) -> Filter:
    """Read the filter from the options."""
    if any(key in _FILTERS for key, _ in arguments.given):
        return _read_filter(process, arguments)
    return EVERYTHING


def _read_filter(process: Process, arguments: Arguments) -> Filter:
    files: list[tuple[GlobMatcher, bool]] = []
    for key, text in arguments.given:
        if key in ("include", "exclude") and text is not None:
            files.append((compile_glob(text, extglob=False), key == "include"))
        elif key == "exclude-from" and text is not None:
            lines = read_names(process, process.open(text))
            process.hold(PATTERN * len(lines))
            files += [(compile_glob(line, extglob=False), False) for line in paced(lines, 10) if line]
    directories = tuple(compile_glob(text.rstrip("/"), extglob=False) for text in arguments.all("exclude-dir"))
    return Filter(tuple(files), directories)


def walk(
    process: Process,
    name: str,
    names: Filter,
    report: Callable[[str, str], None],
    *,
    follow: bool,
    silent: bool = False,
    above: frozenset[int] = frozenset(),
) -> Iterator[str]:
    """The regular files under a directory, in the order of the file system.

    Args:
        process: The running utility.
        name: The directory as the user wrote it; "" for the working directory without a prefix.
        names: The filter.
        report: Called with a directory that cannot be read, and why.
        follow: Follow symbolic links below.
        silent: Say nothing of links that lead back.
        above: The inode numbers of the directories around it, where links are followed.
    """
    process.budget.tick(20)
    if follow:
        number = process.fs.stat(process.path(name or ".")).ino
        if number in above:
            if not silent:
                process.warn(f"{name}: warning: recursive directory loop")
            return
        above |= {number}
    prefix = f"{name}/" if name and not name.endswith("/") else name
    try:
        entries = process.fs.listdir(process.path(name or "."))
    except OSError as error:
        report(name or ".", error.strerror or str(error))
        return
    for entry in entries:
        path = prefix + entry
        try:
            kind = process.fs.stat(process.path(path), follow=False).type
            if kind == "symlink":
                if not follow:
                    continue
                kind = process.fs.stat(process.path(path)).type
        except OSError:
            if names.takes(entry):
                yield path
            continue
        if kind == "directory":
            if names.enters(entry) and path.count("/") < _DEEPEST:
                yield from walk(process, path, names, report, follow=follow, silent=silent, above=above)
        elif kind == "file" and names.takes(entry):
            yield path


_DEEPEST = 200  # maximum nesting of directories
