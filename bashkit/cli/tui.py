"""bashkit tui: open the inspector."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from bashkit.cli.opening import FILE
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from pathlib import Path


@click.command("tui", short_help="Open the inspector.")
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
def command(file: Path | None) -> None:
    """Open the inspector in the terminal: prompts, scripts, what every tool call did. Without FILE it has the bundled toolsets.

    \b
    Examples:
      bashkit tui toolsets/shop.yaml
      bashkit tui
    """
    try:
        app = import_module("bashkit_tui.app")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in {"textual", "bashkit_tui", "tree_sitter"}:
            raise
        raise BashkitError("the inspector needs an extra: pip install 'bashkit-toolsets[tui]'") from error
    app.run(None if file is None else [file])
