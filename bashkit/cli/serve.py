"""bashkit serve: the tools of toolsets as an MCP server."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bashkit.cli import color
from bashkit.cli.opening import ALLOW, FILE, PLAIN_FILE, PROFILE
from bashkit.cli.statuses import SIGNALLED
from bashkit.cli.terminal_text import formatter
from bashkit.cli.tokens import tokens
from bashkit.errors import BashkitError
from bashkit.limits import ISOLATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bashkit.bash.bash import Isolation
    from bashkit.integrations.mcp.service import Settings

_EXTRA = frozenset({"mcp", "mcp_types", "anyio", "starlette", "uvicorn"})
_MEMORY = ""


@click.command("serve", short_help="Serve the tools of toolsets over MCP.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=FILE)
@click.option("--transport", type=click.Choice(["stdio", "http"]), default="stdio", help="[default: stdio]")
@click.option(
    "--expose", type=click.Choice(["bash", "tools", "both"]), default="bash",
    help="The tool that takes bash scripts, each command by itself, or both.  [default: bash]",
)  # fmt: skip
@click.option("--discovery", is_flag=True, help="Add the tool that searches the commands.")
@click.option(
    "--isolation", type=click.Choice(ISOLATIONS),
    help="Run scripts in this process or in sandbox processes.  [default: process for http; as the toolset says for stdio]",
)  # fmt: skip
@click.option(
    "--sessions", is_flag=False, flag_value=_MEMORY, metavar="[DIR]",
    help="Each client has a shell that lasts from one call to the next, kept in memory or saved in DIR.",
)  # fmt: skip
@ALLOW
@click.option("--host", default="127.0.0.1", help="http: where to listen.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="http: the port; 0 for a free one.  [default: 8000]")
@click.option("--token-file", type=PLAIN_FILE, metavar="FILE", help="http: bearer tokens, one a line; or in $BASHKIT_TOKENS.")
@click.option("--no-auth", is_flag=True, help="http: listen for other machines without a token.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="http: a name of this server, as in the header Host.")
@click.option("--allow-origin", multiple=True, metavar="ORIGIN", help="http: a page that may use it, as in the header Origin.")
@click.option("--idle", default="30m", metavar="TIME", help="http: how long a session without requests lasts.  [default: 30m]")
@click.option(
    "--max-sessions-bytes", type=click.IntRange(1), metavar="N",
    help="http: the memory that all sessions may take together; beyond it the least recently used of those clients that take "
    "most are put away in DIR, or end without DIR.  [default: 2 GB]",
)  # fmt: skip
@PROFILE
@color.option
def command(
    files: tuple[Path, ...],
    transport: str,
    expose: Any,
    discovery: bool,
    isolation: Isolation | None,
    sessions: str | None,
    allow: tuple[str, ...],
    max_sessions_bytes: int | None,
    **http: Any,
) -> None:
    """Serve toolsets to any client of the Model Context Protocol, over standard input and output or over HTTP.

    Each FILE is a toolset (.yaml) or a directory of executables that answer --describe. It is loaded again when it changes. A
    call that the policy asks about is asked of the client (elicitation); it is refused where the client cannot ask, unless
    --allow says otherwise.

    Over HTTP the protocol is at /mcp; /health and /metrics (Prometheus) are beside it, every call is a line of JSON on standard
    error, and 'bashkit tui --attach URL' follows what runs. Without --sessions any number of servers can share the requests. With
    --sessions DIR a client that sends the header Bashkit-Session: NAME comes back to the session of that name. On SIGTERM running
    scripts have 5 seconds.

    Exit status: 0 when the client has left; 2 when the command line or a FILE cannot be used; 128 and the signal's number.

    \b
    Examples:
      bashkit serve toolsets/shop.yaml
      bashkit serve toolsets/shop.yaml --expose both --allow destructive
      bashkit serve toolsets/shop.yaml toolsets/workspace.yaml --sessions
      bashkit serve toolsets/shop.yaml --transport http --host 0.0.0.0 \\
        --token-file tokens
    """
    context = click.get_current_context()
    given = [name for name in (*http, "max_sessions_bytes") if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if given and transport == "stdio":
        raise click.UsageError(f"--{given[0].replace('_', '-')} needs --transport http")
    if sessions:
        _make_folder(Path(sessions))
    settings = _module("service").Settings(
        paths=files,
        expose=expose,
        discovery=discovery,
        isolation=isolation or ("process" if transport == "http" else None),
        shared=transport == "http",
        sessions=sessions is not None,
        folder=Path(sessions) if sessions else None,
        allow=allow,
        **({} if max_sessions_bytes is None else {"max_sessions_bytes": max_sessions_bytes}),
    )
    serving = _module("stdio").serve(settings) if transport == "stdio" else _serve_http(settings, **http)
    with _log_on_standard_error():
        number = _run(serving)
    context.exit(SIGNALLED + number if number else 0)


def _make_folder(folder: Path) -> None:
    """Make the directory of the sessions, which nobody would be told of when the first one is saved."""
    if folder.is_file():
        raise click.UsageError(f"--sessions: {folder} is a file, not a directory; write FILE before --sessions")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--sessions: {folder} cannot be made: {error.strerror}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise click.UsageError(f"--sessions: nothing can be written into {folder}")


def _run(serving: Any) -> int:
    import asyncio

    number: int = asyncio.run(serving)
    return number


def _serve_http(
    settings: Settings,
    host: str,
    port: int,
    token_file: Path | None,
    no_auth: bool,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    idle: str,
) -> Any:
    from bashkit.integrations.listening import is_loopback
    from bashkit.toolset.text.notation import duration

    guard = _module("guard")
    known = tokens(token_file)
    if not known and not no_auth and not is_loopback(host):
        raise click.UsageError(f"whoever reaches {host} could run scripts: pass --token-file FILE, or --no-auth if that is meant")
    try:
        seconds = duration(idle)
    except ValueError as error:
        raise click.UsageError(f"--idle: {error}") from None
    return _module("http").serve(settings, guard.Access.to(host, known, allow_host, allow_origin), host, port, seconds)


@contextmanager
def _log_on_standard_error() -> Iterator[None]:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter("%(levelname)s: %(message)s"))
    loggers = [logging.getLogger(name) for name in ("bashkit.mcp", "mcp")]  # the SDK's, which tells of odd clients
    loggers[0].setLevel(logging.INFO)
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


def _module(name: str) -> Any:
    try:
        return import_module(f"bashkit.integrations.mcp.{name}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        raise BashkitError("serving over MCP needs an extra: pip install 'bashkit-toolsets[mcp]'") from error
