"""bashkit check: report every mistake in toolset files."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from bashkit.cli import color, watch
from bashkit.cli.opening import FILE, PROFILE, files_of
from bashkit.cli.terminal_text import print_json, say
from bashkit.cli.waiting import waiting_for

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.errors import Problem


@click.command("check", short_help="Report every mistake in a toolset.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=FILE)
@click.option("--no-resolve", is_flag=True, help="Read the files only: import no callback, ask no executable.")
@click.option("--strict", is_flag=True, help="Fail on warnings too, try the examples, and run the tests with stubs.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="How to print the problems."
)
@PROFILE
@watch.option
@color.option
def command(files: tuple[Path, ...], no_resolve: bool, strict: bool, form: str, again: bool) -> None:
    """Report every mistake in toolset files, each with its position, source line and a hint.

    If there is no mistake, warnings show what works but could be better: a missing description, a name that will be mistyped,
    an output shape that examples use without a declaration.

    With --strict every example is checked as its tools would read it, and is run if all of them have stubs; the tests run with
    stubs in place of callbacks. The format github prints annotations for workflows. Without FILE, all of *.toolset.yaml and
    toolsets/*.yaml below the current directory are checked.

    Exit status: 0 without problems, 1 with problems (with --strict: or warnings), 2 for an unusable command line;
    130 when Ctrl+C has ended --watch.

    \b
    Examples:
      bashkit check toolsets/shop.yaml
      bashkit check --strict --format github
      bashkit check --watch toolsets/shop.yaml
      bashkit check --no-resolve --format json *.toolset.yaml
    """
    from bashkit.toolset import check

    if strict and no_resolve:
        raise click.UsageError("--strict and --no-resolve exclude each other")
    paths = files_of(files)
    if again:
        flags = [*(["--no-resolve"] if no_resolve else ()), *(["--strict"] if strict else ())]
        watch.watch(["check", *flags, "--format", form, *map(str, paths)], lambda: paths)
    problems: list[Problem] = []
    for path in paths:
        with waiting_for(f"the check of {path}"):
            problems += check(path, resolve=not no_resolve, advise=True, rehearse=strict)
    _print(problems, form)
    failing = problems if strict else [problem for problem in problems if problem.severity == "error"]
    click.get_current_context().exit(1 if failing else 0)


def _print(problems: list[Problem], form: str) -> None:
    from bashkit.cli import reporting

    if form == "json":
        from bashkit.tools import json_text

        print_json(json_text.encode([asdict(problem) for problem in problems]))
    elif form == "github":
        for problem in problems:
            say(reporting.workflow_command(problem))
    elif problems:
        reporting.report(problems)
    else:
        click.echo("no problems")
