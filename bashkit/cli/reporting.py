"""Showing the problems of a toolset file: place and message, the source line, a caret, a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.errors import Problem

_TAB = "    "


def report(problems: Sequence[Problem], *, err: bool = False) -> None:
    """Write problems for a person; in colour where the stream is a terminal.

    Args:
        problems: What to show.
        err: To standard error rather than standard output.
    """
    for problem in problems:
        click.echo(snippet(problem), err=err)
    files = len({problem.file for problem in problems})
    if len(problems) > 1:
        where = f" in {files} files" if files > 1 else ""
        click.secho(f"{len(problems)} problems{where}", bold=True, err=err)


def snippet(problem: Problem) -> str:
    """One problem on a few lines; click takes the colours out where they would not show."""
    place = click.style(f"{problem.file}:{problem.line}:{problem.column}:", bold=True)
    lines = [f"{place} {click.style(problem.message, fg='red')}"]
    if problem.source.strip():
        number = str(problem.line)
        bar = click.style(f" {' ' * len(number)} |", fg="blue")
        before = problem.source[: problem.column - 1].replace("\t", _TAB)
        marked = problem.source[problem.column - 1 :][: problem.width].replace("\t", _TAB)
        caret = click.style("^" * max(1, len(marked)), fg="red", bold=True)
        hint = f" {click.style(problem.hint, fg='cyan')}" if problem.hint else ""
        source = problem.source.replace("\t", _TAB)
        lines += [bar, f"{click.style(f' {number} |', fg='blue')} {source}", f"{bar} {' ' * len(before)}{caret}{hint}"]
    elif problem.hint:
        lines.append(f"  {problem.hint}")
    return "\n".join(lines) + "\n"
