"""Walks the trees that find searches."""

from __future__ import annotations

import errno
from contextlib import suppress
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.commands.listing.find.candidate import Candidate, NoStatusError, Unreachable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bashkit.commands.listing.find.expression import Expression
    from bashkit.fs import Stat
    from bashkit.interp.utility.process import Process

    Frame = tuple[Candidate, bool, Mapping[int, str]]


class Search:
    """One run of find over its starting points.

    Args:
        process: The utility.
        expression: Evaluated for every file.
        follow_operands: Follow starting points that are links.
    """

    def __init__(self, process: Process, expression: Expression, *, follow_operands: bool) -> None:
        self._process = process
        self._test = expression.test
        self._settings = expression.settings
        self._follow_operands = follow_operands
        self.status = 0

    def finish(self) -> None:
        """Run the commands for which ``-exec … +`` collected names."""
        for run in self._settings.at_end:
            run()
        self.status = max(self.status, self._settings.status)

    def operand(self, start: str) -> None:
        """Search one starting point.

        Raises:
            OSError: It does not exist.
            Quit: ``-quit`` ended the search.
        """
        settings, process = self._settings, self._process
        stat = self._stat(start, follow=settings.follow or self._follow_operands)
        # A frame is a candidate, whether its entries were visited, and the directories above it; children are pushed in reverse.
        pending: list[Frame] = [(Candidate(process, start, start, 0, stat), False, {})]
        while pending:
            process.budget.tick(25)
            candidate, seen, above = pending.pop()
            if seen:
                self._evaluate(candidate)
                continue
            if isinstance(candidate, Unreachable) and not candidate.type:
                candidate.tell()
            settings.pruned = False
            if not settings.depth_first:
                self._evaluate(candidate)
            descend = candidate.type == "directory" and candidate.depth < settings.max_depth and not settings.pruned
            if settings.depth_first:
                pending.append((candidate, True, above))
            if descend:
                pending.extend(self._children(candidate, above))

    def _evaluate(self, candidate: Candidate) -> None:
        if candidate.depth >= self._settings.min_depth:
            with suppress(NoStatusError):
                self._test(candidate)

    def _stat(self, name: str, *, follow: bool) -> Stat:
        fs, path = self._process.fs, self._process.path(name)
        if follow:
            try:
                return fs.stat(path)
            except OSError as error:
                if error.errno in {errno.ELOOP, errno.ENOTDIR}:
                    raise
                # a broken link is itself the candidate
        return fs.stat(path, follow=name.endswith("/"))

    def _children(self, candidate: Candidate, above: Mapping[int, str]) -> list[Frame]:
        process = self._process
        try:
            names = process.fs.listdir(candidate.path)
        except OSError as error:
            process.warn(f"{mention(candidate.name)}: {error.strerror}")
            self.status = 1
            return []
        process.budget.words(len(names))
        inside = {**above, candidate.stat.ino: candidate.name} if self._settings.follow else above
        found: list[Frame] = []
        for child in reversed(names):
            name = candidate.name + child if candidate.name.endswith("/") else f"{candidate.name}/{child}"
            try:
                stat = self._stat(name, follow=self._settings.follow)
            except PermissionError as error:
                found.append((self._unreachable(name, candidate, error), False, inside))
                continue
            except OSError as error:
                process.warn(f"{mention(name)}: {error.strerror}")
                self.status = 1
                if error.errno != errno.ENOTDIR:
                    continue
                stat = self._stat(name, follow=False)
            if stat.ino in inside and stat.type == "directory":
                process.warn(
                    f"File system loop detected; {mention(name)} is part of the same file system loop as "
                    f"{mention(inside[stat.ino])}."
                )
                self.status = 1
                continue
            found.append((Candidate(process, name, candidate.start, candidate.depth + 1, stat), False, inside))
        return found

    def _unreachable(self, name: str, folder: Candidate, error: OSError) -> Candidate:
        """A file in a directory that may be read but not entered."""
        process, depth = self._process, folder.depth + 1

        def tell() -> None:
            process.warn(f"{mention(name)}: {error.strerror}")
            self.status = 1

        kind = process.fs.unchecked().stat(process.path(name), follow=False).type
        known = kind != "directory" and not (kind == "symlink" and self._settings.follow)
        return Unreachable(process, name, folder.start, depth, kind if known else "", tell)
