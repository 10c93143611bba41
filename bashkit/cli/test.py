"""bashkit test: run the tests that toolset files declare."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from bashkit.cli import color, watch
from bashkit.cli.terminal_text import print_json, say, visible
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bashkit.cli.test_outcomes import Outcome
    from bashkit.toolset import Toolset
    from bashkit.toolset.testing.callback_modes import Mode
from bashkit.cli.opening import FILE, PROFILE, files_of, open_toolset
from bashkit.cli.waiting import waiting_for


@click.command("test", short_help="Run the tests of a toolset.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=FILE)
@click.option("--name", "pattern", metavar="PATTERN", default="*", help="Only tests whose name matches; * and ? are wildcards.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array: file, line, name, passed, failures, output of each.")
@click.option("--junit", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML to FILE as well.")
@PROFILE
@watch.option
@color.option
def command(files: tuple[Path, ...], pattern: str, as_json: bool, junit: Path | None, again: bool) -> None:
    """Run the scripts under 'tests' in toolset files and compare what they print with what is expected.

    A tool's stub, if it has one, replaces its callback, unless the test says 'callbacks: real'. Outputs with a snapshot
    (snapshot: true) are compared by 'bashkit snapshot'. Without FILE, the tests of all *.toolset.yaml and toolsets/*.yaml below
    the current directory are run.

    Exit status: 0 if all tests pass, 1 if one fails, 2 if FILE cannot be used or
    --name matches none; 130 when Ctrl+C has ended --watch.

    \b
    Examples:
      bashkit test
      bashkit test toolsets/shop.yaml --name 'gold *'
      bashkit test --junit report.xml
      bashkit test --watch
      bashkit test --json | jq -r '.[] | select(.passed | not).name'
    """
    from bashkit.tools import json_text

    if again:
        options = [*(["--json"] if as_json else ()), *(["--junit", str(junit)] if junit is not None else ())]
        watch.watch(["test", "--name", pattern, *options, *map(str, files)], lambda: files_of(files))
    outcomes: list[Outcome] = []
    for item in _outcomes(files_of(files), pattern):
        outcomes.append(item)
        if not as_json:
            _print(item)
    if not outcomes and pattern != "*":
        raise click.UsageError(f"no test matches {pattern!r}")
    failed = sum(not item.passed for item in outcomes)
    if junit is not None:
        _write(junit, outcomes)
    if as_json:
        print_json(json_text.encode([item.to_dict() for item in outcomes]))
    else:
        click.echo(f"{len(outcomes) - failed} passed, {failed} failed")
    click.get_current_context().exit(1 if failed else 0)


def _outcomes(paths: Sequence[Path], pattern: str) -> Iterator[Outcome]:
    """Run the tests whose names match, one after the other."""
    from fnmatch import fnmatchcase

    from bashkit.cli.test_outcomes import outcome
    from bashkit.toolset.script_tests import script_tests
    from bashkit.toolset.testing.callback_modes import in_mode

    for path in paths:
        toolset = open_toolset(path)
        chosen = [test for test in script_tests(toolset) if fnmatchcase(test.name, pattern)]
        modes: dict[Mode, Toolset] = {}  # one for all tests, so that its sources are asked once
        for test in chosen:
            if test.callbacks not in modes:
                modes[test.callbacks] = in_mode(toolset, test.callbacks)
        try:
            for test in chosen:
                with waiting_for(f"the test {test.name!r}"):
                    found = outcome(path, modes[test.callbacks], test)
                yield found
        finally:
            for each in {id(each): each for each in (toolset, *modes.values())}.values():
                each.close()


def _print(item: Outcome) -> None:
    click.secho(visible(item.text()), fg=None if item.passed else "red")
    for failure in item.failures:
        say("".join(f"    {line}\n" for line in failure.split("\n")), nl=False)


def _write(path: Path, outcomes: Sequence[Outcome]) -> None:
    from bashkit.cli.test_outcomes import junit

    try:
        path.write_bytes(junit(outcomes))
    except OSError as error:
        raise BashkitError(f"{path} cannot be written: {error.strerror}") from error
