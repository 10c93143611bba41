"""bashkit catalog: print the tools of a toolset or directory as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PROFILE, open_toolset, warn
from bashkit.cli.terminal_text import print_json

if TYPE_CHECKING:
    from pathlib import Path


@click.command("catalog", short_help="Print the tools as JSON.")
@click.argument("file", metavar="[FILE|DIR]", required=False, type=FILE)
@PROFILE
@color.option
def command(file: Path | None) -> None:
    """Print the tools of a toolset file, of a directory of executables that answer --describe, or of one of them.

    Each is an object with name, description and parameters, as --describe prints it. Skipped files are warnings on standard
    error.

    \b
    Exit status: 2 when FILE or DIR cannot be used.

    \b
    Examples:
      bashkit catalog ./tools | jq -r '.[].name'
      bashkit catalog ./tools/disk_usage.sh
      bashkit catalog toolsets/shop.yaml
    """
    from bashkit.tools import json_text

    toolset = open_toolset(file)
    tools = [
        {"name": item.name, "description": item.description, "parameters": dict(item.input_schema)} for item in toolset.tools
    ]
    warn(toolset)
    print_json(json_text.encode(tools, indent=2))
