"""bashkit call: call one tool with JSON arguments."""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bashkit.cli import color
from bashkit.cli.opening import ALLOW, FILE, PROFILE, allowing, open_toolset, warn
from bashkit.cli.terminal_text import print_json, say

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.tools.execute.scripted import ScriptedTool

_REFUSED = 1
_FAILED = 2


@click.command("call", short_help="Call one tool with JSON arguments.")
@click.argument("file", metavar="FILE|DIR", type=FILE)
@click.argument("name", metavar="[TOOL]", required=False)
@click.argument("arguments", metavar="[JSON|-]", required=False)
@click.option("--dry-run", is_flag=True, help="Print the arguments, with defaults, and call nothing.")
@ALLOW
@PROFILE
@color.option
def command(file: Path, name: str | None, arguments: str | None, *, dry_run: bool, allow: tuple[str, ...]) -> None:
    """Call the tool TOOL of a toolset file, a directory of executables or one of them, with a JSON object of arguments: JSON, or
    with - or without it what is on standard input, if that is a file or a pipe. TOOL may be left out if there is only one.

    Only tools of the catalog can be called, arguments are checked first, and the toolset's policy applies: a call that it asks
    about is refused unless --allow says otherwise; without a policy these are the calls of tools whose effects are destructive.

    Exit status: 0 success; 1 the tool is unknown, the call is denied or its arguments are refused, and nothing has run;
    2 the tool failed (its standard error is passed on), or FILE cannot be used.

    \b
    Examples:
      bashkit call toolsets/shop.yaml get_user '{"id": 1}'
      bashkit call ./tools disk_usage '{"path": "."}'
      bashkit call ./tools/disk_usage.sh '{"path": "."}' --dry-run
      bashkit call ./tools purge '{"days": 30}' --allow destructive
      jq -n '{id: 1}' | bashkit call toolsets/shop.yaml get_user
    """
    from bashkit.tools import json_text
    from bashkit.toolset.text.suggestions import instead

    toolset = open_toolset(file)
    tool = toolset.make_tool(**allowing(toolset, allow))
    warn(toolset)
    names = [item.name for item in tool.definitions]
    if len(names) == 1 and arguments is None and (name is None or name == "-" or name.lstrip().startswith("{")):
        name, arguments = names[0], name
    if name is None:
        raise click.UsageError("Missing argument 'TOOL'.")
    adapter = tool.adapter(name)
    if adapter is None:
        _refuse([f"unknown tool {name!r}: {instead(name, names)}"])
    given = _standard_input(named=arguments == "-") if arguments is None or arguments == "-" else arguments
    try:
        params = json_text.decode(given)
    except ValueError as error:
        _refuse([f"{name}: the arguments are not JSON: {error}"])
    if not isinstance(params, dict):
        _refuse([f"{name}: the arguments are not a JSON object"])
    problems = adapter.problems(params)
    if problems:
        _refuse([f"{name}: {problem}" for problem in problems])
    if dry_run:
        print_json(json_text.encode(adapter.fill(params)))
        return
    click.get_current_context().exit(_call(tool, name, params))


def _refuse(messages: list[str]) -> NoReturn:
    """Say why nothing is called, and end."""
    for message in messages:
        say(f"bashkit: {message}", err=True)
    click.get_current_context().exit(_REFUSED)


def _standard_input(*, named: bool) -> str:
    """What is on standard input; empty if that is a terminal or a device and was not asked for."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        mode = stat.S_IFREG  # it is no file of the system: a test's, or closed
    if not named and not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        return "{}"
    text = "" if sys.stdin is None or sys.stdin.closed else sys.stdin.read()
    return text if text.strip() else "{}"


def _call(tool: ScriptedTool, name: str, params: dict[str, Any]) -> int:
    from bashkit.tools.define.result import to_bytes

    response = tool.call_sync(name, params)
    click.echo(to_bytes(response.stdout), nl=False)
    click.echo(to_bytes(response.stderr), nl=False, err=True)
    if response.error is not None and not response.stderr:
        say(f"bashkit: {name}: {response.error}", err=True)
    called = next(iter(response.trace), None)
    if called is not None and called.error and not called.attempts:
        return _REFUSED  # the policy or the tool's max_calls forbids it
    return _FAILED if response.exit_code else 0
