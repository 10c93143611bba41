"""bashkit fmt: put the keys of toolset files in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bashkit import host_files
from bashkit.cli import color
from bashkit.cli.opening import FILE, files_of
from bashkit.cli.terminal_text import print_document, say
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from pathlib import Path


@click.command("fmt", short_help="Put the keys of toolset files in order.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=FILE)
@click.option("--check", is_flag=True, help="Write nothing; fail if a file is not in order.")
@click.option("--diff", is_flag=True, help="Show what would change, and write nothing.")
@color.option
def command(files: tuple[Path, ...], check: bool, diff: bool) -> None:
    """Put the keys of toolset files, of their tools, sources, tests, mounts and profiles into the order of the schema.

    Whole lines are moved: comments, quotes and empty lines stay as they are, and what the file says stays the same. What stands
    in braces is left alone. Without FILE, all of *.toolset.yaml and toolsets/*.yaml below the current directory are put in
    order.

    \b
    Exit status: 0 when the files are in order or were put in order; 1 with
    --check or --diff when one is not; 2 when a file cannot be used.

    \b
    Examples:
      bashkit fmt toolsets/shop.yaml
      bashkit fmt --check toolsets/*.yaml
      bashkit fmt --diff toolsets/shop.yaml
    """
    from bashkit.toolset.writing.ordering import ordered_text
    from bashkit.toolset.writing.saving import save

    different = 0
    for path in files_of(files):
        text = _read(path)
        made = ordered_text(text, str(path))
        if made == text:
            continue
        different += 1
        if diff:
            print_document(_difference(text, made, str(path)))
        elif check:
            say(f"{path}: not in order")
        else:
            save(path, made)
            say(f"{path}: put in order")
    if different and (check or diff):
        click.get_current_context().exit(1)


def _read(path: Path) -> str:
    try:
        return host_files.read_text(path).removeprefix("\ufeff")
    except OSError as error:
        raise BashkitError(f"{path} cannot be read: {error.strerror}") from None


def _difference(before: str, after: str, name: str) -> str:
    from difflib import unified_diff

    return "".join(unified_diff(before.splitlines(True), after.splitlines(True), name, name))
