"""bashkit new: add a tool to a toolset file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE
from bashkit.cli.terminal_text import say

if TYPE_CHECKING:
    from bashkit.toolset.callbacks import Callback


@click.group("new", short_help="Add a tool to a toolset.")
@color.option
def command() -> None:
    """Add to a toolset file.

    \b
    Exit status: 2 if nothing could be added.

    \b
    Examples:
      bashkit new tool get_user
      bashkit new tool disk_usage -f toolsets/host.yaml --executable
    """


def _flag(kind: type[Callback], settings: dict[str, Any]) -> click.Option:
    return click.Option([f"--{kind.key}", "kind"], flag_value=kind.key, help=kind.starter, **settings)


class _NewTool(click.Command):
    """The command, with a flag for every kind of callback with which a tool can begin."""

    _flags: list[click.Parameter] | None = None

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters; the kinds are imported only when needed."""
        if self._flags is None:
            from bashkit.toolset.callbacks import kinds

            starting = [kind for kind in kinds() if kind.starter]
            self._flags = [_flag(kind, {"default": True} if kind is starting[0] else {}) for kind in starting]
        *own, help_option = super().get_params(ctx)
        return [*own, *self._flags, help_option]


@command.command("tool", cls=_NewTool, short_help="Add a tool and its first callback.")
@click.argument("name")
@click.option("-f", "--file", "file", metavar="FILE", type=FILE, help="The toolset file; may be omitted if there is only one.")
@color.option
def tool(name: str, file: Path | None, kind: str) -> None:
    """Add the tool NAME to a toolset file, and write its first callback.

    Nothing else of the file changes: comments, order and indentation stay as they are.

    \b
    Exit status: 2 when there is such a tool already, or the file has mistakes.

    \b
    Examples:
      bashkit new tool get_user
      bashkit new tool report -f toolsets/shop.yaml --script
    """
    from bashkit.toolset import load
    from bashkit.toolset.callbacks import CALLBACKS
    from bashkit.toolset.project_files import toolset_files
    from bashkit.toolset.writing.scaffolding import add_tool

    found = [file] if file is not None else toolset_files(Path())
    if len(found) != 1:
        here = f" (here are {', '.join(map(str, found))})"
        raise click.UsageError(
            f"say which toolset file: -f FILE{here}"
            if found
            else "there is no toolset here: name one by -f FILE, or let bashkit init write a first one"
        )
    path = found[0]
    made = CALLBACKS.find(kind)
    assert made is not None  # one of the flags
    addition = add_tool(load(path), name, made)
    try:
        addition.write()
    except OSError as error:
        raise click.UsageError(f"{error.filename or path} cannot be written: {error.strerror}") from error
    say(f"{path}:{addition.line}: {name} added")
    for other in addition.texts:
        if other != path:
            say(f"{other}: written")
