"""bashkit tui: open the inspector, or write a picture of it."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bashkit.cli import color
from bashkit.cli.opening import FILE, PLAIN_FILE, PROFILE
from bashkit.cli.statuses import SIGNALLED
from bashkit.cli.tokens import tokens
from bashkit.errors import BashkitError

if TYPE_CHECKING:
    from collections.abc import Mapping

_EXTRAS = {
    **dict.fromkeys(("textual", "bashkit_tui", "tree_sitter"), ("the inspector needs", "tui")),
    **dict.fromkeys(("textual_serve", "aiohttp", "aiohttp_jinja2"), ("the inspector in a browser needs", "web")),
}


@click.command("tui", short_help="Open the inspector.")
@click.argument("paths", metavar="[FILE|DIRECTORY]...", nargs=-1, type=FILE)
@click.option(
    "--config", metavar="FILE", type=PLAIN_FILE,
    help="Theme and keys, instead of bashkit/inspector.toml in $XDG_CONFIG_HOME.",
)  # fmt: skip
@click.option(
    "--screenshot", metavar="OUT.svg", type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write a picture of the inspector instead of opening it.",
)  # fmt: skip
@click.option("--size", metavar="COLUMNSxROWS", help="Size of the picture.  [default: 140x40]")
@click.option("--tab", metavar="NAME", help="The pane in the picture; a wrong name lists them.")
@click.option("--tool", metavar="NAME", help="The tool in the picture.")
@click.option("--theme", metavar="NAME", help="The theme of the picture.")
@click.option("--attach", metavar="URL", help="Follow a running 'bashkit serve --transport http' instead.")
@click.option("--token-file", type=PLAIN_FILE, metavar="FILE", help="attach: its token; or in $BASHKIT_TOKENS.")
@click.option("--web", is_flag=True, help="Serve the inspector to a browser; the address is printed.")
@click.option("--host", help="web: where to listen.  [default: 127.0.0.1]")
@click.option("--port", type=click.IntRange(0, 65535), help="web: the port.  [default: a free one]")
@PROFILE
@color.option
def command(
    paths: tuple[Path, ...],
    config: Path | None,
    screenshot: Path | None,
    size: str | None,
    tab: str | None,
    tool: str | None,
    theme: str | None,
    attach: str | None,
    token_file: Path | None,
    web: bool,
    host: str | None,
    port: int | None,
) -> None:
    """Open the inspector in the terminal: prompts, scripts, what every tool call did. A DIRECTORY opens all toolset files below
    it; without an argument the bundled toolsets are opened.

    With --attach the scripts that clients of a server run are shown instead, with their calls as they happen; a call that waits
    for an approval is answered there. With --web every page that a browser opens at the printed address is an inspector.

    \b
    Settings, in $XDG_CONFIG_HOME/bashkit/inspector.toml:
      theme = "bashkit-light"
      [keys]                    # names: see the inspector's own list of keys, ?
      "script.run" = "f9"

    \b
    Examples:
      bashkit tui toolsets/shop.yaml
      bashkit tui toolsets
      bashkit tui toolsets/shop.yaml --tab prompt --screenshot shop.svg \\
        --size 100x30
      bashkit tui --attach http://127.0.0.1:8000
      bashkit tui toolsets/shop.yaml --web
    """
    if attach is not None and (paths or screenshot is not None):
        raise click.UsageError(f"--attach shows a server: it takes no {'FILE' if paths else '--screenshot'}")
    given = {"size": size, "tab": tab, "tool": tool, "theme": theme}
    picture = {name: value for name, value in given.items() if value is not None}
    needs: list[tuple[str, object, Mapping[str, object]]] = [
        ("web", web, {"host": host, "port": port}),
        ("attach", attach, {"token-file": token_file}),
        ("screenshot", screenshot, given),
    ]
    for name, there, options in needs:
        wrong = next((option for option, value in options.items() if value is not None and not there), None)
        if wrong is not None:
            raise click.UsageError(f"--{wrong} needs --{name}")
    if screenshot is not None:
        if web:
            raise click.UsageError("--web and --screenshot are two different things")
        _write_picture(screenshot, paths, picture)
        return
    if click.get_current_context().find_root().color is False:
        os.environ["NO_COLOR"] = "1"  # Textual looks for it
    if web:
        _serve(_opening(paths, config, attach, token_file), host or "127.0.0.1", port or 0)
    else:
        _open(list(paths), config, attach, token_file)


def _write_picture(file: Path, paths: tuple[Path, ...], options: dict[str, str]) -> None:
    if file.suffix.lower() != ".svg":
        raise click.UsageError(f"the picture is SVG: its name ends in .svg, unlike {file.name}")
    pictures = _module("pictures")
    try:
        svg = pictures.picture(list(paths), **options)
    except pictures.PictureError as error:
        raise click.UsageError(str(error)) from error
    try:
        file.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise BashkitError(f"{file} cannot be written: {error.strerror}") from error
    click.echo(f"{file}: written")


def _open(paths: list[Path], config: Path | None, attach: str | None, token_file: Path | None) -> None:
    if attach is None:
        _module("app").run(paths, config)
    else:
        _module("app").run(paths, config, _server(attach, token_file))


def _server(address: str, token_file: Path | None) -> Any:
    """The server to follow."""
    known = tokens(token_file)
    return _module("attached.server_events").Server.at(address, known[0] if known else "")


def _opening(paths: tuple[Path, ...], config: Path | None, attach: str | None, token_file: Path | None) -> str:
    """The command line of an inspector like this one, for a shell."""
    import shlex
    import sys

    words = [sys.executable, "-m", "bashkit", "tui", *map(str, paths)]
    for name, value in (("config", config), ("attach", attach), ("token-file", token_file)):
        words += [f"--{name}", str(value)] if value is not None else []
    return shlex.join(words)


def _serve(opening: str, host: str, port: int) -> None:
    def say(address: str) -> None:
        click.echo(f"the inspector is at {address}\nCtrl+C ends it", err=True)

    number = _module("web").run(opening, host, port, say)
    click.get_current_context().exit(SIGNALLED + number)


def _module(name: str) -> Any:
    try:
        return import_module(f"bashkit_tui.{name}")
    except ModuleNotFoundError as error:
        missing = _EXTRAS.get((error.name or "").partition(".")[0])
        if missing is None:
            raise
        what, extra = missing
        raise BashkitError(f"{what} an extra: pip install 'bashkit-toolsets[{extra}]'") from error
