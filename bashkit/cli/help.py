"""bashkit help: list the utilities and builtins of scripts, or show the options of one."""

from __future__ import annotations

import click

from bashkit.cli import color


def _complete_names(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from bashkit.commands import _catalog

    return [name for name in _catalog.names() if name.startswith(incomplete)]


@click.command("help", short_help="List the utilities that scripts find.")
@click.argument("name", required=False, shell_complete=_complete_names)
@click.option("--json", "as_json", is_flag=True, help="Print JSON: name, kind, usage, summary and options of each.")
@color.option
def command(name: str | None, as_json: bool) -> None:
    """List the utilities and builtins of scripts, or show the usage and options of one.

    \b
    Exit status: 2 when there is no command NAME.

    \b
    Examples:
      bashkit help
      bashkit help grep
      bashkit help --json | jq -r '.[].name'
    """
    from bashkit.commands import _catalog
    from bashkit.tools import json_text

    if name is None:
        found = [entry for entry in map(_catalog.describe, _catalog.names()) if entry is not None]
        if as_json:
            click.echo(json_text.encode(found, indent=2))
            return
        width = max(len(entry["name"]) for entry in found) + 2
        for entry in found:
            click.echo(f"{entry['name']:<{width}}{entry['summary']}")
        return
    item = _catalog.describe(name)
    if item is None:
        from bashkit.toolset.text.suggestions import suggestion

        hint = suggestion(name, _catalog.names()) or "bashkit help lists them all"
        raise click.UsageError(f"there is no command {name!r}: {hint}")
    click.echo(json_text.encode(item, indent=2) if as_json else item["help"].rstrip("\n"))
