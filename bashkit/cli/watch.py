"""Runs a command again whenever one of the files that its toolsets depend on has changed, until it is interrupted."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

_PAUSE = 0.3  # seconds between two looks at the files

option = click.option("--watch", "again", is_flag=True, help="Run again whenever a file that the toolset depends on changes.")


def watch(words: Sequence[str], toolsets: Callable[[], Sequence[Path]]) -> NoReturn:
    """Run a command in a process of its own, so that changed modules are imported afresh, now and after every change.

    Args:
        words: The subcommand and its arguments.
        toolsets: Finds the toolsets; a file that appears counts as a change, too.

    Raises:
        KeyboardInterrupt: The user ends it.
    """
    from bashkit.toolset.watching import signature_of

    color = {True: "always", False: "never", None: "auto"}[click.get_current_context().find_root().color]
    while True:
        paths = tuple(toolsets())
        files = _files(paths)
        before = signature_of(files)  # taken before the run: what is saved meanwhile counts
        subprocess.run([sys.executable, "-m", "bashkit", "--color", color, *words], check=False)
        click.secho(f"watching {len(files)} file{'' if len(files) == 1 else 's'}; Ctrl+C ends", dim=True, err=True)
        while signature_of(files) == before and tuple(toolsets()) == paths:
            time.sleep(_PAUSE)


def _files(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The toolsets and all that they depend on; of one that cannot be read, itself."""
    from bashkit.toolset import load_partly
    from bashkit.toolset.watching import files_of

    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += [path, *sorted(path.iterdir())]
            continue
        toolset = load_partly(path).toolset
        found += [path] if toolset is None else files_of(toolset)
    return tuple(dict.fromkeys(found))
