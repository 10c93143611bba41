"""The vocabulary of a toolset's scripts: its tools, its environment, and the files of the virtual system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bashkit.errors import BashkitError
from bashkit_tui.scripts.completion import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bashkit.bash import Bash
    from bashkit.fs import FileSystem
    from bashkit.toolset import Toolset


def vocabulary_of(toolset: Toolset, last: Callable[[], FileSystem | None]) -> Vocabulary:
    """The names that a script of a toolset can use.

    Args:
        toolset: Its tools and environment.
        last: Returns the files after the last run; None before the first run, when a new shell's files are listed.
    """
    fresh: list[FileSystem] = []

    def listing(path: str) -> Iterator[tuple[str, bool]]:
        files = last()
        if files is None:
            if not fresh:
                fresh.extend(_fresh(toolset))
            files = fresh[0] if fresh else None
        try:
            entries = [] if files is None else files.read_dir(path)
        except OSError:  # the directory does not exist
            return
        for entry in entries:
            yield entry["name"], entry["metadata"]["file_type"] == "directory"

    options = toolset.options
    directory = str(options.get("cwd") or f"/home/{options.get('username') or 'user'}")
    return Vocabulary({tool.name: tool for tool in toolset.tools}, tuple(toolset.env), directory, listing)


def _fresh(toolset: Toolset) -> list[FileSystem]:
    """The files of a new shell, in a list; [] when the shell cannot be made."""
    seen: list[FileSystem] = []

    def look(bash: Bash) -> None:
        seen.append(bash.fs)

    try:
        toolset.make_tool(on_shell=look).execute_sync(":")
    except (BashkitError, OSError):
        return []
    return seen
