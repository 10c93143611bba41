"""The open toolsets: finding their files, and reading them step by step in a thread.

The thread imports ``bashkit`` too: the first paint does without it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from bashkit.importing import imported, one_thread
from bashkit_tui.toolsets.opened_toolset import OpenedToolset
from bashkit_tui.toolsets.preview import preview_tools

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from bashkit.errors import Problem

_YAML = {".yaml", ".yml"}


def toolset_paths(arguments: Sequence[Path]) -> list[Path]:
    """The toolset paths that the arguments of the command line stand for, each once.

    A directory stands for the toolset files below it, else for the YAML files in it, else for its executables. No argument stands
    for the bundled examples.
    """
    from bashkit.toolset.package_data import examples
    from bashkit.toolset.project_files import toolset_files

    found: list[Path] = []
    for path in arguments or (examples(),):
        if path.is_dir():
            found += toolset_files(path) or sorted(file for file in path.iterdir() if file.suffix in _YAML) or [path]
        else:
            found.append(path)
    return list(dict.fromkeys(found))


class Library:
    """The open toolsets by their paths.

    Args:
        arguments: Files and directories as the user named them; the bundled examples when empty.

    Attributes:
        complete: Whether every toolset was read at least once and none is being read now.
        imported: Set when what reads toolsets has been imported. Until then no other thread may import parts of it, the event
            loop's least of all.
    """

    def __init__(self, arguments: Sequence[Path] = ()) -> None:
        self._arguments = tuple(arguments)
        self._by_path: dict[Path, OpenedToolset] = {}
        self._order: list[Path] = []
        self._reading: set[Path] = set()
        self.complete = False
        self.imported = asyncio.Event()

    @property
    def opened(self) -> list[OpenedToolset]:
        """The toolsets that have been read, in their order."""
        return [self._by_path[path] for path in self._order if path in self._by_path]

    def get(self, path: Path) -> OpenedToolset | None:
        """The toolset of a path, if it has been read."""
        return self._by_path.get(path)

    def changed(self) -> list[Path]:
        """The toolsets whose files have changed since they were read, appeared or disappeared."""
        from bashkit.toolset.watching import signature_of

        paths = toolset_paths(self._arguments)
        stale = [
            path
            for path in paths
            if path not in self._by_path or signature_of(self._by_path[path].files) != self._by_path[path].signature
        ]
        return stale + [path for path in self._order if path not in paths]

    def add_problems(self, path: Path, problems: Sequence[Problem]) -> None:
        """Add problems that a check found to those of a toolset."""
        if (opened := self._by_path.get(path)) is not None:
            self._by_path[path] = replace(opened, problems=tuple(dict.fromkeys((*opened.problems, *problems))))

    async def read(self, paths: Sequence[Path] | None, shown: Callable[[], Awaitable[None]]) -> None:
        """Read toolsets: first a preview of those that were never read, then their tools, then the texts that the model sees.

        Args:
            paths: The toolsets to read; None for all.
            shown: Awaited after every step, to show what is new.
        """
        self.complete = False
        wanted: list[Path] = []
        try:
            if not self._by_path:
                await self._preview(shown)
                await asyncio.to_thread(imported, "bashkit.toolset.loading")  # as a whole, before threads use parts of it
            self.imported.set()
            self._order = await asyncio.to_thread(toolset_paths, self._arguments)
            for path in [path for path in self._by_path if path not in self._order]:
                del self._by_path[path]
            wanted = [path for path in self._order if (paths is None or path in paths) and path not in self._reading]
            self._reading.update(wanted)
            for step in (self._first, self._second, self._third):
                for path in wanted:
                    await step(path)
                    await shown()
        finally:
            self.imported.set()
            self._reading.difference_update(wanted)
            self.complete = not self._reading
            await shown()

    async def _preview(self, shown: Callable[[], Awaitable[None]]) -> None:
        """Preview the files that the arguments name."""
        self._order = [path for path in self._arguments if path.suffix in _YAML]
        for path in self._order:
            if previews := preview_tools(path):
                self._by_path[path] = OpenedToolset(path, previews=previews)
        if self._by_path:
            await shown()

    async def _first(self, path: Path) -> None:
        found = await asyncio.to_thread(_read_toolset, path)
        previous = self._by_path.get(path)
        if found.toolset is not None and previous is not None:
            found = replace(found, prompts=previous.prompts, tests=previous.tests)  # until the next steps make them again
        self._by_path[path] = found.after(previous)

    async def _third(self, path: Path) -> None:
        """Run the tests again, if they were run before."""
        opened = self._by_path.get(path)
        if opened is not None and not opened.stale and opened.tests is not None:
            await self.run_tests(path)

    async def run_tests(self, path: Path) -> None:
        """Run the tests of a toolset, now and after every change of its files.

        Raises:
            ToolsetError: The toolset cannot be used.
        """
        from bashkit_tui.toolsets.test_report import run_tests

        opened = self._by_path.get(path)
        if opened is None or opened.toolset is None:
            return
        report = await asyncio.to_thread(run_tests, opened.toolset)
        if self._by_path.get(path) is opened:  # it was not read again meanwhile
            others = [problem for problem in opened.problems if problem.code != "test"]
            self._by_path[path] = replace(opened, tests=report, problems=(*others, *report.problems()))

    async def _second(self, path: Path) -> None:
        opened = self._by_path.get(path)
        if opened is not None and not opened.stale:
            self._by_path[path] = await asyncio.to_thread(_with_prompts, opened)


def _read_toolset(path: Path) -> OpenedToolset:
    with one_thread:
        from bashkit_tui.toolsets.reader import read_toolset
    return read_toolset(path)


def _with_prompts(opened: OpenedToolset) -> OpenedToolset:
    with one_thread:
        from bashkit_tui.toolsets.reader import with_prompts
    return with_prompts(opened)
