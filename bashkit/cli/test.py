"""bashkit test: run the tests that toolset files declare."""

from __future__ import annotations

from pathlib import Path

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, open_toolset


@click.command("test", short_help="Run the tests of a toolset.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=FILE)
@click.option("--name", "pattern", metavar="PATTERN", default="*", help="Only tests whose name matches; * and ? are wildcards.")
@color.option
def command(files: tuple[Path, ...], pattern: str) -> None:
    """Run the scripts under 'tests' in toolset files and compare what they print with what is expected.

    A tool's stub, if it has one, replaces its callback, unless the test says 'callbacks: real'. Outputs with a snapshot
    (snapshot: true) are compared by 'bashkit snapshot'. Without FILE, the tests of all *.toolset.yaml and toolsets/*.yaml below
    the current directory are run.

    \b
    Exit status: 0 if all tests pass, 1 if one fails, 2 if FILE cannot be used.

    \b
    Examples:
      bashkit test
      bashkit test toolsets/shop.yaml --name 'gold *'
    """
    from fnmatch import fnmatchcase

    from bashkit.toolset.project_files import toolset_files
    from bashkit.toolset.script_tests import script_tests
    from bashkit.toolset.testing.running import run_test

    paths = files or tuple(toolset_files(Path()))
    if not paths:
        raise click.UsageError("there is no toolset here: name a FILE, or put one into toolsets/")
    passed = failed = 0
    for path in paths:
        toolset = open_toolset(path)
        for test in script_tests(toolset):
            if not fnmatchcase(test.name, pattern):
                continue
            failures = test.failures(run_test(toolset, test))
            passed, failed = passed + (not failures), failed + bool(failures)
            click.secho(
                f"{path}:{test.mark.line}: {test.name}: {'failed' if failures else 'passed'}", fg="red" if failures else None
            )
            for failure in failures:
                click.echo("".join(f"    {line}\n" for line in failure.split("\n")), nl=False)
    click.echo(f"{passed} passed, {failed} failed")
    click.get_current_context().exit(1 if failed else 0)
