"""bashkit new: add a tool to a toolset file."""

from __future__ import annotations

from pathlib import Path

import click

from bashkit.cli.opening import FILE


@click.group("new", short_help="Add a tool to a toolset.")
def command() -> None:
    """Add to a toolset file.

    \b
    Exit status: 2 when nothing could be added.

    \b
    Examples:
      bashkit new tool get_user
      bashkit new tool disk_usage -f toolsets/host.yaml --executable
    """


@command.command("tool", short_help="Add a tool and the callback that it begins with.")
@click.argument("name")
@click.option(
    "-f", "--file", "file", metavar="FILE", type=FILE, help="The toolset file; may be left out where there is only one."
)
@click.option(
    "--python",
    "kind",
    flag_value="python",
    default=True,
    help="The callback is a function in the toolset's module (the default).",
)
@click.option("--executable", "kind", flag_value="executable", help="The callback is a program in the folder tools.")
@click.option(
    "--script", "kind", flag_value="script", help="The callback is bash over the other tools, in the toolset file itself."
)
def tool(name: str, file: Path | None, kind: str) -> None:
    """Add the tool NAME to a toolset file, and write the callback that it begins with.

    Nothing else of the file changes: comments, order and indentation stay as they are.

    \b
    Exit status: 2 when there is such a tool already, or the file has mistakes.

    \b
    Examples:
      bashkit new tool get_user
      bashkit new tool report -f toolsets/shop.yaml --script
    """
    from bashkit.toolset import load
    from bashkit.toolset.project_files import toolset_files
    from bashkit.toolset.writing.scaffolding import add_tool

    found = [file] if file is not None else toolset_files(Path())
    if len(found) != 1:
        raise click.UsageError(
            "say which toolset file: -f FILE" if found else "there is no toolset here: bashkit init writes a first one"
        )
    path = found[0]
    addition = add_tool(load(path), name, kind)  # type: ignore[arg-type]  # one of the flag values above
    try:
        addition.write()
    except OSError as error:
        raise click.UsageError(f"{error.filename or path} cannot be written: {error.strerror}") from error
    click.echo(f"{path}:{addition.line}: {name} added")
    for other in addition.texts:
        if other != path:
            click.echo(f"{other}: written")
