"""bashkit tui: open the inspector, or write a picture of it."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PROFILE
from bashkit.errors import BashkitError

_EXTRA = frozenset({"textual", "bashkit_tui", "tree_sitter"})


@click.command("tui", short_help="Open the inspector.")
@click.argument("paths", metavar="[FILE|DIRECTORY]...", nargs=-1, type=FILE)
@click.option(
    "--config", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Theme and keys, instead of bashkit/inspector.toml in $XDG_CONFIG_HOME.",
)  # fmt: skip
@click.option(
    "--screenshot", metavar="OUT.svg", type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write a picture of the inspector instead of opening it.",
)  # fmt: skip
@click.option("--size", metavar="COLUMNSxROWS", help="Size of the picture.  [default: 140x40]")
@click.option("--tab", metavar="NAME", help="The pane in the picture; a wrong name lists them.")
@click.option("--tool", metavar="NAME", help="The tool in the picture.")
@click.option("--theme", metavar="NAME", help="The theme of the picture.")
@PROFILE
@color.option
def command(
    paths: tuple[Path, ...],
    config: Path | None,
    screenshot: Path | None,
    size: str | None,
    tab: str | None,
    tool: str | None,
    theme: str | None,
) -> None:
    """Open the inspector in the terminal: prompts, scripts, what every tool call did. A DIRECTORY opens all toolset files below
    it; without an argument the bundled toolsets are opened.

    \b
    Settings, in $XDG_CONFIG_HOME/bashkit/inspector.toml:
      theme = "bashkit-light"
      [keys]                    # names: see the inspector's own list of keys, ?
      "script.run" = "f9"

    \b
    Examples:
      bashkit tui toolsets/shop.yaml
      bashkit tui toolsets
      bashkit tui toolsets/shop.yaml --tab prompt --screenshot shop.svg \\
        --size 100x30
    """
    options = {"size": size, "tab": tab, "tool": tool, "theme": theme}
    if screenshot is None:
        given = [f"--{name}" for name, value in options.items() if value is not None]
        if given:
            raise click.UsageError(f"{given[0]} needs --screenshot")
        if click.get_current_context().find_root().color is False:
            os.environ["NO_COLOR"] = "1"  # Textual looks for it
        _module("app").run(list(paths), config)
        return
    pictures = _module("pictures")
    try:
        svg = pictures.picture(list(paths), **{name: value for name, value in options.items() if value is not None})
    except pictures.PictureError as error:
        raise click.UsageError(str(error)) from error
    try:
        screenshot.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise BashkitError(f"{screenshot} cannot be written: {error.strerror}") from error
    click.echo(f"{screenshot}: written")


def _module(name: str) -> Any:
    try:
        return import_module(f"bashkit_tui.{name}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        raise BashkitError("the inspector needs an extra: pip install 'bashkit-toolsets[tui]'") from error
