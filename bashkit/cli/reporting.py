"""Prints the problems of a toolset file: position and message, the source line, a caret, a hint."""

from __future__ import annotations

from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from bashkit.cli import github
from bashkit.cli.terminal_text import visible, visible_lines
from bashkit.toolset.text.source_line import source_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bashkit.errors import Problem

_ROOM = 120  # columns where there is no terminal
_LEAST = 20  # columns that a source line gets


def report(problems: Sequence[Problem], *, err: bool = False) -> None:
    """Print problems for people, in colour on a terminal.

    Args:
        problems: The problems.
        err: Print to standard error rather than standard output.
    """
    for problem in problems:
        click.echo(snippet(problem), err=err)
    files = len({problem.file for problem in problems})
    warnings = sum(problem.severity == "warning" for problem in problems)
    if len(problems) > 1 or warnings:
        where = f" in {files} files" if files > 1 else ""
        counts = [_count(len(problems) - warnings, "problem"), *([_count(warnings, "warning")] if warnings else ())]
        click.secho(f"{', '.join(counts)}{where}", bold=True, err=err)


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def workflow_command(problem: Problem) -> str:
    """Write a problem as a workflow command, which GitHub Actions shows beside the line."""
    place = {"file": problem.file, "line": problem.line, "col": problem.column, "endColumn": problem.column + problem.width}
    title = {"title": problem.code} if problem.code else {}
    message = f"{problem.message} ({problem.hint})" if problem.hint else problem.message
    return github.annotation(problem.severity, message, **place, **title)


def snippet(problem: Problem) -> str:
    """Write a problem on a few lines; click removes the colours where they would not show."""
    place = click.style(visible(f"{problem.file}:{problem.line}:{problem.column}:"), bold=True)
    mild = problem.severity == "warning"
    rule = f" [{problem.code}]" if problem.code else ""
    colour = "yellow" if mild else "red"
    lines = [f"{place} {'warning: ' if mild else ''}{click.style(visible_lines(problem.message), fg=colour)}{rule}"]
    if problem.source.strip():
        number = str(problem.line)
        bar = click.style(f" {' ' * len(number)} |", fg="blue")
        room = get_terminal_size((_ROOM, 0)).columns - len(number) - len("  | ")
        before, rest = visible(problem.source[: problem.column - 1]), problem.source[problem.column - 1 :]
        marked = visible(rest[: problem.width])
        line = f"{before}{marked}{visible(rest[problem.width :])}"
        shown = source_line(line, len(before) + 1, len(marked), max(room, _LEAST))
        caret = click.style("^" * shown.marked, fg=colour, bold=True)
        hint = f" {click.style(visible_lines(problem.hint), fg='cyan')}" if problem.hint else ""
        lines += [bar, f"{click.style(f' {number} |', fg='blue')} {shown.text}", f"{bar} {' ' * shown.before}{caret}{hint}"]
    elif problem.hint:
        lines.append(f"  {visible_lines(problem.hint)}")
    return "\n".join(lines) + "\n"
