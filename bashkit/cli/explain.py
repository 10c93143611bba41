"""bashkit explain: what a script may do, before anything runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bashkit.cli.opening import FILE, open_toolset, script_of, warn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bashkit.tools.analyze import Analysis, Call

_SYNTAX = 1  # the exit status of a script with a syntax error


@click.command("explain", short_help="Show what a script may do.")
@click.argument("operands", metavar="[FILE] [SCRIPT]", nargs=-1, type=FILE)
@click.option("-c", "script", metavar="TEXT", help="The script itself.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(operands: tuple[Path, ...], script: str | None, as_json: bool) -> None:
    """Show which tools of FILE a script may call, which files it may read and write, which hosts it may reach, and what only
    running it can tell. Nothing is run.

    FILE is a toolset (.yaml) or a directory of executables; without it the bundled shop is used. The script is -c TEXT, the file
    SCRIPT, or standard input.

    \b
    Exit status: 1 when the script has a syntax error; 2 when the command line or FILE cannot be used.

    \b
    Examples:
      bashkit explain -c 'for id in 1 2; do get_user --id $id; done > users.json'
      bashkit explain toolsets/shop.yaml report.sh --json | jq -r '.calls[].tool'
    """
    given = script_of([str(path) for path in operands], script)
    toolset = open_toolset(given.toolset)
    analysis = toolset.analyze(given.text)
    warn(toolset)
    if as_json:
        from bashkit.tools import json_text

        click.echo(json_text.encode(analysis.to_dict(), indent=2))
    else:
        click.echo("\n".join(_lines(analysis)))
    click.get_current_context().exit(0 if analysis.error is None else _SYNTAX)


def _lines(analysis: Analysis) -> Iterator[str]:
    if analysis.error is not None:
        yield f"line {analysis.error.line}: {analysis.error.reason}"
    groups = {
        "calls": [(item.line, _shown(item)) for item in analysis.calls],
        "reads": [(item.line, item.path) for item in analysis.files if item.access == "read"],
        "writes": [(item.line, item.path) for item in analysis.files if item.access == "write"],
        "reaches": [(item.line, item.name) for item in analysis.hosts],
        "not known": [(item.line, item.reason) for item in analysis.unknown],
    }
    found = False
    for title, items in groups.items():
        for line, text in dict.fromkeys(items):
            found = True
            yield f"{title:<9}  line {line:<3}  {text}"
    if not found and analysis.error is None:
        yield "nothing: it calls no tool, and touches no file and no host"


def _shown(call: Call) -> str:
    words = [call.tool, *("…" if word is None else word for word in call.arguments)]
    within = f", within {' > '.join(call.within)}" if call.within else ""
    return f"{' '.join(words)}  ({call.effects or 'effects undeclared'}{within})"
