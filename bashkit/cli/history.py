"""bashkit history: list the runs that the inspector has kept."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PROFILE, open_toolset

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.runs.history_file import PastRun

_TITLE = 72  # the most characters of a script that a row shows


@click.command("history", short_help="List the runs that the inspector kept.")
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
@click.option("-n", "most", type=click.IntRange(1), metavar="N", help="The newest N runs only.")
@click.option("--json", "as_json", is_flag=True, help="Print whole runs, one line of JSON for each.")
@PROFILE
@color.option
def command(file: Path | None, most: int | None, as_json: bool) -> None:
    """List the runs that the inspector kept, the newest first; with FILE only those of that toolset.

    A row has the run's number, by which 'bashkit compare' finds it, when it ended, its exit status, how long it took, its
    calls, where their answers came from, its toolset, and the first line of its script. Secrets were masked when it was kept.
    Number 1 is the newest run of all toolsets.

    Exit status: 0; 2 when FILE cannot be used.

    \b
    Examples:
      bashkit history
      bashkit history toolsets/shop.yaml -n 10
      bashkit history --json |
        jq -r 'select(.number == 3).script' | bashkit run shop.yaml -
    """
    from bashkit.runs.history_file import HistoryFile
    from bashkit.tools import json_text
    from bashkit.tools.define.result import to_bytes

    name = None if file is None else open_toolset(file).name
    runs = [(number, run) for number, run in enumerate(HistoryFile().read(), 1) if name is None or run.toolset == name][:most]
    if not runs:
        click.echo(f"no run{'' if name is None else f' of {name}'} was kept: the inspector does, 'bashkit tui'", err=True)
    for number, run in runs:
        if as_json:
            click.echo(to_bytes(json_text.encode({"number": number, **asdict(run)})))
        else:
            click.echo(_row(number, run))


def _row(number: int, run: PastRun) -> str:
    from bashkit.cli.diff_text import printable

    fate = run.error or ("no status" if run.exit_code is None else f"exit {run.exit_code}")
    colour = "green" if run.exit_code == 0 and run.error is None else "red"
    title = run.title if len(run.title) <= _TITLE else f"{run.title[: _TITLE - 1]}…"
    cells = [
        f"{number:3}",
        run.time,
        click.style(f"{printable(fate):9}", fg=colour),
        f"{run.seconds:7.2f}s",
        f"{run.called:4} call{' ' if run.called == 1 else 's'}",
        f"{printable(run.mode):6}",
        printable(run.toolset),
        printable(title),
    ]
    return "  ".join(cells)
