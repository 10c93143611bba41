"""bashkit compare: what differs between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.terminal_text import print_json
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from bashkit.runs.history_file import PastRun


@click.command("compare", short_help="Compare two runs.")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@color.option
def command(before: str, after: str, as_json: bool) -> None:
    """Say what differs between two runs: script, exit status, output, messages and calls; not how long they took.

    A and B are numbers of 'bashkit history' or files: the output of 'bashkit run --json', or recordings of 'bashkit run
    --record', of which only the calls with their results are compared.

    Exit status: 0 when nothing differs, 1 when something does, 2 when a run cannot be found or read.

    \b
    Examples:
      bashkit compare 2 1
      bashkit compare before.json after.json
      bashkit compare monday.jsonl tuesday.jsonl --json | jq .same
    """
    from bashkit.cli.diff_text import styled
    from bashkit.runs.comparison import compare_runs
    from bashkit.runs.recorded import RECORDING
    from bashkit.tools import json_text

    left, right = _run_of(before), _run_of(after)
    if (left.mode == RECORDING) != (right.mode == RECORDING):
        raise BashkitError("a recording has only calls: compare it with another recording")
    diffs = {part.title: part.diff(f"{before}: {part.title}", f"{after}: {part.title}") for part in compare_runs(left, right)}
    different = any(diffs.values())
    if as_json:
        parts = [{"title": title, "diff": diff} for title, diff in diffs.items()]
        print_json(json_text.encode({"same": not different, "parts": parts}))
    elif not different:
        click.echo("nothing differs")
    else:
        for diff in filter(None, diffs.values()):
            click.echo("\n".join(styled(diff)))
    click.get_current_context().exit(1 if different else 0)


def _run_of(name: str) -> PastRun:
    """The run that a word of the command line names.

    Raises:
        BashkitError: There is no such run.
    """
    from bashkit.runs.history_file import HistoryFile
    from bashkit.runs.recorded import read_run

    if not name.isdecimal():
        return read_run(Path(name))
    runs = HistoryFile().read()
    if not 1 <= int(name) <= len(runs):
        raise BashkitError(f"the history has no run {name}: it has {len(runs)}; a file of that name is ./{name}")
    return runs[int(name) - 1]
