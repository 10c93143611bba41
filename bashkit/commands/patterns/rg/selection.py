"""Selects the files that rg searches: globs, types, hidden files and ignore files (ripgrep guide, Automatic filtering;
gitignore(5)).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.commands._filesystem.ignorerules import IgnoreRule
from bashkit.commands.patterns.rg.expressions import PatternError
from bashkit.commands.patterns.rg.globs import alternatives
from bashkit.commands.patterns.rg.ignoring import IgnoreFiles
from bashkit.commands.patterns.rg.types import known_types
from bashkit.interp.utility.command import UsageError
from bashkit.limits import ask
from bashkit.regex.glob import compile_glob
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.commands.patterns.rg.ignoring import Level
    from bashkit.interp.utility.command import Arguments
    from bashkit.interp.utility.process import Process
    from bashkit.regex.glob import GlobMatcher

_DEEPEST = 200


class Selection:
    """Walks directories as the options say.

    Attributes:
        failed: Whether something there could not be read.
    """

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        unrestricted = sum(key == "u" for key, _ in arguments.given)
        self.binary = unrestricted > 2
        self._hidden = "hidden" in arguments or unrestricted > 1
        self._follow = "L" in arguments
        self.failed = False
        depth = arguments.get("max-depth")
        if depth is not None and not is_digits(depth):
            raise PatternError("error: Invalid value for '--max-depth <NUM>': invalid digit found in string\n\n")
        self._depth = min(_DEEPEST, int(depth[:6])) if depth is not None else _DEEPEST
        self._globs: list[IgnoreRule] = []
        for key, text in arguments.given:
            if key in {"g", "iglob"} and text:
                ignore_case = key == "iglob" or "glob-case-insensitive" in arguments
                for glob in alternatives(text):
                    rule = IgnoreRule.read(glob, ignore_case=ignore_case)
                    self._globs += [rule] if rule else []
                    ask(len(glob) >> 2)
        self._only = self._types(arguments, "t")
        self._without = self._types(arguments, "T")
        self._ignoring = IgnoreFiles(process, arguments)
        self._largest = _size(arguments.get("max-filesize"))

    @staticmethod
    def _types(arguments: Arguments, key: str) -> list[GlobMatcher]:
        found: list[GlobMatcher] = []
        known = known_types(arguments)
        for name in arguments.all(key):
            if name not in known and name != "all":
                raise PatternError(f"unrecognized file type: {name}\n")
            for chosen in known if name == "all" else [name]:
                globs = [part for glob in known[chosen].split() for part in alternatives(glob)]
                found += [compile_glob(glob, extglob=False) for glob in globs]
        return found

    def files(self, top: str) -> Iterator[str]:
        """The files below a directory, sorted; ``""`` for the working directory."""
        root = self._process.path(top or ".")
        self._above = parts = [part for part in self._process.fs.realpath(root).split("/") if part]
        cwd = [part for part in self._process.cwd.split("/") if part]
        self._below_cwd = parts[len(cwd) :] if parts[: len(cwd)] == cwd else []
        yield from self._walk(top, [], self._ignoring.above(parts), 1)

    def _walk(self, top: str, inside: list[str], levels: list[Level], depth: int) -> Iterator[str]:
        process = self._process
        process.budget.tick(20)
        if depth > self._depth:
            return
        here = "/".join([top.rstrip("/") if top != "/" else "", *inside]) if top else "/".join(inside)
        prefix = f"{here}/" if here else ("/" if top == "/" else "")
        path = process.path(here or ("/" if top == "/" else "."))
        try:
            names = sorted(process.fs.listdir(path))
        except OSError as error:
            self._complain(here, error)
            return
        own = self._ignoring.level(path, len(inside), names)
        levels = [*levels, own] if own.rules or own.repository else levels
        for name in names:
            try:
                kind = process.fs.stat(process.path(prefix + name), follow=self._follow).type
            except OSError as error:  # a link to nothing
                self._complain(prefix + name if prefix else f"./{name}", error)
                continue
            trail = [*inside, name]
            if not self._takes(trail, levels, is_directory=kind == "directory"):
                continue
            if kind == "directory":
                yield from self._walk(top, trail, levels, depth + 1)
            elif kind == "file" and self._fits(prefix + name):
                yield prefix + name

    def _complain(self, name: str, error: OSError) -> None:
        self.failed = True
        if "no-messages" not in self._arguments:
            self._process.say(f"{name}: {error.strerror} (os error {error.errno})\n")

    def _fits(self, name: str) -> bool:
        return self._largest is None or self._process.fs.stat(self._process.path(name)).size <= self._largest

    def _takes(self, trail: list[str], levels: list[Level], *, is_directory: bool) -> bool:
        name = trail[-1]
        for rule in reversed(self._globs):
            if rule.matches([*self._below_cwd, *trail], is_directory=is_directory):
                return not rule.keeps  # a pattern that excludes in an ignore file includes here
        if self._globs and not is_directory and any(not rule.keeps for rule in self._globs):
            return False
        kept = self._ignoring.keeps(levels, trail, self._above, len(self._below_cwd), is_directory=is_directory)
        if kept is False:
            return False
        if not is_directory:
            if any(matcher.matches(name) for matcher in self._without):
                return False
            if self._only:
                return any(matcher.matches(name) for matcher in self._only)
        return bool(kept) or self._hidden or not name.startswith(".")


def _size(text: str | None) -> int | None:
    if text is None:
        return None
    digits = text.rstrip("KMGkmg")
    if not is_digits(digits):
        raise UsageError(f"error: Invalid value for '--max-filesize <NUM+SUFFIX?>': {text}", hint=False)
    return int(digits[:15]) << {"": 0, "k": 10, "m": 20, "g": 30}[text[len(digits) :].lower()]
