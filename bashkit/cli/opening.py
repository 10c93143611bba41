"""Opens the toolset that a command line names: a file, a directory of executables, or the bundled example."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from bashkit.toolset import Toolset

FILE = click.Path(exists=True, path_type=Path)
BUNDLED = "shop.yaml"


def open_toolset(path: Path | None) -> Toolset:
    """Load a toolset file or a directory of executables; without a path the bundled shop.

    Raises:
        ToolsetError: It has mistakes.
    """
    from bashkit.toolset import from_directory, load

    return from_directory(path) if path is not None and path.is_dir() else load(file_of(path))


def file_of(path: Path | None) -> Path:
    """The toolset file: the named file, or the bundled shop."""
    from bashkit.toolset.package_data import examples

    return examples() / BUNDLED if path is None else path


def warn(toolset: Toolset) -> None:
    """Write the skipped tools to standard error, one per line."""
    for warning in toolset.warnings:
        click.echo(f"warning: {warning}", err=True)
