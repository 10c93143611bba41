"""bashkit history: list the runs that the inspector has kept."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PROFILE, open_toolset
from bashkit.cli.terminal_text import print_json, visible
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.runs.history_file import PastRun

_TITLE = 72  # the most characters of a script that a row shows


@click.command("history", short_help="List the runs that the inspector kept.")
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
@click.option("-n", "most", type=click.IntRange(1), metavar="N", help="The newest N runs only.")
@click.option("--json", "as_json", is_flag=True, help="Print whole runs, one line of JSON for each.")
@click.option("--rows", "as_rows", is_flag=True, help="Print each script once, as rows for 'batch' and 'snapshot --scripts'.")
@PROFILE
@color.option
def command(file: Path | None, most: int | None, as_json: bool, as_rows: bool) -> None:
    """List the runs that the inspector kept, the newest first; with FILE only those of that toolset.

    A row has the run's number, by which 'bashkit compare' finds it, when it ended, its exit status, how long it took, its
    calls, where their answers came from, its toolset, and the first line of its script. Secrets were masked when it was kept.
    Number 1 is the newest run of all toolsets.

    Exit status: 0; 2 when FILE or the history cannot be used.

    \b
    Examples:
      bashkit history
      bashkit history toolsets/shop.yaml -n 10
      bashkit history --json |
        jq -r 'select(.number == 3).script' | bashkit run shop.yaml -
      bashkit history shop.yaml --rows > ran.jsonl
      bashkit snapshot shop.yaml --scripts ran.jsonl --review
    """
    from bashkit.runs.history_file import HistoryFile
    from bashkit.tools import json_text

    if as_json and as_rows:
        raise click.UsageError("--json and --rows exclude each other")
    name = None if file is None else open_toolset(file).name
    history = HistoryFile()
    if history.problem():
        raise BashkitError(history.problem())
    runs = [(number, run) for number, run in enumerate(history.read(), 1) if name is None or run.toolset == name][:most]
    if not runs:
        click.echo(f"no run{'' if name is None else f' of {name}'} was kept: the inspector does, 'bashkit tui'", err=True)
    if as_rows:
        for row in _rows([run for _, run in runs]):
            print_json(json_text.encode(row))
        return
    for number, run in runs:
        if as_json:
            print_json(json_text.encode({"number": number, **asdict(run)}))
        else:
            click.echo(_line(number, run))


def _rows(runs: list[PastRun]) -> list[dict[str, str]]:
    """Each script as a row of a batch, the oldest first; its id is the time of its newest run, in UTC."""
    newest: dict[str, PastRun] = {}
    for run in runs:
        newest.setdefault(run.script, run)
    times = {script: datetime.fromtimestamp(run.when, UTC) for script, run in newest.items()}
    return [{"id": times[script].strftime("%Y-%m-%d %H%M%S.%f"), "script": script} for script in reversed(newest)]


def _line(number: int, run: PastRun) -> str:
    fate = run.error or ("no status" if run.exit_code is None else f"exit {run.exit_code}")
    colour = "green" if run.exit_code == 0 and run.error is None else "red"
    title = run.title if len(run.title) <= _TITLE else f"{run.title[: _TITLE - 1]}…"
    cells = [
        f"{number:3}",
        run.time,
        click.style(f"{visible(fate):9}", fg=colour),
        f"{run.seconds:7.2f}s",
        f"{run.called:4} call{' ' if run.called == 1 else 's'}",
        f"{visible(run.mode):6}",
        visible(run.toolset),
        visible(title),
    ]
    return "  ".join(cells)
