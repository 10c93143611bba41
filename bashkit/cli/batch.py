"""bashkit batch: run very many scripts with a toolset, and compare two such runs."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bashkit.cli import color
from bashkit.cli.opening import ALLOW, FILE, PLAIN_FILE, PROFILE, allowing, check_one_mode, file_of, open_toolset
from bashkit.cli.terminal_text import print_json, say
from bashkit.limits import ISOLATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from click.shell_completion import CompletionItem

    from bashkit.bash.bash import Isolation
    from bashkit.batch.run import Batch

_NEW = click.Path(dir_okay=False, path_type=Path)


class _Place(click.Path):
    """A file, or an address of one that fsspec reaches."""

    def convert(self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Check a path; leave an address alone."""
        from bashkit.batch.places import is_address

        if value == "-":
            self.fail("rows and results are files: a run can be gone on with", param, ctx)
        return value if is_address(str(value)) else super().convert(value, param, ctx)


_ROWS = _Place(exists=True, dir_okay=False)
_RESULTS = _Place(dir_okay=False)


class _Batch(click.Group):
    """The group whose first word may be left out: without a subcommand it runs a batch."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``run`` before what is no subcommand."""
        known = {*self.commands, *ctx.help_option_names}
        open_still = ctx.resilient_parsing and not args  # for the completion of the first word
        return super().parse_args(ctx, args if open_still or (args and args[0] in known) else ["run", *args])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Subcommands, and what may stand first behind ``run``."""
        run = self.commands["run"]
        first = run.params[0].shell_complete(ctx, incomplete) if not incomplete.startswith("-") else []
        options = run.shell_complete(run.make_context("run", [], ctx, resilient_parsing=True), incomplete)
        return [*(super().shell_complete(ctx, incomplete) if first else []), *first, *options]


@click.group("batch", cls=_Batch, short_help="Run very many scripts, resumably.")
def command() -> None:
    """Run very many scripts with a toolset on several processes: 'bashkit batch ROWS' is short for 'bashkit batch run ROWS'.

    Exit status: see the subcommands; 2 when the command line or a file cannot be used.

    \b
    Examples:
      bashkit batch scripts.jsonl --toolset shop.yaml --out results.jsonl
      bashkit batch diff before.jsonl results.jsonl
    """


@command.command("run", short_help="Run the scripts of a file.")
@click.argument("rows", type=_ROWS)
@click.option("--toolset", "file", type=FILE, help="The toolset; without it the bundled shop.")
@click.option(
    "--out", required=True, type=_RESULTS, metavar="FILE", help="Append the results to FILE; what it has is not run again."
)
@click.option("--jobs", type=click.IntRange(1), default=None, help="Processes; by default one for each processor.")
@click.option("--ordered", is_flag=True, help="Write the results in the order of the rows.")
@click.option("--stub", is_flag=True, help="Use a tool's stub, if it has one, in place of its callback.")
@click.option("--record", type=_NEW, metavar="FILE", help="Append the result of every call to FILE.")
@click.option(
    "--replay", type=PLAIN_FILE, metavar="FILE", help="Run no callback: replay the results that --record FILE has kept."
)
@click.option("--isolation", type=click.Choice(ISOLATIONS), help="Where scripts run; as the toolset says when left out.")
@click.option(
    "--engine", type=click.Choice(["local", "ray"]), default="local", help="Processes of this machine, or a Ray cluster."
)
@click.option("--address", metavar="ADDRESS", help="ray: the cluster; without it one of this machine.")
@PROFILE
@ALLOW
@color.option
def run(
    rows: str,
    file: Path | None,
    out: str,
    jobs: int | None,
    ordered: bool,
    stub: bool,
    record: Path | None,
    replay: Path | None,
    isolation: Isolation | None,
    engine: str,
    address: str | None,
    allow: tuple[str, ...],
) -> None:
    """Run the scripts of ROWS, each in a fresh shell, on several processes.

    ROWS is a file of JSON lines: {"id": …, "script": …}, and if need be "files" (by absolute path), "env" and "stdin". Every
    result is a line of FILE as soon as the script has ended: {"row", "id", "stdout", "stderr", "exit_code", "error", "calls"}. A
    run that was killed is gone on with by the same command: nothing is lost, and nothing is run twice but what had not ended.
    A script at which its process dies again and again has the error 'crash'. On a Ray cluster (extra ray) every node needs
    bashkit; the folder of the toolset is copied to it.

    With the extra batch, ROWS and FILE may be Parquet (*.parquet), and addresses that fsspec reaches, such as s3://bucket/rows.jsonl
    (with s3fs). Such results are collected in FILE.part, in the working directory if FILE is an address, until all are there.

    Exit status: 0 when every row has a result, whatever that is; 2 when the command line or a file cannot be used.

    \b
    Examples:
      bashkit batch scripts.jsonl --toolset shop.yaml --out results.jsonl
      bashkit batch scripts.jsonl --toolset shop.yaml --out now.jsonl \\
        --replay calls.jsonl --ordered
      bashkit batch scripts.jsonl --toolset shop.yaml --out results.jsonl \\
        --engine ray --address auto
    """
    from bashkit.batch.on_ray import RayPool
    from bashkit.batch.places import readable, results_of
    from bashkit.batch.pool import Pool
    from bashkit.batch.run import Batch
    from bashkit.batch.work import Runner, Setting

    if engine == "local" and address is not None:
        raise click.UsageError("--address is for --engine ray")
    if engine == "ray" and record is not None:
        raise click.UsageError("--record is for --engine local: the nodes of a cluster share no file")
    check_one_mode(stub=stub, record=record, replay=replay)
    toolset = open_toolset(file)
    toolset.close()
    path = file if file is not None and file.is_dir() else file_of(file)
    policy = allowing(toolset, allow)
    setting = Setting(path, stub, record, replay, isolation=isolation, profile=toolset.profile, **policy)
    with readable(rows) as source, results_of(out) as results:
        batch = Batch.open(source, results, rows)
        Runner(setting).close()  # its mistakes are told once, not by every process
        pool = Pool(setting, jobs or os.cpu_count() or 1) if engine == "local" else RayPool(setting, jobs, address)
        with _progress(batch) as told:
            batch.run(pool, told, ordered=ordered)


@contextmanager
def _progress(batch: Batch) -> Iterator[Callable[[], None]]:
    """Show the progress to whoever sits at a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TaskProgressColumn(show_speed=True), TextColumn("left"), TimeRemainingColumn())
    no_color = True if click.get_current_context().find_root().color is False else None
    with Progress(*columns, console=Console(stderr=True, no_color=no_color)) as progress:
        task = progress.add_task("", total=len(batch.has), completed=sum(batch.has))
        yield lambda: progress.advance(task)


@command.command("diff", short_help="Compare the results of two runs.")
@click.argument("before", type=_ROWS)
@click.argument("after", type=_ROWS)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@color.option
def diff(before: str, after: str, as_json: bool) -> None:
    """Say which scripts do something else in AFTER than in BEFORE, grouped by the tool whose call is the first to differ, and by
    the cause.

    Exit status: 0 when all results are the same, 1 when there are differences, 2 when a file cannot be used.
    """
    from dataclasses import asdict

    from bashkit.batch.difference import compare
    from bashkit.batch.places import readable
    from bashkit.tools import json_text

    with readable(before) as old, readable(after) as new:
        found = compare(old, new)
    print_json(json_text.encode(asdict(found), indent=2)) if as_json else say(found.text().rstrip("\n"))
    click.get_current_context().exit(1 if found.groups or found.gone or found.new else 0)
