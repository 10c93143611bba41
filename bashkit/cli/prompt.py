"""bashkit prompt: show what a model reads about a toolset."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PROFILE, open_toolset, warn
from bashkit.cli.terminal_text import print_document, print_json, say

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.tools.describe.prompt import Mode
    from bashkit.toolset import Toolset


@click.command("prompt", short_help="Show what the model reads.")
@click.argument("file", metavar="[FILE]", required=False, type=FILE)
@click.option("--man", is_flag=True, help="The man page instead of the system prompt.")
@click.option("--tool", "name", metavar="NAME", help="The help of one tool instead.")
@click.option(
    "--mode",
    type=click.Choice(["full", "compact", "discovery"]),  # MODES, which is imported only when it is needed
    help="The system prompt in this mode, however long it is.",
)
@click.option(
    "--sizes",
    is_flag=True,
    help="The tokens that each tool takes of the system prompt, the most expensive first, not the prompt.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object with the text and its length in characters, or with the sizes."
)
@PROFILE
@color.option
def command(file: Path | None, man: bool, name: str | None, mode: Mode | None, sizes: bool, as_json: bool) -> None:
    """Show the system prompt of a toolset, its man page, or the help of one of its tools.

    Without --mode the prompt is as the model gets it: in the mode of FILE, or a shorter one where that is too long for 'prompt:
    max_chars' or 'max_tokens'.

    \b
    Exit status: 2 when there is no such tool, or FILE cannot be used.

    \b
    Examples:
      bashkit prompt toolsets/shop.yaml
      bashkit prompt toolsets/shop.yaml --tool get_user
      bashkit prompt toolsets/shop.yaml --mode compact
      bashkit prompt toolsets/shop.yaml --sizes
      bashkit prompt --json | jq .characters
    """
    from bashkit.tools import json_text
    from bashkit.toolset.text.suggestions import instead

    if man and name is not None:
        raise click.UsageError("--man and --tool exclude each other")
    for given, option in ((mode is not None, "--mode"), (sizes, "--sizes")):
        if given and (man or name is not None):
            raise click.UsageError(f"{option} is for the system prompt")
    toolset = open_toolset(file)
    if sizes:
        _show_sizes(toolset, mode, as_json=as_json)
        return
    if name is not None:
        definition = next((item for item in toolset.tools if item.name == name), None)
        if definition is None:
            raise click.UsageError(f"there is no tool {name!r}: {instead(name, [item.name for item in toolset.tools])}")
        text = toolset.tool.dialect.help(definition)
    else:
        text = toolset.tool.help() if man else toolset.tool.system_prompt(mode)
    warn(toolset)
    if as_json:
        print_json(json_text.encode({"toolset": toolset.name, "characters": len(text), "text": text}))
    else:
        print_document(text)


def _show_sizes(toolset: Toolset, mode: Mode | None, *, as_json: bool) -> None:
    """Print what each tool takes of the system prompt."""
    from bashkit.prompts.shares import shares_of
    from bashkit.tools import json_text

    shares = shares_of(toolset.tool, mode)
    mode = mode or toolset.tool.prompt_mode
    warn(toolset)
    if as_json:
        found = {"toolset": toolset.name, "mode": mode, "tokens": shares.tokens, "estimated": not shares.counted}
        print_json(json_text.encode({**found, "tools": dict(shares.tools), "rest": shares.rest}))
        return
    rows = [(cost, name) for name, cost in shares.tools.items()]
    rows += [
        (shares.rest, "(what is about no single tool)"),
        (shares.tokens, f"(all, mode {mode}{'' if shares.counted else ', estimated'})"),
    ]
    wide = len(str(shares.tokens))
    for cost, name in rows:
        say(f"{cost:>{wide}}  {100 * cost / max(1, shares.tokens):3.0f} %  {name}")
