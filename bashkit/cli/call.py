"""bashkit call: call one tool with JSON arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bashkit.cli.opening import FILE, open_toolset, warn

if TYPE_CHECKING:
    from pathlib import Path

    from bashkit.tools import ToolResult
    from bashkit.tools.adapter import ToolAdapter
    from bashkit.tools.scripted import ScriptedTool

_REFUSED = 1
_FAILED = 2


@click.command("call", short_help="Call one tool with JSON arguments.")
@click.argument("file", metavar="FILE|DIR", type=FILE)
@click.argument("name", metavar="TOOL")
@click.argument("arguments", metavar="[JSON]", default="{}")
def command(file: Path, name: str, arguments: str) -> None:
    """Call the tool TOOL of a toolset file or a directory, with a JSON object of arguments.

    Only what the catalog holds can be called, and arguments are checked first.

    \b
    Exit status: 0 success; 1 the tool is unknown or its arguments are refused, nothing has run;
    2 the tool failed (its standard error is passed on), or FILE cannot be used.

    \b
    Examples:
      bashkit call toolsets/shop.yaml get_user '{"id": 1}'
      bashkit call ./tools disk_usage '{"path": "."}'
    """
    toolset = open_toolset(file)
    tool = toolset.tool
    warn(toolset)
    adapter = tool.adapter(name)
    if adapter is None:
        _refuse([f"unknown tool {name!r}{_suggestion(name, [item.name for item in tool.definitions])}"])
        return
    params = _parameters(arguments)
    if params is None:
        _refuse([f"{name}: the arguments are no JSON object"])
        return
    problems = adapter.problems(params)
    if problems:
        _refuse([f"{name}: {problem}" for problem in problems])
        return
    click.get_current_context().exit(_call(tool, adapter, params))


def _refuse(messages: list[str]) -> None:
    for message in messages:
        click.echo(f"bashkit: {message}", err=True)
    click.get_current_context().exit(_REFUSED)


def _suggestion(name: str, names: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, names, 1)
    return f" (did you mean {close[0]}?)" if close else ""


def _parameters(text: str) -> dict[str, Any] | None:
    from bashkit.tools import json_text

    return json_text.decode_object(text)


def _call(tool: ScriptedTool, adapter: ToolAdapter, params: dict[str, Any]) -> int:
    import asyncio

    from bashkit.tools.result import to_bytes

    calls = tool.calls()
    try:
        result: ToolResult = asyncio.run(adapter.call(params, calls))
    except Exception as error:  # whatever the callback raises
        message = calls.secrets.text(str(error) or type(error).__name__)
        click.echo(f"{adapter.definition.name}: {message}", err=True)
        return _FAILED
    click.echo(calls.secrets.bytes(to_bytes(result.stdout)), nl=False)
    click.echo(calls.secrets.bytes(to_bytes(result.stderr)), nl=False, err=True)
    return _FAILED if result.exit_code else 0
