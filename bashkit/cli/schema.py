"""bashkit schema: print the JSON Schema of toolset files."""

from __future__ import annotations

import click

from bashkit.cli import color


@click.command("schema", short_help="Print the JSON Schema of toolset files.")
@color.option
def command() -> None:
    """Print the JSON Schema of the toolset format, for editors and other programs.

    \b
    Examples:
      bashkit schema > toolset.schema.json
      bashkit schema | jq '."$defs".tool.properties | keys'
    """
    from bashkit.toolset.schema.generation import schema_text

    click.echo(schema_text(), nl=False)
