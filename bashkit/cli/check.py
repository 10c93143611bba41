"""bashkit check: report every mistake in toolset files."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from bashkit.cli.opening import FILE, file_of

if TYPE_CHECKING:
    from pathlib import Path


@click.command("check", short_help="Report every mistake in a toolset.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=FILE)
@click.option("--no-resolve", is_flag=True, help="Read the files only: import no callback, ask no executable.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print the problems.")
def command(files: tuple[Path, ...], no_resolve: bool, form: str) -> None:
    """Report every mistake in toolset files, each with its place, source line and a hint.

    \b
    Exit status: 0 when there is none, 1 when there are problems.

    \b
    Examples:
      bashkit check toolsets/shop.yaml
      bashkit check --no-resolve --format json *.toolset.yaml
    """
    from bashkit.cli.reporting import report
    from bashkit.toolset import check

    paths = files or (file_of(None),)
    problems = [problem for path in paths for problem in check(path, resolve=not no_resolve)]
    if form == "json":
        from bashkit.tools import json_text

        click.echo(json_text.encode([asdict(problem) for problem in problems]))
    elif problems:
        report(problems)
    else:
        click.echo("no problems")
    click.get_current_context().exit(1 if problems else 0)
