"""bashkit explain: what a script may do, before anything runs."""

from __future__ import annotations

import click

from bashkit.cli import color
from bashkit.cli.opening import PROFILE, complete_files, open_toolset, script_of, warn
from bashkit.cli.terminal_text import print_json, say, visible

_SYNTAX = 1  # the exit status of a script with a syntax error


@click.command("explain", short_help="Show what a script may do.")
@click.argument("operands", metavar="[FILE] [SCRIPT]", nargs=-1, shell_complete=complete_files)
@click.option("-c", "script", metavar="TEXT", help="The script itself.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@PROFILE
@color.option
def command(operands: tuple[str, ...], script: str | None, as_json: bool) -> None:
    """Show which tools of FILE a script may call, which files it may read and write, which hosts it may reach, and what only
    running it can tell. Nothing is run.

    FILE is a toolset (.yaml) or a directory of executables; without it the bundled shop is used. The script is -c TEXT, the file
    SCRIPT, or standard input (-).

    Exit status: 1 when the script has a syntax error; 2 when the command line or FILE cannot be used.

    \b
    Examples:
      bashkit explain -c 'for id in 1 2; do get_user --id $id; done > users.json'
      bashkit explain toolsets/shop.yaml report.sh --json | jq -r '.calls[].tool'
    """
    given = script_of(operands, script)
    toolset = open_toolset(given.toolset)
    analysis = toolset.analyze(given.text)
    warn(toolset)
    if as_json:
        from bashkit.tools import json_text

        print_json(json_text.encode(analysis.to_dict(), indent=2))
    else:
        from bashkit.tools.analyze import told

        say("\n".join(map(visible, told(analysis))))
    click.get_current_context().exit(0 if analysis.error is None else _SYNTAX)
