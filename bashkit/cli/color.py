"""Decides whether the command line prints in colour: --color, then NO_COLOR, FORCE_COLOR and TERM, then the terminal."""

from __future__ import annotations

import os

import click

_CHOICES = {"always": True, "never": False}


def _choose(context: click.Context, _: click.Parameter, value: str | None) -> None:
    root = context.find_root()
    if value is not None or context is root:
        # the root prints the problems of toolsets for all of its subcommands
        root.color = context.color = _CHOICES[value] if value in _CHOICES else _wanted_by_environment()


def _wanted_by_environment() -> bool | None:
    """What the environment says; None leaves it to click, which looks whether the output is a terminal."""
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        return False
    if os.environ.get("FORCE_COLOR"):  # https://force-color.org
        return True
    return False if os.environ.get("TERM") == "dumb" else None


option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    expose_value=False,
    is_eager=True,
    callback=_choose,
    help="Print in colour; by default, on a terminal unless NO_COLOR or TERM=dumb is set, and with FORCE_COLOR.",
)
